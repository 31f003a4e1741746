"""The effect of new file content on the results of a repository of stacks."""

from __future__ import annotations

import os

from plait.core.node import Node
from plait.core.path import Path, format_path
from plait.fronts.stacks.answers.questions import StackQuestions
from plait.fronts.stacks.answers.reach import changed_entries
from plait.review.causes import BROKEN, TargetResult
from plait.review.suites import StackTargets
from plait.yaml.files import decode, read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.source import Source
    from plait.fronts.project import Project
    from plait.fronts.stacks.answers.reach import Changed, Entry
    from plait.fronts.stacks.assemble.components import Component
    from plait.merging.diff import ValueDifference


class ValueChange:
    """One value of one component that changes."""

    __slots__ = ("_difference", "after", "before", "component", "kind", "path", "stack")

    def __init__(self, stack: str, component: str, path: Path, difference: ValueDifference) -> None:
        self.stack = stack
        self.component = component
        self.path = path
        self._difference = difference
        self.kind = difference.kind
        self.before: Node | None = difference.before
        self.after: Node | None = difference.after

    def as_data(self, reveal: bool = False) -> dict[str, object]:
        """The change as plain data."""
        row = {"stack": self.stack, "component": self.component, "path": format_path(self.path)}
        return {**row, **self._difference.as_data(reveal)}


class Results:
    """The results of one tree, evaluated when asked for, each once."""

    def __init__(
        self, stacks: StackQuestions, tree: str, beside: Results | None = None, changed: Changed | None = None
    ) -> None:
        """`beside` are those of the same tree with other texts of the `changed` files: what cannot differ from them
        is not looked at here."""
        self.stacks = stacks
        self.tree = tree
        self.changed = changed or {}
        other: StackTargets | None = beside.suite if beside is not None else None
        folder = stacks.ground.folder
        self.suite: StackTargets = StackTargets(stacks.ground.project, tree, folder, other, changed, stacks)
        self.names = self.suite.names()
        self._known: dict[tuple[str, frozenset[Entry] | None], TargetResult] = {}

    def result(self, name: str, entries: frozenset[Entry] | None) -> TargetResult:
        """What some entries of a stack make, or all of it; nothing where there is no such stack."""
        key = (name, entries)
        if key not in self._known:
            self._known[key] = self.suite.result(name, entries) if name in self.names else TargetResult({})
        return self._known[key]

    def source(self, file: str) -> Source:
        """The text of a file, by its path from the root of the tree."""
        return read_source(os.path.join(self.tree, file), door=self.stacks.ground.project.door)

    def component(self, like: Component) -> Component | None:
        """The component of this tree that has the manifest, type and name of another one; its stack may have another
        name."""
        repository = self.stacks.repository
        for manifest in repository.manifests():
            if manifest.name == like.manifest.name and like.name in manifest.names(like.type):
                return repository.whole(repository.in_manifest(manifest, like.type, like.name))
        return None


def changes(before: Results, after: Results) -> list[ValueChange]:
    """Every value of every stack that differs, where only the changed files of `after` differ."""
    changed = after.changed
    differences: list[ValueChange] = []
    for name in dict.fromkeys([*before.names, *after.names]):
        sides = [side.suite for side in (before, after) if name in side.names]
        if not any(side.touches(name, changed) for side in sides):
            continue
        parts = [side.entries(name, changed) for side in sides]
        entries = frozenset().union(*(part for part in parts if part is not None)) if None not in parts else None
        results = [side.result(name, entries) for side in (before, after)]
        differences += [
            ValueChange(name, label, path, difference)
            for (label, path), difference in results[0].differences(results[1]).items()
            if difference.kind != BROKEN or difference.before is None  # what failed before fails on another line now
        ]
    return differences


def read_again(stacks: StackQuestions, tree: str) -> Results:
    """The results of the files as they are on the disk now. Answers from the outside are shared."""
    project = stacks.ground.project
    return Results(_asked(stacks, project.in_tree(project.folder, {})), tree)


def altered(before: Results, path: str, data: bytes) -> Results:
    """The results where one file has other bytes. What was read and parsed before is shared."""
    stacks = before.stacks
    project = stacks.ground.project
    made = project.in_tree(project.folder, {os.path.realpath(path): data}, project)
    file = from_tree(path, before.tree)
    texts = before.source(file), decode(file, data)
    changed = {file: changed_entries(*texts, project.budgets.depth)}
    return Results(_asked(stacks, made), before.tree, before, changed)


def _asked(stacks: StackQuestions, project: Project) -> StackQuestions:
    """The same question in another project."""
    return StackQuestions(project, stacks.ground.folder, stacks.flags, stacks.ground.options, stacks.ground)


def broken(changes: list[ValueChange]) -> list[ValueChange]:
    """The results that could be computed before and now fail."""
    return [change for change in changes if change.kind == BROKEN]


def from_tree(path: str, tree: str) -> str:
    return os.path.relpath(os.path.abspath(path), tree)
