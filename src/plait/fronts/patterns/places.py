"""Where a value that a pattern generates could be written: as an input of the target, as the default of that input, in
the pattern's layer of an environment, or in the template itself, where that is YAML before it is rendered."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, MapNode, Node, Scalar, equal, tag_of
from plait.core.path import Path
from plait.fronts.editing import Editor, WrittenPlace
from plait.yaml.files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.front import DocumentId, Target
    from plait.fronts.patterns.inputs import Values
    from plait.fronts.patterns.pattern import Pattern

SETTINGS, DECLARATION = "plait.yaml", "pattern.yaml"


class GeneratedPlaces:
    """The places of one value of one resource that a target generates."""

    def __init__(self, target: Target, pattern: Pattern, values: Values, document: DocumentId, path: Path) -> None:
        self.project = target.project
        self.declaration = target.declaration
        self.kind, self.name = document.type, document.name
        self.path = path
        self.now = target.value_in(target.world, document, path)
        """The value as it is."""
        self.pattern = pattern
        self.values = values

    def __iter__(self) -> Iterator[WrittenPlace]:
        for name in sorted(self.values.nodes, key=lambda name: not self._has(name)):
            if self._has(name) or self._is_part(name):
                yield from self._input(name)
        if self.project.door.is_file(os.path.join(self.declaration.folder, "patterns", self.pattern.name, DECLARATION)):
            yield from self._own()  # those that come with plait are not changed

    def _has(self, name: str) -> bool:
        """Whether an input has the value that the resource has."""
        return self.now is not None and equal(self.values.nodes[name], self.now)

    def _is_part(self, name: str) -> bool:
        """Whether the text of an input is a part of the text that the resource has."""
        value, now = self.values.nodes[name], self.now
        if not isinstance(value, Scalar) or not isinstance(now, Scalar):
            return False
        return len(value.text) > 1 and value.text in now.text

    def _input(self, name: str) -> Iterator[WrittenPlace]:
        declared = self.project.settings.targets
        assert isinstance(declared, ListNode)
        number = next(at for at, entry in enumerate(declared.items) if entry is self.declaration.node)
        file = os.path.relpath(os.path.join(self.declaration.folder, SETTINGS))
        yield from self._place(file, f"input `{name}` of the target", ("targets", number, "inputs", name))
        if name not in self.declaration.parameters["inputs"]:
            yield from self._default(name)

    def _default(self, name: str) -> Iterator[WrittenPlace]:
        steps: Path = ("inputs", name, "default")
        if self.pattern.inputs[name].by_environment:
            steps = (*steps, self._environment)
        yield from self._place(os.path.join(self.pattern.folder, DECLARATION), f"default of input `{name}`", steps)

    @property
    def _environment(self) -> str:
        chosen = self.values.nodes.get(self.pattern.environment)
        return chosen.text if isinstance(chosen, Scalar) else ""

    def _own(self) -> Iterator[WrittenPlace]:
        """The files of the pattern that have the resource."""
        layer = self.pattern.layer(self._environment)
        if layer is not None:
            yield from self._in_resources(layer, f"the pattern's layer of `{self._environment}`")
        for file in self.pattern.files.values():
            yield from self._in_resources(os.path.join(self.pattern.folder, file), "the pattern's template")

    def _in_resources(self, file: str, about: str) -> Iterator[WrittenPlace]:
        for number, tree in enumerate(self._trees(file)):
            if self._is_meant(tree):
                yield from self._place(file, about, self.path, number)

    def _trees(self, file: str) -> list[Node]:
        try:
            return Editor(self.project).trees_of(read_source(file, door=self.project.door))
        except Fault:
            return []  # a template that is not YAML before it is rendered

    def _is_meant(self, tree: Node) -> bool:
        """Whether a document is about the resource: it has its kind, and its name, no name or one that is computed."""
        entries = tree.entries if isinstance(tree, MapNode) else {}
        kind, metadata = entries.get("kind"), entries.get("metadata")
        name = metadata.entries.get("name") if isinstance(metadata, MapNode) else None
        if not isinstance(kind, Scalar) or kind.text != self.kind:
            return False
        return not isinstance(name, Scalar) or name.text == self.name or "{{" in name.text

    def _place(self, file: str, about: str, steps: Path, number: int = 0) -> Iterator[WrittenPlace]:
        source = read_source(file, door=self.project.door)
        site = WrittenPlace(file, file, source, about, steps, Editor(self.project).documents(source, number), number)
        site.computed = expression_in(site.written)
        yield site


def expression_in(node: Node | None) -> str:
    """The expression that a file has in the place of a value; empty where it has a value."""
    if not isinstance(node, Scalar):
        return ""
    tag = tag_of(node)
    return f"{tag} {node.text}" if tag is not None else node.text if "{{" in node.text else ""
