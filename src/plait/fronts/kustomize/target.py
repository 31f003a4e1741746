"""A kustomization as a target: what `kustomize build` prints."""

from __future__ import annotations

import os

from plait.core.node import Mapping, Unknown
from plait.core.resource import Identity
from plait.evaluate.engine import Evaluator
from plait.evaluate.tree import Tree
from plait.fronts.front import Declaration, DocumentId, Target
from plait.fronts.kustomize.building import Build, MissingPart
from plait.fronts.kustomize.fields import word
from plait.fronts.kustomize.kustomization import READER
from plait.fronts.kustomize.tree import BuiltTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import Diagnostic
    from plait.fronts.front import World
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.resource import BuiltResource


class KustomizationTarget(Target):
    """The resources that a kustomization builds, each a document."""

    front = "kustomize"
    schema = READER.schema

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

    def _chart(self, node: Mapping, one: Kustomization) -> list[Mapping]:
        """The resources of an entry of `helmCharts` whose chart is here."""
        return []


def _unknown(missing: MissingPart) -> Unknown:
    node = missing.node
    text = word(Mapping({"text": node}), "text") or "plugin"
    found = missing.diagnostic
    return Unknown((found,), node.source, node.at, why=found.message, expression=text)
