"""Schemas that a kustomization names under `openapi`: the merge keys of custom resources."""

from __future__ import annotations

from plait.core.find import word
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.fronts.kustomize.patching import PatchTypes
from plait.profiles.kubernetes import PatchField

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Fields = dict[str, PatchField]

KEY, KEYS = "x-kubernetes-patch-merge-key", "x-kubernetes-list-map-keys"
STRATEGY, KINDS = "x-kubernetes-patch-strategy", "x-kubernetes-group-version-kind"


def custom_kinds(document: Node) -> tuple[PatchTypes, dict[tuple[str, str], str]]:
    """The types of a schema, each with its fields, and the type of each kind."""
    types: dict[str, Fields] = {}
    kinds: dict[tuple[str, str], str] = {}
    definitions = document.entries.get("definitions") if isinstance(document, MapNode) else None
    for name, node in definitions.entries.items() if isinstance(definitions, MapNode) else ():
        _type(str(name), node, types)
        kinds.update(dict.fromkeys(_kinds(node), str(name)))
    return PatchTypes(types), kinds


def _kinds(node: Node) -> Iterator[tuple[str, str]]:
    found = node.entries.get(KINDS) if isinstance(node, MapNode) else None
    for item in found.items if isinstance(found, ListNode) else ():
        group, version = word(item, "group"), word(item, "version")
        yield f"{group}/{version}" if group else version, word(item, "kind")


def _type(name: str, node: Node, types: dict[str, Fields]) -> None:
    """A type with its fields; types that are written inside it get names of their own."""
    todo = [(name, node)]
    while todo:
        called, one = todo.pop()
        fields = types[called] = {}
        properties = one.entries.get("properties") if isinstance(one, MapNode) else None
        for key, child in properties.entries.items() if isinstance(properties, MapNode) else ():
            inner = _of(child)
            below = word(inner, "$ref").rpartition("/")[2]
            if not below and isinstance(inner, MapNode) and "properties" in inner.entries:
                below = f"{called}.{key}"
                todo.append((below, inner))
            fields[str(key)] = PatchField(str(key), below, word(child, STRATEGY), word(child, KEY), _keys(child))


def _of(node: Node) -> Node | None:
    """What the items of a list are; the node itself where it is no list."""
    items = node.entries.get("items") if isinstance(node, MapNode) else None
    return items if items is not None else node


def _keys(node: Node) -> tuple[str, ...]:
    found = node.entries.get(KEYS) if isinstance(node, MapNode) else None
    return tuple(item.text for item in found.items if isinstance(item, Scalar)) if isinstance(found, ListNode) else ()
