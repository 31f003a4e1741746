"""Where a field of a built resource could be written: where it is written now, in the patches of the resource, and in
the resource itself."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.node import Node, children, key_text
from plait.fronts.editing import Editor, WrittenPlace
from plait.fronts.kustomize.kustomization import NAMES
from plait.fronts.places import check, contributions
from plait.yaml.files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.path import Path, Step
    from plait.fronts.front import DocumentId, Target
    from plait.fronts.kustomize.resource import BuiltResource


def field_places(target: Target, document: DocumentId, resource: BuiltResource, path: Path) -> Iterator[WrittenPlace]:
    """The place that decides first, then those that it overrides, then documents that do not have the field yet."""
    check(target, document, path)
    seen: set[tuple[str, int]] = set()
    for number, part in enumerate(contributions(target, document, path)):
        for place in _written(target, part.node, resource):
            place.decides = number == 0
            seen.add((place.file, place.number))
            yield place
    for node in reversed(resource.written):
        for place in _new(target, node, resource, path):
            if (place.file, place.number) not in seen:
                seen.add((place.file, place.number))
                yield place


def _written(target: Target, node: Node, resource: BuiltResource) -> Iterator[WrittenPlace]:
    """The place of a value that a file has."""
    for file, number, root in _documents(target, node):
        steps = _path_to(root, node.at)
        if steps is not None:
            yield _place(target, file, number, steps, resource)


def _new(target: Target, node: Node, resource: BuiltResource, path: Path) -> Iterator[WrittenPlace]:
    """The place of a field in a document that may not have it yet."""
    for file, number, root in _documents(target, node):
        if root.at == node.at and root.kind == node.kind == "mapping":
            yield _place(target, file, number, path, resource)


def _documents(target: Target, node: Node) -> Iterator[tuple[str, int, Node]]:
    """The documents of the file that a node is written in; none for what is inside another text."""
    source = node.origin.source
    if source.written is not None or source.given or not target.project.door.is_file(source.name):
        return
    try:
        trees = Editor(target.project).trees_of(read_source(source.name, door=target.project.door))
    except Fault:
        return
    yield from ((source.name, number, root) for number, root in enumerate(trees))


def _place(target: Target, file: str, number: int, steps: Path, resource: BuiltResource) -> WrittenPlace:
    source = read_source(file, door=target.project.door)
    if os.path.basename(file) in NAMES:
        about = "the kustomization"
    else:
        about = "the resource itself" if file == resource.document.origin.file else "a patch"
    return WrittenPlace(file, file, source, about, steps, Editor(target.project).documents(source, number), number)


def _path_to(root: Node, at: int) -> Path | None:
    """The path of the single value that begins at an offset."""
    stack: list[tuple[Node, tuple[Step, ...]]] = [(root, ())]
    while stack:
        node, path = stack.pop()
        below = list(children(node))
        if not below and node.at == at and path:
            return path
        stack.extend((child, (*path, key if isinstance(key, int) else key_text(key))) for key, child in below)
    return None
