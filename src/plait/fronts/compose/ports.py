"""The ports of a service: `[[ADDRESS:]PUBLISHED:]TARGET[/PROTOCOL]` taken apart as Compose does it."""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Label
from plait.core.find import entry, items_of, word
from plait.core.node import ListNode, MapNode, Node, Scalar, remade_list
from plait.fronts.compose.nodes import changed_at, entries, has_variable, like, map_of, with_defaults
from plait.fronts.forms import written
from plait.report.catalog import COMPOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HIGHEST, WIDEST, PORT = 65535, 5, 5
"""The highest port, its digits, and the values that one is in the long form."""
LONGEST = 40
"""Letters of a range of ports; zeros before a number count for nothing."""
PROTOCOLS = ("tcp", "udp", "sctp")


def ports_in(root: Node) -> int:
    """How many ports the ranges of a project stand for."""
    specs = [written(item) for one in entries(entry(root, "services")).values() for item in _scalars(one, "ports")]
    ranges = [_range(spec.rpartition(":")[2].partition("/")[0]) for spec in specs]
    return sum(len(one) for one in ranges if one is not None)


def _scalars(service: Node, key: str) -> list[Scalar]:
    return [item for item in items_of(service, key) if isinstance(item, Scalar)]


def ports(node: Node, filled: bool) -> Node:
    """The ports of a service in their long form, those of a range one by one."""
    if not isinstance(node, ListNode):
        return node
    rows = [
        (made, index, partial(_nth_port, number, filled))
        for index, item in enumerate(node.items)
        for number, made in enumerate(_port(item, filled))
    ]
    return remade_list(node, rows)


def _nth_port(number: int, filled: bool, node: Node) -> Node:
    """One of the ports of a range, or a single port."""
    made = _port(node, filled)
    return made[min(number, len(made) - 1)]


def _port(node: Node, filled: bool) -> list[Node]:
    """One port, or the ports of a range."""
    if isinstance(node, MapNode):
        if word(node, "target") in ("", "0"):
            raise COMPOSE.error(Label(node.origin), why="a port has no `target`", hint="add the port of the container")
        return [with_defaults(node, {"mode": "ingress", "protocol": "tcp"})]
    words = written(node) if isinstance(node, Scalar) else ""
    if not isinstance(node, Scalar) or (has_variable(words) and not filled):
        return [node]
    made = [] if isinstance(node.value, float) else list(_parsed_ports(words))
    if not made:
        why = f"{'this' if node.secret else f'`{words}`'} is not a port"
        hint = "write [[ADDRESS:]PUBLISHED:]TARGET[/PROTOCOL], such as 8080:80/tcp"
        raise COMPOSE.error(Label(node.origin), why=why, hint=hint)
    return [map_of(node, {key: like(node, value) for key, value in one.items()}) for one in made]


def with_port_numbers(root: Node) -> Node:
    """A file whose variables have values, with `target: "80"` of ports as a number, as Compose reads it then."""
    return changed_at(root, ("services", "*", "ports", "*", "target"), _as_number)


def _as_number(node: Node) -> Node:
    text = node.value if isinstance(node, Scalar) else None
    return like(node, int(text)) if isinstance(text, str) and text.isdecimal() and len(text) <= WIDEST else node


def _parsed_ports(words: str) -> Iterator[dict[str, object]]:
    """The ports of `[[ADDRESS:]PUBLISHED:]TARGET[/PROTOCOL]`; nothing for what is no port."""
    rest, _, last = words.rpartition(":")
    address, _, published = rest.rpartition(":")
    target, _, protocol = last.partition("/")
    protocol = protocol.partition("/")[0].lower() or "tcp"
    inside, outside = _range(target), _range(published, lowest=0)
    if inside is None or protocol not in PROTOCOLS or (published and outside is None) or not _is_address(address):
        return
    if outside is not None and len(inside) not in (1, len(outside)):
        return
    common: dict[str, object] = {"mode": "ingress", "protocol": protocol}
    if address:
        common["host_ip"] = address.strip("[]")
    for one, other in sorted(zip(inside, _published(inside, outside), strict=True), key=lambda row: str(row[0])):
        yield {**common, "target": one, **({"published": other} if other else {})}


def _published(inside: range, outside: range | None) -> list[str]:
    """The published port of each port; a single one may be published at any of a range."""
    if outside is None:
        return [""] * len(inside)
    if len(inside) == 1 < len(outside):
        return [f"{outside[0]}-{outside[-1]}"]
    return [str(one) for one in outside]


def _is_address(words: str) -> bool:
    """Whether ports may be published at an address; one with colons is in brackets."""
    if not words:
        return True
    from ipaddress import ip_address  # few ports have an address

    inner = words[1:-1] if words[0] == "[" and words[-1] == "]" else words
    try:
        return (inner is not words or ":" not in words) and "%" not in inner and bool(ip_address(inner))
    except ValueError:
        return False


def _range(words: str, lowest: int = 1) -> range | None:
    """The ports of `80` or `80-82`; None for anything else."""
    first, dash, last = words.partition("-")
    last = last.partition("-")[0] if dash else first
    if not (first.isdecimal() and last.isdecimal()) or not words.isascii() or len(words) > LONGEST:
        return None
    found = range(int(first), int(last) + 1)
    return found if found and lowest <= found[0] and found[-1] <= HIGHEST else None
