"""Rendered text to resources: split at `---`, hooks apart, in the order in which helm installs them."""

from __future__ import annotations

import re

from plait.core.find import word
from plait.core.node import MapNode, Scalar
from plait.core.struct import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.node import Node

INSTALL_ORDER = (
    "PriorityClass", "Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange", "PodSecurityPolicy",
    "PodDisruptionBudget", "ServiceAccount", "Secret", "SecretList", "ConfigMap", "StorageClass", "PersistentVolume",
    "PersistentVolumeClaim", "CustomResourceDefinition", "ClusterRole", "ClusterRoleList", "ClusterRoleBinding",
    "ClusterRoleBindingList", "Role", "RoleList", "RoleBinding", "RoleBindingList", "Service", "DaemonSet", "Pod",
    "ReplicationController", "ReplicaSet", "Deployment", "HorizontalPodAutoscaler", "StatefulSet", "Job", "CronJob",
    "IngressClass", "Ingress", "APIService",
)  # fmt: skip
"""Kinds in the order in which helm installs them; all others come after them, by name."""
_RANK = {kind: rank for rank, kind in enumerate(INSTALL_ORDER)}
HOOK = "helm.sh/hook"
EVENTS = frozenset(
    ("pre-install", "post-install", "pre-delete", "post-delete", "pre-upgrade", "post-upgrade", "pre-rollback",
     "post-rollback", "test", "test-success")
)  # fmt: skip
TESTS = frozenset(("test", "test-success"))
_SEPARATOR = re.compile(r"(?:^|\s*\n)---\s*")


@struct
class Piece:
    """One document of a rendered template: its text and where in the rendered text it begins."""

    text: str
    at: int


def split(text: str) -> Iterator[Piece]:
    """The documents of a rendered text, without the space around them. Empty ones are left out."""
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    body = text[start:end]
    at = 0
    marks = _SEPARATOR.finditer(body) if "\n---" in body or body.startswith("---") else ()
    for mark in [*marks, None]:
        stop = mark.start() if mark is not None else len(body)
        piece = body[at:stop]
        if piece:
            stripped = piece.strip()
            if stripped:
                yield Piece(stripped, start + at + len(piece) - len(piece.lstrip()))
        at = mark.end() if mark is not None else stop


class RenderedResource:
    """One resource: the template that wrote it, its text, and what it is."""

    __slots__ = ("at", "events", "kind", "node", "text", "written_by")

    def __init__(self, written_by: str, text: str, at: int, node: Node | None) -> None:
        self.written_by = written_by
        """What helm calls the template."""
        self.text = text
        self.at = at
        """Where it begins in the rendered text."""
        self.node = node
        self.kind = word(node, "kind")
        self.events = _events(node)
        """Of a hook: when it runs."""

    @property
    def is_hook(self) -> bool:
        return bool(self.events)

    @property
    def is_test(self) -> bool:
        return any(event in TESTS for event in self.events)

    @property
    def is_unknown_hook(self) -> bool:
        """Whether helm leaves it out because it does not know when to run it."""
        return any(event not in EVENTS for event in self.events)


def _events(node: Node | None) -> tuple[str, ...]:
    metadata = node.entries.get("metadata") if isinstance(node, MapNode) else None
    annotations = metadata.entries.get("annotations") if isinstance(metadata, MapNode) else None
    hook = annotations.entries.get(HOOK) if isinstance(annotations, MapNode) else None
    if not isinstance(hook, Scalar):
        return ()
    return tuple(event.strip().lower() for event in hook.text.split(","))


def in_order(manifests: Iterable[RenderedResource]) -> list[RenderedResource]:
    """Resources in the order in which helm installs them, then hooks in the same order. `manifests` come in the order
    of their templates' names."""
    known = [one for one in manifests if not one.is_unknown_hook]
    plain = sorted((one for one in known if not one.is_hook), key=_rank)
    return [*plain, *sorted((one for one in known if one.is_hook), key=_rank)]


def _rank(manifest: RenderedResource) -> tuple[int, str]:
    rank = _RANK.get(manifest.kind)
    return (len(_RANK), manifest.kind) if rank is None else (rank, "")
