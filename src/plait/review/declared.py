"""The targets that plait.yaml declares, evaluated."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.path import format_path
from plait.fronts.layers import LayerReader, merge_options
from plait.fronts.shown import as_in
from plait.fronts.targets import Targets, by_label
from plait.profiles import profiles
from plait.review.causes import TargetResult
from plait.review.classes import OptionTrial
from plait.review.messages import inside, is_everywhere, messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.evaluate.tree import Tree
    from plait.fronts.project import Project
    from plait.fronts.stacks.answers.reach import Changed, Entry
    from plait.review.hunks import Hunk


FRONTS = {"template": "spiff", "document": "unfurl", "pattern": "patterns"}
STRATEGIES = ("append", "prepend", "key:name", "index", "set")
OPTIONS: dict[str, dict[str, object]] = {
    "`nulls: delete` in plait.yaml": {"nulls": "delete"},
    '`yaml: "1.1"` in plait.yaml': {"yaml": "1.1"},
    **{f"`profile: {name}` in plait.yaml": {"profile": name} for name in profiles()},
}
"""Options that may make layers give the result of another tool, tried after a strategy for the lists that differ."""


class DeclaredTargets:
    """The targets that plait.yaml declares."""

    kind = "target"

    def __init__(self, project: Project, tree: str) -> None:
        self.project = project
        self.tree = tree
        self.shown = tree
        self.targets = Targets(project)
        self._known: dict[str, tuple[TargetResult, frozenset[str]]] = {}
        self._trees: dict[str, dict[str, Tree]] = {}

    def names(self) -> list[str]:
        return list(self.targets.known)

    def rows(self) -> list[tuple[str, str, list[str]]]:
        return [(target.name, target.kind, target.files) for target in self.targets.known.values()]

    def touches(self, name: str, changed: Changed) -> bool:
        return not self._evaluated(name)[1].isdisjoint(changed) or any(map(is_everywhere, changed))

    def entries(self, name: str, changed: Changed) -> frozenset[Entry] | None:
        return None

    def result(self, name: str, entries: frozenset[Entry] | None = None) -> TargetResult:
        return self._evaluated(name)[0]

    def front(self, name: str) -> str:
        return FRONTS.get(self.targets.known[name].kind, self.targets.known[name].kind)

    def options(self, name: str, lists: Iterable[Path]) -> Iterator[OptionTrial]:
        target = self.targets.known[name]
        if target.kind != "layers":
            return
        names = self.targets.names(target)
        paths = [format_path(path) for path in lists]
        strategies: dict[str, dict[str, object]] = {
            f"`lists: {{{{{{path}}: {strategy}}}}}` in plait.yaml": {"lists": [f"{path}={strategy}" for path in paths]}
            for strategy in STRATEGIES
        }
        for text, words in {**(strategies if paths else {}), **OPTIONS}.items():
            options = merge_options(self.project, **words)  # type: ignore[arg-type]
            try:
                documents = by_label(LayerReader(self.project, options).bundle(names))
            except Fault:
                continue
            yield OptionTrial(text, evaluated(documents, self.tree, self.shown))

    def explained(self, name: str, document: str) -> Tree | None:
        return self._by_label(name).get(document)

    def trees(self, name: str, entries: frozenset[Entry] | None) -> Iterator[Tree]:
        return iter(self._by_label(name).values())

    def path(self, name: str, file: str) -> str:
        return os.path.relpath(os.path.realpath(file), self.tree)

    def _by_label(self, name: str) -> dict[str, Tree]:
        """The documents of a target as trees; none if the target has errors or does not exist."""
        if name not in self._trees:
            target = self.targets.known.get(name)
            try:
                self._trees[name] = self.targets.trees(target) if target is not None else {}
            except Fault:
                self._trees[name] = {}
        return self._trees[name]

    def sees(self, name: str, hunk: Hunk) -> bool:
        return bool(hunk.whole) or self.opens(name, hunk)

    def opens(self, name: str, hunk: Hunk) -> bool:
        return hunk.file in self._evaluated(name)[1]

    def asking(self, names: list[str]) -> set[str]:
        return set()

    def _evaluated(self, name: str) -> tuple[TargetResult, frozenset[str]]:
        if name not in self._known:
            with self.project.watching() as read:
                result = self._result(name)
            self._known[name] = (result, inside(read, self.tree))
        return self._known[name]

    def _result(self, name: str) -> TargetResult:
        target = self.targets.known.get(name)
        if target is None:
            return TargetResult({})
        try:
            return evaluated(self.targets.documents(target), self.tree, self.shown)
        except Fault as error:
            return TargetResult({}, {"": messages(error, self.tree)})


def evaluated(documents: dict[str, Callable[[], Node]], tree: str, shown: str) -> TargetResult:
    """The documents of a target; one that fails is represented by its errors."""
    result = TargetResult({}, tree=tree)
    for label, value in documents.items():
        try:
            result.documents[label] = as_in(value(), tree, shown)
        except Fault as error:
            result.errors[label] = messages(error, tree)
    return result
