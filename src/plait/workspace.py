"""The object behind every interface: the command line, the library, the editor and the explorer.

A workspace is one run in one folder: what may be done there, how much of it, and each file read once.
"""

from __future__ import annotations

import os

from plait.access.environment import variable, variables_named
from plait.access.guard import Guard
from plait.access.sinks import REPORT, TERMINAL
from plait.core.diagnostic import Diagnostic, Fault, PlaitError, for_each
from plait.core.meter import BUDGETS, Meter
from plait.core.node import ListNode, Node, Scalar, plain_value
from plait.core.path import Path, format_path
from plait.core.plain import from_plain
from plait.core.policy import MergePolicy
from plait.evaluate.engine import NotThere
from plait.evaluate.limits import Counters
from plait.evaluate.tree import Tree
from plait.fronts.layers import Bundle, LayerReader, MergedDocument, MergeOptions, merge_options
from plait.fronts.living import Living
from plait.fronts.notations import function_listings as function_table
from plait.fronts.project import Project, configured_budgets, policy_of, user_settings
from plait.fronts.trust import Trust, capabilities, forget_trust, record_trust
from plait.fronts.trust import read_trust as list_trust
from plait.fronts.typed import has_wildcards
from plait.fronts.typed import typed_path as read_path
from plait.report.catalog import BAD_OPTION, UNKNOWN_PATH
from plait.yaml import native
from plait.yaml.emit import Style, emit_documents, emit_json, emit_styled, plain_data, text_key, text_keys
from plait.yaml.native import in_use as reader_in_use
from plait.yaml.remember import Remember
from plait.yaml.schema import CORE as YAML12
from plait.yaml.schema import Schema
from plait.yaml.writing import Writing
from plait.yaml.written import shown_scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, TypeVar

    from plait.access.trace import AccessTrace
    from plait.access.workers import Elsewhere
    from plait.authoring.fixes import Fix
    from plait.authoring.session import Authoring
    from plait.authoring.state import Pointed, Value
    from plait.authoring.symbols import Symbol
    from plait.core.source import Source
    from plait.edits.effects import ValueChange
    from plait.edits.proof import ExplanationProof
    from plait.edits.value import ResultEdit, Trial
    from plait.evaluate.explain import Contribution, Explanation, Leaf
    from plait.evaluate.hops import Hop
    from plait.fronts.blame import Blame, BlameLine, Gone
    from plait.fronts.editing import Editor, FileDifference, WrittenPlace
    from plait.fronts.findings import Finding
    from plait.fronts.front import DocumentId, Given, Target, Targets, World
    from plait.fronts.origins import Share, Verdict
    from plait.fronts.proposal import TargetProposal
    from plait.fronts.questions import (
        Asked,
        Directives,
        Input,
        ManifestDifference,
        Merged3,
        Pattern,
        Patterns,
        Planned,
        PlannedAgain,
        Shape,
        Site,
        SpiffQuestions,
        StackQuestions,
        Working,
    )
    from plait.fronts.signs import Recognised
    from plait.merging.diff import ValueDifference as TreeDifference
    from plait.review.hunks import Hunk
    from plait.review.review import CauseGroup, Effect, Review
    from plait.review.verify import Outputs, Proof, Verification, VerifyRow
    from plait.survey.survey import Fate, FileShare, FoldedValue, Survey
    from plait.survey.uses import DocumentUses
    from plait.tidy.move import Moving
    from plait.tidy.plan import TidyPlan
    from plait.tidy.proposal import Proposal
    from plait.tidy.rename import Renaming
    from plait.tidy.tidy import ProvedChanges, Tidy
    from plait.yaml.places import WrittenSpot

    T = TypeVar("T")

__all__ = [
    "YAML12",
    "Asked",
    "Authoring",
    "Blame",
    "BlameLine",
    "Bundle",
    "CauseGroup",
    "Contribution",
    "DocumentUses",
    "Editor",
    "Effect",
    "Explanation",
    "ExplanationProof",
    "Fate",
    "FileDifference",
    "FileShare",
    "Finding",
    "Fix",
    "FoldedValue",
    "Given",
    "Gone",
    "Hop",
    "Hunk",
    "Input",
    "Leaf",
    "ManifestDifference",
    "MergeOptions",
    "Merged3",
    "MergedDocument",
    "Pattern",
    "Patterns",
    "Planned",
    "PlannedAgain",
    "Pointed",
    "Proof",
    "Proposal",
    "ProvedChanges",
    "ResultEdit",
    "Review",
    "Schema",
    "Shape",
    "Share",
    "Site",
    "StackQuestions",
    "Survey",
    "Symbol",
    "Target",
    "TargetProposal",
    "Targets",
    "Tidy",
    "Tree",
    "TreeDifference",
    "Trial",
    "Value",
    "ValueChange",
    "Verdict",
    "Verification",
    "VerifyRow",
    "Working",
    "Workspace",
    "Writing",
    "WrittenPlace",
    "WrittenSpot",
    "as_text",
    "as_typed",
    "data_text",
    "documents_text",
    "finding_in",
    "forget_trust",
    "function_table",
    "has_wildcards",
    "list_trust",
    "marks",
    "moved",
    "one_line",
    "plain_data",
    "plain_value",
    "read_path",
    "read_value",
    "reader_in_use",
    "record_trust",
    "shown_scalar",
    "stream_text",
    "text_key",
    "text_keys",
]


LABORIOUS = 20_000
"""How many steps a run must have taken before it also writes down what it parsed with the native reader, which is as
fast as writing."""
WORTHWHILE = 8_000
"""How many characters a run must have read, and steps it must have taken, before its answer is kept."""


class Workspace(Living):
    """A folder, what a run in it may do, and every question that can be asked about it."""

    def __init__(
        self,
        folder: str = ".",
        *,
        allow: Iterable[str] = (),
        deny: Iterable[str] = (),
        budgets: dict[str, int] | None = None,
        cache: bool = True,
        progress: Callable[[str], None] | None = None,
        writing: Writing | None = None,
        hermetic: bool = False,
        jobs: int = 1,
        elsewhere: Elsewhere | None = None,
        publishes: bool = False,
    ) -> None:
        """`jobs` is how many processes may compute at the same time; 0 for as many as there are cores. `elsewhere` are
        other machines that compute for this one. `publishes` says that the answers go into a report: see
        `access/sinks.py`."""
        sink = REPORT if publishes else TERMINAL
        guard = Guard(capabilities([*allow, variable("PLAIT_ALLOW")]), capabilities(list(deny)), hermetic, sink)
        own = {} if hermetic else {**configured_budgets(), **user_budgets()}
        limits = {**own, **(budgets or {})}
        remembered: dict[str, Remember] = {}

        def make(unsaved: dict[str, bytes]) -> Project:
            made = Project(folder, guard=guard, budgets=limits, progress=progress, writing=writing, altered=unsaved)
            made.jobs = jobs or _usable_cores()
            made.elsewhere = elsewhere
            guard.consent = Trust(made.root, made.sources, made.door)
            if cache:
                made.cache = remembered.setdefault(made.root, Remember(made.root, made.budgets.depth))
            return made

        super().__init__(make)

    def followed(self) -> AccessTrace:
        """What the run depended on so far. `unfollowed` in it says why its answer cannot be kept."""
        project = self.project
        trace = project.trace
        if project.meter.fed + project.meter.steps < WORTHWHILE:
            trace.unfollowed.add("nothing that would take long again")
        if trace.unfollowed:
            return trace
        trace.stamp(user_settings())
        project.shield()
        if not project.leaving and project.leaving is not None and project.is_alone:
            project.leaving = {name: kept for held in project.held.values() for name, kept in held.left().items()}
        return trace

    def close(self) -> None:
        """The end of the run: remember what was read, for the next one, and give back what is kept open."""
        project = self.project
        if project.cache is not None:
            project.cache.save(native.scan is None or project.counters.steps > LABORIOUS)
        project.door.close()

    @property
    def meter(self) -> Meter:
        """What the run has used so far, and what it may use."""
        return self.project.meter

    @property
    def counters(self) -> Counters:
        return self.project.counters

    def policy(self, lists: Iterable[str] = (), policy_file: str | None = None) -> MergePolicy:
        """How layers are merged here: flags over a policy file over plait.yaml."""
        return policy_of(self.project, list(lists), policy_file)

    def recognised(self, layers: list[str]) -> Recognised | None:
        """The profile that fits layers by the names of files; None where none does, or plait.yaml says which."""
        if self.project.settings.profile or not layers:
            return None
        from plait.fronts.signs import recognised

        return recognised(self.project, layers)

    def merge_options(self, **options: object) -> MergeOptions:
        """How layers are read and merged here: flags over plait.yaml over a profile.

        Options are those of `merge_options`.
        """
        return merge_options(self.project, **options)  # type: ignore[arg-type]

    def layers(
        self,
        names: Iterable[str],
        options: MergeOptions | None = None,
        *,
        sets: Iterable[str] = (),
        create: bool = False,
        relatives: dict[str, list[str]] | None = None,
        declared: bool = False,
    ) -> Bundle:
        """Layers of YAML, merged: one lazy tree, or one for each of several documents. The user names them, unless they
        are `declared` by a file."""
        named = [name if declared else self.project.admit(name) for name in names]
        return LayerReader(self.project, options).bundle(named, sets, create, relatives)

    def value(self, tree: Tree, path: str = "") -> Node:
        """The finished value at a path; all errors at once."""
        steps = read_path(path)
        try:
            return tree.value(steps)
        except NotThere as nowhere:
            raise _unknown(nowhere, steps) from None

    def explain(self, tree: Tree, path: str) -> Explanation:
        """Where the value at a path, or each value that a pattern matches, comes from."""
        from plait.evaluate.explain import explain  # most commands do not explain

        steps = read_path(path, pattern=True)
        try:
            return self._with_patterns(explain(tree, steps))
        except NotThere as nowhere:
            raise _never_set(nowhere, steps) from None

    def beside_a_record(self, file: str) -> bool:
        """Whether the folder of a file has a record of `plait create`, so that the file may be generated."""
        from plait.fronts.questions import beside_a_record

        return beside_a_record(self.project, file)

    def _with_patterns(self, explanation: Explanation) -> Explanation:
        """An explanation whose value, where a pattern generated it, names the line of the pattern."""
        from plait.fronts.questions import generating

        for leaf in explanation.leaves if len(explanation.leaves) == 1 else ():
            leaf.hops += generating(self.project, leaf, leaf.winner.node.origin.file)
        return explanation

    def prove(self, ask: Callable[[], Explanation]) -> ExplanationProof:
        """Whether an explanation is true, tried with other texts for the files: `ask` asks for it again. Nothing is
        written; whoever calls must allow nothing that acts outside."""
        from plait.edits.proof import prove

        return prove(self, ask)

    def blame(
        self,
        tree: Tree,
        path: str = "",
        reveal: bool = False,
        sections: tuple[str, ...] = (),
        schema: Schema | None = None,
        partial: bool = False,
    ) -> Blame:
        """The value at a path with the origin of every line, and what was dropped. With a schema, what was not touched
        is printed as it was written. A `partial` one may have values that could not be computed."""
        from plait.fronts.blame import blame  # most commands do not ask

        steps = read_path(path)
        try:
            return blame(tree, steps, Style(reveal=reveal, schema=schema, meter=self.meter), sections, partial)
        except NotThere as nowhere:
            raise _never_set(nowhere, steps) from None

    @property
    def spiff(self) -> SpiffQuestions:
        """Templates and stubs."""
        from plait.fronts.questions import spiff

        return spiff(self.project)

    def template(self, files: list[str], said: Mapping[str, object] | None = None) -> Target:
        """A spiff template, named first, and its stubs as a target; `said` are its dialect and features."""
        from plait.fronts.front import Declaration

        return self.world().open(Declaration("template", "", "", files, parameters=dict(said or {}), given=files))

    def authoring(self) -> Authoring:
        """The folder as an editor sees it: with unsaved texts, and answers for places of files."""
        from plait.authoring.session import Authoring

        return Authoring(self)

    def write(self, files: dict[str, bytes | None]) -> list[str]:
        """Write a set of files, all or none; the names of those that changed."""
        return self.project.writer().write(files)

    def write_below(self, folder: str, files: dict[str, bytes]) -> None:
        """Write files into a folder that the user named, wherever it is; it is made where there is none."""
        os.makedirs(folder, exist_ok=True)
        self.project.writer(os.path.realpath(folder)).write(files)

    def replace(self, path: str, expected: bytes, data: bytes) -> None:
        """Write a file that still holds what is expected; refused where it holds anything else."""
        self.project.writer().write({path: data}, seen={path: expected})

    def stacks(
        self, folder: str = ".", flags: dict[str, object] | None = None, options: dict[str, object] | None = None
    ) -> StackQuestions:
        """The stack manifests of a repository that has an atmos.yaml.

        `flags` and `options` are words of `ConfigFlags` and `StackOptions` there.
        """
        from plait.fronts.questions import stacks

        return stacks(self.project, folder, flags, options)

    def world(self, given: Given | None = None) -> World:
        """The files of this folder, for questions about targets. `given` are words of the command line to fronts."""
        from plait.fronts.catalog import world_of

        return world_of(self.project, given=given)

    def targets(self, given: Given | None = None) -> Targets:
        """What people deploy from this folder, of every kind."""
        return self.world(given).targets

    def in_folder(self, path: str, files: list[str], given: Given | None = None, file: bool = False) -> Target | None:
        """A folder that is a target by itself, a chart for example, with more files of the command line; None where it
        is no such folder. With `file`, also a file that is one by its name."""
        from plait.fronts.signs import file_kind, folder_kind

        kind = folder_kind(self.project, path) if not path.endswith((".yaml", ".yml", ".json")) else ""
        kind = kind or (file_kind(self.project, path) if file else "")
        if not kind:
            return None
        from plait.fronts.catalog import in_folder

        return self.world(given).open(in_folder(self.project, kind, path, files))

    def stacks_folder(self) -> str:
        """The folder of the atmos.yaml that applies here; empty where there is none."""
        from plait.fronts.catalog import stacks_folder

        return stacks_folder(self.world())

    def edit_of(self, target: Target, document: DocumentId, path: str, value: Node | None) -> ResultEdit:
        """A value of a target to be set or, without a value, removed: every place where that can be written."""
        from plait.edits.value import ResultEdit

        return ResultEdit(target, document, read_path(path), value)

    def edit_at(self, target: Target, address: str, value: Node | None) -> ResultEdit:
        """The same for an address inside the target: `Deployment/web:spec.replicas`."""
        document, path = target.addressed(address)
        return self.edit_of(target, document, target.spelled(target.tree(document), path), value)

    def stack_edit(
        self, stacks: StackQuestions, component: str, stack: str, path: str, value: Node | None
    ) -> ResultEdit:
        """The same for a value of a component."""
        from plait.edits.value import ResultEdit

        return ResultEdit(*self._component(stacks, component, stack), read_path(path), value)

    def _component(self, stacks: StackQuestions, component: str, stack: str) -> tuple[Target, DocumentId]:
        """A component of a stack, as a document of a target."""
        from plait.fronts.front import label

        targets = self.targets({"stack": {"asked": stacks}})
        target = targets.at(f"stack:{stack}")
        for document in target.documents() if target is not None and "/" in component else ():
            if target is not None and component == label(document):
                return target, document
        found = stacks.component(component, stack)  # or what there is instead
        target = targets.at(f"stack:{found.stack}")
        assert target is not None
        return target, target.id(found.type, "", found.name)

    def stack_value(self, stacks: StackQuestions, component: str, stack: str, path: str, at: str = "") -> Node:
        """A value of a component, evaluated; with `at`, what is written at one place."""
        if not at:
            steps = read_path(path)
            try:
                return stacks.seen(component, stack, steps)
            except NotThere as nowhere:
                raise _unknown(nowhere, steps) from None
        from plait.edits.choosing import written_at

        return written_at(*self._component(stacks, component, stack), read_path(path), at)

    @property
    def editor(self) -> Editor:
        """Files, asked and changed one span at a time, and compared."""
        from plait.fronts.editing import Editor

        return Editor(self.project)

    @property
    def directives(self) -> Directives:
        """Documents with directives, and questions to them."""
        from plait.fronts.questions import directives

        return directives(self.project)

    @property
    def patterns(self) -> Patterns:
        """Everything about patterns and generating again."""
        from plait.fronts.questions import patterns

        return patterns(self.project)

    def target_origins(self, target: Target, reveal: bool = False) -> str:
        """The documents of a target as YAML, each value with the place it comes from as a comment."""
        from plait.fronts.origins import commented

        trees = [target.tree(document) for document in target.documents()]
        return "---\n".join(commented(tree, self.value(tree), target.schema or YAML12, reveal) for tree in trees)

    def target_blames(self, target: Target, address: str | None, reveal: bool = False) -> dict[str, Blame]:
        """The documents of a target, or a part of one, with the origin of every line."""
        if address:
            return {"": self.blame(*target.chosen(address), reveal, schema=target.schema, partial=True)}
        return {
            name: self.blame(tree, "", reveal, target.sections(tree), target.schema, partial=True)
            for name, tree in target.labelled().items()
        }

    def target_shares(self, target: Target) -> list[Share]:
        """What each file contributes to a target."""
        from plait.survey.survey import target_shares

        return target_shares(target)

    def linted(
        self, target: Target, *, select: Iterable[str] = (), ignore: Iterable[str] = (), schemas: str = ""
    ) -> list[Diagnostic]:
        """What is wrong with a target, and what is probably not meant. `schemas` is a folder of JSON Schemas for
        resources."""
        from plait.fronts.lint import CodeSelection, kept, refused_resources

        choice = CodeSelection(select, ignore)
        refused = refused_resources(target, schemas) if schemas else ()
        found = [one for one in (*target.findings(), *refused) if choice.wants(one.code)]
        own = set(target.made_of())
        return kept(found, [source for source in self.project.sources.values() if source.name in own], choice)

    def check_stacks(self) -> None:
        """Where no target was found: PlaitError if there is an atmos.yaml, with what was looked at."""
        from plait.fronts.catalog import check_stacks

        check_stacks(self.world())

    def proposal(self) -> TargetProposal:
        """What plait.yaml would have to say so that it has every target that is found."""
        from plait.fronts.catalog import proposal

        return proposal(self.world())

    def target_rows(self) -> list[dict[str, object]]:
        """What `plait targets` says of every target, and of every question that a person has to answer."""
        from plait.fronts.catalog import listed

        return listed(self.world())

    def review(
        self,
        base: str | None,
        other: str | None,
        only: Iterable[str] = (),
        proofs: int = 2000,
        ways: int = 0,
        layers: bool = False,
    ) -> Review:
        """What a change does to the results; of as many changed values as `ways` also what they came through. `layers`:
        also what each file contributes to the targets that change most. Without `base`, since this branch left the
        main branch."""
        from plait.review.review import review
        from plait.review.sides import chosen

        change = chosen(self.project, base, other)
        sides: list[Project] = []
        look = self.target_shares if layers else None

        def opened(*given: Any) -> Project:
            sides.append(self._side(*given))
            return sides[-1]

        self.project.guard.comparing = True
        try:
            if self.project.jobs > 1:
                from plait.review.shares import review_together

                self.project.trace.unfollowed.add("other processes")
                return review_together(change, opened, only, proofs, self.project.jobs, ways, look)
            return review(change, opened, only, proofs, ways, look)
        finally:
            self.project.guard.comparing = False
            for side in sides:
                self.project.depend_on(side, change.is_copied)
                self.project.meter.feed(side.meter.fed)
            change.close()

    def tidy(self, paths: Iterable[str] = (), only: Iterable[str] = (), share: int = 100) -> Tidy:
        """What could be simpler in the files: changes that leave every result of every target as it is."""
        from plait.review.compared import comparing
        from plait.tidy.tidy import Tidy

        with comparing(self.project):
            return Tidy(self.world(), paths, only, share)

    def tidy_plan(self, name: str) -> TidyPlan:
        """A plan that was saved, if the files that it was made for are still the same."""
        from plait.review.compared import comparing
        from plait.tidy.plan import read_plan

        self.project.admit(name)
        plan = read_plan(name, self.project.door.read(name, self.project.budgets.size))
        with comparing(self.project):
            plan.check(self.world())
        return plan

    def save_tidy_plan(self, name: str, asked: dict[str, object], changes: list[dict[str, object]]) -> None:
        """Save what somebody asked for and what was proved, for these files."""
        from plait.review.compared import comparing
        from plait.tidy.plan import TidyPlan, digests

        with comparing(self.project):
            world = self.world()
            plan = TidyPlan(asked, world.targets.names(), digests(world), changes)
        self.write({name: plan.text().encode()})

    def renaming(self, path: str, key: str) -> Renaming:
        """Another name for the key at a path, in all layers and in everything that reads it."""
        from plait.review.compared import comparing
        from plait.tidy.rename import Renaming

        with comparing(self.project):
            return Renaming(self.world(), self.authoring().symbols, path, key)

    def moving(self, paths: Iterable[str], path: str, to: str) -> Moving:
        """The value at a path, moved into another file: out of certain files, or all."""
        from plait.review.compared import comparing
        from plait.tidy.move import Moving

        with comparing(self.project):
            return Moving(self.world(), paths, path, to)

    def diff_targets(self, before: Target, after: Target, policy: MergePolicy) -> list[FileDifference]:
        """What differs between the results of two targets."""
        from plait.review.between import differing
        from plait.review.compared import comparing

        with comparing(self.project):
            return differing(before, after, policy)

    def survey(self, given: Given | None = None) -> Survey:
        """What files and values are to all targets."""
        from plait.survey.survey import Survey

        return Survey(self.world(given))

    def survey_of(self, files: Iterable[str]) -> Survey:
        """The same about files that the user names, as the layers of one target."""
        from plait.fronts.front import NAMED

        return self.survey({NAMED: {self.project.admit(name): True for name in files}})

    def yaml_files(self) -> list[str]:
        """The YAML files of the folder, by their paths from its root."""
        from plait.fronts.catalog import yaml_files

        return yaml_files(self.project)

    def verify(
        self,
        against: str | None,
        command: str | None,
        only: Iterable[str] = (),
        options: dict[str, object] | None = None,
        tools: bool = False,
    ) -> Verification:
        """Every target compared with the results of another tool: saved outputs, or a command that is run now; with
        `tools`, the tool of each target.

        `options` are words of `StackOptions`: how stacks are evaluated.
        """
        from plait.review.compared import ComparedTargets, comparing
        from plait.review.verify import Saved, outputs_of, outputs_of_tools, verify

        compared = ComparedTargets(self.world({"stack": options} if options else None), whole=True)
        names = compared.targets.selected(set(only))
        chosen = {name: compared.targets[name] for name in names}
        saved: Outputs
        if tools:
            saved, digests = outputs_of_tools(self.project, chosen)
        elif command is not None:
            saved, digests = outputs_of(self.project, command, chosen)
        else:
            outputs = Saved(self.project, against or "")
            saved, digests = outputs.documents(chosen), outputs.digests
        with comparing(self.project):
            return verify(compared, saved, names, digests)

    def verification_changes(self, report: str, data: dict[str, object]) -> list[str]:
        """What changed since an earlier report."""
        from plait.review.verify import changes_since, earlier

        return changes_since(earlier(self.project, report), data)

    def _side(
        self, folder: str, altered: dict[str, bytes | None] | None = None, beside: Project | None = None
    ) -> Project:
        """The project in another tree, with what is allowed here."""
        project = self.project.in_tree(folder, altered, beside)
        project.door.add_root(self.project.root)  # what git ignores is the same in every tree
        project.progress = self.project.progress
        return project

    def lint(
        self,
        bundle: Bundle,
        options: MergeOptions,
        *,
        select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        templates: str = "",
        schemas: str = "",
    ) -> list[Diagnostic]:
        """Likely mistakes in merged layers."""
        from plait.fronts.lint import CodeSelection, Subject, lint

        subject = Subject(
            self.project, bundle, options.patterns, templates, options.profile, options.notations, schemas
        )
        return lint(subject, CodeSelection(select, ignore))

    def not_fine(self, fine: Callable[[Any], bool], units: list[Any]) -> Iterator[Any]:
        """The units that workers did not find to be fine, in order: all of them where there are no workers."""
        from plait.access.workers import not_fine

        return not_fine(fine, units, self.project.jobs, self.project.guard, self.project.trace)

    def for_names(self, work: Callable[[str], T], names: list[str]) -> Iterator[T]:
        """What `work` gives for each name, in order, computed by workers where that saves time: data that `marshal`
        understands. The first is computed here, so that workers have what all of them share."""
        from plait.access.workers import forked

        def metered(name: str) -> tuple[T, tuple[int, ...], tuple[int, ...]]:
            before = self.meter.used()
            return work(name), before, self.meter.used()

        project, others = self.project, names[1:]
        yield from map(work, names[:1])
        for name, done in zip(
            others, forked(metered, others, project.jobs, project.guard, trace=project.trace), strict=True
        ):
            if done is None:
                yield work(name)
                continue
            made, before, after = done
            self.meter.add(before, after)
            yield made

    def sealed(self, bundle: Bundle) -> list[Node]:
        """The merged documents as they are written to a file: what SOPS encrypted, and was not changed, as it was."""
        from plait.fronts.sops import sealed

        return for_each(lambda member: sealed(self.value(member.tree), bundle.encrypted), bundle.members)

    def origins(self, bundle: Bundle, reveal: bool = False) -> str:
        """The merged documents as YAML, each value with the place it comes from as a comment."""
        from plait.fronts.origins import commented

        values = for_each(lambda member: (member.tree, self.value(member.tree)), bundle.members)
        return "---\n".join(commented(tree, value, bundle.schema, reveal) for tree, value in values)

    def compare(self, before: Node, after: Node, lists: list[str]) -> list[TreeDifference]:
        """What differs between two finished trees."""
        from plait.merging.diff import compare

        return compare(before, after, self.policy(lists))

    def know(self, source: Source) -> None:
        """A text that is not in a file: read under its name as if it were."""
        self.project.sources[source.name] = source

    def texts(self) -> dict[str, str]:
        """Every text that was read, by its name."""
        return {name: source.text for name, source in self.project.sources.items()}

    def shares(self, bundle: Bundle) -> list[Share]:
        """What each layer contributes to the result."""
        from plait.fronts.origins import shares

        return shares(bundle)

    def finished(self, made: Target | Bundle) -> list[Node]:
        """The documents of layers or of a target, with what could not be computed in its place."""
        from plait.fronts.front import Target

        if isinstance(made, Target):
            return [found for _, found in made.results() if not isinstance(found, Fault)]
        return [member.tree.with_failures() for member in made.members]

    def why_not(self, bundle: Bundle, path: str, layer: str) -> list[Verdict]:
        """What became of a layer's value at a path."""
        from plait.fronts.origins import names_of, why_not

        names = names_of(bundle)
        if layer not in names:
            hint = f"name the layer you ask about, then all layers; available: {', '.join(names)}"
            raise BAD_OPTION.error(why=f"`{layer}` is not one of the layers", hint=hint)
        member, rest = bundle.choose(path)
        return why_not(member.tree, read_path(rest), layer)

    def left_out(self, path: str, layer: str) -> list[Verdict]:
        """What a layer says at a path by itself, where the merge did not take it at all."""
        from plait.fronts.origins import Verdict

        try:
            node = self.editor.get(layer, path, 0)
        except Fault:
            return []
        null = isinstance(node, Scalar) and node.value is None
        why = "null changes nothing here" if null else "the rules of this merge leave it out"
        return [Verdict(read_path(path), node, None, why)]

    def target_why_not(self, target: Target, path: str, file: str) -> list[Verdict]:
        """What became of a value that one file of a target has."""
        from plait.fronts.origins import why_not

        if file not in target.files:
            hint = f"name the file you ask about, then all files; available: {', '.join(target.files)}"
            raise BAD_OPTION.error(why=f"`{file}` is not one of the files", hint=hint)
        tree, rest = target.chosen(path)
        return why_not(tree, read_path(rest), file)


def _usable_cores() -> int:
    from plait.access.workers import usable_cores

    return usable_cores()


def user_budgets() -> dict[str, int]:
    """The budgets that the user's environment sets: PLAIT_MAX_STEPS and so on."""
    budgets: dict[str, int] = {}
    given = variables_named("PLAIT_MAX_")
    for name in BUDGETS:
        written = given.get(setting := f"PLAIT_MAX_{name.upper()}")
        if not written:
            continue
        if not (written.isascii() and written.isdigit()) or len(written) > 18 or int(written) < 1:
            raise BAD_OPTION.error(why=f"{setting} must be a whole number above 0, not `{written}`")
        budgets[name] = int(written)
    return budgets


def _never_set(nowhere: NotThere, path: Path) -> PlaitError:
    """The error about a path that no layer ever had, with similar paths."""
    return UNKNOWN_PATH.error(path=format_path(path), hint=nowhere.labelled().diagnostics[0].hint)


def _unknown(nowhere: NotThere, path: Path) -> PlaitError:
    trouble = nowhere.labelled().diagnostics[0]
    return UNKNOWN_PATH.error(
        path=format_path(path), hint=trouble.hint, notes=(trouble.message,) if not trouble.hint else ()
    )


def marks() -> tuple[str, ...]:
    """The files that make a folder a project of its own."""
    from plait.fronts.catalog import roots as known

    return known()


def finding_in(diagnostic: Diagnostic) -> Finding:
    """A diagnostic of a folder that could not be opened, with the files that it names."""
    from plait.fronts.findings import Finding

    return Finding(diagnostic, lambda source: os.path.realpath(source.name))


def moved(offset: int, before: str, after: str) -> int:
    """Where a place of one text is in another that was edited at one point."""
    from plait.yaml.places import moved as found

    return found(offset, before, after)


def read_value(text: str, as_string: bool, path: str) -> Node:
    """A value that the user typed for a path: YAML, or just text."""
    from plait.fronts.typed_values import value_of

    return value_of(text, as_string, path)


def as_typed(value: Node, before: Node | None, text: str) -> str:
    """How a value is typed over another so that its type stays; `text` is how it is written."""
    from plait.fronts.typed_values import as_typed as typed

    return typed(value, before, text)


def one_line(node: Node, reveal: bool = True) -> str:
    """A value as one line of YAML."""
    from plait.fronts.editing import one_line as written

    return written(node, reveal)


def as_text(
    node: Node,
    form: str = "yaml",
    reveal: bool = False,
    sort_keys: bool = False,
    schema: Schema | None = None,
    meter: Meter | None = None,
) -> str:
    """A finished node as YAML or JSON, ready to print. With a schema, what was not touched is printed as it was
    written.

    The meter of the run says how much may be printed; without one, it is what a small run may print.
    """
    if form == "json":
        return emit_json(node, reveal=reveal, sort_keys=sort_keys, meter=meter)
    return emit_styled(node, Style(reveal=reveal, sort_keys=sort_keys, schema=schema, meter=meter))


def documents_text(
    nodes: list[Node],
    form: str = "yaml",
    reveal: bool = False,
    schema: Schema | None = None,
    meter: Meter | None = None,
) -> str:
    """Finished documents: YAML documents after each other, or a JSON list where there are several."""
    if len(nodes) == 1:
        return as_text(nodes[0], form, reveal, schema=schema, meter=meter)
    if form == "json":
        return as_text(ListNode(nodes), form, reveal, meter=meter)
    return emit_documents(nodes, Style(reveal=reveal, schema=schema, meter=meter))


def stream_text(nodes: list[Node], form: str, reveal: bool, successor: bool, meter: Meter) -> str:
    """The documents of a spiff template. An empty one is a line `---`; the successor prints each as one line of
    JSON."""
    kept = [(node, isinstance(node, Scalar) and node.value is None and not node.text) for node in nodes]
    if form == "json":
        style: dict[str, Any] = {"indent": 0, "tight": True} if successor else {}
        whole = [node for node, empty in kept if not empty]
        return "".join(emit_json(node, reveal=reveal, sort_keys=True, meter=meter, **style) for node in whole)
    texts = ["" if empty else as_text(node, form, reveal, True, meter=meter) for node, empty in kept]
    if texts[:1] == [""]:
        texts[0] = "---\n"
    return "---\n".join(texts)


def data_text(data: object, form: str = "yaml", reveal: bool = False) -> str:
    """Plain data, in which nodes may stand for themselves, as YAML or JSON."""
    return as_text(from_plain(data), form, reveal)
