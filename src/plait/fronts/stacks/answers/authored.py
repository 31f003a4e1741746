"""Stack manifests as an editor asks about them: each manifest with all that it imports is one unit."""

from __future__ import annotations

import os
from functools import cached_property

from plait.core.diagnostic import PlaitError
from plait.core.node import Scalar
from plait.core.path import Path
from plait.evaluate.tree import Tree
from plait.fronts.findings import CheckedComponent, TextChange, UnitShape
from plait.fronts.front import DocumentId, label
from plait.fronts.project import Project
from plait.fronts.stacks.answers.code import CodeChecks
from plait.fronts.stacks.answers.origins import ComponentTree, file_roles
from plait.fronts.stacks.answers.places import LAYERS, sites_of
from plait.fronts.stacks.answers.questions import ConfigFlags, StackOptions
from plait.fronts.stacks.answers.reach import changed_entries, may_read_more
from plait.fronts.stacks.answers.remembered_stacks import questions
from plait.fronts.stacks.answers.usable import is_abstract
from plait.fronts.stacks.answers.validate import (
    Findings,
    check_duplicates,
    check_file,
    manifest_checker,
    without_repeats,
)
from plait.fronts.stacks.answers.values import is_sound
from plait.fronts.stacks.assemble.bases import Bases
from plait.fronts.stacks.assemble.section_layers import ROOT, TYPE, WORDS, is_section
from plait.fronts.stacks.config.sections import TYPES
from plait.fronts.stacks.config.structure import local_path
from plait.fronts.stacks.read.imports import files_of
from plait.fronts.stacks.read.resolve import files_named
from plait.fronts.unit import Result, attempt, uncomputed
from plait.yaml.places import Written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.role import Role
    from plait.core.source import Source
    from plait.core.steps import Steps
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.findings import Entry, Finding, KeptUnit
    from plait.fronts.stacks.answers.places import Site
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.answers.schema import Checker
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.language.scope import FileScope
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.fronts.trail import SpotTrail
    from plait.merging.account import Account


class StackManifests:
    """The manifests of one repository."""

    def __init__(
        self,
        project: Project,
        folder: str,
        real: Callable[[str], str],
        path_of: Callable[[Source], str],
        paths: list[str] | None = None,
    ) -> None:
        """`real` gives the real path of a file, `path_of` that of a text; `paths` are the top-level manifests, where
        they are known."""
        self.project = project
        self.folder = folder
        self.stacks = questions(project, folder, ConfigFlags(), StackOptions())
        self.stacks.session.options.listing = True
        if paths is not None:
            self.stacks.repository.index.manifests.narrow(paths)
        self.repository = self.stacks.repository
        self.real = real
        self.path_of = path_of
        self.code = CodeChecks(self.repository)
        self._names: dict[str, StackNames] = {}

    def names_in(self, stack: str) -> StackNames:
        """The names of the components of a stack."""
        return self._names.setdefault(stack, StackNames(self.repository, stack))

    @property
    def base(self) -> str:
        """The folder that manifests are in."""
        return self.real(self.stacks.config.stacks_path)

    def names(self) -> Iterable[str]:
        """The names of the stacks."""
        return self.stacks.names()

    def code_folder(self, type: str) -> str:
        """The folder that the code of components of a type is in."""
        return self.stacks.config.component_path(type)

    def imported(self, file: str, name: str) -> list[str]:
        """The files that a name means where a file imports it."""
        relative = name.split("/", 1)[0] in (".", "..")
        base = os.path.dirname(file) if relative else self.stacks.config.stacks_path
        try:
            return files_named(self.project, base, name)
        except PlaitError:
            return []

    def tree(self, name: str, stack: str) -> Tree | None:
        """The values of a component in a stack; None where there is none, or it cannot be put together."""
        try:
            return self.stacks.tree(name, stack)
        except PlaitError:
            return None

    def paths(self) -> list[str]:
        """The top-level manifests."""
        return self.repository.index.manifests.files()

    def checked(self, file: ManifestFile) -> list[Diagnostic]:
        """A file against the schema of manifests, where the package for schemas is installed."""
        language = self.repository.index.shared.language
        found = self.repository.session.answer(lambda: check_file(file, self._checker, language))
        return without_repeats(found)

    @cached_property
    def _checker(self) -> Checker | None:
        try:
            return manifest_checker(self.repository, [])
        except (ImportError, PlaitError):
            return None

    def disagreements(self) -> list[Diagnostic]:
        """The components that two manifests of one stack define differently."""
        repository = self.repository
        by_stack: dict[str, list[Manifest]] = {}
        for manifest in repository.manifests():
            for name in repository.names_of(manifest):
                by_stack.setdefault(name, []).append(manifest)
        sharing = dict.fromkeys(one for several in by_stack.values() if len(several) > 1 for one in several)
        found = Findings(repository.broken.refuses())
        if sharing:
            check_duplicates(repository, list(sharing), found)
        return found.all()

    def check_alone(self, path: str) -> list[Diagnostic]:
        """What is wrong with a file that no stack imports: its locals, the schema, its expressions."""
        repository = self.repository
        found: list[Diagnostic] = []
        loader = repository.index.manifests.loader
        attempt(lambda: found.extend(self.checked(repository.session.answer(lambda: loader.file(path)))), found)
        return found

    def units(self, kept: Callable[[str], KeptUnit]) -> list[ManifestUnit]:
        """A unit for each top-level manifest; none of them is read yet. `kept` gives what is known of one."""
        return [ManifestUnit(self, path, kept) for path in self.paths()]


class StackNames:
    """The names of the components of one stack, whichever manifests they are in."""

    __slots__ = ("_known", "_repository", "_stack")

    def __init__(self, repository: Repository, stack: str) -> None:
        self._repository = repository
        self._stack = stack
        self._known: dict[str, bool] = {}

    def needs_type(self, name: str) -> bool:
        """Whether components of several types have a name."""
        if name not in self._known:
            self._known[name] = self._has_several(name)
        return self._known[name]

    def _has_several(self, name: str) -> bool:
        """Few names are used twice: the stacks of a manifest are asked for only where one is."""
        having = {
            one: [type for type in one.types() if name in one.names(type)] for one in self._repository.manifests()
        }
        if len({type for types in having.values() for type in types}) < 2:
            return False
        mine = [types for one, types in having.items() if types and self._stack in self._repository.names_of(one)]
        return len({type for types in mine for type in types}) > 1


class KeptTree(ComponentTree):
    """The tree of a component whose account is worked out once."""

    @cached_property
    def _kept(self) -> Account:
        return super().account()

    def account(self) -> Account:
        return self._kept


class ManifestUnit:
    """A manifest that makes stacks."""

    kind = "stacks"

    def __init__(self, owner: StackManifests, path: str, kept: Callable[[str], KeptUnit]) -> None:
        self.owner = owner
        self.path = path
        self._trees: dict[Entry, KeptTree] = {}
        self._reaching: dict[Entry, list[str]] = {}
        self.name = owner.repository.index.manifests.name_of(path)
        self._known = kept(f"{self.kind} {self.name}")

    @cached_property
    def manifest(self) -> Manifest | None:
        """The manifest with its imports; None where it cannot be read."""
        repository = self.owner.repository
        return repository.session.answer(lambda: repository.index.manifests.at(self.path))

    @cached_property
    def _files(self) -> dict[Source, Role]:
        """The files of the manifest, each with the chain of imports that leads to it."""
        return file_roles(self.manifest) if self.manifest is not None else {}

    def shape(self) -> UnitShape:
        if self.manifest is None:
            return UnitShape(self._named_in_errors() | {self.owner.real(self.path)}, dependent=True, broken=True)
        files = files_of(self.manifest)
        return UnitShape(
            frozenset(self.owner.real(file.path) for file in files),
            any(may_read_more(file.source.text) for file in files),
            rendered=any(file.is_rendered for file in files),
            fixed=not self.manifest.dynamic and not any(file.is_rendered for file in files),
        )

    def _named_in_errors(self) -> frozenset[str]:
        """The files because of which the manifest cannot be read: it imports them."""
        problems = self.owner.repository.broken.problems({self.name}, also_unknown=True)
        sources = {label.origin.source for one in problems for label in one.labels}
        return frozenset(path for source in sources if (path := self.owner.path_of(source)))

    def check(self, kept: KeptUnit, made: Callable[[Diagnostic], Finding]) -> Steps[list[Finding]]:
        """What is wrong with each component, and with the manifest as a whole."""
        yield
        repository, members = self.owner.repository, kept.members
        names = self._names()
        kept.members = {key: member for key, member in members.items() if key in names}
        for type, name in names:
            if (type, name) not in members:
                kept.members[type, name] = self._checked(type, name, made)
        own = [made(one) for one in repository.broken.problems({self.name})]
        return [*own, *(finding for member in kept.members.values() for finding in member.findings)]

    def check_file(self, path: str) -> list[Diagnostic]:
        """What is wrong with one file of the manifest by the schema, its expressions, and what is deprecated."""
        files = files_of(self.manifest) if self.manifest is not None else []
        file = next((one for one in files if self.owner.real(one.path) == path), None)
        if file is None:
            return []
        diagnostics: list[Diagnostic] = []
        attempt(lambda: diagnostics.extend(self.owner.checked(file)), diagnostics)
        return diagnostics

    def _names(self) -> list[Entry]:
        manifest = self.manifest
        return [(type, name) for type in manifest.types() for name in manifest.names(type)] if manifest else []

    def _checked(self, type: str, name: str, made: Callable[[Diagnostic], Finding]) -> CheckedComponent:
        """What is wrong with a component, and its bases."""
        repository, manifest = self.owner.repository, self.manifest
        diagnostics: list[Diagnostic] = []
        assert manifest is not None
        try:
            if is_abstract(repository, manifest, type, name):
                return CheckedComponent((), [], True)
            component = repository.whole(repository.in_manifest(manifest, type, name))
        except PlaitError as error:
            return CheckedComponent(
                (name for _, name in self._names()), [made(one) for one in error.diagnostics], False
            )
        attempt(lambda: diagnostics.extend(self._uncomputed(component)), diagnostics)
        attempt(lambda: diagnostics.extend(self.owner.code.check(component)), diagnostics)
        return CheckedComponent(component.layers.chain, [made(one) for one in diagnostics], False)

    def _uncomputed(self, component: Component) -> list[Diagnostic]:
        """What is wrong with the values of a component. Most have none that failed: only others are looked through."""
        session = self.owner.repository.session
        if is_sound(session, component.root):
            return []
        made, failures = session.evaluator.finish(component.root, component.place)
        return uncomputed(made) if failures else []

    def results(self, trail: SpotTrail) -> Iterator[Result]:
        names = local_path(trail.path)
        scope = self._scope(trail) if names else None
        if scope is not None:
            tree = Tree(_root(scope), self.owner.repository.session.evaluator, top=scope.place)
            yield Result(self.name, f"local of {scope.file}", tree, names)
            return
        for type, name in self._reached(trail.path):
            component = self.component(type, name)
            path = _path_in(trail.path, component) if component is not None else None
            if component is not None and path is not None:
                yield self._result(component, path)

    def _scope(self, trail: SpotTrail) -> FileScope | None:
        """The scope that a local is defined in."""
        files = files_of(self.manifest) if self.manifest is not None else []
        file = next((one for one in files if self.owner.real(one.path) == trail.file), None)
        head = str(trail.path[0])
        if file is None or head in TYPES:
            return file.types.get(head) if file is not None else None
        if head != "components":
            return file.scope
        type, name = str(trail.path[1]), str(trail.path[2])
        if name not in file.components.names(type):
            return None
        return self.owner.repository.session.answer(lambda: file.components.with_scope(type, name))[1]

    def _reached(self, path: Path) -> Iterable[Entry]:
        """The components in which a place of a manifest may have a part: those that are deployed, and its own one."""
        if path[:1] != ("components",):
            return ((type, name) for type, name in self._names() if not self._known_bases(type, name)[1])
        if len(path) < 4:
            return ()
        entry = (str(path[1]), str(path[2]))
        if entry not in self._reaching:
            self._reaching[entry] = [
                name for type, name in self._names() if type == entry[0] and self._has(name, entry)
            ]
        return ((entry[0], name) for name in self._reaching[entry])

    def _has(self, name: str, entry: Entry) -> bool:
        """Whether a component is an entry, or is deployed and inherits from it."""
        chain, abstract = self._known_bases(entry[0], name)
        return name == entry[1] or (not abstract and entry[1] in chain)

    def _known_bases(self, type: str, name: str) -> tuple[Sequence[str], bool]:
        """The bases of a component, and whether it is abstract; where they cannot be known, all that there are."""
        known = self._known.members.get((type, name))
        if known is not None:
            return known.chain, known.abstract
        repository, manifest = self.owner.repository, self.manifest
        assert manifest is not None
        try:
            if is_abstract(repository, manifest, type, name):
                return (), True
            return repository.session.answer(lambda: Bases(manifest, type, repository.index.shared).chain(name)), False
        except PlaitError:
            return [name for _, name in self._names()], False

    def _result(self, component: Component, path: Path) -> Result:
        """The result that a component is; its account is worked out once."""
        entry = (component.type, component.name)
        tree = self._trees.get(entry)
        if tree is None:
            tree = self._trees[entry] = KeptTree(component, self._files)
        document = DocumentId(f"stack:{component.stack}", component.type, "", component.name)
        name = label(document, self.owner.names_in(component.stack))
        about = self.owner.code.about(component, path)
        return Result(self.name, f"{name} in {component.stack}", tree, path, component.abstract, component.stack, about)

    def _some_component(self, type: str) -> Component | None:
        """A component of a type, or of any; None where there is none that can be put together."""
        entries = (entry for entry in self._names() if type in ("", entry[0]))
        return next((found for entry in entries if (found := self.component(*entry)) is not None), None)

    def result_of(self, type: str, name: str, stack: str, path: Path) -> Result | None:
        """The value of a component of this manifest that a template names; None where there is none."""
        component = self.component(type, name)
        if component is None or stack not in ("", component.stack):
            return None
        return self._result(component, path)

    def places(self, path: Path) -> Iterator[tuple[WrittenPlace, str]]:
        """Where else a value can be written: for a component, for all of a type, or for all of them."""
        if path[0] == "components" and len(path) > 4:
            component = self.component(str(path[1]), str(path[2]))
            sites = sites_of(component, path[3:]) if component is not None else []
        else:
            sites = self._of_all(path)
        yield from ((site, site.about) for site in sites)

    def _of_all(self, path: Path) -> list[Site]:
        """Where else a value of all components, or of all of one type, can be written for all of them."""
        type = str(path[0]) if path[0] in TYPES else ""
        section, layer = path[1:] if type else path, LAYERS[TYPE if type else ROOT]
        component = self._some_component(type) if len(section) > 1 else None
        return [site for site in sites_of(component, section) if site.layer == layer] if component is not None else []

    def component(self, type: str, name: str) -> Component | None:
        """A component, put together; None where there is none, or it cannot be."""
        repository = self.owner.repository
        if self.manifest is None or name not in self.manifest.names(type):
            return None
        try:
            return repository.whole(repository.in_manifest(self.manifest, type, name))
        except PlaitError:
            return None


def _root(scope: FileScope) -> Node:
    """What the templates of a scope's locals can read, with the locals themselves."""
    root = scope.place.node
    assert root is not None
    return root


def _path_in(path: Path, component: Component) -> Path | None:
    """A path of a manifest as one of a component; None where it has no part in it."""
    rest = _section(path, component)
    named = (*WORDS, "metadata", "backend", "backend_type")
    if not rest or (rest[0] not in named and not is_section(str(rest[0]), component.type)):
        return None
    if rest[0] == "backend":
        kind = component.root.entries.get("backend_type")
        return ("backend", *rest[2:]) if len(rest) > 1 and isinstance(kind, Scalar) and rest[1] == kind.text else None
    return rest


def _section(path: Path, component: Component) -> Path:
    """A path of a manifest without the steps that select components."""
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


def change_of(path: str, before: Source, after: Source, depth: int) -> TextChange:
    """What differs between two texts of a file that may be a manifest."""
    imports = [_imports(source, depth) for source in (before, after)]
    reads_more = [may_read_more(source.text) for source in (before, after)]
    same_files = imports[0] is not None and imports[0] == imports[1] and reads_more[0] == reads_more[1]
    return TextChange(path, changed_entries(before, after, depth), same_files)


def _imports(source: Source, depth: int) -> str | None:
    """The text under `import`; None where its meaning may depend on other lines."""
    try:
        written = Written(source, depth)
    except PlaitError:
        return None
    roots = list(written.roots())
    keys = {str(spot.path[-1]): spot for root in roots for spot in root.below()}
    if len(roots) != 1 or not roots[0].is_map or any(key == "<<" or "{{" in key for key in keys):
        return None
    start, end = keys["import"].value_span if "import" in keys else (0, 0)
    named = source.text[start:end]
    return None if "*" in named or "{{" in named else named
