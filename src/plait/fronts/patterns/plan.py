"""What a run would do, before anything is written: every resource of every file merged, and what there is to say about it.

The same plan serves `plait create`, `plait regenerate` and the library. Nothing is written until all of it is known, so an
error anywhere leaves every byte as it was.
"""

from __future__ import annotations

from plait.core.node import Mapping, Node, Scalar, Sequence, equal
from plait.core.path import Path, Step, entry_key, format_path, item_index
from plait.fronts.patterns.kinds import Policies
from plait.fronts.patterns.owners import claims_of, kept_annotation, owner_of, owners_of
from plait.fronts.patterns.record import Record, digest
from plait.fronts.patterns.resources import Document, Index, Text
from plait.merging.threeway import KEPT, Claim, Edit, Entry, Outcome, Row, Terms, threeway
from plait.report.catalog import NO_RESOURCE, SET_NOWHERE, SET_PINNED
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.diagnostic import Label
    from plait.core.policy import MergePolicy, Pattern

DELETED, ORPHAN, PRUNED = Row(8, "existing", "deleted"), Row(13, "existing", "orphan"), Row(6, "fresh", "pruned")
ACCEPTED = "accepted"
PATTERN_LABELS = ("plait.dev/pattern", "xpand.io/pattern")
_NAME_FIELDS = (Claim("own", ("metadata", "name")), Claim("own", ("metadata", "namespace")))


class Wish:
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


class Wishes:
    """What the user asks for in a run, beside the generated resources themselves."""

    __slots__ = (
        "accept", "given", "inputs", "keep_absent", "lists", "overwrite", "owned", "preserve", "prune", "renamed", "sets",
        "tracker",
    )  # fmt: skip

    def __init__(
        self, *, sets: Iterable[Wish] = (), preserve: Iterable[Wish] = (), accept: Iterable[Wish] = (),
        owned: Iterable[Path] = (), lists: Iterable[Pattern] = (), overwrite: bool = False, keep_absent: bool = False,
        prune: bool = False, tracker: str = "", renamed: dict[str, str] | None = None,
        given: dict[tuple[str, ...], list[Path]] | None = None, inputs: Iterable[str] = (),
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
        self.given = given or {}
        self.inputs = list(inputs)


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

    __slots__ = ("edits", "existing", "fresh", "lines", "node", "state")

    def __init__(self, fresh: Document, existing: Document | None, state: str, outcome: Outcome | None = None) -> None:
        self.fresh = fresh
        self.existing = existing
        self.state = state
        """`created`, `updated`, `unchanged` or `deleted` (by others, and so it stays)."""
        self.node = outcome.node if outcome is not None else fresh.node
        self.edits: list[Edit] = outcome.edits if outcome is not None else []
        self.lines: list[Line] = []


class Plan:
    """The changes to every resource, and the resources that are no longer generated."""

    def __init__(self, existing: list[Text], fresh: list[Text], record: Record, wishes: Wishes) -> None:
        self.existing = existing
        self.fresh = fresh
        self.record = record
        self.wishes = wishes
        self.policies = Policies(wishes.lists)
        self.index = Index(document for text in existing for document in text.documents)
        self.changes: list[Change] = []
        self.pruned: list[Document] = []
        self.orphans: list[Line] = []
        self._generated = Index(document for text in fresh for document in text.documents)
        self._check_wishes()
        for document in self._generated:
            self.changes.append(self._change(document))
        self._find_orphans()

    @property
    def lines(self) -> list[Line]:
        return [line for change in self.changes for line in change.lines] + self.orphans

    @property
    def conflicts(self) -> list[Line]:
        return [line for line in self.lines if line.conflict]

    @property
    def first(self) -> bool:
        """Whether nothing of it was there before."""
        return not self.record.known and all(change.existing is None for change in self.changes)

    # One resource

    def _change(self, fresh: Document) -> Change:
        found = self.index.find(fresh)
        renamed = found is None and (found := self._renamed(fresh)) is not None
        base = self.record.base(fresh) or (self.record.base(found) if found is not None else None)
        if found is None and base is not None and not self.wishes.overwrite:
            change = Change(fresh, None, "deleted")
            change.lines.append(Line(fresh, Entry((), DELETED)))
            return change
        if found is None:
            return self._created(fresh)
        return self._merged(fresh, found, base, renamed)

    def _renamed(self, fresh: Document) -> Document | None:
        before = self.wishes.renamed.get(fresh.label)
        return self.index.named(before) if before is not None else None

    def _created(self, fresh: Document) -> Change:
        """A new resource: as it is generated, with what is set."""
        claims = self._claims(fresh, fresh, ("set",))
        outcome = threeway(fresh.node, fresh.node, fresh.node, Terms(), claims) if claims else None
        change = Change(fresh, None, "created", outcome)
        if outcome is not None:
            change.lines = [Line(fresh, entry) for entry in outcome.entries]
        return change

    def _merged(self, fresh: Document, found: Document, base: Node | None, renamed: bool) -> Change:
        claims = self._claims(fresh, found)
        if found.written == fresh.written and not any(claim.action in ("set", "user") for claim in claims):
            return Change(fresh, found, "unchanged")
        owners = owners_of(found.node)
        claims += kept_annotation(found.node)
        if self.wishes.tracker == "annotations" or (not self.wishes.tracker and not self.record.known and owners):
            claims += claims_of(owners, found.node)
        if renamed:
            claims += _NAME_FIELDS
        terms = Terms(self.record.known, self.wishes.overwrite, self.wishes.keep_absent, self._policy(found.node))
        outcome = threeway(base, found.node, fresh.node, terms, claims)
        change = Change(fresh, found, "updated" if outcome.edits else "unchanged", outcome)
        change.lines = [self._line(found, entry, owners) for entry in outcome.entries]
        return change

    def _policy(self, node: Node) -> MergePolicy:
        entries = node.entries if isinstance(node, Mapping) else {}
        api, kind = (getattr(entries.get(name), "value", "") for name in ("apiVersion", "kind"))
        return self.policies.for_resource(str(api), str(kind))

    def _line(self, document: Document, entry: Entry, owners: dict[str, tuple[str, str]]) -> Line:
        owner = owner_of(owners, entry.path) if entry.kind in KEPT else ""
        return Line(document, entry, owner, ACCEPTED if entry.kind in KEPT and self._accepted(document, entry) else "")

    def _accepted(self, document: Document, entry: Entry) -> bool:
        if any(wish.about(document) and wish.path == entry.path[: len(wish.path)] for wish in self.wishes.accept):
            return True
        agreed = self.record.accepted.get(document.label)
        return agreed is not None and agreed.get(format_path(entry.path)) == digest(entry.existing, entry.fresh)

    def _claims(self, fresh: Document, found: Document, actions: tuple[str, ...] = ()) -> tuple[Claim, ...]:
        """Everything that is said about the fields of one resource."""
        wishes, made = self.wishes, []
        for wish in wishes.sets:
            if wish.about(fresh) and (wish.scope or reaches(found.node, wish.path) or reaches(fresh.node, wish.path)):
                made.append(Claim("set", wish.path, wish.value))
        made += [Claim("pin", wish.path) for wish in wishes.preserve if wish.about(fresh)]
        made += [Claim("given", path) for path in wishes.given.get(fresh.key, ())]
        made += [Claim("own", path) for path in wishes.owned]
        if not wishes.overwrite:
            made += [Claim("user", path, value) for path, value in self.record.user.get(fresh.label, ())]
        return tuple(claim for claim in made if not actions or claim.action in actions)

    # All of them

    def _check_wishes(self) -> None:
        """A flag that names nothing is a slip; one that contradicts another cannot be followed."""
        for wish in (*self.wishes.sets, *self.wishes.preserve, *self.wishes.accept):
            if wish.scope and not any(wish.about(document) for document in self._generated):
                labels = [document.label for document in self._generated]
                hint = did_you_mean(wish.scope, labels) or f"there are: {', '.join(labels[:8])}"
                raise NO_RESOURCE.error(wish.label, name=wish.scope, hint=hint)
        for wish in self.wishes.sets:
            self._check_set(wish)
            for pin in self.wishes.preserve:
                short = min(len(pin.path), len(wish.path))
                if pin.path[:short] == wish.path[:short] and pin.scope in (
                    "",
                    wish.scope,
                    *([] if wish.scope else [pin.scope]),
                ):
                    raise SET_PINNED.error(wish.label, path=wish.shown, hint="leave out one of --set and --preserve")

    def _check_set(self, wish: Wish) -> None:
        nodes = list(self._sides(wish))
        if any(reaches(node, wish.path) for node in nodes):
            return
        if wish.scope and any(creates(node, wish.path) for node in nodes):
            return
        known = {format_path(path) for node in nodes for path in leaf_paths(node)}
        hint = did_you_mean(format_path(wish.path), sorted({*known, *self.wishes.inputs}))
        hint = hint or "`Kind/name:path=value` adds a field to one resource"
        raise SET_NOWHERE.error(wish.label, path=wish.shown, hint=hint)

    def _sides(self, wish: Wish) -> Iterator[Node]:
        for document in self._generated:
            if wish.about(document):
                found = self.index.find(document)
                yield document.node
                if found is not None:
                    yield found.node

    def _find_orphans(self) -> None:
        """Resources on disk that are ours and no longer generated."""
        taken = {id(change.existing) for change in self.changes}
        names = {text.name for text in self.fresh}
        for document in self.index:
            if id(document) in taken:
                continue
            base = self.record.base(document)
            if base is None if self.record.known else document.text.name not in names:
                continue
            if self.wishes.prune and self._proves_ours(document, base):
                self.pruned.append(document)
                self.orphans.append(Line(document, Entry((), PRUNED)))
            else:
                self.orphans.append(Line(document, Entry((), ORPHAN)))

    def _proves_ours(self, document: Document, base: Node | None) -> bool:
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


def reaches(node: Node, path: Path) -> bool:
    """Whether a path leads to a value."""
    at: Node | None = node
    for step in path:
        at = _child(at, step) if at is not None else None
    return at is not None


def creates(node: Node, path: Path) -> bool:
    """Whether a value can be put at a path: as far as it is there, and through new maps from then on."""
    at: Node | None = node
    for depth, step in enumerate(path):
        child = _child(at, step) if at is not None else None
        if child is None:
            return all(isinstance(rest, str) for rest in path[depth:]) and not isinstance(at, Sequence)
        at = child
    return True


def _child(node: Node, step: Step) -> Node | None:
    if isinstance(node, Mapping):
        key = entry_key(node, step)
        return None if key is None else node.entries[key]
    index = item_index(node, step) if isinstance(node, Sequence) else None
    return node.items[index] if isinstance(node, Sequence) and index is not None else None


def leaf_paths(node: Node) -> Iterator[Path]:
    """The paths of the fields of a tree; a list is one field."""
    stack: list[tuple[Path, Node]] = [((), node)]
    while stack:
        path, at = stack.pop()
        if isinstance(at, Mapping) and at.entries:
            stack.extend(((*path, key), child) for key, child in reversed(at.entries.items()))
        else:
            yield path
