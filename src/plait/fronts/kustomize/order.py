"""The order in which kustomize prints resources."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.report.catalog import KUSTOMIZE_FIELD
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.kustomize.resource import BuiltResource

FIRST = (
    "Namespace", "ResourceQuota", "StorageClass", "CustomResourceDefinition", "ServiceAccount", "PodSecurityPolicy",
    "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "ConfigMap", "Secret", "Endpoints", "Service",
    "LimitRange", "PriorityClass", "PersistentVolume", "PersistentVolumeClaim", "Deployment", "StatefulSet", "CronJob",
    "PodDisruptionBudget",
)  # fmt: skip
LAST = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
"""Kinds that come first and last; kustomize 5.5, api/internal/builtins/SortOrderTransformer.go."""


def _places(first: tuple[str, ...], last: tuple[str, ...]) -> dict[str, int]:
    places = {kind: at - len(first) for at, kind in enumerate(first)}
    places.update((kind, at + 1) for at, kind in enumerate(last))
    return places


PLACES = _places(FIRST, LAST)
FIFO, LEGACY = "fifo", "legacy"


def in_order(resources: list[BuiltResource], options: Node | None) -> list[BuiltResource]:
    """As `sortOptions` says; by kind where it says nothing, which is what the command does."""
    if options is None or not isinstance(options, MapNode):
        return sorted(resources, key=lambda one: _key(one, PLACES))
    order, legacy = options.entries.get("order"), options.entries.get("legacySortOptions")
    word = order.text if isinstance(order, Scalar) else ""
    if word not in (FIFO, LEGACY):
        hint = did_you_mean(word, [FIFO, LEGACY]) or f"write {FIFO} or {LEGACY}"
        raise KUSTOMIZE_FIELD.error(Label((order or options).origin), why="`sortOptions` has an `order`", hint=hint)
    if word == FIFO:
        if isinstance(legacy, MapNode):
            raise KUSTOMIZE_FIELD.error(Label(legacy.origin), why="`legacySortOptions` is for `order: legacy`")
        return resources
    places = PLACES
    if isinstance(legacy, MapNode):
        places = _places(_kinds(legacy.entries.get("orderFirst")), _kinds(legacy.entries.get("orderLast")))
    return sorted(resources, key=lambda one: _key(one, places))


def _kinds(node: Node | None) -> tuple[str, ...]:
    items = node.items if isinstance(node, ListNode) else []
    return tuple(item.text for item in items if isinstance(item, Scalar))


def _key(one: BuiltResource, places: dict[str, int]) -> tuple[object, ...]:
    group, version, kind = one.gvk
    named = f"{group or '~G'}_{version or '~V'}_{kind or '~K'}"
    is_core_namespace = kind == "Namespace" and not group
    ids = f"{kind}.{version or '[noVer]'}.{group or '[noGrp]'}|{one.namespace or '~X'}|{one.name or '~N'}"
    return (places.get(kind, 0), not is_core_namespace if kind == "Namespace" else False, named, ids)
