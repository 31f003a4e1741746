"""spiff: a template takes its values from stubs.

    Spiff(project).merge(["template.yml", "stub.yml"])

Stubs are resolved from right to left, each with all those on its right; then the template, with all of them. A stage that does
not resolve ends the run, and all that is unresolved in it is reported at once.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label
from plait.core.node import Key, Mapping, Node, Scalar, Sequence
from plait.evaluate.engine import Evaluator
from plait.fronts.project import Project
from plait.fronts.services import yaml_services
from plait.fronts.spiff.reading import reading
from plait.fronts.spiff.report import unresolved
from plait.fronts.spiff.stage import Stage
from plait.notations.dynaml.compute import MARKS
from plait.report.catalog import MORE_DOCUMENTS, NO_DOCUMENT, TOO_MANY
from plait.yaml.build import expanded_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LOCAL = frozenset(tag for tag, word in MARKS.items() if word == "local")


class Spiff:
    """A run of the cascade in a project. `given` are values that every document sees around it."""

    def __init__(self, project: Project, given: dict[str, Node] | None = None) -> None:
        self.project = project
        self.given = given or {}
        self.warnings: list[Diagnostic] = []
        self.evaluator = Evaluator(project.guard, project.budgets, yaml_services(project), project.counters)
        self.stages: list[Stage] = []
        """The stages that are resolved, the rightmost stub first."""
        self.marked = False

    def merge(self, names: Iterable[str]) -> Node:
        """The template, named first, with the stubs that follow. Raises `Unresolved` with all that fails in a stage."""
        documents = [self.read(name) for name in names]
        finished: list[Node] = []
        while documents:
            node = self.resolve(documents.pop(), tuple(finished))
            finished.insert(0, pruned(node, LOCAL) if self.marked else node)
        result = finished[0]
        return pruned(result, frozenset(MARKS)) if self.marked else result

    def resolve(self, document: Node, stubs: tuple[Node, ...]) -> Node:
        """One stage, finished."""
        stage = Stage(document, stubs, self.given, self.project.budgets.steps)
        root = stage.top.node
        assert root is not None
        node, failures = self.evaluator.finish(root, stage.top)
        if failures:
            raise unresolved(self.evaluator, stage.top, failures)
        limit = self.project.budgets.nodes
        if expanded_size(node) > limit:
            raise TOO_MANY.error(Label.of(document), limit=limit, hint="references multiply here; --max-nodes raises the limit")
        self.marked = self.marked or stage.marked
        self.stages.append(stage)
        return node

    def read(self, name: str, expressions: bool = True) -> Node:
        """The document of a file; of several the first, with a warning."""
        how = reading(self.project.budgets.nodes, expressions)
        documents = self.project.read(name, lambda source: how)
        if not documents or _is_empty(documents[0]):
            raise NO_DOCUMENT.error(name=name, hint="an empty map is written {}")
        if len(documents) > 1:
            label = Label.of(documents[1], "this and what follows is left out")
            self.warnings.append(MORE_DOCUMENTS(label, count=len(documents), hint="put it into a file of its own"))
        return documents[0]


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None and not node.text


def pruned(root: Node, tags: frozenset[str]) -> Node:
    """A finished tree without the nodes that carry one of the marks. Without recursion."""
    holder: list[Node] = [root]
    work: list[tuple[dict[Key, Node] | list[Node], Key | int, Node]] = [(holder, 0, root)]
    while work:
        target, key, node = work.pop()
        if isinstance(node, Mapping):
            entries = {name: child for name, child in node.entries.items() if _tag(child) not in tags}
            target[key] = Mapping(entries, node.source, node.at, node.tag, False, (), node.parts)  # type: ignore[index]
            work.extend((entries, name, child) for name, child in entries.items())
        elif isinstance(node, Sequence):
            items = [item for item in node.items if _tag(item) not in tags]
            target[key] = Sequence(items, node.source, node.at, node.tag, False, node.parts, node.rule)  # type: ignore[index]
            work.extend((items, index, item) for index, item in enumerate(items))
    return holder[0]


def _tag(node: Node) -> str | None:
    return getattr(node, "tag", None)


