"""Stacks as targets: the documents of a stack are its components."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from functools import cached_property, partial

from plait.access.trace import files_in
from plait.core.diagnostic import Fault
from plait.core.find import entry, items_of
from plait.core.node import Key, MapNode, Node
from plait.core.path import ANYWHERE, NOWHERE
from plait.core.source import YAML_ENDINGS, Source
from plait.core.unknown import failures_in
from plait.evaluate.nowhere import NotThere
from plait.fronts.front import Declaration, DocumentId, Target, World, is_settings, lines_of
from plait.fronts.stacks.answers.abstract import metadata_of
from plait.fronts.stacks.answers.backends import BackendUse, unused_backends
from plait.fronts.stacks.answers.code import CodeChecks
from plait.fronts.stacks.answers.describe import DescribeFilter
from plait.fronts.stacks.answers.origins import file_roles, tree_of
from plait.fronts.stacks.answers.pages import sections_of
from plait.fronts.stacks.answers.provenance import from_files
from plait.fronts.stacks.answers.questions import ConfigFlags, StackOptions, StackQuestions
from plait.fronts.stacks.answers.reach import ChangeReach, changed_entries
from plait.fronts.stacks.answers.remembered_stacks import questions
from plait.fronts.stacks.answers.spread import asking_outside
from plait.fronts.stacks.answers.stray import UNUSED, StrayKeys, unused_locals
from plait.fronts.stacks.assemble.components import places_of
from plait.fronts.stacks.config.sections import TYPES
from plait.fronts.stacks.read.imports import all_manifests, files_of
from plait.report.catalog import NO_COMPONENT, NOT_AN_OUTPUT
from plait.report.near import did_you_mean
from plait.report.unknown import unknown_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.path import Path, Places
    from plait.core.role import Role
    from plait.evaluate.tree import Tree
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.front import Changes, DocumentsReached, Given, TargetInputs
    from plait.fronts.project import Project
    from plait.fronts.stacks.answers.reach import Changed, Entry
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.report.unknown import UnknownValue

KIND = "stack"
ABOUT_FILES = frozenset(
    (
        "component_info",
        "atmos_stack_file",
        "atmos_manifest",
        "inheritance",
        "stack",
        "atmos_stack",
        "atmos_component",
    )
)
"""Facts about the place and the names of a component, which are not compared."""
STRATEGY = ("settings", "list_merge_strategy")
TRIALS: dict[str, dict[str, object]] = {
    "`--process-functions=false`": {"functions": False},
    "`--process-templates=false`": {"templates": False},
    "`--process-templates=false --process-functions=false`": {"templates": False, "functions": False},
    "`settings.list_merge_strategy: append` in atmos.yaml": {"values": {STRATEGY: "append"}},
    "`settings.list_merge_strategy: merge` in atmos.yaml": {"values": {STRATEGY: "merge"}},
}
"""Options that may make stacks give the result of Atmos: words of `ConfigFlags` and `StackOptions`."""
REMEMBERED = "manifests"
"""The parameter with the files in which a stack begins."""
ASKED = "asked"
"""The word for a question about stacks that is open already."""
FLAGS = ("base_path", "config", "config_path", "profile", "values")
"""Those of `ConfigFlags`."""


def _has_nameless(repository: Repository) -> bool:
    """Whether a manifest belongs to no stack, because a component of it cannot be put together."""
    nameless = {one.name for one in repository.manifests() if not repository.names_of(one)}
    return bool(repository.broken.components(nameless))


class OpenStacks:
    """The stacks of one atmos.yaml in one world, with what a change can touch in them."""

    def __init__(self, world: World, folder: str) -> None:
        self.world = world
        beside = opened_in(world.beside) if world.beside is not None else None
        self.stacks = self._asked(folder, beside)
        self.stacks.session.options.listing = True
        self.repository = self.stacks.repository
        self.reach = ChangeReach(self.repository, self.stacks.config.files, world.tree)
        if beside is not None and world.changes and not world.changes.adds:
            changed = entries_in(world.changes, world)
            if not _has_nameless(beside.repository):
                beside.reach.narrow(self.repository, changed, world.wanted)
            self.reach.beside = (beside.reach, changed)
        self.entries: dict[tuple[str, ...], frozenset[Entry]] = {}
        """What components are made of: those of many stacks are made of the same."""
        self.files: dict[Manifest, tuple[str, ...]] = {}
        """The files of manifests, as reports name them."""
        self.links: dict[Manifest, dict[str, int]] = {}
        """What each manifest imports, with the line that says so."""
        self.sections: dict[tuple[Key, ...], tuple[str, ...]] = {}
        """The sections of components whose values come from files, by the names of all: many have the same."""
        self.code = CodeChecks(self.repository)
        self._other_code: dict[Project, CodeChecks] = {}
        self._stray: dict[ManifestFile, list[Diagnostic]] = {}
        self._unused: dict[ManifestFile, list[Diagnostic]] = {}
        self._printed: tuple[Node | None, dict[str, MapNode]] | None = None

    def _asked(self, folder: str, beside: OpenStacks | None) -> StackQuestions:
        """The question about these stacks. What is outside is not asked again where it cannot depend on what differs
        from the world beside."""
        words, project = dict(self.world.given.get(KIND, {})), self.world.project
        asked = words.pop(ASKED, None)
        if isinstance(asked, StackQuestions):
            if asked.session.project is project and not words:
                return asked
            words = {**asked.flags.words(), **asked.session.options.words(), **words}
        flags = ConfigFlags(**{name: word for name, word in words.items() if name in FLAGS})  # type: ignore[arg-type]
        options = StackOptions(**{name: word for name, word in words.items() if name not in FLAGS})  # type: ignore[arg-type]
        if beside is None:
            return questions(project, folder, flags, options)
        changes = self.world.changes
        is_known = changes is not None and not changes.adds and beside.reach.knows(changes)
        other = beside.stacks.session if is_known else None
        return StackQuestions(project, folder, flags, options, other)

    @property
    def own_folders(self) -> list[str]:
        """The folders of manifests and of components of each type."""
        config = self.stacks.config
        return [config.stacks_path, *(config.component_path(type) for type in TYPES)]

    def names(self) -> list[str]:
        """The stacks, and the manifests that cannot be read and so belong to none."""
        names = {name for manifest in self.repository.manifests() for name in self.repository.names_of(manifest)}
        return [*sorted(names), *self.broken]

    @cached_property
    def is_alone(self) -> bool:
        """Whether there are no targets but stacks, which may come or go."""
        return all(target.kind == KIND for target in self.world.targets)

    @cached_property
    def broken(self) -> dict[str, Fault]:
        """Manifests that cannot be read, or whose components cannot, so that they belong to no stack."""
        manifests, broken = self.repository.manifests(), self.repository.broken
        nameless = [one.name for one in manifests if not self.repository.names_of(one)]
        lost = {name: error for name in nameless for error in [*broken.components({name}).values()][:1]}
        return {**broken.manifests(), **lost}

    def file_of(self, manifest: str) -> str | None:
        """The file of a manifest that cannot be read."""
        index = self.repository.index.manifests
        return next((path for path in index.files() if index.name_of(path) == manifest), None)

    def manifests(self, stack: Declaration) -> list[Manifest]:
        """The manifests of a stack. Where it is remembered from an earlier run, no other one is read."""
        if REMEMBERED not in stack.parameters:
            return self.repository.manifests_of(stack.name)
        at = self.repository.index.manifests.at
        found = [self.repository.session.answer(partial(at, path)) for path in stack.parameters[REMEMBERED]]
        return [manifest for manifest in found if manifest is not None]

    def code_in(self, texts: Project | None) -> CodeChecks:
        """The code of the components, as another project has it."""
        if texts is None:
            return self.code
        return self._other_code.setdefault(texts, CodeChecks(self.repository, texts))

    def stray(self, file: ManifestFile) -> list[Diagnostic]:
        """The keys of a file that are not words of Atmos; looked for once, however many stacks import it."""
        if file not in self._stray:
            root = file.whole()
            self._stray[file] = [*self._stray_keys.check(root), *unused_locals(root)]
        return self._stray[file]

    def unused(self, file: ManifestFile) -> list[Diagnostic]:
        """The keys of a file that nothing reads."""
        if file not in self._unused:
            root = file.whole()
            found = (*self._stray_keys.keys(root), *unused_locals(root))
            self._unused[file] = [one for one in found if one.code in UNUSED]
        return self._unused[file]

    @cached_property
    def _stray_keys(self) -> StrayKeys:
        named = entry(self.stacks.config.tree, "components")
        return StrayKeys([str(key) for key in named.entries] if isinstance(named, MapNode) else [], strict=False)

    @cached_property
    def unused_backends(self) -> list[Diagnostic]:
        """The backends that no component of any stack uses."""
        return unused_backends(self.repository)

    def printed(self, nodes: list[Node]) -> dict[str, MapNode]:
        """The types of components of each stack in the output of `atmos describe stacks`."""
        root = nodes[0] if len(nodes) == 1 else None
        if self._printed is None or self._printed[0] is not root:
            self._printed = (root, dict(_types_in(root)))
        return self._printed[1]


def _types_in(root: Node | None) -> Iterator[tuple[str, MapNode]]:
    place = root.origin.file if root is not None else "the output"
    if not isinstance(root, MapNode):
        raise NOT_AN_OUTPUT.error(name=place, why="it is not the output of `atmos describe stacks`")
    for stack, body in root.entries.items():
        types = body.entries.get("components") if isinstance(body, MapNode) else None
        if not isinstance(types, MapNode):
            why = f"`{stack}` has no `components`: it is not the output of `atmos describe stacks`"
            raise NOT_AN_OUTPUT.error(name=place, why=why)
        yield str(stack), types


def opened_in(world: World) -> OpenStacks | None:
    """The stacks of a world, where they are open."""
    found = world.opened.get(KIND)
    return found if isinstance(found, OpenStacks) else None


def opened_at(world: World, folder: str) -> OpenStacks:
    """The stacks of a world, whose atmos.yaml is in a folder."""
    found = opened_in(world)
    if found is None:
        found = world.opened[KIND] = OpenStacks(world, folder)
    return found


def stacks_of(world: World, folder: str) -> Iterator[Declaration]:
    """The stacks of the atmos.yaml in a folder."""
    found = opened_at(world, folder)
    shown = found.stacks.session.shown
    for name in found.names():
        files = [shown(one.file.path) for one in found.repository.manifests_of(name)]
        yield Declaration(KIND, name, folder, files)


def entries_in(changes: Changes, world: World) -> Changed:
    """The changed files, each with the entries of components that contain all its differences; None where other lines
    differ too, or the file is no manifest."""
    depth = world.project.budgets.depth

    def entries(name: str, before: str | None, after: str | None) -> frozenset[Entry] | None:
        if before is None or after is None or not name.endswith(YAML_ENDINGS):
            return None
        return changed_entries(Source(name, before), Source(name, after), depth)

    return changes.each(KIND, entries)


class StackTarget(Target):
    """A stack."""

    front, part = "stacks", "component"
    steering_sections = ("imports",)
    own_sections = ("metadata",)

    def __init__(self, world: World, declaration: Declaration) -> None:
        super().__init__(world, declaration)
        self._in = opened_at(world, declaration.folder)
        self._read: frozenset[str] = frozenset()
        self._seen: frozenset[str] | None = None
        self._reached: tuple[Changes, DocumentsReached] | None = None
        """The parts that the changes of the last question can affect."""
        self._entries: dict[DocumentId, frozenset[Entry] | None] = {}
        self._roles: dict[Manifest, dict[Source, Role]] = {}
        """The roles of the files of its manifests."""

    @property
    def files(self) -> list[str]:
        return self.declaration.files

    def sections(self, tree: Tree) -> tuple[str, ...]:
        return from_files(tree.root, known=self._in.sections)

    @cached_property
    def _broken(self) -> Fault | None:
        return self._in.broken.get(self.name) if not self._manifests else None

    @cached_property
    def _manifests(self) -> list[Manifest]:
        return self._in.manifests(self.declaration)

    def remembered(self) -> dict[str, object]:
        return {REMEMBERED: [manifest.file.path for manifest in self._manifests]}

    def _id(self, type: str, name: str) -> DocumentId:
        return self.id(type, "", name)

    # Components

    @cached_property
    def _members(self) -> dict[DocumentId, Manifest]:
        """The components of the stack that are deployed, each with the first manifest that has it."""
        members: dict[DocumentId, Manifest] = {}
        repository = self._in.repository
        for manifest in self._manifests:
            uniform = repository.session.answer(partial(repository.index.namer.uniform, manifest))
            for type in manifest.types():
                abstract = self._in.reach.abstract.of(manifest, type)
                for name in manifest.names(type):
                    if name not in abstract and (uniform or self._is_here(manifest, type, name)):
                        members.setdefault(self._id(type, name), manifest)
        return members

    def _is_here(self, manifest: Manifest, type: str, name: str) -> bool:
        """Whether a component of a manifest with several names belongs to this stack; a broken one belongs to all."""
        try:
            return self._in.repository.in_manifest(manifest, type, name).stack == self.name
        except Fault:
            return True

    def documents(self) -> list[DocumentId]:
        self._check()
        return list(self._members)

    def needs_type(self, name: str) -> bool:
        return name in self._shared_names

    @cached_property
    def _shared_names(self) -> set[str]:
        """The names that components of several types have."""
        found: set[str] = set()
        known: set[str] = set()
        for type in dict.fromkeys(type for one in self._manifests for type in one.types()):
            names = {name for one in self._manifests for name in one.names(type)}
            found |= known & names
            known |= names
        return found

    def _check(self) -> None:
        if self._broken is not None:
            raise self._broken

    def component(self, document: DocumentId) -> Component:
        """A component, put together; PlaitError where there is none, or it cannot be."""
        self._check()
        manifest, repository = self._members.get(document), self._in.repository
        if manifest is None:
            hint = did_you_mean(document.name, [one.name for one in self._members])
            why = f"The stack `{self.name}` has no component `{document.name}`"
            raise NO_COMPONENT.error(component=document.name, stack=self.name, why=why, hint=hint)
        return repository.whole(repository.in_manifest(manifest, document.type, document.name))

    def tree(self, document: DocumentId) -> Tree:
        return tree_of(self.component(document))

    def each(self, parts: DocumentsReached = None) -> Iterator[tuple[DocumentId, Callable[[], Tree]]]:
        evaluator = self._in.stacks.session.evaluator
        for document, manifest in self._members.items():
            if self._in.reach.has(parts, manifest, document.type, document.name):
                mark = evaluator.mark()
                opened: list[Component] = []
                yield document, partial(self._seen_tree, document, opened)
                if opened:
                    evaluator.forget({component.place for component in opened}, mark)

    @contextmanager
    def visited(self, document: DocumentId) -> Iterator[Tree]:
        evaluator = self._in.stacks.session.evaluator
        component, mark = self.component(document), evaluator.mark()
        try:
            yield tree_of(component)
        finally:
            evaluator.forget({component.place}, mark)
            component.place.clear()

    def _seen_tree(self, document: DocumentId, opened: list[Component]) -> Tree:
        component = self.component(document)
        opened.append(component)
        if component.manifest not in self._roles:
            self._roles[component.manifest] = file_roles(component.manifest)
        return tree_of(component, self._roles[component.manifest])

    def _released(self, components: Iterable[Component]) -> Iterator[Component]:
        """Components one after the other; what was computed for one is forgotten when the next is asked for."""
        evaluator = self._in.stacks.session.evaluator
        for component in components:
            mark = evaluator.mark()
            yield component
            self._release(component, mark)

    def _release(self, component: Component, mark: tuple[int, ...]) -> None:
        """Forget what was computed for a component since a mark."""
        for place in places_of([component]):
            self._in.stacks.session.evaluator.forget({place}, mark)
            place.release()

    def results(
        self,
        parts: DocumentsReached = None,
        whole: bool = False,
    ) -> Iterator[tuple[DocumentId, Node | Fault]]:
        if self._broken is not None:
            yield self.id(), self._broken
            return
        with self.project.recording() as reads:
            found = list(self._results(parts, whole))
        self._read |= frozenset(self.world.file(name) for name in files_in(reads))
        self._seen = None
        yield from found

    def _results(self, parts: DocumentsReached, whole: bool) -> Iterator[tuple[DocumentId, Node | Fault]]:
        for document, component, found in self._evaluated(parts, whole):
            yield document, found
            if component is not None:
                self._note(document, component)

    def finished(self, parts: DocumentsReached = None) -> Iterator[tuple[DocumentId, Node | Fault]]:
        if self._broken is not None:
            yield self.id(), self._broken
            return
        yield from ((document, found) for document, _, found in self._evaluated(parts, False))

    def looked_at(self) -> Iterator[Callable[[], Tree]]:
        """The components, not evaluated: each is put together as far as that is asked for, and forgotten when the next
        is."""
        if self._broken is not None:
            yield partial(self.tree, self.id())
            return
        known: set[tuple[str, str]] = set()
        for component in self._released(self._in.reach.components(self.name, None)):
            known.add((component.type, component.name))
            yield partial(tree_of, component)
        troubles = [document for document, _ in self._troubles(())]
        yield from (partial(self.tree, one) for one in troubles if (one.type, one.name) not in known)

    def _evaluated(
        self,
        parts: DocumentsReached,
        whole: bool,
    ) -> Iterator[tuple[DocumentId, Component | None, Node | Fault]]:
        """The components of a stack; what is wrong where one cannot be assembled or evaluated."""
        repository, known = self._in.repository, set[DocumentId]()

        every = repository.components_named
        members = every(self.name) if whole else self._in.reach.components(self.name, parts)
        for component in self._released(members):
            document = self._id(component.type, component.name)
            known.add(document)
            yield document, component, self._result(component, whole)
        yield from ((document, None, trouble) for document, trouble in self._troubles(known))

    def _troubles(self, known: Collection[DocumentId]) -> Iterator[tuple[DocumentId, Fault]]:
        """The components that cannot be put together, without some that are known."""
        repository = self._in.repository
        owners = {manifest.name for manifest in repository.manifests_of(self.name)}
        for (type, name), trouble in repository.broken.components(owners).items():
            document = self._id(type, name)
            if document not in known:
                yield document, trouble

    def _note(self, document: DocumentId, component: Component) -> None:
        """Remember what entries a component is made of."""
        if len(self._manifests) == 1 and document not in self._entries:
            self._entries[document] = self._made_of(document, component.layers.chain)

    def _result(self, component: Component, whole: bool) -> Node | Fault:
        try:
            return self._document(component, whole, keep=True)
        except Fault as error:
            return error

    @staticmethod
    def _document(component: Component, whole: bool = False, keep: bool = False) -> Node:
        """A component as it is compared and printed; with `keep`, what cannot be computed is in its place."""
        chosen = DescribeFilter(has_names=True)
        sections = sections_of(component, chosen, include_empty=True, keep=keep)
        kept: dict[Key, Node] = dict(sections.items())
        for name in ABOUT_FILES if not whole else ():
            kept.pop(name, None)
        return MapNode(kept, component.root.source, component.root.at)

    def rendered(self) -> list[Node]:
        """The stack in the form of a manifest: its components by type. A value that is not known is an error: what is
        rendered may be deployed."""
        self._check()
        types: dict[str, dict[Key, Node]] = {}
        failed: list[Diagnostic] = []
        unknown: list[UnknownValue] = []
        for component in self._released(self._in.reach.components(self.name, None)):
            document = types.setdefault(component.type, {})[component.name] = self._document(component, keep=True)
            failed += [reason for failure in failures_in(document) for reason in failure.diagnostics]
            unknown += unknown_in(document, (), f" of `{component.name}` in `{self.name}`")
        if failed:
            error = Fault(*dict.fromkeys(failed))
            error.unknown = tuple(unknown)
            raise error
        broken = self._in.repository.broken.components({one.name for one in self._manifests})
        if broken:
            raise Fault(*(one for error in broken.values() for one in error.diagnostics))
        return [MapNode({"components": MapNode({type: MapNode(members) for type, members in types.items()})})]

    def named(self, text: str) -> DocumentId:
        """A component by its name, with or without its type, or by the folder of its code."""
        self._check()
        named = [one for one in self._members if text in one.names]
        if len(named) == 1:
            return named[0]
        found = self._in.repository.component(text, self.name)
        return self._id(found.type, found.name)

    def value_in(self, world: World, document: DocumentId, path: Path) -> Node | None:
        """A value of the same component of the same manifest; its stack may have another name there."""
        there, manifest = opened_in(world), self._members[document]
        for other in there.repository.manifests() if there is not None else ():
            if there is not None and other.name == manifest.name and document.name in other.names(document.type):
                component = there.repository.in_manifest(other, document.type, document.name)
                with suppress(NotThere):
                    return tree_of(there.repository.whole(component)).with_failures(path)
        return None

    def places(self, document: DocumentId, path: Path) -> Iterable[WrittenPlace]:
        from plait.fronts.stacks.answers.places import check_literal, sites_of  # most questions write nothing

        component = self.component(document)
        check_literal(component, path)
        return sites_of(component, path)

    def findings(self) -> list[Diagnostic]:
        stray = [one for file in self._files() for one in self._in.stray(file)]
        components = list(self._sound())
        beside_code = (one for component in components for one in self._in.code.check(component))
        return [*super().findings(), *stray, *beside_code, *self._backends(components)]

    def _files(self) -> list[ManifestFile]:
        return list(dict.fromkeys(file for manifest in self._manifests for file in files_of(manifest)))

    def unused(self) -> list[Diagnostic]:
        return [one for file in self._files() for one in self._in.unused(file)]

    def _sound(self) -> Iterator[Component]:
        """The components that can be put together; the others are reported with the results."""
        for document in self._members if self._broken is None else ():
            with suppress(Fault):
                yield self.component(document)

    def _backends(self, components: list[Component]) -> list[Diagnostic]:
        """The backends in the files of this stack that no component of any stack uses."""
        use, files = BackendUse(self._in.repository), frozenset(self.made_of())
        use.add(components)
        found = self._in.unused_backends if use.has_others else []
        return [one for one in found if one.labels[0].origin.file in files]

    # Files

    def made_of(self) -> list[str]:
        files: dict[str, None] = {}
        for manifest in self._manifests:
            if manifest not in self._in.files:
                self._in.files[manifest] = tuple(file.scope.file for file in files_of(manifest))
            files.update(dict.fromkeys(self._in.files[manifest]))
        return list(files)

    def links(self) -> Iterator[tuple[str, dict[str, int]]]:
        known = self._in.links
        for manifest in self._closure():
            if manifest not in known:
                rows = known[manifest] = {}
                for imported, line in zip(manifest.imports, _import_lines(manifest), strict=True):
                    rows.setdefault(imported.file.scope.file, line)
            yield manifest.file.scope.file, known[manifest]

    def _closure(self) -> list[Manifest]:
        """The manifests of the stack and all that they import."""
        return list(dict.fromkeys(one for manifest in self._manifests for one in all_manifests(manifest)))

    def place_of(self, file: str) -> str:
        return file if os.path.exists(file) else os.path.join(self._in.stacks.session.folder, file)

    def runs(self, file: str) -> list[str]:
        config, reach = self._in.stacks.config, self._in.reach
        types = {one.type for one in self._members}
        near = {type for type in types if _is_below(file, reach.path(config.component_path(type)))}
        found: list[str] = []
        for document in self._members if near else ():
            with suppress(Fault):
                if document.type in near and _is_below(file, reach.path(self.component(document).path)):
                    found.append(document.name)
        return found

    def fallbacks(self, file: str, texts: Project | None = None) -> dict[DocumentId, dict[Path, Node]]:
        """The defaults of the variables that a component does not set, in the folder of its Terraform code."""
        found: dict[DocumentId, dict[Path, Node]] = {}
        folder = os.path.dirname(file)
        code = self._in.code_in(texts)
        for document in self._members if file.endswith(".tf") else ():
            with suppress(Fault):
                component = self.component(document)
                if os.path.normpath(self._in.reach.path(component.path)) == folder:
                    found[document] = dict(code.defaults(component))
        return found

    def steering(self, file: str) -> set[int]:
        """The lines of imports, and of the metadata of components."""
        lines: set[int] = set()
        for one in {manifest.file for manifest in self._closure() if manifest.file.scope.file == file}:
            for name in ("import", "metadata", "name", "description"):
                lines |= lines_of(one.section(name))
            for type, names in one.components.listed.items():
                for name in names:
                    lines |= lines_of(metadata_of(one, type, name, self._in.stacks.session))
        return lines

    @property
    def read(self) -> frozenset[str]:
        """The files that it is made of, and what else was read for its results."""
        if self._seen is None:
            own = self._in.file_of(self.name) if self._broken is not None else None
            files = self._in.reach.files_of(self.name) | self._in.reach.settings | self._read
            self._seen = files | {self._in.reach.path(own)} if own is not None else files
        return self._seen

    @property
    def recorded(self) -> TargetInputs | None:
        return None

    stands_alone = True

    def touches(self, changes: Changes) -> bool:
        changed = entries_in(changes, self.world)
        if self._broken is not None or changes.has_settings:
            return True
        return self._in.reach.touches(self.name, changed)

    def reached_by(self, changes: Changes) -> DocumentsReached:
        if changes.has_settings:
            return None
        if self._reached is None or self._reached[0] is not changes:
            self._reached = (changes, self._in.reach.entries(self.name, entries_in(changes, self.world)))
        return self._reached[1]

    def is_apart(self, document: DocumentId, changes: Changes) -> bool:
        """What a component inherits that cannot be put together is not known: only changes of other components that are
        deployed are apart from it."""
        if self._broken is not None or document not in self._members or changes.has_settings:
            return False
        reached, own = self.reached_by(changes), (document.type, document.name)
        others = {(one.type, one.name) for one in self._members} - {own}
        return reached is not None and reached <= others

    def reads(self, document: DocumentId, changes: Changes) -> Places:
        if changes.has_settings or self._broken is not None:
            return ANYWHERE
        parts, entries = self.reached_by(changes), self._entries_of(document)
        is_read = parts is None or (bool(parts) and (entries is None or not parts.isdisjoint(entries)))
        return ANYWHERE if is_read else NOWHERE

    def alike(self, documents: Iterable[DocumentId], states: Iterable[Changes]) -> dict[DocumentId, Hashable]:
        """Components of a type in which no entry differs."""
        reached = [self.reached_by(changes) for changes in states]
        differing: frozenset[Entry] = frozenset().union(*(parts for parts in reached if parts is not None))
        known = {document: self._entries.get(document) for document in documents}
        return {
            one: one if entries is None or not differing.isdisjoint(entries) else one.type
            for one, entries in known.items()
        }

    def _entries_of(self, document: DocumentId) -> frozenset[Entry] | None:
        """The entries that a component is made of: its own and those of its bases; None where these are not known."""
        if document not in self._entries:
            own = (document.type, document.name)
            manifests = [one for one in self._manifests if document.name in one.names(document.type)]
            try:
                bases = [base for one in manifests for base in self._in.reach.bases(one, *own)]
                self._entries[document] = self._made_of(document, bases)
            except Fault:
                self._entries[document] = None
        return self._entries[document]

    def _made_of(self, document: DocumentId, bases: Iterable[str]) -> frozenset[Entry]:
        """The entries of a component and of its bases; those of many components are the same."""
        names = (document.type, document.name, *bases)
        if names not in self._in.entries:
            self._in.entries[names] = frozenset((document.type, name) for name in names[1:])
        return self._in.entries[names]

    def stays(self, changes: Changes) -> bool:
        parts = self.reached_by(changes)
        if self._broken is not None or changes.has_settings:
            return False
        return parts == frozenset() or (self._in.is_alone and self._in.reach.opens_alike(self.name, changes))

    def sees(self, file: str, whole: bool) -> bool:
        if self._broken is not None or is_settings(file):
            return True
        return self._reads_more or self.opens(file)

    @cached_property
    def _reads_more(self) -> bool:
        return self._in.reach.reads_more(self.name)

    def path(self, file: str) -> str:
        return self._in.reach.path(os.path.join(self._in.stacks.session.folder, file))

    @property
    def asks_outside(self) -> bool:
        return bool(asking_outside(self._in.repository, [self.name]))

    shares_output = True

    def in_output(self, nodes: list[Node]) -> dict[DocumentId, Node] | None:
        """What `atmos describe stacks` says about the stack."""
        types = self._in.printed(nodes).get(self.name)
        if types is None:
            return None
        return {
            self._id(str(type), str(name)): component
            for type, members in types.entries.items()
            if isinstance(members, MapNode)
            for name, component in members.entries.items()
        }

    def trials(self, lists: Iterable[Path]) -> Iterator[tuple[str, Given]]:
        return ((text, {KIND: words}) for text, words in TRIALS.items())


def _is_below(file: str, folder: str) -> bool:
    return file.startswith(folder.rstrip("/") + "/")


def _import_lines(manifest: Manifest) -> list[int]:
    """For each import, the line that asks for it."""
    items = items_of(manifest.file.section("import")) if manifest.imports else []
    return [items[at].origin.line for at in manifest.asked]
