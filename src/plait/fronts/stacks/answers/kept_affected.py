"""The rows of components that differ from a revision, taken from an earlier run where nothing changed that they read.

A row compares two states of the files. The one before the change is the same as in the earlier run, or nothing is taken
from it. So a row is another one only where the files of today differ from those of the earlier run in something that
the component reads: see `kept_components`. Which files git calls changed is no input of a row: their names are put in
anew.
"""

from __future__ import annotations

from functools import cached_property
from typing import cast

from plait.access.trace import digest_of
from plait.core.diagnostic import Fault
from plait.core.struct import struct
from plait.fronts.stacks.answers.kept_components import BESIDES, KeptComponents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from plait.access.trace import Input
    from plait.fronts.stacks.answers.changes import ChangedFiles
    from plait.fronts.stacks.answers.dependents import Instance, Row
    from plait.fronts.stacks.answers.kept_components import Bases, Reused
    from plait.fronts.stacks.answers.reach import ChangeReach, Entry

    Item = tuple[Entry, Row]

AFFECTED, BEFORE, TYPES = "affected", "before", "types"


@struct
class ComparedRows:
    """What a comparison found."""

    rows: dict[Instance, Row]
    bases: dict[str, dict[Entry, Bases]]
    """By stack, the bases of the components that were compared; None where they are not the same on both sides."""
    touched: set[str]
    """The stacks that the change may reach."""
    types: set[str]
    """The types of components."""
    all_bases: Callable[[str], dict[Entry, Bases]]
    """The bases of every component of a stack that may be deployed."""


class KeptAffected:
    """The rows of an earlier run that are still true, and what this run leaves for the next one."""

    def __init__(self, reach: ChangeReach, change: ChangedFiles) -> None:
        self._reach = reach
        self._change = change
        self._project = reach.repository.session.project
        self._before = {name: _digest(data) for name, data in change.before().items()}
        """The files that differ as they were; None for one that was not there."""
        self._manifests: dict[str, str] = {}
        """The names of the files by their paths."""
        self.types: frozenset[str] = frozenset()
        """The types of components that the earlier run found."""
        self.answers = KeptComponents(reach.repository, AFFECTED, self._is_shown, self)
        self._reused: dict[str, Reused | None] = {}
        if self.answers.is_narrowing:
            names = self.answers.names(reach.repository.named)
            self._reused = {name: self.answers.find(name) for name in names if self.answers.is_narrowed}

    def _is_shown(self, manifest: Any, type: str, name: str) -> bool:
        return not self._reach.abstract.has(manifest, type, name)

    # What the earlier run left

    def holds(self, data: dict[str, Any], changed: frozenset[str]) -> bool:
        """Whether the manifests before the change are those of the earlier run."""
        texts: dict[str, str] = data["texts"]
        self._manifests = {path: self._reach.path(path) for path in texts}
        self.types = frozenset(data[TYPES])
        known: dict[str, bytes | None] = data[BEFORE]
        for path, name in self._manifests.items():
            if name in known or name in self._before:
                then = known[name] if name in known else _digest(_encoded(texts[path]))
                now = self._before[name] if name in self._before else self._digest_now(path, texts, changed)
                if then != now:
                    return False
            elif path in changed:  # git does not know the file, so that it is another one before the change, too
                return False
        return True

    def _digest_now(self, path: str, texts: dict[str, str], changed: frozenset[str]) -> bytes | None:
        try:
            return _digest(self._project.bytes(path) if path in changed else _encoded(texts[path]))
        except Fault:
            return None

    def moved(self, answers: list[Item], changed: frozenset[str]) -> frozenset[Entry]:
        """The components whose rows name lines of changed files."""
        names = {self._reach.repository.session.shown(path) for path in changed}
        return frozenset(
            entry
            for entry, row in answers
            if any(cause.get("file") in names for cause in cast("list[Row]", row["causes"]))
        )

    def knows(self, changed: Iterable[str]) -> bool:
        """Whether all of these files are manifests, so that no external data depends on them."""
        return {*self._manifests.values()}.issuperset(changed)

    @property
    def same(self) -> dict[str, str]:
        """The manifests that are the same before and after the change, each with its path from the root."""
        unchanged = self._manifests.keys() - self.answers.changed
        return {path: self._manifests[path] for path in unchanged if self._manifests[path] not in self._before}

    def rows(self) -> dict[Instance, Row]:
        """The rows of the earlier run that are still true, with the files that differ today."""
        found: dict[Instance, Row] = {}
        named = {path: name for path, name in self._manifests.items() if name in self._change.rows}
        settings = self._reach.settings & self._change.names
        for stack, reused in self._reused.items():
            items = reused.pieces() if reused is not None else []
            files = {named[path] for path in reused.paths if path in named} if reused is not None and items else set()
            for entry, row in items:
                if "changed_files" in row:
                    row["changed_files"] = sorted(files | settings)
                if reused is not None and entry not in reused.touched:
                    found[stack, *entry] = row
        return found

    @cached_property
    def again(self) -> dict[str, frozenset[Entry] | None]:
        """The components of each stack to compare again; None for all that the change reaches."""
        return {stack: reused.touched if reused is not None else None for stack, reused in self._reused.items()}

    def start_over(self) -> None:
        """Take nothing from the earlier run."""
        self.answers.start_over()
        self._reused = {}

    # What the next run may take

    def leave(self, found: ComparedRows, besides: frozenset[Input]) -> None:
        """Store the rows of a comparison; `besides` is what was read, and not for a row."""
        names = self._reused or self.answers.names(self._reach.repository.named)
        items: dict[str, list[Item]] = {stack: [] for stack in names}
        if not items.keys() >= {key[0] for key in found.rows}:
            return
        for (stack, type, name), row in found.rows.items():
            items[stack].append(((type, name), row))
        whole = {stack: found.all_bases(stack) for stack in found.touched if self._reused.get(stack) is None}
        fresh = {stack: {**whole.get(stack, {}), **found.bases.get(stack, {})} for stack in {*whole, *found.bases}}
        more = {BEFORE: self._before, BESIDES: besides, TYPES: sorted(found.types)}
        self.answers.keep_items(items, fresh, self._reused, **more)


def _digest(data: bytes | None) -> bytes | None:
    return digest_of(data) if data is not None else None


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
