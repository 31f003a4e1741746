"""The targets of one tree: the result of each, and the files it reads."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.node import Key, Mapping, Node
from plait.fronts.selecting import beside_stacks
from plait.fronts.shown import as_in
from plait.fronts.stacks.answers.describe import DescribeFilter
from plait.fronts.stacks.answers.origins import tree_of
from plait.fronts.stacks.answers.pages import sections_of
from plait.fronts.stacks.answers.questions import ConfigFlags, StackOptions, StackQuestions
from plait.fronts.stacks.answers.reach import ChangeReach
from plait.fronts.stacks.answers.spread import asking_outside
from plait.review.causes import TargetResult
from plait.review.classes import OptionTrial
from plait.review.messages import inside, messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Protocol

    from plait.core.path import Path
    from plait.evaluate.tree import Tree
    from plait.fronts.project import Project
    from plait.fronts.stacks.answers.reach import Changed, Entry
    from plait.fronts.stacks.assemble.components import Component
    from plait.review.declared import DeclaredTargets
    from plait.review.hunks import Hunk

    class Suite(Protocol):
        """The targets of one tree."""

        kind: str
        """The word for one target in reports."""
        project: Project
        shown: str
        """The folder that values are shown to be in, where they name one below the tree."""

        def names(self) -> list[str]: ...

        def rows(self) -> list[tuple[str, str, list[str]]]:
            """The name, the kind and the own files of each."""
            ...

        def touches(self, name: str, changed: Changed) -> bool:
            """Whether a target may depend on one of these files, paths from the root of the tree."""
            ...

        def entries(self, name: str, changed: Changed) -> frozenset[Entry] | None:
            """The parts of a target that contain everything that may differ; None if anything may differ."""
            ...

        def result(self, name: str, entries: frozenset[Entry] | None = None) -> TargetResult:
            """The result of a target, whole or for some entries; empty if this tree has no such target."""
            ...

        def front(self, name: str) -> str:
            """How a target is made: layers, spiff, unfurl, stacks, files or patterns."""
            ...

        def options(self, name: str, lists: Iterable[Path]) -> Iterator[OptionTrial]:
            """A target evaluated with each option that may make it equal to the other tool's; `lists` are the places
            that differ."""
            ...

        def explained(self, name: str, document: str) -> Tree | None:
            """A document of a target, to be explained; None if that is not possible."""
            ...

        def trees(self, name: str, entries: frozenset[Entry] | None) -> Iterator[Tree]:
            """The documents of a target that some entries make, to be explained."""
            ...

        def path(self, name: str, file: str) -> str:
            """A file that the values of a target name as their origin, as a path from the root of the tree."""
            ...

        def sees(self, name: str, hunk: Hunk) -> bool:
            """Whether a target could notice a hunk; known once it was evaluated."""
            ...

        def opens(self, name: str, hunk: Hunk) -> bool:
            """Whether a target reads the file of a hunk, as far as that is known."""
            ...

        def asking(self, names: list[str]) -> set[str]:
            """Those of some targets that are known to ask the outside."""
            ...


class StackTargets:
    """The stacks of a repository with an atmos.yaml; the documents of a stack are its components."""

    kind = "stack"

    def __init__(
        self,
        project: Project,
        tree: str,
        folder: str,
        beside: StackTargets | None = None,
        changed: Changed | None = None,
        stacks: StackQuestions | None = None,
    ) -> None:
        """`beside` is the same repository with other texts of the `changed` files; parts that cannot differ from it are
        not read here."""
        self.project = project
        self.tree = tree
        self.folder = folder
        self._trials: dict[str, StackTargets] = {}
        shares = beside is not None and changed is not None and beside.reach.knows(changed)
        other = beside.stacks.ground if beside is not None and shares else None
        self.stacks: StackQuestions = stacks or StackQuestions(project, folder, other=other)
        self.stacks.ground.options.listing = True
        self.repository = self.stacks.repository
        self.reach: ChangeReach = ChangeReach(self.repository, self.stacks.config.files, tree)
        self._read: dict[str, frozenset[str]] = {}
        self.shown = tree
        """The folder that values are shown to be in."""
        self._seen: dict[str, frozenset[str]] = {}
        """The files that each stack reads, as far as they are known."""
        self.whole = False
        """Whether results are all that `describe stacks` prints: abstract components, and where things are written."""
        if beside is not None and changed is not None:
            beside.reach.narrow(self.repository, changed)
        self.repository.manifests()
        self.broken = {name: error for name, error in self.repository.broken.items() if ": " not in name}
        """Manifests that cannot be read."""

    def names(self) -> list[str]:
        """The stacks, and the manifests that cannot be read and so belong to none."""
        names = {name for manifest in self.repository.manifests() for name in self.repository.names_of(manifest)}
        return [*sorted(names), *self.broken]

    def rows(self) -> list[tuple[str, str, list[str]]]:
        shown = self.stacks.ground.shown
        files = {name: [shown(one.file.path) for one in self.repository.manifests_of(name)] for name in self.names()}
        return [(name, self.kind, files[name]) for name in self.names()]

    def touches(self, name: str, changed: Changed) -> bool:
        return name in self.broken or self.reach.touches(name, changed)

    def entries(self, name: str, changed: Changed) -> frozenset[Entry] | None:
        return self.reach.entries(name, changed)

    def result(self, name: str, entries: frozenset[Entry] | None = None) -> TargetResult:
        if name in self.broken:
            return TargetResult({}, {"": messages(self.broken[name], self.tree)})
        with self.project.watching() as read:
            result = self._evaluated(name, entries)
        self._read[name] = self._read.get(name, frozenset()) | inside(read, self.tree)
        return result

    def _evaluated(self, name: str, entries: frozenset[Entry] | None) -> TargetResult:
        """The components of a stack; a component that cannot be assembled or evaluated is represented by its errors."""
        result = TargetResult({}, tree=self.tree)
        evaluator = self.stacks.ground.evaluator
        for component in self.repository.components_named(name) if self.whole else self.reach.components(name, entries):
            mark, label = evaluator.mark(), self._label(component)
            try:
                result.documents[label] = self._document(component)
            except Fault as error:
                result.errors[label] = messages(error, self.tree)
            evaluator.forget({component.place}, mark)
            component.place.release()
        owners = {manifest.name for manifest in self.repository.manifests_of(name)}
        for place, trouble in self.repository.broken.items():
            manifest, colon, component_name = place.rpartition(": ")
            if colon and manifest in owners:
                result.errors.setdefault(component_name, messages(trouble, self.tree))
        return result

    def _label(self, component: Component) -> str:
        """A component's name, with its type where another type has a component of this name."""
        types = [type for type in component.manifest.types() if component.name in component.manifest.names(type)]
        return component.name if len(types) == 1 or types[0] == component.type else f"{component.type}/{component.name}"

    def _document(self, component: Component) -> Node:
        sections = sections_of(component, DescribeFilter(), include_empty=True, keep=True)
        kept: dict[Key, Node] = {key: node for key, node in sections.items() if self.whole or key not in ABOUT_FILES}
        return as_in(Mapping(kept, component.root.source, component.root.at), self.tree, self.shown)

    def front(self, name: str) -> str:
        return "stacks"

    def options(self, name: str, lists: Iterable[Path]) -> Iterator[OptionTrial]:
        for text in TRIALS:
            suite = self._with_option(text)
            if name in suite.names():
                yield OptionTrial(text, suite.result(name))

    def _with_option(self, text: str) -> StackTargets:
        """The same stacks with an option that may make them equal to the other tool's."""
        if text not in self._trials:
            values, words = TRIALS[text]
            flags = {**self.stacks.flags.words(), "values": {**self.stacks.flags.values, **values}}
            options = {**self.stacks.ground.options.words(), **words}
            stacks = StackQuestions(self.project, self.folder, ConfigFlags(**flags), StackOptions(**options))  # type: ignore[arg-type]
            self._trials[text] = StackTargets(self.project, self.tree, self.folder, stacks=stacks)
            self._trials[text].whole = self.whole
        return self._trials[text]

    def explained(self, name: str, document: str) -> Tree | None:
        found = (one for one in self.repository.components_named(name) if self._label(one) == document)
        return next((tree_of(component) for component in found), None)

    def trees(self, name: str, entries: frozenset[Entry] | None) -> Iterator[Tree]:
        if name in self.broken:
            return
        evaluator = self.stacks.ground.evaluator
        for component in self.reach.components(name, entries):
            mark = evaluator.mark()
            yield tree_of(component)
            evaluator.forget({component.place}, mark)
            component.place.release()

    def path(self, name: str, file: str) -> str:
        return self.reach.path(os.path.join(self.stacks.ground.folder, file))

    def sees(self, name: str, hunk: Hunk) -> bool:
        return self.reach.reads_more(name) or name in self.broken or self.opens(name, hunk)

    def opens(self, name: str, hunk: Hunk) -> bool:
        if name not in self._seen:
            self._seen[name] = self.reach.files_of(name) | self._read.get(name, frozenset()) | self.reach.settings
        return hunk.file in self._seen[name]

    def asking(self, names: list[str]) -> set[str]:
        return asking_outside(self.repository, names)


STRATEGY = ("settings", "list_merge_strategy")
TRIALS: dict[str, tuple[dict[tuple[str, ...], object], dict[str, object]]] = {
    "`--process-functions=false`": ({}, {"functions": False}),
    "`--process-templates=false`": ({}, {"templates": False}),
    "`--process-templates=false --process-functions=false`": ({}, {"templates": False, "functions": False}),
    "`settings.list_merge_strategy: append` in atmos.yaml": ({STRATEGY: "append"}, {}),
    "`settings.list_merge_strategy: merge` in atmos.yaml": ({STRATEGY: "merge"}, {}),
}
"""Options that may make stacks give the result of Atmos: keys of atmos.yaml, and options of the evaluation."""
CONFIGURATIONS = ("atmos.yaml", "atmos.yml", ".atmos.yaml", ".atmos.yml")
ABOUT_FILES = (
    "component_info",
    "atmos_stack_file",
    "atmos_manifest",
    "inheritance",
    "stack",
    "atmos_stack",
    "atmos_component",
)
"""Facts about the place and the names of a component, which are not compared."""


class AllTargets:
    """The stacks of a tree and the targets of its plait.yaml. A target with the name of a stack is called `NAME
    (target)`."""

    kind = "target"

    def __init__(self, stacks: StackTargets, declared: DeclaredTargets, taken: Collection[str] = ()) -> None:
        """`taken` are the names of stacks of another tree that this one is compared with."""
        self.members: list[Suite] = [stacks, declared]
        self.stacks = stacks
        self.declared = declared
        self.project = stacks.project
        self.shown = stacks.shown
        self.taken = frozenset(stacks.names()).union(taken)

    @property
    def taken(self) -> frozenset[str]:
        """The names that belong to stacks."""
        return self._taken

    @taken.setter
    def taken(self, names: frozenset[str]) -> None:
        self._taken = names
        self._declared = beside_stacks(self.declared.names(), names)

    def names(self) -> list[str]:
        return [*self.stacks.names(), *self._declared]

    def rows(self) -> list[tuple[str, str, list[str]]]:
        rows = zip(self._declared, self.declared.rows(), strict=True)
        return [*self.stacks.rows(), *((name, kind, files) for name, (_, kind, files) in rows)]

    def _of(self, name: str) -> tuple[Suite, str]:
        """The suite that evaluates a target, and the name of the target in it."""
        return (self.declared, self._declared[name]) if name in self._declared else (self.stacks, name)

    def touches(self, name: str, changed: Changed) -> bool:
        member, own = self._of(name)
        return member.touches(own, changed)

    def entries(self, name: str, changed: Changed) -> frozenset[Entry] | None:
        member, own = self._of(name)
        return member.entries(own, changed)

    def result(self, name: str, entries: frozenset[Entry] | None = None) -> TargetResult:
        member, own = self._of(name)
        return member.result(own, entries)

    def front(self, name: str) -> str:
        member, own = self._of(name)
        return member.front(own)

    def options(self, name: str, lists: Iterable[Path]) -> Iterator[OptionTrial]:
        member, own = self._of(name)
        return member.options(own, lists)

    def explained(self, name: str, document: str) -> Tree | None:
        member, own = self._of(name)
        return member.explained(own, document)

    def trees(self, name: str, entries: frozenset[Entry] | None) -> Iterator[Tree]:
        member, own = self._of(name)
        return member.trees(own, entries)

    def path(self, name: str, file: str) -> str:
        member, own = self._of(name)
        return member.path(own, file)

    def sees(self, name: str, hunk: Hunk) -> bool:
        member, own = self._of(name)
        return member.sees(own, hunk)

    def opens(self, name: str, hunk: Hunk) -> bool:
        member, own = self._of(name)
        return member.opens(own, hunk)

    def asking(self, names: list[str]) -> set[str]:
        return self.stacks.asking([name for name in names if name not in self._declared])


def agree(suite: Suite, other: Suite) -> None:
    """Give the targets of two trees the same names: a name that is a stack in one tree is a stack in both."""
    both = [one for one in (suite, other) if isinstance(one, AllTargets)]
    taken = frozenset().union(*(one.taken for one in both))
    for one in both:
        one.taken = taken


def suites(
    project: Project,
    tree: str,
    beside: Suite | None = None,
    changed: Changed | None = None,
    stacks: StackQuestions | None = None,
) -> Suite:
    """The targets of a tree: those that plait.yaml declares, and all stacks of an Atmos repository.

    `beside` are those of the same tree with other texts of the `changed` files. `stacks` are the stacks with options of
    their own.
    """
    found: StackTargets | None = None
    folder = stacks_folder(project, tree)
    if folder:
        other = beside.stacks if isinstance(beside, AllTargets) else beside
        found = StackTargets(project, tree, folder, other if isinstance(other, StackTargets) else None, changed, stacks)
        if project.settings.targets is None:
            return found
    from plait.review.declared import DeclaredTargets  # loads every front

    declared = DeclaredTargets(project, tree)
    if found is None:
        return declared
    return AllTargets(found, declared, beside.taken if isinstance(beside, AllTargets) else ())


def stacks_folder(project: Project, tree: str) -> str:
    """The folder of the atmos.yaml that applies: the nearest one from the working folder up to the folder of
    plait.yaml, else up to the root of the tree; empty if there is none."""
    last = project.home or os.path.realpath(tree)
    at = project.folder
    while not any(project.door.is_file(os.path.join(at, name)) for name in CONFIGURATIONS):
        above = os.path.dirname(at)
        if at in (last, os.path.realpath(tree), above):
            return ""
        at = above
    return at
