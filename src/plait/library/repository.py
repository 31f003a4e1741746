"""A repository as a library sees it: its targets, what each gives, and edits by result.

shop = plait.open("infra").target("prod")
shop.value("replicas")
shop.set("replicas", 4)
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plait.core.path import format_path
from plait.core.plain import from_plain
from plait.core.struct import struct
from plait.edits.asking import edit_at
from plait.library.data import Data, shown_data
from plait.library.merging import Document, Explained
from plait.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.edits.effects import ValueChange
    from plait.fronts.front import Target
    from plait.review.finding import Effect
    from plait.tidy.proposal import Proposal


@struct
class ResultChange:
    """One value of a result that changes: where it is, what it was and what it becomes."""

    target: str
    document: str
    path: str
    kind: str
    before: Data
    after: Data
    causes: tuple[str, ...] = ()
    """The places of the lines that cause it, in a review."""

    def __repr__(self) -> str:
        where = " ".join(filter(None, (self.target, self.document, self.path)))
        return f"{where}: {self.kind}, {self.before!r} -> {self.after!r}"


@struct
class TidyProposal:
    """A change of files that leaves every result as it is: where it is, what it is about, and why."""

    kind: str
    file: str
    line: int
    path: str
    reason: str
    targets: tuple[str, ...]
    obstacle: str
    """Why it is not written; empty where it is proved."""

    def __repr__(self) -> str:
        return f"{self.file}:{self.line} {self.path}: {self.kind}, {self.obstacle or self.reason}"


class DeployedTarget:
    """One target: what it gives, as documents that can be explained, and edits of its values.

    An address is a path, or `TYPE/NAME:PATH` where the target has several documents.
    """

    def __init__(self, repository: TargetFolder, name: str) -> None:
        self._repository = repository
        self.name = name
        found = self._target()[1]
        self.kind = found.kind
        self.files = list(found.declaration.files)

    def _target(self) -> tuple[Workspace, Target]:
        workspace = self._repository._workspace()
        return workspace, workspace.targets().find(self.name)

    def documents(self) -> dict[str, Document]:
        """Its documents by what they are called; the only one of a target is called ``."""
        workspace, target = self._target()
        return {name: Document(workspace, tree) for name, tree in target.labelled().items()}

    def text(self, format: str = "yaml") -> str:
        """All of it as YAML, or as lines of JSON."""
        between = "---\n" if format == "yaml" else ""
        return between.join(document.text(format) for document in self.documents().values())

    def value(self, address: str) -> Data:
        """Everything at an address as plain data."""
        workspace, target = self._target()
        tree, path = target.chosen(address)
        return Document(workspace, tree).value(path)

    def explain(self, address: str) -> Explained:
        """Where a value comes from."""
        workspace, target = self._target()
        tree, path = target.chosen(address)
        return Document(workspace, tree).explain(path)

    def set(self, address: str, value: object, *, at: str = "narrowest", create: bool = False) -> list[ResultChange]:
        """Give a value another value in the file that should have it, and write that file. What changes in all targets
        is returned; the write is made only if exactly that changes."""
        return self._edit(address, value, at, create)

    def unset(self, address: str, *, at: str = "narrowest") -> list[ResultChange]:
        """Take a value away, in the same way."""
        return self._edit(address, None, at, True)

    def _edit(self, address: str, value: object, at: str, create: bool) -> list[ResultChange]:
        _, target = self._target()
        edit = edit_at(target, address, None if value is None else from_plain(value))
        edit.check_new(create)
        trial = edit.chosen(at)
        if trial.old != trial.new:
            edit.commit(trial)
        return [_of_edit(change) for change in trial.changes]

    def __repr__(self) -> str:
        return f"DeployedTarget({self.kind} {self.name})"


class TargetFolder:
    """A folder with targets: those of plait.yaml, stacks, and what charts, kustomizations and manifests declare."""

    def __init__(self, folder: str, allow: Iterable[str], deny: Iterable[str]) -> None:
        self.folder = folder
        self._allow = list(allow)
        self._deny = list(deny)

    def _workspace(self) -> Workspace:
        """The files as they are now."""
        return Workspace(self.folder, allow=self._allow, deny=self._deny, cache=False)

    def targets(self) -> list[str]:
        """The names of all targets."""
        return self._workspace().targets().names()

    def target(self, name: str) -> DeployedTarget:
        """One target by its name, or by its kind and name: `prod`, `stack:prod`."""
        return DeployedTarget(self, name)

    def review(
        self, base: str | None = None, other: str | None = None, *, only: Iterable[str] = ()
    ) -> list[ResultChange]:
        """Every value that a change of files changes, with its causes. `base` and `other` are revisions or folders."""
        return [_of_review(effect) for effect in self._workspace().review(base, other, only).effects]

    def tidy(self, *paths: str, only: Iterable[str] = (), write: bool = False) -> list[TidyProposal]:
        """What could be simpler in the files, or in some files or folders: each proposal is proved, or says what is in
        its way. `only` are kinds; with `write`, those that are proved are written."""
        kinds = [only] if isinstance(only, str) else only
        found = self._workspace().tidying.proposals([os.path.join(self.folder, path) for path in paths], kinds)
        rounds = found.rounds()
        if write:
            found.write_rounds(rounds)
        return [_of_tidy(one) for each in rounds for one in each.proposals] + list(map(_of_tidy, rounds[-1].others))

    def __repr__(self) -> str:
        return f"TargetFolder({self.folder!r})"


def open(folder: str = ".", *, allow: Iterable[str] = (), deny: Iterable[str] = ()) -> TargetFolder:
    """The targets of a folder. Files are read when a question is asked, each time anew."""
    return TargetFolder(folder, allow, deny)


def _of_tidy(one: Proposal) -> TidyProposal:
    targets = tuple(dict.fromkeys(target for target, _ in one.places))
    return TidyProposal(one.kind, one.file.name, one.line, one.path, one.reason, targets, one.obstacle)


def _of_edit(change: ValueChange) -> ResultChange:
    return ResultChange(
        change.target,
        change.document,
        format_path(change.path),
        change.kind,
        shown_data(change.before),
        shown_data(change.after),
    )


def _of_review(effect: Effect) -> ResultChange:
    return ResultChange(
        effect.target,
        effect.document,
        format_path(effect.path),
        effect.difference.kind,
        shown_data(effect.before),
        shown_data(effect.after),
        tuple(f"{hunk.file}:{hunk.line}" for hunk in effect.cause.hunks),
    )
