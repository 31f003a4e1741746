"""Tracker `annotations`: after a run, each resource lists the fields that were generated, and as what."""

from __future__ import annotations

from plait.core.node import Key, MapNode, Node, text
from plait.fronts.patterns.instructions import leaf_paths
from plait.fronts.patterns.owners import ANNOTATIONS, after_run, annotation_of, listed, owners_of, spelled
from plait.fronts.patterns.plan import Plan, ResourceChange
from plait.merging.threeway import TextEdit

HOME = ("metadata", "annotations")


def annotate_fields(plan: Plan) -> None:
    """Add the edits that write the annotation to the changes of a plan."""
    for change in plan.changes:
        found = _annotation(change)
        if found is not None:
            _write(change, *found)


def _annotation(change: ResourceChange) -> tuple[str, str] | None:
    """The annotation's key and its new text; None where it stays as it is."""
    if change.state == "created":
        return ANNOTATIONS[0], spelled(listed(change.node, leaf_paths(change.node)))
    found = annotation_of(change.node)
    moved, chosen, gone = (
        [line.entry.path for line in change.lines if line.kind in kinds]
        for kinds in (("added", "updated"), ("set",), ("removed",))
    )
    if change.existing is None or (found is None and not moved and not chosen):
        return None
    now = spelled(after_run(owners_of(change.node), change.node, moved, chosen, gone))
    if found is not None and now == found[1].value:
        return None
    return (found[0] if found is not None else ANNOTATIONS[0]), now


def _write(change: ResourceChange, name: str, value: str) -> None:
    """One edit more: a key in the annotations that are there, or the annotations with this key."""
    change.edited = None
    for edit in change.edits:
        if edit.path == HOME and isinstance(edit.value, MapNode):
            edit.value = _with(edit.value, name, value)
            change.node = _placed(change.node, edit.value)
            return
    annotations = _annotations(change.node)
    made = _with(annotations, name, value)
    change.node = _placed(change.node, made)
    change.edits.append(TextEdit((*HOME, name), text(value)) if annotations is not None else TextEdit(HOME, made))
    change.state = "updated" if change.state == "unchanged" else change.state


def _annotations(node: Node) -> MapNode | None:
    metadata = node.entries.get("metadata") if isinstance(node, MapNode) else None
    found = metadata.entries.get("annotations") if isinstance(metadata, MapNode) else None
    return found if isinstance(found, MapNode) else None


def _with(annotations: MapNode | None, name: str, value: str) -> MapNode:
    before: dict[Key, Node] = annotations.entries if annotations is not None else {}
    return MapNode({**before, name: text(value)})


def _placed(node: Node, annotations: MapNode) -> Node:
    assert isinstance(node, MapNode)
    metadata = node.entries.get("metadata")
    inner: dict[Key, Node] = metadata.entries if isinstance(metadata, MapNode) else {}
    return MapNode({**node.entries, "metadata": MapNode({**inner, "annotations": annotations})}, node.source, node.at)
