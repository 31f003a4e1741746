"""What other bytes in one file would change in the results of a repository of stacks."""

from __future__ import annotations

import os

from plait.access.staged import Staged
from plait.core.meter import BUDGETS
from plait.core.node import Node, plain_value
from plait.core.path import Path, format_path
from plait.fronts.project import Project
from plait.fronts.stacks.answers.questions import StackQuestions
from plait.review.causes import BROKEN, TargetResult
from plait.review.suites import StackTargets

TYPE_CHECKING = False
if TYPE_CHECKING:
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
        self.suite = StackTargets(stacks.ground.project, tree, stacks.ground.folder, stacks)
        self.names = self.suite.names()
        self._known: dict[str, TargetResult] = {}
        self._asked: dict[str, frozenset[str]] = {}

    def result(self, name: str, only: frozenset[str]) -> TargetResult:
        """Some documents of a stack; what is known already is not evaluated again."""
        known = self._known.setdefault(name, TargetResult({}))
        missing = only - self._asked.setdefault(name, frozenset())
        if missing:
            self._asked[name] |= missing
            found = self.suite.result(name, missing)
            known.documents.update(found.documents)
            known.errors.update(found.errors)
        return TargetResult(
            {label: node for label, node in known.documents.items() if label in only},
            {label: errors for label, errors in known.errors.items() if label in only or not label},
        )

    def component(self, like: Component) -> Component | None:
        """The component of this tree that has the manifest, type and name of another one; its stack may have another name."""
        repository = self.stacks.repository
        for manifest in repository.manifests():
            if manifest.name == like.manifest.name and like.name in manifest.names(like.type):
                return repository.whole(repository.in_manifest(manifest, like.type, like.name))
        return None


def changes(before: Results, after: Results, files: set[str]) -> list[ValueChange]:
    """Every value of every stack that differs, where only these files differ; paths from the root of the tree."""
    found: list[ValueChange] = []
    for name in dict.fromkeys([*before.names, *after.names]):
        sides = [side.suite for side in (before, after) if name in side.names]
        if not any(side.may_read(name, files) for side in sides):
            continue
        seen = files
        if len(sides) == 2 and sides[0].imports(name) != sides[1].imports(name):
            seen = files | sides[1].imports(name)
        only = frozenset(label for side in sides for label in side.documents(name, seen))
        results = [side.result(name, only) if name in side.names else TargetResult({}) for side in (before, after)]
        found += [
            ValueChange(name, label, path, difference)
            for (label, path), difference in results[0].differences(results[1]).items()
            if difference.kind != BROKEN or difference.before is None  # what failed before fails on another line now
        ]
    return found


def staged(stacks: StackQuestions, files: dict[str, bytes]) -> StackQuestions:
    """The same question where some files, by real path, have other bytes. Answers from the outside are shared."""
    here = stacks.ground.project
    project = Project(
        here.folder, guard=here.guard, budgets={name: getattr(here.budgets, name) for name in BUDGETS}, cache=here.cache
    )
    project.door = Staged([project.root], project.guard, files)
    return StackQuestions(project, stacks.ground.folder, stacks.flags, stacks.ground.options, stacks.ground)


def broken(found: list[ValueChange]) -> list[ValueChange]:
    """The results that could be computed before and cannot any more."""
    return [change for change in found if change.kind == BROKEN]


def from_tree(path: str, tree: str) -> str:
    return os.path.relpath(os.path.abspath(path), tree)
