"""Definitions of custom resources that a kustomization names under `crds`: which of their fields hold names of others,
labels or annotations."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import MapNode, Node, Scalar
from plait.fronts.kustomize.fields import FieldSpec, FieldTable, NameReference
from plait.report.catalog import KUSTOMIZE_FIELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MARKS = {
    "x-kubernetes-annotation": "commonAnnotations",
    "x-kubernetes-label-selector": "commonLabels",
    "x-kubernetes-identity": "namePrefix",
}
"""What a definition says about a field, and the transformer that then changes it."""
VERSION, KIND = "x-kubernetes-object-ref-api-version", "x-kubernetes-object-ref-kind"
NAME_KEY = "x-kubernetes-object-ref-name-key"


def custom_references(document: Node, fields: FieldTable) -> None:
    """What the definitions of a file add to the fields that are changed."""
    for name, node in _entries(document):
        if not isinstance(node, MapNode):
            why = f"`{name}` of a file under `crds` is not a definition"
            hint = "kustomize wants OpenAPI definitions by their names here, not resources"
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why=why, hint=hint)
    definitions = {
        str(name): schema for name, node in _entries(document) if isinstance(schema := _schema(node), MapNode)
    }
    for name, schema in definitions.items():
        names = {key for key, _ in _entries(schema.entries.get("properties"))}
        if not {"apiVersion", "kind", "metadata"} <= names:
            continue
        kind = name.rpartition(".")[2]
        for path, node in _fields(schema, definitions):
            spec = FieldSpec(path, kind)
            for mark, name in MARKS.items():
                if mark in node.entries:
                    fields.add(name, spec, node)
            if VERSION in node.entries and KIND in node.entries:
                field = FieldSpec(f"{path}/{word(node, NAME_KEY) or 'name'}", kind)
                fields.refer(NameReference(word(node, KIND), [field], "", word(node, VERSION)), node)


def _schema(node: Node) -> Node | None:
    found = {key.lower(): child for key, child in _entries(node)}
    return found.get("schema")


def _entries(node: Node | None) -> list[tuple[str, Node]]:
    return [(str(key), child) for key, child in node.entries.items()] if isinstance(node, MapNode) else []


def _fields(schema: MapNode, definitions: dict[str, MapNode]) -> Iterator[tuple[str, MapNode]]:
    """Every field of a schema with its path. A type is followed by its name, and once where it is inside itself; what
    is written inside a field is not looked at."""
    stack: list[tuple[str, Node, frozenset[str]]] = [("", schema, frozenset())]
    while stack:
        path, node, seen = stack.pop()
        for key, child in _entries(node.entries.get("properties") if isinstance(node, MapNode) else None):
            if not isinstance(child, MapNode):
                continue
            below = f"{path}/{key}" if path else key
            yield below, child
            reference = child.entries.get("$ref")
            name = reference.text if isinstance(reference, Scalar) else ""
            if name in definitions and name not in seen:
                stack.append((below, definitions[name], seen | {name}))
