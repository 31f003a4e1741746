"""What a text takes part in: the targets of a folder, each with its results and its findings.

A unit is what is checked and asked as a whole: a target of plait.yaml, a stack manifest with all that it imports, or a
file that no target names, on its own.
"""

from __future__ import annotations

import os

from plait.authoring.findings import UnitShape
from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Mapping, Scalar, Sequence
from plait.core.unknown import mistakes_in
from plait.evaluate.tree import Tree
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
from plait.report.unknown import not_known_here, unknown_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from plait.authoring.findings import Finding, KeptUnit
    from plait.authoring.trail import SpotTrail
    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.front import Target
    from plait.merging.account import Account
    from plait.report.unknown import UnknownValue

    class Unit(Protocol):
        """Something that is checked and asked as a whole."""

        name: str
        kind: str
        """How its files are read: stacks, layers, template, document, files or pattern."""

        def shape(self) -> UnitShape:
            """What it is made of."""
            ...

        def check(self, kept: KeptUnit, made: Callable[[Diagnostic], Finding]) -> list[Finding]:
            """Everything that is wrong with it, without looking again at what is known."""
            ...

        def results(self, trail: SpotTrail) -> Iterator[Result]:
            """The results in which what is written at a place may have a part."""
            ...


class Result:
    """One tree that a text has a part in, and where in it a place of the text may be."""

    __slots__ = ("_account", "about", "abstract", "label", "path", "stack", "tree", "unit")

    def __init__(
        self,
        unit: str,
        label: str,
        tree: Tree,
        path: Path | None,
        abstract: bool = False,
        stack: str = "",
        about: str = "",
    ) -> None:
        self.unit = unit
        self.label = label
        """What people call it: `web in ue1-prod`, or the name of a target."""
        self.tree = tree
        self.path = path
        """The path of the tree that the place of the text has; None where it is to be followed."""
        self.abstract = abstract
        """Whether nothing is deployed from it: it is there to be inherited from."""
        self.stack = stack
        """The stack that it is in; empty where there are none."""
        self.about = about
        """What the code that reads the value says about it; empty where it says nothing, or there is none."""
        self._account: Account | None = None

    @property
    def account(self) -> Account:
        if self._account is None:
            self._account = self.tree.account()
        return self._account


def attempt(question: Callable[[], object], diagnostics: list[Diagnostic]) -> None:
    """Ask, and keep what is wrong."""
    try:
        question()
    except PlaitError as error:
        diagnostics += error.diagnostics


def uncomputed(node: Node) -> list[Diagnostic]:
    """What is wrong with the values of a finished tree, and which of them are not known here, each at its place."""
    return [*mistakes_in(node), *each_unknown(unknown_in(node))]


def each_unknown(values: Iterable[UnknownValue]) -> list[Diagnostic]:
    """Each value that is not known, by itself."""
    return [finding for value in values for finding in not_known_here([value])]


class TargetUnit:
    """A target whose files are edited."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.project = target.project
        self.name = target.name
        self.kind = target.kind
        self._read: set[str] = set()

    def shape(self) -> UnitShape:
        """The files that the declaration names, and those that were read with them."""
        return UnitShape(frozenset((*self.layers(), *map(os.path.realpath, self._read))))

    def check(self, kept: KeptUnit, made: Callable[[Diagnostic], Finding]) -> list[Finding]:
        with self.project.watching() as read:
            found = self.target.findings()
        self._read = read
        found = [*found, *each_unknown(self.target.unknown)]
        return [made(self._placed(one)) for one in dict.fromkeys(found)]

    def _placed(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic that has a place: one about a file as a whole is reported where the target names the file."""
        node = self.target.declaration.node
        if diagnostic.labels or node is None:
            return diagnostic
        names = [one for one in _scalars(node) if one.text and one.text in diagnostic.message]
        named = max(names, key=lambda one: len(one.text), default=None)
        label = Label(named.origin, length=len(named.text)) if named is not None else Label(node.origin)
        return diagnostic.also_at(label)

    def layers(self) -> list[str]:
        """The paths of the files that the declaration names."""
        one = self.target.declaration
        return [os.path.realpath(os.path.join(one.folder, name)) for name in one.files]

    def results(self, trail: SpotTrail) -> Iterator[Result]:
        return results_of(self.target, trail)


def results_of(target: Target, trail: SpotTrail) -> Iterator[Result]:
    """The documents of a target in which what is written at a place may have a part."""
    for name, tree in target.holding(trail.file, trail.is_root):
        yield Result(target.name, f"{target.name}: {name}" if name else target.name, tree, None)


def _scalars(entry: Node) -> Iterator[Scalar]:
    """The scalars of a target, and of the lists in it."""
    for child in entry.entries.values() if isinstance(entry, Mapping) else ():
        rows = child.items if isinstance(child, Sequence) else (child,)
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

    def shape(self) -> UnitShape:
        return UnitShape(frozenset((self.path,)))

    def check(self, kept: KeptUnit, made: Callable[[Diagnostic], Finding]) -> list[Finding]:
        return []

    def check_file(self) -> list[Diagnostic]:
        """What is wrong with the file whatever it is merged with."""
        found = [*self.target.findings(), *each_unknown(self.target.unknown)] if self.target is not None else []
        return [one for one in dict.fromkeys(found) if one.code not in ELSEWHERE]

    def results(self, trail: SpotTrail) -> Iterator[Result]:
        return results_of(self.target, trail) if self.target is not None else iter(())
