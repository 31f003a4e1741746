"""Names that refer to other resources follow the names of these."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.fronts.kustomize.history import string
from plait.fronts.kustomize.walking import slots
from plait.report.catalog import KUSTOMIZE_CONFLICT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.kustomize.fields import FieldSpec, NameReference
    from plait.fronts.kustomize.history import History, Holder
    from plait.fronts.kustomize.resource import BuiltResource

REFERS = "refers to"


class NameReferences:
    """One pass over all resources."""

    def __init__(self, resources: list[BuiltResource], references: list[NameReference], history: History) -> None:
        self._resources = resources
        self._history = history
        self._by_name: dict[str, list[BuiltResource]] = {}
        for resource in resources:
            for name in dict.fromkeys(one.name for one in resource.previous):
                self._by_name.setdefault(name, []).append(resource)
        self._references = references
        self._fields: dict[tuple[str, str, str], list[tuple[NameReference, FieldSpec]]] = {}

    def follow(self) -> None:
        for resource in self._resources:
            for reference, spec in self._fields_of(resource):
                for holder, key in list(slots(resource.node, spec.steps)):
                    self._set(resource, reference, spec, holder, key)

    def _fields_of(self, resource: BuiltResource) -> list[tuple[NameReference, FieldSpec]]:
        kind = resource.original[:3]
        if kind not in self._fields:
            self._fields[kind] = [
                (reference, spec) for reference in self._references for spec in reference.fields if spec.fits(*kind)
            ]
        return self._fields[kind]

    def _set(
        self, referrer: BuiltResource, reference: NameReference, spec: FieldSpec, holder: Holder, key: str
    ) -> None:
        node = holder.entries.get(key) if isinstance(holder, MapNode) else None
        if isinstance(node, Scalar):
            self._scalar(referrer, reference, spec, holder, key, node)
        elif isinstance(node, MapNode):
            self._mapping(referrer, reference, spec, node)
        elif isinstance(node, ListNode):
            for number, item in enumerate(node.items):
                if isinstance(item, Scalar):
                    self._scalar(referrer, reference, spec, node, number, item)
                elif isinstance(item, MapNode):
                    self._mapping(referrer, reference, spec, item)

    def _scalar(
        self,
        referrer: BuiltResource,
        reference: NameReference,
        spec: FieldSpec,
        holder: Holder,
        key: str | int,
        node: Scalar,
    ) -> None:
        found = self._referral(referrer, reference, spec, node, self._candidates(referrer, node.text), False)
        if found is not None and found.name != node.text:
            self._put(holder, key, found, "name", node)

    def _put(self, holder: Holder, key: str | int, found: BuiltResource, field: str, like: Node) -> None:
        wrote = found.metadata.entries[field]
        assert isinstance(wrote, Scalar)
        self._history.put(holder, key, string(wrote.text, like), REFERS, None, reads=(wrote,))

    def _mapping(self, referrer: BuiltResource, reference: NameReference, spec: FieldSpec, node: MapNode) -> None:
        name = node.entries.get("name")
        if not isinstance(name, Scalar):
            return
        candidates = self._candidates(referrer, name.text)
        if "namespace" in node.entries:
            where = word(node, "namespace")
            first = [one for one in candidates if one.original.namespace == (where or "default")]
            candidates = first or [one for one in candidates if one.id.namespace == (where or "default")]
        found = self._referral(referrer, reference, spec, name, candidates, True)
        if found is None or (found.name == name.text and not found.namespace):
            return
        if found.name != name.text:
            self._put(node, "name", found, "name", name)
        if found.namespace and word(node, "namespace") != found.namespace:
            self._put(node, "namespace", found, "namespace", node.entries.get("namespace", name))

    def _candidates(self, referrer: BuiltResource, name: str) -> list[BuiltResource]:
        """The resources that were called so and can be referred to from there."""
        found = self._by_name.get(name, [])
        here = referrer.id
        if here.is_cluster_scoped or not found:
            return found
        others = _subject_namespaces(referrer)
        return [
            one
            for one in found
            if one.id.is_cluster_scoped or one.id.namespace == here.namespace or one.namespace in others
        ]

    def _referral(
        self,
        referrer: BuiltResource,
        reference: NameReference,
        spec: FieldSpec,
        node: Scalar,
        candidates: list[BuiltResource],
        with_namespaces: bool,
    ) -> BuiltResource | None:
        """The resource that is meant."""
        found = [one for one in candidates if any(reference.fits(*past[:3]) for past in one.previous)]
        if spec.path.endswith("roleRef/name"):
            found = [one for one in found if _is_role(one, referrer)]
        here = referrer.id
        if not here.is_cluster_scoped:
            found = [
                one
                for one in found
                if one.id.is_cluster_scoped or one.kind == "ServiceAccount" or one.id.namespace == here.namespace
            ]
        if len(found) > 1:
            found = [one for one in found if _same_affixes(one, referrer, True)]
        if len(found) > 1:
            found = [one for one in found if _same_affixes(one, referrer, False)]
        if len({(one.name, one.namespace if with_namespaces else "") for one in found}) > 1:
            labels = [Label(node.origin), *(Label(one.document.origin, one.name) for one in found)]
            why = f"`{node.text}` may mean {len(found)} resources"
            raise KUSTOMIZE_CONFLICT.error(*labels, why=why, hint="give them names of their own")
        return found[0] if found else None


def _subject_namespaces(referrer: BuiltResource) -> set[str]:
    """The namespaces of the service accounts that a RoleBinding names."""
    if referrer.kind != "RoleBinding":
        return set()
    subjects = referrer.node.entries.get("subjects")
    items = subjects.items if isinstance(subjects, ListNode) else []
    return {word(item, "namespace") for item in items if word(item, "kind") == "ServiceAccount"} - {""}


def _is_role(one: BuiltResource, referrer: BuiltResource) -> bool:
    """Whether a resource is of the kind that a `roleRef` names."""
    role = referrer.node.entries.get("roleRef")
    group, kind = word(role, "apiGroup"), word(role, "kind")
    if not isinstance(role, MapNode) or "apiGroup" not in role.entries or "kind" not in role.entries:
        return True
    return any((not group or past.group == group) and (not kind or past.kind == kind) for past in one.previous)


def _same_affixes(one: BuiltResource, other: BuiltResource, empty_fits: bool) -> bool:
    return _same_end(one.prefixes, other.prefixes, empty_fits) and _same_end(one.suffixes, other.suffixes, empty_fits)


def _same_end(one: list[str], other: list[str], empty_fits: bool) -> bool:
    """Whether the shorter of two lists is the end of the longer one."""
    short = min(len(one), len(other))
    if not short:
        return empty_fits or len(one) == len(other)
    return one[-short:] == other[-short:]
