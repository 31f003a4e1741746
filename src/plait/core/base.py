"""What every node of the tree has: where it was written, and whether something in it still has to be evaluated.

The kinds of nodes are in `core/node.py`; what is between (scopes, expressions, policies, diagnostics) knows nodes
by this alone.
"""

from __future__ import annotations

from plait.core.source import Computed, Origin, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
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
