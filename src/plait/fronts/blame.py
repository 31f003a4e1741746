"""The whole result with the origin of every line, and what was dropped: an account, line by line."""

from __future__ import annotations

from plait.core.node import Mapping, Node, Sequence
from plait.core.path import Path
from plait.core.struct import struct
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


@struct
class BlameLine:
    """A line of the result, and the path of what begins on it, from the value that was asked for. For a key that holds
    others, `leaf` is None unless it replaced another value as a whole."""

    text: str
    path: Path
    leaf: Leaf | None


class Blame:
    """A result with the origin of each of its values, in order, and of values that are not in it.

    `value` is None where it is gone itself.
    """

    def __init__(
        self,
        value: Node | None,
        leaves: list[Leaf],
        gone: list[Gone],
        holders: dict[Path, Leaf] | None = None,
        style: Style | None = None,
        path: Path = (),
    ) -> None:
        self.value = value
        self.path = path
        """Where the value is."""
        self.leaves = leaves
        self.gone = gone
        self._holders = holders or {}
        """The maps and lists that replaced another value as a whole, by their paths below `value`."""
        self._style = style or Style()

    def lines(self) -> Iterator[BlameLine]:
        """Every line of the result."""
        leaves = iter(self.leaves)
        if self.value is None:
            return
        for text, path, node in lines(self.value, self._style):
            holds = (isinstance(node, Mapping) and node.entries) or (isinstance(node, Sequence) and node.items)
            yield BlameLine(text, path, self._holders.get(path) if holds else next(leaves))


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
    if sections and not path and isinstance(value, Mapping):
        value = Mapping({name: value.entries[name] for name in sections if name in value.entries})
        wanted: list[tuple[Path, Account]] = [((name,), account.children[name]) for name in value.entries]
    else:
        wanted = [(path, account)]
    leaves: list[Leaf] = []
    gone: list[Gone] = []
    for at, here in wanted:
        leaves += [teller.leaf(found, leaf) for found, leaf in here.leaves(at)]
        for found, drops in here.removed(at):
            for drop in drops:
                by = teller.contribution(drop.by.winner, found) if drop.by is not None else None
                gone.append(Gone(found, teller.contribution(drop.part.winner, found), reason(drop), by))
    return Blame(value, leaves, gone, _holders(teller, wanted, len(path)), style, path)


def _holders(teller: Teller, wanted: list[tuple[Path, Account]], above: int) -> dict[Path, Leaf]:
    """The maps and lists that replaced another value as a whole, by their paths below the value that was asked for."""
    holders: dict[Path, Leaf] = {}
    stack = [(at[above:], at, here) for at, here in wanted]
    while stack:
        path, at, here = stack.pop()
        losers = here.replaced_whole
        if losers:
            lost = [(teller.contribution(drop.part, at), reason(drop)) for drop in losers]
            holders[path] = Leaf(at, here.known, teller.contribution(here.winner, at), lost, here.how, here)
        below = [(step, child) for step, child in here.children.items() if not child.gone]
        steps = range(len(below)) if isinstance(here.known, Sequence) else [step for step, _ in below]
        stack.extend(((*path, plain), (*at, step), child) for plain, (step, child) in zip(steps, below, strict=True))
    return holders
