"""`plait create`: from a pattern and inputs to files, keeping what others changed in them.

A run reads everything, plans everything, and then writes everything or nothing. It writes the record last of all, in the same
set of files, so that the files and what is remembered of them can never disagree.
"""

from __future__ import annotations

from plait.core.diagnostic import PlaitError
from plait.core.node import Node, equal
from plait.core.path import Path, format_path
from plait.fronts.patterns.claims import claim_fields
from plait.fronts.patterns.disk import Folder
from plait.fronts.patterns.flags import Flags, split_setting, wishes_of, yaml_value
from plait.fronts.patterns.inputs import Values, resolve, shown, spec_inputs
from plait.fronts.patterns.kinds import Policies
from plait.fronts.patterns.pattern import Pattern
from plait.fronts.patterns.plan import ACCEPTED, Plan, reaches
from plait.fronts.patterns.record import NAME, Record, Remembered, digest, record_node
from plait.fronts.patterns.regenerate import Planned
from plait.fronts.patterns.render import Generator
from plait.fronts.patterns.resources import Index, Text
from plait.fronts.patterns.texts import planned_texts
from plait.fronts.patterns.trail import generated_by_commit
from plait.fronts.project import Project
from plait.merging.threeway import Terms, threeway
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Request:
    """What the user asks for: a pattern, its inputs, where to, and the flags of a regeneration."""

    __slots__ = ("flags", "given", "output", "pattern", "sets", "spec")

    def __init__(self, pattern: Pattern, flags: Flags, output: str = ".", spec: str = "") -> None:
        self.pattern = pattern
        self.flags = flags
        self.output = output
        self.spec = spec
        self.given: list[tuple[str, Node, str]] = []
        self.sets: list[str] = []
        for flag in flags.set:
            name, equals, value = split_setting(flag)
            if equals and name in pattern.inputs:
                self.given.append((name, yaml_value(value, f"--set {flag}"), "set"))
            else:
                self.sets.append(flag)


class Creation(Planned):
    """One run of a pattern, planned. Nothing is written before `write`."""

    def __init__(self, project: Project, request: Request) -> None:
        pattern = request.pattern
        self.pattern = pattern
        self.version = pattern.version
        self.flags = request.flags
        self.folder = Folder(project.writer(request.output), request.output, pattern.files)
        self.ledger = self.folder.ledger
        self.remembered = self.ledger.record(pattern.name)
        self.values = self._values(project, request)
        self.generator = Generator(project, pattern)
        self.fresh = self.generator.generate(self.values)
        wishes = wishes_of(
            request.flags,
            sets=request.sets,
            owned=pattern.owned,
            lists=pattern.lists,
            renamed=self.generator.renamed(self.values),
            given=self._given(),
            inputs=pattern.inputs,
        )
        self.plan = Plan(self.folder.texts, self.fresh, self._record(), wishes)
        if request.flags.tracker == "annotations":
            claim_fields(self.plan)

    def _values(self, project: Project, request: Request) -> Values:
        """Flags over the spec file over what was given in an earlier run over defaults."""
        spec = project.read(project.admit(request.spec), lambda source: Reading()) if request.spec else []
        before = [
            (name, node, "remembered") for name, node in self.remembered.inputs.items() if name in self.pattern.inputs
        ]
        given = [*before, *spec_inputs(spec), *request.given]
        return resolve(self.pattern.inputs, given, self.pattern.environment)

    def _record(self) -> Record:
        """The record that the chosen tracker gives; without one, whatever differs is kept."""
        tracker = self.flags.tracker
        if tracker in ("diff", "annotations"):
            return Record(pattern=self.pattern.name)
        if tracker == "git":
            return generated_by_commit(self.folder, self.pattern.name, [text.name for text in self.fresh])
        return self.remembered

    # Which fields an input decides

    def _given(self) -> dict[tuple[str, ...], list[Path]]:
        """The fields that are the user's because they set an input, or changed one since the last run."""
        found: dict[tuple[str, ...], list[Path]] = {}
        for name, giver in self.values.givers.items():
            now, before = self.values.nodes[name], self._before(name)
            changed = self.remembered.known and before is not None and not equal(before, now)
            if giver == "set" or (changed and giver in ("flag", "spec")):
                for key, paths in self.decided_by(name, [before if changed else None]).items():
                    found.setdefault(key, []).extend(paths)
        return found

    def _before(self, name: str) -> Node | None:
        """What an input was in the last run."""
        environment = self.remembered.inputs.get(self.pattern.environment)
        place = str(getattr(environment, "value", ""))
        return self.remembered.inputs.get(name) or self.pattern.inputs[name].default_in(place)

    def decided_by(self, name: str, others: Iterable[Node | None] = ()) -> dict[tuple[str, ...], list[Path]]:
        """The fields that would be others with another value of an input: the first one that the pattern can be rendered with."""
        declared, now = self.pattern.inputs[name], self.values.nodes[name]
        for other in (*others, declared.probe(now), None if declared.by_environment else declared.default):
            if other is not None and not equal(other, now):
                try:
                    return self._differing(self.generator.generate(self.values.with_value(name, other)))
                except PlaitError:  # a pattern need not work for a value that nobody gave
                    continue
        return {}

    def _differing(self, made: list[Text]) -> dict[tuple[str, ...], list[Path]]:
        """The fields in which what is generated differs from something else that was."""
        policies = Policies()
        then = Index(document for text in made for document in text.documents)
        found: dict[tuple[str, ...], list[Path]] = {}
        for document in (document for text in self.fresh for document in text.documents):
            was = then.find(document)
            if was is not None:
                identity = document.identity
                policy = policies.for_resource(identity.api, identity.kind) if identity else policies.of("", "")
                told = threeway(None, was.node, document.node, Terms(False, policy=policy))
                found[document.key] = [entry.path for entry in told.entries]
        return found

    # Afterwards

    def report(self, blame: bool = False) -> str:
        told = super().report(blame)
        again = [
            f"{name}={shown(self.values.nodes[name])}" for name, by in self.values.givers.items() if by == "remembered"
        ]
        return told + (f"Inputs of the last run: {', '.join(again)}\n\n" if again else "")

    def texts(self) -> dict[str, str | None]:
        """Every file that changes, the record among them."""
        texts = planned_texts(self.plan)
        texts[NAME] = self.ledger.with_record(self.pattern.name, self._remember())
        return texts

    def _remember(self) -> Node:
        given = {name: self.values.nodes[name] for name, giver in self.values.givers.items() if giver != "default"}
        inputs = {name: given[name] for name in self.pattern.inputs if name in given}
        made = [Remembered.of(document) for text in self.fresh for document in text.documents]
        return record_node(self.pattern.version, inputs, self._user(), self._accepted(), [*made, *self._orphans()])

    def _orphans(self) -> list[Remembered]:
        """What was generated once and is still there: remembered, so that `--prune` can tell it from other people's."""
        found = [self.plan.record.find(line.document) for line in self.plan.orphans if line.kind == "orphan"]
        return [resource for resource in found if resource is not None]

    def _user(self) -> dict[str, list[tuple[Path, Node]]]:
        """The fields that were set, now and before; `--overwrite` forgets the earlier ones."""
        user: dict[str, list[tuple[Path, Node]]] = {}
        for change in self.plan.changes:
            label = change.fresh.label
            kept = dict(self.remembered.user.get(label, ()) if not self.flags.overwrite else ())
            nodes = [change.fresh.node] + ([change.existing.node] if change.existing is not None else [])
            for wish in self.plan.wishes.sets:
                if (
                    wish.about(change.fresh)
                    and wish.value is not None
                    and (wish.scope or any(reaches(n, wish.path) for n in nodes))
                ):
                    kept[wish.path] = wish.value
            if kept:
                user[label] = list(kept.items())
        return user

    def _accepted(self) -> dict[str, dict[str, str]]:
        accepted: dict[str, dict[str, str]] = {}
        for line in self.plan.lines:
            if line.kind == ACCEPTED:
                sign = digest(line.entry.existing, line.entry.fresh)
                accepted.setdefault(line.document.label, {})[format_path(line.entry.path)] = sign
        return accepted
