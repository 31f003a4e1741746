"""An edit by result: a value that is to be another one, the places where it could be written, and what a write at each
of them would change.

A trial evaluates what may depend on the file with the new text in place of the old one. What it finds is a promise: the
write is prepared, read again from the disk, evaluated, and put in its place only if the same values change.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault
from plait.core.node import ListNode, MapNode, Node, Scalar, equal
from plait.core.path import Path, format_path
from plait.core.visible import counted
from plait.edits.choosing import HINT, NARROWEST, chosen
from plait.edits.effects import EditedWorld, ValueChange, broken, changes, not_compared
from plait.evaluate.near_paths import near_paths
from plait.evaluate.nowhere import NotThere
from plait.fronts.editing import Editor, WrittenPlace, one_line
from plait.fronts.front import label
from plait.fronts.typed import is_foreign
from plait.fronts.typed_values import settled
from plait.report.catalog import (
    CHANGED_SINCE,
    COMPUTED_VALUE,
    EDIT_BREAKS,
    NO_EFFECT,
    NO_PLACE_WORKS,
    OTHER_CHANGES,
    UNKNOWN_PATH,
)
from plait.yaml.edits import Delete, Edit, Replace
from plait.yaml.files import decode, encoding_of, read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from plait.fronts.front import DocumentId, Target


BY_HAND = "edit the expression itself"


class Trial:
    """What a write at one place would do.

    `refused` says why it cannot be made; `missed` why the value would not be the wanted one.
    """

    __slots__ = ("changes", "data", "missed", "new", "not_compared", "old", "refused", "removes", "site", "value")

    def __init__(self, site: WrittenPlace, data: bytes, removes: bool) -> None:
        self.site = site
        self.removes = removes
        """Whether the value is to go."""
        self.data = data
        """The bytes of the file as they were read."""
        self.old = decode(site.file, data).text
        self.new = ""
        self.changes: list[ValueChange] = []
        self.not_compared: list[tuple[str, str, str]] = []
        """What may change and could not be compared: target, document and why."""
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
            return f"does not {'remove' if self.removes else 'set'} it: {self.missed}"
        return "" if self.works else "would cause errors"

    @property
    def targets(self) -> list[str]:
        return list(dict.fromkeys(change.target for change in self.changes))

    @property
    def reach(self) -> tuple[int, int, int]:
        """How far the write reaches: targets, documents, values."""
        documents = {(change.target, change.document) for change in self.changes}
        return len(self.targets), len(documents), len(self.changes)

    def as_data(self, reveal: bool = False, words: tuple[str, str] = ("target", "document")) -> dict[str, object]:
        """The trial as plain data, for programs; `words` are what a target and a document are called."""
        site = self.site
        row: dict[str, object] = {
            "file": site.file,
            "line": site.line,
            "layer": site.layer,
            "about": site.about,
            "path": site.address,
            "written": site.written is not None,
            "defines": site.decides,
            "works": self.works,
            "changes": [change.as_data(reveal, words) for change in self.changes],
        }
        why = self.missed or "; ".join(one.message for one in self.refused)
        if self.not_compared:
            row["not_compared"] = [dict(zip((*words, "reason"), one, strict=True)) for one in self.not_compared]
        return {**row, "why": why} if why else row


class ResultEdit:
    """One value of one document of a target, to be set or, without a value, removed.

    edit = ResultEdit(target, document, ("vars", "size"), value)
    for trial in edit.trials(): trial.site.where, trial.changes
    edit.commit(edit.chosen("narrowest"))
    """

    def __init__(self, target: Target, document: DocumentId, path: Path, value: Node | None) -> None:
        self.target = target
        self.document = document
        self.project = target.project
        self.part = target.part
        """What the value is a part of."""
        self.path = path
        self.sites = list(target.places(document, path))
        self.before = EditedWorld(target.world)
        self.now = target.value_in(target.world, document, path)
        self.value = None if value is None else settled(target.wanted(document, path, value), self.now)
        if value is None and self.now is None:
            raise UNKNOWN_PATH.error(path=format_path(path), hint="there is nothing to remove")
        self._tried: dict[WrittenPlace, Trial] = {}

    @property
    def label(self) -> str:
        """What the document is called inside its target; empty where it is the only one."""
        return label(self.document, self.target)

    @property
    def address(self) -> str:
        """What the target is called among all of them."""
        targets = self.target.world.targets
        return next((name for name in targets.names() if targets[name].declaration is self.target.declaration), "")

    def _effects_on_disk(self, path: str, data: bytes) -> list[ValueChange]:
        """Every value that other bytes in a file would change, against the files as they are on the disk now."""
        fresh = self.before.read_again()
        return changes(fresh, fresh.with_text(path, data))

    @property
    def decider(self) -> tuple[str, int]:
        """Where the value as it is now was written: the file and the line."""
        for site in self.sites:
            if site.decides:
                return site.file, site.line
        account = self.target.tree(self.document).account().find(self.target.in_result(self.document, self.path))
        assert account is not None
        origin = account.winner.node.origin
        return origin.file, origin.line

    @property
    def near(self) -> str:
        """What was probably meant, where the document has no such value yet; empty where that is not known."""
        if self.now is not None:
            return ""
        try:
            self.target.tree(self.document).value(self.path)
        except NotThere as missing:
            meant = near_paths(missing.node, missing.path, missing.depth)
            return meant if meant.startswith("did you mean") else ""
        return ""

    # Asking

    def check_new(self, create: bool) -> None:
        """A value that the target does not have, and that none of its files names, is added only if that is said."""
        if (
            self.value is not None
            and self.now is None
            and (not create or is_foreign(None, self.path))
            and not any(site.written is not None for site in self.sites)
        ):
            raise UNKNOWN_PATH.error(path=format_path(self.path), hint=self.near or "--create adds it")

    def trials(self) -> list[Trial]:
        """Every place with what a write there would do: those that give the value first, the narrowest of them
        first."""
        order = {site: number for number, site in enumerate(self.sites)}
        found = [self.trial(site) for site in self.sites]
        return sorted(found, key=lambda trial: (not trial.works, trial.reach, order[trial.site]))

    def chosen(self, at: str) -> Trial:
        """The place that `--at` means, tried: a file, a layer, the narrowest one, or where the value is defined."""
        if at == NARROWEST:
            return self._narrowest()
        return self.trial(chosen(self.sites, at, self.path, self.target.declaration.folder))

    def _narrowest(self) -> Trial:
        first = self.trial(self.sites[0]) if self.sites else None
        if first is not None and first.works and first.reach[:2] <= (1, 1):
            return first  # no place reaches less than the document itself
        trials = self.trials()
        if not trials or not trials[0].works:
            notes = tuple(f"{trial.site.where}    {trial.site.layer}    {trial.obstacle}" for trial in trials)
            raise NO_PLACE_WORKS.error(path=format_path(self.path), notes=notes, hint=HINT)
        return trials[0]

    def trial(self, site: WrittenPlace) -> Trial:
        if site not in self._tried:
            self._tried[site] = self._try(site)
        return self._tried[site]

    # Trying

    def _try(self, site: WrittenPlace) -> Trial:
        removes = self.value is None
        data = read_bytes(site.path, size_limit=self.project.budgets.size, door=self.project.door)
        if site.computed:
            refused = Trial(site, data, removes)
            refused.refused = (COMPUTED_VALUE(path=format_path(self.path), expression=site.computed, hint=BY_HAND),)
            return refused
        first = self._tried_edit(Trial(site, data, removes), lambda: self._edit(site))
        if first.works or not removes or site.written is None:
            return first
        covered = self._tried_edit(Trial(site, data, removes), lambda: self._covering(site))
        return covered if covered.works else first

    def _tried_edit(self, trial: Trial, edit: Callable[[], Edit]) -> Trial:
        """What an edit of the file would do."""
        try:
            source = decode(trial.site.file, trial.data)
            trial.new = Editor(self.project).applied(source, trial.site, edit())
            after = self.before.with_text(trial.site.path, self.bytes_after(trial))
            trial.changes = changes(self.before, after)
            trial.not_compared = not_compared(self.before, after)
            trial.value = self.target.value_in(after.world, self.document, self.path)
        except Fault as error:
            trial.refused = error.diagnostics
            return trial
        trial.missed = self._missed(trial.value)
        return trial

    def _edit(self, site: WrittenPlace) -> Edit:
        """The edit at a place. A value that is to go is taken out where it is written, else covered."""
        if self.value is None and site.written is not None:
            return Delete(site.whole, site.number)
        root = Editor(self.project).documents(site.source, site.number)
        wanted = self.target.remover if self.value is None else self.value
        if self.value is not None and site.form is not None:
            wanted = site.form(self.value)
        return Editor(self.project).edit_for(root, site.steps, wanted, True, site.number)

    def _covering(self, site: WrittenPlace) -> Edit:
        return Replace(site.steps, self.target.remover, document=site.number)

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
        if self.now is not None and equal(value, self.now) and len({site.value for site in self.sites}) < 2:
            return "overridden by {}:{}".format(*self.decider)
        return f"the {self.part} would have {one_line(value)}"

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
            notes = tuple(f"{change.document} in {change.target}" for change in failing[:10])
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

    def _hold_to(self, trial: Trial, files: Mapping[str, bytes | None]) -> None:
        """Evaluate what is about to be put in its place, as it was read again, and compare it with the promise."""
        data = next(iter(files.values()))
        assert data is not None
        found = self._effects_on_disk(trial.site.path, data)
        promised, real = _lines(trial.changes), _lines(found)
        if promised != real:
            notes = tuple(sorted(f"{target} {document} {path}" for target, document, path, *_ in promised ^ real)[:10])
            raise OTHER_CHANGES.error(name=trial.site.file, notes=notes, hint="run the command again to see them")


def _lines(changes: Iterable[ValueChange]) -> set[tuple[str, ...]]:
    """Changes as they are compared: what, and from which value to which."""
    return {
        (
            change.target,
            change.document,
            format_path(change.path),
            change.kind,
            *("" if node is None else one_line(node, reveal=True) for node in (change.before, change.after)),
        )
        for change in changes
    }


def _why(change: ValueChange) -> str:
    items = change.after.items if isinstance(change.after, ListNode) else []
    return items[0].text if items and isinstance(items[0], Scalar) else ""


def holds(value: Node, wanted: Node) -> bool:
    """Whether a value is the wanted one. Of a map, the wanted keys are enough: other layers may have more."""
    stack = [(value, wanted)]
    while stack:
        one, other = stack.pop()
        if isinstance(one, MapNode) and isinstance(other, MapNode) and other.entries:
            if not all(key in one.entries for key in other.entries):
                return False
            stack.extend((one.entries[key], child) for key, child in other.entries.items())
        elif not equal(one, other):
            return False
    return True
