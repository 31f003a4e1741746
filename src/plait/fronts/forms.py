"""Short forms of values, brought into their long form so that layers written in different forms can be merged.

Each form takes a node and gives the long one; what is in the long form already, or is not understood, stays as it is.
Every value keeps the place where it was written.
"""

from __future__ import annotations

from plait.core.floats import shortest
from plait.core.node import Key, Mapping, Node, Scalar, Sequence, key_text, text
from plait.yaml.late import LatePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PARTS = LatePattern(r"(?:\$\{[^}]*\}|\[[^\]]*\]|[^:])+")
"""The parts of `a:b:c`; a colon inside `${NAME:-default}` or an IPv6 address separates nothing."""
_DRIVE = LatePattern(r"[A-Za-z]:[\\/]")
_RANGE = LatePattern(r"(\d+)-(\d+)\Z")


def pairs(node: Node) -> Node:
    """`{NAME: value, OTHER: null}` as `[NAME=value, OTHER]`, in the order of these texts; a single value as a list of
    one, null as an empty list."""
    if _is_null(node):
        return Sequence([], node.source, node.at)
    if isinstance(node, Mapping) and all(map(_is_plain, node.entries.values())):
        items: list[Scalar] = [pair for key, value in node.entries.items() for pair in _pairs(key_text(key), value)]
        return Sequence([*sorted(items, key=lambda item: item.text)], node.source, node.at)
    return as_list(node)


def _pairs(name: str, value: Node) -> list[Scalar]:
    if isinstance(value, Sequence):
        return [pair for item in value.items for pair in _pairs(name, item)]
    assert isinstance(value, Scalar)
    made = name if value.value is None else f"{name}={written(value)}"
    return [Scalar(made, made, value.source, value.at, None, value.secret)]


def _is_plain(node: Node) -> bool:
    if isinstance(node, Sequence):
        return all(isinstance(item, Scalar) for item in node.items)
    return isinstance(node, Scalar)


def written(node: Scalar) -> str:
    """A value as Go writes it into a text."""
    value = node.value
    if isinstance(value, bool):
        return "true" if value else "false"
    return shortest(value) if isinstance(value, float) else str(value)


def names(node: Node) -> Node:
    """`[a, b]` as `{a: null, b: null}`; null as an empty map."""
    return _named(node, lambda item: Scalar(None, "", item.source, item.at))


def started(node: Node) -> Node:
    """`[db]` as `{db: {condition: service_started, required: true}}`."""
    return _named(node, lambda item: _map(item, {"condition": _like(item, "service_started"), "required": _true(item)}))


def as_list(node: Node) -> Node:
    """A single value as a list of one."""
    return Sequence([node], node.source, node.at) if _is_text(node) else node


def context(node: Node) -> Node:
    """`build: ./folder` as `build: {context: ./folder}`."""
    return _map(node, {"context": node}) if _is_text(node) else node


def ports(node: Node) -> Node:
    """`[IP:]PUBLISHED:TARGET/PROTOCOL` as a map; a range is one map for each of its ports."""
    return _each(node, _port)


def volumes(node: Node) -> Node:
    """`SOURCE:TARGET:MODE` as a map."""
    return _each(node, lambda item: [_volume(item)])


def secrets(node: Node) -> Node:
    return _each(node, lambda item: [_mounted(item, "/run/secrets/")], lambda item: _with_target(item, "/run/secrets/"))


def configs(node: Node) -> Node:
    return _each(node, lambda item: [_mounted(item, "/")], lambda item: _with_target(item, "/"))


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


def _true(item: Node) -> Scalar:
    return Scalar(True, "true", item.source, item.at)


def _is_text(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is not None and node.tag is None


def _like(item: Node, value: str) -> Scalar:
    return text(value, item.source, item.at)


def _number(item: Node, digits: str) -> Scalar:
    return Scalar(int(digits), digits, item.source, item.at) if digits.isdigit() else _like(item, digits)


def _map(node: Node, entries: dict[Key, Node]) -> Mapping:
    return Mapping(entries, node.source, node.at, live=any(child.live for child in entries.values()))


def _named(node: Node, value: Callable[[Scalar], Node]) -> Node:
    if _is_null(node):
        return _map(node, {})
    if not isinstance(node, Sequence) or not all(_is_text(item) for item in node.items):
        return node
    return _map(node, {item.text: value(item) for item in node.items if isinstance(item, Scalar)})


def _each(
    node: Node, make: Callable[[Scalar], list[Node]], complete: Callable[[Mapping], Node] = lambda item: item
) -> Node:
    """A list with each text in it taken apart, and each map completed."""
    if not isinstance(node, Sequence):
        return node
    items: list[Node] = []
    for item in node.items:
        if isinstance(item, Scalar) and _is_text(item):
            items += make(item)
        else:
            items.append(complete(item) if isinstance(item, Mapping) else item)
    return Sequence(items, node.source, node.at, node.tag, node.live, (), node.rule)


def _port(item: Scalar) -> list[Node]:
    body, slash, protocol = item.text.partition("/")
    *before, target = _PARTS.compiled().findall(body) or [""]
    published = before.pop() if before else ""
    address = ":".join(before).strip("[]")
    extra: dict[Key, Node] = {"protocol": _like(item, protocol)} if slash else {}
    if address:
        extra["host_ip"] = _like(item, address)
    return [
        _map(item, {"target": _number(item, inside), **({"published": _like(item, out)} if out else {}), **extra})
        for inside, out in _spread(target, published)
    ]


def _spread(target: str, published: str) -> list[tuple[str, str]]:
    """The pairs of a range of ports: 3000-3002 published as 8000-8002."""
    inside, outside = _RANGE.match(target), _RANGE.match(published)
    if inside is None:
        return [(target, published)]
    wanted = range(int(inside[1]), int(inside[2]) + 1)
    if outside is None or int(outside[2]) - int(outside[1]) + 1 != len(wanted):
        return [(str(port), published) for port in wanted]
    return [(str(port), str(int(outside[1]) + at)) for at, port in enumerate(wanted)]


_MODES: dict[str, tuple[str, ...]] = {
    "ro": ("read_only", "true"),
    "rw": (),
    "z": ("bind", "selinux", "z"),
    "Z": ("bind", "selinux", "Z"),
    "nocopy": ("volume", "nocopy", "true"),
    **{word: ("consistency", word) for word in ("cached", "delegated", "consistent")},
    **{word: ("bind", "propagation", word) for word in ("shared", "slave", "private", "rshared", "rslave", "rprivate")},
}
"""The access modes of a mount, and where the long syntax says them."""


def _volume(item: Scalar) -> Node:
    parts = _PARTS.compiled().findall(item.text)
    if _DRIVE.match(item.text) and len(parts) > 1:
        parts[:2] = [":".join(parts[:2])]
    source = parts.pop(0) if len(parts) > 1 else ""
    target = parts.pop(0) if parts else item.text
    modes = parts[0].split(",") if parts else []
    if any(mode not in _MODES for mode in modes):
        return item
    entries: dict[Key, Node] = {"type": _like(item, "bind" if source[:1] in "./~\\" and source else "volume")}
    if _DRIVE.match(source):
        entries["type"] = _like(item, "bind")
    if source:
        entries["source"] = _like(item, source)
    entries["target"] = _like(item, target)
    for mode in modes:
        _say(entries, item, _MODES[mode])
    return _map(item, entries)


def _say(entries: dict[Key, Node], item: Scalar, words: tuple[str, ...]) -> None:
    if len(words) == 3:
        entries[words[0]] = _map(item, {words[1]: _word(item, words[2])})
    elif words:
        entries[words[0]] = _word(item, words[1])


def _word(item: Scalar, word: str) -> Scalar:
    return Scalar(True, word, item.source, item.at) if word == "true" else _like(item, word)


def _mounted(item: Scalar, folder: str) -> Node:
    return _map(item, {"source": item, "target": _like(item, folder + item.text)})


def _with_target(item: Mapping, folder: str) -> Node:
    """A long form without a target, mounted where the short one would be."""
    source = item.entries.get("source")
    if "target" in item.entries or not isinstance(source, Scalar):
        return item
    entries = {**item.entries, "target": _like(source, folder + source.text)}
    return Mapping(entries, item.source, item.at, item.tag, item.live, item.marks, item.parts, item.alone)


FORMS: dict[str, Callable[[Node], Node]] = {
    "pairs": pairs,
    "names": names,
    "started": started,
    "context": context,
}
"""The forms that a profile may name."""
