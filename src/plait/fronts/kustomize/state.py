"""A build under way: the resources so far, and what all steps of a build share."""

from __future__ import annotations

import os
from contextlib import contextmanager

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.core.find import word
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.source import DATA_ENDINGS
from plait.fronts.kustomize.fields import FieldTable
from plait.fronts.kustomize.folding import refolded
from plait.fronts.kustomize.history import History
from plait.fronts.kustomize.kustomization import Kustomization, KustomizeFiles, from_folder
from plait.fronts.kustomize.metadata import BuildNotes
from plait.fronts.kustomize.patching import PatchTypes
from plait.fronts.kustomize.resource import BuiltResource, Maker, ResourceId
from plait.fronts.kustomize.ties import follow
from plait.fronts.kustomize.variables import BuildVariable
from plait.fronts.named_files import contents_at
from plait.profiles.kubernetes import kustomize_type
from plait.report.catalog import (
    KUSTOMIZE_CONFLICT,
    KUSTOMIZE_FIELD,
    KUSTOMIZE_NO_MATCH,
    KUSTOMIZE_REMOTE,
    KUSTOMIZE_UNPINNED,
)
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.diagnostic import PlaitError
    from plait.fronts.project import Project

ADDING = frozenset(
    (
        *("apiVersion", "kind", "metadata", "resources", "bases", "components", "sortOptions"),
        *("generators", "configMapGenerator", "secretGenerator", "generatorOptions", "validators"),
        *("helmCharts", "helmGlobals", "helmChartInflationGenerator"),
    )
)
"""The fields of a kustomization that change no resources of others."""
DEEPEST = 150
"""Resources that are nested deeper are refused: no real one is."""
NEEDS_HASH = "kustomize.config.k8s.io/needs-hash"


class MissingPart:
    """A part of a build that is elsewhere: what it would give is not known. `inputs` are all that it may be made of,
    and all that may change it."""

    __slots__ = ("diagnostic", "inputs", "node")

    def __init__(self, node: Node, diagnostic: Diagnostic, *inputs: Node) -> None:
        self.node = node
        self.diagnostic = diagnostic
        self.inputs: list[Node] = [node, *inputs]


class Accumulated:
    """The resources of a kustomization so far, and the fields that it knows of."""

    def __init__(self, missing_before: int = 0) -> None:
        """`missing_before` is how many parts of the build were missing before this kustomization."""
        self.missing_before = missing_before
        self.resources: list[BuiltResource] = []
        self.fields = FieldTable()
        self.variables: dict[str, BuildVariable] = {}
        self._ids: dict[ResourceId, BuiltResource] | None = None
        self._named: dict[ResourceId, list[BuiltResource]] | None = None

    def add(self, resource: BuiltResource, asker: Node | None = None) -> None:
        """A resource that must not be there yet."""
        if self._ids is None:
            self._ids = {one.id: one for one in self.resources}
        other = self._ids.setdefault(resource.id, resource)
        if other is not resource:
            labels = [Label(resource.document.origin), Label(other.document.origin, "it is also here")]
            labels += [Label(asker.origin, "asked for here")] if asker is not None else []
            why = f"`{resource.kind}/{resource.name}` is there twice"
            raise KUSTOMIZE_CONFLICT.error(*labels, why=why, hint="give one of them another name or namespace")
        self.resources.append(resource)
        if self._named is not None:
            self._name(resource, self._named)

    def check_unique(self, asked: Node) -> None:
        """Two resources must not have got one name."""
        seen: dict[ResourceId, BuiltResource] = {}
        for resource in self.resources:
            other = seen.setdefault(resource.id, resource)
            if other is not resource:
                raise _same_name(asked, other, resource)

    def changed(self) -> None:
        """Names have changed."""
        self._ids = self._named = None

    def remove(self, resource: BuiltResource) -> None:
        self.resources.remove(resource)
        self.changed()

    def named(self, wanted: ResourceId) -> list[BuiltResource]:
        """The resources that are or were called so."""
        if self._named is None:
            self._named = {}
            for resource in self.resources:
                self._name(resource, self._named)
        return self._named.get(wanted, [])

    @staticmethod
    def _name(resource: BuiltResource, named: dict[ResourceId, list[BuiltResource]]) -> None:
        for one in dict.fromkeys(resource.ids):
            named.setdefault(one, []).append(resource)


RESOURCE, FOLDER = 50, 300
"""Steps for taking in a resource, and a folder: both may be named many times."""


class BuildState:
    """What all steps of one build share."""

    def __init__(self, project: Project, root: str) -> None:
        self.project = project
        self.root = root
        self.files = KustomizeFiles(project)
        self.history = History(project.meter)
        self.findings: list[Diagnostic] = []
        self.missing: list[MissingPart] = []
        self.settled: set[int] = set()
        """The entries for patches, by identity, that are for nothing but resources which are here."""
        self.kustomizations: dict[str, Kustomization] = {}
        """Every kustomization that takes part, by its folder, the outermost first."""
        self.links: dict[str, dict[str, int]] = {}
        """The files that each kustomization names, with the line."""
        self.has_schema = False
        self.plugins: set[str] = set()
        """The files that configure plugins."""
        self.types = PatchTypes()
        self.kinds: dict[tuple[str, str], str] | None = None
        """The types of kinds, where a kustomization brings its own schema."""
        self.notes = BuildNotes()

    @property
    def linked(self) -> set[str]:
        """The files that kustomizations name."""
        return {path for rows in self.links.values() for path in rows}

    def link(self, one: Kustomization, path: str, node: Node) -> None:
        self.links.setdefault(one.path, {}).setdefault(path, node.origin.line)

    def file(self, one: Kustomization, name: str, node: Node) -> str:
        """The path of a file that a kustomization names at a node; it must be there."""
        path = self.files.path(one.folder, name, node)
        self.project.door.check_not_of_git(path, node)
        if not self.project.door.is_file(path):
            raise self._not_found(one.folder, name, node)
        self.link(one, path, node)
        return path

    def inline(self, item: Scalar) -> list[Node]:
        """The resources that an entry is, where it is none of the names of files that may be there as well."""
        if ":" not in item.text:
            return []
        try:
            found = self.files.inline(item)
        except Fault:
            return []
        return found if all(isinstance(one, MapNode) for one in found) else []

    def _not_found(self, folder: str, name: str, node: Node) -> PlaitError:
        near = did_you_mean(name, near_files(self.project, folder, name))
        return KUSTOMIZE_NO_MATCH.error(Label(node.origin), why=f"file not found: `{name}`", hint=near)

    def elsewhere(self, one: Kustomization, node: Scalar, *changed: Node) -> None:
        """Something that is not here: a remote base is not known, a wrong name is a mistake. `changed` are resources
        that it would change."""
        name = node.text
        if not is_remote(name):
            raise self._not_found(one.folder, name, node)
        if not is_pinned(name):
            hint = "add ?ref=TAG, or copy it into the repository (kustomize localize)"
            self.findings.append(KUSTOMIZE_UNPINNED(Label(node.origin), name=name, hint=hint))
        why = "plait downloads nothing"
        hint = "copy it into the repository (kustomize localize) to have its resources here"
        found = KUSTOMIZE_REMOTE(Label(node.origin), name=name, why=why, hint=hint)
        self.missing.append(MissingPart(node, found, *changed))

    def change_missing(self, one: Kustomization, into: Accumulated) -> None:
        """Note for each missing part of a kustomization what this one does to all that it has."""
        missing = self.missing[into.missing_before :]
        changes = list(self._changes(one)) if missing else []
        for part in missing:
            part.inputs += changes

    def _changes(self, one: Kustomization) -> Iterator[Node]:
        """What a kustomization changes resources with, and what is in the files that it names there."""
        for name, field in one.fields.items():
            if name in ADDING:
                continue
            items = field.items if isinstance(field, ListNode) else [field]
            kept = [item for item in items if id(item) not in self.settled]
            if kept:
                yield MapNode({name: ListNode(kept, field.source, field.at)}, field.source, field.at)
            for item in kept:
                yield from self.contents(one, item.entries.get("path") if isinstance(item, MapNode) else item)

    def contents(self, one: Kustomization, *names: Node | None) -> Iterator[Node]:
        """What is in the files and folders that a kustomization names."""
        for name in names:
            if isinstance(name, Scalar) and isinstance(name.value, str):
                yield from contents_at(self.project, os.path.normpath(os.path.join(one.folder, name.text)))

    def in_file(self, path: str) -> Iterable[BuiltResource]:
        origin = self.maker(path)
        for node in self.files.documents(path):
            yield from self.resources(node, origin)

    def maker(self, path: str, plugin: str = "") -> Maker:
        """A file that resources come from, or a plugin that is part of kustomize."""
        return Maker(from_folder(path, os.path.normpath(self.root)), plugin)

    def resources(self, node: Node, origin: Maker, generator: Node | None = None) -> Iterable[BuiltResource]:
        """The resources of a document: one, or those of a list."""
        check(node)
        node = refolded(node)
        assert isinstance(node, MapNode)
        items = node.entries.get("items")
        if word(node, "kind").endswith("List") and isinstance(items, ListNode):
            for item in items.items:
                yield from self.resources(item, origin, generator)
            return
        kind, name = word(node, "kind"), word(node.entries.get("metadata"), "name")
        if not kind or (not name and not kind.endswith("List")):
            what = "kind" if not kind else "metadata.name"
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why=f"a resource without `{what}`")
        self.project.meter.step(RESOURCE)
        made = BuiltResource(node, origin, generator)
        notes = made.texts("annotations")
        if NEEDS_HASH in notes and generator is not None:
            made.wants_hash = notes[NEEDS_HASH].text == "true"
        yield made

    @contextmanager
    def step(self, maker: Maker, resources: list[BuiltResource], times: int = 1) -> Iterator[None]:
        """A transformer at work: for all its entries, of which there may be none."""
        with self.notes.step(maker, resources, times):
            yield
        self.findings += follow(resources, self.history)

    def unless_missing(self, found: Iterable[Diagnostic], fatal: bool = False) -> list[Diagnostic]:
        """What matched nothing: it may be meant for something that is not here."""
        told = list(found)
        if self.missing:
            return []
        if fatal and told:
            raise Fault(*(KUSTOMIZE_NO_MATCH(*d.labels, why=d.message, hint=d.hint) for d in told))
        return told

    def type_of(self, resource: BuiltResource) -> str:
        """The type that says how a resource is patched."""
        if self.kinds is not None:
            return self.kinds.get((resource.api, resource.kind), "")
        return kustomize_type(resource.api, resource.kind)


def _same_name(asked: Node, one: BuiltResource, other: BuiltResource) -> PlaitError:
    labels = (Label(asked.origin), Label(one.document.origin, "one"), Label(other.document.origin, "other"))
    where = f" in the namespace `{one.namespace}`" if one.namespace else ""
    why = f"two resources become `{one.kind}/{one.name}`{where}"
    return KUSTOMIZE_CONFLICT.error(*labels, why=why, hint="give one of them another name")


def check(node: Node) -> None:
    """A resource is a mapping, and not too deep."""
    if not isinstance(node, MapNode):
        raise KUSTOMIZE_FIELD.error(Label(node.origin), why=f"a resource is a mapping, and this is a {node.kind}")
    level: list[Node] = [node]
    for _ in range(DEEPEST):
        level = [child for one in level for child in _below(one)]
        if not level:
            return
    raise KUSTOMIZE_FIELD.error(Label(node.origin), why=f"a resource is nested deeper than {DEEPEST} levels")


def _below(node: Node) -> Iterable[Node]:
    if isinstance(node, MapNode):
        return node.entries.values()
    return node.items if isinstance(node, ListNode) else ()


def near_files(project: Project, folder: str, name: str) -> list[str]:
    """The files beside a name that is not there, named as it is."""
    inner = os.path.dirname(name)
    where = os.path.join(folder, inner) or os.curdir
    names = project.door.names(where) if project.door.is_folder(where) else []
    return [os.path.join(inner, one) for one in names]


REMOTE = ("://", "git@", "github.com/", "?ref=", "git::")


def is_remote(name: str) -> bool:
    """Whether a resource is named by an address and not by a path."""
    return any(sign in name for sign in REMOTE)


def is_pinned(name: str) -> bool:
    """Whether an address says which version it means; what is below a file's address cannot be told."""
    return any(word in name for word in ("ref=", "version=")) or name.endswith(DATA_ENDINGS)
