"""Strategic merge patches of Kubernetes: what `kubectl patch --type strategic` makes of a resource and a patch.

`SCHEMA` has the fields of a Deployment's pods whose lists are merged, as far as generated patches have them. A list is
merged by the key that is named here; without a key its items are plain values; what is not here is replaced.
"""

from __future__ import annotations

import copy
from typing import Any

ORDER, DROP, RETAIN, PATCH = "$setElementOrder/", "$deleteFromPrimitiveList/", "$retainKeys", "$patch"
NOT_MERGED = object()
CONTAINER = {
    "ports": ("containerPort", {}),
    "env": ("name", {}),
    "volumeMounts": ("mountPath", {}),
    "volumeDevices": ("devicePath", {}),
}
POD = {
    "containers": ("name", CONTAINER),
    "initContainers": ("name", CONTAINER),
    "volumes": ("name", {}),
    "imagePullSecrets": ("name", {}),
    "hostAliases": ("ip", {}),
    "topologySpreadConstraints": ("topologyKey", {}),
}
META = {"finalizers": ("", {}), "ownerReferences": ("uid", {})}
SCHEMA: dict[str, Any] = {
    "metadata": META,
    "spec": {"template": {"metadata": META, "spec": POD}},
    "status": {"conditions": ("type", {})},
}


class Refused(Exception):
    """kubectl refuses the patch."""


def without_directives(value: Any) -> Any:
    """A result as plait prints it: where nothing is below, kubectl leaves some directives in it."""
    if isinstance(value, dict):
        kept = {key: child for key, child in value.items() if not key.startswith((ORDER, DROP, RETAIN))}
        return {key: without_directives(child) for key, child in kept.items() if not _asks(child)}
    return [without_directives(item) for item in value if not _asks(item)] if isinstance(value, list) else value


def patched(below: dict[str, Any], patch: dict[str, Any], schema: dict[str, Any] = SCHEMA) -> dict[str, Any]:
    return _map(copy.deepcopy(below), copy.deepcopy(patch), schema)


def _map(below: dict[str, Any], patch: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if PATCH in patch:
        asked = patch.pop(PATCH)
        if asked not in ("replace", "delete"):
            raise Refused
        return patch if asked == "replace" else {}
    if RETAIN in patch:
        below = _retained(below, patch, patch.pop(RETAIN))
    for key in [key for key in patch if key.startswith(ORDER)]:
        _ordered(below, patch, key.removeprefix(ORDER), patch.pop(key), schema)
    for key, value in patch.items():
        if key.startswith(DROP):
            name = key.removeprefix(DROP)
            if isinstance(below.get(name), list):
                below[name] = [item for item in below[name] if item not in value]
        elif value is None:
            below.pop(key, None)
        elif type(below.get(key)) is not type(value):
            below.pop(key, None)
            if not (isinstance(value, dict) and PATCH in value):
                below[key] = _new(value)
        elif isinstance(value, dict):
            below[key] = _map(below[key], value, schema.get(key) or {})
        elif isinstance(value, list):
            below[key] = _list(below[key], value, schema.get(key))
        else:
            below[key] = value
    return below


def _new(value: Any) -> Any:
    """What nothing is below of: without nulls in its maps, and without maps that ask for something."""
    if isinstance(value, dict):
        kept = {key: child for key, child in value.items() if child is not None and not _asks(child)}
        return {key: _new(child) for key, child in kept.items()}
    return [_new(item) for item in value if not _asks(item)] if isinstance(value, list) else value


def _asks(value: Any) -> bool:
    return isinstance(value, dict) and PATCH in value


def _retained(below: dict[str, Any], patch: dict[str, Any], keys: Any) -> dict[str, Any]:
    if not isinstance(keys, list):
        raise Refused
    if any(value is not None and key not in keys for key, value in patch.items() if not key.startswith((ORDER, DROP))):
        raise Refused
    return {key: value for key, value in below.items() if key in keys}


# Lists


def _list(below: list[Any], patch: list[Any], field: Any) -> list[Any]:
    if not isinstance(field, tuple):
        return patch
    key, inner = field
    if not below and not patch:
        return below
    if not key:
        return _sorted(list(dict.fromkeys([*below, *patch])), patch, below, key)
    deleted = [_name(item, key) for item in patch if item.get(PATCH) == "delete"]
    if any(item.get(PATCH) not in (None, "delete", "replace") for item in patch):
        raise Refused
    replaced = any(item.get(PATCH) == "replace" for item in patch)
    patch = [item for item in patch if PATCH not in item]
    if replaced:
        return patch
    below = [item for item in below if item.get(key, NOT_MERGED) not in deleted]
    made = list(below)
    for item in patch:
        name = _name(item, key)
        at = next((at for at, one in enumerate(made) if one.get(key, NOT_MERGED) == name), None)
        if at is None:
            made.append(item)
        else:
            made[at] = _map(made[at], item, inner)
    return _sorted(made, patch, below, key)


def _name(item: Any, key: str) -> Any:
    if key and key not in item:
        raise Refused
    return item[key] if key else item


def _sorted(made: list[Any], order: list[Any], server: list[Any], key: str) -> list[Any]:
    """The items that the order names as it has them; the others go where the order of the server lets them."""
    names, known = [_name(item, key) for item in order], [_name(item, key) for item in server]
    first = sorted((item for item in made if _name(item, key) in names), key=lambda item: names.index(_name(item, key)))
    others = [item for item in made if _name(item, key) not in names]
    both: list[Any] = []
    while first and others:
        one, other = _name(first[0], key), _name(others[0], key)
        before = one in known and other in known and known.index(other) < known.index(one)
        both.append((others if before else first).pop(0))
    return [*both, *first, *others]


def _ordered(below: dict[str, Any], patch: dict[str, Any], name: str, order: Any, schema: dict[str, Any]) -> None:
    """`$setElementOrder/NAME` with the lists that it is about."""
    server, items = below.get(name), patch.pop(name, None)
    if not isinstance(order, list) or not all(isinstance(one, list | None) for one in (server, items)):
        raise Refused
    if server is None and items is None:
        return
    key = schema[name][0] if isinstance(schema.get(name), tuple) else ""
    left = list(order)
    for item in items or [] if order else []:
        while not _asks(item) and (not left or _name(left.pop(0), key) != _name(item, key)):
            if not left:
                raise Refused
    if server is None:
        made = [item for item in items if not _asks(item)]
    else:
        made = server if items is None else _list(server, items, schema.get(name))
    below[name] = _sorted(made, order, _written_over(server or [], items or [], key), key)


def _written_over(server: list[Any], patch: list[Any], key: str) -> list[Any]:
    """The order of the server, as kubectl leaves it: items that go make room, in which the first new ones are put."""
    if not key:
        return server
    names = [_name(item, key) for item in server]
    gone = [_name(item, key) for item in patch if item.get(PATCH) == "delete"]
    new = [item for item in patch if not _asks(item) and _name(item, key) not in names]
    kept = [item for item in server if _name(item, key) not in gone]
    return [*kept, *new[: len(server) - len(kept)]]
