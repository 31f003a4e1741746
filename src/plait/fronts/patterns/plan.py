"""What a run would do, before anything is written: every resource of every file merged, and the report on it.

The same plan serves `plait create`, `plait regenerate` and the library. Nothing is written until all of it is known, so an
error anywhere leaves every byte as it was.
"""

from __future__ import annotations

from plait.core.node import Mapping, Node, Scalar, Sequence, equal
from plait.core.path import Keyed, Path, Step, format_path
from plait.fronts.patterns.kinds import Policies
from plait.fronts.patterns.owners import kept_annotation, owner_of, owners_of, rules_of
from plait.fronts.patterns.record import Record, digest
from plait.fronts.patterns.resources import Document, Index, Text
from plait.merging.locate import can_hold, has_wildcard, located
from plait.merging.threeway import (
    KEPT,
    NO_MOVES,
    Edit,
    Entry,
    FieldRule,
    InputMoves,
    Outcome,
    Row,
    Settings,
    threeway,
)  # fmt: skip
from plait.report.catalog import NO_RESOURCE, SET_NOWHERE, SET_PINNED
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.core.diagnostic import Label
    from plait.core.policy import MergePolicy, Pattern

DELETED, RESTORED, PRUNED = Row(8, "existing", "deleted"), Row(0, "fresh", "restored"), Row(6, "fresh", "pruned")
ORPHAN, NOT_PRUNED = Row(13, "existing", "orphan"), Row(11, "existing", "orphan", conflict=True)
CREATED, RENAMED, MOVED = Row(14, "fresh", "created"), Row(3, "fresh", "renamed"), Row(7, "existing", "moved")
ACCEPTED = "accepted"
PATTERN_LABELS = ("plait.dev/pattern", "xpand.io/pattern")
_NAME_FIELDS = (FieldRule("own", ("metadata", "name")), FieldRule("own", ("metadata", "namespace")))


class FieldFlag:
    """A path that a flag names, in one resource or in all; with `value`, what to put there."""

    __slots__ = ("label", "path", "scope", "value")

    def __init__(self, scope: str, path: Path, label: Label, value: Node | None = None) -> None:
        self.scope = scope
        self.path = path
        self.label = label
        self.value = value

    def about(self, document: Document) -> bool:
        return not self.scope or document.called(self.scope)

    @property
    def shown(self) -> str:
        return f"{self.scope}:{format_path(self.path)}" if self.scope else format_path(self.path)


class Instructions:
    """What a run is to do, beside the generated resources themselves: the flags, and what the pattern declares."""

    __slots__ = (
        "accept", "elsewhere", "inputs", "keep_absent", "lists", "moves", "overwrite", "owned", "preserve", "prune", "renamed", "sets",
        "taken", "tracker",
    )  # fmt: skip

    def __init__(
        self, *, sets: Iterable[FieldFlag] = (), preserve: Iterable[FieldFlag] = (), accept: Iterable[FieldFlag] = (),
        owned: Iterable[Path] = (), lists: Iterable[Pattern] = (), overwrite: bool = False, keep_absent: bool = False,
        prune: bool = False, tracker: str = "", renamed: dict[str, str] | None = None, inputs: Iterable[str] = (),
        moves: Callable[[Document], InputMoves] | None = None, taken: Callable[[Document], str] | None = None,
    ) -> None:  # fmt: skip
        self.sets = list(sets)
        self.preserve = list(preserve)
        self.accept = list(accept)
        self.owned = list(owned)
        self.lists = list(lists)
        self.overwrite = overwrite
        self.keep_absent = keep_absent
        self.prune = prune
        self.tracker = tracker
        self.renamed = renamed or {}
        self.inputs = list(inputs)
        self.moves = moves or (lambda document: NO_MOVES)
        """Which fields of a resource the changed inputs move."""
        self.taken = taken or (lambda document: "")
        """The other instance that a resource belongs to, or nothing."""
        self.elsewhere: Callable[[Document], list[Node]] = lambda document: []
        """What was generated for a resource, by whatever instance: for one that is renamed from one to another."""


class Line:
    """An entry of the report, with the resource it is about and the owner of the field, where one is named."""

    __slots__ = ("document", "entry", "kind", "owner")

    def __init__(self, document: Document, entry: Entry, owner: str = "", kind: str = "") -> None:
        self.document = document
        self.entry = entry
        self.owner = owner
        self.kind = kind or entry.kind

    @property
    def conflict(self) -> bool:
        return self.entry.row.conflict and self.kind in KEPT


class Change:
    """One generated resource: what it is on disk, if it is there, and what becomes of it."""

    __slots__ = ("base", "edits", "existing", "fresh", "lines", "node", "state")

    def __init__(self, fresh: Document, existing: Document | None, state: str, outcome: Outcome | None = None) -> None:
        self.fresh = fresh
        self.existing = existing
        self.base: Node | None = None
        self.state = state
        """`created`, `updated`, `unchanged` or `deleted` (by others, and so it stays)."""
        self.node = outcome.node if outcome is not None else fresh.node
        self.edits: list[Edit] = outcome.edits if outcome is not None else []
        self.lines: list[Line] = []


class Plan:
    """The changes to every resource, and the resources that are no longer generated."""

    def __init__(self, existing: list[Text], fresh: list[Text], record: Record, instructions: Instructions) -> None:
        self.existing = existing
        self.fresh = fresh
        self.record = record
        self.instructions = instructions
        self.policies = Policies(instructions.lists)
        self.index = Index(document for text in existing for document in text.documents)
        self.changes: list[Change] = []
        self.pruned: list[Document] = []
        self.orphans: list[Line] = []
        self._generated = Index(document for text in fresh for document in text.documents)
        self._check_flags()
        for document in self._generated:
            self.changes.append(self._change(document))
        self._find_orphans()
        self.lines = [line for change in self.changes for line in change.lines] + self.orphans

    @property
    def conflicts(self) -> list[Line]:
        return [line for line in self.lines if line.conflict]

    @property
    def first(self) -> bool:
        """Whether nothing of it was there before."""
        return not self.record.known and all(change.existing is None for change in self.changes)

    # One resource

    def _change(self, fresh: Document) -> Change:
        found = self._found(fresh)
        base = self._base(fresh, found)
        change = self._not_there(fresh, base) if found is None else self._merged(fresh, found, base)
        change.base = base
        return change

    def _found(self, fresh: Document) -> Document | None:
        """The resource on disk: under its name, or under the one that the pattern says it had."""
        found = self.index.find(fresh)
        before = self.instructions.renamed.get(fresh.label) if found is None else None
        return self.index.named(before) if before is not None else found

    def _base(self, fresh: Document, found: Document | None) -> Node | None:
        """What was generated last; of two versions that git could not merge, the one that is nearer to the file."""
        bases = self.record.bases(fresh) or (self.record.bases(found) if found is not None else [])
        if not bases and found is not None and found.label != fresh.label:
            bases = self.instructions.elsewhere(found)
        if len(bases) < 2 or found is None:
            return next(iter(bases), None)
        settings = Settings(policy=self._policy(found.node))
        return min(bases, key=lambda base: len(threeway(base, found.node, base, settings).entries))

    def _not_there(self, fresh: Document, base: Node | None) -> Change:
        """A new resource, or one that others deleted."""
        if base is not None and not self.instructions.overwrite:
            change = Change(fresh, None, "deleted")
            change.lines.append(Line(fresh, Entry((), DELETED)))
            return change
        rules = tuple(rule for rule in self._rules(fresh, None, None) if rule.action == "set")
        outcome = threeway(fresh.node, fresh.node, fresh.node, Settings(), rules) if rules else None
        change = Change(fresh, None, "created", outcome)
        change.lines.append(Line(fresh, Entry((), RESTORED if base is not None else CREATED)))
        change.lines += [Line(fresh, entry) for entry in (outcome.entries if outcome is not None else ())]
        return change

    def _merged(self, fresh: Document, found: Document, base: Node | None) -> Change:
        rules = self._rules(fresh, found, base)
        if found.written == fresh.written and not any(rule.action in ("set", "user") for rule in rules):
            change = Change(fresh, found, "unchanged")
        else:
            change = self._merge(fresh, found, base, rules)
        change.lines += self._places(fresh, found)
        return change

    def _merge(self, fresh: Document, found: Document, base: Node | None, rules: tuple[FieldRule, ...]) -> Change:
        instructions = self.instructions
        owners = owners_of(found.node)
        rules += kept_annotation(found.node)
        if instructions.tracker == "annotations" or (not instructions.tracker and not self.record.known and owners):
            rules += rules_of(owners, found.node)
        if found.label != fresh.label:
            rules += _NAME_FIELDS
        settings = Settings(
            self.record.known or base is not None,
            instructions.overwrite,
            instructions.keep_absent,
            self._policy(found.node),
        )
        outcome = threeway(base, found.node, fresh.node, settings, rules, instructions.moves(fresh))
        change = Change(fresh, found, "updated" if outcome.edits else "unchanged", outcome)
        accepted = self._accepted_paths(fresh, found, base)
        change.lines = [self._line(found, entry, owners, accepted) for entry in outcome.entries]
        return change

    def _places(self, fresh: Document, found: Document) -> Iterator[Line]:
        """What happened to the resource as a whole."""
        if found.label != fresh.label:
            yield Line(fresh, Entry((), RENAMED, found.node, fresh.node, note=found.label))
        if found.identity is not None and found.text.name != fresh.text.name:
            yield Line(found, Entry((), MOVED, note=fresh.text.name))

    def _policy(self, node: Node) -> MergePolicy:
        entries = node.entries if isinstance(node, Mapping) else {}
        api, kind = (getattr(entries.get(name), "value", "") for name in ("apiVersion", "kind"))
        return self.policies.for_resource(str(api), str(kind))

    def _line(self, document: Document, entry: Entry, owners: dict[str, tuple[str, str]], accepted: list[Path]) -> Line:
        kept = entry.kind in KEPT
        owner = owner_of(owners, entry.path) if kept else ""
        return Line(document, entry, owner, ACCEPTED if kept and self._accepted(document, entry, accepted) else "")

    def _accepted(self, document: Document, entry: Entry, accepted: list[Path]) -> bool:
        if any(path == entry.path[: len(path)] for path in accepted):
            return True
        agreed = self.record.accepted.get(document.label)
        return agreed is not None and agreed.get(format_path(entry.path)) == digest(entry.existing, entry.fresh)

    def _accepted_paths(self, fresh: Document, found: Document, base: Node | None) -> list[Path]:
        flags = [flag for flag in self.instructions.accept if flag.about(fresh)]
        return [path for flag in flags if (path := self._located(flag.path, fresh, found, base)) is not None]

    def _rules(self, fresh: Document, found: Document | None, base: Node | None) -> tuple[FieldRule, ...]:
        """Everything that decides fields of one resource ahead of the table."""
        instructions = self.instructions
        made: list[FieldRule] = []
        for action, flags in (("set", instructions.sets), ("pin", instructions.preserve)):
            for flag in flags:
                path = self._flag_path(flag, fresh, found, base) if flag.about(fresh) else None
                if path is not None:
                    made.append(FieldRule(action, path, flag.value))
        made += [FieldRule("own", self._spelled(path, fresh, found, base)) for path in instructions.owned]
        if not instructions.overwrite:
            set_before = self.record.user.get(fresh.label, ())
            made += [FieldRule("user", self._spelled(path, fresh, found, base), value) for path, value in set_before]
        return tuple(made)

    def set_fields(self, change: Change) -> list[tuple[Path, Node]]:
        """The fields of a resource that `--set` gives a value, as the merge spells their paths."""
        found = []
        for flag in self.instructions.sets:
            if flag.value is not None and flag.about(change.fresh):
                path = self._flag_path(flag, change.fresh, change.existing, change.base)
                found += [(path, flag.value)] if path is not None else []
        return found

    # Paths

    def _located(self, path: Path, fresh: Document, found: Document | None, base: Node | None) -> Path | None:
        """A path of a flag as the merge spells it: by key or index, in what is there, generated now, or generated last."""
        if has_wildcard(path):
            return path
        here = found.node if found is not None else None
        return located(path, (here, fresh.node, base), self._policy(fresh.node))

    def _spelled(self, path: Path, fresh: Document, found: Document | None, base: Node | None) -> Path:
        """A path that need not be there."""
        plain = all(isinstance(step, str) for step in path)
        return path if plain else self._located(path, fresh, found, base) or path

    def _flag_path(self, flag: FieldFlag, fresh: Document, found: Document | None, base: Node | None) -> Path | None:
        path = self._located(flag.path, fresh, found, base)
        if path is None and flag.scope and flag.value is not None:
            here = found.node if found is not None else None
            return can_hold(flag.path, (here, fresh.node, base), self._policy(fresh.node))
        return path

    # All of them

    def _check_flags(self) -> None:
        """A flag that names nothing is a slip; one that contradicts another cannot be followed."""
        instructions = self.instructions
        for flag in (*instructions.sets, *instructions.preserve, *instructions.accept):
            documents = [document for document in self._generated if flag.about(document)]
            if not documents:
                labels = [document.label for document in self._generated]
                hint = did_you_mean(flag.scope, labels) or f"there are: {', '.join(labels[:8])}"
                raise NO_RESOURCE.error(flag.label, name=flag.scope, hint=hint)
            if not any(self._names_something(flag, document) for document in documents):
                raise SET_NOWHERE.error(flag.label, path=flag.shown, hint=self._near(flag, documents))
        for flag in instructions.sets:
            for pin in instructions.preserve:
                short = min(len(pin.path), len(flag.path))
                if pin.path[:short] == flag.path[:short] and pin.scope in (
                    "",
                    flag.scope,
                    *([] if flag.scope else [pin.scope]),
                ):
                    raise SET_PINNED.error(flag.label, path=flag.shown, hint="leave out one of --set and --preserve")

    def _names_something(self, flag: FieldFlag, fresh: Document) -> bool:
        found = self._found(fresh)
        base = self._base(fresh, found)
        if has_wildcard(flag.path):
            sides = (found.node if found is not None else None, fresh.node, base)
            return any(side is not None and matches(side, flag.path) for side in sides)
        return self._flag_path(flag, fresh, found, base) is not None

    def _near(self, flag: FieldFlag, documents: list[Document]) -> str:
        nodes = [side.node for document in documents for side in (document, self._found(document)) if side is not None]
        known = {format_path(path) for node in nodes for path in leaf_paths(node, into_lists=True)}
        names = {*known, *(self.instructions.inputs if flag.value is not None and not flag.scope else ())}
        hint = did_you_mean(format_path(flag.path), sorted(names))
        if hint or flag.value is None:
            return hint or "no version of the files has it: not what is there, nor what was or is generated"
        return "`Kind/name:path=value` adds a field to one resource"

    def _find_orphans(self) -> None:
        """Resources on disk that are ours and no longer generated."""
        taken = {id(change.existing) for change in self.changes}
        names = {text.name for text in self.fresh}
        for document in self.index:
            if id(document) in taken or self.instructions.taken(document):
                continue
            base = self.record.base(document)
            if base is None if self.record.known else document.text.name not in names:
                continue
            row = ORPHAN
            if self.instructions.prune:
                row = PRUNED if self._proves_ours(document, base) else NOT_PRUNED
            if row is PRUNED:
                self.pruned.append(document)
            self.orphans.append(Line(document, Entry((), row)))

    def _proves_ours(self, document: Document, base: Node | None) -> bool:
        """By the record; without one, by the label, where the pattern has no instances that could share it."""
        if self.record.known:
            return base is not None and equal(base, document.node)
        ours = {self.record.pattern, *(pattern_label(fresh.node) for fresh in self._generated)} - {""}
        label = pattern_label(document.node)
        return bool(label) and (label in ours or not ours)


def pattern_label(node: Node) -> str:
    """The pattern that a resource's labels name."""
    for name in ("metadata", "labels"):
        child = node.entries.get(name) if isinstance(node, Mapping) else None
        if child is None:
            return ""
        node = child
    found = [node.entries[name] for name in PATTERN_LABELS if isinstance(node, Mapping) and name in node.entries]
    return str(found[0].value) if found and isinstance(found[0], Scalar) else ""


def matches(node: Node, pattern: Path) -> bool:
    """Whether a path with wildcards leads to anything."""
    rule = FieldRule("pin", pattern)
    stack: list[tuple[Node, tuple[FieldRule, ...]]] = [(node, (rule,))]
    while stack:
        at, rules = stack.pop()
        if any(not one.path for one in rules):
            return True
        for step, child in _children(at):
            below = tuple(rest for one in rules if one.path for rest in one.after(step, (child,)))
            if below:
                stack.append((child, below))
    return False


def _children(node: Node) -> Iterator[tuple[Step, Node]]:
    if isinstance(node, Mapping):
        yield from node.entries.items()
    elif isinstance(node, Sequence):
        yield from enumerate(node.items)


def leaf_paths(node: Node, into_lists: bool = False) -> Iterator[Path]:
    """The paths of the fields of a tree; a list is one field unless its items are asked for, by name where they have one."""
    stack: list[tuple[Path, Node]] = [((), node)]
    while stack:
        path, at = stack.pop()
        if isinstance(at, Mapping) and at.entries:
            stack.extend(((*path, key), child) for key, child in reversed(at.entries.items()))
        elif into_lists and isinstance(at, Sequence) and at.items:
            stack.extend(((*path, _item_step(item, index)), item) for index, item in enumerate(at.items))
        else:
            yield path


def _item_step(item: Node, index: int) -> Keyed | int:
    name = item.entries.get("name") if isinstance(item, Mapping) else None
    return Keyed(("name",), (name.text,)) if isinstance(name, Scalar) else index
