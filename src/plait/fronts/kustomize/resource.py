"""Resources while a kustomization is built: what they are called now, and what they were called before."""

from __future__ import annotations

from plait.core.find import word
from plait.core.node import MapNode, Node, Scalar
from plait.core.struct import struct
from plait.fronts.kustomize.history import copied, is_absent
from plait.profiles.kubernetes import CLUSTER_SCOPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.evaluate.tree import Tree

DEFAULT = "default"
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
    """What a resource comes from, or what changed it: a file, or a plugin that a file configures. The name is that of a
    plugin that has one."""

    where: str
    plugin: str = ""
    name: str = ""


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
        """Whether it had an annotation about its origin."""
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
