"""A model of stacks: imports, inheritance, sections, overrides, list strategies and locals.

A repository is a map from the name of a manifest to its data. `described` gives every component of every stack. It is
written from the requirements (`../shared/spec/stacks.md`, the sections in comments) and shares nothing with plait.
"""

from __future__ import annotations

import re
from typing import Any

Data = dict[str, Any]
OVER_ALL = ("vars", "settings", "env")
"""Sections that the root of a manifest can set as well."""  # 5
OVERRIDDEN = (*OVER_ALL, "providers")
REFERENCE = re.compile(r"\{\{ \.locals\.(\w+) \}\}")


def merged(low: Any, high: Any, strategy: str) -> Any:
    """Two values: maps are merged deeply, lists by the strategy, and anything else is replaced."""  # 5.1
    if isinstance(low, dict) and isinstance(high, dict):
        both = {key: merged(low[key], high[key], strategy) for key in low if key in high}
        return {**low, **high, **both}
    if not (isinstance(low, list) and isinstance(high, list)) or strategy == "replace":
        return high
    if strategy == "append":
        return [*low, *high]
    pairs = zip(low, high, strict=False)
    items = [merged(a, b, strategy) if isinstance(a, dict) and isinstance(b, dict) else b for a, b in pairs]
    return [*items, *low[len(items) :], *high[len(items) :]]  # decision 4: the item of the higher layer wins


def folded(parts: list[Any], strategy: str) -> Any:
    """Several maps, the lowest first."""
    whole: Any = {}
    for part in parts:
        whole = merged(whole, part, strategy)
    return whole


def resolved(value: Any, known: Data) -> Any:
    """A value of a file with its locals: a text that is one reference is the value itself."""  # 6, decision 7
    if isinstance(value, dict):
        return {key: resolved(part, known) for key, part in value.items()}
    if isinstance(value, list):
        return [resolved(part, known) for part in value]
    found = REFERENCE.fullmatch(value) if isinstance(value, str) else None
    if found is not None:
        return resolved(known[found[1]], known)
    return REFERENCE.sub(lambda one: str(resolved(known[one[1]], known)), value) if isinstance(value, str) else value


class Repository:
    """Manifests by name, and how lists are merged."""

    def __init__(self, files: dict[str, Data], strategy: str) -> None:
        self.files = {name: resolved(data, data.get("locals", {})) for name, data in files.items()}
        self.strategy = strategy

    def fold(self, *parts: Any) -> Any:
        return folded(list(parts), self.strategy)

    def loaded(self, name: str) -> Data:
        """A manifest over its imports."""  # 3
        own = self.files[name]
        mine = {key: value for key, value in own.items() if key not in ("import", "overrides", "locals", "name")}
        mine["terraform"] = {key: value for key, value in own.get("terraform", {}).items() if key != "overrides"}
        return self.fold(*map(self.loaded, own.get("import", [])), mine)

    def overrides(self, name: str, component: str | None) -> Data:
        """What a manifest lays over a component that comes with it, the inner files first; None is a component of a
        file that imports this one, which gets everything."""  # 8, each file once
        own = self.files[name]
        if component in own.get("components", {}).get("terraform", {}):
            component = None
        below = [
            self.overrides(other, component)
            for other in own.get("import", [])
            if component is None or component in self.loaded(other).get("components", {}).get("terraform", {})
        ]
        mine = self.fold(own.get("overrides", {}), own.get("terraform", {}).get("overrides", {}))
        return self.fold(*below, mine)

    def inherited(self, members: Data, name: str) -> list[str]:
        """What heirs of a component get before it, the lowest first, as often as there are ways to it."""  # 5
        bases = members[name].get("metadata", {}).get("inherits", [])
        return [one for base in bases for one in (*self.inherited(members, base), base)]

    def chain(self, members: Data, name: str) -> list[str]:
        """The same for the component itself: what it names a second time takes it back to what it had with the first
        time."""  # what Atmos does
        found: list[str] = []
        known: dict[str, list[str]] = {}
        for base in members[name].get("metadata", {}).get("inherits", []):
            found = known.setdefault(base, [*found, *self.inherited(members, base), base])
        return found

    def component(self, manifest: Data, name: str, overrides: Data) -> Data:
        members = manifest["components"]["terraform"]
        bodies = [members[base] for base in self.chain(members, name)]
        own = members[name]
        made: Data = {}
        for section in (*OVERRIDDEN, "extra"):
            root = [manifest.get(section, {})] if section in OVER_ALL else []
            written = [body.get(section, {}) for body in (manifest["terraform"], *bodies, own)]
            top = [overrides.get(section, {})] if section in OVERRIDDEN else []
            made[section] = self.fold(*root, *written, *top)
        made["env"] = {key: value for key, value in made["env"].items() if value is not None}  # 4
        inherited = [
            {key: value for key, value in body.get("metadata", {}).items() if key not in ("inherits", "type")}
            for body in bodies
        ]
        made["metadata"] = self.fold(*inherited, own.get("metadata", {}))
        return made

    def described(self) -> dict[str, dict[str, Data]]:
        """The components of every stack: of every manifest that has a name."""
        found: dict[str, dict[str, Data]] = {}
        for name, data in self.files.items():
            if "name" in data:
                manifest = self.loaded(name)
                found[data["name"]] = {
                    one: self.component(manifest, one, self.overrides(name, one))
                    for one in manifest["components"]["terraform"]
                }
        return found
