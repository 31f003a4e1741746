"""A place of a text, and how it is found again in what was merged from the text."""

from __future__ import annotations

from plait.core.node import Node
from plait.core.path import Path, Step
from plait.core.source import Source
from plait.yaml.places import Written, WrittenSpot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.merging.account import Account


class SpotTrail:
    """The steps from the root of a text to one place, each with where its value begins."""

    __slots__ = ("file", "path_of", "spot", "spots")

    def __init__(self, file: str, written: Written, spot: WrittenSpot, path_of: Callable[[Source], str]) -> None:
        self.file = file
        self.spot = spot
        self.path_of = path_of
        parents = [written.find(spot.path[:depth], spot.document) for depth in range(len(spot.path))]
        self.spots = [*(one for one in parents if one is not None), spot]

    @property
    def path(self) -> Path:
        return self.spot.path

    def is_root(self, node: Node) -> bool:
        """Whether a node is the document that the place is in."""
        return self.wrote(node, self.spots[0])

    def wrote(self, node: Node, spot: WrittenSpot) -> bool:
        """Whether a node was written at a place of this text. A rendered file knows its lines only."""
        origin = node.origin
        if self.path_of(origin.source) != self.file:
            return False
        if origin.source.written is None:
            return origin.at == spot.at
        start = spot.layout.source.position(spot.at)[0]
        return origin.line == start

    def wrote_within(self, node: Node) -> bool:
        """Whether a node was written at the place, or in the text that is its value."""
        if self.wrote(node, self.spot):
            return True
        source = node.origin.source
        if source.written is None or self.path_of(source) != self.file:
            return False
        first, last = (self.spot.layout.source.position(at)[0] for at in self.spot.value_span)
        return first <= node.origin.line <= last

    def follow(self, account: Account, names: Path) -> tuple[Path, Account]:
        """The place of a merged tree in which the text takes part here, or the last one on the way to it that there is.

        `names` are the steps from the root of the tree, of which the last ones of the text are the same. A list item
        is found by where it was written: merging may have moved it.
        """
        path: list[Step] = []
        for name, spot in zip(names, self.spots[len(self.spots) - len(names) :], strict=True):
            below = self._below(account, name, spot)
            if below is None:
                break
            path.append(below[0])
            account = below[1]
        return tuple(path), account

    def _below(self, account: Account, name: Step, spot: WrittenSpot) -> tuple[Step, Account] | None:
        """One step further down."""
        if isinstance(name, int):
            return self._item(account, spot)
        child = account.step(name) if not account.gone else None
        return (name, child) if child is not None else None

    def _item(self, account: Account, spot: WrittenSpot) -> tuple[int, Account] | None:
        items = [child for child in account.children.values() if not child.gone]
        for index, child in enumerate(items):
            if any(self.wrote(part.node, spot) for part in child.everything_written()):
                return index, child
        return None

    def takes_part(self, account: Account, up: int = 0) -> bool:
        """Whether the text contributes to a place of a merged tree: at this spot, or some levels up."""
        return any(self.wrote(part.node, self.spots[-1 - up]) for part in account.everything_written())

    def decides(self, account: Account) -> bool:
        """Whether the value of a place is the one that is written here."""
        return self.wrote(account.winner.node, self.spot)
