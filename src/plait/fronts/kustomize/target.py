"""A kustomization as a target: what `kustomize build` prints."""

from __future__ import annotations

import os
from contextlib import suppress

from plait.core.diagnostic import Fault
from plait.core.find import entry, word
from plait.core.node import MapNode, Scalar, Unknown
from plait.core.path import split_prefix
from plait.core.resource import Identity
from plait.evaluate.tree import Tree
from plait.fronts.front import DocumentId, NamedWord, Target, label, lines_of
from plait.fronts.kustomize.building import Build
from plait.fronts.kustomize.charts import chart_resources
from plait.fronts.kustomize.kustomization import NAMES, READER
from plait.fronts.kustomize.places import field_places
from plait.fronts.kustomize.state import BuildState
from plait.fronts.kustomize.tree import BuiltTree
from plait.yaml.schema import YAML11

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.resource import BuiltResource
    from plait.fronts.kustomize.state import MissingPart


class KustomizationTarget(Target):
    """The resources that a kustomization builds, each a document."""

    front = "kustomize"
    is_rendered = True
    schema = YAML11
    reader = READER
    _last: Build | None = None
    """The last build, which may have ended with an error."""

    def built(self) -> tuple[Build, list[BuiltResource]]:
        """What a build gives."""
        is_declared = self.declaration.node is not None
        build = self._last = Build(self.project, self.admitted(self.folder, "folder"), self._chart, is_declared)
        return build, self.named_at(self.folder, build.build)

    def published(self, files: Iterable[str]) -> set[str]:
        """A base is a whole kustomization: it can be built by itself, and the next overlay begins with it."""
        own = os.path.join(os.path.realpath(self.folder), "")
        read = {os.path.realpath(os.path.join(self.world.tree, name)) for name in self.read}
        return {file for file in files if file in read and not file.startswith(own)}

    def trees(self) -> dict[DocumentId, Tree]:
        build, resources = self.built()
        rows: list[tuple[Identity | None, str, Tree]] = [
            (_identity(one), f"document {number}", BuiltTree(build.state.history, one, self.evaluator))
            for number, one in enumerate(resources, 1)
        ]
        missing = map(_unknown, build.state.missing)
        return self.by_id([*rows, *((None, node.expression, Tree(node, self.evaluator)) for node in missing)])

    def chosen(self, address: str) -> tuple[Tree, str]:
        name, path = split_prefix(address)
        for document in self.documents() if name else ():
            tree = self.tree(document)
            identity = Identity.of(tree.root)
            if identity is not None and identity.name != document.name and name in identity.names:
                return tree, path
        return super().chosen(address)

    def in_output(self, nodes: list[Node]) -> dict[DocumentId, Node] | None:
        """Generated resources may have other hashes in another output."""
        built = {document: tree.resource for document, tree in self.trees().items() if isinstance(tree, BuiltTree)}
        hashed = [document for document, resource in built.items() if resource.wants_hash]
        found = super().in_output(nodes)
        return {_without_hash(document, hashed): node for document, node in found.items()} if found else found

    def findings(self) -> list[Diagnostic]:
        found = super().findings()
        return found or self._state.findings

    @property
    def _state(self) -> BuildState:
        if self._last is None:
            with suppress(Fault):  # told by who asks for its documents
                self.built()
        return self._last.state if self._last is not None else BuildState(self.project, self.folder)

    def commands(self) -> list[list[str]]:
        folder = NamedWord(self.folder)
        return [["kustomize", "build", folder], ["kubectl", "kustomize", folder]]

    @property
    def remover(self) -> Scalar:
        return Scalar(None, "null")

    def places(self, document: DocumentId, path: Path) -> Iterable[WrittenPlace]:
        tree = self.tree(document)
        return field_places(self, document, tree.resource, path) if isinstance(tree, BuiltTree) else ()

    def holding(self, file: str, is_root: Callable[[Node], bool]) -> Iterator[tuple[str, Tree]]:
        for document, tree in self.trees().items():
            if isinstance(tree, BuiltTree) and any(map(is_root, tree.resource.written)):
                yield label(document, self), tree

    def decided(self, wrote: Callable[[Node], bool]) -> Iterator[tuple[str, Tree, Path]]:
        for document, tree in self.trees().items():
            if isinstance(tree, BuiltTree) and not any(map(wrote, tree.resource.written[:1])):
                yield from ((label(document, self), tree, path) for path in tree.decided(wrote))

    def made_of(self) -> list[str]:
        return [name for name in super().made_of() if name not in self.files]

    def links(self) -> Iterator[tuple[str, dict[str, int]]]:
        found = self._state.links
        return ((file, found.get(file, {})) for file in self.made_of())

    def steering(self, file: str) -> set[int]:
        """The lines that say which resource a patch is for."""
        places = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))
        documents = self._state.files.documents(file) if file in self._state.linked else []
        return {line for one in documents for place in places for line in lines_of(entry(one, *place))}

    def steers(self, file: str) -> bool:
        """Kustomizations, and what configures plugins."""
        return os.path.basename(file) in NAMES or file in self._state.plugins or super().steers(file)

    def _chart(self, node: MapNode, one: Kustomization) -> list[Tree]:
        """The resources of an entry of `helmCharts`."""
        return chart_resources(self.world, node, one)


def _identity(one: BuiltResource) -> Identity | None:
    """A generated resource is called by its name without the hash: it is the same one when its data change."""
    found = Identity.of(one.node)
    if found is not None and one.wants_hash and one.previous:
        found.name = one.previous[-1].name
    return found


def _without_hash(document: DocumentId, hashed: Collection[object]) -> DocumentId:
    name = document.name.rpartition("-")[0]
    plain = DocumentId(document.target, document.type, document.namespace, name)
    return plain if plain in hashed else document


def _unknown(missing: MissingPart) -> Unknown:
    node = missing.node
    text = word(MapNode({"text": node}), "text") or "plugin"
    found = missing.diagnostic
    inputs = tuple(missing.inputs)
    return Unknown((found,), node.source, node.at, why=found.message, expression=text, inputs=inputs)
