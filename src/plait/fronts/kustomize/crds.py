"""Definitions of custom resources that a kustomization names under `crds`: which of their fields hold names of others,
labels or annotations."""

from __future__ import annotations

from plait.core.find import word
from plait.core.node import Mapping, Node, Scalar
from plait.fronts.kustomize.fields import FieldSpec, FieldTable, NameReference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ANNOTATION, SELECTOR, IDENTITY = "x-kubernetes-annotation", "x-kubernetes-label-selector", "x-kubernetes-identity"
VERSION, KIND = "x-kubernetes-object-ref-api-version", "x-kubernetes-object-ref-kind"
NAME_KEY = "x-kubernetes-object-ref-name-key"


def custom_references(document: Node, fields: FieldTable) -> None:
    """What the definitions of a file add to the fields that are changed."""
    definitions = {
        str(name): schema for name, node in _entries(document) if isinstance(schema := _schema(node), Mapping)
    }
    for name, schema in definitions.items():
        names = {key for key, _ in _entries(schema.entries.get("properties"))}
        if not {"apiVersion", "kind", "metadata"} <= names:
            continue
        kind = name.rpartition(".")[2]
        for path, node in _fields(schema, definitions):
            spec = FieldSpec(path, kind)
            if ANNOTATION in node.entries:
                fields["commonAnnotations"].append(spec)
            if SELECTOR in node.entries:
                fields["commonLabels"].append(spec)
            if IDENTITY in node.entries:
                fields["namePrefix"].append(spec)
            if VERSION in node.entries and KIND in node.entries:
                _, _, version = word(node, VERSION).rpartition("/")
                field = FieldSpec(f"{path}/{word(node, NAME_KEY) or 'name'}", kind)
                fields.references.append(NameReference(word(node, KIND), [field], "", version))


def _schema(node: Node) -> Node:
    found = node.entries.get("Schema") if isinstance(node, Mapping) else None
    return found if found is not None else node


def _entries(node: Node | None) -> list[tuple[str, Node]]:
    return [(str(key), child) for key, child in node.entries.items()] if isinstance(node, Mapping) else []


def _fields(schema: Mapping, definitions: dict[str, Mapping]) -> Iterator[tuple[str, Mapping]]:
    """Every field of a schema with its path; a type that is inside itself is walked once."""
    stack: list[tuple[str, Node, frozenset[str]]] = [("", schema, frozenset())]
    while stack:
        path, node, seen = stack.pop()
        for key, child in _entries(node.entries.get("properties") if isinstance(node, Mapping) else None):
            if not isinstance(child, Mapping):
                continue
            below = f"{path}/{key}" if path else key
            yield below, child
            reference = child.entries.get("$ref")
            name = reference.text.rpartition("/definitions/")[2] if isinstance(reference, Scalar) else ""
            if name in definitions and name not in seen:
                stack.append((below, definitions[name], seen | {name}))
            elif not name:
                stack.append((below, child, seen))
