"""Resources while a kustomization is built: what they are called now, and what they were called before."""

from __future__ import annotations

from contextlib import contextmanager

from plait.core.find import word
from plait.core.node import MapNode, Node, Scalar
from plait.core.struct import struct
from plait.fronts.kustomize.history import copied, is_absent, string
from plait.profiles.kubernetes import CLUSTER_SCOPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.evaluate.tree import Tree

DEFAULT = "default"
KNOWN = "internal.config.kubernetes.io/known"
"""The annotation that stands for all that kustomize keeps in annotations."""
NOWHERE = "_non_namespaceable_"
"""The namespace of what is in none."""


class ResourceId(tuple[str, str, str, str, str]):
    """Group, version, kind, namespace and name. An empty namespace is `default`; what is in none has one of its own."""

    __slots__ = ()

    def __new__(cls, api: str, kind: str, namespace: str, name: str) -> ResourceId:
        group, _, version = api.rpartition("/")
        where = NOWHERE if (api, kind) in CLUSTER_SCOPED else namespace or DEFAULT
        return super().__new__(cls, (group, version, kind, where, name))

    group = property(lambda self: self[0])
    version = property(lambda self: self[1])
    kind = property(lambda self: self[2])
    namespace = property(lambda self: self[3])
    name = property(lambda self: self[4])

    @property
    def is_cluster_scoped(self) -> bool:
        return bool(self[3] == NOWHERE)


@struct
class Maker:
    """What a resource comes from, or what changed it: a file, or a plugin that a file configures. The name and the
    namespace are those of a plugin that has them."""

    where: str
    plugin: str = ""
    name: str = ""
    namespace: str = ""


@struct
class Tie:
    """A label or an annotation that is one value at some places: its key, and the maps that have it, each with what it
    was there last."""

    key: str
    places: list[tuple[MapNode, Node]]


class BuiltResource:
    """One resource. `document` is how it was written; `node` is a copy that the build changes."""

    __slots__ = (
        "_id",
        "behavior",
        "document",
        "generator",
        "is_noted",
        "node",
        "origin",
        "prefixes",
        "previous",
        "steps",
        "suffixes",
        "ties",
        "tree",
        "wants_hash",
        "written",
    )

    def __init__(self, document: MapNode, origin: Maker, generator: Node | None = None) -> None:
        self.document = document
        node = copied(document)
        assert isinstance(node, MapNode)
        self.node = node
        self.origin = origin
        """What it comes from, with the path that kustomize's annotations give it."""
        self.generator = generator
        """The entry of a kustomization that generates it."""
        self.previous: list[ResourceId] = []
        self.prefixes: list[str] = []
        self.suffixes: list[str] = []
        self.wants_hash = False
        self.behavior = ""
        self.written: list[Node] = [document]
        """The documents that took part in it: its own, and patches."""
        self.steps: list[Maker] = []
        """The transformers that ran over it, where somebody wants to know."""
        self.is_noted = False
        """Whether it has an annotation about its origin."""
        self.ties: list[Tie] = []
        """Labels and annotations that are one value at several places."""
        self.tree: Tree | None = None
        """Of a chart: what knows the templates and values behind its fields."""
        self._id: ResourceId | None = None

    @property
    def api(self) -> str:
        return word(self.node, "apiVersion")

    @property
    def kind(self) -> str:
        return word(self.node, "kind")

    @property
    def metadata(self) -> MapNode:
        """Its metadata; an empty map where it has none."""
        found = self.node.entries.get("metadata")
        return found if isinstance(found, MapNode) else MapNode({}, self.node.source, self.node.at)

    @property
    def name(self) -> str:
        return word(self.metadata, "name")

    @property
    def namespace(self) -> str:
        return word(self.metadata, "namespace")

    @property
    def id(self) -> ResourceId:
        """What it is called now."""
        if self._id is None:
            self._id = ResourceId(self.api, self.kind, self.namespace, self.name)
        return self._id

    @property
    def gvk(self) -> tuple[str, str, str]:
        return self.id[:3]

    @property
    def original(self) -> ResourceId:
        """What it was called at first."""
        return self.previous[0] if self.previous else self.id

    @property
    def ids(self) -> Iterator[ResourceId]:
        yield from self.previous
        yield self.id

    def keep_id(self) -> None:
        """Remember what it is called before that changes. kustomize does so in annotations: from here on there are
        some that a JSON patch can add to."""
        self.previous.append(self.id)
        metadata = self.metadata
        if is_absent(metadata.entries.get("annotations")):
            metadata.entries["annotations"] = MapNode({}, metadata.source, metadata.at)

    @contextmanager
    def patched(self, as_text: bool) -> Iterator[None]:
        """While a patch changes it. kustomize keeps what it knows of a resource in annotations, and forgets that where
        a patch removes or replaces all of them. A JSON patch, which reads the resource `as_text`, leaves the names."""
        metadata = self.metadata
        is_known = bool(self.previous or self.wants_hash or self.steps or self.is_noted)
        if is_known and is_absent(metadata.entries.get("annotations")):
            metadata.entries["annotations"] = MapNode({}, metadata.source, metadata.at)
        notes = metadata.entries.get("annotations")
        if is_known and isinstance(notes, MapNode):
            notes.entries[KNOWN] = string("", notes)
        yield
        notes = self.metadata.entries.get("annotations")
        is_kept = isinstance(notes, MapNode) and notes.entries.pop(KNOWN, None) is not None
        if is_known and not is_kept:
            self.steps, self.is_noted = [], False
            if not as_text:
                self.previous, self.prefixes, self.suffixes, self.wants_hash = [], [], [], False
        if as_text:
            self.ties = []

    def untie_annotations(self) -> None:
        """Its own annotations are written anew: what has the same value elsewhere keeps it."""
        own = self.metadata.entries.get("annotations")
        for tie in self.ties:
            tie.places = [place for place in tie.places if place[0] is not own]

    def renamed(self) -> None:
        """Its name, namespace or kind has changed."""
        self._id = None

    def texts(self, name: str) -> dict[str, Scalar]:
        """Its labels or annotations."""
        found = self.metadata.entries.get(name)
        entries = found.entries if isinstance(found, MapNode) else {}
        return {str(key): value for key, value in entries.items() if isinstance(value, Scalar)}

    def __repr__(self) -> str:
        return f"BuiltResource({self.kind}/{self.namespace}/{self.name})"
