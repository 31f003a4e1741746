"""Change a value of a component where it is written: every place with what a write there would change, and the write
itself.

    edit = StackEdit(stacks, "web", "ue1-prod", ("vars", "size"), value)
    for trial in edit.trials(): trial.site.where, trial.changes
    edit.commit(edit.chosen("narrowest"))

A trial evaluates the stacks that may depend on the file with the new text in place of the old one. What it finds is
a promise: the write is prepared, read again from the disk, evaluated, and put in its place only if the same values
change.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Diagnostic, PlaitError
from plait.core.node import Mapping, Node, Scalar, Sequence, equal
from plait.core.path import Path, format_path
from plait.core.visible import counted
from plait.edits.effects import Results, ValueChange, altered, broken, changes, read_again
from plait.evaluate.engine import NotThere
from plait.fronts.editing import Editor, one_line
from plait.fronts.stacks.answers.origins import tree_of
from plait.fronts.stacks.answers.places import Site, check_literal, sites_of
from plait.report.catalog import (
    AMBIGUOUS_PLACE,
    CHANGED_SINCE,
    COMPUTED_VALUE,
    EDIT_BREAKS,
    NO_EFFECT,
    NO_PLACE,
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
    from plait.fronts.stacks.answers.questions import StackQuestions
    from plait.fronts.stacks.assemble.components import Component

NARROWEST, WHERE_DEFINED = "narrowest", "where-defined"
UNSET = Scalar(None, "", tag="!unset")


class Trial:
    """What a write at one place would do.

    `refused` says why it cannot be made; `missed` why the value would not be the wanted one.
    """

    __slots__ = ("changes", "data", "missed", "new", "old", "refused", "site", "value")

    def __init__(self, site: Site) -> None:
        self.site = site
        self.data = b""
        """The bytes of the file as they were read."""
        self.old = ""
        self.new = ""
        self.changes: list[ValueChange] = []
        self.value: Node | None = None
        """The value of the component afterwards."""
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
        return "" if self.works else "would make components fail"

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


class StackEdit:
    """One value of one component, to be set or, without a value, removed."""

    def __init__(self, stacks: StackQuestions, component: str, stack: str, path: Path, value: Node | None) -> None:
        self.stacks = stacks
        self.component = stacks.component(component, stack)
        self.path = path
        self.value = value
        self.project = stacks.ground.project
        check_literal(self.component, path)
        self.sites = sites_of(self.component, path)
        self.before = Results(stacks, self.project.root)
        self.now = value_of(self.before, self.component, path)
        if value is None and self.now is None:
            raise UNKNOWN_PATH.error(path=format_path(path), hint="there is nothing to remove")
        self._tried: dict[Site, Trial] = {}

    # Asking

    def trials(self) -> list[Trial]:
        """Every place with what a write there would do: those that give the value first, the narrowest of them
        first."""
        order = {site: number for number, site in enumerate(self.sites)}
        found = [self.trial(site) for site in self.sites]
        return sorted(found, key=lambda trial: (not trial.works, trial.reach, order[trial.site]))

    def trial(self, site: Site) -> Trial:
        if site not in self._tried:
            self._tried[site] = self._try(site)
        return self._tried[site]

    def chosen(self, at: str) -> Trial:
        """The place that `--at` means, tried: a file, a layer, the narrowest one, or where the value is defined."""
        if at == NARROWEST:
            return self._narrowest()
        return self.trial(_chosen(self.sites, at, self.path, self.stacks.ground.folder))

    def _narrowest(self) -> Trial:
        first = self.trial(self.sites[0]) if self.sites else None
        if first is not None and first.works and first.reach[:2] <= (1, 1):
            return first  # no place reaches less than the component itself
        found = self.trials()
        if not found or not found[0].works:
            raise NO_PLACE.error(path=format_path(self.path), at=NARROWEST, notes=_rows(self.sites), hint=HINT)
        return found[0]

    @property
    def decider(self) -> Origin:
        """Where the value that the component has now was written."""
        account = tree_of(self.component).account().find(self.path)
        assert account is not None
        return account.winner.node.origin

    # Trying

    def _try(self, site: Site) -> Trial:
        trial = Trial(site)
        trial.data = read_bytes(site.path, size_limit=self.project.budgets.size, door=self.project.door)
        source = decode(site.file, trial.data)
        trial.old = source.text
        if site.computed:
            trial.refused = (COMPUTED_VALUE(path=format_path(self.path), expression=site.computed, hint=BY_HAND),)
            return trial
        try:
            trial.new = apply(source, [self._edit(site)])
        except PlaitError as error:
            trial.refused = error.diagnostics
            return trial
        after = altered(self.before, site.path, self.bytes_after(trial))
        trial.changes = changes(self.before, after)
        try:
            trial.value = value_of(after, self.component, self.path)
        except PlaitError as error:
            trial.refused = error.diagnostics
            return trial
        trial.missed = self._missed(trial.value)
        return trial

    def _edit(self, site: Site) -> Edit:
        root = Editor(self.project).documents(site.source, 0)
        if self.value is not None:
            return Editor(self.project).edit_for(root, site.steps, self.value, True, 0)
        if site.written is not None:
            return Delete(site.steps)
        return Editor(self.project).edit_for(root, site.steps, UNSET, True, 0)

    def bytes_after(self, trial: Trial) -> bytes:
        """What the file would hold after the write."""
        encoding, mark = encoding_of(trial.data)
        return trial.data[:mark] + trial.new.encode(encoding)

    def _missed(self, found: Node | None) -> str:
        """Why the component would not have the wanted value; empty where it would."""
        if found is not None and self.value is not None and holds(found, self.value):
            return ""
        if found is None and self.value is None:
            return ""
        if found is None:
            return "the component would not have this value"
        if self.now is not None and equal(found, self.now):
            origin = self.decider
            return f"overridden by {origin.file}:{origin.line}"
        return f"the component would have {one_line(found, False)}"

    # Writing

    def commit(self, trial: Trial) -> None:
        """Write what was tried, if exactly the announced values change; else nothing is written."""
        self.check(trial)
        path = trial.site.path
        writer = self.project.writer()
        with writer.hold([path]) as lock:
            if read_bytes(path, size_limit=self.project.budgets.size) != trial.data:
                raise CHANGED_SINCE.error(name=trial.site.file, hint="look at it, then run this again")
            writer.write(
                {path: self.bytes_after(trial)},
                seen={path: trial.data},
                lock=lock,
                check=lambda files: self._hold_to(trial, files),
            )

    def check(self, trial: Trial) -> None:
        """That a write at this place is possible, breaks nothing and gives the wanted value."""
        if trial.refused:
            raise PlaitError(*trial.refused)
        failing = broken(trial.changes)
        if failing:
            notes = tuple(f"{change.component} in {change.stack}" for change in failing[:10])
            raise EDIT_BREAKS.error(
                where=trial.site.where, count=counted(len(failing), "component"), notes=notes, hint=_why(failing[0])
            )
        if trial.missed:
            raise NO_EFFECT.error(
                path=format_path(self.path), where=trial.site.where, why=trial.missed, hint="choose a place above it"
            )

    def _hold_to(self, trial: Trial, files: Map[str, bytes | None]) -> None:
        """Evaluate what is about to be put in its place, as it was read again, and compare it with the promise."""
        data = next(iter(files.values()))
        assert data is not None
        fresh = read_again(self.stacks, self.project.root)
        found = changes(fresh, altered(fresh, trial.site.path, data))
        promised, real = _told(trial.changes), _told(found)
        if promised != real:
            notes = tuple(sorted(f"{stack} {component} {path}" for stack, component, path, *_ in promised ^ real)[:10])
            raise OTHER_CHANGES.error(name=trial.site.file, notes=notes, hint="run the command again to see them")


BY_HAND = "edit the expression itself"
HINT = "--at takes FILE, FILE:LINE, a layer, narrowest or where-defined"


def _told(found: Iterable[ValueChange]) -> set[tuple[str, ...]]:
    """Changes as they are compared: what, and from which value to which."""
    return {
        (
            change.stack,
            change.component,
            format_path(change.path),
            change.kind,
            *("" if node is None else one_line(node) for node in (change.before, change.after)),
        )
        for change in found
    }


def _why(change: ValueChange) -> str:
    items = change.after.items if isinstance(change.after, Sequence) else []
    return items[0].text if items and isinstance(items[0], Scalar) else ""


def _rows(sites: Iterable[Site]) -> tuple[str, ...]:
    return tuple(f"{site.where}    {site.layer}    {site.about}" for site in sites)


def written_at(stacks: StackQuestions, component: str, stack: str, path: Path, at: str) -> Node:
    """What is written about a value at one place."""
    sites = [site for site in sites_of(stacks.component(component, stack), path) if site.written is not None]
    site = sites[0] if at == NARROWEST and sites else _chosen(sites, at, path, stacks.ground.folder)
    assert site.written is not None
    return site.written


def _chosen(sites: list[Site], at: str, path: Path, folder: str) -> Site:
    """The one place that a word of `--at` means. Of several in a file, the one that decides the value."""
    layered = [site for site in sites if at in (site.layer, f"{site.layer}:{site.name}")]
    found = layered or [site for site in sites if _is_at(at, site, folder)]
    deciding = [site for site in found if site.decides]
    if not layered and len(found) > 1 and deciding:
        found = deciding
    if not found:
        raise NO_PLACE.error(path=format_path(path), at=at, notes=_rows(sites), hint=HINT)
    if len(found) > 1:
        raise AMBIGUOUS_PLACE.error(at=at, count=len(found), notes=_rows(found), hint="write FILE:LINE")
    return found[0]


def _is_at(at: str, site: Site, folder: str) -> bool:
    """Whether a place is where the value is defined, or in a file that is named, by its path or the end of it."""
    if at == WHERE_DEFINED:
        return site.decides
    names = (site.file, os.path.relpath(site.path, folder), os.path.relpath(site.path), site.path)
    name, _, line = at.rpartition(":")
    wanted = name if name and line == str(site.line) else at
    return any(known == wanted or known.endswith(f"/{wanted}") for known in names)


def value_of(results: Results, like: Component, path: Path) -> Node | None:
    """The value of a component, evaluated; None where it has none."""
    component = results.component(like)
    if component is None:
        return None
    try:
        return tree_of(component).value(path)
    except NotThere:
        return None


def holds(found: Node, wanted: Node) -> bool:
    """Whether a value is the wanted one. Of a map, the wanted keys are enough: other layers may have more."""
    stack = [(found, wanted)]
    while stack:
        one, other = stack.pop()
        if isinstance(one, Mapping) and isinstance(other, Mapping) and other.entries:
            if not all(key in one.entries for key in other.entries):
                return False
            stack.extend((one.entries[key], child) for key, child in other.entries.items())
        elif not equal(one, other):
            return False
    return True
