"""The object behind every interface: the command line, the library, the editor and the explorer.

A workspace is one run in one folder: what may be done there, how much of it, and each file read once.
"""

from __future__ import annotations

import os

from plait.access.environment import variable, variables_named
from plait.access.guard import Guard
from plait.access.sinks import REPORT, TERMINAL
from plait.core import native
from plait.core.diagnostic import Diagnostic, for_each
from plait.core.meter import BUDGETS, Meter
from plait.core.node import Node
from plait.core.policy import MergePolicy
from plait.core.source import DATA_ENDINGS
from plait.evaluate.limits import Counters
from plait.evaluate.nowhere import NotThere
from plait.fronts.living import Living
from plait.fronts.project import Project, configured, policy_of, user_settings
from plait.fronts.trust import Trust, capabilities
from plait.fronts.typed import typed_path
from plait.report.catalog import BAD_OPTION
from plait.yaml.emit import Style
from plait.yaml.remember import Remember
from plait.yaml.schema import Schema
from plait.yaml.write_choices import WriteChoices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeVar

    from plait.access.trace import AccessTrace
    from plait.access.workers import Elsewhere
    from plait.authoring.session import Authoring
    from plait.evaluate.explain import Explanation
    from plait.evaluate.tree import Tree
    from plait.fronts.blame import Blame
    from plait.fronts.editing import Editor
    from plait.fronts.front import Given, Target, Targets, World
    from plait.fronts.layers import Bundle, MergeOptions
    from plait.fronts.lint import ResourceSchemas
    from plait.fronts.questions import (
        Directives,
        Patterns,
        SpiffQuestions,
        StackQuestions,
    )
    from plait.fronts.signs import Recognised
    from plait.review.review import Look, Review
    from plait.review.verify import Outputs, Verification
    from plait.survey.survey import Survey
    from plait.tidy.asking import TidyQuestions
    from plait.tidy.plan import TidyPlans
    from plait.tidy.rename import Renaming

    T = TypeVar("T")


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
        writing: WriteChoices | None = None,
        hermetic: bool = False,
        jobs: int = 1,
        elsewhere: Elsewhere | None = None,
        publishes: bool = False,
        reveals: bool = False,
        is_personal: bool = False,
        remembers: bool = True,
    ) -> None:
        """`jobs` is how many processes may compute at the same time; 0 for as many as there are free cores.
        `elsewhere` are other machines that compute for this one. `publishes` says that the answers go into a report:
        see `access/sinks.py`; `reveals`, that the user wants to see what is masked; `is_personal`, that only the user
        sees the report. `remembers` says that something may change between two questions: what is read is noted
        from the first one on."""
        sink = REPORT if publishes else TERMINAL
        raised, granted = ({}, []) if hermetic else configured()
        guard = Guard(
            capabilities([*allow, variable("PLAIT_ALLOW"), *granted]), capabilities(list(deny)), hermetic, sink, reveals
        )
        guard.committed.is_personal = is_personal
        own = {} if hermetic else {**raised, **user_budgets()}
        limits = {**own, **(budgets or {})}
        remembered: dict[str, Remember] = {}

        def make(unsaved: dict[str, str]) -> Project:
            made = Project(folder, guard=guard, budgets=limits, progress=progress, writing=writing, altered=unsaved)
            made.jobs = jobs or _free_cores()
            made.remembers = remembers
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
        return trace

    def close(self) -> None:
        """The end of the run: remember what was read, for the next one."""
        project = self.project
        if project.cache is not None:
            project.cache.save(native.scan is None or project.counters.steps > LABORIOUS)

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
        from plait.fronts.layers import merge_options  # not every command merges layers

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
        from plait.fronts.layers import LayerReader

        named = [name if declared else self.project.admit(name) for name in names]
        return LayerReader(self.project, options).bundle(named, sets, create, relatives)

    def value(self, tree: Tree, path: str = "") -> Node:
        """The finished value at a path; all errors at once."""
        steps = typed_path(path)
        try:
            return tree.value(steps)
        except NotThere as nowhere:
            from plait.evaluate.absent import unknown_path

            raise unknown_path(nowhere, steps) from None

    def explain(self, tree: Tree, path: str) -> Explanation:
        """Where the value at a path, or each value that a pattern matches, comes from."""
        from plait.evaluate.explain import explain  # most commands do not explain

        steps = typed_path(path, pattern=True)
        try:
            return self._with_patterns(explain(tree, steps))
        except NotThere as nowhere:
            from plait.evaluate.absent import never_set

            raise never_set(nowhere, steps) from None

    def _with_patterns(self, explanation: Explanation) -> Explanation:
        """An explanation whose value, where a pattern generated it, names the line of the pattern."""
        from plait.fronts.questions import generating

        for leaf in explanation.leaves if len(explanation.leaves) == 1 else ():
            leaf.hops += generating(self.project, leaf, leaf.winner.node.origin.file)
        return explanation

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

        steps = typed_path(path)
        try:
            return blame(tree, steps, Style(reveal=reveal, schema=schema, meter=self.meter), sections, partial)
        except NotThere as nowhere:
            from plait.evaluate.absent import never_set

            raise never_set(nowhere, steps) from None

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

        kind = folder_kind(self.project, path) if not path.endswith(DATA_ENDINGS) else ""
        kind = kind or (file_kind(self.project, path) if file else "")
        if not kind:
            return None
        from plait.fronts.catalog import in_folder

        return self.world(given).open(in_folder(self.project, kind, path, files, given))

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

    def target_blames(self, target: Target, address: str | None, reveal: bool = False) -> dict[str, Blame]:
        """The documents of a target, or a part of one, with the origin of every line."""
        if address:
            return {"": self.blame(*target.chosen(address), reveal, schema=target.schema, partial=True)}
        return {
            name: self.blame(tree, "", reveal, target.sections(tree), target.schema, partial=True)
            for name, tree in target.labelled().items()
        }

    def linted(
        self,
        target: Target,
        *,
        select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        schemas: ResourceSchemas | None = None,
    ) -> list[Diagnostic]:
        """What is wrong with a target, and what is probably not meant. `schemas` are those of resources."""
        from plait.fronts.lint import CodeSelection, kept, refused_resources

        choice = CodeSelection(select, ignore)
        refused = refused_resources(target, schemas) if schemas is not None else ()
        found = [one for one in (*target.findings(), *refused) if choice.wants(one.code)]
        own = set(target.made_of())
        return kept(found, [source for source in self.project.sources.values() if source.name in own], choice)

    def review(
        self,
        base: str | None,
        other: str | None,
        only: Iterable[str] = (),
        proofs: int = 2000,
        ways: int = 0,
        look: Look | None = None,
    ) -> Review:
        """What a change does to the results; of as many changed values as `ways` also what they came through. `look`
        says what each file contributes to a target, where the review is to have that of those that change most.
        Without `base`, since this branch left the main branch."""
        from plait.review.review import review
        from plait.review.sides import chosen

        with self.project.recording() as asked:
            change = chosen(self.project, base, other)
        sides: list[Project] = []
        kept = None
        if self.project.notes is not None:
            from plait.review.kept import KeptReview

            kept = KeptReview(self.project, change, asked)

        def opened(folder: str, altered: dict[str, bytes | None] | None, beside: Project | None) -> Project:
            sides.append(self._side(folder, altered, beside, change.is_apart))
            if kept is not None and len(sides) == 1:
                sides[0].trace.share(self.project.trace)
            return sides[-1]

        self.project.guard.comparing = True
        try:
            if self.project.jobs > 1:
                from plait.review.shares import review_together

                self.project.trace.unfollowed.add("other processes")
                return review_together(change, opened, only, proofs, self.project.jobs, ways, look)
            return review(change, opened, only, proofs, ways, look, kept)
        finally:
            self.project.guard.comparing = False
            for side in sides:
                self.project.depend_on(side, change.is_copied)
                self.project.meter.feed(side.meter.fed)
            change.close()

    @property
    def tidying(self) -> TidyQuestions:
        """What could be simpler in the files: changes that leave every result of every target as it is."""
        from plait.tidy.asking import TidyQuestions

        return TidyQuestions(self.project)

    @property
    def tidy_plans(self) -> TidyPlans:
        """Plans of such changes, which are saved and applied later."""
        from plait.tidy.plan import TidyPlans

        return TidyPlans(self.project)

    def renaming(self, path: str, key: str) -> Renaming:
        """Another name for the key at a path, in all layers and in everything that reads it."""
        from plait.tidy.rename import renaming

        return renaming(self, path, key)

    def survey(self, given: Given | None = None) -> Survey:
        """What files and values are to all targets."""
        from plait.survey.survey import Survey

        return Survey(self.world(given))

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

    def _side(
        self,
        folder: str,
        altered: dict[str, bytes | None] | None = None,
        beside: Project | None = None,
        apart: bool = False,
    ) -> Project:
        """The project in another tree, with what is allowed here."""
        project = self.project.in_tree(folder, altered, beside, apart)
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
        schemas: ResourceSchemas | None = None,
    ) -> list[Diagnostic]:
        """Likely mistakes in merged layers."""
        from plait.fronts.lint import CodeSelection, Subject, lint

        if templates:
            self.project.present(templates)
        subject = Subject(
            self.project, bundle, options.patterns, templates, options.profile, options.notations, schemas
        )
        return lint(subject, CodeSelection(select, ignore))

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

    def origins(self, trees: Iterable[Tree], schema: Schema, reveal: bool = False) -> str:
        """Documents as YAML, each value with the place it comes from as a comment."""
        from plait.fronts.origins import commented

        values = for_each(lambda tree: (tree, self.value(tree)), list(trees))
        return "---\n".join(commented(tree, value, schema, reveal) for tree, value in values)


def _free_cores() -> int:
    from plait.access.workers import free_cores

    return free_cores()


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
