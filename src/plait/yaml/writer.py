"""Every byte that plait writes goes through here: all files of a set, or none of them.

Each file is written beside its target, flushed to the disk, and renamed (see `step`). A set of several is announced
in a journal before the first rename (see `journal`): a run that was interrupted there is finished by the next one
that writes, or undone where a file was changed meanwhile. A file that changed since it was read is never
overwritten. Nothing is written where nothing changes. Links are followed only inside the project.

    writer = Writer(root)
    with writer.hold(["a.yaml"]) as lock:
        writer.write({"a.yaml": b"...", "old.yaml": None}, seen={"a.yaml": bytes_as_read}, lock=lock)
"""

from __future__ import annotations

import os

from plait.core.visible import counted
from plait.report.catalog import (
    CHANGED_SINCE,
    JOURNAL_DAMAGED,
    LINK_OUTSIDE,
    NO_JOURNAL,
    OVERWRITTEN,
    RECOVERED,
    UNCONFIRMED,
    UNDONE,
    UNFINISHED,
    UNWRITABLE,
)
from plait.yaml.journal import ABSENT, Journal, forget
from plait.yaml.lock import Lock
from plait.yaml.state import KEY_SIZE, NoState, PrivateFolder, open_state
from plait.yaml.step import Step, open_beneath
from plait.yaml.write_choices import WriteChoices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Check = Callable[[Mapping[str, bytes | None]], None]


class Writer:
    """Writes files of one project.

    `root` is its folder; a single file outside of it may be written too, by its own name.
    """

    def __init__(self, root: str = ".", writing: WriteChoices | None = None) -> None:
        self.root = os.path.realpath(root)
        self.writing = writing or WriteChoices()
        self._state: PrivateFolder | NoState | None = None
        self._key = b""

    def hold(self, names: Iterable[str]) -> Lock:
        """The lock to hold while files are read in order to be changed. An interrupted write is completed or undone
        when it is taken.

        Files that cannot be written are refused here, before they are read.
        """
        names = list(names)
        for name in names:
            self._check(name)
        return Lock([*names, os.path.join(self.root, "x")], then=self.recover)

    def wait(self, names: Iterable[str]) -> Lock:
        """The lock to hold while files are only read: no other process is in the middle of a write meanwhile."""
        return Lock([*names, os.path.join(self.root, "x")])

    def write(
        self,
        files: Mapping[str, bytes | None],
        seen: Mapping[str, bytes | None] | None = None,
        lock: Lock | None = None,
        check: Check | None = None,
    ) -> list[str]:
        """Write (or, for None, remove) a set of files, all or none; the names of those that changed.

        `seen` has what files held when they were read (None: it was not there), those included that are only read:
        one that changed since is an error. `lock` is one that the caller holds already. `check` gets what was
        prepared, read again from the disk, by target; where it raises, nothing is written.
        """
        if lock is not None:
            return self._write(files, seen or {}, check)
        with self.hold(files):
            return self._write(files, seen or {}, check)

    def recover(self) -> None:
        """Finish the set of files that an interrupted run had announced; undo it where a file has changed meanwhile."""
        journal = self._journal()
        pending = journal.pending() if journal is not None else ""
        if journal is None or not pending:
            return
        entries = journal.entries(pending)
        if entries is None:
            self.writing.tell(
                JOURNAL_DAMAGED(name=pending, hint="compare your files with their versions in your version control")
            )
            journal.forget()
            return
        steps = [Step.of_entry(entry, self.root, self.key) for entry in entries]
        try:
            self._settle(steps, journal, pending)
        finally:
            _close(steps)

    def unfinished(self) -> dict[str, bytes | None]:
        """What files will hold once the next command that writes has finished, or undone, what an interrupted run had
        announced: for who only reads. Nothing is written for it."""
        try:
            state = open_state(self.writing.journal, self.root, make=False)
            journal = Journal(state, self.root)
            pending = journal.pending()
            entries = journal.entries(pending) if pending else None
        except (NoState, OSError):
            return {}
        steps = [Step.of_entry(entry, self.root, state.key) for entry in entries or ()]
        try:
            finishes = pending == journal.forward and all(map(_can_finish, steps))
            return {step.target: step.settled(finishes) for step in steps if not step.is_special}
        finally:
            _close(steps)

    # Parts of writing

    def _write(
        self, files: Mapping[str, bytes | None], seen: Mapping[str, bytes | None], check: Check | None
    ) -> list[str]:
        made: list[str] = []
        self._make_root(made)
        for name in seen.keys() - files.keys():
            _check_unchanged(name, seen[name])
        steps = self._steps(files)
        try:
            work = [step for step in steps if self._needed(step, seen)]
            journal = self._journal_for(work)
            try:
                for step in work:
                    step.open_folder(made)
                    step.prepare()
                if check is not None and work:
                    check({step.target: step.contents(step.fresh) for step in work})
                self._commit(work, journal)
            except BaseException as trouble:
                reason = _explained(trouble, work, self.root)
                self._undo(work, journal, made)
                raise reason from None
            self._clean_up(work, journal)
            return [step.name for step in work]
        finally:
            _close(steps)

    def _check(self, name: str) -> None:
        step = self._step(name, None)
        try:
            if os.path.isdir(step.top):
                step.open_folder()
            step.check_ordinary(step.base)
        except OSError as trouble:
            raise _explained(trouble, [step], self.root) from None
        finally:
            step.close()

    def _make_root(self, made: list[str]) -> None:
        top = _existing(self.root)
        if top != self.root:
            handle = open_beneath(top, os.path.relpath(self.root, top).split(os.sep), made)
            assert handle is not None
            os.close(handle)

    def _steps(self, files: Mapping[str, bytes | None]) -> list[Step]:
        steps: dict[str, Step] = {}
        for name, data in files.items():
            step = self._step(name, data)
            if step.target in steps:
                raise step.refused(f"it is the same file as `{steps[step.target].name}`")
            steps[step.target] = step
        return list(steps.values())

    def _step(self, name: str, data: bytes | None) -> Step:
        """The file that a name means.

        A link may not lead out of the project, nor a name in it pass through one that does.
        """
        plain, real = os.path.abspath(name), os.path.realpath(name)
        if (os.path.islink(plain) or _inside(plain, self.root)) and not _inside(real, self.root):
            raise LINK_OUTSIDE.error(name=name, notes=(f"it points to {real}",), hint="name that file instead")
        top = self.root if _inside(real, self.root) else _existing(os.path.dirname(real))
        return Step(name, top, os.path.relpath(real, top).split(os.sep), data, self.key)

    def _needed(self, step: Step, seen: Mapping[str, bytes | None]) -> bool:
        try:
            step.open_folder()
            needed = step.needed(seen, self.writing.in_place)
        except OSError as trouble:
            raise _explained(trouble, [step], self.root) from None
        if needed and step.in_place:
            self.writing.tell(OVERWRITTEN(name=step.name))
        return needed

    def _journal_for(self, work: list[Step]) -> Journal | None:
        """A journal, where one is needed; several files are not written without one."""
        if len(work) < 2 and not any(step.in_place for step in work):
            return None
        journal = self._journal()
        if len(work) > 1 and journal is None:
            assert isinstance(self._state, NoState)
            raise NO_JOURNAL.error(count=len(work), why=self._state.why, hint=self._state.hint)
        outside = [step.name for step in work if step.top != self.root]
        if len(work) > 1 and outside:
            hint = "run plait in a folder that contains all of them, or write them one by one"
            raise UNWRITABLE.error(
                name=outside[0], why=f"files that are written together must be inside {self.root}", hint=hint
            )
        return journal if not outside else None

    def _commit(self, work: list[Step], journal: Journal | None) -> None:
        """Put all new files in their places. Once the journal is written, they will get there, whatever happens."""
        for step in work:
            step.check_same()
        if journal is not None:
            for step in work:
                step.keep_old()
            _sync_folders(work)
            journal.announce(step.entry for step in work)
        for step in work:
            step.take_place()
        _sync_folders(work)

    def _undo(self, work: list[Step], journal: Journal | None, made: list[str]) -> None:
        try:
            if journal is not None:
                journal.turn_back()
                for step in reversed(work):
                    step.put_back()
                journal.forget()
            for step in work:
                step.tidy()
            for folder in reversed(made) if journal is not None or not any(step.done for step in work) else ():
                os.rmdir(folder)
        except OSError as trouble:
            hint = f"{trouble.strerror or trouble}; the next command that writes completes or undoes it"
            raise UNFINISHED.error(name=work[0].name, hint=hint) from None

    def _clean_up(self, work: list[Step], journal: Journal | None) -> None:
        """Everything is in its place. What cannot be cleared now, the next run that writes clears."""
        try:
            for step in work:
                step.tidy()
            if journal is not None:
                journal.forget()
        except OSError:
            return

    # Parts of recovering

    def _settle(self, steps: list[Step], journal: Journal, pending: str) -> None:
        names = tuple(step.target for step in steps)
        if pending == journal.forward and all(map(_can_finish, steps)):
            for step in steps:
                if not step.done:
                    step.take_place()
            self._clean_up(steps, journal)
            self.writing.tell(RECOVERED(count=counted(len(steps), "file"), notes=names))
            return
        journal.turn_back()
        lost = [step.target for step in steps if _is_lost(step)]
        for step in steps:
            step.put_back()
        journal.forget()
        if lost:
            raise UNFINISHED.error(
                name=lost[0], notes=tuple(lost[1:]), hint="compare it with the version in your version control"
            )
        self.writing.tell(UNDONE(count=counted(len(steps), "file"), notes=names))

    # The state folder

    @property
    def state(self) -> PrivateFolder | None:
        """The user's state folder, or None where there is none to be had. One that was named must be usable."""
        if self._state is None:
            try:
                self._state = open_state(self.writing.journal, self.root)
            except NoState as trouble:
                if self.writing.journal:
                    raise UNWRITABLE.error(name=self.writing.journal, why=trouble.why) from None
                self._state = trouble
        return self._state if isinstance(self._state, PrivateFolder) else None

    @property
    def key(self) -> bytes:
        """What the names of temporary files are made with, so that a repository cannot bring files with such names."""
        if not self._key:
            self._key = self.state.key if self.state is not None else os.urandom(KEY_SIZE)
        return self._key

    def _journal(self) -> Journal | None:
        return Journal(self.state, self.root) if self.state is not None else None


def _check_unchanged(name: str, data: bytes | None) -> None:
    """That a file which was only read still holds what was read: an interrupted write may have been undone since."""
    try:
        with open(os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            found: bytes | None = file.read()
    except OSError:
        found = None
    if found != data:
        raise CHANGED_SINCE.error(name=name, hint="check the file, then run the command again")


def _can_finish(step: Step) -> bool:
    """Whether the file is in its place, or can be put there without losing what others wrote."""
    if step.done:
        return step.becomes == ABSENT or (step.now == step.becomes if step.in_place else step.now != step.was)
    return step.now in (step.was, step.becomes) or step.half_overwritten()


def _is_lost(step: Step) -> bool:
    """Whether the file has the new bytes, or some, and cannot get the old ones back."""
    if step.info(step.old) is None:
        return step.was != ABSENT and (step.now != step.was if step.in_place else step.now == step.becomes)
    return step.done and step.now not in (step.becomes, step.was)


def _explained(trouble: BaseException, work: list[Step], root: str) -> BaseException:
    """What the system refused, as an error that names the file."""
    if not isinstance(trouble, OSError):
        return trouble
    why = trouble.strerror or str(trouble)
    if len(work) == 1 and work[0].done and not work[0].in_place:
        return UNCONFIRMED.error(name=work[0].name, why=why, hint="free some space, then run the command again")
    name = next((step.name for step in work if not step.done), root)
    return UNWRITABLE.error(name=name, why=why, hint="nothing was changed")


def _close(steps: list[Step]) -> None:
    for step in steps:
        step.close()


def _sync_folders(work: list[Step]) -> None:
    for handle in {os.path.dirname(step.target): step.folder for step in work}.values():
        if handle is not None:
            os.fsync(handle)


def _inside(name: str, root: str) -> bool:
    return name.startswith(root.rstrip(os.sep) + os.sep)


def _existing(folder: str) -> str:
    """The folder, or the nearest one above it that exists."""
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def replace_file(name: str, data: bytes) -> None:
    """Put bytes in the place of a file in one step, closed to other users, without waiting for the disk: for what
    can be made again."""
    fresh = f"{name}.{os.getpid()}.new"
    try:
        forget(fresh)
        with open(
            os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb", buffering=0
        ) as file:
            file.write(data)
        os.replace(fresh, name)
    except BaseException:
        forget(fresh)
        raise
