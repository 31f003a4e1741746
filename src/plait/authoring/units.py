"""What a text takes part in: the targets of a folder, each with its results and its findings.

A unit is what is checked and asked as a whole: a target of plait.yaml, a stack manifest with all that it imports, or a
file that no target names, on its own.
"""

from __future__ import annotations

import os
from functools import cached_property

from plait.access.trace import files_in
from plait.core.diagnostic import Label
from plait.core.node import ListNode, MapNode, Scalar
from plait.fronts.editing import Editor, WrittenPlace
from plait.fronts.findings import CheckedUnit
from plait.fronts.unit import Result, each_unknown, findings_of
from plait.report.catalog import (
    LEADS_NOWHERE,
    MISSPELT,
    NEVER_USED,
    NO_INPUT,
    NO_REFERENCE,
    NO_RESULT,
    NOT_FOUND,
    NOT_IN_STUBS,
    UNREAD,
    UNUSED_RULE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.steps import Steps
    from plait.fronts.findings import Finding
    from plait.fronts.front import Target
    from plait.fronts.trail import SpotTrail


class TargetUnit:
    """A target whose files are edited."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.project = target.project
        self.name = target.name
        self.kind = target.kind
        self.is_broken = False

    @cached_property
    def files(self) -> frozenset[str]:
        """The files that the declaration names, and those that were read when it was checked last."""
        known = self.project.queries.last(findings_of(self))
        read = map(os.path.realpath, files_in(known.reads)) if known is not None else ()
        return frozenset((*self.layers(), *read))

    def check(self, made: Callable[[Diagnostic], Finding]) -> Steps[CheckedUnit]:
        found = yield from self.target.findings_in_steps()
        found = [*found, *each_unknown(self.target.unknown)]
        self.__dict__.pop("files", None)  # others were read
        return CheckedUnit([made(self._placed(one)) for one in dict.fromkeys(found)])

    def left(self) -> list[Finding]:
        return []

    def _placed(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic that has a place: one about a file as a whole is reported where the target names the file."""
        node = self.target.declaration.node
        if diagnostic.labels or node is None:
            return diagnostic
        names = [one for one in _scalars(node) if one.text and one.text in diagnostic.message]
        named = max(names, key=lambda one: len(one.text), default=None)
        label = Label(named.origin, length=len(named.text)) if named is not None else Label(node.origin)
        return diagnostic.also_at(label)

    def check_file(self, path: str) -> list[Diagnostic]:
        return []

    def layers(self) -> list[str]:
        """The paths of the files that the declaration names."""
        one = self.target.declaration
        return [os.path.realpath(os.path.join(one.folder, name)) for name in one.files]

    def results(self, trail: SpotTrail) -> Iterator[Result]:
        return results_of(self.target, trail)

    def result_of(self, type: str, name: str, stack: str, path: Path) -> None:
        return None

    def places(self, path: Path) -> Iterable[tuple[WrittenPlace, str]]:
        """A path of each layer of a target that has one document."""
        editor = Editor(self.project)
        for name in self.target.files if self.kind == "layers" else ():
            source = self.project.source(name)
            roots = editor.trees_of(source)
            if len(roots) == 1:
                yield WrittenPlace(source.name, os.path.realpath(name), source, "layer", path, roots[0]), ""


def results_of(target: Target, trail: SpotTrail) -> Iterator[Result]:
    """The documents of a target in which what is written at a place may have a part."""
    for name, tree in target.holding(trail.file, trail.is_root):
        yield Result(target.name, f"{target.name}: {name}" if name else target.name, tree, None)
    for name, tree, path in target.decided(trail.wrote_within):
        yield Result(target.name, f"{target.name}: {name}", tree, path, decided=True)


def _scalars(entry: Node) -> Iterator[Scalar]:
    """The scalars of a target, and of the lists in it."""
    for child in entry.entries.values() if isinstance(entry, MapNode) else ():
        rows = child.items if isinstance(child, ListNode) else (child,)
        yield from (row for row in rows if isinstance(row, Scalar))


ELSEWHERE = frozenset(
    code.code
    for code in (
        NOT_FOUND,
        NO_REFERENCE,
        NOT_IN_STUBS,
        NEVER_USED,
        UNREAD,
        UNUSED_RULE,
        MISSPELT,
        NO_RESULT,
        NO_INPUT,
        LEADS_NOWHERE,
    )
)
"""Findings that another file may resolve; they are not reported for a file on its own."""


class LoneUnit:
    """A file that no target names: what it holds on its own, and what can be known to be wrong without any other."""

    def __init__(self, target: Target | None, path: str, kind: str) -> None:
        """`target` is the file as the only one of a target; None where files of this kind are none."""
        self.target = target
        self.path = path
        self.name = os.path.basename(path)
        self.kind = kind
        self.files = frozenset((path,))
        self.is_broken = False

    def check(self, made: Callable[[Diagnostic], Finding]) -> Steps[CheckedUnit]:
        yield
        return CheckedUnit([])

    def left(self) -> list[Finding]:
        return []

    def check_file(self, path: str) -> list[Diagnostic]:
        """What is wrong with the file whatever it is merged with."""
        found = [*self.target.findings(), *each_unknown(self.target.unknown)] if self.target is not None else []
        return [one for one in dict.fromkeys(found) if one.code not in ELSEWHERE]

    def results(self, trail: SpotTrail) -> Iterator[Result]:
        return results_of(self.target, trail) if self.target is not None else iter(())

    def result_of(self, type: str, name: str, stack: str, path: Path) -> None:
        return None

    def places(self, path: Path) -> Iterable[tuple[WrittenPlace, str]]:
        return ()
