"""Short forms brought into the long ones that Compose prints: one row for each place that has several forms.

What holds a variable stays as it is written where it cannot be read without its value.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import entry, items_of, word
from plait.core.node import ListNode, MapNode, Node, Scalar, is_null, remade_list, with_changes
from plait.fronts.compose.nodes import as_map, changed_at, entries, is_text, items_changed, like, list_of, map_of
from plait.fronts.compose.volumes import volume
from plait.fronts.forms import as_list, context, external, names, started, written
from plait.report.catalog import COMPOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def canonical(root: Node) -> Node:
    """A merged file in its long form."""
    for path, change in FORMS:
        root = changed_at(root, path, change)
    return root


def _each(change: Callable[[Node], Node]) -> Callable[[Node], Node]:
    """The same for every item of a list."""

    def changed(node: Node) -> Node:
        return items_changed(node, change) if isinstance(node, ListNode) else node

    return changed


def _pairs_as_map(node: Node) -> Node:
    """`[NAME=value, OTHER]` as `{NAME: value, OTHER: null}`."""
    if not isinstance(node, ListNode) or not all(map(is_text, node.items)):
        return node
    return as_map(node)


def _source(node: Node) -> Node:
    return map_of(node, {"source": node}) if is_text(node) else node


def _secret(node: Node) -> Node:
    """A secret of a service, with the file that it is mounted as."""
    made = _source(node)
    return _with_defaults(made, {"target": f"/run/secrets/{word(made, 'source')}"})


def _device(node: Node) -> Node:
    if not is_text(node):
        return node
    source, _, rest = word(node).partition(":")
    target, _, rights = rest.partition(":")
    words = {"source": source, "target": target or source, "permissions": rights or "rwm"}
    return map_of(node, {key: like(node, word) for key, word in words.items()})


def _request(node: Node) -> Node:
    """A request of devices: all of them, unless it says which or how many."""
    return node if {"count", "device_ids"} & set(entries(node)) else _with_defaults(node, {"count": "all"})


def _requests(node: Node) -> Node:
    """`gpus: all` as a list of one request."""
    return _each(_request)(list_of(node, [map_of(node, {})]) if is_text(node) else node)


def with_requests(root: Node) -> Node:
    """The lowest file as Compose merges others over it: `gpus: all` is a list by then."""
    return changed_at(root, ("services", "*", "gpus"), _requests)


def _filled_list(node: Node) -> Node:
    made = as_list(node)
    if not isinstance(made, ListNode):
        return made
    kept = [(item, index, None) for index, item in enumerate(made.items) if word(item)]
    return made if len(kept) == made.size else remade_list(made, kept)


def _env_files(node: Node) -> Node:
    return _each(_env_file)(as_list(node))


def _env_file(node: Node) -> Node:
    if is_text(node):
        return map_of(node, {"path": node, "required": like(node, True)})
    return _with_defaults(node, {"required": True})


def _with_defaults(node: Node, values: dict[str, object]) -> Node:
    if not isinstance(node, MapNode):
        return node
    return with_changes(node, {key: like(node, value) for key, value in values.items() if key not in entries(node)})


def _dependency(node: Node) -> Node:
    return _with_defaults(node, {"required": True})


# Ports


HIGHEST, WIDEST, PORT = 65535, 5, 5
"""The highest port, its digits, and the values that one is in the long form."""
PROTOCOLS = ("", "tcp", "udp", "sctp")


def ports_in(root: Node) -> int:
    """How many ports the ranges of a project stand for."""
    specs = [written(item) for one in entries(entry(root, "services")).values() for item in _scalars(one, "ports")]
    ranges = [_range(spec.partition("/")[0].rpartition(":")[2]) for spec in specs]
    return sum(len(one) for one in ranges if one is not None)


def _scalars(service: Node, key: str) -> list[Scalar]:
    return [item for item in items_of(service, key) if isinstance(item, Scalar)]


def _ports(node: Node) -> Node:
    if not isinstance(node, ListNode):
        return node
    rows = [
        (made, index, _nth_port(number))
        for index, item in enumerate(node.items)
        for number, made in enumerate(_port(item))
    ]
    return remade_list(node, rows)


def _nth_port(number: int) -> Callable[[Node], Node]:
    """What makes one of its ports of a range, or of a single port."""

    def port(node: Node) -> Node:
        made = _port(node)
        return made[min(number, len(made) - 1)]

    return port


def _port(node: Node) -> list[Node]:
    """One port, or the ports of a range."""
    if isinstance(node, MapNode):
        if word(node, "target") in ("", "0"):
            raise COMPOSE.error(Label(node.origin), why="a port has no `target`", hint="add the port of the container")
        return [_with_defaults(node, {"mode": "ingress", "protocol": "tcp"})]
    words = written(node) if isinstance(node, Scalar) else ""
    made = list(_parsed_ports(words)) if words and "$" not in words else []
    if not made and words and "$" not in words:
        shown = "this" if isinstance(node, Scalar) and node.secret else f"`{words}`"
        why, hint = f"{shown} is not a port", "write [[ADDRESS:]PUBLISHED:]TARGET[/PROTOCOL], such as 8080:80/tcp"
        raise COMPOSE.error(Label(node.origin), why=why, hint=hint)
    return [map_of(node, {key: like(node, value) for key, value in one.items()}) for one in made] or [node]


def with_port_numbers(root: Node) -> Node:
    """A file whose variables have values, with `target: "80"` of ports as a number, as Compose reads it then."""
    return changed_at(root, ("services", "*", "ports", "*", "target"), _as_number)


def _as_number(node: Node) -> Node:
    text = node.value if isinstance(node, Scalar) else None
    return like(node, int(text)) if isinstance(text, str) and text.isdecimal() and len(text) <= WIDEST else node


def _parsed_ports(words: str) -> Iterator[dict[str, object]]:
    """The ports of `[[ADDRESS:]PUBLISHED:]TARGET[/PROTOCOL]`; nothing for what is no port."""
    spec, _, protocol = words.partition("/")
    rest, colon, target = spec.rpartition(":")
    address, _, published = rest.rpartition(":") if colon else ("", "", "")
    inside, outside = _range(target), _range(published)
    if inside is None or (published and outside is None) or protocol.lower() not in PROTOCOLS:
        return
    common: dict[str, object] = {"mode": "ingress", "protocol": protocol.lower() or "tcp"}
    if address:
        common["host_ip"] = address.strip("[]")
    if not published:
        rows = [(one, "") for one in inside]
    elif len(inside) == 1:
        rows = [(inside[0], published)]
    else:
        rows = [(one, str(other)) for one, other in zip(inside, outside or (), strict=False)]
    for one, other in sorted(rows, key=lambda row: str(row[0])):
        yield {**common, "target": one, **({"published": other} if other else {})}


def _range(words: str) -> range | None:
    """The ports of `80` or `80-82`; None for anything else."""
    first, dash, last = words.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()) or len(words) > 11:
        return None
    return range(int(first), int(last or first) + 1) if 0 < int(last or first) <= HIGHEST else None


# Resources


def _resource(node: Node) -> Node:
    """A network, volume, secret or config."""
    return map_of(node, {}) if is_null(node) else external(node)


RESOURCES = ("networks", "volumes", "secrets", "configs")
FORMS: tuple[tuple[tuple[str, ...], Callable[[Node], Node]], ...] = (
    (("services", "*", "build"), context),
    (("services", "*", "build", "additional_contexts"), _pairs_as_map),
    (("services", "*", "build", "ssh"), _pairs_as_map),
    (("services", "*", "build", "secrets"), _each(_source)),
    (("services", "*", "configs"), _each(_source)),
    (("services", "*", "secrets"), _each(_secret)),
    (("services", "*", "depends_on"), started),
    (("services", "*", "depends_on", "*"), _dependency),
    (("services", "*", "devices"), _each(_device)),
    (("services", "*", "deploy", "resources", "reservations", "devices"), _each(_request)),
    (("services", "*", "dns"), _filled_list),
    (("services", "*", "gpus"), _requests),
    (("services", "*", "label_file"), as_list),
    (("services", "*", "models"), names),
    (("services", "*", "env_file"), _env_files),
    (("services", "*", "networks"), names),
    (("services", "*", "ports"), _ports),
    (("services", "*", "volumes"), _each(volume)),
    *(((kind, "*"), _resource) for kind in RESOURCES),
)
"""The places of a Compose file that have several forms, and how they get the long one."""
