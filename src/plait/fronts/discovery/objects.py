"""Objects of Argo CD and Flux that are recognised and not evaluated, or not all of them: what each says beside that,
and what is in the files and folders that it names. What they deploy may be made of all of it."""

from __future__ import annotations

import os

from plait.access.trace import files_in, places_in
from plait.core.diagnostic import Fault
from plait.core.find import word
from plait.core.node import ListNode, MapNode, Node, key_text
from plait.core.source import YAML_ENDINGS
from plait.fronts.deployed import ARGO, FLUX, is_deployed_object, marks_in
from plait.fronts.discovery.argo import application_parts, generated, knows_generators
from plait.fronts.discovery.discover import Discovery
from plait.fronts.discovery.found import ObjectParts
from plait.fronts.discovery.kustomize import FluxManifests, Kustomizations
from plait.fronts.front import TargetInputs
from plait.fronts.named_files import contents_at, manifests_in
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from plait.core.path import Path, Step
    from plait.fronts.discovery.repository import RepositoryFiles
    from plait.fronts.front import Target, World
    from plait.fronts.project import Project


class ManifestObject:
    """One object. `number` is that of its document in its manifest."""

    __slots__ = ("_finder", "_world", "file", "node", "number")

    def __init__(self, world: World, finder: ObjectFinder, file: str, number: int, node: Node) -> None:
        self._world = world
        self._finder = finder
        self.file = file
        self.number = number
        self.node = node

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from the others."""
        return self.kind, word(self.node, "metadata", "namespace"), self.name

    @property
    def kind(self) -> str:
        return word(self.node, "kind")

    @property
    def name(self) -> str:
        return word(self.node, "metadata", "name")

    @property
    def label(self) -> str:
        return "/".join(filter(None, self.key))

    @property
    def evaluated(self) -> set[Path]:
        """The places of its fields that targets are made of."""
        return self._finder.parts(self.node).fields

    def read(self) -> tuple[Node, TargetInputs]:
        """All that it says beside what is evaluated, and all that is in what it names; and what was read for that."""
        project = self._world.project
        with project.recording() as reads:
            documents = documents_of(project, self.file)
            found = ListNode(list(self._inputs(documents[self.number])))
        files, places = (frozenset(map(self._world.file, some)) for some in (files_in(reads), places_in(reads)))
        return found, TargetInputs(files, places)

    def _inputs(self, node: Node) -> Iterator[Node]:
        parts = self._finder.parts(node)
        yield without(node, parts.fields)
        yield from self._contents(parts)
        for application in self._finder.generated(node):
            inner = self._finder.parts(application)
            yield without(application, inner.fields)
            yield from self._contents(inner)

    def _contents(self, parts: ObjectParts) -> Iterator[Node]:
        """What is in the files and folders that it names, and what its targets give that it changes."""
        project = self._world.project
        for name, is_deep in [*((file, True) for file in parts.files), *parts.folders]:
            path = os.path.relpath(os.path.join(project.root, name))
            for content in contents_at(project, path) if is_deep else manifests_in(project, path):
                yield MapNode({name: content})
        if parts.is_changed:
            yield from (node for target in self._targets for _, node in target.results() if isinstance(node, Node))

    @property
    def _targets(self) -> Iterator[Target]:
        """The targets that it declares."""
        place = self.node.origin.file, self.node.origin.line
        for target in self._world.targets:
            origin = target.declaration.origin
            if origin is not None and (origin.file, origin.line) == place:
                yield target


class ObjectFinder:
    """What is evaluated of objects in one repository."""

    def __init__(self, repository: RepositoryFiles | None) -> None:
        """None where the targets are not those that a search finds: then no object declares one."""
        self._repository = repository
        self._flux = FluxManifests(Kustomizations(repository)) if repository is not None else None

    def parts(self, node: Node) -> ObjectParts:
        """What of an object is evaluated, and what it names."""
        kind = word(node, "kind")
        if self._repository is None or self._flux is None:
            return ObjectParts()
        if kind == "ApplicationSet":
            found = ObjectParts()
            found.fields = {("spec", "template"), *([("spec", "generators")] if knows_generators(node) else [])}
            return found
        if kind in ("Kustomization", "HelmRelease"):
            return self._flux.build_parts(node) if kind == "Kustomization" else self._flux.release_parts(node)
        return application_parts(self._repository, node) if kind in ("Application", "") else ObjectParts()

    def generated(self, node: Node) -> list[Node]:
        """The Applications that an ApplicationSet makes."""
        is_set = self._repository is not None and word(node, "kind") == "ApplicationSet"
        return generated(self._repository, node) if is_set and self._repository is not None else []


def objects_of(world: World, changed: Iterable[str]) -> Iterator[ManifestObject]:
    """The objects of a world: of all manifests where targets were searched for, else of the changed files."""
    project, discovery = world.project, world.opened.get("discovery")
    repository = discovery.repository if isinstance(discovery, Discovery) else None
    finder = ObjectFinder(repository)
    if repository is not None:
        names = dict.fromkeys(name for mark in (ARGO, FLUX) for name in repository.mentioning(mark))
        files = [os.path.join(project.root, name) for name in names]
    else:
        files = [os.path.join(world.tree, name) for name in changed if name.endswith(YAML_ENDINGS)]
    for file in map(os.path.relpath, files):
        if project.door.is_file(file) and marks_in(project.bytes(file)):
            for number, node in enumerate(documents_of(project, file)):
                if is_deployed_object(node):
                    yield ManifestObject(world, finder, file, number, node)


def documents_of(project: Project, file: str) -> list[Node]:
    """The documents of a manifest; none of one that cannot be read."""
    try:
        return project.read(file, lambda source: Reading())
    except Fault:
        return []


def without(node: Node, places: Collection[Path]) -> Node:
    """A node without what is at some places in it."""
    if not places:
        return node
    below: dict[Step, list[Path]] = {}
    for place in places:
        below.setdefault(place[0], []).append(place[1:])
    if isinstance(node, MapNode):
        rows = [(key, child, below.get(key_text(key), [])) for key, child in node.entries.items()]
        return node.but(entries={key: without(child, inner) for key, child, inner in rows if () not in inner}, marks=())
    if isinstance(node, ListNode):
        items = [(child, below.get(at, [])) for at, child in enumerate(node.items)]
        return node.but(items=[without(child, inner) for child, inner in items if () not in inner])
    return node
