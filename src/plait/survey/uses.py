"""What written lines do in one document: which of them win, which are overridden and by what, which are only read."""

from __future__ import annotations

from plait.core.node import Failure, Unknown
from plait.core.source import UNKNOWN
from plait.core.struct import struct
from plait.core.unknown import MAYBE
from plait.core.walk import leaf_nodes
from plait.evaluate.explain import Teller, describe_loss
from plait.merging.account import MATCHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.evaluate.explain import Contribution
    from plait.evaluate.tree import Tree
    from plait.merging.account import Account, Dropped

    Line = tuple[str, int]
    """A file, as reports name it, and a line of it."""

WINS, OVERRIDDEN, READ, MATCHED_BY = "wins", "overridden", "read", "matched by"


@struct
class LineUse:
    """What a line does at one path: it wins, it is overridden by another line, an expression reads it, or an item is
    matched by it with one of a higher layer, which has the same value."""

    kind: str
    path: Path
    by: Line | None = None
    reason: str = ""


class SectionUses:
    """The uses of all lines in one section of a document, by file and line."""

    __slots__ = ("errors", "files", "overrides", "values")

    def __init__(self) -> None:
        self.files: dict[str, dict[int, list[LineUse]]] = {}
        self.values = 0
        """How many values the section has."""
        self.overrides = 0
        """How many of them override another value."""
        self.errors: list[str] = []

    def add(self, node: Node, use: LineUse) -> None:
        origin = node.origin
        if not origin.source.given:
            self.files.setdefault(origin.file, {}).setdefault(origin.line, []).append(use)


class DocumentUses:
    """The uses of all lines in one document, section by section: documents may share sections."""

    __slots__ = ("errors", "sections")

    def __init__(self, sections: Iterable[SectionUses] = (), errors: Iterable[str] = ()) -> None:
        self.sections = tuple(sections)
        self.errors = [*errors, *(error for section in self.sections for error in section.errors)]

    @property
    def overrides(self) -> int:
        return sum(section.overrides for section in self.sections)

    @property
    def values(self) -> int:
        return sum(section.values for section in self.sections)

    def of(self, file: str) -> Iterator[tuple[int, LineUse]]:
        """What the lines of one file do."""
        for section in self.sections:
            for line, uses in section.files.get(file, {}).items():
                yield from ((line, use) for use in uses)

    def wins(self) -> dict[str, int]:
        """How many values come from each file."""
        return self._counts(WINS)

    def matched_by(self) -> dict[str, int]:
        """How many values of each file are in the result because items were matched by them: another file has them,
        too."""
        return self._counts(MATCHED_BY)

    def lost(self) -> dict[str, int]:
        """How many values of each file are overridden."""
        return self._counts(OVERRIDDEN)

    def overriding(self) -> dict[tuple[str, str], int]:
        """How many values of one file lose to another one: the file that wins, and the one that loses."""
        counts: dict[tuple[str, str], int] = {}
        for section in self.sections:
            for file, lines in section.files.items():
                for use in (use for uses in lines.values() for use in uses):
                    if use.by is not None and use.by[0] != file:
                        counts[use.by[0], file] = counts.get((use.by[0], file), 0) + 1
        return counts

    def _counts(self, kind: str) -> dict[str, int]:
        counts: dict[str, int] = {}
        for section in self.sections:
            for file, lines in section.files.items():
                counts[file] = counts.get(file, 0) + sum(use.kind == kind for uses in lines.values() for use in uses)
        return counts


class Looker:
    """Looks at documents. A section that several documents share, and that nothing in them can change, is looked at
    once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Node, SectionUses]] = {}
        """By the identity of the section's node, which is kept with it."""

    def look(self, tree: Tree, sections: tuple[str, ...] = ()) -> DocumentUses:
        """The uses of a document, or of certain sections of it."""
        teller = Teller(tree)
        if not sections:
            return DocumentUses([_section(teller, (), teller.root)])
        below = teller.root.children
        return DocumentUses([self._shared(teller, (name,), below[name]) for name in sections if name in below])

    def _shared(self, teller: Teller, path: Path, account: Account) -> SectionUses:
        node = account.node
        if node.live:
            return _section(teller, path, account)
        if id(node) not in self._known:
            self._known[id(node)] = (node, _section(teller, path, account))
        return self._known[id(node)][1]


def _section(teller: Teller, path: Path, account: Account) -> SectionUses:
    teller.evaluator.finish(account.node, account.place)  # values without number are refused before they are looked at
    found = SectionUses()
    for at, leaf in account.leaves(path):
        _leaf(found, teller, at, leaf)
    for at, drops in account.removed(path):
        here = teller.root.find(at)
        found.overrides += here is not None and not here.gone  # a map or a list that replaced another one as a whole
        for drop in drops:
            _lost(found, at, drop, drop.by.winner if drop.by is not None else None)
    return found


def _leaf(uses: SectionUses, teller: Teller, path: Path, leaf: Account) -> None:
    winner, known = leaf.winner, leaf.known
    uses.values += winner.node.origin.source is not UNKNOWN
    uses.add(winner.node, LineUse(WINS, path))
    for part in leaf.written if leaf.decision == MATCHED else ():
        if part is not winner:  # what items or documents were matched by
            uses.add(part.node, LineUse(MATCHED_BY, path))
    if isinstance(known, Failure):
        wrong = () if isinstance(known, Unknown) else known.diagnostics
        uses.errors += [diagnostic.message for diagnostic in wrong]
    elif winner.node.live or winner.node.origin.computed is not None:
        for read in _reads(teller.contribution(winner, path)):
            uses.add(read.node, LineUse(READ, path))
    losers = leaf.losers
    overridden = [drop for drop in losers if not drop.before]
    uses.overrides += bool(overridden) and all(describe_loss(drop) != MAYBE for drop in overridden)
    for drop in losers:
        _lost(uses, path, drop, drop.by if drop.before else winner)


def _lost(uses: SectionUses, path: Path, drop: Dropped, by: Account | None) -> None:
    line = None
    if by is not None and not by.node.origin.source.given:
        line = (by.node.origin.file, by.node.origin.line)
    lost = LineUse(OVERRIDDEN, path, line, describe_loss(drop))
    for node in leaf_nodes(drop.part.node):  # all that is written in what lost as a whole
        uses.add(node, lost)


def _reads(made: Contribution) -> Iterator[Contribution]:
    """Everything that an expression read, and what that read in turn."""
    stack = list(made.reads)
    while stack:
        read = stack.pop()
        yield read
        stack.extend(read.reads)
