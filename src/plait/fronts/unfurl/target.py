"""Documents with directives as a target."""

from __future__ import annotations

import os

from plait.fronts.front import DocumentId, Target
from plait.fronts.unfurl.documents import read_document
from plait.yaml.schema import CORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.node import Node
    from plait.evaluate.tree import Tree
    from plait.fronts.unfurl.loading import DirectiveDocument


class DirectiveTarget(Target):
    """Each file is expanded with its directives."""

    front, schema = "unfurl", CORE

    def trees(self) -> dict[DocumentId, Tree]:
        return {document: read.tree for document, read in self._read().items()}

    def values(self) -> dict[DocumentId, Callable[[], Node]]:
        return {document: read.partial for document, read in self._read().items()}

    def _read(self) -> dict[DocumentId, DirectiveDocument]:
        names = self.readable
        evaluate = bool(self.declaration.parameters.get("evaluate"))
        return {
            self.id(name=name if len(names) > 1 else ""): read_document(self.project, name, evaluate) for name in names
        }

    def holding(self, file: str, is_root: Callable[[Node], bool]) -> Iterator[tuple[str, Tree]]:
        for name in self.readable:
            if os.path.realpath(name) == file:
                yield "", read_document(self.project, name, evaluate=True).tree

    def rendered(self) -> list[Node]:
        return [read.expanded() for read in self._read().values()]

    def place_words(self, at: int, count: int) -> str:
        return "the file itself"
