"""What a merged document is made of, at a glance: renderings of the account of the merge.

`commented` is the document with the origin of each value as a comment, `shares` says what each layer contributes,
and `why_not` why a layer's value is not in the result.
"""

from __future__ import annotations

from plait.core.find import step_into
from plait.core.node import Deferred, Failure, MapNode, Mark, Node, Scalar
from plait.core.path import ANYWHERE, is_near
from plait.core.struct import struct
from plait.core.walk import leaves_of
from plait.evaluate.tree import Tree
from plait.fronts.layers import Bundle
from plait.merging.account import MATCHED, Account, Dropped
from plait.merging.combine import NOT_KNOWN
from plait.merging.runs import Run, file_lines_of_runs, told
from plait.report.margin import longest, with_notes
from plait.yaml.emit import Style, emit_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.path import Path, Places
    from plait.yaml.schema import Schema

REASONS = {
    "replaced": "a higher layer replaces it",
    "another kind": "a higher layer has a value of another kind",
    "unset": "a higher layer removes it",
    "duplicate": "the list has the same item already",
    NOT_KNOWN: "the value of a higher layer is not known here",
}
"""Why something is not in the result, in words."""
REMOVES = "it removes what lower layers have here"


# The document, with comments


def commented(tree: Tree, value: Node, schema: Schema, reveal: bool) -> str:
    """A finished document as YAML, each value with the place it comes from as a comment."""
    text, rows = emit_rows(value, Style(reveal=reveal, schema=schema, meter=tree.evaluator.meter))
    at = rows.of_values
    width = min(WIDEST, longest(text, at))
    return with_notes(text, at, _notes(tree.account()), width, "  # ")


WIDEST = 48
"""Comments are in one column, unless a line is longer than this."""


def _notes(account: Account) -> list[str]:
    """What is said of each value, in order."""
    said: list[Account | Run] = []
    for here in told(account):
        said += [here] if isinstance(here, Run) else _others(here[1])
    found = file_lines_of_runs([one for one in said if isinstance(one, Run)], _of_no_file)
    notes: list[str] = []
    for one in said:
        notes += _run_notes(*next(found)) if isinstance(one, Run) else [_note(one)]
    return notes


def _others(account: Account) -> Iterator[Account | Run]:
    """The values at or below a place: runs, or their accounts."""
    for _, leaf in account.leaves(named=False, together=True):
        yield Run(leaf.values) if leaf.values else leaf


def _run_notes(places: list[str], below: dict[int, list[str]]) -> list[str]:
    """What is said of values that were just written."""
    for number, lost in below.items():
        places[number] += f", overrides {', '.join(lost)}"
    return places


def _of_no_file(node: Node) -> str:
    """The place of a value that was given, or computed."""
    return _place(str(node.origin))


def _note(leaf: Account) -> str:
    winner = leaf.winner.node.origin
    below = [str(drop.part.node.origin) for drop in leaf.losers if not drop.before]
    return f"{_place(str(winner))}" + (f", overrides {', '.join(map(_place, below))}" if below else "")


def _place(origin: str) -> str:
    """A place without its column: a comment stands for a whole line."""
    return origin.rpartition(":")[0] or origin


# What each layer contributes


class Share:
    """One layer: how many values it gives, how many of them are in the result, and how many are not."""

    __slots__ = ("gives", "name", "over", "removes", "wins")

    def __init__(self, name: str) -> None:
        self.name = name
        self.gives = 0
        self.wins = 0
        self.removes = 0
        self.over: dict[str, int] = {}
        """How many values of other layers lose to it."""

    @property
    def overridden(self) -> int:
        return self.gives - self.wins


def shares(bundle: Bundle) -> list[Share]:
    """The layers, lowest first, and values that were given by flags last."""
    by_file: dict[str, Share] = {}
    for member in bundle.members:
        for document in member.group.documents:
            share = by_file.setdefault(document.origin.file, Share(document.origin.file))
            for _, leaf in leaves_of(document):
                share.gives += not isinstance(leaf, Mark)
                share.removes += isinstance(leaf, Mark) and leaf.rule is None
        for _, account in member.tree.account().leaves():
            for part in _winners(account):
                name = part.node.origin.file
                share = by_file.get(name) or by_file.setdefault(name, Share(name))
                share.wins += 1
                share.gives = max(share.gives, share.wins)
    return list(by_file.values())


def value_shares(tree: Tree) -> list[Share]:
    """What each layer of a tree contributes, lowest first, where a null removes what is below it. An empty mapping that
    another layer puts something into is not overridden, and decides nothing."""
    by_file: dict[str, Share] = {}
    leaves = dict(tree.account().leaves())
    for layer in tree.layers:
        share = by_file.setdefault(layer.origin.file, Share(layer.origin.file))
        for path, leaf in leaves_of(layer):
            there = _there(tree.root, path)
            removes = there is None and isinstance(leaf, Scalar) and leaf.value is None
            is_filled = isinstance(leaf, MapNode) and isinstance(there, MapNode) and bool(there.entries)
            share.removes += removes
            share.gives += not removes and not is_filled
            share.wins += path in leaves and leaves[path].winner.node is leaf
    for account in leaves.values():
        for drop in account.losers:
            by = drop.by if drop.before and drop.by is not None else account.winner
            name, loser = by.node.origin.file, drop.part.node.origin.file
            if name in by_file and loser in by_file and loser != name:
                by_file[name].over[loser] = by_file[name].over.get(loser, 0) + 1
    return list(by_file.values())


def _there(node: Node | None, path: Path) -> Node | None:
    for step in path:
        node = step_into(node, step) if node is not None else None
    return node


# Why a value is not in the result


@struct
class Verdict:
    """What became of one value of a layer: the value, and what dropped it (None where it is in the result), or `why`
    it is no value of the result by itself; `failure` where it could not be computed."""

    path: Path
    node: Node
    drop: Dropped | None
    why: str = ""
    failure: Failure | None = None

    @property
    def in_result(self) -> bool:
        return self.drop is None and not self.why

    @property
    def is_open(self) -> bool:
        """Whether nobody can tell if it is in the result."""
        return self.drop is not None and self.drop.reason == NOT_KNOWN

    @property
    def reason(self) -> str:
        if self.drop is None:
            return self.why or "in the result"
        return REASONS.get(self.drop.reason, self.drop.reason)

    @property
    def by(self) -> Node | None:
        return self.drop.by.node if self.drop is not None and self.drop.by is not None else None


def why_not(tree: Tree, path: Path, layer: str) -> list[Verdict]:
    """What became of everything that a layer says at or below a path; nothing where it says nothing there."""
    account = tree.account()
    here = account.find(path)
    found = [verdict for verdict in _removals(account, path, here) if _is_of(verdict.node, layer)]
    if here is None or here.gone:
        drops = here.losers if here is not None else account.missing(path)[0]
        return [*found, *(Verdict(path, drop.part.node, drop) for drop in drops if _is_of(drop.part.node, layer))]
    taken = [Verdict(at, *one) for at, leaf in here.leaves(path) for one in tree.taken(leaf)]
    return [*found, *(verdict for verdict in [*verdicts(here, path), *taken] if _is_of(verdict.node, layer))]


def _removals(account: Account, path: Path, here: Account | None) -> Iterator[Verdict]:
    """The words by which layers remove what is at a path, or something that it is in."""
    by = account.missing(path)[1] if here is None or here.gone else None
    parts = here.parts if here is not None else ()
    marks = {id(one.node): one.node for one in (*parts, *([by] if by is not None else ()))}
    yield from (Verdict(path, node, None, REMOVES) for node in marks.values() if isinstance(node, Mark))


def verdicts(
    account: Account, path: Path = (), expressions: bool = False, places: Places = ANYWHERE
) -> Iterator[Verdict]:
    """What became of everything that any layer says at or below a place; `expressions`: also of those that give a
    container, although its values are written elsewhere. Only what is near to some `places` is looked at."""
    stack: list[tuple[Path, Account]] = [(path, account)]
    while stack:
        at, here = stack.pop()
        below = [] if here.gone else list(here.children.items())
        if not below and not here.gone:
            yield from (Verdict(at, part.node, None, failure=_failure(here)) for part in _winners(here))
        elif expressions:
            yield from _expressions(at, here)
        drops = here.losers if not below else [drop for drop in here.dropped if not drop.above]
        for step, lost in here.lost.items() if below else ():
            yield from (Verdict((*at, step), drop.part.node, drop) for drop in lost)
        yield from (Verdict(at, drop.part.winner.node, drop) for drop in drops)
        lower = (((*at, here.named(step)), child) for step, child in reversed(below))
        stack.extend(row for row in lower if places is ANYWHERE or is_near(places, row[0]))


def _expressions(path: Path, here: Account) -> Iterator[Verdict]:
    """The expressions that a container is made of; the first of its values that could not be computed is theirs."""
    made = [part.node for part in here.written if isinstance(part.node, Deferred)]
    wrong = next(filter(None, (_failure(leaf) for _, leaf in here.leaves())), None) if made else None
    yield from (Verdict(path, node, None, failure=wrong) for node in made)


def _failure(leaf: Account) -> Failure | None:
    return leaf.known if isinstance(leaf.known, Failure) else None


def _winners(leaf: Account) -> list[Account]:
    """The parts that a value is made of: one, or all that an item was matched by."""
    return leaf.written if leaf.decision == MATCHED else [leaf.winner]


def _is_of(node: Node, layer: str) -> bool:
    return node.origin.file == layer


def names_of(bundle: Bundle) -> list[str]:
    return list(dict.fromkeys(document.origin.file for member in bundle.members for document in member.group.documents))
