"""A kustomization as a target: what `kustomize build` prints."""

from __future__ import annotations

import os

from plait.core.node import Mapping, Unknown
from plait.core.resource import Identity
from plait.evaluate.engine import Evaluator
from plait.evaluate.tree import Tree
from plait.fronts.front import Declaration, DocumentId, Target, label
from plait.fronts.kustomize.building import Build, MissingPart
from plait.fronts.kustomize.charts import chart_resources
from plait.fronts.kustomize.fields import word
from plait.fronts.kustomize.places import field_places
from plait.fronts.kustomize.tree import BuiltTree
from plait.yaml.schema import YAML11

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.front import World
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.resource import BuiltResource


class KustomizationTarget(Target):
    """The resources that a kustomization builds, each a document."""

    front = "kustomize"
    schema = YAML11

    def __init__(self, world: World, declaration: Declaration) -> None:
        super().__init__(world, declaration)
        self._evaluator = Evaluator(self.project.door, self.project.meter, {}, self.project.counters)

    @property
    def folder(self) -> str:
        """The folder of the kustomization, from the working folder."""
        return os.path.relpath(os.path.join(self.declaration.folder, self.declaration.parameters["kustomization"]))

    def built(self) -> tuple[Build, list[BuiltResource]]:
        """What a build gives."""
        documents = self.world.opened.setdefault("kustomize documents", {})
        build = Build(self.project, self.project.admit(self.folder), documents, self._chart)
        return build, build.run()

    def trees(self) -> dict[DocumentId, Tree]:
        build, resources = self.built()
        found: dict[DocumentId, Tree] = {}
        for number, one in enumerate(resources, 1):
            identity = Identity.of(one.node)
            document = self.resource(identity) if identity is not None else self.id(name=f"document {number}")
            found[document] = BuiltTree(build.history, one, self._evaluator)
        for missing in build.missing:
            node = _unknown(missing)
            found[self.id(name=node.expression)] = Tree(node, self._evaluator)
        return found

    def findings(self) -> list[Diagnostic]:
        found = super().findings()
        return found or self.built()[0].findings

    def places(self, document: DocumentId, path: Path) -> Iterable[WrittenPlace]:
        tree = self.tree(document)
        return field_places(self, document, tree.resource, path) if isinstance(tree, BuiltTree) else ()

    def holding(self, file: str, is_root: Callable[[Node], bool]) -> Iterator[tuple[str, Tree]]:
        for document, tree in self.trees().items():
            if isinstance(tree, BuiltTree) and any(map(is_root, tree.resource.written)):
                yield label(document, self), tree

    def made_of(self) -> list[str]:
        return [name for name in super().made_of() if name not in self.files]

    def links(self) -> Iterator[tuple[str, dict[str, int]]]:
        found = self.built()[0].links
        return ((file, found.get(file, {})) for file in self.made_of())

    def _chart(self, node: Mapping, one: Kustomization) -> list[Node]:
        """The resources of an entry of `helmCharts`."""
        return chart_resources(self.world, node, one)


def _unknown(missing: MissingPart) -> Unknown:
    node = missing.node
    text = word(Mapping({"text": node}), "text") or "plugin"
    found = missing.diagnostic
    return Unknown((found,), node.source, node.at, why=found.message, expression=text)
