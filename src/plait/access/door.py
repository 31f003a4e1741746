"""The door: the object through which a run accesses every file, folder, command and variable, and which decides whether
it may.

A file that the user names on the command line is opened as it is. A file that a repository names is opened only
inside the roots of the project, by its real path at the moment of opening: its folder is opened and asked where it
really is, and its last name is opened there without following a link. Everything else needs the capability
`files`.

What belongs to git is no data, whatever is allowed: `access/gitdata.py` tells what that is. A file that names it gets
an error; what searches or lists does not see it.
"""

from __future__ import annotations

import errno
import os
import stat
import sys

from plait.access.environment import variable, variables_named
from plait.access.gitdata import GIT, GitData
from plait.access.guard import Guard
from plait.access.raw import (
    BENEATH,
    LOOK,
    READ,
    Astray,
    Larger,
    OfGit,
    Special,
    opened_folder,
    read_beneath,
    read_still,
    real_path,
    within,
)
from plait.access.sinks import UNCOMMITTED
from plait.access.trace import LISTING, TEXT, RealPaths, entries_of, first_files
from plait.core.diagnostic import Fault, Label, PlaitError, placed
from plait.core.node import Node
from plait.core.source import YAML_ENDINGS
from plait.core.visible import one_line
from plait.report.catalog import CHANGED, IS_FOLDER, NO_FILE, OF_GIT, OUTSIDE, TOO_LARGE, UNREADABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plait.access.git import GitAnswer
    from plait.access.gitfolder import GitFolder
    from plait.access.gitlinks import FolderLinks
    from plait.access.permit import Permit
    from plait.access.trace import AccessTrace, Entry

MEGABYTE = 1024 * 1024
SIZE_LIMIT = 64 * MEGABYTE
STDIN = "-"
LINKS = (errno.ELOOP, getattr(errno, "EMLINK", errno.ELOOP))
"""What a system answers when the last name is a link and links are not followed."""


class Door:
    """What one run may open.

    `roots` are folders whose files may be read; a door without roots is open to everything.
    """

    holds_texts = False
    """Whether somebody has the text of a file in memory: see `held`."""

    def __init__(self, roots: Iterable[str] | None = None, guard: Guard | None = None) -> None:
        self.guard = guard or Guard()
        self.free = roots is None
        """Whether everything may be read: for a program that has no project."""
        self._everything = self.free or "files" in self.guard.allowed
        self._roots: tuple[str, ...] = ()
        self._named: set[str] = set()
        self._lent: set[str] = set()
        """Files outside that a trusted file asked for."""
        self.trace: AccessTrace | None = None
        """What was asked here, with the answers, where that is wanted."""
        self._links: FolderLinks | None = None
        self.paths = RealPaths()
        """Where names lead, at one moment."""
        self._named_of_git: set[str] = set()
        """Files of git that the user named, as they are named and by their real paths."""
        for root in roots or ():
            self.add_root(root)
        self._git_data = GitData(self._project, self.paths)

    # Who may be read

    @property
    def _project(self) -> str:
        """The real path of the project; empty where there is none."""
        return (self._roots[0].rstrip(os.sep) or os.sep) if self._roots else ""

    def add_root(self, folder: str) -> None:
        """Let the files below a folder be read, and the file itself where it is one."""
        prefix = os.path.join(os.path.realpath(folder), "")
        if not prefix.startswith(self._roots):
            self._roots = (*self._roots, prefix)

    def admit(self, name: str) -> None:
        """The user names this file or folder: it may be read, wherever and whatever it is."""
        if name not in self._named:
            self._named.add(name)
            if name != STDIN:
                self._named.add(os.path.realpath(name))
                self.add_root(name)
                if os.path.isfile(name) and self._git_now.holds(os.path.abspath(name)):  # not only where a link leads
                    self._named_of_git.update((name, os.path.realpath(name)))

    @property
    def _git_now(self) -> GitData:
        """What belongs to git, at the moment of `paths`."""
        if self._git_data.paths is not self.paths:
            self._git_data = GitData(self._project, self.paths)
        return self._git_data

    def is_of_git(self, name: str) -> bool:
        """Whether a name leads to a git folder or into one, and the user did not name that file."""
        try:
            return not self._is_named_of_git(name) and self._holds_for_git(self.paths.real(name))
        except ValueError:  # no file can have this name
            return False

    def _is_named_of_git(self, name: str) -> bool:
        """Whether the user named a file of git under this name; who has no project names all files himself."""
        return name in self._named_of_git or (self.free and self._git_now.holds(os.path.abspath(name)))

    def _holds_for_git(self, real: str) -> bool:
        return self._git_now.holds(real) and real not in self._named_of_git

    def of_git(self, name: str, asker: Node | None = None) -> PlaitError:
        """The refusal of what belongs to git."""
        labels = () if asker is None else (Label(asker.origin),)
        return OF_GIT.error(*labels, name=name, hint="copy what you need of it to a file of the project")

    def is_named(self, name: str) -> bool:
        """Whether the user named or configured a file, or a folder that it is in."""
        return name in self._named or f"{os.path.realpath(name)}{os.sep}".startswith(self._roots[1:])

    def inside(self, real: str) -> bool:
        """Whether a real path is in a root."""
        return self.free or f"{real}{os.sep}".startswith(self._roots)

    def allows(self, name: str) -> bool:
        """Whether a name may be read, by where it leads or led when it was asked about first. Opening decides again."""
        known = self._everything or name in self._named or name in self._lent
        return known or self.inside(self.paths.real(name)) or self.inside(os.path.realpath(name))

    def is_foreign(self, name: str) -> bool:
        """Whether a name that may be read is outside, and was not given by the user: no line of it is shown."""
        if self.free or not self._everything:
            return name in self._lent
        return name not in self._named and not self.inside(os.path.realpath(name))

    def is_uncommitted(self, name: str) -> bool:
        """Whether a file is masked where the values of this run go, because the commit does not have it."""
        if not self.guard.masks(UNCOMMITTED) or name == STDIN:
            return False
        real = self.paths.real(name)
        if not self.inside(real) or self.guard.committed.has(real, self):
            return False
        self.guard.committed.masked.setdefault(real, name)
        return not self.guard.committed.is_personal

    def check_inside(self, name: str, asker: Node | None = None) -> None:
        """That a name leads inside, or that the caller may read what is outside, and that it is not of git."""
        self.check_not_of_git(name, asker)
        self.check_allowed(name, asker)

    def check_not_of_git(self, name: str, asker: Node | None = None) -> None:
        """That a name does not lead to a git folder or into one."""
        if self.is_of_git(name):
            self._led_out(name)
            raise self.of_git(name, asker)

    def check_allowed(self, name: str, asker: Node | None = None) -> None:
        """That a name leads inside, or that the caller may read what is outside: what is of git is not seen."""
        if self.allows(name):
            return
        self._led_out(name)
        if self.trace is not None:
            self.trace.unfollow("files")
        if asker is None or not self.guard.permits("files", asker.origin.source):
            raise self.outside(name, asker)
        self._lent.add(name)

    def check_there(self, name: str, asker: Node, wanted: str = "file") -> None:
        """That there is the file, the folder, or `either`, that a file names: an error shows the line of the name."""
        trouble: OSError | None = None
        self.check_not_of_git(name, asker)
        if not self.exists(name):
            trouble = FileNotFoundError()
        elif wanted == "file" and self.is_folder(name):
            trouble = IsADirectoryError()
        elif wanted == "folder" and self.is_file(name):
            trouble = NotADirectoryError(errno.ENOTDIR, "it is a file, not a folder")
        if trouble is not None:
            raise placed(self._refusal(name.rstrip("/"), trouble), Label(asker.origin))

    def outside(self, name: str, asker: Node | None = None) -> PlaitError:
        """The refusal of a file outside."""
        notes = (f"the project is {self._project}",) if self._roots else ()
        labels = () if asker is None else (Label(asker.origin),)
        return OUTSIDE.error(*labels, name=name, notes=notes, hint=self.guard.how_to_allow("files"))

    # Files

    def read(self, name: str, limit: int = SIZE_LIMIT) -> bytes:
        """The bytes of a file that does not change while it is read; one retry if it does."""
        self._noted(name)
        try:
            if name == STDIN and (self.free or name in self._named):
                if self.trace is not None:
                    self.trace.unfollow("standard input")
                return within(sys.stdin.buffer.read(limit + 1), limit)
            data = self._read_once(name, limit)
            if data is None:
                data = self._read_once(name, limit)
        except (OSError, ValueError) as trouble:
            self._failed(name)
            raise self._refusal(name if name != STDIN else "standard input", trouble) from None
        except Larger:
            self._failed(name)
            raise _too_large("<stdin>" if name == STDIN else name, limit) from None
        except PlaitError:
            self._led_out(name)
            raise
        if data is None:
            raise CHANGED.error(name=name, hint="another process is writing to it; try again")
        return data

    def _noted(self, name: str) -> None:
        """The bytes of a file are asked for."""
        if self.trace is not None and self.trace.reads is not None:
            self.trace.note(TEXT, name)

    def _led_out(self, name: str) -> None:
        """What was answered depends on where a name leads, and on nothing that is there."""
        if self.trace is not None:
            self.trace.look("real", name)

    def _failed(self, name: str) -> None:
        """Why something cannot be opened depends on what is there."""
        if self.trace is not None:
            self.trace.stamp(name)

    def text(self, name: str, limit: int = SIZE_LIMIT) -> str:
        """The text of a file; empty where it may not or cannot be read."""
        try:
            return self.read(name, limit).decode("utf-8", "replace") if self.is_file(name) else ""
        except Fault:
            return ""

    def held(self, name: str) -> str | None:
        """The text of a file as somebody has it in memory: one copy is enough. None where nobody does."""
        return None

    def _read_once(self, name: str, limit: int) -> bytes | None:
        is_known = self._everything or name in self._named
        if is_known or name in self._lent:
            handle = os.open(name, READ)
            try:
                self._check_opened(handle, name)
                data, info = read_still(handle, limit, is_known)
            finally:
                os.close(handle)
        else:
            data, info = self._read_inside(name, limit)
        if self._git_now.has_link(info) and not self._is_named_of_git(name):
            raise self.of_git(name)
        if self.trace is not None and data is not None:
            self.trace.read(name, info, data)
        return data

    def _read_inside(self, name: str, limit: int) -> tuple[bytes | None, os.stat_result]:
        """What is in a file that the project may read."""
        for _ in range(8):  # a link may lead to a link that was changed meanwhile
            folder, mark, base = name.rpartition("/")
            try:
                return read_beneath(folder or mark or os.curdir, base, self._check_place, limit)
            except Astray:
                raise self.outside(name) from None
            except OfGit:
                raise self.of_git(name) from None
            except OSError as trouble:
                if trouble.errno not in LINKS:
                    raise
            name = self._followed(name)
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))

    def _check_opened(self, handle: int, name: str) -> None:
        """That an open file does not belong to git, unless the user named it."""
        is_regular = stat.S_ISREG(os.fstat(handle).st_mode)
        if is_regular and not self._is_named_of_git(name) and self._holds_for_git(real_path(handle, name)):
            raise self.of_git(name)

    def _check_place(self, folder: str, base: str) -> None:
        """That what is in a folder, given by its real path, under a name may be opened."""
        if not (self._everything or f"{folder}{os.sep}".startswith(self._roots)):
            raise Astray
        if self._holds_for_git(os.path.join(folder, base) if base else folder):
            raise OfGit

    def _followed(self, name: str) -> str:
        """Where a link leads, if that is inside."""
        handle = os.open(name, LOOK)
        try:
            real = real_path(handle, name)
        finally:
            os.close(handle)
        if not self.inside(real):
            raise self.outside(name)
        return real

    def is_file(self, name: str) -> bool:
        """Whether there is such a file. This reads nothing of it."""
        is_file = os.path.isfile(name) if self.trace is None else bool(self.trace.look("file", name))
        return is_file and not self.is_of_git(name)

    def first_files(self, groups: list[list[str]]) -> list[str | None]:
        """Of each group of names, the first that is a file."""
        look = self.trace.first_files if self.trace is not None else first_files
        found = look(groups)
        for at, name in enumerate(found):
            if name is not None and self.is_of_git(name):
                found[at] = next(filter(self.is_file, groups[at]), None)
        return found

    def is_folder(self, name: str) -> bool:
        is_folder = os.path.isdir(name) if self.trace is None else bool(self.trace.look("folder", name))
        return is_folder and not self.is_of_git(name)

    def exists(self, name: str) -> bool:
        exists = os.path.exists(name) if self.trace is None else bool(self.trace.look("exists", name))
        return exists and not self.is_of_git(name)

    # Folders

    def entries(self, folder: str) -> list[Entry]:
        """What is in a folder, sorted by name, without what belongs to git."""
        try:
            if BENEATH:
                entries = self._entries(folder)
            else:
                self.check_inside(folder)
                entries = entries_of(folder)
        except OfGit:
            self._led_out(folder)
            raise self.of_git(folder) from None
        except OSError as trouble:
            self._failed(folder)
            raise self._refusal(folder, trouble) from None
        except Astray:
            self._led_out(folder)
            raise self.outside(folder) from None
        except PlaitError:
            self._led_out(folder)
            raise
        self._listed(folder, entries)
        return [row for row in entries if not self._is_entry_of_git(folder, *row)]

    def _is_entry_of_git(self, folder: str, name: str, is_folder: bool, is_link: bool) -> bool:
        """Whether what is in a folder under a name belongs to git; the folder does not."""
        if not is_folder and not is_link:
            return name.casefold() == GIT
        return self.is_of_git(os.path.join(folder, name))

    def _listed(self, folder: str, entries: list[Entry]) -> None:
        if self.trace is not None:
            self.trace.folders[folder] = entries
            if self.trace.reads is not None:
                self.trace.note(LISTING, folder)

    def _entries(self, folder: str) -> list[Entry]:
        handle = opened_folder(folder, self._check_place)
        try:
            return entries_of(handle)
        finally:
            os.close(handle)

    def names(self, folder: str) -> list[str]:
        """The names in a folder, sorted."""
        return [name for name, _, _ in self.entries(folder)]

    def below(self, folder: str, hidden: bool = True) -> list[str]:
        """The files below a folder, as paths from it with `/`, sorted; none where there is no such folder. A link to a
        folder above is not entered."""
        files: list[str] = []
        stack = [""] if self.is_folder(folder) else []
        while stack:
            inner = stack.pop()
            prefix = f"{inner}/" if inner else ""
            folders = []
            for name, is_folder, link in self.entries(os.path.join(folder, inner) if inner else folder):
                if not hidden and name.startswith("."):
                    continue
                path = prefix + name
                if not is_folder:
                    files.append(path)
                elif not (link and _leads_up(os.path.join(folder, path))):
                    folders.append(path)
            stack.extend(reversed(folders))
        return files

    # Why not

    def missing(self, name: str) -> PlaitError:
        """What is reported for a file or folder that does not exist, whatever it was for."""
        if self.is_of_git(name):
            return self.of_git(name)
        return NO_FILE.error(name=name, hint=self._near_files(name))

    def _refusal(self, name: str, trouble: OSError | ValueError) -> PlaitError:
        """Why a file could not be read, and what to do."""
        if isinstance(trouble, FileNotFoundError):
            return self.missing(name)
        if isinstance(trouble, IsADirectoryError):
            return IS_FOLDER.error(name=name, hint=self._files_in(name))
        if isinstance(trouble, PermissionError):
            return UNREADABLE.error(name=name, why="no permission", hint="check its permissions with `ls -l`")
        hint = "only regular files are read" if isinstance(trouble, Special) else "check the path"
        why = (trouble.strerror or str(trouble)) if isinstance(trouble, OSError) else "no file can have this name"
        return UNREADABLE.error(name=name, why=why, hint=hint)

    def _files_in(self, folder: str) -> str:
        """How to name the first YAML files of a folder."""
        try:
            found = [one for one in self.names(folder) if one.endswith(YAML_ENDINGS) and one_line(one) == one]
        except Fault:
            found = []
        some = [os.path.normpath(os.path.join(folder, one)) for one in found[:3]]
        more = " ..." if len(found) > 3 else ""
        return f"name the files in it{', as in: ' if some else ''}{' '.join(some)}{more}"

    def _near_files(self, name: str) -> str:
        """Files of the same folder with a similar name; else how much of the path exists."""
        folder, base = os.path.split(name)
        if not self.is_folder(folder or os.curdir):
            return f"folder not found: `{folder}`"
        try:
            near = _alike(base, self.names(folder or os.curdir))
        except Fault:
            return ""
        several = name.split(",")
        if len(several) > 1 and all(map(self.is_file, several)):
            return f"names of files are separated by spaces: {' '.join(several)}"
        if set(base) & set("*?"):
            return "patterns are expanded by the shell: leave out the quotes"
        if near:
            return f"did you mean {' or '.join(f'`{os.path.join(folder, other)}`' for other in near)}?"
        return f"no file in `{folder or '.'}` has a similar name"

    # Commands, the network and variables

    def permit(self, capability: str, asker: Node, label: Label | None = None) -> Permit:
        """A permit for a value to do something outside; an error at the value, or at `label`, if it is not allowed."""
        from plait.access.permit import Permit

        self.check(capability, asker, label)
        return Permit(capability, self.guard, asker, label)

    def check(self, capability: str, asker: Node, label: Label | None = None) -> None:
        """That a value may do something outside, or have an answer that was asked for before."""
        if self.trace is not None and capability != "env":
            self.trace.unfollow(capability or "a call")
        if capability:
            self.guard.check(capability, asker, label)

    def environment(self, name: str, default: str = "") -> str:
        """A variable of the environment, as a setting of the user; a hermetic run has none."""
        if self.guard.hermetic:
            return default
        if self.trace is not None:
            self.trace.variable(name)
        return variable(name, default)

    def environment_named(self, prefix: str) -> dict[str, str]:
        """The variables whose names begin with a prefix, as settings of the user; a hermetic run has none."""
        return {} if self.guard.hermetic else variables_named(prefix)

    def run(
        self,
        command: str | list[str],
        seconds: float,
        asker: Node,
        folder: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> str:
        """What a command prints, where the value that asks for it may run one."""
        return self.permit("exec", asker).run(command, seconds, folder, environment)

    def has_program(self, name: str) -> bool:
        """Whether a program is on this machine."""
        from shutil import which  # few commands ask

        return which(name) is not None

    def git(self, *words: str, folder: str = ".", environment: Mapping[str, str] | None = None) -> GitAnswer:
        """What git answers, run so that nothing of the repository's own configuration is started."""
        if self.trace is not None:
            self.trace.unfollow("git")
        return self._git(words, folder, environment)

    def git_facts(self, *words: str, folder: str) -> GitAnswer:
        """The same for a question whose answer is checked later by asking it again."""
        answer = self._git(words, folder)
        if self.trace is not None:
            self.trace.asked_git(folder, words, (answer.status, answer.output, answer.why))
        return answer

    def git_objects(self, names: bytes, folder: str) -> GitAnswer:
        """What git holds under some names, a line for each: always the same, because the names are made of it."""
        return self._git(("cat-file", "--batch"), folder, given=names)

    def _git(
        self, words: tuple[str, ...], folder: str, environment: Mapping[str, str] | None = None, given: bytes = b""
    ) -> GitAnswer:
        from plait.access.git import git, git_root
        from plait.access.gitfolder import GitFolder

        root = "" if self._everything else git_root(folder)
        if root and (elsewhere := self._elsewhere(GitFolder.of_tree(root))):
            raise self.outside(elsewhere)
        return git(words, folder, environment, given)

    def _elsewhere(self, found: GitFolder) -> str:
        """Something outside that git would read; empty where there is nothing."""
        from plait.access.gitlinks import FolderLinks  # most runs do not ask git

        if self._links is None:
            self._links = FolderLinks()
        return found.elsewhere(self.inside, self._links.below)

    def check_repository(self, path: str) -> None:
        """That a repository of this machine, which git may fetch from, leads inside with everything that is in it."""
        from plait.access.git import check_owner
        from plait.access.gitfolder import repositories_at

        self.check_allowed(path)
        for found in repositories_at(path):
            check_owner(found)
            known = self._everything or path in self._lent
            if not known and (elsewhere := self._elsewhere(found)):
                raise self.outside(elsewhere)


class Staged(Door):
    """A door through which some files, by real path, have other bytes than on the disk: what a run would see if they
    were written. Some may not be on the disk yet, and those with None are hidden. Where somebody has a text in memory,
    it can be given as it is.

    What may not be read is still refused.
    """

    def __init__(
        self,
        roots: Iterable[str],
        guard: Guard,
        files: Mapping[str, bytes | str | None],
        paths: RealPaths | None = None,
    ) -> None:
        """`paths` are those of another door to the same disk, whose moment is that of this one."""
        super().__init__(roots, guard)
        self._hold(files)
        self.paths = paths or self.paths

    def stage(self, files: Mapping[str, bytes | str | None]) -> None:
        """Give exactly these files other bytes, or other texts."""
        self._hold(files)
        self.paths = RealPaths()

    def _hold(self, files: Mapping[str, bytes | str | None]) -> None:
        self._files = dict(files)
        self._inside: dict[str, dict[str, bool]] = {}
        """What is in the folders of these files, and above them: names, and whether each is a folder."""
        self._hidden: dict[str, set[str]] = {}
        """The names of those that are not there, by their folders."""
        for path, data in files.items():
            (above, name), is_folder = os.path.split(path), False
            if data is None:
                self._hidden.setdefault(above, set()).add(name)
            while data is not None and name and name not in self._inside.get(above, ()):
                self._inside.setdefault(above, {})[name] = is_folder
                (above, name), is_folder = os.path.split(above), True
        self._gone: set[str] = set()
        """Folders with nothing but files that are not there: these are not there, either."""
        waiting = sorted(self._hidden, key=len)
        while waiting:
            folder = waiting.pop()
            if folder not in self._inside and self.allows(folder) and not _others(folder, self._hidden[folder]):
                self._gone.add(folder)
                above, name = os.path.split(folder)
                self._hidden.setdefault(above, set()).add(name)
                waiting.append(above)
        self._bases = {os.path.basename(path) for path in files}
        self.holds_texts = any(isinstance(one, str) for one in files.values())

    def is_uncommitted(self, name: str) -> bool:
        return not self.is_staged(name) and super().is_uncommitted(name)

    def is_staged(self, name: str) -> bool:
        """Whether a file, or what a link leads to, has other bytes here."""
        return self._real(name) in self._files

    def _real(self, name: str) -> str:
        return self.paths.real(name) if self._files else ""

    def _is_hidden(self, name: str) -> bool:
        real = self._real(name)
        return self._files.get(real, b"") is None or real in self._gone

    def read(self, name: str, limit: int = SIZE_LIMIT) -> bytes:
        self._noted(name)
        if self._is_hidden(name):
            raise self.missing(name)
        held = self._files.get(self._real(name))
        staged = held.encode("utf-8", "surrogatepass") if isinstance(held, str) else held
        if staged is not None and not super().is_file(name):
            self.check_inside(name)
            return within(staged, limit)
        try:
            data = super().read(name, limit)
        except Fault:
            if staged is None:
                raise
            self.check_inside(name)  # the disk does not let us read what somebody else has the text of
        return data if staged is None else within(staged, limit)

    def held(self, name: str) -> str | None:
        held = self._files.get(self._real(name))
        return held if isinstance(held, str) else None

    def is_file(self, name: str) -> bool:
        return not self._is_hidden(name) and (super().is_file(name) or self.is_staged(name))

    def exists(self, name: str) -> bool:
        return not self._is_hidden(name) and (super().exists(name) or self.is_staged(name) or self._holds(name))

    def is_folder(self, name: str) -> bool:
        return not self._is_hidden(name) and (super().is_folder(name) or self._holds(name))

    def _refusal(self, name: str, trouble: OSError | ValueError) -> PlaitError:
        if isinstance(trouble, FileNotFoundError) and self.exists(name):  # the disk alone does not have it
            number = errno.EISDIR if self._holds(name) else errno.ENOTDIR
            trouble = OSError(number, os.strerror(number))
        return super()._refusal(name, trouble)

    def _holds(self, folder: str) -> bool:
        """Whether one of these files is in a folder, which may not be on the disk yet."""
        return self._real(folder) in self._inside

    def first_files(self, groups: list[list[str]]) -> list[str | None]:
        found = super().first_files(groups)
        for at, names in enumerate(groups):
            if any(os.path.basename(name) in self._bases for name in names):
                found[at] = next(filter(self.is_file, names), None)
        return found

    def entries(self, folder: str) -> list[Entry]:
        if not self._files:
            return super().entries(folder)
        if self._is_hidden(folder):
            raise self.missing(folder)
        real = self._real(folder)
        held, hidden = self._inside.get(real, {}), self._hidden.get(real, ())
        if held and not super().is_folder(folder):
            self.check_inside(folder)
            entries = []
        else:
            entries = super().entries(folder)
        fresh = held.keys() - {name for name, _, _ in entries}
        kept = [row for row in entries if row[0] not in hidden] if hidden else entries
        return sorted([*kept, *((name, held[name], False) for name in fresh)]) if fresh else kept


def _others(folder: str, names: set[str]) -> bool:
    """Whether a folder of the disk has more than some names."""
    try:
        return not names.issuperset(os.listdir(folder))
    except OSError:
        return True


def _alike(name: str, others: list[str]) -> list[str]:
    """Names of files like one: what is before the ending must be alike, too."""
    from plait.report.near import distance, nearest

    stem = os.path.splitext(name)[0].lower()
    most = max(1, len(stem) // 3)
    near = nearest(name, others)
    return [other for other in near if distance(stem, os.path.splitext(other)[0].lower(), most) <= most]


def _leads_up(link: str) -> bool:
    """Whether a link leads to a folder that contains it, so that following it would never end."""
    holder = os.path.realpath(os.path.dirname(link))
    target = os.path.realpath(link)
    return holder == target or holder.startswith(os.path.join(target, ""))


def _too_large(name: str, limit: int) -> PlaitError:
    shown = f"{limit // MEGABYTE} MB" if limit >= MEGABYTE else f"{limit} bytes"
    return TOO_LARGE.error(name=name, limit=shown, hint="--max-size raises the limit")
