"""A document of which the layers are known and not yet merged, for who looks at how it is put together."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.node import Node
    from plait.core.policy import MergePolicy
    from plait.evaluate.tree import Tree

    SharedSections = tuple[tuple[str, Node], ...]
    """Sections of documents by name: one object for all documents that have the same ones."""
    OwnSection = tuple[str, list[Node], MergePolicy]
    """The name of a section, the parts that it is merged from, the lowest first, and how."""


class UnmergedDocument:
    """A document that is like others of its target, but for some sections."""

    __slots__ = ("_made", "_opened", "own", "shared", "value_of")

    def __init__(
        self,
        own: list[OwnSection],
        shared: SharedSections,
        value_of: Callable[[Node], Node | None],
        opened: Callable[[], Tree],
    ) -> None:
        self.own = own
        self.shared = shared
        self.value_of = value_of
        """A value that waits, if it is known without the document; None if it has to be computed."""
        self._opened = opened
        self._made: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The document, merged: made when it is asked for."""
        if self._made is None:
            self._made = self._opened()
        return self._made
