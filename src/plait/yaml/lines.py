"""A tree as lines of YAML, each with the path of what is written on it: for comments and columns beside the text."""

from __future__ import annotations

from plait.core.node import Failure, Mapping, Node, Scalar, Sequence, sorted_keys, tag_of
from plait.core.visible import one_line
from plait.yaml.emit import Style, emit_styled, empty_text, key_text_before, value_text
from plait.yaml.words import tag_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path

    Line = tuple[str, Path, Node]
    """A line, and the path and the node that begin on it."""


class _Member:
    """An entry or an item that is not written yet: how its line begins, and the column that it is written at. After a
    `-` or a lone `:`, a container begins on the same line."""

    __slots__ = ("beside", "column", "head", "node", "path", "width")

    def __init__(self, head: str, path: Path, node: Node, column: int, width: int, beside: bool) -> None:
        self.head = head
        self.path = path
        self.node = node
        self.column = column
        self.width = width
        """How much deeper the lines of a block of text are."""
        self.beside = beside


def lines(root: Node, style: Style) -> list[Line]:
    """The text of a tree as the emitter writes it, line by line; a text of several lines is one. Without recursion."""
    tag = tag_of(root)
    if isinstance(root, Scalar) or empty_text(root) is not None:
        return [(emit_styled(root, style).removesuffix("\n"), (), root)]
    rows: list[Line] = [(f"--- {tag_text(tag)}", (), root)] if tag is not None else []
    stack = _members(root, (), 0, "", style)
    while stack:
        member = stack.pop()
        node, path, column = member.node, member.path, member.column
        text = value_text(node, column, member.width, style) if isinstance(node, Scalar) else _other_text(node)
        if text is not None:
            rows.append((f"{member.head} {text}" if text else member.head, path, node))
            continue
        tag = tag_of(node)
        inner = column + (style.item if member.beside else style.dash if isinstance(node, Sequence) else style.indent)
        if member.beside and tag is None:
            stack += _members(node, path, inner, member.head + " " * (style.item - 1), style)
        else:
            rows.append((f"{member.head} {tag_text(tag)}" if tag is not None else member.head, path, node))
            stack += _members(node, path, inner, " " * inner, style)
    return rows


def _other_text(node: Node) -> str | None:
    """An empty container, or a comment in the place of a value that could not be computed; None for any other."""
    if isinstance(node, Failure):
        return f"# {one_line(node.diagnostics[0].message)}"
    return empty_text(node)


def _members(node: Node, path: Path, column: int, lead: str, style: Style) -> list[_Member]:
    """What a container holds, last first; `lead` is what its first line begins with."""
    pad = " " * column
    if isinstance(node, Sequence):
        members = [
            _Member(f"{pad if at else lead}-", (*path, at), item, column, style.item, True)
            for at, item in enumerate(node.items)
        ]
        return members[::-1]
    assert isinstance(node, Mapping)
    members = []
    for key in sorted_keys(node) if style.sort_keys else node.entries:
        head = key_text_before(key, pad if members else lead, column, node, style)
        beside = head.endswith(f"\n{pad}:")
        members.append(_Member(head, (*path, key), node.entries[key], column, style.indent, beside))
    return members[::-1]
