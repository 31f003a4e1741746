"""The order in which kustomize prints resources."""

from __future__ import annotations

from plait.core.node import Mapping, Node, Scalar, Sequence

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


def in_order(resources: list[BuiltResource], options: Node | None) -> list[BuiltResource]:
    """As `sortOptions` says; by kind where it says nothing, which is what the command does."""
    fields = options.entries if isinstance(options, Mapping) else {}
    order = fields.get("order")
    if isinstance(order, Scalar) and order.text == "fifo":
        return resources
    legacy = fields.get("legacySortOptions")
    own = legacy.entries if isinstance(legacy, Mapping) else {}
    first, last = (
        _kinds(own.get(key)) if own else default for key, default in (("orderFirst", FIRST), ("orderLast", LAST))
    )
    places = {kind: at - len(first) for at, kind in enumerate(first)}
    places.update((kind, at + 1) for at, kind in enumerate(last))
    return sorted(resources, key=lambda one: _key(one, places))


def _kinds(node: Node | None) -> tuple[str, ...]:
    items = node.items if isinstance(node, Sequence) else []
    return tuple(item.text for item in items if isinstance(item, Scalar))


def _key(one: BuiltResource, places: dict[str, int]) -> tuple[object, ...]:
    group, version, kind = one.gvk
    named = f"{group or '~G'}_{version or '~V'}_{kind or '~K'}"
    is_core_namespace = kind == "Namespace" and not group
    ids = f"{kind}.{version or '[noVer]'}.{group or '[noGrp]'}|{one.namespace or '~X'}|{one.name or '~N'}"
    return (places.get(kind, 0), not is_core_namespace if kind == "Namespace" else False, named, ids)
