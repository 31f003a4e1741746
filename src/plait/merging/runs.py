"""Runs: values of a result that can be told without an account each.

Most of a result is plain: maps that were just written, laid over each other, where a single value replaces single
values. Of these, the parts say all that there is to say, in one walk over the result and the parts side by side. A
place where something else happened is handed out with its account.

Law: a run says of each of its values what the value's account says (tests/laws/test_account.py).
"""

from __future__ import annotations

from plait.core.node import MapNode, Node, Parts, Scalar
from plait.core.path import Path
from plait.core.source import Source
from plait.merging.account import KNOWN, Account, Tracer, written_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Key

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


class PlainMerge:
    """A map that was merged of maps which all count, and of which nothing is to be evaluated to know their keys."""

    __slots__ = ("_account", "_up", "below", "node", "parts", "step")

    def __init__(self, node: MapNode, parts: tuple[MapNode, ...], up: PlainMerge | Account, step: Key = "") -> None:
        self.node = node
        self.parts = parts
        self._up = up
        self._account = up if isinstance(up, Account) else None
        self.step = step
        self.below = self._rows()

    def _rows(self) -> Iterator[tuple[Key, Node, list[Node]]]:
        """Each key of the result, what it has there, and what the parts have, lowest first."""
        last: dict[Key, Node] = {}
        several: set[Key] = set()
        for part in self.parts:
            several |= last.keys() & part.entries.keys()
            last.update(part.entries)
        return (
            (key, node, self._all_of(key) if key in several else [last[key]] if key in last else [])
            for key, node in self.node.entries.items()
        )

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
    sources = _plain_sources(account)
    first = _merged(account.node, [part.node for part in account.parts], account) if sources else None
    if first is None:
        yield path, account
        return
    run, steps = Run(), 0
    stack = [first]
    while stack:
        holder = stack[-1]
        for key, node, found in holder.below:
            steps += PLACE
            kind = node.__class__
            if node.source not in sources or (key in account.keys and holder is first):
                pass
            elif len(found) == 1 and found[0] is node:
                if kind is Scalar:
                    run.values.append(node)
                    continue
                values, weight = written_values(node)
                if values:
                    run.values += values
                    steps += len(values) + weight // 4
                    continue
            elif kind is Scalar and _replaces(node, found, sources):
                run.lost[len(run.values)] = found[-2::-1]
                run.values.append(node)
                continue
            elif kind is MapNode and all(one.source in sources for one in found):
                inner = _merged(node, found, holder, key)
                if inner is not None:
                    stack.append(inner)
                    break
            account.tracer.meter.step(steps)
            if run.values:
                yield run
            run, steps = Run(), 0
            at, other = holder.child(key)
            yield (*path, *at), other
        else:
            stack.pop()
    account.tracer.meter.step(steps)
    if run.values:
        yield run


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


def _merged(node: Node, parts: list[Node], up: PlainMerge | Account, step: Key = "") -> PlainMerge | None:
    """A map that is what all of these parts were merged to, key by key; None for anything else."""
    if not isinstance(node, MapNode) or node.parts.__class__ is not Parts or len(node.parts) != len(parts):
        return None
    entries = node.entries
    if not any(one.__class__ in KNOWN for one in entries.values()):  # a value, if nothing below it is left
        return None
    for one, part in zip(node.parts, parts, strict=True):
        if one is not part or not isinstance(part, MapNode) or not part.entries.keys() <= entries.keys():
            return None
    return PlainMerge(node, tuple(parts), up, step)  # type: ignore[arg-type]


def _replaces(node: Node, found: list[Node], sources: set[object]) -> bool:
    """Whether a single value replaces other single values: each of them another one, and all just written."""
    if not found or node is not found[-1] or len(set(map(id, found))) < len(found):
        return False
    return all(one.__class__ is Scalar and one.source in sources for one in found)
