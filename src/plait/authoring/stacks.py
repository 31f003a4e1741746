"""Stack manifests: each manifest with all that it imports is one unit."""

from __future__ import annotations

import os
from functools import cached_property

from plait.authoring.units import Result, attempt
from plait.core.diagnostic import PlaitError
from plait.core.node import Scalar
from plait.core.path import Path
from plait.evaluate.tree import Tree
from plait.fronts.project import Project
from plait.fronts.stacks.answers.origins import tree_of
from plait.fronts.stacks.answers.questions import StackQuestions
from plait.fronts.stacks.answers.reach import may_read_more
from plait.fronts.stacks.assemble.components import WORDS
from plait.fronts.stacks.assemble.layers import SECTIONS
from plait.fronts.stacks.config.keys import TYPES
from plait.fronts.stacks.read.imports import files_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.authoring.trail import SpotTrail
    from plait.core.diagnostic import Diagnostic
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.merging.account import Account

CONFIGURATIONS = ("atmos.yaml", "atmos.yml", ".atmos.yaml", ".atmos.yml")


class StackUnits:
    """The manifests of one repository."""

    def __init__(self, project: Project, folder: str, beside: StackUnits | None = None) -> None:
        self.project = project
        self.folder = folder
        self.stacks: StackQuestions = StackQuestions(
            project, folder, other=beside.stacks.ground if beside is not None else None
        )
        self.stacks.ground.options.listing = True
        self.repository = self.stacks.repository
        self.settings = frozenset(os.path.realpath(name) for name in self.stacks.config.files)
        self._real: dict[str, str] = {}

    @property
    def base(self) -> str:
        """The folder that manifests are in."""
        return self.real(self.stacks.config.stacks_path)

    def real(self, path: str) -> str:
        found = self._real.get(path)
        if found is None:
            found = self._real[path] = os.path.realpath(path)
        return found

    def units(self) -> list[ManifestUnit]:
        """A unit for each top-level manifest, and one for each that cannot be read."""
        found = {manifest.file.path: manifest for manifest in self.repository.manifests()}
        return [ManifestUnit(self, path, found.get(path)) for path in self.repository.index.manifests.files()]


class KeptTree(Tree):
    """The tree of a component whose account is worked out once."""

    @classmethod
    def of(cls, component: Component) -> KeptTree:
        tree = tree_of(component)
        return cls(tree.root, tree.evaluator, roles=tree.roles, top=tree.top)

    @cached_property
    def _kept(self) -> Account:
        return super().account()

    def account(self) -> Account:
        return self._kept


class ManifestUnit:
    """A manifest that makes stacks."""

    kind = "stacks"

    def __init__(self, owner: StackUnits, path: str, manifest: Manifest | None) -> None:
        self.owner = owner
        self.path = path
        self.manifest = manifest
        self._trees: dict[tuple[str, str], KeptTree] = {}
        self.name = owner.repository.index.manifests.name_of(path)

    def files(self) -> frozenset[str] | None:
        if self.manifest is None:
            return None
        files = files_of(self.manifest)
        if any(may_read_more(file.source.text) for file in files):
            return None
        return frozenset(self.owner.real(file.path) for file in files) | self.owner.settings

    def own(self) -> frozenset[str]:
        """The manifest and what it imports, by their real paths."""
        files = [file.path for file in files_of(self.manifest)] if self.manifest is not None else [self.path]
        return frozenset(map(self.owner.real, files))

    def check(self) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        broken = self.owner.repository.broken
        for component in self.components():
            if not component.abstract:
                attempt(tree_of(component).value, found)
        found += broken.problems({self.name})
        return list(dict.fromkeys(found))

    def components(self) -> Iterator[Component]:
        """The components that can be put together."""
        repository = self.owner.repository
        if self.manifest is None:
            return
        for component in repository.components_of(self.manifest):
            try:
                yield repository.whole(component)
            except PlaitError as error:
                repository.broken.component(self.manifest.name, component.name, error)

    def results(self, trail: SpotTrail) -> Iterator[Result]:
        if self.manifest is None:
            return
        for type in self.manifest.types():
            for name in self.manifest.names(type):
                if _concerns(trail.path, type, name) is False:
                    continue
                component = self._component(type, name)
                path = _path_in(trail.path, component) if component is not None else None
                if component is not None and path is not None:
                    yield self._result(component, path)

    def _result(self, component: Component, path: Path) -> Result:
        """The result that a component is; its account is worked out once."""
        key = (component.type, component.name)
        tree = self._trees.get(key)
        if tree is None:
            tree = self._trees[key] = KeptTree.of(component)
        return Result(self.name, f"{component.name} in {component.stack}", tree, path, component.abstract)

    def _component(self, type: str, name: str) -> Component | None:
        repository = self.owner.repository
        assert self.manifest is not None
        try:
            return repository.whole(repository.in_manifest(self.manifest, type, name))
        except PlaitError:
            return None


def _concerns(path: Path, type: str, name: str) -> bool | None:
    """Whether a place of a manifest can have a part in a component; None where its bases decide."""
    if path[:1] == ("components",):
        return None if len(path) > 3 and path[1] == type else False
    return True


def _path_in(path: Path, component: Component) -> Path | None:
    """A path of a manifest as one of a component; None where it has no part in it."""
    rest = _section(path, component)
    if not rest or (rest[0] not in SECTIONS and rest[0] not in (*WORDS, "metadata", "backend", "backend_type")):
        return None
    if rest[0] == "backend":
        kind = component.root.entries.get("backend_type")
        return ("backend", *rest[2:]) if len(rest) > 1 and isinstance(kind, Scalar) and rest[1] == kind.text else None
    return rest


def _section(path: Path, component: Component) -> Path:
    """A path of a manifest without what says whom it is about."""
    head = path[0] if path else ""
    if head == "components":
        mine = len(path) > 3 and path[1] == component.type
        return path[3:] if mine and path[2] in (component.name, *component.layers.chain) else ()
    if head == "overrides":
        return path[1:]
    if head == component.type or head in TYPES:
        inner = path[1:] if head == component.type else ()
        return inner[1:] if inner[:1] == ("overrides",) else inner
    return path


def stack_folder(project: Project) -> str:
    """The folder of atmos.yaml where the project has one; empty otherwise."""
    for folder in dict.fromkeys((project.folder, project.home, project.root)):
        if folder and any(project.is_file(os.path.join(folder, name)) for name in CONFIGURATIONS):
            return folder
    return ""
