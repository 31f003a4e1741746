"""The targets of one tree: what each gives, and which files it reads."""

from __future__ import annotations

import os

from plait.core.diagnostic import PlaitError
from plait.core.node import Node
from plait.fronts.targets import Targets
from plait.report.render import in_order
from plait.review.causes import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from plait.fronts.project import Project

    class Suite(Protocol):
        """The targets of one tree."""

        kind: str
        """What one of them is called."""

        def names(self) -> list[str]: ...

        def may_read(self, name: str, files: set[str]) -> bool:
            """Whether a target may depend on one of these files, paths from the root of the tree."""
            ...

        def result(self, name: str) -> Result:
            """What a target gives; nothing where this tree has no such target."""
            ...

        def reads(self, name: str) -> frozenset[str]:
            """The files that a target reads; known once it was evaluated."""
            ...


class DeclaredTargets:
    """The targets that plait.yaml declares."""

    kind = "target"

    def __init__(self, project: Project, tree: str) -> None:
        self.project = project
        self.tree = tree
        self.targets = Targets(project)
        self._known: dict[str, tuple[Result, frozenset[str]]] = {}

    def names(self) -> list[str]:
        return list(self.targets.known)

    def may_read(self, name: str, files: set[str]) -> bool:
        return True  # known only when it was evaluated

    def result(self, name: str) -> Result:
        return self._evaluated(name)[0]

    def reads(self, name: str) -> frozenset[str]:
        return self._evaluated(name)[1]

    def _evaluated(self, name: str) -> tuple[Result, frozenset[str]]:
        if name not in self._known:
            with self.project.watching() as read:
                result = self._result(name)
            self._known[name] = (result, inside(read, self.tree))
        return self._known[name]

    def _result(self, name: str) -> Result:
        target = self.targets.known.get(name)
        if target is None:
            return Result({})
        try:
            return evaluated(self.targets.documents(target), self.tree)
        except PlaitError as error:
            return Result({}, {"": messages(error, self.tree)})


def evaluated(documents: dict[str, Callable[[], Node]], tree: str) -> Result:
    """The documents of a target; one that fails is represented by its errors."""
    result = Result({})
    for label, value in documents.items():
        try:
            result.documents[label] = value()
        except PlaitError as error:
            result.errors[label] = messages(error, tree)
    return result


def messages(error: PlaitError, tree: str) -> tuple[str, ...]:
    """Errors as lines that are the same in every copy of a tree."""
    found = []
    for diagnostic in in_order(error.diagnostics):
        place = f"{diagnostic.labels[0].origin}: " if diagnostic.labels else ""
        found.append(f"{place}{diagnostic.code} {diagnostic.message}")
    prefixes = (tree + os.sep, os.path.relpath(tree) + os.sep)
    return tuple(_without(prefixes, line) for line in found)


def _without(prefixes: tuple[str, ...], line: str) -> str:
    for prefix in prefixes:
        line = line.replace(prefix, "") if prefix != f".{os.sep}" else line
    return line


def inside(names: set[str], tree: str) -> frozenset[str]:
    """Files as paths from the root of a tree."""
    return frozenset(os.path.relpath(os.path.abspath(name), tree) for name in names)


def suites(project: Project, tree: str) -> Suite:
    """The targets of a tree."""
    return DeclaredTargets(project, tree)
