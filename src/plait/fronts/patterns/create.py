"""`plait create`: from a pattern and inputs to files, keeping what others changed in them.

A run reads everything, plans everything, and then writes everything or nothing. The record is one of the files that
it writes, so that the files and what is remembered of them can never disagree.
"""

from __future__ import annotations

import os
import shlex

from plait.core.node import Node, Scalar, equal, rewrite
from plait.core.path import Path, format_path
from plait.core.semver import is_older
from plait.fronts.masks import put_back
from plait.fronts.patterns.annotate import annotate_fields
from plait.fronts.patterns.comments import merge_comments
from plait.fronts.patterns.decisions import accepted_of, pins_note
from plait.fronts.patterns.disk import Folder, today, user_name
from plait.fronts.patterns.flags import (
    CreateFlags,
    instructions_of,
    option_value,
    pinned,
    split_scope,
    split_setting,
)
from plait.fronts.patterns.history import generated_by_commit, last_commit_with
from plait.fronts.patterns.inputs import Values, resolve, spec_inputs, typed_text
from plait.fronts.patterns.moves import FirstMoves, Moves, Trials
from plait.fronts.patterns.pattern import Pattern
from plait.fronts.patterns.plan import Plan
from plait.fronts.patterns.record import (
    NAME,
    InputOrigin,
    Ledger,
    Record,
    Remembered,
    is_called,
    of_resource,
)
from plait.fronts.patterns.regenerate import Planned
from plait.fronts.patterns.render import PatternRenderer
from plait.fronts.patterns.texts import planned_texts
from plait.fronts.project import Project
from plait.merging.threeway import value_at
from plait.report.catalog import INPUT_DISPUTED, INPUT_NOT_REMEMBERED, OLDER_VERSION, RECORD_LOST, WHICH_INSTANCE
from plait.report.near import did_you_mean
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NO_RECORD = f"There is no record of an earlier run ({NAME}): everything that differs is kept."
MARKERS = f"{NAME} had conflict markers: both versions were read, and one record is written."


class Request:
    """What the user asks for: a pattern, its inputs, where to, and the flags of a regeneration."""

    __slots__ = ("flags", "given", "instance", "output", "pattern", "sets", "spec")

    def __init__(self, pattern: Pattern, flags: CreateFlags, output: str = ".", spec: str = "") -> None:
        self.instance = ""
        """The recorded instance that is meant; empty where the inputs say which."""
        self.pattern = pattern
        self.flags = flags
        self.output = output
        self.spec = spec
        self.given: list[tuple[str, Node, str]] = []
        """Name, value, and `flag`, `set` or `spec`; the later wins."""
        self.sets: list[str] = []
        for flag in flags.set:
            name, equals, value = split_setting(flag)
            if equals and pattern.input_name(name):
                self.given.append((name, option_value(value, f"--set {flag}", forget=name), "set"))
            else:
                self.sets.append(flag)

    def option(self, name: str, giver: str) -> str:
        """The option that gave an input, as the record names it."""
        return {"flag": f"--{name}", "set": "--set", "spec": f"--spec {self.spec}"}[giver]


class Instance:
    """One instance of a pattern in a folder: what is remembered of it, and the values that were given for it before."""

    __slots__ = ("before", "key", "record", "unused")

    def __init__(self, ledger: Ledger, request: Request, given: dict[str, Node]) -> None:
        pattern = request.pattern
        self.key = request.instance or _chosen(ledger, pattern, given)
        self.record = ledger.records.get(self.key) or Record(pattern=pattern.name)
        self.before: dict[str, tuple[Node, str]] = {}
        """Each input of the pattern that was given before: its value, and the name it had then."""
        self.unused: dict[str, Node] = {}
        """Inputs that were given before and that the pattern no longer has."""
        for old, node in self.record.inputs.items():
            name = pattern.input_name(old)
            if name:
                self.before[name] = (node, old)
            else:
                self.unused[old] = node


def _chosen(ledger: Ledger, pattern: Pattern, given: dict[str, Node]) -> str:
    """The name of the instance that a run is about: the one that is named, else the only one there is."""
    known = ledger.of_pattern(pattern.name)
    declared = pattern.inputs.get(pattern.instance)
    if declared is None:
        return next(iter(known), pattern.name)
    by_name = {_instance_name(pattern, record): key for key, record in known.items()}
    wanted = given.get(pattern.instance)
    if wanted is None and len(by_name) > 1:
        names = [f"{declared.flag} {name}" for name in by_name]
        raise WHICH_INSTANCE.error(pattern=pattern.name, count=len(names), hint=f"choose one: {', '.join(names)}")
    if wanted is None and by_name:
        return next(iter(by_name.values()))
    node = wanted if wanted is not None else declared.default_in("")
    name = typed_text(declared.read(node)) if node is not None else ""
    return by_name.get(name, f"{pattern.name}/{name}")


def _instance_name(pattern: Pattern, record: Record) -> str:
    named = [node for name, node in record.inputs.items() if pattern.input_name(name) == pattern.instance]
    default = pattern.inputs[pattern.instance].default_in("")
    return (
        typed_text(pattern.inputs[pattern.instance].read(named[0])) if named else typed_text(default) if default else ""
    )


class Creation(Planned):
    """One run of a pattern, planned. Nothing is written before `write`."""

    def __init__(self, project: Project, request: Request) -> None:
        pattern = request.pattern
        self.request = request
        self.pattern = pattern
        self.version = pattern.version
        self.flags = request.flags
        self.folder = Folder(project, request.output, pattern.files, later=True, record=request.flags.record)
        self.ledger = self.folder.ledger
        self._check_record()
        self.given = [*self._spec(project), *request.given]
        """What this run gives."""
        self.instance = Instance(self.ledger, request, {name: node for name, node, _ in self.given})
        self.remembered = self.instance.record
        self._check_version()
        self.given = [(name, self._unmasked(name, node), giver) for name, node, giver in self.given]
        self.values = self._values()
        self.generator = PatternRenderer(project, pattern)
        self.trials = Trials(self.generator, pattern, self._all_given())
        self.fresh = self.generator.generate(self.values, self.folder.sources)
        self.folder.read(self.fresh)
        self.pins = pinned(request.flags, self.remembered.pins)
        instructions = instructions_of(
            request.flags,
            pins=self.pins,
            sets=request.sets,
            owned=pattern.owned,
            lists=pattern.lists,
            renamed=self.generator.renamed(self.values),
            inputs=pattern.inputs,
        )
        moves = self._moves()
        moves.refused = lambda document: of_resource(self.remembered.refused, document)
        if moves.before or moves.sets:
            instructions.moves = moves.of
        instructions.forgotten = self._forgotten
        instructions.elsewhere = self.ledger.bases
        instructions.glance = project.meter.glance
        instructions.label_proves = pattern.instance not in pattern.inputs
        instructions.taken = lambda document: self.ledger.owner(document, self.instance.key)
        self.plan = Plan(self.folder.texts, self.fresh, self._record(), instructions)
        self.check_plausible()
        merge_comments(self.plan)
        if request.flags.tracker == "annotations":
            annotate_fields(self.plan)

    def _spec(self, project: Project) -> list[tuple[str, Node, str]]:
        spec = project.read(project.admit(self.request.spec), lambda source: Reading()) if self.request.spec else []
        return spec_inputs(spec)

    def _check_record(self) -> None:
        """Raise where git has a record that is not here any more."""
        flags, folder = self.flags, self.folder
        if folder.ledger_source is not None or flags.without_record or flags.tracker not in ("", "sidecar"):
            return
        commit = last_commit_with(folder, folder.record)
        if commit:
            name = folder.where(folder.record)
            place, record = os.path.split(name)
            there = f"-C {shlex.quote(place)} " if place else ""
            hint = f"git {there}checkout {commit} -- {record}\nor go on without it: --without-record"
            raise RECORD_LOST.error(name=name, commit=commit, hint=hint)

    def _check_version(self) -> None:
        """Raise where a later version of the pattern generated the files."""
        before, now = self.remembered.version, self.pattern.version
        if not self.flags.downgrade and is_older(now, before):
            hint = "nothing was written; use the later version, or add --downgrade"
            raise OLDER_VERSION.error(name=self.pattern.name, before=before, now=now, hint=hint)

    def _unmasked(self, name: str, node: Node) -> Node:
        """An input that is given; a mask in it stands for what was given in an earlier run."""
        before = self.instance.before.get(name)
        unmasked = {id(mask): value for _, mask, value in put_back(node, before[0] if before else None)}
        return rewrite(node, lambda leaf: unmasked.get(id(leaf), leaf)) if unmasked else node

    def _values(self) -> Values:
        """What this run gives, over what was given in an earlier run, over defaults."""
        for name in self.flags.forget:
            if not self._is_input(name) and not any(self._forgotten(*field) for field in self.remembered.fields_set()):
                known = [*self.instance.before, *self.instance.unused]
                known += [f"{label}:{format_path(path)}" for label, path in self.remembered.fields_set()]
                hint = did_you_mean(name, known) or f"remembered: {', '.join(known) or 'none'}"
                raise INPUT_NOT_REMEMBERED.error(name=name, hint=hint)
        for name, (one, other) in self.remembered.disputed.items():
            if name not in self._now() and name not in self.flags.forget:
                hint = f"choose one: --{name} {typed_text(one)} or --{name} {typed_text(other)}"
                raise INPUT_DISPUTED.error(name=name, record=NAME, hint=hint)
        given = [(name, node, giver) for name, (node, giver) in self._all_given().items()]
        return resolve(self.pattern.inputs, given, self.pattern.environment)

    def _is_input(self, name: str) -> bool:
        return name in self.instance.before or name in self.instance.unused

    def _forgotten(self, label: str, path: Path) -> bool:
        """Whether `--forget` names a field that an earlier run set."""
        paths = [split_scope(name) for name in self.flags.forget if not self._is_input(name)]
        return any(written == format_path(path) and is_called(label, scope) for scope, written in paths)

    def _now(self) -> set[str]:
        return {name for name, _, _ in self.given}

    def _all_given(self) -> dict[str, tuple[Node, str]]:
        """Each input that was given, now or before: its value, and how."""
        before = self.instance.before.items()
        inputs = {name: (node, "remembered") for name, (node, _) in before if name not in self.flags.forget}
        inputs.update((name, (node, giver)) for name, node, giver in self.given)
        return inputs

    def _record(self) -> Record:
        """The record that the chosen tracker gives; without one, whatever differs is kept."""
        tracker = self.flags.tracker
        if tracker in ("diff", "annotations"):
            return Record(pattern=self.pattern.name)
        if tracker == "git":
            return generated_by_commit(self.folder, self.pattern.name, [text.name for text in self.fresh])
        return self.remembered

    def _moves(self) -> Moves:
        """The inputs that differ from the last run."""
        givers = self.values.givers
        if not self.remembered.known:
            return FirstMoves(self.trials, self.values, [name for name, giver in givers.items() if giver == "set"])
        given = [name for name, giver in givers.items() if giver in ("flag", "set", "spec")]
        before = {name: node for name, node in self._before().items() if self._differs(name, node)}
        alone = self.flags.tracker in ("", "sidecar") and self.remembered.digest == self.generator.digest()
        return Moves(self.trials, self.values, before, given, alone)

    def _before(self) -> dict[str, Node | None]:
        """Each input that was given now or before: what was given for it before, read as the pattern declares it
        now."""
        names = [*self.instance.before, *self._now()]
        known = self.instance.before
        inputs = self.pattern.inputs
        return {name: inputs[name].read(known[name][0]) if name in known else None for name in dict.fromkeys(names)}

    def _differs(self, name: str, before: Node | None) -> bool:
        environment, _ = self.instance.before.get(self.pattern.environment, (None, ""))
        node = before or self.pattern.inputs[name].default_in(
            str(environment.value if isinstance(environment, Scalar) else "")
        )
        now = self.values.nodes.get(name)
        return node is not now and (node is None or now is None or not equal(node, now))

    # Afterwards

    @property
    def notes(self) -> list[str]:
        """What there is to say about the run itself."""
        notes = []
        sidecar = self.flags.tracker in ("", "sidecar")
        unknown = (change.existing is not None and change.base is None for change in self.plan.changes)
        if sidecar and not self.remembered.known and any(unknown):
            notes.append(NO_RECORD)
        if self.ledger.versions:
            notes.append(MARKERS)
        givers = self.values.givers
        again = [
            f"{name}={typed_text(node)}" for name, node in self.values.nodes.items() if givers[name] == "remembered"
        ]
        if again:
            notes.append(f"Inputs of the last run: {', '.join(again)}")
        defaults = [
            f"{name}={typed_text(node)}" for name, node in self.values.nodes.items() if givers[name] == "default"
        ]
        if self.flags.without_record and defaults and not self.remembered.known:
            notes.append(f"Inputs that were not given, at their defaults: {', '.join(defaults)}")
        if self.pins:
            notes.append(pins_note(self.pins))
        unused = [f"{name}={typed_text(node)}" for name, node in self._unused().items()]
        if unused:
            notes.append(f"Inputs that the pattern no longer has: {', '.join(unused)} (--forget NAME drops one)")
        return notes

    def _unused(self) -> dict[str, Node]:
        return {name: node for name, node in self.instance.unused.items() if name not in self.flags.forget}

    def texts(self) -> dict[str, str | None]:
        """Every file that changes, the record among them."""
        texts = planned_texts(self.plan)
        name = self._name()
        gone = dict.fromkeys([self.instance.key, *self._renamed_away()])
        texts[self.folder.record] = self.ledger.text({**gone, name: self._remember()})
        return texts

    def _renamed_away(self) -> list[str]:
        """Other instances of which nothing is left, because this run renamed all that they had."""
        taken = {id(change.existing) for change in self.plan.changes}
        left = {self.ledger.owner(one, self.instance.key) for one in self.plan.index if id(one) not in taken}
        moved = {self.ledger.owner(one.existing, self.instance.key) for one in self.plan.changes
                 if one.existing is not None and one.existing.label != one.fresh.label}  # fmt: skip
        return sorted(moved - left - {""})

    def _name(self) -> str:
        """The instance as the record calls it."""
        node = self.values.nodes.get(self.pattern.instance)
        return f"{self.pattern.name}/{typed_text(node)}" if node is not None else self.pattern.name

    def _remember(self) -> Record:
        made = [*self._made()]
        inputs = {name: node for name, node in self.values.nodes.items() if self.values.givers[name] != "default"}
        record = Record(
            [*made, *self._orphans()],
            pattern=self.pattern.name,
            version=self.pattern.version,
            inputs={**self._unused(), **inputs},
        )
        record.digest = self.generator.digest()
        record.given = self._given_by(inputs)
        record.defaults = [name for name in self.pattern.inputs if name not in inputs]
        record.user = self._user()
        record.over = self._over(record.user)
        record.accepted = accepted_of(self.plan)
        record.refused = self.refused(self.remembered)
        record.pins, record.taken = self.pins, sorted(set(self.flags.take)) or self.remembered.taken
        return record

    def _made(self) -> Iterator[Remembered]:
        """What was generated; of a resource that could not be edited, what was generated last."""
        left = {id(change.fresh) for change in self.plan.changes if change.is_left}
        for document in (document for text in self.fresh for document in text.documents):
            known = self.remembered.find(document) if id(document) in left else None
            if known is not None or id(document) not in left:
                yield known or Remembered.of(document, tree=False)

    def _given_by(self, inputs: Iterable[str]) -> dict[str, InputOrigin]:
        """Who gave each input: as it was recorded, where the value is the same."""
        known, project = self.remembered.given, self.folder.project
        origins = {
            name: known[name] if known[name].version else known[name].last_used_by(self.remembered.version)
            for name in self._unused()
            if name in known
        }
        for name in inputs:
            before, old = self.instance.before.get(name, (None, name))
            same = before is not None and equal(before, self.values.nodes[name])
            giver = self.values.givers[name]
            if same and old in known:
                origins[name] = known[old].last_used_by("")
            elif giver != "remembered":
                origins[name] = InputOrigin(
                    self.request.option(name, giver), user_name(project, self.folder.path), today(project)
                )
        return origins

    def _orphans(self) -> list[Remembered]:
        """What was generated once and is still there: remembered, so that `--prune` can tell it from other people's."""
        orphans = [self.plan.record.find(line.document) for line in self.plan.orphans if line.kind != "pruned"]
        for resource in orphans:
            if resource is not None:
                resource.is_orphan = True
        return [resource for resource in orphans if resource is not None]

    def _user(self) -> dict[str, list[tuple[Path, Node]]]:
        """The fields that were set, now and before.

        `--overwrite` forgets the earlier ones, and an input takes its own back.
        """
        user: dict[str, list[tuple[Path, Node]]] = {}
        for change in self.plan.changes:
            label = change.fresh.recorded
            before = None if self.flags.overwrite else of_resource(self.remembered.user, change.fresh)
            kept = {path: value for path, value in before or [] if not self._forgotten(label, path)}
            for line in change.lines:
                if line.kind == "set" and line.entry.inputs:
                    kept.pop(line.entry.path, None)
            for path, value in self.plan.set_fields(change):
                kept[path] = value
            if kept:
                user[label] = list(kept.items())
        return user

    def _over(self, user: dict[str, list[tuple[Path, Node]]]) -> dict[str, dict[Path, Node | None]]:
        """What the pattern had where an earlier run set a field, if it has something else now."""
        over: dict[str, dict[Path, Node | None]] = {}
        for change in self.plan.changes:
            now = {path for path, _ in self.plan.set_fields(change)}
            for path, _ in user.get(change.fresh.recorded, ()):
                before = self.plan.pattern_had(change, path)
                if path not in now and not _same(before, value_at(change.fresh.node, path)):
                    over.setdefault(change.fresh.recorded, {})[path] = before
        return over


def _same(a: Node | None, b: Node | None) -> bool:
    return a is b or (a is not None and b is not None and equal(a, b))
