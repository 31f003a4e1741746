"""What there is instead of a path that leads nowhere, for the error about it."""

from __future__ import annotations

from itertools import islice

from plait.core.node import Key, ListNode, MapNode, Node, Scalar
from plait.core.path import WILDCARDS, Keyed, Path, Step, format_path
from plait.report.near import nearest


def near_paths(node: Node, path: Path, depth: int) -> str:
    """Paths like the one that leads nowhere, else what there is."""
    before, step, after = path[:depth], path[depth], path[depth + 1 :]
    dotted = dotted_path(node, path, depth)
    if dotted:
        return f"did you mean `{format_path(dotted)}`?"
    if isinstance(node, ListNode):
        close = named_items(node, step)
        if close:
            keyed = (format_path((*before, name, *after)) for name in close)
            return f"did you mean {' or '.join(f'`{name}`' for name in keyed)}?"
        count = len(node.items)
        known = _identified(node, step)
        return f"{_called(before)} has {count} item{'s' * (count != 1)}{known}"
    if not isinstance(node, MapNode):
        return ""
    if step in WILDCARDS:
        return f"`{step}` means several values, and one is to be named; `plait get` and `plait explain` take patterns"
    if not isinstance(step, str):
        return f"{_called(before)} is a mapping; {available(node) or 'it is empty'}"
    near = nearest(step, node.entries, 3)
    if near:
        shown = [f"`{format_path((*before, key, *after))}` ({node.key_origin(key)})" for key in near]
        return f"did you mean {' or '.join(shown)}?"
    deeper = [format_path((*before, *above, *path[depth:])) for above in _above(node, step)]
    return f"did you mean {' or '.join(f'`{name}`' for name in deeper)}?" if deeper else available(node)


def _called(path: Path) -> str:
    return f"`{format_path(path)}`" if path else "the document"


def available(node: MapNode) -> str:
    """The first keys of a mapping."""
    some = [format_path((key,)) for key in islice((key for key in node.entries if is_word(key)), 9)]
    return f"available: {', '.join(some[:8])}{', ...' if len(some) > 8 else ''}" if some else ""


def is_word(key: Key) -> bool:
    """Whether a key can be written as a step."""
    return isinstance(key, str | Scalar)


MOST_LOOKED_AT = 500


def _above(node: MapNode, name: str) -> list[Path]:
    """The nearest places below a mapping that have a key: `image` for `tag`. Only known values are looked into."""
    found: list[Path] = []
    level: list[tuple[Path, MapNode]] = [((), node)]
    looked = 0
    while level and not found and looked < MOST_LOOKED_AT:
        looked += len(level)
        level = [
            ((*path, key), child)
            for path, parent in level[:MOST_LOOKED_AT]
            for key, child in islice(parent.entries.items(), MOST_LOOKED_AT)
            if isinstance(key, str) and isinstance(child, MapNode)
        ]
        found = [path for path, child in level if name in child.entries]
    return found[:3]


def _identified(node: ListNode, step: Step) -> str:
    """How the items of a list can be named, for a step that names one by a field."""
    if not isinstance(step, Keyed) or len(step.names) != 1:
        return ""
    field = step.names[0]
    values = [value for item in node.items[:9] if isinstance(value := _field(item, field), Scalar) and not value.secret]
    shown = ", ".join(repr(Keyed((field,), (value.text,))) for value in values[:8])
    return f": {shown}{', ...' if len(node.items) > 8 else ''}" if values else ""


def _field(item: Node, name: str) -> Node | None:
    return item.entries.get(name) if isinstance(item, MapNode) else None


def dotted_path(node: Node, path: Path, depth: int) -> Path:
    """The path with some steps taken for one key that has dots in it, as `prometheus.io/port`; empty where there is no
    such key."""
    for end in range(len(path), depth + 1, -1):
        steps = path[depth:end]
        key = ".".join(str(step) for step in steps) if all(isinstance(step, str) for step in steps) else ""
        if isinstance(node, MapNode) and key in node.entries:
            return (*path[:depth], key, *path[end:])
    return ()


def named_items(node: ListNode, step: Step) -> list[Keyed]:
    """The items of a list that have a name like a step."""
    named = [item.text for item in map(_name_of, node.items) if item is not None]
    close = [] if not isinstance(step, str) else [step] if step in named else nearest(step, named, 3)
    return [Keyed(("name",), (name,)) for name in close]


def _name_of(item: Node) -> Scalar | None:
    name = item.entries.get("name") if isinstance(item, MapNode) else None
    return name if isinstance(name, Scalar) else None
