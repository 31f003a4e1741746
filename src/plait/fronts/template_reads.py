"""Which values templates can read, from their text alone: what none of them reads has no effect."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import MapNode, key_text
from plait.core.path import format_path
from plait.notations.gotemplate.errors import ParseError
from plait.notations.gotemplate.parse import parse as parse_template
from plait.notations.gotemplate.refs import ITEM, references_of_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.notations.gotemplate.tree import ParsedTemplate

    Names = tuple[str, ...]

VALUES = "Values"


def values_read(texts: Iterable[str]) -> set[Names]:
    """The paths below `.Values` that templates read. Helpers are called with the root, as usual, or with a map that has
    it: `.context.Values.a`."""
    parsed = [template for text in texts if "{{" in text and (template := _template(text)) is not None]
    found = references_of_all(parsed)
    return {path[path.index(VALUES) + 1 :] for path in (*found.paths, *found.whole) if VALUES in path}


def _template(text: str) -> ParsedTemplate | None:
    try:
        return parse_template(text)
    except ParseError:
        return None


def unread(root: Node, reads: Collection[Names]) -> Iterator[Path]:
    """The paths of a tree that nothing reads, the outermost of each."""
    stack: list[tuple[Path, Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        names = tuple(key_text(step) if not isinstance(step, int) else ITEM for step in path)  # type: ignore[arg-type]
        if any(_meets(read, names) == "whole" for read in reads):
            continue
        if path and not any(_meets(read, names) for read in reads):
            yield path
        elif isinstance(node, MapNode):
            stack.extend(((*path, key), child) for key, child in reversed(node.entries.items()))


def is_read(path: Path, reads: Collection[Names]) -> bool:
    """Whether templates read a value, all of it or a part."""
    names = tuple(key_text(step) if isinstance(step, str) else ITEM for step in path)
    return any(_meets(read, names) for read in reads)


def _meets(read: Names, names: Names) -> str:
    """`whole` where a template reads the value or what it is in, `below` where it reads a part of it, else
    nothing."""
    shared = min(len(read), len(names))
    if any(a != b and ITEM not in (a, b) for a, b in zip(read[:shared], names[:shared], strict=True)):
        return ""
    return "whole" if len(read) <= len(names) else "below"


def written_paths(reads: Iterable[Names]) -> list[str]:
    """Paths as people write them."""
    return [format_path(read) for read in reads if ITEM not in read]


def key_label(root: Node, path: Path) -> Label:
    node = root
    for step in path[:-1]:
        assert isinstance(node, MapNode)
        node = node.entries[step]  # type: ignore[index]
    assert isinstance(node, MapNode)
    return Label(node.key_origin(path[-1]), length=len(key_text(path[-1])))  # type: ignore[arg-type]
