"""Values as Compose prints them once variables have values: commands as lists, pairs as maps, sizes in bytes, times in
Go's form, numbers and booleans where they belong."""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.durations import HOUR, UNITS, BadDuration, duration_length, duration_text
from plait.core.find import entry, items_of, word
from plait.core.node import (
    Container,
    ListNode,
    MapNode,
    Node,
    Scalar,
    is_null,
    key_text,
    mask_of,
    remade_list,
    rewrite,
    with_changes,
)
from plait.fronts.compose.canonical import RESOURCES
from plait.fronts.compose.commands import OpenQuote, command_words
from plait.fronts.compose.nodes import as_map, changed_at, entries, is_text, like, list_of, map_of
from plait.fronts.compose.nothing import without_nothing
from plait.fronts.compose.numbers import real, size, whole
from plait.fronts.compose.variables import ComposeVariables, env_values
from plait.fronts.forms import as_list, pairs, written
from plait.notations.gotemplate.literals import INT_MAX, INT_MIN
from plait.report.catalog import COMPOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.diagnostic import PlaitError
    from plait.core.node import Key
    from plait.fronts.compose.loading import ComposeReader

DURATIONS = {**UNITS, "d": 24 * HOUR, "w": 7 * 24 * HOUR}
"""The units of durations; the last two are Compose's own."""
BOOLEANS = {**dict.fromkeys(("true", "y", "yes", "on"), True), **dict.fromkeys(("false", "n", "no", "off"), False)}


def typed(root: Node, reader: ComposeReader, folder: str) -> Node:
    """A project as it is printed."""
    known = reader.variables or ComposeVariables(reader.project)
    root = changed_at(root, ("services", "*"), lambda service: _with_files(service, reader, known, folder))
    for path, change in TYPES:
        root = changed_at(root, path, change)
    root = changed_at(root, ("services", "*", "environment"), lambda node: _from_outside(node, known, keep=True))
    root = changed_at(root, ("services", "*", "build", "args"), lambda node: _from_outside(node, known, keep=False))
    return rewrite(_needed(without_nothing(root)), _with_dollars)


def _with_dollars(node: Node) -> Node:
    """A text with its dollar signs doubled, as Compose prints them: what it prints can be read again."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or "$" not in node.value:
        return node
    return like(node, node.value.replace("$", "$$"))


def _with_files(service: Node, reader: ComposeReader, known: ComposeVariables, folder: str) -> Node:
    """A service with the variables of its env files, and the labels of its label files, below those of its own."""
    for listed, section in (("env_file", "environment"), ("label_file", "labels")):
        files = items_of(service, listed)
        if isinstance(service, MapNode) and files:
            found = _of_files(files, reader, known, folder)
            own = _map(service.entries.get(section) or map_of(service, {}))
            both = {**found, **{key_text(key): node for key, node in entries(own).items()}}
            whole = with_changes(own, both) if isinstance(own, MapNode) else own
            service = with_changes(service, {section: whole if both else None, listed: None})
    return service


def _of_files(files: list[Node], reader: ComposeReader, known: ComposeVariables, folder: str) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for item in files:
        path = entry(item, "path") if isinstance(item, MapNode) else item
        name = os.path.normpath(os.path.join(folder, word(path)))
        if path is not None:
            reader.project.door.check_not_of_git(name, path)
        if path is None or (word(item, "required") == "false" and not reader.project.door.is_file(name)):
            continue
        reader.project.check_inside(name, path)
        source, is_raw = reader.project.source(name), word(item, "format") == "raw"
        for key, value in env_values(source, known, is_raw):
            made = like(path, value.text)
            made.secret = mask_of(made.secret, value.secret)
            found[key] = made
    return found


def _from_outside(node: Node, known: ComposeVariables, keep: bool) -> Node:
    """A map with the values of variables for the names without one; names of no variable stay, or go."""
    if not isinstance(node, MapNode):
        return node
    changed: dict[Key, Node | None] = {}
    for key, child in node.entries.items():
        value, concealed = known.find(key_text(key), child) if is_null(child) else (None, False)
        if value is not None:
            made = like(child, value)
            made.secret = made.secret or concealed
            changed[key] = made
        elif is_null(child) and not keep:
            changed[key] = None
    return with_changes(node, changed)


def _map(node: Node) -> Node:
    """Pairs as a map of texts."""
    if isinstance(node, ListNode):
        return as_map(node)
    return changed_at(node, ("*",), _text)


def _texts(node: Node) -> Node:
    """Pairs as a map of texts, of which none is null."""
    return changed_at(_map(node), ("*",), lambda one: like(one, "") if is_null(one) else one)


def _lists(node: Node) -> Node:
    """Options of which each may have several values."""
    return changed_at(_map(node), ("*",), as_list)


def _text(node: Node) -> Node:
    if isinstance(node, Scalar) and node.value is not None and not isinstance(node.value, str):
        return like(node, written(node))
    return node


def _command(node: Node) -> Node:
    if not is_text(node):
        return changed_at(node, ("*",), _text)
    try:
        words, _ = command_words(word(node))
    except OpenQuote:
        why = f"the command `{word(node)}` has a quote or a bracket that is not closed, or not opened"
        raise COMPOSE.error(Label(node.origin), why=why, hint="write it as a list of words") from None
    return list_of(node, [like(node, word) for word in words])


def _test(node: Node) -> Node:
    return list_of(node, [like(node, "CMD-SHELL"), like(node, word(node))]) if is_text(node) else node


def _hosts(node: Node) -> Node:
    """Hosts in the order of their texts; each with the item, or the key, that it is from."""
    rows = sorted(((_host(item), step) for step, item in _host_words(node)), key=lambda row: word(row[0]))
    if not isinstance(node, Container):
        return list_of(node, [item for item, _ in rows])
    return remade_list(node, [(item, step, _host if isinstance(step, int) else None) for item, step in rows])


def _host_words(node: Node) -> Iterator[tuple[Key | int, Node]]:
    """The hosts of a list or a map as texts, each with its place there."""
    parts = node.entries.items() if isinstance(node, MapNode) else ()
    rows = [(key, item) for key, child in parts for item in items_of(pairs(map_of(node, {key: child})))]
    for step, item in rows or enumerate(items_of(pairs(node))):
        if not {"=", ":"} & set(word(item)):
            raise _unreadable(item, "a host with its address")
        yield step, item


def _host(node: Node) -> Node:
    """A host as `NAME=ADDRESS`, without the brackets around an address."""
    words = word(node)
    name, _, address = words.partition("=") if "=" in words else words.partition(":")
    return like(node, f"{name}={address[1:-1] if address[:1] == '[' and address[-1:] == ']' else address}")


def _unreadable(node: Node, what: str) -> PlaitError:
    shown = "this" if isinstance(node, Scalar) and node.secret else f"`{word(node)}`"
    return COMPOSE.error(Label(node.origin), why=f"{shown} is not {what}", hint="docker compose refuses this as well")


def _bytes(node: Node) -> Node:
    """A size. A number that is no whole one of 64 bits is nothing to Compose."""
    value = node.value if isinstance(node, Scalar) else None
    if not isinstance(value, str):
        is_size = isinstance(value, int) and INT_MIN <= value <= INT_MAX
        return like(node, str(value if is_size else 0))
    found = size(value)
    if found is None:
        raise _unreadable(node, "a size, such as 64m")
    return like(node, str(found))


def _duration(node: Node) -> Node:
    try:
        return like(node, duration_text(duration_length(word(node), DURATIONS)))
    except BadDuration:
        raise _unreadable(node, "a duration, such as 1m30s") from None


def _whole(node: Node) -> Node:
    """A whole number, which may be written as 1.0."""
    return _numeric(node, whole(node.value) if isinstance(node, Scalar) else None, "a whole number")


def _cut(node: Node) -> Node:
    """A number of which the fraction does not count."""
    return _numeric(node, whole(node.value, cut=True) if isinstance(node, Scalar) else None, "a whole number")


def _number(node: Node) -> Node:
    words = real(node.value) if isinstance(node, Scalar) else None
    value = None if words is None else float(words)
    is_whole = words is not None and words.lstrip("-").isdigit()
    return _numeric(node, int(words or 0) if is_whole else value, "a number", words or "")


def _numeric(node: Node, value: float | None, what: str, words: str = "") -> Node:
    if not isinstance(node, Scalar) or node.value is None:
        return node
    if value is None:
        raise _unreadable(node, what)
    made = like(node, value, words)
    return node if node.value.__class__ is value.__class__ and node.text == made.text else made


def _limit(node: Node) -> Node:
    """A limit that is both, the soft and the hard one. Compose prints two where it is 0."""
    if isinstance(node, Scalar) and isinstance(node.value, float):
        raise _unreadable(node, "a whole number")
    made = _whole(node)
    return map_of(node, {"soft": made, "hard": made}) if isinstance(made, Scalar) and made.value == 0 else made


def _boolean(node: Node) -> Node:
    words = word(node).lower()
    if not is_text(node) or (isinstance(node, Scalar) and isinstance(node.value, bool)):
        return node
    if words not in BOOLEANS:
        raise _unreadable(node, "true or false")
    return like(node, BOOLEANS[words])


def _count(node: Node) -> Node:
    return like(node, -1) if word(node) == "all" else _whole(node)


def _agents(node: Node) -> Node:
    """The keys of ssh: `{default: null, other: ./key}` as `[default, "other: ./key"]`."""
    if not isinstance(node, MapNode):
        return node
    made = [(key, child, key_text(key)) for key, child in node.entries.items()]
    return remade_list(
        node,
        [(like(child, f"{name}: {word(child)}" if word(child) else name), key, None) for key, child, name in made],
    )


def _scaled(service: Node) -> Node:
    """A service with the number of its replicas where it has a deployment."""
    if not isinstance(service, MapNode):
        return service
    deploy, scale = service.entries.get("deploy"), service.entries.get("scale")
    changed: dict[str, Node | None] = {}
    if isinstance(deploy, MapNode) and scale is not None and "replicas" not in entries(deploy):
        changed["deploy"] = with_changes(deploy, {"replicas": scale})
    return with_changes(service, changed)


def _needed(root: Node) -> Node:
    """The project without networks and volumes that no service uses."""
    used: dict[str, set[str]] = {kind: set() for kind in RESOURCES}
    for service in entries(entry(root, "services")).values():
        used["networks"].update(map(key_text, entries(entry(service, "networks"))))
        for kind in ("volumes", "secrets", "configs"):
            used[kind].update(word(item, "source") for item in items_of(entry(service, kind)))
        used["secrets"].update(word(item, "source") for item in items_of(entry(service, "build", "secrets")))
    if not isinstance(root, MapNode):
        return root
    changed: dict[str, Node | None] = {}
    for kind in RESOURCES:
        section = root.entries.get(kind)
        if isinstance(section, MapNode):
            left = with_changes(section, {key: None for key in section.entries if key_text(key) not in used[kind]})
            changed[kind] = left if left.entries else None
    return with_changes(root, changed)


def _rows(change: Callable[[Node], Node], *paths: str) -> list[tuple[tuple[str, ...], Callable[[Node], Node]]]:
    return [(tuple(path.split(".")), change) for path in paths]


S = "services.*"
UPDATES = ("update_config", "rollback_config")
HOOKS = ("post_start", "pre_start", "pre_stop")
TYPES = (
    *_rows(_command, f"{S}.command", f"{S}.entrypoint", *(f"{S}.{one}.*.command" for one in HOOKS)),
    *_rows(_test, f"{S}.healthcheck.test"),
    *_rows(as_list, f"{S}.dns_search", f"{S}.tmpfs"),
    *_rows(_map, f"{S}.environment", f"{S}.build.args", *(f"{S}.{one}.*.environment" for one in HOOKS)),
    *_rows(_texts, f"{S}.labels", f"{S}.annotations", f"{S}.sysctls", f"{S}.volumes.*.volume.labels"),
    *_rows(_texts, f"{S}.build.labels", f"{S}.deploy.labels", *(f"{kind}.*.labels" for kind in RESOURCES)),
    *_rows(_lists, f"{S}.provider.options"),
    *_rows(_texts, f"{S}.logging.options", *(f"{kind}.*.driver_opts" for kind in RESOURCES), f"{S}.storage_opt"),
    *_rows(_text, f"{S}.expose.*", f"{S}.group_add.*", f"{S}.ports.*.published", f"{S}.dns.*", f"{S}.profiles.*"),
    *_rows(_hosts, f"{S}.extra_hosts", f"{S}.build.extra_hosts"),
    *_rows(_agents, f"{S}.build.ssh"),
    *_rows(_bytes, f"{S}.mem_limit", f"{S}.mem_reservation", f"{S}.memswap_limit", f"{S}.shm_size"),
    *_rows(_bytes, f"{S}.mem_swappiness"),
    *_rows(_bytes, f"{S}.build.shm_size", f"{S}.volumes.*.tmpfs.size", f"{S}.deploy.resources.*.memory"),
    *_rows(_bytes, *(f"{S}.blkio_config.device_{one}_bps.*.rate" for one in ("read", "write"))),
    *_rows(_duration, f"{S}.stop_grace_period", f"{S}.healthcheck.interval", f"{S}.healthcheck.timeout"),
    *_rows(_duration, f"{S}.healthcheck.start_period", f"{S}.healthcheck.start_interval"),
    *_rows(_duration, f"{S}.deploy.restart_policy.delay", f"{S}.deploy.restart_policy.window"),
    *_rows(_duration, *(f"{S}.deploy.{one}.{key}" for one in UPDATES for key in ("delay", "monitor"))),
    *_rows(_whole, f"{S}.ports.*.target", f"{S}.deploy.replicas", f"{S}.scale", f"{S}.cpu_count"),
    *_rows(_whole, f"{S}.oom_score_adj", f"{S}.deploy.resources.limits.pids"),
    *_rows(_cut, *(f"{S}.cpu_{one}" for one in ("period", "quota", "rt_period", "rt_runtime", "shares"))),
    *_rows(_cut, f"{S}.pids_limit", f"{S}.healthcheck.retries", f"{S}.networks.*.priority"),
    *_rows(_cut, *(f"{S}.{one}.*.mode" for one in ("configs", "secrets", "build.secrets"))),
    *_rows(_cut, f"{S}.volumes.*.tmpfs.mode", f"{S}.blkio_config.weight", f"{S}.blkio_config.weight_device.*.weight"),
    *_rows(_limit, f"{S}.ulimits.*"),
    *_rows(_whole, f"{S}.ulimits.*.soft", f"{S}.ulimits.*.hard", *(f"{S}.deploy.{one}.parallelism" for one in UPDATES)),
    *_rows(_whole, f"{S}.deploy.restart_policy.max_attempts", f"{S}.deploy.placement.max_replicas_per_node"),
    *_rows(_number, f"{S}.cpus", f"{S}.cpu_percent", f"{S}.deploy.resources.*.cpus"),
    *_rows(_number, *(f"{S}.deploy.{one}.max_failure_ratio" for one in UPDATES)),
    *_rows(_count, f"{S}.deploy.resources.reservations.devices.*.count", f"{S}.gpus.*.count"),
    *_rows(_boolean, f"{S}.attach", f"{S}.privileged", f"{S}.read_only", f"{S}.init", f"{S}.stdin_open", f"{S}.tty"),
    *_rows(_boolean, f"{S}.oom_kill_disable", f"{S}.volumes.*.read_only", f"{S}.healthcheck.disable"),
    *_rows(_boolean, *(f"{kind}.*.external" for kind in RESOURCES), "networks.*.internal", "networks.*.attachable"),
    *_rows(_boolean, f"{S}.depends_on.*.restart", f"{S}.depends_on.*.required"),
    *_rows(_scaled, S),
)
"""The places whose values Compose prints in a form of its own."""
