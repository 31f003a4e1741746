"""What a text takes part in: the targets of a folder, each with its results and its findings.

A unit is what is checked and asked as a whole: a target of plait.yaml, a stack manifest with all that it imports, or a
file that no target names, on its own.
"""

from __future__ import annotations

import os

from plait.authoring.findings import UnitShape
from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Mapping, Scalar, Sequence
from plait.evaluate.tree import Tree
from plait.fronts.layers import LayerReader, merge_options
from plait.fronts.lint import CodeSelection, lint
from plait.fronts.lint.rules import Subject as Linted
from plait.fronts.spiff import Spiff
from plait.fronts.spiff.cascade import Cascade
from plait.fronts.targets import Target, Targets
from plait.fronts.unfurl.documents import Directives
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
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from plait.authoring.findings import Finding, KeptUnit
    from plait.authoring.trail import SpotTrail
    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.project import Project
    from plait.merging.account import Account

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

    __slots__ = ("_account", "abstract", "label", "path", "stack", "tree", "unit")

    def __init__(
        self, unit: str, label: str, tree: Tree, path: Path | None, abstract: bool = False, stack: str = ""
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


def lint_layers(project: Project, names: list[str]) -> list[Diagnostic]:
    """What is probably not meant in some layers."""
    options = merge_options(project)
    bundle = LayerReader(project, options).bundle(names)
    return lint(Linted(project, bundle, options.patterns, ""), CodeSelection())


class DeclaredUnit:
    """A target that plait.yaml declares."""

    def __init__(self, project: Project, targets: Targets, target: Target) -> None:
        self.project = project
        self.targets = targets
        self.target = target
        self.name = target.name
        self.kind = target.kind
        self._read: set[str] = set()

    def shape(self) -> UnitShape:
        """The files that plait.yaml names, and those that were read with them."""
        return UnitShape(frozenset((*self.layers(), *map(os.path.realpath, self._read))))

    def check(self, kept: KeptUnit, made: Callable[[Diagnostic], Finding]) -> list[Finding]:
        return [made(one) for one in self._found()]

    def _found(self) -> list[Diagnostic]:
        diagnostics: list[Diagnostic] = []
        with self.project.watching() as read:
            attempt(lambda: self._evaluate(diagnostics), diagnostics)
            if self.kind == "layers":
                attempt(lambda: diagnostics.extend(self._lint()), diagnostics)
        self._read = read
        return [self._placed(one) for one in dict.fromkeys(diagnostics)]

    def _placed(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic that has a place: one about a file as a whole is reported where the target names the file."""
        if diagnostic.labels:
            return diagnostic
        names = [node for node in _scalars(self.target.node) if node.text and node.text in diagnostic.message]
        named = max(names, key=lambda node: len(node.text), default=None)
        label = Label(named.origin, length=len(named.text)) if named is not None else Label(self.target.node.origin)
        return diagnostic.also_at(label)

    def _evaluate(self, diagnostics: list[Diagnostic]) -> None:
        for document in self.targets.documents(self.target).values():
            attempt(document, diagnostics)

    def _lint(self) -> list[Diagnostic]:
        return lint_layers(self.project, self._names())

    def layers(self) -> list[str]:
        """The paths of the files that plait.yaml names."""
        return [os.path.realpath(os.path.join(self.targets.base, name)) for name in self.target.files]

    def _names(self) -> list[str]:
        return self.targets.names(self.target)

    def results(self, trail: SpotTrail) -> Iterator[Result]:
        reader = READERS.get(self.kind)
        return reader(self, self.project, self._names(), trail) if reader is not None else iter(())


def _scalars(entry: Node) -> Iterator[Scalar]:
    """The scalars of a target, and of the lists in it."""
    for child in entry.entries.values() if isinstance(entry, Mapping) else ():
        rows = child.items if isinstance(child, Sequence) else (child,)
        yield from (row for row in rows if isinstance(row, Scalar))


def _layers(unit: DeclaredUnit | LoneUnit, project: Project, names: list[str], trail: SpotTrail) -> Iterator[Result]:
    bundle = LayerReader(project).bundle(names)
    single = len(bundle.members) == 1
    for member in bundle.members:
        if any(trail.is_root(document) for document in member.group.documents):
            label = unit.name if single else f"{unit.name}: {member.group.label}"
            yield Result(unit.name, label, member.tree, None)


def _template(unit: DeclaredUnit | LoneUnit, project: Project, names: list[str], trail: SpotTrail) -> Iterator[Result]:
    front = Spiff(project)
    result = front.merge([project.admit(name) for name in names])[0]
    yield Result(unit.name, unit.name, Cascade(front.evaluator, front.stages[: len(names)], result), None)


def _document(unit: DeclaredUnit | LoneUnit, project: Project, names: list[str], trail: SpotTrail) -> Iterator[Result]:
    for name in names:
        if os.path.realpath(name) == trail.file:
            yield Result(unit.name, unit.name, Directives(project).document(name, evaluate=True).tree, None)


READERS = {"layers": _layers, "template": _template, "document": _document}


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

    def __init__(self, project: Project, path: str, kind: str) -> None:
        self.project = project
        self.path = path
        self.name = os.path.basename(path)
        self.kind = kind

    def shape(self) -> UnitShape:
        return UnitShape(frozenset((self.path,)))

    def check(self, kept: KeptUnit, made: Callable[[Diagnostic], Finding]) -> list[Finding]:
        return []

    def check_file(self) -> list[Diagnostic]:
        """What is wrong with the file whatever it is merged with."""
        found: list[Diagnostic] = []
        name = os.path.relpath(self.path)
        evaluate = ALONE.get(self.kind)
        if evaluate is not None:
            attempt(lambda: evaluate(self.project, name, found), found)
        return [one for one in dict.fromkeys(found) if one.code not in ELSEWHERE]

    def results(self, trail: SpotTrail) -> Iterator[Result]:
        reader = READERS.get(self.kind)
        name = os.path.relpath(self.path)
        return reader(self, self.project, [name], trail) if reader is not None else iter(())


def _layer_alone(project: Project, name: str, diagnostics: list[Diagnostic]) -> None:
    for member in LayerReader(project).bundle([name]).members:
        attempt(member.tree.value, diagnostics)
    diagnostics += lint_layers(project, [name])


def _template_alone(project: Project, name: str, diagnostics: list[Diagnostic]) -> None:
    front = Spiff(project)
    attempt(lambda: front.merge([project.admit(name)]), diagnostics)


def _document_alone(project: Project, name: str, diagnostics: list[Diagnostic]) -> None:
    attempt(Directives(project).document(name, evaluate=True).tree.value, diagnostics)


ALONE = {"layers": _layer_alone, "template": _template_alone, "document": _document_alone}
"""How a file on its own is evaluated, by how it is read."""
