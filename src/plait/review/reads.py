"""Why two targets differ at a place, where the text is the same: what was read on each side and is another value.

    spec.replicas    1 web/templates/web.yaml:5                4 web/templates/web.yaml:5
                     reads values.replicas 1 web/values.yaml:1  reads values.replicas 4 env/prod.yaml:1

A template, a reference or an expression stands in one line for all targets; the cause is what it read. What is not
there on one side is explained by the conditions of the other one. A value that something changed after it was written
has that step as its cause: `suffixed by overlays/eu/kustomization.yaml:5 nameSuffix: -eu`.
"""

from __future__ import annotations

from functools import cached_property

from plait.core.diagnostic import Fault
from plait.core.struct import struct
from plait.evaluate.explain import Teller
from plait.evaluate.hops import BECAUSE, IMPORTED, INHERITED, READS, THROUGH, WRITTEN
from plait.fronts.front import VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.source import Origin
    from plait.evaluate.explain import Leaf
    from plait.evaluate.hops import Hop
    from plait.fronts.front import DocumentId, Target
    from plait.merging.account import Account
    from plait.merging.diff import ValueDifference
    from plait.review.between import DocumentDifference

NO_STEPS = (READS, WRITTEN, THROUGH, BECAUSE, IMPORTED, INHERITED)
"""Hops that change nothing themselves."""


@struct
class Read:
    """A value that was read on one side: `word` is `because` where a condition read it."""

    word: str
    path: Path
    value: Node
    origin: Origin
    above: Read | None = None
    """What it was read for, where that was read itself."""


@struct
class Changed:
    """A step that changed a value of one side: its word, its place, and what is written there."""

    word: str
    origin: Origin
    text: str


ValueCause = Read | Changed


class Way:
    """How a value of one side came."""

    __slots__ = ("reads", "steps")

    def __init__(self, leaf: Leaf | None = None) -> None:
        self.reads = _flat(leaf.way) if leaf is not None else []
        self.steps = dict(_steps(leaf)) if leaf is not None else {}


def _steps(leaf: Leaf) -> Iterator[tuple[tuple[str, str], Changed]]:
    """What changed a value, each by its word and place."""
    for hop in leaf.way:
        if hop.origin is not None and hop.word not in NO_STEPS:
            yield (hop.word, str(hop.origin)), Changed(hop.word, hop.origin, leaf.told(hop))


class DifferenceCauses:
    """Answers for the differences of two targets."""

    def __init__(self, before: Target, after: Target) -> None:
        self._sides = (_Side(before), _Side(after))

    def of(self, one: DocumentDifference, row: ValueDifference) -> tuple[list[ValueCause], list[ValueCause]]:
        """What was read for the value before, and for the one after, and is not the same on the other side; else what
        only one of them went through."""
        nodes = (row.before, row.after)
        here, there = (
            side.way(name, row.path, node) for side, name, node in zip(self._sides, one.sides, nodes, strict=True)
        )
        before, after = self._sides
        if row.before is None:
            return _instead(there.reads, before)
        if row.after is None:
            own, other = _instead(here.reads, after)
            return other, own
        first = _elsewhere(_differing(here.reads, there.reads, after), row.before)
        second = _elsewhere(_differing(there.reads, here.reads, before), row.after)
        if first or second or str(row.before.origin) != str(row.after.origin):
            return first, second
        return _only_in(here, there), _only_in(there, here)


def _only_in(own: Way, other: Way) -> list[ValueCause]:
    return [step for key, step in own.steps.items() if key not in other.steps]


def _elsewhere(reads: list[Read], node: Node) -> list[ValueCause]:
    """What is not written where the value itself is."""
    return [read for read in reads if str(read.origin) != str(node.origin)]


def _instead(there: list[Read], gone: _Side) -> tuple[list[ValueCause], list[ValueCause]]:
    """What a side without a value has where the other one read something else for it, and what that read. Conditions
    come first."""
    pairs = [(gone.value(read), read) for read in there]
    pairs = [(other, read) for other, read in pairs if (other.value != read.value if other else gone.lacks(read))]
    pairs = [pair for pair in pairs if pair[1].word == BECAUSE] or pairs
    return [other for other, _ in pairs if other is not None], [read for _, read in pairs]


def _differing(own: list[Read], others: list[Read], other: _Side) -> list[Read]:
    """Of what one side read, what is another value on the other side: of a chain, the end."""
    by_path = {read.path: read for read in others}
    found: list[Read] = []
    for read in own:
        there = by_path.get(read.path) or other.value(read)
        if there.value != read.value if there is not None else other.lacks(read):
            found.append(read)
    inner = {id(read.above) for read in found}
    return [read for read in found if id(read) not in inner]


class _Side:
    """One of two targets."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._tellers: dict[DocumentId, Teller | None] = {}

    def way(self, document: DocumentId | None, path: Path, node: Node | None) -> Way:
        """How a value came; an empty way where that is not known."""
        teller = self._teller(document) if document is not None else None
        account = teller.root.find(path) if teller is not None else None
        if teller is None or account is None or account.gone or account.known != node:
            return Way()
        at, leaf = next(iter(account.leaves(path)), (path, account))
        try:
            return Way(teller.leaf(at, leaf))
        except Fault:
            return Way()

    def value(self, read: Read) -> Read | None:
        """What this side has where the other one read a value of its templates; None where it has none."""
        found = self._given.find(read.path[1:]) if self._given is not None and read.path[:1] == (VALUES,) else None
        if found is None or found.gone:
            return None
        return Read(read.word, read.path, found.known, found.winner.node.origin)

    def lacks(self, read: Read) -> bool:
        """Whether the other one read a value of its templates that the templates of this side do not have."""
        return read.path[:1] == (VALUES,) and self._given is not None and self.value(read) is None

    @cached_property
    def _given(self) -> Account | None:
        """The values that templates see; None where there are no templates."""
        tree = self._target.values_tree()
        return tree.account() if tree is not None else None

    def _teller(self, document: DocumentId) -> Teller | None:
        if document not in self._tellers:
            try:
                self._tellers[document] = Teller(self._target.tree(document))
            except Fault:
                self._tellers[document] = None
        return self._tellers[document]


def _flat(hops: Iterable[Hop]) -> list[Read]:
    """The values among some hops and what is below them, each path once, in order."""
    found: dict[Path, Read] = {}
    stack: list[tuple[Hop, str, Read | None]] = [(hop, hop.word, None) for hop in reversed(list(hops))]
    while stack:
        hop, word, above = stack.pop()
        if hop.word in (READS, WRITTEN) and hop.path and hop.value is not None and hop.origin is not None:
            above = found.setdefault(hop.path, Read(word, hop.path, hop.value, hop.origin, above))
        stack.extend((inner, word, above) for inner in reversed(hop.hops))
    return list(found.values())
