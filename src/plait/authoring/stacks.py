"""Stack manifests: each manifest with all that it imports is one unit."""

from __future__ import annotations

import os
from functools import cached_property

from plait.authoring.findings import CheckedComponent, UnitShape
from plait.authoring.units import Result, attempt
from plait.core.diagnostic import PlaitError
from plait.core.node import Scalar
from plait.core.path import Path
from plait.evaluate.tree import Tree
from plait.fronts.project import Project
from plait.fronts.stacks.answers.questions import StackQuestions
from plait.fronts.stacks.answers.reach import may_read_more
from plait.fronts.stacks.answers.roles import chains, roles_of
from plait.fronts.stacks.answers.validate import check_file, manifest_checker, without_repeats
from plait.fronts.stacks.assemble.bases import is_abstract
from plait.fronts.stacks.assemble.components import WORDS
from plait.fronts.stacks.assemble.parts import SECTIONS
from plait.fronts.stacks.config.keys import TYPES
from plait.fronts.stacks.ground.nodes import entry
from plait.fronts.stacks.read.imports import files_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.authoring.findings import Finding, KeptUnit
    from plait.authoring.trail import SpotTrail
    from plait.core.diagnostic import Diagnostic
    from plait.core.role import Role
    from plait.core.source import Source
    from plait.fronts.stacks.answers.schema import Checker
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.merging.account import Account

CONFIGURATIONS = ("atmos.yaml", "atmos.yml", ".atmos.yaml", ".atmos.yml")


class StackUnits:
    """The manifests of one repository."""

    def __init__(
        self, project: Project, folder: str, real: Callable[[str], str], paths: list[str] | None = None
    ) -> None:
        """`real` gives the real path of a file; `paths` are the top-level manifests, where they are known."""
        self.project = project
        self.folder = folder
        self.stacks = StackQuestions(project, folder)
        if paths is not None:
            self.stacks.repository.index.manifests.narrow(paths)
        self.stacks.ground.options.listing = True
        self.repository = self.stacks.repository
        self.real = real

    @property
    def base(self) -> str:
        """The folder that manifests are in."""
        return self.real(self.stacks.config.stacks_path)

    def paths(self) -> list[str]:
        """The top-level manifests."""
        return self.repository.index.manifests.files()

    def checked(self, file: ManifestFile) -> list[Diagnostic]:
        """A file against the schema of manifests, where the package for schemas is installed."""
        language = self.repository.index.shared.language
        found = self.repository.ground.answer(lambda: check_file(file, self._checker, language))
        return without_repeats(found)

    @cached_property
    def _checker(self) -> Checker | None:
        try:
            return manifest_checker(self.repository, [])
        except (ImportError, PlaitError):
            return None

    def units(self) -> list[ManifestUnit]:
        """A unit for each top-level manifest; none of them is read yet."""
        return [ManifestUnit(self, path) for path in self.paths()]


class KeptTree(Tree):
    """The tree of a component whose account is worked out once."""

    @classmethod
    def of(cls, component: Component, files: dict[Source, Role]) -> KeptTree:
        """`files` are the roles of the manifest's files, which all its components share."""
        return cls(
            component.root,
            component.shared.ground.evaluator,
            roles=roles_of(component, files),
            top=component.place,
        )

    @cached_property
    def _kept(self) -> Account:
        return super().account()

    def account(self) -> Account:
        return self._kept


class ManifestUnit:
    """A manifest that makes stacks."""

    kind = "stacks"

    def __init__(self, owner: StackUnits, path: str) -> None:
        self.owner = owner
        self.path = path
        self._trees: dict[tuple[str, str], KeptTree] = {}
        self.name = owner.repository.index.manifests.name_of(path)

    @cached_property
    def manifest(self) -> Manifest | None:
        """The manifest with its imports; None where it cannot be read."""
        repository = self.owner.repository
        return repository.ground.answer(lambda: repository.index.manifests.at(self.path))

    @cached_property
    def _files(self) -> dict[Source, Role]:
        """The files of the manifest, each with the chain of imports that leads to it."""
        return chains(self.manifest) if self.manifest is not None else {}

    def shape(self) -> UnitShape:
        if self.manifest is None:
            return UnitShape(frozenset((self.owner.real(self.path),)), dependent=True, broken=True)
        files = files_of(self.manifest)
        return UnitShape(
            frozenset(self.owner.real(file.path) for file in files),
            any(may_read_more(file.source.text) for file in files),
            rendered=any(file.is_rendered for file in files),
        )

    def check(self, kept: KeptUnit, made: Callable[[Diagnostic], Finding]) -> list[Finding]:
        """What is wrong with each component, and with the manifest as a whole."""
        repository, members = self.owner.repository, kept.members
        names = self._names()
        kept.members = {key: member for key, member in members.items() if key in names}
        for type, name in names:
            if (type, name) not in members:
                found, chain = self._checked(type, name)
                kept.members[type, name] = CheckedComponent(chain, [made(one) for one in found])
        own = [made(one) for one in repository.broken.problems({self.name})]
        return [*own, *(finding for member in kept.members.values() for finding in member.findings)]

    def check_file(self, path: str) -> list[Diagnostic]:
        """What is wrong with one file of the manifest by the schema, its expressions, and what is deprecated."""
        files = files_of(self.manifest) if self.manifest is not None else []
        file = next((one for one in files if self.owner.real(one.path) == path), None)
        if file is None:
            return []
        found: list[Diagnostic] = []
        attempt(lambda: found.extend(self.owner.checked(file)), found)
        return found

    def _names(self) -> list[tuple[str, str]]:
        manifest = self.manifest
        return [(type, name) for type in manifest.types() for name in manifest.names(type)] if manifest else []

    def _checked(self, type: str, name: str) -> tuple[list[Diagnostic], list[str]]:
        """What is wrong with a component, and its bases."""
        repository = self.owner.repository
        found: list[Diagnostic] = []
        manifest = self.manifest
        assert manifest is not None
        try:
            if self.is_abstract(type, name):
                return [], []
            component = repository.whole(repository.in_manifest(manifest, type, name))
        except PlaitError as error:
            return list(error.diagnostics), [name for _, name in self._names()]
        attempt(Tree(component.root, repository.ground.evaluator, top=component.place).value, found)
        return found, component.layers.chain

    def results(self, trail: SpotTrail) -> Iterator[Result]:
        if self.manifest is None:
            return
        for type in self.manifest.types():
            for name in self.manifest.names(type):
                if not self._concerns(trail.path, type, name):
                    continue
                component = self.component(type, name)
                path = _path_in(trail.path, component) if component is not None else None
                if component is not None and path is not None:
                    yield self._result(component, path)

    def _concerns(self, path: Path, type: str, name: str) -> bool:
        """Whether a place of a manifest may have a part in a component that is deployed, or is that component."""
        if path[:1] == ("components",):
            return len(path) > 3 and path[1] == type and (path[2] == name or not self.is_abstract(type, name))
        return not self.is_abstract(type, name)

    def is_abstract(self, type: str, name: str) -> bool:
        """Whether a component is only there to be inherited from."""
        ground, manifest = self.owner.repository.ground, self.manifest
        assert manifest is not None
        own = entry(manifest.component(type, name), "metadata")
        return ground.answer(lambda: is_abstract(own, manifest, ground))

    def _result(self, component: Component, path: Path) -> Result:
        """The result that a component is; its account is worked out once."""
        key = (component.type, component.name)
        tree = self._trees.get(key)
        if tree is None:
            tree = self._trees[key] = KeptTree.of(component, self._files)
        return Result(self.name, f"{component.name} in {component.stack}", tree, path, component.abstract)

    def component(self, type: str, name: str) -> Component | None:
        """A component, put together; None where there is none, or it cannot be."""
        repository = self.owner.repository
        if self.manifest is None or name not in self.manifest.names(type):
            return None
        try:
            return repository.whole(repository.in_manifest(self.manifest, type, name))
        except PlaitError:
            return None


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
