"""Runs: values of a result that can be told without an account each.

Most of a result is plain: maps that were just written, laid over each other, where a single value replaces single
values. Of these, the parts say all that there is to say, in one walk over the result and the parts side by side. A
place where something else happened is handed out with its account.

Law: a run says of each of its values what the value's account says (tests/merging/test_account.py).
"""

from __future__ import annotations

from itertools import chain

from plait.core import native
from plait.core.node import MapNode, Node, Parts, Scalar
from plait.core.path import Path
from plait.core.places import file_lines
from plait.core.source import Source
from plait.merging.account import KNOWN, Account, Tracer, written_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.node import Key

    Row = tuple[Key, Node, list[Node]]

PLACE = 3
"""Steps for a key of a map that several parts have."""


class Run:
    """Values of a result, one after the other, that parts wrote where they are seen."""

    __slots__ = ("lost", "values")

    def __init__(self, values: list[Node] | None = None) -> None:
        self.values: list[Node] = [] if values is None else values
        """The values themselves, as they were written."""
        self.lost: dict[int, list[Node]] = {}
        """What some of them override, by their number: single values of lower parts, the highest first."""


class Walk:
    """How far a walk over a merge has come: the run that it is in, and the steps that are not charged yet."""

    __slots__ = ("keys", "run", "sources", "steps")

    def __init__(self, account: Account, sources: set[object]) -> None:
        self.run = Run()
        self.steps = 0
        self.sources = sources
        """The files in which everything is just written."""
        self.keys = dict(account.keys)
        """The keys of the outermost map that the parts were matched by."""


class PlainMerge:
    """A map that was merged of maps which all count, and of which nothing is to be evaluated to know their keys."""

    __slots__ = ("_account", "_up", "below", "node", "parts", "step")

    def __init__(
        self, node: MapNode, parts: tuple[MapNode, ...], walk: Walk, up: PlainMerge | Account, step: Key = ""
    ) -> None:
        self.node = node
        self.parts = parts
        self._up = up
        self._account = up if isinstance(up, Account) else None
        self.step = step
        self.below = self._rows(walk) if native.plain_rows is None else self._other_rows(walk, native.plain_rows)

    def _rows(self, walk: Walk) -> Iterator[Row]:
        """Each key of the result, what it has there, and what the parts have, lowest first."""
        last, several = self._overlap()
        for key, node in self.node.entries.items():
            walk.steps += PLACE
            yield key, node, self._all_of(key) if key in several else [last[key]] if key in last else []

    def _other_rows(self, walk: Walk, plain_rows: Callable[..., tuple[int, int, Row | None]]) -> Iterator[Row]:
        """The same without those that `told` would add to its run without a question: these are added natively."""
        last, several = self._overlap()
        entries, parts = self.node.entries, tuple(part.entries for part in self.parts)
        keys = walk.keys if self._account is not None else {}
        at, row = 0, None
        while True:
            run = walk.run
            at, steps, row = plain_rows(entries, at, last, several, parts, walk.sources, keys, run.values, run.lost)
            walk.steps += steps
            if row is None:
                return
            yield row

    def _overlap(self) -> tuple[dict[Key, Node], set[Key]]:
        """What the highest part has at each key, and the keys that several parts have."""
        last: dict[Key, Node] = {}
        several: set[Key] = set()
        for part in self.parts:
            several |= last.keys() & part.entries.keys()
            last.update(part.entries)
        return last, several

    def _all_of(self, key: Key) -> list[Node]:
        """What each part has that has something."""
        return [part.entries[key] for part in self.parts if key in part.entries]

    def child(self, step: Key) -> tuple[Path, Account]:
        """The account of a key, and its path from where the walk began."""
        holders = [self]
        while isinstance(up := holders[-1]._up, PlainMerge):
            holders.append(up)
        for holder in reversed(holders):
            if holder._account is None:
                assert isinstance(holder._up, PlainMerge)
                assert holder._up._account is not None
                holder._account = holder._up._account.children[holder.step]
        assert self._account is not None
        steps = (*(holder.step for holder in holders[-2::-1]), step)
        return steps, self._account.children[step]


def told(account: Account, path: Path = ()) -> Iterator[Run | tuple[Path, Account]]:
    """Everything at or below a place, in order: runs of values, and places with their accounts where there is more to
    say."""
    if values := account.values:
        account.tracer.meter.step(len(values))
        yield Run(values)
        return
    walk = Walk(account, _plain_sources(account))
    first = _merged(account.node, [part.node for part in account.parts], walk, account) if walk.sources else None
    if first is None:
        yield path, account
        return
    stack = [first]
    while stack:
        holder = stack[-1]
        for key, node, found in holder.below:
            inner = None
            if node.source in walk.sources and not (holder is first and key in walk.keys):
                if _is_added(node, found, walk):
                    continue
                if node.__class__ is MapNode and all(one.source in walk.sources for one in found):
                    inner = _merged(node, found, walk, holder, key)
            if inner is not None:
                stack.append(inner)
                break
            yield from _ended(walk, account)
            at, other = holder.child(key)
            yield (*path, *at), other
        else:
            stack.pop()
    yield from _ended(walk, account)


def _ended(walk: Walk, account: Account) -> Iterator[Run]:
    """The run so far, if it has something; another one begins."""
    account.tracer.meter.step(walk.steps)
    if walk.run.values:
        yield walk.run
    walk.run, walk.steps = Run(), 0


def _is_added(node: Node, found: list[Node], walk: Walk) -> bool:
    """Whether a place has plain values only, which are in the run then: what one part wrote, or a single value over
    others. What the parts have there is given, lowest first."""
    run = walk.run
    if node.__class__ is Scalar:
        if len(found) == 1 and found[0] is node:
            run.values.append(node)
            return True
        if _replaces(node, found, walk.sources):
            run.lost[len(run.values)] = found[-2::-1]
            run.values.append(node)
            return True
        return False
    if len(found) != 1 or found[0] is not node:
        return False
    values, weight = written_values(node)
    run.values += values
    walk.steps += len(values) + weight // 4
    return bool(values)


def _plain_sources(account: Account) -> set[object]:
    """The files that the parts of a merge are written in, where nothing in them is an alias or a secret; none where a
    front has more to say of the merge, or something above it decided."""
    if account.tracer.__class__ is not Tracer or account.above or account.before is not None:
        return set()
    parts = account.parts
    if not all(part.is_straight and not part.above for part in parts):
        return set()
    sources = {part.node.source for part in parts}
    return {one for one in sources if isinstance(one, Source) and not one.aliases and not one.secrets}


def _merged(node: Node, parts: list[Node], walk: Walk, up: PlainMerge | Account, step: Key = "") -> PlainMerge | None:
    """A map that is what all of these parts were merged to, key by key; None for anything else."""
    if not isinstance(node, MapNode) or node.parts.__class__ is not Parts or len(node.parts) != len(parts):
        return None
    entries = node.entries
    if not any(one.__class__ in KNOWN for one in entries.values()):  # a value, if nothing below it is left
        return None
    for one, part in zip(node.parts, parts, strict=True):
        if one is not part or not isinstance(part, MapNode) or not part.entries.keys() <= entries.keys():
            return None
    return PlainMerge(node, tuple(parts), walk, up, step)  # type: ignore[arg-type]


def _replaces(node: Node, found: list[Node], sources: set[object]) -> bool:
    """Whether a single value replaces other single values: each of them another one, and all just written."""
    if not found or node is not found[-1] or len(set(map(id, found))) < len(found):
        return False
    return all(one.__class__ is Scalar and one.source in sources for one in found)


def file_lines_of_runs(
    runs: list[Run], other: Callable[[Node], str]
) -> Iterator[tuple[list[str], dict[int, list[str]]]]:
    """The places of the values of each run, and of what some of them override, by their number. `other` is asked for
    values that were written in no file."""
    nodes = list(chain.from_iterable(chain(run.values, *run.lost.values()) for run in runs))
    found = file_lines(nodes, other)
    start = 0
    for run in runs:
        low = start + len(run.values)
        places, below = found[start:low], dict[int, list[str]]()
        for number, lost in run.lost.items():
            start, low = low, low + len(lost)
            below[number] = found[start:low]
        start = low
        yield places, below
