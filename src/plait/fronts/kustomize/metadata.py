"""Annotations as kustomize prints them, and `buildMetadata`: annotations that say where a resource comes from, and a
label that says who made it."""

from __future__ import annotations

from plait.core.node import MapNode, Node, Scalar
from plait.fronts.kustomize.history import is_absent, string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.kustomize.history import History
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.resource import BuiltResource

ORIGIN, TRANSFORMED = "config.kubernetes.io/origin", "alpha.config.kubernetes.io/transformations"
MANAGED, BY = "app.kubernetes.io/managed-by", "kustomize-v5.5.0"


def annotated(resources: list[BuiltResource], top: Kustomization, history: History) -> list[BuiltResource]:
    """The resources with what `buildMetadata` asks for."""
    asked = {item.text: item for item in top.texts("buildMetadata")}
    for resource in resources:
        if "originAnnotations" in asked:
            _note(resource, "annotations", ORIGIN, _origin(resource.origin), asked["originAnnotations"])
        if "transformerAnnotations" in asked and resource.steps:
            text = "".join(_step(*step) for step in resource.steps)
            _note(resource, "annotations", TRANSFORMED, text, asked["transformerAnnotations"])
        if "managedByLabel" in asked:
            _note(resource, "labels", MANAGED, BY, asked["managedByLabel"])
        _as_texts(resource, history)
    return resources


def _as_texts(resource: BuiltResource, history: History) -> None:
    """Annotations are texts: what is written otherwise becomes its text, and no annotations are no field."""
    metadata = resource.node.entries.get("metadata")
    if not isinstance(metadata, MapNode) or "annotations" not in metadata.entries:
        return
    notes = metadata.entries["annotations"]
    if is_absent(notes) or (isinstance(notes, MapNode) and not notes.entries):
        del metadata.entries["annotations"]
    elif isinstance(notes, MapNode) and (notes.source, notes.at) == (metadata.source, metadata.at):
        first = next(iter(notes.entries.values()))  # nobody wrote them: see `keep_id`
        notes.source, notes.at = first.source, first.at
    for key, node in list(notes.entries.items()) if isinstance(notes, MapNode) else ():
        assert isinstance(notes, MapNode)
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            history.retype(notes, key, string(node.text if isinstance(node, Scalar) else "", node))


def _origin(origin: str) -> str:
    path, _, generator = origin.partition("#")
    if not generator:
        return f"path: {path}\n"
    return f"configuredIn: {path}\nconfiguredBy:\n  apiVersion: builtin\n  kind: {generator}\n"


def _step(path: str, name: str) -> str:
    return f"- configuredIn: {path}\n  configuredBy:\n    apiVersion: builtin\n    kind: {name}\n"


def _note(resource: BuiltResource, field: str, key: str, value: str, asked: Scalar) -> None:
    metadata = resource.node.entries.get("metadata")
    if not isinstance(metadata, MapNode):
        return
    found: Node | None = metadata.entries.get(field)
    if is_absent(found):
        found = metadata.entries[field] = MapNode({}, asked.source, asked.at)
    if isinstance(found, MapNode):
        found.entries[key] = string(value, asked)
