"""Where a field of a built resource could be written: where it is written now, in the patches of the resource, and in
the resource itself."""

from __future__ import annotations

import os
from base64 import b64decode
from functools import partial

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, Node, Scalar
from plait.core.struct import struct
from plait.core.walk import leaves_of, text_steps
from plait.fronts.editing import Editor, WrittenPlace
from plait.fronts.kustomize.history import string
from plait.fronts.kustomize.kustomization import NAMES, inline_source
from plait.fronts.kustomize.transforms import split_image
from plait.fronts.places import check, contributions
from plait.yaml.files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.path import Path
    from plait.core.source import Source
    from plait.fronts.front import DocumentId, Target
    from plait.fronts.kustomize.resource import BuiltResource


def field_places(target: Target, document: DocumentId, resource: BuiltResource, path: Path) -> Iterator[WrittenPlace]:
    """The place that decides first, then those that it overrides, then documents that do not have the field yet."""
    check(target, document, path)
    seen: set[object] = set()
    for number, part in enumerate(contributions(target, document, path)):
        for place in _written(target, part.node, resource):
            place.decides = number == 0
            place.form = form_of(place.steps, resource, path)
            seen.add(_document_of(place))
            yield place
    for node in reversed(resource.written):
        for place in _new(target, node, resource, path):
            if _document_of(place) not in seen:
                seen.add(_document_of(place))
                yield place


def _written(target: Target, node: Node, resource: BuiltResource) -> Iterator[WrittenPlace]:
    """The place of a value that a file has."""
    for one in _documents(target, node):
        steps = next((path for path, leaf in _leaves(one.root) if path and leaf.at == node.at), None)
        if steps is not None:
            yield one.place(steps, resource)


def _new(target: Target, node: Node, resource: BuiltResource, path: Path) -> Iterator[WrittenPlace]:
    """The place of a field in a document that may not have it yet."""
    for one in _documents(target, node):
        if one.root.at == node.at and one.root.kind == node.kind == "mapping":
            yield one.place(path, resource)


def _document_of(place: WrittenPlace) -> object:
    return place.file, place.number, place.within.address if place.within is not None else ""


@struct
class _Document:
    """A document of a file, or of a text in a kustomization, which is `within` a place of it."""

    source: Source
    number: int
    root: Node
    within: WrittenPlace | None

    def place(self, steps: Path, resource: BuiltResource) -> WrittenPlace:
        file = self.source.name
        place = WrittenPlace(file, file, self.source, self._about(resource), steps, self.root, self.number)
        place.within = self.within
        if self.within is not None and place.reached is None:
            place.reached = self.root
        if isinstance(self.root, ListNode) and len(self.root.items) > 1 and steps[1:] == ("value",):
            place.whole = steps[:1]  # an operation of a JSON patch
        return place

    def _about(self, resource: BuiltResource) -> str:
        if self.within is not None and str(self.within.steps[0]).startswith("patches"):
            return "a patch in the kustomization"
        if os.path.basename(self.source.name) in NAMES:
            return "the kustomization"
        return "the resource itself" if self.source.name == resource.document.origin.file else "a patch"


def _documents(target: Target, node: Node) -> Iterator[_Document]:
    """The documents of the file, or of the text in a file, that a node is written in."""
    source = node.origin.source
    if source.given or not target.project.door.is_file(source.name):
        return
    editor = Editor(target.project)
    try:
        file = read_source(source.name, door=target.project.door)
        found = [_Document(file, number, root, None) for number, root in enumerate(editor.trees_of(file))]
        if source.written is not None:
            found = [inner for outer in found for inner in _inside(editor, outer, source)]
    except Fault:
        return
    yield from found


def _inside(editor: Editor, outer: _Document, source: Source) -> Iterator[_Document]:
    """The documents of the texts in a document that are the same as a source, at the same lines."""
    for path, leaf in _leaves(outer.root):
        if not isinstance(leaf, Scalar) or leaf.text != source.text:
            continue
        text = inline_source(leaf)
        if text.line_map == source.line_map:
            within = WrittenPlace(text.name, text.name, outer.source, "", path, outer.root, outer.number)
            yield from (_Document(text, number, root, within) for number, root in enumerate(editor.trees_of(text)))


def _leaves(root: Node) -> Iterator[tuple[Path, Node]]:
    """The single values of a document, with their paths."""
    return ((text_steps(path), node) for path, node in leaves_of(root))


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
