"""The targets of plait.yaml as a survey sees them."""

from __future__ import annotations

import os
from itertools import pairwise

from plait.core.diagnostic import Fault, PlaitError
from plait.evaluate.engine import Evaluator
from plait.evaluate.tree import Tree
from plait.fronts.targets import WHOLE, Targets
from plait.report.catalog import NO_COMPONENT
from plait.report.near import did_you_mean
from plait.survey.uses import DocumentUses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.project import Project
    from plait.fronts.targets import Target
    from plait.survey.uses import Looker


class SurveyedTargets:
    """The targets that plait.yaml declares. A document without a name of its own is called `WHOLE`."""

    kind, part = "target", "document"

    def __init__(self, project: Project) -> None:
        self.project = project
        self.declared = Targets(project)
        self._trees: dict[str, dict[str, Tree]] = {}
        self._errors: dict[str, PlaitError] = {}
        self._read: dict[str, list[str]] = {}

    def targets(self) -> list[str]:
        return list(self.declared.known)

    def documents(self, target: str) -> list[str]:
        try:
            return list(self._opened(target))
        except Fault:
            return [WHOLE]

    def places(self, target: str) -> list[str]:
        return []

    def recall(self, places: dict[str, list[str]]) -> None:
        """Each target is found without the others."""

    def tree(self, target: str, document: str) -> Tree:
        trees = self._opened(target)
        if document not in trees:
            raise NO_COMPONENT.error(component=document, stack=target, hint=did_you_mean(document, trees))
        return trees[document]

    def _opened(self, target: str) -> dict[str, Tree]:
        """The documents of a target as trees; PlaitError where they cannot be read."""
        if target in self._errors:
            raise self._errors[target]
        if target not in self._trees:
            found = self.declared.find(target)
            with self.project.watching() as read:
                try:
                    self._trees[target] = {name or WHOLE: tree for name, tree in self._trees_of(found).items()}
                except Fault as error:
                    self._errors[target] = error
                    raise
                finally:
                    own = self.declared.names(found)
                    self._read[target] = list(dict.fromkeys([*own, *sorted(map(os.path.relpath, read))]))
        return self._trees[target]

    def _trees_of(self, target: Target) -> dict[str, Tree]:
        trees = self.declared.trees(target)
        if trees:
            return trees
        evaluator = Evaluator(self.project.door, self.project.meter, {}, self.project.counters)
        return {label: Tree(value(), evaluator) for label, value in self.declared.documents(target).items()}

    def own_name(self, target: str) -> str:
        return target

    def is_stack(self, target: str) -> bool:
        return False

    def sections(self, target: str) -> tuple[str, ...]:
        return ()

    def look(self, target: str, looker: Looker) -> dict[str, DocumentUses]:
        """What the lines of all files do in each document of a target."""
        return {document: self._looked(target, document, looker) for document in self.documents(target)}

    def _looked(self, target: str, document: str, looker: Looker) -> DocumentUses:
        try:
            return looker.look(self.tree(target, document))
        except Fault as error:
            return DocumentUses(errors=[diagnostic.message for diagnostic in error.diagnostics])

    # Files

    def files_of(self, target: str) -> list[str]:
        self.documents(target)
        return self._read[target]

    def links(self) -> dict[str, dict[str, int]]:
        """Each layer of a target with the layer below it: what it is merged over."""
        links: dict[str, dict[str, int]] = {}
        for name, target in self.declared.known.items():
            own = self.declared.names(target)
            for file in self.files_of(name):
                links.setdefault(file, {})
            if target.kind == "layers":
                for low, high in pairwise(own):
                    links[high].setdefault(low, 1)
        return links

    def path(self, file: str) -> str:
        return file

    def steering(self, file: str) -> set[int]:
        return set()

    def heirs(self, name: str) -> dict[str, list[str]]:
        return {}
