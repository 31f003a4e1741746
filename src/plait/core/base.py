"""What every node of the tree has: where it was written, and whether something in it still has to be evaluated.

The kinds of nodes are in `core/node.py`; what is between (scopes, expressions, policies, diagnostics) knows nodes
by this alone.
"""

from __future__ import annotations

from plait.core.source import UNKNOWN, Computed, Origin, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import ClassVar


class Node:
    """A value in the tree. `source` and `at` say where it was written."""

    __slots__ = ("at", "source")
    live: bool
    kind: ClassVar[str]
    source: Source | Computed
    at: int

    @property
    def origin(self) -> Origin:
        return Origin(self.source, self.at)

    @property
    def as_key(self) -> str:
        """How the node is written as a step of a path; what is not known yet is called by its kind."""
        return self.kind


def file_lines(nodes: Iterable[Node], other: Callable[[Node], str]) -> list[str]:
    """File and line of many nodes: all of one file are looked up together, in whatever order they come. `other` is
    asked for those that were written in no file."""
    found: list[str] = []
    of_files: dict[Source, tuple[list[int], list[int]]] = {}
    for number, node in enumerate(nodes):
        source = node.source
        known = of_files.get(source)  # type: ignore[arg-type]
        if known is not None:
            known[0].append(number)
            known[1].append(node.at)
            found.append("")
        elif source.__class__ is Source and source is not UNKNOWN and not source.given:
            of_files[source] = [number], [node.at]
            found.append("")
        else:
            found.append(other(node))
    for source, (numbers, offsets) in of_files.items():
        for number, row in zip(numbers, source.rows(offsets), strict=True):
            found[number] = f"{source.name}:{row}"
    return found
