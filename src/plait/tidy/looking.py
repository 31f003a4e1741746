"""What written values do in all targets: needed, the same as what is below them, or overridden wherever they are."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.node import Sequence, equal
from plait.survey.survey import looked_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.source import Origin
    from plait.evaluate.tree import Tree
    from plait.fronts.front import Target, World
    from plait.merging.account import Account

    Spot = tuple[str, int]
    """A file and the offset of a value in it."""


class ValueUse:
    """What one written value does: in which targets, and beside which other values."""

    __slots__ = ("needed", "over", "places", "under")

    def __init__(self) -> None:
        self.needed = False
        """Whether a result has it, and would not have the same without it."""
        self.over: dict[str, Origin] = {}
        """The equal values right below it, by target."""
        self.under: dict[str, Origin] = {}
        """The values that override it, by target."""
        self.places: list[tuple[str, Path]] = []

    @property
    def targets(self) -> list[str]:
        return list(dict.fromkeys(target for target, _ in self.places))


class ValueUses:
    """The uses of all written values in all targets of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.uses: dict[Spot, ValueUse] = {}
        self.files: dict[str, str] = {}
        """The files that values come from: where each is, and how reports name it."""
        self.shared: set[str] = set()
        """Those that others may read too, who are no targets here."""
        self.failing: list[str] = []
        """Targets that cannot be read."""
        targets = world.targets
        for address in targets.names():
            if not self._look(address, targets[address]):
                self.failing.append(address)

    def _look(self, address: str, target: Target) -> bool:
        """Look at the documents of a target, as far as they can be read; whether there is one."""
        count = 0
        try:
            for tree in _trees(target):
                self._look_at(address, target, tree)
                count += 1
        except Fault:
            return count > 0
        return True

    def _look_at(self, address: str, target: Target, tree: Tree) -> None:
        root = tree.account()
        names = looked_at(target, tree)
        parts = [((name,), root.children[name]) for name in names if name in root.children] if names else [((), root)]
        for path, part in parts:
            for at, value in _values(path, part):
                self._leaf(address, target, at, value)
            for at, drops in part.removed(path):
                for drop in drops:
                    by = drop.by.winner.node.origin if drop.by is not None else drop.part.node.origin
                    self._lost(address, target, at, drop.part.winner.node, by)

    def _leaf(self, address: str, target: Target, path: Path, value: Account) -> None:
        """Of equal values that lie right below each other, the lowest is needed, and the others are not."""
        decides, losers = value.winner, value.overridden
        chain = [decides]
        for drop in losers:
            below = drop.part.winner
            if below.gone or not equal(below.known, decides.known):
                break
            chain.append(below)
        for one, under in zip(chain, [*chain[1:], None], strict=True):
            use = self._use(target, one.node)
            if use is not None:
                use.places.append((address, path))
                use.needed = use.needed or under is None
                use.over |= {address: under.node.origin} if under is not None else {}
        for drop in losers[len(chain) - 1 :]:
            self._lost(address, target, path, drop.part.winner.node, decides.node.origin)

    def _lost(self, address: str, target: Target, path: Path, node: Node, by: Origin) -> None:
        use = self._use(target, node)
        if use is not None:
            use.places.append((address, path))
            use.under[address] = by

    def _use(self, target: Target, node: Node) -> ValueUse | None:
        source = node.origin.source
        if node.origin.computed is not None or source.given or source.written is not None:
            return None
        file = os.path.realpath(target.place_of(node.origin.file))
        self.files.setdefault(file, node.origin.file)
        if target.is_published(file):
            self.shared.add(file)
        return self.uses.setdefault((file, node.at), ValueUse())


def _trees(target: Target) -> Iterator[Tree]:
    """What the documents of a target are computed from, where that is merged before, and the documents."""
    yield from (tree for tree, _ in target.computed_from())
    yield from (opened() for _, opened in target.each())


def _values(path: Path, account: Account) -> Iterator[tuple[Path, Account]]:
    """The values at or below a place that are decided as a whole: a list that is not merged is one of them."""
    stack = [(path, account)]
    while stack:
        at, one = stack.pop()
        below = [(step, child) for step, child in one.children.items() if not child.gone]
        if one.gone:
            continue
        if not below or (isinstance(one.known, Sequence) and (one.overridden or not one.parts)):
            yield at, one
        else:
            stack.extend(((*at, step), child) for step, child in reversed(below))
