"""Generate again, keep what others changed: a merge that decides each field by what was generated last (`base`), what is
there now (`existing`) and what would be generated (`fresh`).

`ROWS` is the decision table. Its keys spell the three sides, in that order: `-` is absent, `?` means that nobody remembers,
and the same letter means the same value, so `beb` is "somebody changed it and the generator did not move".

Maps merge key by key. Lists merge item by item where `align` can tell the items apart, and are one value otherwise. An item
is deleted or kept whole. A value of another kind is one decision at that path. What the disk has stays where it stands.

Without a stack of Python's: the walk keeps its own.
"""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node, Scalar, Sequence, equal, key_text
from plait.core.path import ANY, DEEP, Keyed, Path, Step, entry_key, format_path, item_index
from plait.core.policy import MergePolicy
from plait.core.source import UNKNOWN
from plait.merging.align import INFER, pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Side = Node | None
    Slot = tuple[Step, Key | int | None, Side, Side, Side]
    """One field: the step to it, where it is on disk (None if it is not), and its value on each side."""


class Row:
    """One line of the table: which side is taken, and what is said about it."""

    __slots__ = ("conflict", "kind", "number", "take")

    def __init__(self, number: int, take: str, kind: str = "", conflict: bool = False) -> None:
        self.number = number
        self.take = take
        self.kind = kind
        self.conflict = conflict


SET, PINNED, OWNED = Row(1, "value", "set"), Row(2, "existing", "pinned"), Row(3, "fresh")
SAME = Row(4, "existing")
ROWS = {
    "bbb": SAME,
    "bee": SAME,
    "-ee": SAME,
    "?ee": SAME,
    "bbf": Row(5, "fresh", "updated"),
    "bb-": Row(6, "fresh", "removed"),
    "beb": Row(7, "existing", "changed"),
    "b-b": Row(8, "existing", "deleted"),
    "bef": Row(9, "existing", "both", conflict=True),
    "b-f": Row(10, "existing", "both", conflict=True),
    "be-": Row(11, "existing", "dropped", conflict=True),
    "b--": Row(12, "existing"),
    "-e-": Row(13, "existing", "extra"),
    "--f": Row(14, "fresh", "added"),
    "-ef": Row(15, "existing", "both", conflict=True),
    "?ef": Row(16, "existing", "changed", conflict=True),
    "?-f": Row(17, "fresh", "added"),
    "?e-": Row(18, "existing", "extra"),
}
KEPT_ABSENT = Row(17, "existing", "deleted", conflict=True)
"""Row 17 for those who want what is missing to stay missing."""
OVERWRITTEN = Row(0, "fresh", "overwritten")
"""Not of the table: `overwrite` takes the fresh side everywhere, and says what that loses."""
KEPT = ("changed", "deleted", "both", "dropped", "extra", "orphan")
"""The kinds that tell of something preserved."""


class Entry:
    """One line of the report: what happened to the field at `path`, and the values it was decided by (None: absent)."""

    __slots__ = ("base", "existing", "fresh", "path", "row")

    def __init__(self, path: Path, row: Row, existing: Side = None, fresh: Side = None, base: Side = None) -> None:
        self.path = path
        self.row = row
        self.existing = existing
        self.fresh = fresh
        self.base = base

    @property
    def kind(self) -> str:
        return self.row.kind

    def __repr__(self) -> str:
        return f"Entry({format_path(self.path)} {self.kind})"


class Edit:
    """A change to the text on disk: the keys and indices that lead there, and the value (None: delete).

    `key_of` is the generated map that has the key, for the comment that a new field brings along.
    """

    __slots__ = ("key_of", "path", "value")

    def __init__(self, path: tuple[Key | int, ...], value: Side, key_of: Mapping | None = None) -> None:
        self.path = path
        self.value = value
        self.key_of = key_of

    def __repr__(self) -> str:
        return f"Edit({format_path(self.path)} = {self.value!r})"


class Claim:
    """What somebody says about a path ahead of the table.

    `set`: this value. `given`: what is generated, because an input was changed. `pin`: what is there. `own`: what is
    generated, without a word. `user`: this value was set in an earlier run, so the generator stands for it. `ours`: what
    is there is what was generated last.
    """

    __slots__ = ("action", "path", "value")

    def __init__(self, action: str, path: Path, value: Side = None) -> None:
        self.action = action
        self.path = path
        self.value = value

    def after(self, step: Step, items: Iterable[Side]) -> Iterator[Claim]:
        """What is left of it one step further down."""
        head = self.path[0]
        if head is DEEP:
            yield self
            yield from Claim(self.action, self.path[1:], self.value).after(step, items) if len(self.path) > 1 else ()
        elif head is ANY or _same_step(head, step, items):
            yield Claim(self.action, self.path[1:], self.value)


PRECEDENCE = ("set", "pin", "given", "own", "user", "ours")


def _same_step(head: Step, step: Step, items: Iterable[Side]) -> bool:
    if isinstance(head, Keyed):
        return head == step or any(item is not None and head.matches(item) for item in items)
    if isinstance(step, Node):
        return key_text(step) == str(head)
    return head == step or (isinstance(head, int) and isinstance(step, str) and step == str(head))


class Terms:
    """What holds for a whole merge: whether a base is remembered, and the flags."""

    __slots__ = ("keep_absent", "overwrite", "policy", "record")

    def __init__(
        self, record: bool = True, overwrite: bool = False, keep_absent: bool = False, policy: MergePolicy | None = None
    ) -> None:
        self.record = record
        self.overwrite = overwrite
        self.keep_absent = keep_absent
        self.policy = policy or MergePolicy(INFER)


class Outcome:
    """The merged tree, what to say about it, and the edits that make it out of what is there."""

    __slots__ = ("edits", "entries", "node")

    def __init__(self, node: Node, entries: list[Entry], edits: list[Edit]) -> None:
        self.node = node
        self.entries = entries
        self.edits = edits


def threeway(
    base: Side, existing: Node, fresh: Node, terms: Terms | None = None, claims: Iterable[Claim] = ()
) -> Outcome:
    """`existing` with everything that the generator may change."""
    return _Walk(terms or Terms(record=base is not None)).run(base, existing, fresh, tuple(claims))


class _Frame:
    """A container that is being merged, and what has become of it so far."""

    __slots__ = (
        "added", "claims", "existing", "fresh", "key", "policy", "replaced", "slots", "start", "step", "whole",
    )  # fmt: skip

    def __init__(
        self, step: Step, key: Key | int | None, existing: Side, fresh: Side, slots: Iterator[Slot], policy: MergePolicy,
        claims: tuple[Claim, ...], start: int, whole: bool,
    ) -> None:  # fmt: skip
        self.step = step
        self.key = key
        self.existing = existing
        self.fresh = fresh
        self.slots = slots
        self.policy = policy
        self.claims = claims
        self.start = start
        self.whole = whole
        self.replaced: dict[Key | int, Side] = {}
        """What the disk has and is to have otherwise (None: not at all)."""
        self.added: list[tuple[Step, Node]] = []


class _Walk:
    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.entries: list[Entry] = []
        self.edits: list[Edit] = []
        self.frames: list[_Frame] = []

    def run(self, base: Side, existing: Node, fresh: Node, claims: tuple[Claim, ...]) -> Outcome:
        top = _Frame("", None, None, None, iter(()), self.terms.policy, (), 0, False)
        self.frames.append(top)
        self.place(top, ("", 0, base, existing, fresh), claims, self.terms.policy)
        while len(self.frames) > 1:
            self.advance(self.frames[-1])
        return Outcome(top.replaced.get(0) or existing, self.entries, self.edits)

    def advance(self, frame: _Frame) -> None:
        """The next field of the innermost container that needs one; or the container is done."""
        claims, policy = frame.claims, frame.policy
        for slot in frame.slots:
            step = slot[0]
            below = _below(claims, step, slot[2:]) if claims else ()
            if self.place(frame, slot, below, policy if policy.uniform else policy.child(step)):
                return
        self.frames.pop()
        self.close(frame, self.frames[-1])

    def place(self, frame: _Frame, slot: Slot, claims: tuple[Claim, ...], policy: MergePolicy) -> bool:
        """Decide one field, or go down into it (True)."""
        step, key, base, existing, fresh = slot
        exact = _exact(claims) if claims else None
        if exact is not None:
            if exact.action not in ("user", "ours"):
                self.claimed(frame, slot, exact)
                return False
            base = exact.value if exact.action == "user" else existing if existing is not None else fresh
            fresh = exact.value if exact.action == "user" else fresh
        slot = (step, key, base, existing, fresh)
        slots = self.inside(slot, frame.whole, claims, policy)
        if slots is None:
            self.decide(frame, slot, claims)
            return False
        if existing is not None and _kind_below(claims, existing, fresh) not in (None, existing.__class__):
            self.say(OVERWRITTEN, slot)
            existing = None
        whole = isinstance(existing or fresh or base, Sequence)
        inner = _Frame(step, key, existing, fresh, slots, policy, claims, len(self.edits), whole)
        self.frames.append(inner)
        return True

    def inside(self, slot: Slot, whole: bool, claims: tuple[Claim, ...], policy: MergePolicy) -> Iterator[Slot] | None:
        """The fields below, where the sides are to be merged field by field."""
        _, _, base, existing, fresh = slot
        kind = _kind_below(claims, existing, fresh) if claims else None
        if kind is not None:
            return _fields(base, existing, fresh, claims) if kind is Mapping else _items(base, existing, fresh, policy)
        if existing is None and (base is None or fresh is None or not _members(fresh)):
            return None
        if fresh is None and (self.terms.overwrite or _both_empty(base, existing)):
            return None
        if whole and (existing is None or fresh is None):
            return None
        sides = [side for side in (existing, fresh, base) if side is not None]
        if all(side.__class__ is Mapping for side in sides):
            return _fields(base, existing, fresh, claims) if _same_tag(sides) else None
        if all(side.__class__ is Sequence for side in sides) and (claims or not self.terms.overwrite):
            return _items(base, existing, fresh, policy) if _same_tag(sides) else None
        return None

    # One field

    def decide(self, frame: _Frame, slot: Slot, claims: tuple[Claim, ...]) -> None:
        """By the table; a set inside a list that is one value changes the value that the table chose."""
        _, _, base, existing, fresh = slot
        row = self.row(base, existing, fresh)
        if row is None:
            return
        if row.kind:
            self.say(row, slot)
        value = existing if row.take == "existing" else fresh
        for claim in claims:
            if claim.action == "set" and value is not None:
                value = imposed(value, claim.path, claim.value)
        self.take(frame, slot, value)

    def row(self, base: Side, existing: Side, fresh: Side) -> Row | None:
        """The line of the table; None where no side has anything."""
        if existing is None and fresh is None and base is None:
            return None
        same = existing is not None and fresh is not None and equal(existing, fresh)
        if self.terms.overwrite and (existing is not None or fresh is not None):
            return (
                SAME if same else OVERWRITTEN if existing is not None else ROWS["--f" if self.terms.record else "?-f"]
            )
        if base is None and not self.terms.record:
            spelled = "?" + ("-" if existing is None else "e") + ("-" if fresh is None else "e" if same else "f")
            return KEPT_ABSENT if spelled == "?-f" and self.terms.keep_absent else ROWS.get(spelled)
        e = "-" if existing is None else "b" if base is not None and equal(base, existing) else "e"
        f = "-" if fresh is None else e if same else "b" if base is not None and equal(base, fresh) else "f"
        return ROWS[("-" if base is None else "b") + e + f]

    def claimed(self, frame: _Frame, slot: Slot, claim: Claim) -> None:
        """A field that somebody has a word on: rows 1 to 3."""
        step, key, base, existing, fresh = slot
        row = {"pin": PINNED, "own": OWNED}.get(claim.action, SET)
        value = {"set": claim.value, "pin": existing}.get(claim.action, fresh)
        differs = not _equal_or_absent(existing, fresh if claim.action == "pin" else value)
        if row.kind and differs:
            self.say(row, (step, key, base, existing, value if row is SET else fresh))
        if existing is not None and not differs:
            value = existing
        self.take(frame, slot, value)

    def say(self, row: Row, slot: Slot) -> None:
        step, _, base, existing, fresh = slot
        path = tuple(frame.step for frame in self.frames[2:])
        if len(self.frames) > 1:
            path = (*path, step)
        self.entries.append(Entry(path, row, existing, fresh, base))

    def take(self, frame: _Frame, slot: Slot, value: Side) -> None:
        """Put a field's value into the container, and note the edit where the disk has another."""
        step, key, _, existing, _ = slot
        if existing is None:
            if value is not None:
                frame.added.append((step, value))
            return
        if value is not existing:
            assert key is not None
            frame.replaced[key] = value
            self.edits.append(Edit((*self.where(), key) if len(self.frames) > 1 else (), value))

    def where(self) -> tuple[Key | int, ...]:
        """The keys and indices on disk that lead to the innermost container."""
        return tuple(frame.key for frame in self.frames[2:])  # type: ignore[misc]

    # A container

    def close(self, frame: _Frame, outer: _Frame) -> None:
        """A container is merged: hand it to the one around it."""
        existing = frame.existing
        if existing is None:
            self.close_new(frame, outer)
            return
        if not frame.replaced and not frame.added:
            return
        assert frame.key is not None
        if frame.fresh is None and _nothing_left(frame, existing):
            del self.edits[frame.start :]
            self.edits.append(Edit((*self.where(), frame.key), None))
            outer.replaced[frame.key] = None
            return
        prefix = (*self.where(), frame.key) if len(self.frames) > 1 else ()
        self.edits += _additions(frame, existing, prefix)
        outer.replaced[frame.key] = _rebuilt(existing, frame)

    def close_new(self, frame: _Frame, outer: _Frame) -> None:
        """A container that the disk does not have: it comes to be if anything goes into it."""
        if not frame.added:
            return
        node = _made(frame)
        if frame.key is None:
            outer.added.append((frame.step, node))
        else:  # something else stands there
            outer.replaced[frame.key] = node
            self.edits.append(Edit((*self.where(), frame.key) if len(self.frames) > 1 else (), node))


def _kind_below(claims: tuple[Claim, ...], existing: Side, fresh: Side) -> type[Node] | None:
    """The kind of container that a claim further down must be reached through, even where the sides do not match."""
    there = fresh if existing is None else existing
    for claim in claims:
        if claim.action == "set":
            return _kind_for(claim.path[0], there)
        if claim.action == "given" and isinstance(fresh, Mapping | Sequence):
            return fresh.__class__
        if claim.action == "pin" and isinstance(there, Mapping | Sequence):
            return there.__class__
        if claim.action == "own" and existing is None and isinstance(fresh, Mapping | Sequence):
            return fresh.__class__
    return None


def _kind_for(step: Step, there: Side) -> type[Node]:
    if isinstance(step, int | Keyed) or (isinstance(there, Sequence) and isinstance(step, str) and step.isdigit()):
        return Sequence
    return Mapping


def imposed(node: Node, path: Path, value: Side) -> Node:
    """The same tree with another value at a path; the tree itself where the path leads nowhere."""
    trail: list[tuple[Node, Key | int]] = []
    at: Side = node
    for step in path:
        where = (
            entry_key(at, step)
            if isinstance(at, Mapping)
            else item_index(at, step)
            if isinstance(at, Sequence)
            else None
        )
        if where is None:
            return node
        assert isinstance(at, Mapping | Sequence)
        trail.append((at, where))
        at = at.entries[where] if isinstance(at, Mapping) else at.items[where]  # type: ignore[index]
    for container, where in reversed(trail):
        value = _replaced(container, where, value)
    assert value is not None
    return value


def _replaced(container: Node, where: Key | int, value: Side) -> Node:
    assert value is not None
    if isinstance(container, Mapping):
        return Mapping({**container.entries, where: value}, container.source, container.at, container.tag)  # type: ignore[dict-item]
    assert isinstance(container, Sequence)
    items = [value if at == where else item for at, item in enumerate(container.items)]
    return Sequence(items, container.source, container.at, container.tag)


def _both_empty(base: Side, existing: Side) -> bool:
    return base is not None and existing is not None and not _members(base) and not _members(existing)


def _members(node: Node) -> object:
    return node.entries if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else True


def _below(claims: tuple[Claim, ...], step: Step, items: Iterable[Side]) -> tuple[Claim, ...]:
    items = tuple(items)
    return tuple(rest for claim in claims if claim.path for rest in claim.after(step, items))


def _exact(claims: tuple[Claim, ...]) -> Claim | None:
    """The claim on this very place that goes before the others; None where a set deeper down must still be reached."""
    here = [claim for claim in claims if not claim.path or claim.path == (DEEP,)]
    if not here:
        return None
    return min(here, key=lambda claim: PRECEDENCE.index(claim.action))


def _equal_or_absent(a: Side, b: Side) -> bool:
    return a is b or (a is not None and b is not None and equal(a, b))


def _same_scalar(a: Scalar, b: Scalar) -> bool:
    return a.value.__class__ is b.value.__class__ and a.value == b.value and a.tag == b.tag


def _same_tag(sides: list[Node]) -> bool:
    return all(side.tag == sides[0].tag for side in sides)  # type: ignore[attr-defined]


def _fields(base: Side, existing: Side, fresh: Side, claims: tuple[Claim, ...]) -> Iterator[Slot]:
    """The fields of up to three maps: those on disk in their order, then the new ones, then those that are only set."""
    b = base.entries if isinstance(base, Mapping) else {}
    e = existing.entries if isinstance(existing, Mapping) else {}
    f = fresh.entries if isinstance(fresh, Mapping) else {}
    for key, node in e.items():
        other = f.get(key)
        if not claims and node.__class__ is Scalar and other.__class__ is Scalar and _same_scalar(node, other):
            continue  # row 4, for most fields of most documents
        yield key, key, b.get(key), node, other
    for key, node in f.items():
        if key not in e:
            yield key, None, b.get(key), None, node
    for claim in claims:
        if claim.action in ("set", "user") and claim.path and isinstance(claim.path[0], str):
            name = claim.path[0]
            if name not in e and name not in f and not any(key_text(key) == name for key in (*e, *f)):
                yield name, None, None, None, None


def _items(base: Side, existing: Side, fresh: Side, policy: MergePolicy) -> Iterator[Slot] | None:
    """The items of up to three lists, as `align` pairs them; None where it cannot."""
    sides = tuple(side if isinstance(side, Sequence) else None for side in (existing, fresh, base))
    rows = pair(sides, policy.lists)
    if rows is None:
        return None

    def item(side: Sequence | None, index: int | None) -> Side:
        return side.items[index] if side is not None and index is not None else None

    return ((step, at[0], item(sides[2], at[2]), item(sides[0], at[0]), item(sides[1], at[1])) for step, at in rows)


def _additions(frame: _Frame, existing: Node, prefix: tuple[Key | int, ...]) -> list[Edit]:
    """The edits that put new fields behind those on disk."""
    if isinstance(existing, Sequence):
        end = len(existing.items)
        return [Edit((*prefix, end + at), node) for at, (_, node) in enumerate(frame.added)]
    source = frame.fresh if isinstance(frame.fresh, Mapping) else None
    return [Edit((*prefix, step), node, source) for step, node in frame.added]  # type: ignore[arg-type]


def _nothing_left(frame: _Frame, existing: Node) -> bool:
    count = len(existing.entries if isinstance(existing, Mapping) else existing.items)  # type: ignore[attr-defined]
    return not frame.added and count == sum(node is None for node in frame.replaced.values())


def _rebuilt(existing: Node, frame: _Frame) -> Node:
    """A container on disk, with what is replaced and what is new."""
    replaced = frame.replaced
    if isinstance(existing, Sequence):
        items = [replaced.get(at, item) for at, item in enumerate(existing.items)] + [node for _, node in frame.added]
        return Sequence([item for item in items if item is not None], existing.source, existing.at, existing.tag)
    assert isinstance(existing, Mapping)
    entries = {key: replaced.get(key, node) for key, node in existing.entries.items()}
    entries.update(frame.added)  # type: ignore[arg-type]
    kept: dict[Key, Node] = {key: node for key, node in entries.items() if node is not None}
    return Mapping(kept, existing.source, existing.at, existing.tag)


def _made(frame: _Frame) -> Node:
    """A container that the disk does not have."""
    model = frame.fresh if isinstance(frame.fresh, Mapping | Sequence) else None
    source, at, tag = (model.source, model.at, model.tag) if model is not None else (UNKNOWN, 0, None)
    if isinstance(frame.added[0][0], str | Node):
        return Mapping(dict(frame.added), source, at, tag)  # type: ignore[arg-type]
    return Sequence([node for _, node in frame.added], source, at, tag)
