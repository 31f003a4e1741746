"""Where a field of a built resource could be written: where it is written now, in the patches of the resource, and in
the resource itself."""

from __future__ import annotations

import os
from base64 import b64decode
from functools import partial

from plait.core.diagnostic import Fault
from plait.core.node import Node, Scalar, children, key_text
from plait.fronts.editing import Editor, WrittenPlace
from plait.fronts.kustomize.history import string
from plait.fronts.kustomize.kustomization import NAMES
from plait.fronts.kustomize.transforms import split_image
from plait.fronts.places import check, contributions
from plait.yaml.files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
            place.form = form_of(place.steps, resource, path)
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


# What a kustomization has in another form


def form_of(steps: Path, resource: BuiltResource, path: Path) -> Callable[[Node], Node] | None:
    """How a value of a resource is written at a place of a kustomization; None where it is written as it is."""
    last = steps[-1]
    if len(steps) > 1 and steps[-2] == "literals" and path[0] in ("data", "binaryData"):
        is_encoded = resource.kind == "Secret" or path[0] == "binaryData"
        return partial(_literal, str(path[-1]), is_encoded)
    if last in IMAGE_PARTS and path[-1] == "image":
        return partial(_image_part, IMAGE_PARTS[str(last)])
    return None


IMAGE_PARTS = {"newName": 0, "newTag": 1, "digest": 2}
"""The parts of an image that an entry of `images` sets."""


def _image_part(part: int, value: Node) -> Node:
    return string(split_image(value.text)[part], value) if isinstance(value, Scalar) else value


def _literal(key: str, is_encoded: bool, value: Node) -> Node:
    if not isinstance(value, Scalar):
        return value
    try:
        plain = b64decode(value.text, validate=True).decode() if is_encoded else value.text
    except ValueError:
        return value
    quotes = "'" if plain[:1] == plain[-1:] and plain[:1] in ('"', "'") and len(plain) > 1 else ""
    return string(f"{key}={quotes}{plain}{quotes}", value)
