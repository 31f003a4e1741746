"""An edit by result: a value that is to be another one, the places where it could be written, and what a write at each
of them would change.

A trial evaluates what may depend on the file with the new text in place of the old one. What it finds is a promise: the
write is prepared, read again from the disk, evaluated, and put in its place only if the same values change.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from plait.core.diagnostic import Diagnostic, Fault
from plait.core.node import Mapping, Node, Scalar, Sequence, equal
from plait.core.path import Path, format_path
from plait.core.visible import counted
from plait.edits.effects import ValueChange, broken
from plait.fronts.editing import Editor, WrittenPlace, one_line
from plait.fronts.typed_values import settled
from plait.report.catalog import (
    CHANGED_SINCE,
    COMPUTED_VALUE,
    EDIT_BREAKS,
    NO_EFFECT,
    OTHER_CHANGES,
    UNKNOWN_PATH,
)
from plait.yaml.edits import Delete, Edit
from plait.yaml.files import decode, encoding_of, read_bytes
from plait.yaml.patch import apply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Mapping as Map

    from plait.core.source import Origin
    from plait.fronts.project import Project


UNSET = Scalar(None, "", tag="!unset")
BY_HAND = "edit the expression itself"


class Trial:
    """What a write at one place would do.

    `refused` says why it cannot be made; `missed` why the value would not be the wanted one.
    """

    __slots__ = ("changes", "data", "missed", "new", "old", "refused", "site", "value")

    def __init__(self, site: WrittenPlace) -> None:
        self.site = site
        self.data = b""
        """The bytes of the file as they were read."""
        self.old = ""
        self.new = ""
        self.changes: list[ValueChange] = []
        self.value: Node | None = None
        """The value afterwards."""
        self.missed = ""
        self.refused: tuple[Diagnostic, ...] = ()

    @property
    def works(self) -> bool:
        return not self.missed and not self.refused and not broken(self.changes)

    @property
    def obstacle(self) -> str:
        """Why the write is of no use; empty where it works."""
        if self.refused:
            return f"cannot be written: {self.refused[0].message}"
        if self.missed:
            return f"does not set it: {self.missed}"
        return "" if self.works else "would cause errors"

    @property
    def stacks(self) -> list[str]:
        return list(dict.fromkeys(change.stack for change in self.changes))

    @property
    def reach(self) -> tuple[int, int, int]:
        """How far the write reaches: stacks, components, values."""
        components = {(change.stack, change.component) for change in self.changes}
        return len(self.stacks), len(components), len(self.changes)

    def as_data(self, reveal: bool = False) -> dict[str, object]:
        """The trial as plain data, for programs."""
        site = self.site
        row: dict[str, object] = {
            "file": site.file,
            "line": site.line,
            "layer": site.layer,
            "about": site.about,
            "path": format_path(site.steps),
            "written": site.written is not None,
            "defines": site.decides,
            "works": self.works,
            "changes": [change.as_data(reveal) for change in self.changes],
        }
        why = self.missed or "; ".join(one.message for one in self.refused)
        return {**row, "why": why} if why else row


class ResultEdit(ABC):
    """One value of one document, to be set or, without a value, removed."""

    part = "document"
    """What the value is a part of."""

    def __init__(self, project: Project, path: Path, value: Node | None, sites: Iterable[WrittenPlace]) -> None:
        self.project = project
        self.path = path
        self.sites = list(sites)
        self.now = self._current()
        self.value = None if value is None else settled(value, self.now)
        if value is None and self.now is None:
            raise UNKNOWN_PATH.error(path=format_path(path), hint="there is nothing to remove")
        self._tried: dict[WrittenPlace, Trial] = {}

    @abstractmethod
    def _current(self) -> Node | None:
        """The value as it is now; None where there is none."""

    @abstractmethod
    def _effects(self, path: str, data: bytes) -> tuple[list[ValueChange], Node | None]:
        """Every value that other bytes in a file would change, and the value itself afterwards."""

    @abstractmethod
    def _effects_on_disk(self, path: str, data: bytes) -> list[ValueChange]:
        """The same changes, against the files as they are on the disk now."""

    @property
    @abstractmethod
    def decider(self) -> Origin:
        """Where the value as it is now was written."""

    # Asking

    def trials(self) -> list[Trial]:
        """Every place with what a write there would do: those that give the value first, the narrowest of them
        first."""
        order = {site: number for number, site in enumerate(self.sites)}
        found = [self.trial(site) for site in self.sites]
        return sorted(found, key=lambda trial: (not trial.works, trial.reach, order[trial.site]))

    def trial(self, site: WrittenPlace) -> Trial:
        if site not in self._tried:
            self._tried[site] = self._try(site)
        return self._tried[site]

    # Trying

    def _try(self, site: WrittenPlace) -> Trial:
        trial = Trial(site)
        trial.data = read_bytes(site.path, size_limit=self.project.budgets.size, door=self.project.door)
        source = decode(site.file, trial.data)
        trial.old = source.text
        if site.computed:
            trial.refused = (COMPUTED_VALUE(path=format_path(self.path), expression=site.computed, hint=BY_HAND),)
            return trial
        try:
            trial.new = apply(source, [self._edit(site)])
            trial.changes, trial.value = self._effects(site.path, self.bytes_after(trial))
        except Fault as error:
            trial.refused = error.diagnostics
            return trial
        trial.missed = self._missed(trial.value)
        return trial

    def _edit(self, site: WrittenPlace) -> Edit:
        root = Editor(self.project).documents(site.source, site.number)
        if self.value is not None:
            return Editor(self.project).edit_for(root, site.steps, self.value, True, site.number)
        if site.written is not None:
            return Delete(site.steps, site.number)
        return Editor(self.project).edit_for(root, site.steps, UNSET, True, site.number)

    def bytes_after(self, trial: Trial) -> bytes:
        """What the file would hold after the write."""
        encoding, mark = encoding_of(trial.data)
        return trial.data[:mark] + trial.new.encode(encoding)

    def _missed(self, value: Node | None) -> str:
        """Why the wanted value would not be there; empty where it would."""
        if value is not None and self.value is not None and holds(value, self.value):
            return ""
        if value is None and self.value is None:
            return ""
        if value is None:
            return f"the {self.part} would not have this value"
        if self.now is not None and equal(value, self.now):
            origin = self.decider
            return f"overridden by {origin.file}:{origin.line}"
        return f"the {self.part} would have {one_line(value, False)}"

    # Writing

    def commit(self, trial: Trial) -> None:
        """Write what was tried, if exactly the announced values change; else nothing is written."""
        self.check(trial)
        path = trial.site.path
        writer = self.project.writer()
        with writer.hold([path]) as lock:
            if read_bytes(path, size_limit=self.project.budgets.size) != trial.data:
                raise CHANGED_SINCE.error(name=trial.site.file, hint="check the file, then run the command again")
            writer.write(
                {path: self.bytes_after(trial)},
                seen={path: trial.data},
                lock=lock,
                check=lambda files: self._hold_to(trial, files),
            )

    def check(self, trial: Trial) -> None:
        """That a write at this place is possible, breaks nothing and gives the wanted value."""
        if trial.refused:
            raise Fault(*trial.refused)
        failing = broken(trial.changes)
        if failing:
            notes = tuple(f"{change.component} in {change.stack}" for change in failing[:10])
            raise EDIT_BREAKS.error(
                where=trial.site.where, count=counted(len(failing), self.part), notes=notes, hint=_why(failing[0])
            )
        if trial.missed:
            raise NO_EFFECT.error(
                path=format_path(self.path),
                where=trial.site.where,
                why=trial.missed,
                hint="choose a place in a higher layer with --at",
            )

    def _hold_to(self, trial: Trial, files: Map[str, bytes | None]) -> None:
        """Evaluate what is about to be put in its place, as it was read again, and compare it with the promise."""
        data = next(iter(files.values()))
        assert data is not None
        found = self._effects_on_disk(trial.site.path, data)
        promised, real = _lines(trial.changes), _lines(found)
        if promised != real:
            notes = tuple(sorted(f"{stack} {component} {path}" for stack, component, path, *_ in promised ^ real)[:10])
            raise OTHER_CHANGES.error(name=trial.site.file, notes=notes, hint="run the command again to see them")


def _lines(changes: Iterable[ValueChange]) -> set[tuple[str, ...]]:
    """Changes as they are compared: what, and from which value to which."""
    return {
        (
            change.stack,
            change.component,
            format_path(change.path),
            change.kind,
            *("" if node is None else one_line(node) for node in (change.before, change.after)),
        )
        for change in changes
    }


def _why(change: ValueChange) -> str:
    items = change.after.items if isinstance(change.after, Sequence) else []
    return items[0].text if items and isinstance(items[0], Scalar) else ""


def holds(value: Node, wanted: Node) -> bool:
    """Whether a value is the wanted one. Of a map, the wanted keys are enough: other layers may have more."""
    stack = [(value, wanted)]
    while stack:
        one, other = stack.pop()
        if isinstance(one, Mapping) and isinstance(other, Mapping) and other.entries:
            if not all(key in one.entries for key in other.entries):
                return False
            stack.extend((one.entries[key], child) for key, child in other.entries.items())
        elif not equal(one, other):
            return False
    return True
