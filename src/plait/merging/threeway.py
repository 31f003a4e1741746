"""Generate again, keep what others changed: a merge that decides each field by what was generated last (`base`), what
is there now (`existing`) and what would be generated (`fresh`).

`ROWS` is the decision table. Its keys spell the three sides, in that order: `-` is absent, `?` means that there is
no record, and the same letter means the same value, so `beb` is "it was changed here and the generator did not".

Maps merge key by key. Lists merge item by item: by key where `align` can match the items, else in order, as `items`
aligns them; without a record such a list is one value. An item is written completely or not at all. Fields that others
deleted stay deleted; a field that is new in the generated output is still added. Text of several lines merges by lines.
A value of another kind is one decision at that path. Whatever `existing` has keeps its place, unless only the generator
reordered items with a key; what is new goes after what precedes it in `fresh`, as `order` says.

A changed input does not permit overwriting: it decides the scalar leaves that it moves and that `existing` has, and
nothing else. Where it moves the key of an item, that item moves.

The walk keeps its own stack: nothing here recurses over user data.
"""

from __future__ import annotations

from itertools import accumulate

from plait.core.alike import soon_equal, unlike
from plait.core.find import entry_key, is_mark, is_meant, item_index, step_into
from plait.core.node import (
    Container,
    Key,
    Known,
    ListNode,
    MapNode,
    Node,
    Scalar,
    equal,
    key_text,
)
from plait.core.path import ANY, DEEP, Keyed, Path, Step, WrittenItem, format_path
from plait.core.policy import ListRule, MergePolicy
from plait.merging.align import INFER, SETS, pair
from plait.merging.items import Alignment, ItemRun, aligned, alike
from plait.merging.lines import LineConflict, merge_values
from plait.merging.order import AT_END, Arrangement, places_of_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.merging.align import Row as Pairing
    from plait.merging.differing import Span
    from plait.merging.order import Member, Place

    Side = Node | None
    KnownChanges = tuple[list[Span] | None, list[Span] | None]
    Slot = tuple[Step, Key | int | None, Side, Side, Side]
    """One field: the step to it, its key or index in `existing` (None if it is not there), and its value on each
    side. Of several items that are decided together, the index is that of the first."""


class DecisionRow:
    """One line of the table: which side is taken, and how it is reported."""

    __slots__ = ("conflict", "kind", "number", "take")

    def __init__(self, number: int, take: str, kind: str = "", conflict: bool = False) -> None:
        self.number = number
        self.take = take
        self.kind = kind
        self.conflict = conflict


SET_EARLIER = DecisionRow(1, "existing", "set earlier")
"""A field that an earlier run set, and for which the pattern has another value than it had then."""
SET, PINNED, OWNED = DecisionRow(1, "value", "set"), DecisionRow(2, "existing", "pinned"), DecisionRow(3, "fresh")
SAME = DecisionRow(4, "existing")
ROWS = {
    "bbb": SAME,
    "bee": SAME,
    "-ee": SAME,
    "?ee": SAME,
    "bbf": DecisionRow(5, "fresh", "updated"),
    "bb-": DecisionRow(6, "fresh", "removed"),
    "beb": DecisionRow(7, "existing", "changed"),
    "b-b": DecisionRow(8, "existing", "deleted"),
    "bef": DecisionRow(9, "existing", "both", conflict=True),
    "b-f": DecisionRow(10, "existing", "both", conflict=True),
    "be-": DecisionRow(11, "existing", "dropped", conflict=True),
    "b--": DecisionRow(12, "existing"),
    "-e-": DecisionRow(13, "existing", "extra"),
    "--f": DecisionRow(14, "fresh", "added"),
    "-ef": DecisionRow(15, "existing", "both", conflict=True),
    "?ef": DecisionRow(16, "existing", "changed", conflict=True),
    "?-f": DecisionRow(17, "fresh", "added"),
    "?e-": DecisionRow(18, "existing", "extra"),
}
KEPT_ABSENT = DecisionRow(17, "existing", "deleted", conflict=True)
"""Row 17 with `--absent keep`."""
MERGED = DecisionRow(9, "value", "merged")
"""Row 9 for a text of several lines, in which both sides changed different lines."""
MERGED_IN_PART = DecisionRow(9, "value", "both", conflict=True)
"""The same where some lines were changed by both: those stay as they are here."""
TAKEN, KEPT_HERE, KEPT_AWAY = (
    DecisionRow(1, "fresh", "taken"),
    DecisionRow(7, "existing", "changed"),
    DecisionRow(8, "existing", "deleted"),
)
"""What somebody decided, with `--take` or `--keep`."""
OVERWRITTEN, RESTORED = DecisionRow(0, "fresh", "overwritten"), DecisionRow(0, "fresh", "restored")
"""Not in the table: an edit is lost by `overwrite`, or because something is set inside a value of another kind."""
REORDERED, ORDER_KEPT, ORDER_LOST = (
    DecisionRow(5, "fresh", "reordered"),
    DecisionRow(9, "existing", "order kept"),
    DecisionRow(0, "fresh", "overwritten"),
)
"""The order of items with a key: only the generator changed it, or both sides did, or `overwrite` discards it."""
KEPT = ("changed", "deleted", "both", "dropped", "extra", "orphan")
"""The kinds that report something preserved."""
MOVING = frozenset((5, 6, 9, 10, 11, 14, 15, 16))
"""The rows in which the generator wants something else than last time, maybe because of an input."""
DECIDABLE = frozenset((5, 9, 16))
"""The rows in which a changed input may decide a scalar leaf."""
SETTABLE = frozenset((5, 7, 9, 15, 16))
"""The rows in which `--set` of an input does, whether or not it changed."""


class ReportEntry:
    """One line of the report: what happened to the field at `path`, and the values it was decided by (None: absent).

    `inputs` are the changed inputs that move the field; `note` says more; `clashes` are the lines of a text that both
    sides changed, unless they are secret. `agreed` is what the next merge of a conflict begins with, so that it is
    found again until somebody decides, and `fresh_path` is where the field is in what is generated now.
    """

    __slots__ = (
        "agreed", "base", "clashes", "earlier", "existing", "fresh", "fresh_path", "inputs", "note", "path", "row",
    )  # fmt: skip

    def __init__(
        self, path: Path, row: DecisionRow, existing: Side = None, fresh: Side = None, base: Side = None,
        inputs: tuple[str, ...] = (), note: str = "",
    ) -> None:  # fmt: skip
        self.path = path
        self.row = row
        self.existing = existing
        self.fresh = fresh
        self.base = base
        self.inputs = inputs
        self.note = note
        self.earlier: Side = None
        """The value that an earlier run set, where an input decides the field now."""
        self.agreed = base
        self.fresh_path = path
        self.clashes: tuple[LineConflict, ...] = ()

    @property
    def kind(self) -> str:
        return self.row.kind

    def __repr__(self) -> str:
        return f"Entry({format_path(self.path)} {self.kind})"


class TextEdit:
    """A change to the text of `existing`: the keys and indices that lead there, and the value (None: delete).

    `key_of` is the generated map that has the key, for the comment that a new field brings along. With `insert`, the
    value is new: a field at a `place` of its map, or an item before the one that is at the path.
    """

    __slots__ = ("insert", "key_of", "path", "place", "value")

    def __init__(
        self,
        path: tuple[Key | int, ...],
        value: Side,
        key_of: MapNode | None = None,
        insert: bool = False,
        place: Place | None = None,
    ) -> None:
        self.path = path
        self.value = value
        self.key_of = key_of
        self.insert = insert
        self.place = place

    def __repr__(self) -> str:
        return f"Edit({format_path(self.path)} = {self.value!r})"


class OrderEdit(TextEdit):
    """Another order of the items of a list, once all other edits are made; `value` is the list then."""

    __slots__ = ()


class FieldRule:
    """What decides a field ahead of the table. The path is spelled as the merge spells it, or has wildcards.

    `set`: this value. `pin`: what is there. `own`: what is generated, without a report. `user`: this value was set
    in an earlier run and stands for what is generated, unless an input decides the field. `forgotten`: so it was, and
    no longer. `ours`: what is there is what was generated last.
    """

    __slots__ = ("action", "path", "value")

    def __init__(self, action: str, path: Path, value: Side = None) -> None:
        self.action = action
        self.path = path
        self.value = value

    def after(self, step: Step, items: tuple[Side, ...], index: int | None) -> Iterator[FieldRule]:
        """What is left of it one step further down; `index` is where an item is in the list as it is."""
        head = self.path[0]
        if head is DEEP:
            yield self
            rest = FieldRule(self.action, self.path[1:], self.value)
            yield from rest.after(step, items, index) if rest.path else ()
        elif head is ANY or _same_step(head, step, items) or (index is not None and head == index):
            yield FieldRule(self.action, self.path[1:], self.value)


class Ruling:
    """What somebody decided about a path and what is below it: to `take` what is generated, or to `keep` what is here.

    `first` and `last` are the lines of a text, counted from 1, where only some are meant. `only_conflicts`: edits that
    the generator does not contradict are not meant.
    """

    __slots__ = ("action", "first", "last", "only_conflicts", "path", "used")

    def __init__(self, action: str, path: Path, first: int = 0, last: int = 0) -> None:
        self.used = False
        """Whether there was something to decide."""
        self.only_conflicts = False
        self.action = action
        self.path = path
        self.first = first
        self.last = last

    def about(self, path: Path) -> bool:
        return path[: len(self.path)] == self.path

    def meets(self, first: int = 0, last: int = 0) -> bool:
        """Whether it is about some of these lines; without any, whether it is about all of the text."""
        met = not self.first or (self.first <= last and first <= self.last)
        self.used = self.used or met
        return met


PRECEDENCE = ("set", "pin", "own", "forgotten", "user", "ours")


def _same_step(head: Step, step: Step, items: tuple[Side, ...]) -> bool:
    if isinstance(head, Keyed):
        return head == step or any(item is not None and is_meant(item, head) for item in items)
    if isinstance(step, Node):
        return key_text(step) == str(head)
    return head == step or str(head) == step


class MovedStep(Keyed):
    """The step to an item whose key an input moves: `to` is the step to it in what is generated now."""

    __slots__ = ("to",)

    def __init__(self, here: Keyed, to: Step) -> None:
        super().__init__(here.names, here.values)
        self.to = to

    __hash__ = Keyed.__hash__


class ItemStep(int):
    """The step to an item of a list without keys, or to several that are decided together.

    Its number is that of the item in the result; for one that is not there, the number that it would have. `to` is its
    number in what is generated now, and `fresh_start` its place among all that is written there. `start` and `stop` are
    from where to where it is among all that is written here, `several` says that the values are lists of such items,
    and `called` is the number that a decision about a conflict calls it by: the number while nothing is decided. `run`
    is its row in the alignment of the three `lists`.
    """

    to: int
    fresh_start: int
    start: int
    stop: int
    several: bool
    called: int
    run: ItemRun
    lists: Alignment

    def moved(self, count: int, undecided: int) -> ItemStep:
        """The same step, where so many more items are before it; and how many if no conflict were decided."""
        step = ItemStep(self + count)
        step.__dict__.update(self.__dict__)
        step.called = self + undecided
        return step


class _ItemSteps:
    """Steps to the items of three lists that have no key."""

    def __init__(self, lists: Alignment) -> None:
        self.lists = lists
        self.here, self.fresh = (_marks_before(side) for side in (lists.here, lists.fresh))

    def to(self, run: ItemRun) -> ItemStep:
        (here, stop), fresh = run.here, run.fresh[0]
        step = ItemStep(here - self.here[here])
        step.fresh_start = fresh
        step.to = fresh - self.fresh[fresh]
        step.start, step.stop, step.several, step.called = here, stop, not run.single, int(step)
        step.run, step.lists = run, self.lists
        return step


def _marks_before(side: ListNode) -> list[int]:
    """How many marks are before each item of a list, and before its end."""
    return [0, *accumulate(map(is_mark, side.items))]


class InputMoves:
    """Which fields the changed inputs of a run move. By itself: none."""

    def inputs(self, path: Path, fresh: Path) -> tuple[str, ...]:
        """The changed inputs that move the field at a path; `fresh` is its path in what is generated now."""
        return ()

    def decide(self, inputs: tuple[str, ...]) -> bool:
        """Whether one of them was given in this run."""
        return False

    def set_now(self, fresh: Path, moved: bool) -> tuple[str, ...]:
        """The inputs that `--set` gives in this run and from which the field is computed; `moved`: what is generated
        for it differs from last time."""
        return ()

    def otherwise(self, inputs: tuple[str, ...], fresh: Path) -> Side:
        """What would be generated for a field with another value of such an input."""
        return None

    def items(self, path: Path, base: ListNode, fresh: ListNode, rule: ListRule) -> dict[int, int]:
        """The items of a list that are the same under another key: index last time to index now."""
        return {}


NO_MOVES = InputMoves()


class MergeSettings:
    """What holds for a whole merge: whether there is a record, and the flags.

    `exact`: every list is taken in order, whatever keys its items have. `paired` has, by the paths of lists without
    keys, what both sides changed as far as an earlier merge knows it.
    """

    __slots__ = ("exact", "keep_absent", "overwrite", "paired", "policy", "record", "verdicts")

    def __init__(
        self, record: bool = True, overwrite: bool = False, keep_absent: bool = False,
        policy: MergePolicy | None = None, exact: bool = False, verdicts: tuple[Ruling, ...] = (),
    ) -> None:  # fmt: skip
        self.exact = exact
        self.verdicts = verdicts
        self.paired: dict[str, KnownChanges] = {}
        self.record = record
        self.overwrite = overwrite
        self.keep_absent = keep_absent
        self.policy = policy or MergePolicy(INFER)


class Outcome:
    """The merged tree, the report on it, and the edits that make it out of `existing`."""

    __slots__ = ("edits", "entries", "node")

    def __init__(self, node: Node, entries: list[ReportEntry], edits: list[TextEdit]) -> None:
        self.node = node
        self.entries = entries
        self.edits = edits


def threeway(
    base: Side, existing: Node, fresh: Node, settings: MergeSettings | None = None, rules: Iterable[FieldRule] = (),
    moves: InputMoves = NO_MOVES,
) -> Outcome:  # fmt: skip
    """`existing` with everything that the generator may change."""
    return _Walk(settings or MergeSettings(record=base is not None), moves).merge(base, existing, fresh, tuple(rules))


class _Frame:
    """A container that is being merged, and what has become of it so far."""

    __slots__ = (
        "added", "existing", "fresh", "in_list", "key", "policy", "replaced", "rows", "rules", "shift", "slots",
        "start", "step", "taken",
    )  # fmt: skip

    def __init__(
        self, slot: Slot, slots: Iterable[Slot], policy: MergePolicy, rules: tuple[FieldRule, ...], start: int
    ) -> None:
        self.step, self.key, base, self.existing, self.fresh = slot
        self.rows = slots.rows if isinstance(slots, _KeyedSlots) and policy.lists.strategy not in SETS else []
        """Where each item of lists with a key is on each side."""
        self.slots = iter(slots)
        self.policy = policy
        self.rules = rules
        self.start = start
        self.in_list = isinstance(self.existing or self.fresh or base, ListNode)
        """Whether its members are items of a list."""
        self.replaced: dict[Key | int, Side] = {}
        """The members of `existing` that become something else (None: nothing)."""
        self.added: list[tuple[Step, Node]] = []
        self.shift = 0
        """How many more members there are now than in `existing`, as far as they are decided."""
        self.taken = 0
        """How many of these are there because a conflict was decided."""

    def replace(self, key: Key | int, value: Side) -> None:
        self.replaced[key] = value
        self.shift -= value is None

    def add(self, step: Step, node: Node) -> None:
        self.added.append((step, node))
        self.shift += 1


class _KeyedSlots:
    """The items of up to three lists (here, generated now, generated last), as `rows` pair them.

    Without `everything`, those that are the same here and in what is generated now are left out.
    """

    def __init__(self, rows: list[Pairing], sides: tuple[ListNode | None, ...]) -> None:
        self.rows = rows
        self.sides = sides
        self.everything = True

    def __iter__(self) -> Iterator[Slot]:
        for step, at in self.rows:
            existing, fresh, base = (
                side.items[index] if side is not None and index is not None else None
                for side, index in zip(self.sides, at, strict=True)
            )
            if self.everything or not soon_equal(existing, fresh):
                yield step, at[0], base, existing, fresh


class _Walk:
    def __init__(self, settings: MergeSettings, moves: InputMoves) -> None:
        self.settings = settings
        self.moves = moves
        self.entries: list[ReportEntry] = []
        self.edits: list[TextEdit] = []
        self.frames: list[_Frame] = []
        self.agreed: Side = None
        self.clashes: tuple[LineConflict, ...] = ()
        """Of the last text that was merged: what the next merge of it begins with, and the lines both changed."""

    def merge(self, base: Side, existing: Node, fresh: Node, rules: tuple[FieldRule, ...]) -> Outcome:
        top = _Frame(("", None, None, None, None), iter(()), self.settings.policy, (), 0)
        self.frames.append(top)
        self.place(top, ("", 0, base, existing, fresh), rules, self.settings.policy)
        while len(self.frames) > 1:
            self.advance(self.frames[-1])
        return Outcome(top.replaced.get(0) or existing, self.entries, self.edits)

    def advance(self, frame: _Frame) -> None:
        """The next field of the innermost container that needs one; or the container is done."""
        rules, policy = frame.rules, frame.policy
        for slot in frame.slots:
            step = slot[0]
            if isinstance(step, ItemStep) and (frame.shift or frame.taken):
                step = step.moved(frame.shift, frame.shift - frame.taken)
                slot = (step, *slot[1:])
            below = _below(rules, slot) if rules else ()
            if self.place(frame, slot, below, policy if policy.uniform else policy.child(step, _index(slot))):
                return
        self.frames.pop()
        self.close(frame, self.frames[-1])

    def place(self, frame: _Frame, slot: Slot, rules: tuple[FieldRule, ...], policy: MergePolicy) -> bool:
        """Decide one field, or go down into it (True)."""
        exact = _exact(rules) if rules else None
        if exact is not None and exact.action not in ("forgotten", "user", "ours"):
            self.ruled(frame, slot, exact, rules)
            return False
        if exact is not None and exact.action == "user" and self.gives_way(frame, slot, exact):
            return False
        if exact is not None:
            slot = _stood_for(slot, exact)
        slots = self.inside(slot, frame.in_list, rules, policy)
        if slots is None:
            self.decide(frame, _unordered(slot, policy), rules)
            return False
        self.frames.append(_Frame(slot, slots, policy, rules, len(self.edits)))
        return True

    def inside(
        self, slot: Slot, in_list: bool, rules: tuple[FieldRule, ...], policy: MergePolicy
    ) -> Iterable[Slot] | None:
        """The fields below, where the sides are to be merged field by field."""
        step, _, base, existing, fresh = slot
        if existing.__class__ is Scalar:
            return None
        if existing is None and not in_list and isinstance(fresh, MapNode) and _owned_below(rules):
            return _fields(base, existing, fresh, rules)
        if existing is None and (in_list or base is None or fresh is None or not _members(fresh)):
            return None
        if fresh is None and (in_list or self.empty(base, existing)):
            return None
        kind = _one_kind(existing, fresh, base)
        if kind is None:
            return None
        if isinstance(step, ItemStep) and not step.several and not _one_item(base, existing, fresh):
            return None
        if kind is MapNode:
            return _fields(base, existing, fresh, rules)
        keyed = None if self.settings.exact or self.is_paired(step) else self.items(step, base, existing, fresh, policy)
        if keyed is None:
            return self.in_order(step, base, existing, fresh, rules, policy)
        keyed.everything = bool(rules)
        return keyed

    def is_paired(self, step: Step) -> bool:
        """Whether an earlier merge knows which items of a list are which, because of a conflict in it."""
        return bool(self.settings.paired) and format_path(self.path(step)) in self.settings.paired

    def empty(self, base: Side, existing: Side) -> bool:
        """Whether a container that is no longer generated has nothing in it that could be decided by itself."""
        if existing is None or _members(existing):
            return False
        return base is None or not _members(base) or self.settings.overwrite

    def items(self, step: Step, base: Side, existing: Side, fresh: Side, policy: MergePolicy) -> _KeyedSlots | None:
        """The items of up to three lists, as `align` pairs them; None where it cannot."""
        sides = tuple(side if isinstance(side, ListNode) else None for side in (existing, fresh, base))
        rows = pair(sides, policy.lists)
        if rows is None:
            return None
        if self.moves is not NO_MOVES and sides[1] is not None and sides[2] is not None:
            rows = self.moved(step, rows, sides[2], sides[1], policy.lists)
        return _KeyedSlots(rows, sides)

    def in_order(
        self, step: Step, base: Side, existing: Side, fresh: Side, rules: tuple[FieldRule, ...], policy: MergePolicy
    ) -> Iterator[Slot] | None:
        """The items of three lists that have no key; None where the list is one value."""
        b, e, f = (side if isinstance(side, ListNode) else None for side in (base, existing, fresh))
        if b is None or e is None or f is None:
            return None
        if not self.settings.exact and policy.lists.strategy in ("replace", "key"):
            return None
        paired = self.settings.paired
        lists = Alignment(b, e, f, *(paired.get(format_path(self.path(step)), ()) if paired else ()))
        runs = aligned(lists, everything=bool(rules))
        steps = _ItemSteps(lists)
        return None if runs is None else (_slot(steps.to(run), run, b, e, f) for run in runs)

    def moved(self, step: Step, rows: list[Pairing], base: ListNode, fresh: ListNode, rule: ListRule) -> list[Pairing]:
        """The same rows, with an item whose key an input moves in one row instead of two."""
        gone = {row[1][2]: row for row in rows if row[1][1] is None and row[1][2] is not None}
        new = {row[1][1]: row for row in rows if row[1][0] is None and row[1][2] is None}
        if not gone or not new:
            return rows
        found = self.moves.items(self.path(step), base, fresh, rule)
        pairs = {id(gone[old]): new[now] for old, now in found.items() if old in gone and now in new}
        taken = {id(row) for row in pairs.values()}
        return [_joined(row, pairs[id(row)]) if id(row) in pairs else row for row in rows if id(row) not in taken]

    # One field

    def decide(self, frame: _Frame, slot: Slot, rules: tuple[FieldRule, ...]) -> None:
        """By the table, then by the rules about something inside a value that is decided as a whole."""
        step, _, base, existing, fresh = slot
        row = self.row(base, existing, fresh)
        value = existing if row.take == "existing" else fresh
        inputs: tuple[str, ...] = ()
        if row.number in MOVING:
            inputs = self.moves.inputs(self.path(step), self.fresh_path(step)) if self.moves is not NO_MOVES else ()
            row, value = self.decided(row, slot, inputs)
        if row.number in SETTABLE and row is not SET and self.moves is not NO_MOVES and _are_scalars(existing, fresh):
            names, given = self.set_by_input(slot)
            if names:
                row, value, inputs = SET, given, names
                slot = (*slot[:4], value)
        if self.settings.verdicts and row.kind in KEPT and row is not MERGED_IN_PART:
            row, value = self.judged(row, slot, value)
        if self.settings.overwrite and row.kind in (*KEPT, "merged"):
            row, value = (OVERWRITTEN if existing is not None else RESTORED), fresh
        if rules and isinstance(existing, Scalar) and any(rule.action == "set" and rule.path for rule in rules):
            row, value = OVERWRITTEN, None  # something is set inside a value that has no inside
        if row.kind:
            self.report(row, slot, inputs)
        if row is MERGED_IN_PART:
            self.entries[-1].agreed, self.entries[-1].clashes = self.agreed, self.clashes
        before = frame.shift
        self.take(frame, slot, self.imposed(slot, value, rules, frame.in_list) if rules else value)
        if row is TAKEN:
            frame.taken += frame.shift - before

    def gives_way(self, frame: _Frame, slot: Slot, rule: FieldRule) -> bool:
        """Let an input of this run decide a field that an earlier run set; whether there is one."""
        step, key, _, existing, fresh = slot
        if self.moves is NO_MOVES or not isinstance(existing, Scalar) or not isinstance(fresh, Scalar):
            return False
        inputs = self.moves.inputs(self.path(step), self.fresh_path(step))
        inputs = inputs if self.moves.decide(inputs) else self.moves.set_now(self.fresh_path(step), True)
        if inputs:
            self.report(SET, (step, key, rule.value, existing, fresh), inputs)
            self.entries[-1].earlier = rule.value
            self.take(frame, slot, existing if equal(existing, fresh) else fresh)
        return bool(inputs)

    def set_by_input(self, slot: Slot) -> tuple[tuple[str, ...], Side]:
        """The inputs by which `--set` decides a scalar, and its value then; of a text, only the lines that they are
        in."""
        step, _, base, existing, fresh = slot
        inputs = self.moves.set_now(self.fresh_path(step), not _equal_or_absent(base, fresh))
        if not inputs or not _text(existing) or not _text(fresh):
            return inputs, fresh
        other = _text(self.moves.otherwise(inputs, self.fresh_path(step)))
        merged = merge_values(other, _text(existing), _text(fresh), lambda first, last: "take") if other else None
        if merged is None:
            return inputs, fresh
        secret = any(isinstance(side, Scalar) and side.secret for side in (existing, fresh))
        same = merged.text == _text(existing)
        return (() if same else inputs), existing if same else Scalar(merged.text, merged.text, secret=secret)

    def decided(self, row: DecisionRow, slot: Slot, inputs: tuple[str, ...]) -> tuple[DecisionRow, Side]:
        """A row in which the generator moves: by an input, by the lines of a text, or as the table says."""
        _, _, base, existing, fresh = slot
        if row.number == 9 and _text(base) and _text(existing) and _text(fresh):
            merged = merge_values(_text(base), _text(existing), _text(fresh), self.lines_decided(slot[0]))
            if merged is not None:
                secret = any(isinstance(side, Scalar) and side.secret for side in (base, existing, fresh))
                self.agreed = Scalar(merged.agreed, merged.agreed, secret=secret)
                made = Scalar(merged.text, merged.text, secret=secret)
                value = existing if merged.text == _text(existing) else made
                clean = KEPT_HERE if value is existing else MERGED
                self.clashes = () if secret else tuple(merged.conflicts)
                return MERGED_IN_PART if merged.conflicts else clean, value
        sides = (existing, fresh) if row.number == 16 else (base, existing, fresh)
        whole = all(isinstance(side, Scalar) for side in sides) and not (row.number == 16 and _text(existing))
        if row.number in DECIDABLE and whole and self.moves.decide(inputs):
            return SET, fresh
        return row, existing if row.take == "existing" else fresh

    def lines_decided(self, step: Step) -> Callable[[int, int], str] | None:
        """What somebody decided about lines of a text, where anything is decided."""
        if not self.settings.verdicts:
            return None
        path = self.called(step)
        about = [verdict for verdict in self.settings.verdicts if verdict.about(path)]
        return lambda first, last: next((one.action for one in about if one.meets(first, last)), "")

    def judged(self, row: DecisionRow, slot: Slot, value: Side) -> tuple[DecisionRow, Side]:
        """What is kept here, as somebody decided it."""
        step, _, _, existing, fresh = slot
        path = self.called(step)
        rulings = (one for one in self.settings.verdicts if row.conflict or not one.only_conflicts)
        action = next((one.action for one in rulings if one.about(path) and one.meets()), "")
        if not action or (action == "keep" and not row.conflict):
            return row, value
        return (TAKEN, fresh) if action == "take" else (KEPT_HERE if existing is not None else KEPT_AWAY, existing)

    def row(self, base: Side, existing: Side, fresh: Side) -> DecisionRow:
        """The line of the table."""
        same = existing is not None and fresh is not None and equal(existing, fresh)
        if base is None and not self.settings.record:
            spelled = "?" + ("-" if existing is None else "e") + ("-" if fresh is None else "e" if same else "f")
            return KEPT_ABSENT if spelled == "?-f" and self.settings.keep_absent else ROWS.get(spelled, SAME)
        if existing is None and _only_emptied(base, fresh):
            return ROWS["b-b"]
        if base is fresh and base is not None:  # the generator changed nothing
            return ROWS["b-b" if existing is None else "bbb" if same else "beb"]
        e = "-" if existing is None else "b" if base is not None and equal(base, existing) else "e"
        f = "-" if fresh is None else e if same else "b" if base is not None and equal(base, fresh) else "f"
        return ROWS.get(("-" if base is None else "b") + e + f, SAME)

    def ruled(self, frame: _Frame, slot: Slot, rule: FieldRule, rules: tuple[FieldRule, ...]) -> None:
        """A field that a rule decides: rows 1 to 3."""
        step, key, base, existing, fresh = slot
        row = {"pin": PINNED, "own": OWNED}.get(rule.action, SET)
        value = {"set": rule.value, "pin": existing}.get(rule.action, fresh)
        base = next((one.value for one in rules if one.action == "user" and not one.path), base)
        differs = not _equal_or_absent(existing, fresh if rule.action == "pin" else value)
        if row.kind and differs:
            self.report(row, (step, key, base, existing, value if row is SET else fresh))
        if existing is not None and not differs:
            value = existing
        inner = tuple(one for one in rules if one.action == "set" and one.path and one is not rule)
        self.take(frame, slot, self.imposed(slot, value, inner, frame.in_list) if inner else value)

    def imposed(self, slot: Slot, value: Side, rules: tuple[FieldRule, ...], in_list: bool) -> Side:
        """The value with what rules say about something inside it.

        An item that is not here comes whole or not at all.
        """
        step, _, _, existing, fresh = slot
        for rule in rules:
            if not rule.path or rule.path[0] is DEEP:
                continue
            if rule.action == "pin" and existing is not None:
                self.report(PINNED, slot) if not _equal_or_absent(existing, value) else None
                return existing
            if rule.action == "pin":
                value = with_value(value, rule.path, None) if value is not None else None
            elif rule.action == "set":
                before = value_at(value, rule.path)
                value = with_value(value or (fresh if in_list else None), rule.path, rule.value)
                if not _equal_or_absent(before, rule.value):
                    here = (step, None, None, value_at(existing, rule.path), rule.value)
                    self.report(SET, here, below=rule.path)
        return value

    def report(self, row: DecisionRow, slot: Slot, inputs: tuple[str, ...] = (), below: Path = ()) -> None:
        step, _, base, existing, fresh = slot
        entry = ReportEntry((*self.path(step), *below), row, existing, fresh, base, inputs)
        if row.conflict:
            entry.fresh_path = self.fresh_path(step)
            entry.agreed = _under_its_key(base, fresh, step.names) if isinstance(step, MovedStep) else base
        self.entries.append(entry)

    def path(self, step: Step) -> Path:
        """The path to a field of the innermost container."""
        path = tuple(frame.step for frame in self.frames[2:])
        return (*path, step) if len(self.frames) > 1 else path

    def fresh_path(self, step: Step) -> Path:
        return tuple(one.to if isinstance(one, MovedStep | ItemStep) else one for one in self.path(step))

    def called(self, step: Step) -> Path:
        """The path that a decision about a conflict names."""
        return tuple(one.called if isinstance(one, ItemStep) else one for one in self.path(step))

    def take(self, frame: _Frame, slot: Slot, value: Side) -> None:
        """Put a field's value into the container, and note the edit where `existing` has another."""
        step, key, _, existing, _ = slot
        if isinstance(step, ItemStep) and step.several:
            self.take_several(frame, step, existing, value)
            return
        if existing is None:
            if value is not None:
                frame.add(step, value)
            return
        if value is not existing:
            assert key is not None
            frame.replace(key, value)
            path = (*self.where(), _as_written(key)) if len(self.frames) > 1 else ()
            exchanged = isinstance(step, ItemStep) and value is not None and not alike(existing, value)
            self.edits += _exchange(path, value) if exchanged else _edits(path, existing, value)

    def take_several(self, frame: _Frame, step: ItemStep, existing: Side, value: Side) -> None:
        """The same for several items: those that are here go, and the others come in their place."""
        if value is existing:
            return
        for index in range(step.start, step.stop):
            frame.replace(index, None)
            self.edits.append(TextEdit((*self.where(), WrittenItem(index)), None))
        for item in value.items if isinstance(value, ListNode) else ():
            frame.add(step, item)

    def where(self) -> tuple[Key | int, ...]:
        """The keys and indices of `existing` that lead to the innermost container."""
        return tuple(_as_written(frame.key) for frame in self.frames[2:])

    # A container

    def close(self, frame: _Frame, outer: _Frame) -> None:
        """A container is merged: hand it to the one around it."""
        existing = frame.existing
        if existing is None:
            if frame.added:
                outer.add(frame.step, _made(frame))
            return
        order = self.order(frame, existing)
        if not frame.replaced and not frame.added and (order is None or not order.followed):
            return
        assert frame.key is not None
        if frame.fresh is None and _nothing_left(frame, existing):
            del self.edits[frame.start :]
            self.edits.append(TextEdit((*self.where(), _as_written(frame.key)), None))
            outer.replace(frame.key, None)
            return
        prefix = (*self.where(), _as_written(frame.key)) if len(self.frames) > 1 else ()
        if isinstance(existing, ListNode):
            added = _new_items(frame, existing, order)
            made = _list_after(existing, frame, order, added)
            self.edits += [TextEdit((*prefix, WrittenItem(at)), node, insert=True) for at, node in added]
            self.edits += [OrderEdit(prefix, made)] if order is not None and order.followed else ()
        else:
            assert isinstance(existing, MapNode)
            source, places = frame.fresh if isinstance(frame.fresh, MapNode) else None, _places(frame, existing)
            made = _map_after(existing, frame, places)
            self.edits += [
                TextEdit((*prefix, step), node, source, True, places.get(step, AT_END))  # type: ignore[arg-type]
                for step, node in frame.added
            ]
        outer.replace(frame.key, made)

    def order(self, frame: _Frame, existing: Node) -> Arrangement | None:
        """The order of the items of a list with keys; None for any other container."""
        if not frame.rows:
            return None
        order = Arrangement([where for where, _ in _members_after(frame, existing)], self.settings.overwrite)
        if order.followed or order.disputed:
            row = ORDER_KEPT if order.disputed else ORDER_LOST if self.settings.overwrite else REORDERED
            self.entries.append(ReportEntry(self.path(frame.step), row, existing, frame.fresh))
        return order


def _one_item(base: Side, *sides: Side) -> bool:
    """Whether what is in the place of an item is that item, and not another."""
    return all(base is None or side is None or alike(base, side) for side in sides)


def _exchange(path: tuple[Key | int, ...], value: Side) -> list[TextEdit]:
    """The edits that put an item in the place of another one: comments on the old one go with it."""
    return [TextEdit(path, None), TextEdit(path, value, insert=True)]


def _edits(path: tuple[Key | int, ...], existing: Node, value: Side) -> list[TextEdit]:
    """The edits that put a value in the place of another: for containers of one kind, what differs inside them."""
    if value is None or existing.__class__ is not value.__class__ or not isinstance(value, Container):
        return [TextEdit(path, value)]
    if not _same_tag([existing, value]) or not _members(existing) or not _members(value):
        return [TextEdit(path, value)]
    inside = _Walk(MergeSettings(exact=True), NO_MOVES).merge(existing, existing, value, ())
    for edit in inside.edits:
        edit.path = (*path, *edit.path)
    return inside.edits


def _slot(step: ItemStep, run: ItemRun, base: ListNode, existing: ListNode, fresh: ListNode) -> Slot:
    sides = ((base, run.base), (existing, run.here), (fresh, run.fresh))
    b, e, f = (_items(side, span, step.several) for side, span in sides)
    return step, None if e is None else step.start, b, e, f


def _items(side: ListNode, span: tuple[int, int], several: bool) -> Side:
    """One item, or several as a list; None where there is none."""
    start, stop = span
    if start == stop:
        return None
    return ListNode(side.items[start:stop], side.source, side.items[start].at) if several else side.items[start]


def _as_written(key: Key | int | None) -> Key | int:
    """A key of a map, or the place of an item."""
    assert key is not None
    return WrittenItem(key) if key.__class__ is int else key


def _unordered(slot: Slot, policy: MergePolicy) -> Slot:
    """A container that is decided as a whole; another order of items with a key is not a change."""
    step, key, base, existing, fresh = slot
    if base is None or existing is None or existing.__class__ not in (MapNode, ListNode) or equal(base, existing):
        return slot
    return (step, key, existing, existing, fresh) if _same_but_for_order(base, existing, policy) else slot


def _same_but_for_order(a: Node, b: Node, policy: MergePolicy) -> bool:
    """Whether two trees are the same, the order of items with a key aside. Without recursion."""
    work: list[tuple[Side, Side, MergePolicy]] = [(a, b, policy)]
    while work:
        left, right, here = work.pop()
        if left is None or right is None:
            return False
        if equal(left, right):
            continue
        if left.__class__ is not right.__class__ or not _same_tag([left, right]):
            return False
        if isinstance(left, MapNode) and isinstance(right, MapNode) and left.entries.keys() == right.entries.keys():
            work += [(child, right.entries[key], here.child(key)) for key, child in left.entries.items()]
        elif isinstance(left, ListNode) and isinstance(right, ListNode):
            rows = pair((left, right, None), here.lists)
            if rows is None or any(at[0] is None or at[1] is None for _, at in rows):
                return False
            work += [(left.items[at[0]], right.items[at[1]], here.child(step, at[0])) for step, at in rows]  # type: ignore[index]
        else:
            return False
    return True


def _stood_for(slot: Slot, rule: FieldRule) -> Slot:
    """A field whose base, and maybe what is generated, a rule stands for."""
    step, key, _, existing, fresh = slot
    if rule.action == "user":
        return step, key, rule.value, existing, rule.value
    if rule.action == "forgotten":
        return step, key, rule.value, existing, fresh
    return step, key, existing if existing is not None else fresh, existing, fresh


def _under_its_key(base: Side, fresh: Side, names: tuple[str, ...]) -> Side:
    """An item as it was, with the key that it is generated with now."""
    if not isinstance(base, MapNode) or not isinstance(fresh, MapNode):
        return base
    keys: dict[Key, Node] = {name: fresh.entries[name] for name in names if name in fresh.entries}
    return MapNode({**base.entries, **keys}, base.source, base.at, base.tag)


def _joined(here: Pairing, now: Pairing) -> Pairing:
    """One row for an item: where it is here and was last time, and where it is generated now."""
    step = MovedStep(here[0], now[0]) if isinstance(here[0], Keyed) else here[0]
    return step, [here[1][0], now[1][1], here[1][2]]


def _are_scalars(*sides: Side) -> bool:
    return all(isinstance(side, Scalar) for side in sides)


def _text(node: Side) -> str:
    """The text of a scalar that has several lines; nothing for any other value."""
    value = node.value if isinstance(node, Scalar) and node.tag is None else None
    return value if isinstance(value, str) and "\n" in value else ""


def value_at(node: Side, path: Path) -> Side:
    """What a path leads to."""
    for step in path:
        node = step_into(node, step) if node is not None else None
    return node


def with_value(node: Side, path: Path, value: Side) -> Side:
    """The same tree with another value at a path (None: without it); maps that are missing on the way are made."""
    trail: list[tuple[Side, Step]] = []
    at = node
    for depth, step in enumerate(path):
        where = _where(at, step)
        if where is None:
            if value is None or any(not isinstance(rest, str) for rest in path[depth:]):
                return node  # nothing to take out, or no way to make it
            trail.append((at if isinstance(at, MapNode) else None, step))
            at = None
            continue
        trail.append((at, where))
        at = at.entries[where] if isinstance(at, MapNode) else at.items[where]  # type: ignore[union-attr, index]
    for container, step in reversed(trail):
        value = _replaced(container, step, value)
    return value


def with_base(node: Node, path: Path, value: Side) -> Node:
    """What was generated last, with another value at a path (None: nothing); an item of a list that is not there is
    put at its end."""
    holder = value_at(node, path[:-1]) if path else None
    if path and isinstance(holder, ListNode) and value is not None and _where(holder, path[-1]) is None:
        items = [*holder.items, value]
        return with_base(node, path[:-1], ListNode(items, holder.source, holder.at, holder.tag))
    return with_value(node, path, value) or MapNode({}) if path else value or MapNode({})


def outer_list(path: Path) -> Path | None:
    """The path of the outermost list without keys that a path leads through; None where there is none."""
    at = next((at for at, step in enumerate(path) if isinstance(step, ItemStep)), None)
    return None if at is None else path[:at]


def agreed_list(fresh: ListNode, entries: list[ReportEntry], depth: int) -> Node:
    """A list without keys as the next merge begins with it: what is generated now, but what was there before wherever
    it is in conflict. `depth` is the length of its path."""
    items = [*fresh.items]
    for entry in reversed(entries):  # from the end, so that places stay what they are
        step = entry.path[depth]
        assert isinstance(step, ItemStep)
        if len(entry.path) == depth + 1:
            _put_back(items, entry, step)
        else:
            items[step.fresh_start] = _agreed_inside(items[step.fresh_start], entry, depth + 1)
    return ListNode(items, fresh.source, fresh.at, fresh.tag)


def next_alignment(entries: list[ReportEntry], depth: int) -> tuple[list[Span], list[Span], int] | None:
    """What both sides of a list without keys have changed for the next merge, where that can be told, and how long the
    merged list is. `depth` is the length of its path."""
    steps = [(entry.path[depth], len(entry.path) == depth + 1) for entry in entries]
    clashes = {step.run for step, whole in steps if whole and isinstance(step, ItemStep)}
    inside = {step.run for step, whole in steps if not whole and isinstance(step, ItemStep)}
    first = steps[0][0]
    return first.lists.next_ones(clashes, inside) if isinstance(first, ItemStep) else None


def _agreed_inside(item: Node, entry: ReportEntry, depth: int) -> Node:
    """The same for one conflict in an item; `depth` is the length of the item's path."""
    path, step = entry.fresh_path[depth:], entry.path[-1]
    if not isinstance(step, ItemStep):
        return with_base(item, path, entry.agreed)
    holder = value_at(item, path[:-1])
    assert isinstance(holder, ListNode)
    items = [*holder.items]
    _put_back(items, entry, step)
    return with_base(item, path[:-1], ListNode(items, holder.source, holder.at, holder.tag))


def _put_back(items: list[Node], entry: ReportEntry, step: ItemStep) -> None:
    """What was there before, in the place of what is generated now."""
    count = len(_as_items(entry.fresh, step))
    items[step.fresh_start : step.fresh_start + count] = _as_items(entry.agreed, step)


def _as_items(side: Side, step: ItemStep) -> list[Node]:
    return side.items if step.several and isinstance(side, ListNode) else [] if side is None else [side]


def _where(node: Side, step: Step) -> Key | int | None:
    if isinstance(node, MapNode):
        return entry_key(node, step)
    return item_index(node, step) if isinstance(node, ListNode) else None


def _replaced(container: Side, where: Step, value: Side) -> Node:
    if isinstance(container, ListNode):
        items = [value if at == where else item for at, item in enumerate(container.items)]
        return ListNode([i for i in items if i is not None], container.source, container.at, container.tag)
    before = container.entries if isinstance(container, MapNode) else {}
    entries: dict[Key, Node] = {key: node for key, node in before.items() if key != where}
    if value is not None:
        entries = {**before, where: value}  # type: ignore[dict-item]
    if not isinstance(container, MapNode):
        return MapNode(entries)
    return MapNode(entries, container.source, container.at, container.tag)


def _owned_below(rules: tuple[FieldRule, ...]) -> bool:
    """Whether there is an owned field in a map that is not here: it comes back, with the maps around it and no item."""
    return any(rule.action == "own" and all(isinstance(step, str) for step in rule.path) for rule in rules)


def _only_emptied(base: Side, fresh: Side) -> bool:
    """Whether the generator only removed all that was in a map or list: with the whole of it, that is gone anyway."""
    container = isinstance(base, MapNode | ListNode) and base.__class__ is fresh.__class__
    return container and fresh is not None and not _members(fresh) and _same_tag([base, fresh])  # type: ignore[list-item]


def _members(node: Node) -> object:
    return node.entries if isinstance(node, MapNode) else node.items if isinstance(node, ListNode) else True


def _below(rules: tuple[FieldRule, ...], slot: Slot) -> tuple[FieldRule, ...]:
    return tuple(rest for rule in rules if rule.path for rest in rule.after(slot[0], slot[2:], _index(slot)))


def _index(slot: Slot) -> int | None:
    """Where an item is in the list as it is; None for a field, and for an item that is not there."""
    return slot[1] if isinstance(slot[1], int) else None


def _exact(rules: tuple[FieldRule, ...]) -> FieldRule | None:
    """The rule on this very place that goes before the others."""
    here = [rule for rule in rules if not rule.path or rule.path == (DEEP,)]
    return min(here, key=lambda rule: PRECEDENCE.index(rule.action)) if here else None


def _equal_or_absent(a: Side, b: Side) -> bool:
    return a is b or (a is not None and b is not None and equal(a, b))


def _one_kind(*sides: Side) -> type[Node] | None:
    """The kind of container that all sides are which are there, with one tag; None where they are no such."""
    kind: type[MapNode | ListNode] | None = None
    tag: str | None = None
    for side in sides:
        if side is None:
            continue
        if side.__class__ is not MapNode and side.__class__ is not ListNode:
            return None
        assert isinstance(side, MapNode | ListNode)
        if kind is None:
            kind, tag = side.__class__, side.tag
        elif side.__class__ is not kind or side.tag != tag:
            return None
    return kind


def _same_tag(sides: list[Node]) -> bool:
    return len({side.tag for side in sides if isinstance(side, Known)}) < 2


def _fields(base: Side, existing: Side, fresh: Side, rules: tuple[FieldRule, ...]) -> Iterator[Slot]:
    """The fields of up to three maps: those of `existing` in their order, then the new ones, then those that are
    only set."""
    e, f, apart = _entries(existing, fresh, bool(rules))
    f = _spelled_as(e, f)
    b = f if base is fresh else _spelled_as(f, _spelled_as(e, base.entries if isinstance(base, MapNode) else {}))
    for key in e if rules or apart else unlike(e, f):  # all others are row 4: most fields of most documents
        yield key, key, b.get(key), e[key], f.get(key)
    for key in () if f.keys() <= e.keys() else f:
        if key not in e:
            yield key, None, b.get(key), None, f[key]
    for rule in rules:
        if rule.action in ("set", "user") and rule.path and isinstance(rule.path[0], str):
            name = rule.path[0]
            if name not in e and name not in f and not any(key_text(key) == name for key in (*e, *f)):
                yield name, None, None, None, None


def _spelled_as(known: dict[Key, Node], entries: dict[Key, Node]) -> dict[Key, Node]:
    """The entries of a map with its keys spelled as in another one, where they differ only in quotes (`'500'`, `500`).

    Where no key is a number or the like, and none is missing, this is the map itself.
    """
    if entries.keys() <= known.keys() or not any(isinstance(key, Node) for key in (*known, *entries)):
        return entries
    texts = {key_text(key): key for key in known if key not in entries}
    return {key if key in known else texts.get(key_text(key), key): node for key, node in entries.items()}


def _entries(existing: Side, fresh: Side, everything: bool) -> tuple[dict[Key, Node], dict[Key, Node], bool]:
    """The entries of two maps; without those that are written alike (True), where not all are asked for and these are
    found without building them."""
    here = existing if isinstance(existing, MapNode) else None
    there = fresh if isinstance(fresh, MapNode) else None
    if here is not None and there is not None and not everything:
        found = here.fields_unlike(there)
        if found is not None:
            return *found, True
    return here.entries if here is not None else {}, there.entries if there is not None else {}, False


def _nothing_left(frame: _Frame, existing: Node) -> bool:
    count = existing.size if isinstance(existing, Container) else 0
    return not frame.added and count == sum(node is None for node in frame.replaced.values())


def _members_after(frame: _Frame, existing: Node) -> list[tuple[Member, Node]]:
    """The items of a list with keys once it is merged, each with where it is on the three sides."""
    assert isinstance(existing, ListNode)
    known = {at[0]: at for _, at in frame.rows}
    new: dict[Step, list[int | None]] = {step: at for step, at in frame.rows if at[0] is None}
    members: list[tuple[Member, Node]] = []
    for index, item in enumerate(existing.items):
        node = frame.replaced.get(index, item)
        if node is not None:
            _, fresh, base = known.get(index, (index, None, None))
            members.append(((index, fresh, base), node))
    return members + [((None, new[step][1], new[step][2]), node) for step, node in frame.added]


def _new_items(frame: _Frame, existing: ListNode, order: Arrangement | None) -> list[tuple[int, Node]]:
    """The new items of a list, each with the item here that it goes before."""
    end = len(existing.items)
    if order is None:
        return [(step.stop if isinstance(step, ItemStep) else end, node) for step, node in frame.added]
    members = _members_after(frame, existing)
    found: list[tuple[int, Node]] = []
    before = end
    for number in reversed(order.numbers):
        (here, _, _), node = members[number]
        if here is None:
            found.append((before, node))
        else:
            before = here
    return found[::-1]


def _list_after(existing: ListNode, frame: _Frame, order: Arrangement | None, added: list[tuple[int, Node]]) -> Node:
    """A list of `existing`, with what is replaced and what is new."""
    if order is not None:
        members = _members_after(frame, existing)
        made: list[Side] = [members[number][1] for number in order.numbers]
    else:
        new: dict[int, list[Side]] = {}
        for at, node in added:
            new.setdefault(at, []).append(node)
        items = enumerate(existing.items)
        made = [one for at, item in items for one in (*new.get(at, ()), frame.replaced.get(at, item))]
        made += new.get(existing.size, ())
    return ListNode([item for item in made if item is not None], existing.source, existing.at, existing.tag)


def _places(frame: _Frame, existing: MapNode) -> dict[Key, Place]:
    """Where the new fields of a map go; those that are not named go to its end."""
    fresh = frame.fresh if isinstance(frame.fresh, MapNode) else None
    if fresh is None or not frame.added or existing.parts:
        return {}
    here = [key for key in existing.entries if isinstance(key, str) and frame.replaced.get(key, existing) is not None]
    new = {step for step, _ in frame.added if isinstance(step, str)}
    return places_of_keys(new, here, [key for key in fresh.entries if isinstance(key, str)])  # type: ignore[arg-type]


def _map_after(existing: MapNode, frame: _Frame, places: dict[Key, Place]) -> Node:
    """A map of `existing`, with what is replaced and what is new."""
    new: dict[Place, list[tuple[Key, Node]]] = {}
    for step, node in frame.added:
        new.setdefault(places.get(step, AT_END), []).append((step, node))  # type: ignore[arg-type]
    entries: dict[Key, Side] = {}
    for key, node in existing.entries.items():
        entries.update(new.get(("before", key), ()))
        entries[key] = frame.replaced.get(key, node)
        entries.update(new.get(("after", key), ()))
    entries.update(new.get(AT_END, ()))
    kept: dict[Key, Node] = {key: node for key, node in entries.items() if node is not None}
    return MapNode(kept, existing.source, existing.at, existing.tag)


def _made(frame: _Frame) -> Node:
    """The new members of a container that others deleted."""
    model = frame.fresh
    assert isinstance(model, MapNode | ListNode)
    if isinstance(model, MapNode):
        return MapNode(dict(frame.added), model.source, model.at, model.tag)  # type: ignore[arg-type]
    return ListNode([node for _, node in frame.added], model.source, model.at, model.tag)
