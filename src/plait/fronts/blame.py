"""The whole result with the origin of every line, and what was dropped: an account, line by line."""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Node, Unknown
from plait.core.path import Path
from plait.core.source import UNKNOWN
from plait.core.struct import struct
from plait.core.unknown import OVERRIDES, presented
from plait.evaluate.explain import Contribution, Explanation, Leaf, Teller, reason
from plait.evaluate.tree import Tree
from plait.merging.account import Account
from plait.yaml.emit import Style, lines

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

    def shortened(self, width: int) -> BlameLine:
        """The same where no part of its text is longer than this; a mark is in the place of the rest."""
        texts = self.text.split("\n")
        if max(map(len, texts)) <= width:
            return self
        shown = [text if len(text) <= width else f"{text[: width - 1]}\N{HORIZONTAL ELLIPSIS}" for text in texts]
        return BlameLine("\n".join(shown), self.path, self.leaf, self.written)


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
        holders: dict[Path, Leaf] | None = None,
        style: Style | None = None,
        path: Path = (),
    ) -> None:
        self.value = value
        self.path = path
        """Where the value is."""
        self._told = told
        self.gone = gone
        self._holders = holders or {}
        """The maps and lists that replaced another value as a whole, by their paths below `value`."""
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
        told = [one for one in self._told if isinstance(one, Leaf)]
        return sum(bool(leaf.losers) and leaf.verb == OVERRIDES for leaf in (*told, *self._holders.values()))

    def _each(self) -> Iterator[tuple[Leaf | None, Node | None]]:
        for one in self._told:
            if isinstance(one, Leaf):
                yield one, None
            else:
                yield from ((None, node) for node in one.account.values)

    def lines(self) -> Iterator[BlameLine]:
        """Every line of the result."""
        values, holders = self._each(), self._holders
        if self.value is None:
            return
        partly = any(isinstance(leaf.value, Unknown) for leaf in holders.values())
        for text, path, node, _ in lines(presented(self.value) if partly else self.value, self._style):
            holds = (isinstance(node, MapNode) and node.entries) or (isinstance(node, ListNode) and node.items)
            yield BlameLine(text, path, holders.get(path)) if holds else BlameLine(text, path, *next(values))


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


def _holders(teller: Teller, wanted: list[tuple[Path, Account]], above: int) -> dict[Path, Leaf]:
    """The maps and lists that replaced another value as a whole or are partly known, by their paths below the value
    that was asked for."""
    holders: dict[Path, Leaf] = {}
    stack = [(at[above:], at, here) for at, here in wanted]
    while stack:
        path, at, here = stack.pop()
        if here.values:
            continue
        losers = here.replaced_whole
        if isinstance(here.known, Unknown) and here.children:
            holders[path] = teller.not_known(at, here)
        elif losers:
            lost = [(teller.contribution(drop.part, at), reason(drop)) for drop in losers]
            holders[path] = Leaf(at, here.known, teller.contribution(here.winner, at), lost, here.how, here)
        below = [(step, child) for step, child in here.children.items() if not child.gone]
        steps = range(len(below)) if isinstance(here.shape, ListNode) else [step for step, _ in below]
        stack.extend(((*path, plain), (*at, step), child) for plain, (step, child) in zip(steps, below, strict=True))
    return holders
