"""Values as Compose prints them once variables have values: commands as lists, pairs as maps, sizes in bytes, times in
Go's form, numbers and booleans where they belong."""

from __future__ import annotations

import os
import shlex

from plait.core.find import entry, items_of, word
from plait.core.node import Mapping, Node, Scalar, Sequence, key_text, with_changes
from plait.fronts.compose.canonical import RESOURCES
from plait.fronts.compose.nodes import changed_at, entries, is_null, is_text, like, list_of, map_of
from plait.fronts.compose.variables import ComposeVariables, env_values
from plait.fronts.forms import as_list, pairs, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.fronts.compose.loading import ComposeReader

UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "p": 1 << 50}
SECONDS = (("h", 3600), ("m", 60), ("s", 1), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9))
BOOLEANS = {
    **dict.fromkeys(("true", "y", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "n", "no", "off", "0"), False),
}


def typed(root: Node, reader: ComposeReader, folder: str) -> Node:
    """A project as it is printed."""
    root = changed_at(root, ("services", "*"), lambda service: _with_env_files(service, reader, folder))
    for path, change in TYPES:
        root = changed_at(root, path, change)
    return _needed(root)


def _with_env_files(service: Node, reader: ComposeReader, folder: str) -> Node:
    """A service with the variables of its env files below those of its own."""
    files = items_of(service, "env_file")
    if not isinstance(service, Mapping) or not files:
        return service
    found: dict[str, Scalar] = {}
    for item in files:
        name = os.path.join(folder, word(item, "path"))
        path = entry(item, "path")
        if path is None or (word(item, "required") == "false" and not reader.project.door.is_file(name)):
            continue
        reader.project.check_inside(name, path)
        source = reader.project.source(name)
        for key, value, concealed in env_values(source, reader.variables or ComposeVariables(reader.project)):
            found[key] = like(path, value)
            found[key].secret = found[key].secret or concealed
    own = _map(service.entries.get("environment") or map_of(service, {}))
    both = {**found, **{key_text(key): node for key, node in entries(own).items()}}
    environment = with_changes(own, both) if isinstance(own, Mapping) else own
    return with_changes(service, {"environment": environment if both else None, "env_file": None})


def _map(node: Node) -> Node:
    """Pairs as a map of texts."""
    if isinstance(node, Sequence):
        rows = [(item, word(item).partition("=")) for item in node.items]
        return map_of(node, {row[0]: like(item, row[2] if row[1] else None) for item, row in rows})
    return _texts(node)


def _texts(node: Node) -> Node:
    return changed_at(node, ("*",), _text)


def _text(node: Node) -> Node:
    if isinstance(node, Scalar) and node.value is not None and not isinstance(node.value, str):
        return like(node, written(node))
    return node


def _command(node: Node) -> Node:
    if not is_text(node):
        return changed_at(node, ("*",), _text)
    try:
        words = shlex.split(word(node))
    except ValueError:
        return node
    return list_of(node, [like(node, word) for word in words])


def _test(node: Node) -> Node:
    return list_of(node, [like(node, "CMD-SHELL"), like(node, word(node))]) if is_text(node) else node


def _hosts(node: Node) -> Node:
    made = [(item, word(item)) for item in items_of(pairs(node))]
    rows = [like(item, one if "=" in one else one.replace(":", "=", 1)) for item, one in made]
    return list_of(node, sorted(rows, key=word))


def _bytes(node: Node) -> Node:
    words = word(node).lower().replace("ib", "b")
    number = words.rstrip("bkmgtp ")
    unit = words[len(number) :].strip().removesuffix("b") if words[len(number) :].strip() != "b" else ""
    try:
        return like(node, str(int(float(number) * UNITS[unit])))
    except (ValueError, KeyError, OverflowError):
        return node


def _duration(node: Node) -> Node:
    seconds = _seconds(word(node))
    if seconds is None:
        return node
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    if not hours and not minutes and 0 < rest < 1:
        return like(node, f"{rest * 1000:.6f}".rstrip("0").rstrip(".") + "ms")
    words = f"{rest:.9f}".rstrip("0").rstrip(".") + "s"
    head = f"{int(hours)}h{int(minutes)}m" if hours else f"{int(minutes)}m" if minutes else ""
    return like(node, head + words)


def _seconds(words: str) -> float | None:
    """The seconds of `1m30s`; None for what is no duration."""
    total, number, known = 0.0, "", dict(SECONDS)
    at_unit = ""
    for letter in f"{words} ":
        if letter.isdigit() or letter in ". ":
            if at_unit:
                if at_unit not in known or not number:
                    return None
                total += float(number) * known[at_unit]
                number = at_unit = ""
            number += letter.strip()
        else:
            at_unit += letter
    return total if words and not number else None


def _number(node: Node) -> Node:
    words = word(node)
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        return node
    try:
        return like(node, int(words))
    except ValueError:
        pass
    try:
        return like(node, float(words))
    except ValueError:
        return node


def _boolean(node: Node) -> Node:
    words = word(node).lower()
    return like(node, BOOLEANS[words]) if is_text(node) and words in BOOLEANS else node


def _count(node: Node) -> Node:
    return like(node, -1) if word(node) == "all" else _number(node)


def _agents(node: Node) -> Node:
    """The keys of ssh: `{default: null}` as `[default]`."""
    return pairs(node) if isinstance(node, Mapping) else node


def _drop_false(node: Node) -> Node:
    """A dependency without `restart: false`, which Compose does not print."""
    is_off = isinstance(node, Mapping) and word(node, "restart") == "false"
    return with_changes(node, {"restart": None}) if is_off and isinstance(node, Mapping) else node


def _scaled(service: Node) -> Node:
    """A service without what is the same as nothing, with the number of its replicas where it has a deployment."""
    if not isinstance(service, Mapping):
        return service
    empty = [key for key in ZEROS if word(service.entries.get(key)) == "false"]
    empty += [key_text(key) for key, node in service.entries.items() if is_null(node)]
    deploy, scale = service.entries.get("deploy"), service.entries.get("scale")
    changed: dict[str, Node | None] = dict.fromkeys(empty)
    if isinstance(deploy, Mapping) and scale is not None and "replicas" not in deploy.entries:
        changed["deploy"] = with_changes(deploy, {"replicas": scale})
    return with_changes(service, changed)


ZEROS = ("privileged", "read_only", "stdin_open", "tty", "oom_kill_disable")
"""Keys of a service that are as good as missing where they are false."""


def _needed(root: Node) -> Node:
    """The project without networks and volumes that no service uses."""
    used: dict[str, set[str]] = {kind: set() for kind in RESOURCES}
    for service in entries(entry(root, "services")).values():
        used["networks"].update(map(key_text, entries(entry(service, "networks"))))
        for kind in ("volumes", "secrets", "configs"):
            used[kind].update(word(item, "source") for item in items_of(entry(service, kind)))
        used["secrets"].update(word(item, "source") for item in items_of(entry(service, "build", "secrets")))
    if not isinstance(root, Mapping):
        return root
    changed: dict[str, Node | None] = {}
    for kind in RESOURCES:
        section = root.entries.get(kind)
        if isinstance(section, Mapping):
            left = with_changes(section, {key: None for key in section.entries if key_text(key) not in used[kind]})
            changed[kind] = left if left.entries else None
    return with_changes(root, changed)


def _rows(change: Callable[[Node], Node], *paths: str) -> list[tuple[tuple[str, ...], Callable[[Node], Node]]]:
    return [(tuple(path.split(".")), change) for path in paths]


S = "services.*"
TYPES = (
    *_rows(_command, f"{S}.command", f"{S}.entrypoint"),
    *_rows(_test, f"{S}.healthcheck.test"),
    *_rows(as_list, f"{S}.dns_search", f"{S}.tmpfs", f"{S}.label_file"),
    *_rows(_map, f"{S}.environment", f"{S}.labels", f"{S}.annotations", f"{S}.sysctls", f"{S}.build.args"),
    *_rows(_map, f"{S}.build.labels", f"{S}.deploy.labels", *(f"{kind}.*.labels" for kind in RESOURCES)),
    *_rows(_texts, f"{S}.logging.options", *(f"{kind}.*.driver_opts" for kind in RESOURCES), f"{S}.storage_opt"),
    *_rows(_text, f"{S}.expose.*", f"{S}.group_add.*", f"{S}.ports.*.published", f"{S}.dns.*", f"{S}.profiles.*"),
    *_rows(_hosts, f"{S}.extra_hosts", f"{S}.build.extra_hosts"),
    *_rows(_agents, f"{S}.build.ssh"),
    *_rows(_bytes, f"{S}.mem_limit", f"{S}.mem_reservation", f"{S}.memswap_limit", f"{S}.shm_size"),
    *_rows(_bytes, f"{S}.build.shm_size", f"{S}.volumes.*.tmpfs.size", f"{S}.deploy.resources.*.memory"),
    *_rows(_bytes, *(f"{S}.blkio_config.device_{one}_bps.*.rate" for one in ("read", "write"))),
    *_rows(_duration, f"{S}.stop_grace_period", f"{S}.healthcheck.interval", f"{S}.healthcheck.timeout"),
    *_rows(_duration, f"{S}.healthcheck.start_period", f"{S}.healthcheck.start_interval"),
    *_rows(_duration, f"{S}.deploy.restart_policy.delay", f"{S}.deploy.restart_policy.window"),
    *_rows(_duration, *(f"{S}.deploy.{a}_config.{b}" for a in ("update", "rollback") for b in ("delay", "monitor"))),
    *_rows(_number, f"{S}.ports.*.target", f"{S}.deploy.replicas", f"{S}.scale", f"{S}.healthcheck.retries"),
    *_rows(_number, f"{S}.cpus", f"{S}.cpu_shares", f"{S}.pids_limit", f"{S}.oom_score_adj", f"{S}.ulimits.*"),
    *_rows(_number, f"{S}.ulimits.*.soft", f"{S}.ulimits.*.hard", f"{S}.deploy.resources.*.cpus"),
    *_rows(_count, f"{S}.deploy.resources.reservations.devices.*.count"),
    *_rows(_boolean, f"{S}.privileged", f"{S}.read_only", f"{S}.init", f"{S}.stdin_open", f"{S}.tty"),
    *_rows(_boolean, f"{S}.oom_kill_disable", f"{S}.volumes.*.read_only", f"{S}.healthcheck.disable"),
    *_rows(_boolean, *(f"{kind}.*.external" for kind in RESOURCES), "networks.*.internal", "networks.*.attachable"),
    *_rows(_drop_false, f"{S}.depends_on.*"),
    *_rows(_scaled, S),
)
"""The places whose values Compose prints in a form of its own."""
