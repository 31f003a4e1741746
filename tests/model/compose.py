"""Compose files merged as Compose merges them, before it brings them into their long form.

A path is matched step by step; `*` is any key. What no rule names: maps are merged, lists appended, single values
replaced, null changes nothing, and a map or a list can only be overridden by its like.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

Path = tuple[str, ...]
PAIRS = (
    "networks.*.labels",
    "volumes.*.labels",
    "services.*.annotations",
    "services.*.build.args",
    "services.*.build.additional_contexts",
    "services.*.build.labels",
    "services.*.deploy.labels",
    "services.*.dns",
    "services.*.dns_opt",
    "services.*.dns_search",
    "services.*.env_file",
    "services.*.environment",
    "services.*.label_file",
    "services.*.labels",
    "services.*.sysctls",
    "services.*.tmpfs",
)
HOSTS = ("services.*.extra_hosts", "services.*.build.extra_hosts")
REPLACED = ("services.*.command", "services.*.entrypoint", "services.*.healthcheck.test", "services.*.ulimits.*")
NAMED = (
    "networks.*.labels",
    "services.*.annotations",
    "services.*.build.args",
    "services.*.build.additional_contexts",
    "services.*.build.tags",
    "services.*.build.labels",
    "services.*.cap_add",
    "services.*.cap_drop",
    "services.*.deploy.labels",
    "services.*.dns",
    "services.*.dns_opt",
    "services.*.dns_search",
    "services.*.environment",
    "services.*.labels",
    "services.*.links",
    "services.*.networks.*.aliases",
    "services.*.networks.*.link_local_ips",
    "services.*.profiles",
    "services.*.sysctls",
    "services.*.tmpfs",
)


class Refused(Exception):
    """Compose refuses the override."""


def merged(*files: Any) -> Any:
    whole = copy.deepcopy(files[0])
    for file in files[1:]:
        whole = _merged(whole, copy.deepcopy(file), ())
    return _each_once(whole, ())


def _is(path: Path, *patterns: str) -> bool:
    steps = [pattern.split(".") for pattern in patterns]
    return any(len(one) == len(path) and all(a in ("*", b) for a, b in zip(one, path, strict=True)) for one in steps)


def _merged(below: Any, above: Any, path: Path) -> Any:
    if _is(path, *PAIRS):
        return _list(below) + _list(above)
    if _is(path, *HOSTS):
        own = _list(below)
        return own + [item for item in _list(above) if item not in own]
    if _is(path, *REPLACED):
        return above
    for pattern, long in FORMS.items():
        if _is(path, pattern):
            return _maps(long(below), long(above), path)
    if _is(path, "services.*.logging") and {"driver"} <= set(below) & set(above) and below["driver"] != above["driver"]:
        return above
    if above is None:
        return below
    if isinstance(below, dict | list) and type(below) is not type(above):
        raise Refused(path)
    if isinstance(below, dict):
        return _maps(below, above, path)
    return below + above if isinstance(below, list) else above


def _maps(below: dict[str, Any], above: dict[str, Any], path: Path) -> dict[str, Any]:
    made = dict(below)
    for key, value in above.items():
        made[key] = _merged(made[key], value, (*path, key)) if key in made else value
    return made


def _list(value: Any) -> list[Any]:
    """A map as the list of its pairs, in the order of their texts; a single value as a list of one."""
    if isinstance(value, dict):
        rows = [(key, item) for key, found in value.items() for item in (found if isinstance(found, list) else [found])]
        return sorted(key if item is None else f"{key}={_text(item)}" for key, item in rows)
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _build(value: Any) -> Any:
    return {"context": value} if isinstance(value, str) else value


def _names(value: Any) -> Any:
    return dict.fromkeys(value) if isinstance(value, list) else value


def _started(value: Any) -> Any:
    long = {"condition": "service_started", "required": True}
    return {name: dict(long) for name in value} if isinstance(value, list) else value


FORMS: dict[str, Callable[[Any], Any]] = {
    "services.*.build": _build,
    "services.*.depends_on": _started,
    "services.*.networks": _names,
    "services.*.models": _names,
}
"""What is brought into a map before it is merged."""


# Items that a list has once: the last of them, where the first one was


def _each_once(value: Any, path: Path) -> Any:
    if isinstance(value, dict):
        return {key: _each_once(child, (*path, key)) for key, child in value.items()}
    told = next((told for patterns, told in TOLD.items() if _is(path, *patterns)), None)
    if not isinstance(value, list) or told is None:
        return value
    found: dict[str, Any] = {}
    for item in value:
        found[told(item)] = item
    return list(found.values())


def _name(item: Any) -> str:
    return str(item).partition("=")[0]


def _target(item: Any) -> str:
    if isinstance(item, dict):
        return str(item["target"])
    parts = str(item).split(":")
    return parts[1] if len(parts) > 1 else parts[0]


def _mounted(folder: str) -> Callable[[Any], str]:
    def told(item: Any) -> str:
        source = item if isinstance(item, str) else item["source"]
        return str(item["target"]) if isinstance(item, dict) and "target" in item else f"{folder}/{source}"

    return told


def _port(item: Any) -> str:
    if not isinstance(item, dict):
        return str(item)
    words = item.get("host_ip", "0.0.0.0"), item.get("published", ""), item["target"], item.get("protocol", "tcp")
    return ":".join(map(str, words[:3])) + f"/{words[3]}"


def _path(item: Any) -> str:
    return str(item["path"]) if isinstance(item, dict) else str(item)


TOLD: dict[tuple[str, ...], Callable[[Any], str]] = {
    NAMED: _name,
    ("services.*.devices", "services.*.volumes"): _target,
    ("services.*.configs",): _mounted(""),
    ("services.*.secrets",): _mounted("/run/secrets"),
    ("services.*.env_file",): _path,
    ("services.*.expose",): str,
    ("services.*.ports",): _port,
}
"""What tells the items of a list apart."""
