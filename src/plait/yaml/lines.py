"""A tree as lines of YAML, each with the path of what is written on it: for comments and columns beside the text."""

from __future__ import annotations

from plait.core.node import Mapping, Node, Scalar, Sequence, sorted_keys
from plait.yaml.emit import Style, keys_inline, value_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path

    Row = tuple[str, Path, Node, int]
    """The beginning of a line, the path and the node that follow, and the column."""


def lines(root: Node, style: Style) -> list[tuple[str, Path, Node]]:
    """Every line with the path and the node that begin on it; a text of several lines is one. Without recursion."""
    stack: list[Row] = [("", (), root, 0)] if _is_leaf(root) else list(reversed(_members(root, (), 0, style)))
    rows: list[tuple[str, Path, Node]] = []
    scalars: list[tuple[Scalar, int]] = []
    while stack:
        head, path, node, column = stack.pop()
        if isinstance(node, Scalar):
            rows.append((head, path, node))
            scalars.append((node, column))
        elif _is_leaf(node):
            rows.append((f"{head} {'{}' if isinstance(node, Mapping) else '[]'}", path, node))
        elif head.endswith("-"):
            (first, *more), *rest = _members(node, path, column + 2, style)
            stack.extend(reversed([(f"{head} {first.lstrip()}", *more), *rest]))  # type: ignore[list-item]
        else:
            rows.append((head, path, node))
            inner = column + (style.dash if isinstance(node, Sequence) else style.indent)
            stack.extend(reversed(_members(node, path, inner, style)))
    values = iter(value_texts(scalars, style.indent, style))
    return [
        (_valued(head, next(values)) if isinstance(node, Scalar) else head, path, node) for head, path, node in rows
    ]


def _valued(head: str, value: str) -> str:
    """The beginning of a line and the value that follows it."""
    return f"{head} {value}".rstrip() if head else value.strip(" ")


def _is_leaf(node: Node) -> bool:
    if isinstance(node, Mapping):
        return not node.entries
    return not node.items if isinstance(node, Sequence) else True


def _members(node: Node, path: Path, column: int, style: Style) -> list[Row]:
    pad = " " * column
    if isinstance(node, Mapping):
        keys = sorted_keys(node) if style.sort_keys else list(node.entries)
        return [
            (f"{pad}{text}:", (*path, key), node.entries[key], column)
            for key, text in zip(keys, keys_inline(keys, style), strict=True)
        ]
    assert isinstance(node, Sequence)
    return [(f"{pad}-", (*path, index), item, column) for index, item in enumerate(node.items)]
