"""The whole result with the origin of every line, and what was dropped: an account, line by line."""

from __future__ import annotations

from itertools import pairwise

from plait.core.node import ListNode, MapNode, Node, Scalar, Unknown
from plait.core.path import Path
from plait.core.source import UNKNOWN
from plait.core.struct import struct
from plait.core.unknown import OVERRIDES, has_failures, presented
from plait.evaluate.explain import Contribution, Explanation, Leaf, Teller, reason
from plait.evaluate.tree import Tree
from plait.merging.account import Account
from plait.yaml.emit import Style, emit_rows, lines

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


class WrittenPart:
    """What one part wrote in one piece, and of which no other part says anything."""

    __slots__ = ("_teller", "account", "path")

    def __init__(self, teller: Teller, path: Path, account: Account) -> None:
        self._teller = teller
        self.path = path
        self.account = account

    def leaves(self) -> list[Leaf]:
        """Its values, as they are told one by one."""
        return [self._teller.leaf(path, account) for path, account in self.account.leaves(self.path)]


class Blame:
    """A result with the origin of each of its values, in order, and of values that are not in it.

    `value` is None where it is gone itself.
    """

    def __init__(
        self,
        value: Node | None,
        told: list[Leaf | WrittenPart],
        gone: list[Gone],
        holders: dict[tuple[int, int], Leaf] | None = None,
        style: Style | None = None,
        path: Path = (),
    ) -> None:
        self.value = value
        self.path = path
        """Where the value is."""
        self._told = told
        self.gone = gone
        self._holders = holders or {}
        """The maps and lists that replaced another value as a whole, by how many values are before them and how many
        maps and lists they are in."""
        self._style = style or Style()

    @property
    def leaves(self) -> list[Leaf]:
        """Every value of the result."""
        return [leaf for one in self._told for leaf in ([one] if isinstance(one, Leaf) else one.leaves())]

    @property
    def written(self) -> list[Leaf]:
        """The values that something says: not those that are there only because a document has them, as `env: {}`."""
        return [leaf for leaf in self.leaves if leaf.winner.node.origin.source is not UNKNOWN]

    @property
    def overriding(self) -> int:
        """How many values override others: maps and lists that replaced another one as a whole are one each."""
        return sum(bool(leaf.losers) and leaf.verb == OVERRIDES for leaf in self._one_by_one)

    @property
    def has_failures(self) -> bool:
        """Whether a value could not be computed: none of those that were just written."""
        return any(leaf.value.__class__ is not Scalar and has_failures(leaf.value) for leaf in self._one_by_one)

    @property
    def _one_by_one(self) -> list[Leaf]:
        return [*(one for one in self._told if isinstance(one, Leaf)), *self._holders.values()]

    def _each(self) -> list[Leaf | Node]:
        """What there is to say of each value, in order: for one that was just written, that."""
        found: list[Leaf | Node] = []
        for one in self._told:
            found += [one] if isinstance(one, Leaf) else one.account.values
        return found

    def _shown(self, value: Node) -> Node:
        partly = any(isinstance(leaf.value, Unknown) for leaf in self._holders.values())
        return presented(value) if partly else value

    def lines(self) -> Iterator[BlameLine]:
        """Every line of the result."""
        values, number = self._each(), 0
        for text, path, node, _ in lines(self._shown(self.value), self._style) if self.value is not None else ():
            if (isinstance(node, MapNode) and node.entries) or (isinstance(node, ListNode) and node.items):
                yield BlameLine(text, path, self._holders.get((number, len(path))))
                continue
            one = values[number]
            number += 1
            yield BlameLine(text, path, one) if isinstance(one, Leaf) else BlameLine(text, path, None, one)

    def beside(self) -> list[tuple[str, Leaf | Node | None]]:
        """The text of every line, and what there is to say beside it: the same without paths, of the text as a
        whole."""
        if self.value is None:
            return []
        text, rows = emit_rows(self._shown(self.value), self._style)
        said: dict[int, Leaf | Node | None] = dict(zip(rows.values, self._each(), strict=True))
        for row, number, depth in rows.holders:
            said[row] = self._holders.get((number, depth))
        texts = text.split("\n")
        if len(said) < len(texts) - 1:  # a text of several lines is one
            starts = [*sorted(said), len(texts)]
            return [("\n".join(texts[at - 1 : end - 1]), said[at]) for at, end in pairwise(starts)]
        return [(one, said[row]) for row, one in enumerate(texts[:-1], 1)]


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
        return Blame(None, [], _story(teller.missing(path)), style=style)
    value = tree.partial(path) if partial else tree.value(path)
    if sections and not path and isinstance(value, MapNode):
        value = MapNode({name: value.entries[name] for name in sections if name in value.entries})
        wanted: list[tuple[Path, Account]] = [((name,), account.children[name]) for name in value.entries]
    else:
        wanted = [(path, account)]
    told: list[Leaf | WrittenPart] = []
    gone: list[Gone] = []
    for at, here in wanted:
        if tree.knows_ways:
            told += [teller.leaf(*one) for one in here.leaves(at)]
        else:
            together = here.leaves(at, together=True)
            told += [WrittenPart(teller, *one) if one[1].values else teller.leaf(*one) for one in together]
        for found, drops in here.removed(at):
            for drop in drops:
                by = teller.contribution(drop.by.winner, found) if drop.by is not None else None
                gone.append(Gone(found, teller.contribution(drop.part.winner, found), reason(drop), by))
    return Blame(value, told, gone, _holders(teller, wanted, len(path)), style, path)


def _holders(teller: Teller, wanted: list[tuple[Path, Account]], above: int) -> dict[tuple[int, int], Leaf]:
    """The maps and lists that replaced another value as a whole or are partly known, by how many values are before
    them and how deep they are in the value that was asked for."""
    holders: dict[tuple[int, int], Leaf] = {}
    number = 0
    stack = wanted[::-1]
    while stack:
        at, here = stack.pop()
        if here.values:
            number += len(here.values)
            continue
        losers = here.replaced_whole
        if isinstance(here.known, Unknown) and here.children:
            holders[number, len(at) - above] = teller.not_known(at, here)
        elif losers:
            lost = [(teller.contribution(drop.part, at), reason(drop)) for drop in losers]
            holders[number, len(at) - above] = Leaf(
                at, here.known, teller.contribution(here.winner, at), lost, here.how, here
            )
        below = [((*at, step), child) for step, child in here.children.items() if not child.gone]
        number += not below
        stack += below[::-1]
    return holders
