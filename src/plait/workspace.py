"""The one object that every surface asks: command line, library, and whatever comes later.

A workspace is one run in one folder: what may be done there, how much of it, and each file read once.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Diagnostic, Label, PlaitError
from plait.core.node import Node, plain
from plait.core.path import Path, PathError, format_path, parse_path
from plait.core.policy import MergePolicy
from plait.core.source import MASK, Source
from plait.evaluate.braid import Braid
from plait.evaluate.engine import NotThere
from plait.evaluate.limits import Counters, Guard
from plait.fronts.layers import Layers
from plait.fronts.notations import function_listings as function_table
from plait.fronts.project import Project, policy_of
from plait.fronts.trust import capabilities, forget_trust, record_trust, trusted
from plait.fronts.trust import read_trust as list_trust
from plait.report.catalog import BAD_PATH, UNKNOWN_PATH
from plait.yaml.emit import emit, emit_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.evaluate.explain import Contribution, Explanation, Leaf
    from plait.fronts.stacks.questions import Shape, Stacks

__all__ = [
    "Contribution",
    "Explanation",
    "Leaf",
    "Shape",
    "Stacks",
    "Workspace",
    "as_text",
    "forget_trust",
    "function_table",
    "list_trust",
    "plain_value",
    "read_path",
    "record_trust",
]


class Workspace:
    """A folder, and what a run in it may do."""

    def __init__(
        self,
        folder: str = ".",
        *,
        allow: Iterable[str] = (),
        deny: Iterable[str] = (),
        budgets: dict[str, int] | None = None,
        cache: bool = True,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        granted = capabilities([*allow, os.environ.get("PLAIT_ALLOW", "")]) | trusted(folder)
        guard = Guard(granted, capabilities(list(deny)))
        self.project = Project(folder, guard=guard, budgets=budgets, progress=progress)

    @property
    def counters(self) -> Counters:
        return self.project.counters

    def policy(self, lists: Iterable[str] = (), policy_file: str | None = None) -> MergePolicy:
        """How layers are merged here: flags over a policy file over plait.yaml."""
        return policy_of(self.project, list(lists), policy_file)

    def layers(
        self,
        names: Iterable[str],
        policy: MergePolicy,
        *,
        sets: Iterable[str] = (),
        create: bool = False,
        notations: Iterable[str] = (),
    ) -> Braid:
        """Layers of YAML as one lazy tree."""
        return Layers(self.project, policy, tuple(notations)).braid(names, sets, create)

    def value(self, braid: Braid, path: str = "") -> Node:
        """The finished value at a path; all errors at once."""
        steps = read_path(path)
        try:
            return braid.value(steps)
        except NotThere as nowhere:
            raise _unknown(nowhere, steps) from None

    def explain(self, braid: Braid, path: str) -> Explanation:
        """Where the value at a path comes from."""
        from plait.evaluate.explain import explain  # most commands do not explain

        steps = read_path(path)
        try:
            return explain(braid, steps)
        except NotThere as nowhere:
            raise _unknown(nowhere, steps) from None

    def write(self, files: dict[str, bytes | None]) -> list[str]:
        """Write a set of files, all or none; the names of those that changed."""
        from plait.yaml.write import write_files

        return write_files(files, root=self.project.root)

    def stacks(self, folder: str = ".", flags: dict[str, object] | None = None, options: dict[str, object] | None = None) -> Stacks:
        """The stack manifests of a repository that has an atmos.yaml. `flags` and `options` are words of `Flags` and `Options` there."""
        from plait.fronts.stacks.questions import Flags, Options, Stacks

        return Stacks(self.project, folder, Flags(**(flags or {})), Options(**(options or {})))  # type: ignore[arg-type]

    def lint(self, braid: Braid, policy: MergePolicy) -> list[Diagnostic]:
        """What the merge loses without a word."""
        from plait.evaluate.lint import lint

        return lint(braid, policy)


def read_path(text: str) -> Path:
    """A path that somebody typed."""
    try:
        return parse_path(text)
    except PathError as trouble:
        label = Label.at(Source("the path", text, given=True), trouble.at)
        raise BAD_PATH.error(label, path=text, why=trouble.message) from None


def _unknown(nowhere: NotThere, path: Path) -> PlaitError:
    trouble = nowhere.labelled().diagnostics[0]
    return UNKNOWN_PATH.error(path=format_path(path), hint=trouble.hint, notes=(trouble.message,) if not trouble.hint else ())


def as_text(node: Node, form: str = "yaml", reveal: bool = False) -> str:
    """A finished node as YAML or JSON, ready to print."""
    return emit_json(node, reveal=reveal) if form == "json" else emit(node, reveal=reveal)


def plain_value(node: Node, reveal: bool = False) -> object:
    """A finished node as plain Python data; a secret as its mask. Keys become text."""
    return plain(node, None if reveal else MASK)
