"""File and line of many values at once."""

from __future__ import annotations

from plait.core import native
from plait.core.source import UNKNOWN, Computed, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.base import Node


def file_lines(nodes: list[Node], other: Callable[[Node], str]) -> list[str]:
    """File and line of many nodes, in whatever order they come. `other` is asked for those that were written in no
    file.

    The lines of a file are looked for once in a call: ask for all nodes together.
    """
    if native.origins is not None:
        return native.origins(nodes, _to_count, lambda node: _rendered(node) or other(node))
    found = [""] * len(nodes)
    of_files: dict[Source, tuple[list[int], list[int]]] = {}
    for number, node in enumerate(nodes):
        source = node.source
        known = of_files.get(source)  # type: ignore[arg-type]
        if known is None and _is_file(source):
            known = of_files[source] = [], []  # type: ignore[index]
        if known is None:
            found[number] = other(node)
        else:
            known[0].append(number)
            known[1].append(node.at)
    for source, (numbers, offsets) in of_files.items():
        for number, row in zip(numbers, source.rows(offsets), strict=True):
            found[number] = f"{source.name}:{row}"
    return found


def _is_file(source: Source | Computed) -> bool:
    return source.__class__ is Source and source is not UNKNOWN and not source.given


def _to_count(source: Source) -> tuple[str, str] | None:
    """The name of a file with a colon, and the text whose lines are counted; None where they are not its own."""
    return (f"{source.name}:", source.text) if _is_file(source) and source.written is None else None


def _rendered(node: Node) -> str:
    """The place of a value of a rendered file; nothing for what is in no file."""
    source = node.source
    return f"{source.name}:{source.position(node.at)[0]}" if isinstance(source, Source) and _is_file(source) else ""
