"""What a run would do, before anything is written: every resource of every file merged, and the report on it.

The same plan serves `plait create`, `plait regenerate` and the library. Nothing is written until all of it is known,
so an error anywhere leaves every byte as it was.
"""

from __future__ import annotations

from itertools import takewhile

from plait.core.node import Key, ListNode, MapNode, Node, Scalar, equal
from plait.core.path import Path, format_path
from plait.core.source import MASK
from plait.core.visible import counted
from plait.fronts.masks import kept_secret, put_back
from plait.fronts.patterns.instructions import Instructions, ResourceVersions, check_flags, check_verdicts
from plait.fronts.patterns.kinds import KindPolicies
from plait.fronts.patterns.owners import IN_ALL, kept_annotation, owner_of, owners_of, rules_of
from plait.fronts.patterns.record import Record, digest, of_resource, path_text
from plait.fronts.patterns.resources import DocumentIndex, ResourceDocument, TextFile, held, name_apart, only_document
from plait.fronts.patterns.sameness import FileOrder, SameDocuments, find_renames
from plait.merging.lines import merge_lines
from plait.merging.threeway import (
    KEPT,
    SET_EARLIER,
    DecisionRow,
    FieldRule,
    MergeSettings,
    Outcome,
    ReportEntry,
    TextEdit,
    outer_list,
    threeway,
    value_at,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.policy import MergePolicy

DELETED, RESTORED, PRUNED = (
    DecisionRow(8, "existing", "deleted"),
    DecisionRow(0, "fresh", "restored"),
    DecisionRow(6, "fresh", "pruned"),
)
ORPHAN, NOT_PRUNED = DecisionRow(13, "existing", "orphan"), DecisionRow(11, "existing", "orphan", conflict=True)
CREATED, RENAMED, MOVED = (
    DecisionRow(14, "fresh", "created"),
    DecisionRow(3, "fresh", "renamed"),
    DecisionRow(7, "existing", "moved"),
)
NOT_WRITTEN = DecisionRow(0, "existing", "not written")
"""What cannot be edited in a text, so that people write it by hand."""
ACCEPTED = "accepted"
LOST = ("overwritten", "restored")
"""The kinds that report a discarded edit."""
EDITS = ("changed", "deleted", "both", "dropped", "extra")
"""The kinds that report an edit that is kept."""
PATTERN_LABELS = ("plait.dev/pattern", "xpand.io/pattern")
_NAME_FIELDS = (FieldRule("own", ("metadata", "name")), FieldRule("own", ("metadata", "namespace")))


class PlanLine:
    """An entry of the report, with the resource it is about and the owner of the field, where one is named."""

    __slots__ = ("document", "entry", "kind", "owner", "who")

    def __init__(self, document: ResourceDocument, entry: ReportEntry, owner: str = "", kind: str = "") -> None:
        self.who = ""
        """Who made the edit that is replaced, where git knows."""
        self.document = document
        self.entry = entry
        self.owner = owner
        self.kind = kind or entry.kind

    @property
    def conflict(self) -> bool:
        return self.entry.row.conflict and self.kind in KEPT

    @property
    def replaces(self) -> bool:
        """Whether somebody's edit is not in the result any more."""
        entry = self.entry
        if self.kind in LOST:
            return True
        if self.kind not in ("set", "taken") or entry.existing is None or _is_mask(entry.existing):
            return False
        if self.kind == "set" and entry.base is None:
            return False
        return not _same(entry.base, entry.existing)

    @property
    def name(self) -> str:
        """What a flag calls it."""
        path = format_path(self.entry.path)
        return f"{self.document.label}:{path}" if path else self.document.label

    @property
    def places(self) -> list[str]:
        """The same, with the lines of a text where some of them are in conflict."""
        return [f"{self.name}:{clash.numbers}" for clash in self.entry.clashes] or [self.name]


class ResourceChange:
    """One generated resource, and what becomes of it."""

    __slots__ = ("_is_here", "_node", "edited", "edits", "is_fresh", "is_left", "lines", "resource", "state", "text")

    def __init__(self, resource: ResourceVersions, state: str, outcome: Outcome | None = None) -> None:
        self.resource = resource
        self.state = state
        """`created`, `updated`, `unchanged` or `deleted` (by others, and so it stays)."""
        here = resource.here
        self._is_here = outcome is not None and here is not None and outcome.node is here.node
        """Whether it becomes what is here: that tree need not be kept twice."""
        self._node = outcome.node if outcome is not None and not self._is_here else None
        self.edits: list[TextEdit] = outcome.edits if outcome is not None else []
        self.lines: list[PlanLine] = []
        self.text: str | None = None
        """The text that it becomes, where it is not just the edits."""
        self.is_fresh = False
        """Whether it becomes what is generated, to the byte."""
        self.edited: str | None = None
        """The text after the edits, once it was worked out."""
        self.is_left = False
        """Whether it stays as it is because its text cannot be edited."""

    def leave(self, here: ResourceDocument) -> None:
        """Let it stay as it is, and say what was to be written."""
        kept = [line for line in self.lines if line.entry.row.take == "existing"]
        moved = [line for line in self.lines if line.entry.row.take != "existing"]
        self.lines = kept + [PlanLine(here, _by_hand(line.entry, here)) for line in moved]
        self._node, self._is_here, self.edits, self.state = None, True, [], "unchanged"
        self.is_left = True

    def become_fresh(self) -> None:
        """Let it become what is generated, to the byte."""
        here = self.existing
        assert here is not None
        self._node, self._is_here = self.fresh.node, False
        self.text, self.is_fresh = here.head + self.fresh.written, True
        if self.fresh.written.rstrip() != here.written.rstrip():
            self.state = "updated"

    @property
    def node(self) -> Node:
        """What it becomes."""
        if self._node is not None:
            return self._node
        here = self.resource.here if self._is_here else None
        return self.resource.fresh.node if here is None else here.node

    @node.setter
    def node(self, node: Node) -> None:
        self._node = node

    @property
    def fresh(self) -> ResourceDocument:
        return self.resource.fresh

    @property
    def existing(self) -> ResourceDocument | None:
        return self.resource.here

    @property
    def base(self) -> Node | None:
        return self.resource.base


class Plan:
    """The changes to every resource, and the resources that are no longer generated."""

    def __init__(
        self, existing: list[TextFile], fresh: list[TextFile], record: Record, instructions: Instructions
    ) -> None:
        self.existing = existing
        self.fresh = fresh
        self.record = record
        self.instructions = instructions
        self.policies = KindPolicies(instructions.lists)
        name_apart([*existing, *fresh])
        self.index = DocumentIndex(document for text in existing for document in text.documents)
        self.pruned: list[ResourceDocument] = []
        self.orphans: list[PlanLine] = []
        self._generated = DocumentIndex(document for text in fresh for document in text.documents)
        self.places = SameDocuments()
        if record.known:
            self.places.align(existing, fresh, record)
            instructions.renamed = {**find_renames(self._generated, self.index, record), **instructions.renamed}
        resources = [self._resource(document) for document in self._generated]
        self.orders = self._orders(resources)
        check_flags(instructions, resources)
        self.changes = list(self._all_changes(resources))
        self._find_orphans()
        check_verdicts(
            [flag for flag in instructions.verdicts if flag.name not in record.taken],
            resources,
            [place for change in self.changes for line in change.lines if line.conflict for place in line.places],
            [line.name for change in self.changes for line in change.lines if line.kind in (*KEPT, ACCEPTED)],
        )
        self.lines = self.all_lines()

    def all_lines(self) -> list[PlanLine]:
        """The report, line by line."""
        orders = [
            PlanLine(order.documents[0], ReportEntry((), order.row, note=f"the documents of {name}"))
            for name, order in self.orders.items()
            if order.row is not None
        ]
        return [line for change in self.changes for line in change.lines] + self.orphans + orders

    def _orders(self, resources: list[ResourceVersions]) -> dict[str, FileOrder]:
        """The order of the documents of each file that is here and generated; its documents are numbered then."""
        by_file: dict[str, list[ResourceVersions]] = {}
        for resource in resources:
            by_file.setdefault(resource.fresh.text.name, []).append(resource)
        orders: dict[str, FileOrder] = {}
        gone = [resource.fresh for resource in resources if resource.here is None]
        restored = {id(fresh) for fresh in gone if self._decision(fresh) == "take"}
        for text in self.existing:
            if text.name in by_file:
                order = FileOrder(text, self.instructions.overwrite)
                order.begin = sum(1 for _ in takewhile(self.instructions.taken, text.documents))
                order.arrange(by_file[text.name], self.record, restored)
                orders[text.name] = order
        return orders

    @property
    def edited_orphans(self) -> list[PlanLine]:
        """The resources that `--prune` leaves because somebody changed them."""
        return [line for line in self.orphans if line.entry.row is NOT_PRUNED and line.kind != ACCEPTED]

    def implausible(self) -> str:
        """Why what is generated cannot be meant; nothing where it can."""
        last = [one for one in self.record.resources.values() if not one.is_orphan]
        if last and not len(self._generated.exact):
            return "nothing is generated any more"
        for document in self._generated:
            before = self.record.find(document)
            if before is not None and document.identity is None and not document.text.lines:
                was, now = before.tree(document), document.node
                if isinstance(was, MapNode) and not isinstance(now, MapNode):
                    return f"{document.label} was a map, and is not one any more"
        found = [self.record.find(one) for change in self.changes for one in (change.fresh, change.existing) if one]
        known = {id(one) for one in found}
        lost = sum(id(one) not in known for one in last)
        return f"{lost} of {counted(len(last), 'resource')} are not generated any more" if 2 * lost > len(last) else ""

    @property
    def conflicts(self) -> list[PlanLine]:
        return [line for line in self.lines if line.conflict]

    @property
    def first(self) -> bool:
        """Whether nothing of it was there before."""
        return not self.record.known and all(change.existing is None for change in self.changes)

    # One resource

    def _resource(self, fresh: ResourceDocument) -> ResourceVersions:
        self.instructions.glance()
        if id(fresh) in self.places.of_fresh:
            here, base = self.places.of_fresh[id(fresh)]
            return ResourceVersions(fresh, here, base, self._policy(here or fresh))
        here, name = self.index.find(fresh), fresh.identity
        if here is not None and name is not None and self._is_as_it_was(fresh, here):
            return ResourceVersions(fresh, here, None, self.policies.for_resource(name.api, name.kind), True)
        before = self.instructions.renamed.get(fresh.label) if here is None else None
        here = self.index.named(before) if before is not None else here
        policy = self._policy(here or fresh)
        same = self._is_generated_again(fresh)
        base = None if same else self._base(fresh, here, policy)
        if here is not None and (base is not None or here.text.has_tags or fresh.text.has_tags):
            marked = kept_secret(here.node, fresh.node, base)
            if marked is not here.node:
                here.node = marked
        return ResourceVersions(fresh, here, base, policy, same)

    def _is_as_it_was(self, fresh: ResourceDocument, here: ResourceDocument) -> bool:
        """Whether a resource has one text: here, generated now and generated last. Its trees need not be read then."""
        tagged = any(text.has_tags and not text.unread for text in (fresh.text, here.text))
        if tagged or fresh.identity is None or not fresh.identity.api:
            return False
        return here.written == fresh.written and self._is_generated_again(fresh)

    def _is_generated_again(self, fresh: ResourceDocument) -> bool:
        """Whether a resource has the text that was generated last, and everything of it was taken."""
        last = self.record.find(fresh)
        if last is None or last.other is not None or last.written != fresh.written:
            return False
        return last.node is None and not of_resource(self.record.refused, fresh)

    def _base(self, fresh: ResourceDocument, here: ResourceDocument | None, policy: MergePolicy) -> Node | None:
        """What was generated last; of two versions that git could not merge, the one that is nearer to the file."""
        bases = self.record.bases(fresh) or (self.record.bases(here) if here is not None else [])
        if not bases and here is not None and here.label != fresh.label:
            bases = self.instructions.elsewhere(here)
        if len(bases) < 2 or here is None:
            return next(iter(bases), None)
        return min(bases, key=lambda base: len(threeway(base, here.node, base, MergeSettings(policy=policy)).entries))

    def _all_changes(self, resources: list[ResourceVersions]) -> Iterator[ResourceChange]:
        """What becomes of each resource. After the last one of a file, trees that were read for this are
        let go of."""
        large = len(held({text.name: text.source for text in self.existing})) < len(self.existing)
        asked: dict[int, TextFile] = {}
        for number, resource in enumerate(resources):
            for document in (resource.fresh, resource.here):
                if document is not None:
                    asked[id(document.text)] = document.text
            yield self._change(resource)
            following = resources[number + 1].fresh.text if number + 1 < len(resources) else None
            if following is not resource.fresh.text:
                for text in asked.values():
                    if text.unread or large:
                        text.let_go()
                asked = {}

    def _change(self, resource: ResourceVersions) -> ResourceChange:
        self.instructions.glance()
        rules = self._rules(resource)
        here, fresh = resource.here, resource.fresh
        if here is None:
            return self._not_there(resource, rules)
        if here.written == fresh.written and not any(rule.action in ("set", "user") for rule in rules):
            change = ResourceChange(resource, "unchanged")
        else:
            change = self._merge(resource, here, rules)
        change.lines += _places(fresh, here)
        return change

    def _not_there(self, resource: ResourceVersions, rules: tuple[FieldRule, ...]) -> ResourceChange:
        """A new resource, or one that others deleted."""
        fresh, base = resource.fresh, resource.base
        decision = self._decision(fresh) if base is not None else ""
        if base is not None and not self.instructions.overwrite and decision != "take":
            change = ResourceChange(resource, "deleted")
            entry = ReportEntry((), DELETED)
            accepted = decision == "keep" or self._was_accepted(fresh, entry, fresh.node)
            change.lines.append(PlanLine(fresh, entry, kind=ACCEPTED if accepted else ""))
            return change
        rules = tuple(rule for rule in rules if rule.action == "set")
        outcome = threeway(fresh.node, fresh.node, fresh.node, MergeSettings(), rules) if rules else None
        change = ResourceChange(resource, "created", outcome)
        change.lines.append(PlanLine(fresh, ReportEntry((), RESTORED if base is not None else CREATED)))
        change.lines += [PlanLine(fresh, entry) for entry in (outcome.entries if outcome is not None else ())]
        return change

    def _merge(
        self, resource: ResourceVersions, here: ResourceDocument, rules: tuple[FieldRule, ...]
    ) -> ResourceChange:
        instructions, fresh, base = self.instructions, resource.fresh, resource.base
        owners: dict[str, tuple[str, str]] = {}
        if here.may_have(IN_ALL):
            owners = owners_of(here.node)
            rules += kept_annotation(here.node)
        if instructions.tracker == "annotations" or (not instructions.tracker and not self.record.known and owners):
            rules += rules_of(owners, here.node)
        if here.label != fresh.label:
            rules += _NAME_FIELDS
        masks = put_back(here.node, fresh.node) if here.may_have(MASK) else ()
        rules += tuple(FieldRule("set", path, value) for path, _, value in masks)
        known = self.record.known or base is not None
        found = (flag.verdict(resource) for flag in instructions.verdicts)
        settings = MergeSettings(
            known,
            instructions.overwrite,
            instructions.keep_absent,
            resource.policy,
            verdicts=tuple(verdict for verdict in found if verdict is not None),
        )
        for path, refusal in (of_resource(self.record.refused, fresh) or {}).items():
            if refusal.pairs:
                sides = value_at(here.node, path), value_at(fresh.node, path)
                settings.paired[format_path(path)] = refusal.known_changes(*sides)
        outcome = threeway(base, here.node, fresh.node, settings, rules, instructions.moves(fresh))
        if not rules and base is not None and not instructions.overwrite:
            outcome = self._by_lines(outcome, here, fresh, base, settings)
        change = ResourceChange(resource, "updated" if outcome.edits else "unchanged", outcome)
        if self._is_untouched(resource, here, rules):
            change.become_fresh()
        kept = [one.path for one in settings.verdicts if one.action == "keep" and one.used]
        change.lines = [self._line(here, entry, owners, kept) for entry in outcome.entries]
        change.lines += self._set_earlier(change)
        return change

    def _is_untouched(self, resource: ResourceVersions, here: ResourceDocument, rules: tuple[FieldRule, ...]) -> bool:
        """Whether a resource has the text that was generated last, and nothing but the generator decides about it."""
        last = self.record.find(resource.fresh) or self.record.find(here)
        if last is None or last.other is not None or last.written != here.written or here.text.lines:
            return False
        if of_resource(self.record.refused, resource.fresh):
            return False
        return not any(rule.action in ("set", "pin", "user") for rule in rules)

    def _by_lines(
        self, outcome: Outcome, here: ResourceDocument, fresh: ResourceDocument, base: Node, settings: MergeSettings
    ) -> Outcome:
        """Where both sides changed items without keys, but git would find no conflict in their lines: as the lines
        say."""
        disputed = [entry for entry in outcome.entries if entry.row.conflict]
        before = self.record.find(fresh) if disputed else None
        refused = of_resource(self.record.refused, fresh)
        if before is None or refused:
            return outcome
        if any(outer_list(entry.path) is None and not isinstance(entry.existing, ListNode) for entry in disputed):
            return outcome
        lines = merge_lines(before.written, here.written, fresh.written)
        merged = only_document(lines.text) if not lines.conflicts else None
        if merged is None:
            return outcome
        merged = kept_secret(merged, fresh.node, base)
        kept = threeway(base, here.node, base, settings)
        made = threeway(here.node, here.node, merged, settings)
        return Outcome(made.node, [*kept.entries, *made.entries], made.edits)

    def _policy(self, document: ResourceDocument) -> MergePolicy:
        if document.identity is not None:
            return self.policies.for_resource(document.identity.api, document.identity.kind)
        node = document.node
        entries = node.entries if isinstance(node, MapNode) else {}
        api, kind = (_text_in(entries, name) for name in ("apiVersion", "kind"))
        return self.policies.for_resource(api, kind)

    def _line(
        self,
        document: ResourceDocument,
        entry: ReportEntry,
        owners: dict[str, tuple[str, str]],
        accepted: list[Path],
    ) -> PlanLine:
        kept = entry.kind in KEPT
        owner = owner_of(owners, entry.path) if kept else ""
        decided = not entry.clashes and any(path == entry.path[: len(path)] for path in accepted)
        silent = kept and (decided or self._was_accepted(document, entry, entry.fresh))
        return PlanLine(document, entry, owner, ACCEPTED if silent else "")

    def _was_accepted(self, document: ResourceDocument, entry: ReportEntry, fresh: Node | None) -> bool:
        """Whether somebody decided in an earlier run that a line stays, and nothing changed since."""
        agreed = of_resource(self.record.accepted, document)
        return agreed is not None and agreed.get(path_text(entry.path)) == digest(entry.existing, fresh)

    def _decision(self, document: ResourceDocument) -> str:
        """What was decided about a resource as a whole."""
        return next((flag.action for flag in self.instructions.verdicts if flag.decides(document)), "")

    def _rules(self, resource: ResourceVersions) -> tuple[FieldRule, ...]:
        """Everything that decides fields of one resource ahead of the table."""
        instructions, fresh = self.instructions, resource.fresh
        made: list[FieldRule] = []
        pinned = (*instructions.preserve, *instructions.pins)
        for action, flags in (("set", instructions.sets), ("pin", pinned)):
            for flag in flags:
                path = resource.path_of(flag) if flag.about(fresh) else None
                if path is not None:
                    made.append(FieldRule(action, path, flag.value))
        made += [FieldRule("own", resource.spelled(path)) for path in instructions.owned]
        if not instructions.overwrite:
            set_before = of_resource(self.record.user, fresh) or []
            made += [FieldRule(self._earlier(fresh, path), resource.spelled(path), value) for path, value in set_before]
        return tuple(made)

    def _earlier(self, fresh: ResourceDocument, path: Path) -> str:
        return "forgotten" if self.instructions.forgotten(fresh.recorded, path) else "user"

    def pattern_had(self, change: ResourceChange, path: Path) -> Node | None:
        """What the pattern had for a field when an earlier run set it."""
        over = of_resource(self.record.over, change.fresh) or {}
        if path in over:
            return over[path]
        last = self.record.find(change.fresh)
        return value_at(last.tree(change.fresh), path) if last is not None else None

    def _set_earlier(self, change: ResourceChange) -> Iterator[PlanLine]:
        """The fields that an earlier run set, where the pattern has something else than it had then."""
        decided = {line.entry.path for line in change.lines if line.kind == "set"}
        set_before = None if self.instructions.overwrite else of_resource(self.record.user, change.fresh)
        for path, value in set_before or []:
            now = value_at(change.fresh.node, path)
            forgotten = self.instructions.forgotten(change.fresh.recorded, path)
            if path in decided or forgotten or _same(now, value) or _same(now, self.pattern_had(change, path)):
                continue
            yield PlanLine(change.existing or change.fresh, ReportEntry(path, SET_EARLIER, value, now))

    def set_fields(self, change: ResourceChange) -> list[tuple[Path, Node]]:
        """The fields of a resource that `--set` gives a value, as the merge spells their paths."""
        flags = [flag for flag in self.instructions.sets if flag.about(change.fresh)]
        fields = [(change.resource.path_of(flag), flag.value) for flag in flags]
        return [(path, value) for path, value in fields if path is not None and value is not None]

    # All of them

    def _find_orphans(self) -> None:
        """Resources on disk that are ours and no longer generated."""
        taken = {id(change.existing) for change in self.changes}
        names = {text.name for text in self.fresh}
        for document in self.index:
            if id(document) in taken or self.instructions.taken(document):
                continue
            aligned = id(document) in self.places.of_here
            base = self.places.of_here[id(document)] if aligned else self.record.base(document)
            if base is None if self.record.known else document.text.name not in names:
                continue
            row, decision = ORPHAN, self._decision(document)
            if self.instructions.prune:
                ours = self._proves_ours(document, base) or (base is not None and self.instructions.prune_edited)
                row = PRUNED if ours else NOT_PRUNED
            row = PRUNED if decision == "take" else row
            entry = ReportEntry((), row)
            silent = row is not PRUNED and (decision == "keep" or self._was_accepted(document, entry, None))
            if row is PRUNED:
                self.pruned.append(document)
            self.orphans.append(PlanLine(document, entry, kind=ACCEPTED if silent else ""))

    def _proves_ours(self, document: ResourceDocument, base: Node | None) -> bool:
        """By the record; without one, by the label, where the pattern has no instances that could share it."""
        if self.record.known or not self.instructions.label_proves:
            return base is not None and equal(base, document.node)
        ours = {self.record.pattern, *(pattern_label(fresh.node) for fresh in self._generated)} - {""}
        label = pattern_label(document.node)
        return bool(label) and (label in ours or not ours)


def _by_hand(entry: ReportEntry, here: ResourceDocument) -> ReportEntry:
    """What is to be written by hand, and where."""
    depth = next(
        depth for depth in range(len(entry.path), -1, -1) if value_at(here.node, entry.path[:depth]) is not None
    )
    place = value_at(here.node, entry.path[:depth])
    assert place is not None
    return ReportEntry(entry.path, NOT_WRITTEN, entry.existing, entry.fresh, entry.base, note=str(place.origin))


def _is_mask(node: Node | None) -> bool:
    """Whether it stands for a secret, so that nobody changed it."""
    return isinstance(node, Scalar) and node.value == MASK


def _same(a: Node | None, b: Node | None) -> bool:
    return a is b or (a is not None and b is not None and equal(a, b))


def pattern_label(node: Node) -> str:
    """The pattern that a resource's labels name."""
    for name in ("metadata", "labels"):
        child = node.entries.get(name) if isinstance(node, MapNode) else None
        if child is None:
            return ""
        node = child
    labels = [node.entries[name] for name in PATTERN_LABELS if isinstance(node, MapNode) and name in node.entries]
    return str(labels[0].value) if labels and isinstance(labels[0], Scalar) else ""


def _places(fresh: ResourceDocument, here: ResourceDocument) -> Iterator[PlanLine]:
    """What happened to the resource as a whole."""
    if fresh.identity is not None and here.label != fresh.label:
        yield PlanLine(fresh, ReportEntry((), RENAMED, note=here.label))
    if here.identity is not None and here.text.name != fresh.text.name:
        yield PlanLine(here, ReportEntry((), MOVED, note=fresh.text.name))


def _text_in(entries: dict[Key, Node], name: str) -> str:
    field = entries.get(name)
    return str(field.value) if isinstance(field, Scalar) else ""
