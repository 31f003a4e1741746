"""Stack manifests as an editor asks about them: each manifest with all that it imports is one unit."""

from __future__ import annotations

import os
from functools import cache, cached_property, partial

from plait.access.trace import TEXT
from plait.core.diagnostic import PlaitError
from plait.core.node import Scalar
from plait.core.path import Path
from plait.core.struct import struct
from plait.evaluate.tree import Tree
from plait.fronts.findings import CheckedUnit
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
from plait.fronts.unit import Result, attempt, findings_of, uncomputed
from plait.memory.queries import RecordedReads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from plait.access.trace import Input
    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.role import Role
    from plait.core.source import Source
    from plait.core.steps import Steps
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.findings import Finding
    from plait.fronts.stacks.answers.places import Site
    from plait.fronts.stacks.answers.reach import Entry
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
    ) -> None:
        """`real` gives the real path of a file, `path_of` that of a text."""
        self.project = project
        self.folder = folder
        with project.recording() as configured:
            self.stacks = questions(project, folder, ConfigFlags(), StackOptions())
        self.stacks.session.options.listing = True
        self.repository = self.stacks.repository
        self.real = real
        self.path_of = path_of
        self.code = CodeChecks(self.repository)
        self._names: dict[str, StackNames] = {}
        self.inputs = ManifestInputs(self.repository, configured)

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

    def units(self) -> list[ManifestUnit]:
        """A unit for each top-level manifest; none of them is read yet."""
        return [ManifestUnit(self, path) for path in self.repository.index.manifests.files()]


class ManifestInputs:
    """What the units of a repository depend on."""

    def __init__(self, repository: Repository, configured: Collection[Input]) -> None:
        """`configured` is what was read for the configuration."""
        self._project = repository.session.project
        self._repository = repository
        self.configured = configured
        self.changed_entries = cache(self._changed_entries)
        self.may_read_more = cache(lambda file: may_read_more(file.source.text))

    def note(self, inputs: Iterable[Input]) -> None:
        """Let what is asked at the moment depend on some inputs."""
        reads = self._project.trace.reads
        if reads is not None:
            reads.update(inputs)

    def has_listed_imports(self, path: str) -> bool:
        """Whether a file says what it imports in one place; that is noted as an input of its own."""
        return self._project.queries.compare(("imports", path), partial(self._imports, path)) is not None

    def _imports(self, path: str) -> list[str] | None:
        try:
            file = self._repository.session.answer(partial(self._repository.index.manifests.loader.file, path))
        except PlaitError:
            return None
        return None if file.is_rendered else file.import_paths()

    def _changed_entries(self, before: Source, after: Source) -> frozenset[Entry] | None:
        """The components whose entries hold all that differs between two texts of a manifest; None where other lines
        differ, too."""
        return None if may_read_more(after.text) else changed_entries(before, after, self._project.budgets.depth)


class CheckedComponent:
    """What is known of one component: it depends on its own entries and those of its bases."""

    __slots__ = ("abstract", "chain", "findings")

    def __init__(self, chain: Iterable[str], findings: list[Finding], abstract: bool) -> None:
        self.chain = tuple(chain)
        self.findings = findings
        self.abstract = abstract
        """Whether it is only there to be inherited from."""


@struct
class CheckedMembers:
    """The components of a manifest as they were checked."""

    members: dict[Entry, CheckedComponent]
    files: list[ManifestFile]
    """The files that it was made of then."""
    changed: Collection[Entry] = ()
    """The components whose entries are others now."""
    moved: Collection[str] = ()
    """The files, by their real paths, that these are in: places in them may have moved."""

    def get(self, entry: Entry) -> CheckedComponent | None:
        """What is known of a component, and still true."""
        member, changed = self.members.get(entry), self.changed
        if member is None or not self.moved:
            return member
        if entry in changed or (member.chain and any((entry[0], base) in changed for base in member.chain)):
            return None
        is_moved = member.findings and any(one.is_in(path) for one in member.findings for path in self.moved)
        return None if is_moved else member


UNKNOWN = CheckedMembers({}, [])
"""Nothing is known."""


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

    def __init__(self, owner: StackManifests, path: str) -> None:
        self.owner = owner
        self.path = path
        self._trees: dict[Entry, KeptTree] = {}
        self._reaching: dict[Entry, list[str]] = {}
        self.name = owner.repository.index.manifests.name_of(path)

    @cached_property
    def manifest(self) -> Manifest | None:
        """The manifest with its imports; None where it cannot be read."""
        return self._read()

    def _read(self) -> Manifest | None:
        repository = self.owner.repository
        return repository.session.answer(lambda: repository.index.manifests.at(self.path))

    @property
    def is_broken(self) -> bool:
        return self.manifest is None

    @cached_property
    def _files(self) -> dict[Source, Role]:
        """The files of the manifest, each with the chain of imports that leads to it."""
        return file_roles(self.manifest) if self.manifest is not None else {}

    @cached_property
    def files(self) -> frozenset[str]:
        """They stay the same as long as no text names others to import."""
        found: frozenset[str] = self.owner.project.queries.recall(("files", self.path), self._made_of)
        return found

    def _made_of(self) -> frozenset[str]:
        with RecordedReads(self.owner.project.trace, passes=False) as reads:
            manifest = self._read()
        if manifest is None:
            self.owner.inputs.note([None])
            return self._named_in_errors() | {self.owner.real(self.path)}
        files, inputs = files_of(manifest), self.owner.inputs
        inputs.note(reads - {(TEXT, file.path) for file in files if inputs.has_listed_imports(file.path)})
        return frozenset(self.owner.real(file.path) for file in files)

    def _named_in_errors(self) -> frozenset[str]:
        """The files because of which the manifest cannot be read: it imports them."""
        problems = self.owner.repository.broken.problems({self.name}, also_unknown=True)
        sources = {label.origin.source for one in problems for label in one.labels}
        return frozenset(path for source in sources if (path := self.owner.path_of(source)))

    @cached_property
    def _known(self) -> CheckedMembers:
        """What is known of the components, where nothing has changed since but entries of other ones."""
        queries = self.owner.project.queries
        known = queries.last(findings_of(self))
        if known is None or self.manifest is None:
            return UNKNOWN
        before: CheckedMembers = known.answer.parts
        changed: set[Entry] = set()
        moved: set[str] = set()
        for one in queries.differing(known):
            path = one[1] if one is not None and one[0] == TEXT else ""
            old = next((file for file in before.files if file.path == path), None)
            if old is None or old.is_rendered:
                return UNKNOWN
            entries = self.owner.inputs.changed_entries(old.source, self.owner.project.source(path))
            if entries is None:
                return UNKNOWN
            changed |= entries
            moved.add(self.owner.real(path))
        return CheckedMembers(before.members, before.files, changed, moved)

    def check(self, made: Callable[[Diagnostic], Finding]) -> Steps[CheckedUnit]:
        """What is wrong with each component, and with the manifest as a whole."""
        yield
        repository, inputs, known = self.owner.repository, self.owner.inputs, self._known
        self._read()  # so that it is noted
        inputs.note(inputs.configured)
        code = CodeChecks(repository)
        files = files_of(self.manifest) if self.manifest is not None else []
        if known is UNKNOWN and (not files or any(map(inputs.may_read_more, files))):
            inputs.note([None])
        members = {entry: known.get(entry) or self._checked(*entry, code, made) for entry in self._names()}
        self._known = CheckedMembers(members, files)
        own = [made(one) for one in repository.broken.problems({self.name})]
        found = dict.fromkeys([*own, *(one for member in members.values() for one in member.findings)])
        return CheckedUnit(list(found), self._known)

    def left(self) -> list[Finding]:
        still = map(self._known.get, self._known.members)
        return [one for member in still if member is not None for one in member.findings]

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

    def _checked(
        self, type: str, name: str, code: CodeChecks, made: Callable[[Diagnostic], Finding]
    ) -> CheckedComponent:
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
        attempt(lambda: diagnostics.extend(code.check(component)), diagnostics)
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
        known = self._known.get((type, name))
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
