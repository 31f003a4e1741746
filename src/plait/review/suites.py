"""The targets of one tree: what each gives, and which files it reads."""

from __future__ import annotations

import os

from plait.core.diagnostic import PlaitError
from plait.core.meter import Overrun
from plait.core.node import Key, Mapping, Node
from plait.fronts.stacks.answers.describe import DescribeFilter
from plait.fronts.stacks.answers.pages import sections_of
from plait.fronts.stacks.answers.questions import StackQuestions
from plait.fronts.stacks.answers.reach import ChangeReach
from plait.review.causes import TargetResult
from plait.review.messages import inside, messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from plait.fronts.project import Project
    from plait.fronts.stacks.answers.reach import Changed, Entry
    from plait.fronts.stacks.assemble.components import Component
    from plait.review.hunks import Hunk

    class Suite(Protocol):
        """The targets of one tree."""

        kind: str
        """What one of them is called."""
        project: Project

        def names(self) -> list[str]: ...

        def touches(self, name: str, changed: Changed) -> bool:
            """Whether a target may depend on one of these files, paths from the root of the tree."""
            ...

        def entries(self, name: str, changed: Changed) -> frozenset[Entry] | None:
            """The parts of a target that hold all that may differ; None where everything may."""
            ...

        def result(self, name: str, entries: frozenset[Entry] | None = None) -> TargetResult:
            """What a target gives, all of it or what some entries make; nothing where this tree has no such target."""
            ...

        def sees(self, name: str, hunk: Hunk) -> bool:
            """Whether a target could notice a hunk; known once it was evaluated."""
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
        """`beside` is the same repository with other texts of the `changed` files: what cannot differ from it is not
        looked at here."""
        self.project = project
        self.tree = tree
        shares = beside is not None and changed is not None and beside.knows(changed)
        other = beside.stacks.ground if beside is not None and shares else None
        self.stacks: StackQuestions = stacks or StackQuestions(project, folder, other=other)
        self.stacks.ground.options.listing = True
        self.repository = self.stacks.repository
        self.reach = ChangeReach(self.repository, self.stacks.config.files, tree)
        self._read: dict[str, frozenset[str]] = {}
        self._seen: dict[str, frozenset[str] | None] = {}
        """What each stack reads; None where that may be anything."""
        self.whole = False
        """Whether results have also what says where a component is written."""
        if beside is not None and changed is not None:
            self._narrow(beside, changed)
        self.repository.manifests()
        self.broken = {name: error for name, error in self.repository.broken.items() if ": " not in name}
        """Manifests that cannot be read."""

    def knows(self, changed: Changed) -> bool:
        """Whether all of these files are manifests: then no answer from the outside depends on them."""
        manifests = frozenset().union(*(self.reach.closure(manifest).files for manifest in self.repository.manifests()))
        return manifests.issuperset(changed)

    def _narrow(self, beside: StackTargets, changed: Changed) -> None:
        """Look only at the manifests that the changes touch, and at those that make a stack together with them."""
        others = beside.repository
        if not beside.reach.settings.isdisjoint(changed) or beside.broken:
            return
        touched = [manifest for manifest in others.manifests() if beside.reach.can_touch(manifest, changed)]
        paths = {manifest.file.path for manifest in touched}
        self.repository.index.manifests.narrow(paths)
        names = {name for manifest in touched for name in others.names_of(manifest)}
        names |= {name for manifest in self.repository.manifests() for name in self.repository.names_of(manifest)}
        more = {manifest.file.path for name in names for manifest in others.manifests_of(name)}
        if not more <= paths:
            self.repository.index.manifests.narrow(paths | more)

    def names(self) -> list[str]:
        """The stacks, and the manifests that cannot be read and so belong to none."""
        found = {name for manifest in self.repository.manifests() for name in self.repository.names_of(manifest)}
        return [*sorted(found), *self.broken]

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
        """The components of a stack; one that cannot be put together or evaluated is represented by its errors."""
        result = TargetResult({})
        evaluator = self.stacks.ground.evaluator
        for component in self.reach.components(name, entries):
            mark, label = evaluator.mark(), self._label(component)
            try:
                result.documents[label] = self._document(component)
            except Overrun:
                raise
            except PlaitError as error:
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

    def _document(self, component: Component) -> Mapping:
        sections, _ = sections_of(component, DescribeFilter(), include_empty=True)
        kept: dict[Key, Node] = {key: node for key, node in sections.items() if self.whole or key not in ABOUT_FILES}
        return Mapping(kept, component.root.source, component.root.at)

    def sees(self, name: str, hunk: Hunk) -> bool:
        if name not in self._seen:
            files = self.reach.files_of(name) | self._read.get(name, frozenset()) | self.reach.settings
            self._seen[name] = None if self.reach.reads_more(name) or name in self.broken else files
        seen = self._seen[name]
        return seen is None or hunk.file in seen


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
"""Facts about where a component is written and what it is called, not about what it is."""


class AllTargets:
    """Targets of several kinds in one tree."""

    kind = "target"

    def __init__(self, members: list[Suite]) -> None:
        self.members = members
        self.project = members[0].project
        self._owner = {name: member for member in reversed(members) for name in member.names()}

    def names(self) -> list[str]:
        return [name for member in self.members for name in member.names()]

    def _of(self, name: str) -> Suite:
        return self._owner.get(name, self.members[0])

    def touches(self, name: str, changed: Changed) -> bool:
        return self._of(name).touches(name, changed)

    def entries(self, name: str, changed: Changed) -> frozenset[Entry] | None:
        return self._of(name).entries(name, changed)

    def result(self, name: str, entries: frozenset[Entry] | None = None) -> TargetResult:
        return self._of(name).result(name, entries)

    def sees(self, name: str, hunk: Hunk) -> bool:
        return self._of(name).sees(name, hunk)


def suites(
    project: Project, tree: str, folder: str = "", beside: Suite | None = None, changed: Changed | None = None
) -> Suite:
    """The targets of a tree: those that plait.yaml declares, and all stacks of an Atmos repository.

    `beside` are those of the same tree with other texts of the `changed` files.
    """
    found: list[Suite] = []
    folder = folder or tree
    if any(project.is_file(os.path.join(folder, name)) for name in CONFIGURATIONS):
        members = beside.members if isinstance(beside, AllTargets) else [beside]
        others = [suite for suite in members if isinstance(suite, StackTargets)]
        found.append(StackTargets(project, tree, folder, next(iter(others), None), changed))
    if project.settings.targets is not None or not found:
        from plait.review.declared import DeclaredTargets  # loads every front

        found.append(DeclaredTargets(project, tree))
    return found[0] if len(found) == 1 else AllTargets(found)
