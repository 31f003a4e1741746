"""A spiff template with its stubs as a target."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.path import format_path
from plait.core.unknown import mistakes_in
from plait.fronts.front import DocumentId, Target
from plait.fronts.spiff import Spiff, path_in
from plait.fronts.spiff.accounting import unused_values
from plait.fronts.spiff.cascade import Cascade, cascade
from plait.fronts.spiff.options import SpiffOptions, options_of
from plait.report.unknown import unknown_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.evaluate.tree import Tree


class TemplateTarget(Target):
    """The first file is the template, the others are its stubs."""

    front, takes = "spiff", True

    def trees(self) -> dict[DocumentId, Tree]:
        return {self.id(): cascade(self.project, self.readable, self.options())}

    def options(self) -> SpiffOptions:
        """In which dialect the files are written."""
        said = self.declaration.parameters
        return options_of(self.project, said.get("dialect", ""), said.get("features", ()))

    def values(self) -> dict[DocumentId, Callable[[], Node]]:
        return {self.id(): lambda: self._merged(complete=False)}

    def _merged(self, complete: bool) -> Node:
        run = Spiff(self.project, options=self.options())
        run.complete = complete
        return run.merge(self.readable)[0]

    def holding(self, file: str, is_root: Callable[[Node], bool]) -> Iterator[tuple[str, Tree]]:
        yield "", self.trees()[self.id()]

    def spelled(self, tree: Tree, path: str) -> str:
        if not isinstance(tree, Cascade):
            return path
        return format_path(tree.names.path(tree.result, path_in(tree.result, path)))

    def findings(self) -> list[Diagnostic]:
        """What cannot be computed, what was noticed when files were read, and what stubs have that nothing takes."""
        try:
            tree = self.tree(self.id())
        except Fault as fault:
            return list(fault.diagnostics)
        assert isinstance(tree, Cascade)
        found = mistakes_in(tree.result)
        self.unknown = unknown_in(tree.result, (), f" of `{self.name}`")
        unused = () if found or self.unknown else unused_values(tree.evaluator, tree.stages)
        return [*found, *tree.warnings, *unused]

    def unused(self) -> list[Diagnostic]:
        tree = self.tree(self.id())
        assert isinstance(tree, Cascade)
        return [] if mistakes_in(tree.result) else list(unused_values(tree.evaluator, tree.stages))

    def rendered(self) -> list[Node]:
        return [self._merged(complete=True)]

    def place_words(self, at: int, count: int) -> str:
        return f"stub {at}" if at else "the template"
