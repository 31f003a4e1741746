"""What an editor asks of something that is checked and asked as a whole: a target, a stack manifest, one file."""

from __future__ import annotations

from plait.core.diagnostic import PlaitError
from plait.core.unknown import mistakes_in
from plait.report.unknown import not_known_here, unknown_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Protocol

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.steps import Steps
    from plait.evaluate.tree import Tree
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.findings import CheckedUnit, Finding
    from plait.fronts.trail import SpotTrail
    from plait.merging.account import Account
    from plait.report.unknown import UnknownValue

    class Unit(Protocol):
        """Something that is checked and asked as a whole."""

        name: str
        kind: str
        """How its files are read: stacks, layers, template, document, files or pattern."""

        @property
        def files(self) -> frozenset[str]:
            """The files that it is made of, by their real paths."""

        @property
        def is_broken(self) -> bool:
            """Whether nothing can be made of its files."""

        def check(self, made: Callable[[Diagnostic], Finding]) -> Steps[CheckedUnit]:
            """Everything that is wrong with it, in steps, without looking again at what is known."""

        def left(self) -> list[Finding]:
            """What was found when it was checked last and is still true, whatever has changed since."""

        def check_file(self, path: str) -> list[Diagnostic]:
            """What is wrong with one of its files by itself."""

        def results(self, trail: SpotTrail) -> Iterator[Result]:
            """The results in which what is written at a place may have a part."""

        def result_of(self, type: str, name: str, stack: str, path: Path) -> Result | None:
            """The value of another document that a template names; None where there is none."""

        def places(self, path: Path) -> Iterable[tuple[WrittenPlace, str]]:
            """Where else a value of a path can be written, and what it applies to there."""

    class ManifestFolder(Protocol):
        """The manifests of a folder whose names, imports and components belong together."""

        @property
        def base(self) -> str:
            """The folder that manifests are in."""

        def units(self) -> Sequence[Unit]:
            """A unit for each manifest that makes something; none of them is read yet."""

        def names(self) -> Iterable[str]:
            """The names of what they make."""

        def code_folder(self, type: str) -> str:
            """The folder that the code of components of a type is in."""

        def imported(self, file: str, name: str) -> list[str]:
            """The files that a name means where a file imports it."""

        def tree(self, name: str, stack: str) -> Tree | None:
            """The values of a component; None where there is none, or it cannot be put together."""

        def check_alone(self, path: str) -> list[Diagnostic]:
            """What is wrong with a file that nothing imports."""

        def disagreements(self) -> list[Diagnostic]:
            """What two manifests define differently."""


def findings_of(unit: Unit) -> tuple[str, str, str]:
    """The question what is wrong with a unit."""
    return "findings", unit.kind, unit.name


class Result:
    """One tree that a text has a part in, and where in it a place of the text may be."""

    __slots__ = ("_account", "about", "abstract", "decided", "label", "path", "stack", "tree", "unit")

    def __init__(
        self,
        unit: str,
        label: str,
        tree: Tree,
        path: Path | None,
        abstract: bool = False,
        stack: str = "",
        about: str = "",
        decided: bool = False,
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
        self.decided = decided
        """Whether the place of the text decides the value at the path, wherever that is written."""
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
