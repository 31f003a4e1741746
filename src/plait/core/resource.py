"""What a Kubernetes resource is called: apiVersion, kind, namespace and name."""

from __future__ import annotations

from plait.core.node import MapNode, Node, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    Fields: TypeAlias = "Mapping[str, Fields]"
    """Fields by name, each with those below it."""

IDENTITY: Fields = {"apiVersion": {}, "kind": {}, "metadata": {"name": {}, "namespace": {}}}
"""The fields that an identity is made of."""


class Identity:
    """The name of a resource. Two documents with equal identities describe the same resource."""

    __slots__ = ("_label", "api", "kind", "name", "namespace")

    def __init__(self, api: str, kind: str, namespace: str, name: str) -> None:
        self.api = api
        self.kind = kind
        self.namespace = namespace
        self.name = name
        self._label = ""

    @classmethod
    def of(cls, node: Node) -> Identity | None:
        """A resource's identity; None for a document that has no kind or no name."""
        if not isinstance(node, MapNode):
            return None
        metadata = node.entries.get("metadata")
        kind, name = _text(node, "kind"), _text(metadata, "name")
        return cls(_text(node, "apiVersion"), kind, _text(metadata, "namespace"), name) if kind and name else None

    @property
    def exact(self) -> tuple[str, ...]:
        return (self.api, self.kind, self.namespace, self.name)

    @property
    def group(self) -> str:
        """The API group: `apps` of `apps/v1`, nothing for the core group."""
        group, slash, _ = self.api.rpartition("/")
        return group if slash else ""

    @property
    def without_version(self) -> tuple[str, ...]:
        """The same without the version: `apps/v1beta1` and `apps/v1` are one group."""
        return (self.group, self.kind, self.namespace, self.name)

    @property
    def label(self) -> str:
        if not self._label:
            self._label = "/".join(filter(None, (self.kind, self.namespace, self.name)))
        return self._label

    @property
    def names(self) -> tuple[str, ...]:
        """What people may call it: `Kind/namespace/name`, `Kind/name`, or its name alone."""
        return (self.label, f"{self.kind}/{self.name}", self.name)

    def __repr__(self) -> str:
        return f"Identity({self.label})"


def _text(node: Node | None, key: str) -> str:
    """The text of a field; names are shown everywhere, so a secret is its mask."""
    field = node.entries.get(key) if isinstance(node, MapNode) else None
    if not isinstance(field, Scalar):
        return ""
    return field.mask if field.secret else field.value if isinstance(field.value, str) else ""
