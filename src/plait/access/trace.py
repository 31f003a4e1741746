"""What a run asked of the world around it, and whether the answers are still the same.

A file is compared by its stamp first. Where the stamp differs, or was too young when the file was read to be relied
upon, the file is read again and its digest decides.
"""

from __future__ import annotations

import os
import stat
from _blake2 import blake2b
from itertools import islice
from time import time_ns

from plait.access.environment import may_be_credential
from plait.access.sinks import ENVIRONMENT, OUTSIDE, SECRET, is_kept
from plait.core.diagnostic import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Stamp = tuple[int, ...]
    """Device, inode, size, times, mode and owner of a file."""
    Entry = tuple[str, bool, bool]
    Input = tuple[str, str] | None
    """The kind and the name of something that was asked; None for what cannot be checked later."""
    TraceData = tuple[
        dict[str, tuple[Stamp, bytes, bool]],
        dict[str, Stamp | None],
        dict[str, list[Entry]],
        dict[tuple[str, str], object],
        dict[str, bytes],
    ]
    """A trace as plain data: its files, stamps, folders, names and variables."""

TEXT, STAMP, LISTING, VARIABLE = "text", "stamp", "listing", "variable"
"""Kinds of what is asked, beside `QUESTIONS`."""
KINDS = (TEXT, STAMP, LISTING, "", VARIABLE)
"""The kind of each table of a trace; the one without has the kinds in it."""
YOUNG = 2_000_000_000
"""Nanoseconds. A file that changed so shortly before it was read may change again without a new stamp."""


def above(folder: str, mark: str) -> str:
    """The nearest folder, this one or one above it, in which a name exists; empty where there is none."""
    at = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(at, mark)):
        at, below = os.path.dirname(at), at
        if at == below:
            return ""
    return at


def first_files(groups: list[list[str]]) -> list[str | None]:
    """Of each group of names, the first that is a file."""
    return [next(filter(os.path.isfile, names), None) for names in groups]


GIT = "git"
BETWEEN = "\0"
"""Separates the folder and the words of a question to git."""


def git_says(question: str) -> object:
    """A digest of what git answers now."""
    from plait.access.git import git  # most runs do not ask git

    folder, *words = question.split(BETWEEN)
    try:
        answer = git(words, folder)
    except Fault:
        return None
    return digest_of_value((answer.status, answer.output, answer.why))


QUESTIONS: dict[str, Callable[[str], object]] = {
    GIT: git_says,
    "file": os.path.isfile,
    "folder": os.path.isdir,
    "exists": os.path.exists,
    "real": os.path.realpath,
    "repository": lambda folder: above(folder, ".git"),
    "settings": lambda folder: above(folder, "plait.yaml"),
}
"""What can be asked about a name without opening it; the question to git has its folder and words for a name."""
MARKS = {"repository": ".git", "settings": "plait.yaml"}
"""The names that two of these questions look for, in folders above."""


def stamp_of(info: os.stat_result) -> Stamp:
    """What identifies the state of a file without reading it."""
    return (
        info.st_dev,
        info.st_ino,
        info.st_size,
        info.st_mtime_ns,
        info.st_ctime_ns,
        info.st_mode,
        info.st_uid,
    )


def is_settled(stamp: Stamp) -> bool:
    """Whether a file with this stamp cannot change any more without getting another one."""
    return time_ns() - max(stamp[3], stamp[4]) > YOUNG


def digest_of(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def digest_of_value(value: object) -> bytes:
    """A digest of a value that is not to be kept itself."""
    return digest_of(repr(value).encode("utf-8", "surrogatepass"))


def what_became_of(name: str) -> str:
    """What happened to a file that is not as it was, in words."""
    place = os.path.relpath(name)
    return f"{place} has changed" if os.path.exists(name) else f"{place} was deleted"


class FileTrace:
    """One file as it was read."""

    __slots__ = ("digest", "settled", "stamp")

    def __init__(self, stamp: Stamp, digest: bytes, settled: bool) -> None:
        self.stamp = stamp
        self.digest = digest
        self.settled = settled
        """Whether the same stamp means the same bytes."""

    @classmethod
    def of(cls, info: os.stat_result, data: bytes) -> FileTrace:
        stamp = stamp_of(info)
        return cls(stamp, digest_of(data), is_settled(stamp))

    def holds(self, name: str) -> bool:
        """Whether the file still has these bytes, this mode and this owner."""
        try:
            now = stamp_of(os.stat(name))
            if now == self.stamp and self.settled:
                return True
            if now[2] != self.stamp[2] or now[5:] != self.stamp[5:]:
                return False
            with open(name, "rb", buffering=0) as file:
                if digest_of(file.read()) != self.digest:
                    return False
        except OSError:
            return False
        self.stamp, self.settled = now, is_settled(now)
        return True


class AccessTrace:
    """What one run read, listed and looked for, each with the answer it got."""

    __slots__ = ("_beside", "files", "folders", "is_shared", "looked", "reads", "stamped", "unfollowed", "variables")

    def __init__(self) -> None:
        self.files: dict[str, FileTrace] = {}
        self.stamped: dict[str, Stamp | None] = {}
        """Files that count by their stamp alone, among them those that could not be read."""
        self.folders: dict[str, list[Entry]] = {}
        self.looked: dict[tuple[str, str], object] = {}
        """What was asked about names: see `QUESTIONS`."""
        self.variables: dict[str, bytes] = {}
        """The variables that were read, each with a digest of its value, which may be a secret."""
        self.unfollowed: set[str] = set()
        """What was asked that cannot be checked later: the network, a command, the clock."""
        self.is_shared = False
        """Whether other processes did a part of the work: what they looked at besides is not known here."""
        self.reads: set[Input] | None = None
        """What is asked meanwhile, whether it was asked before or not, where somebody wants to know that."""
        self._beside: AccessTrace | None = None
        """What was asked before or beside this, and has the same answers now: nothing of it is asked again."""

    @classmethod
    def of(cls, data: TraceData) -> AccessTrace:
        """A trace that was kept."""
        files, stamped, folders, looked, variables = data
        trace = cls()
        trace.files = {name: FileTrace(*known) for name, known in files.items()}
        trace.stamped, trace.folders, trace.looked, trace.variables = stamped, folders, looked, variables
        return trace

    def data(self) -> TraceData:
        """The trace as plain data. That a file was read says that it is one."""
        files = {name: (file.stamp, file.digest, file.settled) for name, file in self.files.items()}
        looked = {asked: found for asked, found in self.looked.items() if asked[0] != "file" or asked[1] not in files}
        return files, self.stamped, self.folders, looked, self.variables

    def _tables(self) -> tuple[dict[Any, Any], ...]:
        """What a trace has by name."""
        return self.files, self.stamped, self.folders, self.looked, self.variables

    def size(self) -> tuple[int, ...]:
        """How much there is of each kind."""
        return (*map(len, self._tables()), len(self.unfollowed))

    def since(self, size: tuple[int, ...]) -> tuple[TraceData, list[str]] | None:
        """What came after there was so much of it, as plain data, and all that cannot be checked later; None where
        nothing came."""
        if size == self.size():
            return None
        added = AccessTrace()
        for every, new, count in zip(self._tables(), added._tables(), size, strict=False):
            new.update(islice(every.items(), count, None))
        return added.data(), sorted(self.unfollowed)

    def depend_on(self, data: TraceData, unfollowed: list[str]) -> None:
        """Depend on what another process looked at, too."""
        self.add(AccessTrace.of(data))
        for what in unfollowed:
            self.unfollow(what)

    def add(self, other: AccessTrace) -> None:
        """Depend on what another trace depends on as well; what both asked has the answer that this one got."""
        self.files = {**other.files, **self.files}
        self.stamped = {**other.stamped, **self.stamped}
        self.folders = {**other.folders, **self.folders}
        self.looked = {**other.looked, **self.looked}
        self.variables = {**other.variables, **self.variables}
        self.unfollowed |= other.unfollowed
        if self.reads is not None:
            self.reads.update(other.inputs())

    def share(self, other: AccessTrace) -> None:
        """Ask nothing about names that another trace has the answer to: it was asked, or compared, at this moment."""
        self._beside = other

    def inputs(self) -> Iterator[Input]:
        """Everything that was asked."""
        for kind, names in zip(KINDS, self._tables(), strict=True):
            yield from ((kind, name) for name in names) if kind else names
        yield from (None for _ in self.unfollowed)

    def note(self, kind: str, name: str) -> None:
        """Something is asked, which may be known already."""
        if self.reads is not None:
            self.reads.add((kind, name))

    # What is asked

    def look(self, question: str, name: str) -> object:
        """Ask about a name, and remember the answer."""
        self.note(question, name)
        asked, other = (question, name), self._beside
        if other is not None and asked in other.looked:
            found = other.looked[asked]
        else:
            is_read = other is not None and question == "file" and name in other.files
            found = is_read or QUESTIONS[question](name)
        self.looked[asked] = found
        return found

    def asked_git(self, folder: str, words: tuple[str, ...], answer: tuple[int, bytes, str]) -> None:
        """Git was asked something that it can be asked again."""
        name = BETWEEN.join((os.path.abspath(folder), *words))
        self.note(GIT, name)
        self.looked[GIT, name] = digest_of_value(answer)

    def surroundings(self, folder: str) -> tuple[str, str, str]:
        """The real path of a folder, the folder of the plait.yaml above it and that of the repository around it; each
        of the last two is empty where there is none."""
        return tuple(str(self.look(question, folder)) for question in ("real", "settings", "repository"))  # type: ignore[return-value]

    def first_files(self, groups: list[list[str]]) -> list[str | None]:
        """Of each group of names, the first that is a file; each answer on the way is remembered."""
        return [next((name for name in names if self.look("file", name)), None) for names in groups]

    def read(self, name: str, info: os.stat_result, data: bytes) -> None:
        """A file was read."""
        if stat.S_ISREG(info.st_mode):
            self.files[name] = FileTrace.of(info, data)
        else:
            self.unfollow("a file that is not a regular one")
        folder = os.path.dirname(name)
        if ("real", folder) not in self.looked:  # what may be read depends on where it really is
            self.look("real", folder)
        if os.path.islink(name):
            self.look("real", name)

    def stamp(self, name: str) -> None:
        """What is done depends on a file, and the file is not read, or cannot be."""
        self.note(STAMP, name)
        self.stamped[name] = stamp_now(name)

    def unfollow(self, what: str) -> None:
        """Something was asked that cannot be checked later."""
        self.unfollowed.add(what)
        if self.reads is not None:
            self.reads.add(None)

    def variable(self, name: str) -> None:
        """A variable of the environment was read."""
        self.note(VARIABLE, name)
        if name in self.variables:
            return
        self.variables[name] = digest_of_value(os.environ.get(name))
        if may_be_credential(name) and not is_kept(SECRET):
            self.unfollowed.add("a variable that may hold a secret")

    def called(self, capability: str, key: tuple[object, ...]) -> None:
        """An expression calls the outside. Only variables can be checked later."""
        if capability == "env" and key[0] == "env" and is_kept(ENVIRONMENT):
            self.variable(str(key[1]))
        elif not is_kept(OUTSIDE):
            self.unfollow(capability or str(key[0]))

    # Whether the answers are still the same

    def surroundings_hold(self) -> bool:
        """Whether nothing has changed but the bytes of files that were read."""
        return self.first_difference() is None

    def first_difference(self) -> str | None:
        """What has changed first besides the bytes of files that were read, in words; None where nothing has."""
        return next((words for _, words in self.told_differences()), None)

    def told_differences(self) -> Iterator[tuple[Input, str]]:
        """The same for everything that has changed, each with what was asked."""
        for name in self.changed_variables():
            yield (VARIABLE, name), f"the variable {name} has another value"
        for asked, names in self.differing():
            yield from ((asked, self._told(asked, name)) for name in names)

    def _told(self, asked: tuple[str, str], name: str) -> str:
        """A difference in words."""
        kind, place = asked[0], os.path.relpath(name)
        if kind == GIT:
            return f"git answers something else in {place}"
        if kind == "real" or os.path.islink(name):
            return f"{place} leads to another place"
        if kind == STAMP and self.stamped.get(name) is not None:
            return what_became_of(name)
        return f"{place} is new" if os.path.exists(name) else f"{place} was deleted"

    def changed_files(self) -> Iterator[str]:
        """The files that were read and have other bytes now, or are not there any more."""
        return (name for name, file in self.files.items() if not file.holds(name))

    def changed_variables(self) -> Iterator[str]:
        """The variables that have another value now."""
        return (name for name, digest in self.variables.items() if digest_of_value(os.environ.get(name)) != digest)

    def changed_places(self) -> Iterator[str]:
        """The names of everything else for which the answer would be another one now."""
        return (name for _, names in self.differing() for name in names)

    def differing(self) -> Iterator[tuple[tuple[str, str], list[str]]]:
        """What was asked about anything else and has another answer now, each with the names of what is different."""
        yield from (((STAMP, name), [name]) for name, stamp in self.stamped.items() if stamp_now(name) != stamp)
        questions: dict[str, Callable[[str], object]] = {**QUESTIONS, "real": RealPaths().real}
        for (question, name), found in self.looked.items():
            now = questions[question](name)
            if now != found:
                mark = MARKS.get(question)
                place = name.partition(BETWEEN)[0]  # of a question to git, the folder
                above = [os.path.join(str(one), mark) for one in (found, now) if one] if mark else [place]
                yield (question, name), above
        for folder, entries in self.folders.items():
            listing = listed(folder)
            if listing != entries and os.path.realpath(folder) != os.path.abspath(folder):
                yield (LISTING, folder), [folder]  # it may lead outside, where not even names are told
            elif listing != entries:
                names = [os.path.join(folder, entry[0]) for entry in sorted({*entries} ^ {*listing})]
                yield (LISTING, folder), names

    def drop(self, inputs: Iterable[Input]) -> None:
        """Depend no longer on some of what was asked: whoever needs it asks again."""
        tables = dict(zip(KINDS, self._tables(), strict=True))
        for asked in inputs:
            if asked is not None:
                known = tables.get(asked[0])
                self.looked.pop(asked, None) if known is None else known.pop(asked[1], None)


def files_in(reads: Iterable[Input]) -> set[str]:
    """The names of the files whose bytes were asked for."""
    return {one[1] for one in reads if one is not None and one[0] == TEXT}


ABOUT_PLACES = frozenset(("file", "folder", "exists", STAMP, LISTING))
"""The kinds whose answers may be others where a file comes or goes."""


def places_in(reads: Iterable[Input]) -> set[str]:
    """The names that were looked for, and the folders that were listed."""
    return {one[1] for one in reads if one is not None and one[0] in ABOUT_PLACES}


class RealPaths:
    """What `os.path.realpath` says of many names at one moment: folders that they share are looked at once."""

    __slots__ = ("_folder", "_known")

    def __init__(self) -> None:
        self._folder = ""
        self._known: dict[str, str] = {"/": "/"}

    def real(self, name: str) -> str:
        """Where a name really leads."""
        if name in self._known:
            return self._known[name]
        if name[:1] != "/":
            self._folder = self._folder or os.getcwd()
            name = os.path.join(self._folder, name)
        if name[:2] == "//" or os.path.normpath(name) != name:
            return os.path.realpath(name)
        below: list[str] = []
        at = name
        while at not in self._known:
            below.append(at)
            at = os.path.dirname(at)
        for path in reversed(below):
            found = os.path.join(self._known[os.path.dirname(path)], os.path.basename(path))
            self._known[path] = os.path.realpath(found) if os.path.islink(found) else found
        return self._known[name]


UNDERWAY = (".plait-", (".new", ".old"))
"""How the names of files begin and end that are being written: see `yaml/step.py`."""


def entries_of(folder: str | int) -> list[Entry]:
    """The names in a folder, sorted: whether each is a folder (also by a link), and whether it is a link. Files that
    plait is about to put in place are not there yet."""
    with os.scandir(folder) as found:
        rows = [(entry.name, entry.is_dir(), entry.is_symlink()) for entry in found]
    return sorted(row for row in rows if not (row[0].startswith(UNDERWAY[0]) and row[0].endswith(UNDERWAY[1])))


def stamp_now(name: str) -> Stamp | None:
    """The state of a file; None where there is none, and the number of the error where it cannot be looked at."""
    try:
        return stamp_of(os.stat(name))
    except (FileNotFoundError, ValueError):
        return None
    except OSError as trouble:
        return (trouble.errno or 0,)


def listed(folder: str) -> list[Entry]:
    """The same; nothing where there is no such folder, or it cannot be read."""
    try:
        return entries_of(folder)
    except OSError:
        return []
