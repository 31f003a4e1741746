"""The whole result with the origin of every line, and what was dropped: an account, line by line."""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Node, Scalar, Unknown
from plait.core.path import Path
from plait.core.source import UNKNOWN
from plait.core.struct import struct
from plait.core.unknown import MAYBE, OVERRIDES, has_failures, presented
from plait.evaluate.explain import Contribution, Explanation, Leaf, Teller, describe_loss
from plait.evaluate.tree import Tree
from plait.merging.account import Account
from plait.merging.runs import Run, told
from plait.yaml.emit import PrintedRows, Style, emit_rows, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@struct
class Gone:
    """A value that some part has and the result does not: what it was, why it is not there, and what decided that."""

    path: Path
    was: Contribution
    reason: str
    by: Contribution | None


class BlameLine:
    """A line of the result, and the path of what begins on it, from the value that was asked for. For a key that holds
    others, `leaf` is None unless it replaced another value as a whole; for a value that one part wrote and no other
    part says anything of, there is only what was `written`."""

    __slots__ = ("leaf", "path", "text", "written")

    def __init__(self, text: str, path: Path, leaf: Leaf | None, written: Node | None = None) -> None:
        self.text = text
        self.path = path
        self.leaf = leaf
        self.written = written


class Blame:
    """A result with the origin of each of its values, in order, and of values that are not in it.

    `value` is None where it is gone itself.
    """

    def __init__(
        self,
        value: Node | None,
        teller: Teller,
        wanted: list[tuple[Path, Account]],
        gone: list[Gone],
        style: Style | None = None,
        path: Path = (),
    ) -> None:
        self.value = value
        self.path = path
        """Where the value is."""
        self.gone = gone
        self._teller = teller
        self._wanted = wanted
        self.told: list[Leaf | Run] = []
        """What there is to say of each value, in order."""
        self._count = 0
        self.holders: dict[tuple[int, int], Leaf] = {}
        """The maps and lists that replaced another value as a whole, by how many values are before them and how many
        maps and lists they are in."""
        self._style = style or Style()
        for at, here in wanted:
            for one in [(at, here)] if teller.tree.knows_ways else told(here, at):
                if isinstance(one, Run):
                    self.told.append(one)
                    self._count += len(one.values)
                else:
                    self._tell(*one)

    def _tell(self, path: Path, here: Account) -> None:
        """What there is to say of a place, by its account."""
        teller = self._teller
        for found, drops in here.removed(path):
            for drop in drops:
                by = teller.contribution(drop.by.winner, found) if drop.by is not None else None
                self.gone.append(Gone(found, teller.contribution(drop.part.winner, found), describe_loss(drop), by))
        self.holders.update(_holders(teller, path, here, self._count, len(self.path)))
        ways = teller.tree.knows_ways
        for at, one in here.leaves(path, together=not ways):
            values = one.values if not ways else []
            self.told.append(Run(values) if values else self._noted(teller.leaf(at, one)))
            self._count += len(values) or 1

    def _noted(self, leaf: Leaf) -> Leaf:
        """A leaf, after what was gone before its value came is noted."""
        self.gone += [Gone(leaf.path, one.was, one.how or "removed", one.by) for one in leaf.removed]
        return leaf

    @property
    def leaves(self) -> list[Leaf]:
        """Every value of the result."""
        return [self._teller.leaf(*one) for at, here in self._wanted for one in here.leaves(at)]

    @property
    def written(self) -> list[Leaf]:
        """The values that something says: not those that are there only because a document has them, as `env: {}`."""
        return [leaf for leaf in self.leaves if leaf.winner.node.origin.source is not UNKNOWN]

    @property
    def overriding(self) -> int:
        """How many values override others: maps and lists that replaced another one as a whole are one each."""
        plain = sum(len(one.lost) for one in self.told if isinstance(one, Run))
        return plain + sum(bool(leaf.losers) and leaf.verb == OVERRIDES for leaf in self._one_by_one)

    @property
    def overridden(self) -> list[Node]:
        """Everything that is named beside a line as overridden."""
        plain = [node for one in self.told if isinstance(one, Run) for lost in one.lost.values() for node in lost]
        return plain + [lost.node for leaf in self._one_by_one for lost, why in leaf.losers if why != MAYBE]

    @property
    def has_failures(self) -> bool:
        """Whether a value could not be computed: none of those that were just written."""
        return any(leaf.value.__class__ is not Scalar and has_failures(leaf.value) for leaf in self._one_by_one)

    @property
    def _one_by_one(self) -> list[Leaf]:
        return [*(one for one in self.told if isinstance(one, Leaf)), *self.holders.values()]

    def _each(self) -> Iterator[tuple[Node | None, bool, Leaf | None]]:
        """What there is to say of each value, in order: what was written, whether that overrides something, or a leaf
        that says all of it."""
        for one in self.told:
            if isinstance(one, Leaf):
                yield None, False, one
            else:
                yield from ((node, number in one.lost, None) for number, node in enumerate(one.values))

    def _shown(self, value: Node) -> Node:
        partly = any(isinstance(leaf.value, Unknown) for leaf in self.holders.values())
        return presented(value) if partly else value

    def lines(self) -> Iterator[BlameLine]:
        """Every line of the result."""
        values, number = self._each(), 0
        for text, path, node, _ in lines(self._shown(self.value), self._style) if self.value is not None else ():
            if (isinstance(node, MapNode) and node.entries) or (isinstance(node, ListNode) and node.items):
                yield BlameLine(text, path, self.holders.get((number, len(path))))
                continue
            number += 1
            written, overrides, leaf = next(values)
            told = self._leaf((*self.path, *path)) if overrides else leaf
            yield BlameLine(text, path, told, written if told is None else None)

    def _leaf(self, path: Path) -> Leaf:
        """A value of maps, by its account."""
        account = self._teller.root.find(path)
        assert account is not None
        return self._teller.leaf(path, account)

    def printed(self) -> tuple[str, PrintedRows]:
        """The text of the result as a whole, and which row has what."""
        return emit_rows(self._shown(self.value), self._style) if self.value is not None else ("", PrintedRows())


def _story(explanation: Explanation) -> list[Gone]:
    return [Gone(explanation.path, lost, reason, explanation.removed_by) for lost, reason in explanation.losers]


def blame(
    tree: Tree, path: Path = (), style: Style | None = None, sections: tuple[str, ...] = (), partial: bool = False
) -> Blame:
    """The value at a path of a tree, with the origin of each value; of a whole document only certain sections, where
    some are named. A `partial` one may have values that could not be computed."""
    teller = Teller(tree)
    account = teller.root.find(path)
    if account is None or account.gone:
        return Blame(None, teller, [], _story(teller.missing(path)), style)
    value = tree.partial(path) if partial else tree.value(path)
    if sections and not path and isinstance(value, MapNode):
        value = MapNode({name: value.entries[name] for name in sections if name in value.entries})
        wanted: list[tuple[Path, Account]] = [((name,), account.children[name]) for name in value.entries]
    else:
        wanted = [(path, account)]
    return Blame(value, teller, wanted, [], style, path)


def _holders(teller: Teller, path: Path, account: Account, number: int, above: int) -> dict[tuple[int, int], Leaf]:
    """The maps and lists at or below a place that replaced another value as a whole or are partly known, by how many
    values are before them and how deep they are in the value that was asked for."""
    holders: dict[tuple[int, int], Leaf] = {}
    stack = [(path, account)]
    while stack:
        at, here = stack.pop()
        if here.values:
            number += len(here.values)
            continue
        losers = here.replaced_whole
        if isinstance(here.known, Unknown) and here.children:
            holders[number, len(at) - above] = teller.not_known(at, here)
        elif losers:
            lost, removed = teller.lost(losers, at)
            winner = teller.contribution(here.winner, at)
            holders[number, len(at) - above] = Leaf(at, here.known, winner, lost, here.how, here, removed=removed)
        below = [((*at, step), child) for step, child in here.children.items() if not child.gone]
        number += not below
        stack += below[::-1]
    return holders
