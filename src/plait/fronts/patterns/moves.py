"""Which fields the changed inputs of a run move: found by generating again with an input as it was before.

Most runs change one input of a pattern that itself is unchanged, and then nothing has to be generated again:
whatever differs from last time differs because of that input.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, Node, Scalar, equal
from plait.fronts.patterns.inputs import Values, resolve
from plait.fronts.patterns.pattern import Pattern
from plait.fronts.patterns.render import PatternRenderer
from plait.fronts.patterns.resources import DocumentIndex, ResourceDocument
from plait.merging.align import pair
from plait.merging.threeway import InputMoves, value_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.core.path import Path
    from plait.core.policy import ListRule

    Given = dict[str, tuple[Node, str]]
    """What was given for each input, and how."""


class Trials:
    """A pattern generated with other inputs than those of the run. Each is generated once."""

    def __init__(self, generator: PatternRenderer, pattern: Pattern, given: Given) -> None:
        self.generator = generator
        self.pattern = pattern
        self.given = given
        self._made: dict[str, DocumentIndex | None] = {}
        self._by_place: dict[int, dict[tuple[str, int], ResourceDocument]] = {}

    def counterpart(self, made: DocumentIndex, document: ResourceDocument) -> ResourceDocument | None:
        """What is generated in the place of a resource with other inputs: it may have another name then."""
        found = made.find(document)
        if found is not None:
            return found
        if id(made) not in self._by_place:
            self._by_place[id(made)] = {(one.text.name, one.number): one for one in made}
        there = self._by_place[id(made)].get((document.text.name, document.number))
        same = there is not None and len(there.text.documents) == len(document.text.documents)
        return there if same else None

    def with_others(self, label: str, changes: Iterable[dict[str, Node | None]]) -> DocumentIndex | None:
        """What is generated with some inputs changed (None: not given); the first change that the pattern accepts."""
        if label not in self._made:
            self._made[label] = next(filter(None, map(self._generated, changes)), None)
        return self._made[label]

    def _generated(self, change: dict[str, Node | None]) -> DocumentIndex | None:
        given = {name: node for name, (node, _) in self.given.items()} | change
        try:
            values = resolve(
                self.pattern.inputs,
                [(name, node, "flag") for name, node in given.items() if node is not None],
                self.pattern.environment,
            )
            return DocumentIndex(document for text in self.generator.generate(values) for document in text.documents)
        except Fault:  # a pattern need not accept a value that is not given
            return None

    def other_value(self, name: str, values: Values) -> DocumentIndex | None:
        """What is generated with some other value of an input."""
        declared, now = self.pattern.inputs[name], values.nodes[name]
        others = [declared.probe(now), None if declared.by_environment else declared.default]
        return self.with_others(
            f"another {name}", [{name: one} for one in others if one is None or not equal(one, now)]
        )


class Moves:
    """The inputs that differ from the last run. `given` are those that were given in this run.

    `alone` says that nothing but inputs changed since: the pattern is the same, to the byte.
    """

    def __init__(
        self, trials: Trials, values: Values, before: dict[str, Node | None], given: Iterable[str], alone: bool
    ) -> None:
        self.sets = [name for name, giver in values.givers.items() if giver == "set"]
        """The inputs that `--set` gives."""
        self.trials = trials
        self.values = values
        self.before = before
        """The changed inputs, each with what was given for it before (None: nothing)."""
        self.given = frozenset(given)
        self.alone = alone
        self.refused: Callable[[ResourceDocument], object] = lambda document: None
        """Whether something that an earlier run wanted in a resource is still undecided: not all that differs from
        its base then differs because of an input of this run."""

    def of(self, document: ResourceDocument) -> InputMoves:
        return _DocumentMoves(self, document)

    def without(self, name: str) -> DocumentIndex | None:
        """What would be generated if one input had not changed."""
        return self.trials.with_others(name, [{name: self.before[name]}])

    def previous(self) -> DocumentIndex | None:
        """What would be generated if no input had changed."""
        return self.trials.with_others("", [self.before])


class FirstMoves(Moves):
    """Without a record of the last run: the inputs that `--set` gives decide the fields that depend on them."""

    def __init__(self, trials: Trials, values: Values, given: Iterable[str]) -> None:
        names = tuple(given)
        super().__init__(trials, values, dict.fromkeys(names), names, False)

    def without(self, name: str) -> DocumentIndex | None:
        return self.trials.other_value(name, self.values)

    def previous(self) -> DocumentIndex | None:
        return None


class _DocumentMoves(InputMoves):
    """The moves in one resource."""

    def __init__(self, moves: Moves, document: ResourceDocument) -> None:
        self.moves = moves
        self.document = document
        self.alone = moves.alone and not moves.refused(document)

    def inputs(self, path: Path, fresh: Path) -> tuple[str, ...]:
        names = tuple(self.moves.before)
        if self.alone and len(names) == 1:
            return names
        moving = tuple(name for name in names if self._moves(name, fresh))
        return moving or (names if self.alone else ())

    def _moves(self, name: str, path: Path) -> bool:
        made = self.moves.without(name)
        if made is None:
            return False
        then = made.find(self.document)
        before = value_at(then.node, path) if then is not None else None
        now = value_at(self.document.node, path)
        return before is not now and (before is None or now is None or not equal(before, now))

    def decide(self, inputs: tuple[str, ...]) -> bool:
        return not self.moves.given.isdisjoint(inputs)

    def set_now(self, fresh: Path, moved: bool) -> tuple[str, ...]:
        known = self.moves.before if self.moves.alone else ()
        names = self.moves.sets if moved else [name for name in self.moves.sets if name not in known]
        return tuple(name for name in names if self._is_computed_from(name, fresh))

    def _is_computed_from(self, name: str, path: Path) -> bool:
        """Whether a field has another value with another value of an input; where the pattern takes no other one,
        whether it has the value of the input in it."""
        now = value_at(self.document.node, path)
        if self.moves.trials.other_value(name, self.moves.values) is None:
            given = self.moves.values.nodes[name]
            return isinstance(now, Scalar) and isinstance(given, Scalar) and bool(given.text) and given.text in now.text
        other = self.otherwise((name,), path)
        return now is not None and (other is None or not equal(now, other))

    def otherwise(self, inputs: tuple[str, ...], fresh: Path) -> Node | None:
        made = self.moves.trials.other_value(inputs[0], self.moves.values)
        then = self.moves.trials.counterpart(made, self.document) if made is not None else None
        return value_at(then.node, fresh) if then is not None else None

    def items(self, path: Path, base: ListNode, fresh: ListNode, rule: ListRule) -> dict[int, int]:
        made = self.moves.previous()
        then = made.find(self.document) if made is not None else None
        before = value_at(then.node, path) if then is not None else None
        if not isinstance(before, ListNode):
            return {}
        known = {at[1]: at[0] for _, at in pair((base, before), rule) or () if at[0] is not None}
        return {known[old]: now for old, now in _same_lines(before, fresh) if old in known}


def _same_lines(before: ListNode, fresh: ListNode) -> list[tuple[int, int]]:
    """The items that the same line of the template wrote, at the same turn of a loop where there is one."""
    old, new = _by_line(before), _by_line(fresh)
    return [
        pair
        for line, items in old.items()
        if len(items) == len(new.get(line, ()))
        for pair in zip(items, new[line], strict=True)
    ]


def _by_line(items: ListNode) -> dict[tuple[str, int], list[int]]:
    by_line: dict[tuple[str, int], list[int]] = {}
    for at, item in enumerate(items.items):
        origin = item.origin
        by_line.setdefault((origin.file, origin.line), []).append(at)
    return by_line
