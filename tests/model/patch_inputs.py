"""Generated resources and patches of them, with every directive of a strategic merge patch.

Left out is what only kubectl refuses (fields that Kubernetes does not have, an order for an empty list) and what it
does one way or the other by chance (a value that one patch both adds and removes).
"""

from __future__ import annotations

import copy
from random import Random
from typing import Any

NAMES = ("a", "b", "c", "d", "e")
PORTS, ENV = (1, 2, 3, 4), ("A", "B", "C", "D")
Data = dict[str, Any]

SETTINGS = ({"k": 1}, {"k": 2, "l": "z"}, {"l": "m"})
PATCHED = (
    {"k": None, "m": 2},
    {"$patch": "delete"},
    {"$patch": "replace", "m": 1, "n": None},
    {"$retainKeys": ["k"], "k": 5},
    {"$retainKeys": ["k", "l"]},
    {"$retainKeys": ["l"], "k": None},
    {"$retainKeys": ["l"], "k": 1},
    {"$patch": "merge"},
)
AFFINITY = ({"nodeAffinity": {"m": 1}}, {"nodeAffinity": {"n": 1}, "podAffinity": {"k": 1}})
AFFINITY_PATCHES = (
    {"nodeAffinity": {"m": None, "n": 2}},
    {"nodeAffinity": {"$patch": "delete"}},
    {"podAffinity": {"$patch": "replace", "q": None}},
    {"podAffinity": None},
)
VOLUMES: tuple[Data, ...] = ({"emptyDir": {}}, {"configMap": {"name": "x"}}, {"secret": {"s": 1}}, {})
TOLERATIONS = ([{"key": "k"}], [{"key": "l", "value": None}], [{"key": "m"}, {"key": "k"}])
STRATEGIES: tuple[Data, ...] = ({"type": "Recreate"}, {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}})


class Drawn:
    """A Deployment, or a patch of one."""

    def __init__(self, chance: Random, patch: bool) -> None:
        self.chance = chance
        self.patch = patch

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def one(self, values: Any, patches: Any = ()) -> Any:
        return copy.deepcopy(self.chance.choice([*values, *(patches if self.patch else ())]))

    def deployment(self) -> Data:
        meta = {"name": "web", **self.finalizers()}
        if self.often(0.4):
            meta["labels"] = {key: self.one(["1", "2"], [None]) for key in "uvw" if self.often(0.5)}
        made: Data = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": self.spec()}
        if self.often(0.3):
            made["status"] = self.items("conditions", "type", NAMES[:3], lambda: {"s": self.chance.randrange(3)})
        return made

    def spec(self) -> Data:
        spec: Data = {"template": {"spec": self.pod()}}
        meta = self.finalizers()
        if self.often(0.3):
            meta |= self.items("ownerReferences", "uid", NAMES[:3], lambda: {"k": self.chance.randrange(3)})
        if meta or self.often(0.5):
            spec["template"]["metadata"] = meta
        if self.often(0.5):
            spec["replicas"] = self.chance.randrange(4)
        if self.often(0.5):
            spec["strategy"] = self.one(STRATEGIES)
            if self.patch and self.often(0.5):
                spec["strategy"]["$retainKeys"] = list(spec["strategy"])
        return spec

    def pod(self) -> Data:
        pod: Data = {}
        for name, key, names, inner in (
            ("containers", "name", NAMES, self.container),
            ("initContainers", "name", NAMES[:3], self.container),
            ("volumes", "name", NAMES[:4], self.volume),
            ("imagePullSecrets", "name", NAMES[:4], dict),
            ("hostAliases", "ip", NAMES[:3], lambda: {"hostnames": self.one([["h"], ["g", "i"]])}),
        ):
            if self.often(0.6 if self.patch else 0.8):
                pod |= self.items(name, key, names, inner)
        for name, values, patches in (
            ("tolerations", TOLERATIONS, ()),
            ("nodeSelector", SETTINGS, PATCHED[:1]),
            ("securityContext", SETTINGS, PATCHED),
            ("affinity", AFFINITY, AFFINITY_PATCHES),
            ("hostname", ("x", "y"), ()),
        ):
            if self.often(0.4):
                pod[name] = self.one(values, (None, *patches))
        return pod

    def container(self) -> Data:
        made: Data = {}
        if self.often(0.5):
            made["image"] = self.one(["i1", "i2"], [None])
        if self.often(0.4):
            made["args"] = self.one([["p"], ["q", "r"]])
        if self.often(0.5):
            made |= self.items("ports", "containerPort", PORTS, lambda: self.one([{}, {"hostPort": 7}, {"name": "x"}]))
        if self.often(0.5):
            values = ({"value": "1"}, {"value": "2"}, {"valueFrom": {"x": 1}})
            made |= self.items("env", "name", ENV, lambda: self.one(values, [{"value": None}]))
        if self.often(0.2):
            made["securityContext"] = self.one(SETTINGS, PATCHED[1:2])
        return made

    def volume(self) -> Data:
        made = self.one(VOLUMES)
        if self.patch and self.often(0.5):
            made["$retainKeys"] = ["name", *made, *(["secret"] if self.often(0.2) else [])]
        return made

    def items(self, name: str, key: str, names: Any, inner: Any) -> Data:
        """A list with a merge key; in a patch with its directives, or only with an order."""
        chosen = self.chance.sample(names, self.chance.randrange(1, len(names)))
        items = [{key: one, **inner()} for one in chosen]
        if not self.patch:
            return {name: items}
        items = [{key: item[key], "$patch": "delete"} if self.often(0.2) else item for item in items]
        if self.often(0.06):
            return {name: [*items, {"$patch": "replace"}]}
        if not self.often(0.4):
            return {name: items}
        given = {} if self.often(0.3) else {name: items}
        order = self.order([item[key] for item in given.get(name, ()) if "$patch" not in item], names)
        return {**given, f"$setElementOrder/{name}": [{key: one} for one in order]}

    def finalizers(self) -> Data:
        made: Data = {}
        if self.often(0.6):
            made["finalizers"] = self.chance.sample(NAMES, self.chance.randrange(1, 4))
        if self.patch and self.often(0.4):
            made["$setElementOrder/finalizers"] = self.order(made.get("finalizers", []), NAMES)
        if self.patch and self.often(0.3):
            others = [name for name in NAMES if name not in made.get("finalizers", ())]
            made["$deleteFromPrimitiveList/finalizers"] = [name for name in others if self.often(0.5)]
        return made

    def order(self, names: Any, others: Any) -> list[Any]:
        """An order that names these and some others; now and then one that does not fit."""
        order = list(names)
        for name in others:
            if name not in order and self.often(0.5):
                order.insert(self.chance.randrange(len(order) + 1), name)
        if self.often(0.05):
            self.chance.shuffle(order)
        return order


def resource(chance: Random) -> Data:
    return Drawn(chance, False).deployment()


def patch(chance: Random) -> Data:
    return Drawn(chance, True).deployment()
