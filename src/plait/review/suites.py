"""The targets of one tree: what each gives, and which files it reads."""

from __future__ import annotations

import os

from plait.core.diagnostic import PlaitError
from plait.core.meter import Overrun
from plait.core.node import Mapping, Node, Overlay, Sequence
from plait.fronts.stacks.answers.describe import described
from plait.fronts.stacks.answers.questions import StackQuestions
from plait.fronts.stacks.read.imports import files_of
from plait.fronts.targets import Targets
from plait.report.render import in_order
from plait.review.causes import TargetResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Protocol

    from plait.fronts.project import Project
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.file import ManifestFile

    class Suite(Protocol):
        """The targets of one tree."""

        kind: str
        """What one of them is called."""

        def names(self) -> list[str]: ...

        def may_read(self, name: str, files: set[str]) -> bool:
            """Whether a target may depend on one of these files, paths from the root of the tree."""
            ...

        def imports(self, name: str) -> frozenset[str]:
            """The files that a target is made of, before anything is evaluated; none where that is not known."""
            ...

        def documents(self, name: str, files: set[str]) -> frozenset[str]:
            """The documents of a target that may depend on one of these files."""
            ...

        def result(self, name: str, only: frozenset[str]) -> TargetResult:
            """What a target gives: some of its documents; nothing where this tree has no such target."""
            ...

        def reads(self, name: str) -> frozenset[str]:
            """The files that a target reads; known once it was evaluated."""
            ...


class DeclaredTargets:
    """The targets that plait.yaml declares."""

    kind = "target"

    def __init__(self, project: Project, tree: str) -> None:
        self.project = project
        self.tree = tree
        self.targets = Targets(project)
        self._known: dict[str, tuple[TargetResult, frozenset[str]]] = {}

    def names(self) -> list[str]:
        return list(self.targets.known)

    def may_read(self, name: str, files: set[str]) -> bool:
        return True  # known only when it was evaluated

    def imports(self, name: str) -> frozenset[str]:
        return frozenset()

    def documents(self, name: str, files: set[str]) -> frozenset[str]:
        result = self._evaluated(name)[0]
        return frozenset((*result.documents, *result.errors))

    def result(self, name: str, only: frozenset[str]) -> TargetResult:
        return self._evaluated(name)[0]

    def reads(self, name: str) -> frozenset[str]:
        return self._evaluated(name)[1]

    def _evaluated(self, name: str) -> tuple[TargetResult, frozenset[str]]:
        if name not in self._known:
            with self.project.watching() as read:
                result = self._result(name)
            self._known[name] = (result, inside(read, self.tree))
        return self._known[name]

    def _result(self, name: str) -> TargetResult:
        target = self.targets.known.get(name)
        if target is None:
            return TargetResult({})
        try:
            return evaluated(self.targets.documents(target), self.tree)
        except Overrun:
            raise
        except PlaitError as error:
            return TargetResult({}, {"": messages(error, self.tree)})


class StackTargets:
    """The stacks of a repository with an atmos.yaml; the documents of a stack are its components.

    A stack depends on the files that its manifests import. Where one of them uses a word that reads something else
    (`!include`, another component), the stack is evaluated whatever changed.
    """

    kind = "stack"

    def __init__(self, project: Project, tree: str, folder: str, stacks: StackQuestions | None = None) -> None:
        self.project = project
        self.tree = tree
        self.stacks = stacks or StackQuestions(project, folder)
        self.repository = self.stacks.repository
        self.settings = inside(self.stacks.config.files, tree)
        self._closures: dict[str, frozenset[str]] = {}
        self._reaching: set[str] = set()
        self._files: dict[str, tuple[str, bool]] = {}
        """Each manifest's path from the root of the tree, and whether a value in it may depend on other files."""
        self._read: dict[str, frozenset[str]] = {}
        self._parts: dict[int, tuple[Node, frozenset[str]]] = {}
        self._paths: dict[str, str] = {}
        self.repository.manifests()
        self._broken = self.repository.index.manifests.broken

    def names(self) -> list[str]:
        """The stacks, and the manifests that cannot be read and so belong to none."""
        return [*self.repository.names(), *self._broken]

    def may_read(self, name: str, files: set[str]) -> bool:
        closure = self.closure(name)
        return bool(files & closure or files & self.settings) or name in self._reaching or name in self._broken

    def imports(self, name: str) -> frozenset[str]:
        return self.closure(name)

    def closure(self, name: str) -> frozenset[str]:
        """The manifests of a stack and all that they import."""
        if name not in self._closures:
            manifests = self.repository.manifests_of(name)
            rows = {self._file(file) for manifest in manifests for file in files_of(manifest)}
            self._closures[name] = frozenset(path for path, _ in rows)
            if any(reaching for _, reaching in rows):
                self._reaching.add(name)
        return self._closures[name]

    def _file(self, file: ManifestFile) -> tuple[str, bool]:
        row = self._files.get(file.path)
        if row is None:
            path = os.path.relpath(os.path.abspath(file.path), self.tree)
            row = self._files[file.path] = (path, any(word in file.source.text for word in REACHING))
        return row

    def documents(self, name: str, files: set[str]) -> frozenset[str]:
        everything = name in self._reaching or files & self.settings
        return frozenset(
            label
            for label, component in self._components(name).items()
            if everything or not files.isdisjoint(self._written(component))
        )

    def _components(self, name: str) -> dict[str, Component]:
        """The components of a stack that are deployed, by label."""
        found: dict[str, Component] = {}
        for component in self.repository.components_named(name):
            if not component.abstract:
                found[component.name if component.name not in found else f"{component.type}/{component.name}"] = (
                    component
                )
        return found

    def _written(self, component: Component) -> set[str]:
        """The files in which the layers of a component's sections were written."""
        found: set[str] = set()
        stack: list[Node] = [component.layers.own, *component.root.entries.values()]
        while stack:
            node = stack.pop()
            parts = node.parts if isinstance(node, Mapping | Sequence | Overlay) else ()
            if parts:
                known = self._parts.get(id(node))
                if known is None:
                    known = self._parts[id(node)] = (node, self._sources(parts))
                found |= known[1]
            else:
                found.add(node.origin.file)
        return {self._path(name) for name in found}

    def _sources(self, parts: Iterable[Node]) -> frozenset[str]:
        found: set[str] = set()
        stack = list(parts)
        while stack:
            node = stack.pop()
            found.add(node.origin.file)
            stack.extend(node.parts if isinstance(node, Mapping | Sequence | Overlay) else ())
        return frozenset(found)

    def _path(self, name: str) -> str:
        if name not in self._paths:
            self._paths[name] = os.path.relpath(os.path.join(self.stacks.ground.folder, name), self.tree)
        return self._paths[name]

    def result(self, name: str, only: frozenset[str]) -> TargetResult:
        if name in self._broken:
            return TargetResult({}, {"": messages(self._broken[name], self.tree)})
        with self.project.watching() as read:
            result = self._evaluated(name, only)
        self._read[name] = self._read.get(name, frozenset()) | inside(read, self.tree)
        return result

    def _evaluated(self, name: str, only: frozenset[str]) -> TargetResult:
        result = TargetResult({})
        for label, component in self._components(name).items():
            if label not in only:
                continue
            try:
                result.documents[label] = described(component)
            except Overrun:
                raise
            except PlaitError as error:
                result.errors[label] = messages(error, self.tree)
        return result

    def reads(self, name: str) -> frozenset[str]:
        return self.closure(name) | self._read.get(name, frozenset()) | self.settings


REACHING = ("!include", "!terraform", "!store", "!exec", "!aws", "atmos.", "include", "readFile", "datasource")
"""Words of manifests with which a value may depend on more than the files that are imported."""
CONFIGURATIONS = ("atmos.yaml", "atmos.yml", ".atmos.yaml", ".atmos.yml")


class AllTargets:
    """Targets of several kinds in one tree."""

    kind = "target"

    def __init__(self, members: list[Suite]) -> None:
        self.members = members
        self._owner = {name: member for member in reversed(members) for name in member.names()}

    def names(self) -> list[str]:
        return [name for member in self.members for name in member.names()]

    def _of(self, name: str) -> Suite:
        return self._owner.get(name, self.members[0])

    def may_read(self, name: str, files: set[str]) -> bool:
        return self._of(name).may_read(name, files)

    def imports(self, name: str) -> frozenset[str]:
        return self._of(name).imports(name)

    def documents(self, name: str, files: set[str]) -> frozenset[str]:
        return self._of(name).documents(name, files)

    def result(self, name: str, only: frozenset[str]) -> TargetResult:
        return self._of(name).result(name, only)

    def reads(self, name: str) -> frozenset[str]:
        return self._of(name).reads(name)


def evaluated(documents: dict[str, Callable[[], Node]], tree: str) -> TargetResult:
    """The documents of a target; one that fails is represented by its errors."""
    result = TargetResult({})
    for label, value in documents.items():
        try:
            result.documents[label] = value()
        except Overrun:
            raise
        except PlaitError as error:
            result.errors[label] = messages(error, tree)
    return result


def messages(error: PlaitError, tree: str) -> tuple[str, ...]:
    """Errors as lines that are the same in every copy of a tree."""
    found = []
    for diagnostic in in_order(error.diagnostics):
        place = f"{diagnostic.labels[0].origin}: " if diagnostic.labels else ""
        found.append(f"{place}{diagnostic.code} {diagnostic.message}")
    prefixes = (tree + os.sep, os.path.relpath(tree) + os.sep)
    return tuple(_without(prefixes, line) for line in found)


def _without(prefixes: tuple[str, ...], line: str) -> str:
    for prefix in prefixes:
        line = line.replace(prefix, "") if prefix != f".{os.sep}" else line
    return line


def inside(names: set[str], tree: str) -> frozenset[str]:
    """Files as paths from the root of a tree."""
    return frozenset(os.path.relpath(os.path.abspath(name), tree) for name in names)


def suites(project: Project, tree: str, folder: str = "") -> Suite:
    """The targets of a tree: those that plait.yaml declares, and all stacks of an Atmos repository."""
    found: list[Suite] = []
    folder = folder or tree
    if any(project.is_file(os.path.join(folder, name)) for name in CONFIGURATIONS):
        found.append(StackTargets(project, tree, folder))
    if project.settings.targets is not None or not found:
        found.append(DeclaredTargets(project, tree))
    return found[0] if len(found) == 1 else AllTargets(found)
