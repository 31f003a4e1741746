"""What other bytes in one file would change in the results of a repository of stacks."""

from __future__ import annotations

import os

from plait.core.node import Node, plain_value
from plait.core.path import Path, format_path
from plait.fronts.stacks.answers.questions import StackQuestions
from plait.fronts.stacks.answers.reach import changed_entries
from plait.review.causes import BROKEN, TargetResult
from plait.review.suites import StackTargets
from plait.yaml.files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.source import Source
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.assemble.components import Component
    from plait.merging.diff import ValueDifference


class ValueChange:
    """One value of one component that changes."""

    __slots__ = ("after", "before", "component", "kind", "path", "stack")

    def __init__(self, stack: str, component: str, path: Path, difference: ValueDifference) -> None:
        self.stack = stack
        self.component = component
        self.path = path
        self.kind = difference.kind
        self.before: Node | None = difference.before
        self.after: Node | None = difference.after

    def as_data(self, reveal: bool = False) -> dict[str, object]:
        """The change as plain data."""
        row: dict[str, object] = {
            "stack": self.stack,
            "component": self.component,
            "path": format_path(self.path),
            "kind": self.kind,
        }
        for side, node in (("before", self.before), ("after", self.after)):
            if node is not None:
                row[side] = plain_value(node, reveal)
        return row


class Results:
    """The results of one tree, evaluated when asked for, each once."""

    def __init__(self, stacks: StackQuestions, tree: str) -> None:
        self.stacks = stacks
        self.tree = tree
        self.suite = StackTargets(stacks.ground.project, tree, stacks.ground.folder, stacks=stacks)
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


def changes(before: Results, after: Results, files: set[str]) -> list[ValueChange]:
    """Every value of every stack that differs, where only these files differ; paths from the root of the tree."""
    depth = before.stacks.ground.project.budgets.depth
    changed = {file: changed_entries(before.source(file), after.source(file), depth) for file in files}
    found: list[ValueChange] = []
    for name in dict.fromkeys([*before.names, *after.names]):
        sides = [side.suite for side in (before, after) if name in side.names]
        if not any(side.touches(name, changed) for side in sides):
            continue
        parts = [side.entries(name, changed) for side in sides]
        entries = frozenset().union(*(part for part in parts if part is not None)) if None not in parts else None
        results = [side.result(name, entries) for side in (before, after)]
        found += [
            ValueChange(name, label, path, difference)
            for (label, path), difference in results[0].differences(results[1]).items()
            if difference.kind != BROKEN or difference.before is None  # what failed before fails on another line now
        ]
    return found


def staged(stacks: StackQuestions, files: dict[str, bytes]) -> StackQuestions:
    """The same question where some files, by real path, have other bytes. Answers from the outside are shared."""
    here = stacks.ground.project
    project = here.in_tree(here.folder, files)
    return StackQuestions(project, stacks.ground.folder, stacks.flags, stacks.ground.options, stacks.ground)


def broken(found: list[ValueChange]) -> list[ValueChange]:
    """The results that could be computed before and cannot any more."""
    return [change for change in found if change.kind == BROKEN]


def from_tree(path: str, tree: str) -> str:
    return os.path.relpath(os.path.abspath(path), tree)
