"""Annotations as kustomize prints them, and `buildMetadata`: annotations that say where a resource comes from, and a
label that says who made it."""

from __future__ import annotations

from contextlib import contextmanager

from plait.core.node import MapNode, Node, Scalar
from plait.fronts.kustomize.history import is_absent, string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.kustomize.history import History
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.resource import BuiltResource, Maker

ORIGIN, TRANSFORMED = "config.kubernetes.io/origin", "alpha.config.kubernetes.io/transformations"
ORIGINS, STEPS = "originAnnotations", "transformerAnnotations"
"""What asks for them."""
MANAGED, BY = "app.kubernetes.io/managed-by", "kustomize-v5.5.0"


class BuildNotes:
    """What `buildMetadata` asks for: annotations that say where a resource comes from and what transformed it, and a
    label. Of a resource, `patched` says when kustomize forgets them."""

    def __init__(self) -> None:
        self._asked: dict[str, Scalar] = {}

    def ask(self, top: Kustomization) -> None:
        """Note what the outermost kustomization asks for."""
        self._asked = {item.text: item for item in top.texts("buildMetadata")}

    @contextmanager
    def step(self, maker: Maker, resources: list[BuiltResource], times: int = 1) -> Iterator[None]:
        """A transformer at work: noted before it changes anything, as often as there are entries for it. A resource
        that has no origin after it comes from there."""
        origins, steps = ORIGINS in self._asked, STEPS in self._asked
        for resource in resources if times and (origins or steps) else ():
            resource.untie_annotations()
            resource.is_noted = origins
            resource.steps += [maker] * times if steps else []
        yield
        for resource in resources if times and origins else ():
            if not resource.is_noted:
                resource.origin, resource.is_noted = maker, True

    def finish(self, resources: list[BuiltResource], history: History) -> list[BuiltResource]:
        """The resources with what is asked for."""
        asked = self._asked
        for resource in resources:
            if ORIGINS in asked:
                _note(resource, "annotations", ORIGIN, _origin(resource.origin), asked[ORIGINS])
            if resource.steps:
                text = "".join(map(_step, resource.steps))
                _note(resource, "annotations", TRANSFORMED, text, asked[STEPS])
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


def _origin(maker: Maker) -> str:
    if not maker.plugin:
        return f"path: {maker.where}\n"
    called = {"kind": maker.plugin, "name": maker.name, "namespace": maker.namespace}
    lines = "".join(f"  {key}: {value}\n" for key, value in called.items() if value)
    return f"configuredIn: {maker.where}\nconfiguredBy:\n  apiVersion: builtin\n{lines}"


def _step(maker: Maker) -> str:
    """An item of a list."""
    return "- " + _origin(maker).rstrip("\n").replace("\n", "\n  ") + "\n"


def _note(resource: BuiltResource, field: str, key: str, value: str, asked: Scalar) -> None:
    metadata = resource.node.entries.get("metadata")
    if not isinstance(metadata, MapNode):
        return
    found: Node | None = metadata.entries.get(field)
    if is_absent(found):
        found = metadata.entries[field] = MapNode({}, asked.source, asked.at)
    if isinstance(found, MapNode):
        found.entries[key] = string(value, asked)
