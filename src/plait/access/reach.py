"""How far a command reaches: what the kernel lets this process open, write and start once its arguments are read.

A command that may run commands or use the network is not limited: what it starts needs the machine. All others open the
project, what the user named, the user's own configuration, the cache and the interpreter, and write only where the
command writes. Git runs in a helper that is started before, with the same limits but for git itself. Where the kernel
cannot limit one of both, it still limits the other.
"""

from __future__ import annotations

import os
import sys

from plait.access.environment import cache_folder, config_home, variables_of
from plait.access.limits import limit, limit_more
from plait.core.diagnostic import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.access.githelper import GitHelper

UNLIMITED = frozenset({"exec", "network", "python", "write"})
"""Capabilities with which a process must be able to start something, connect, or write anywhere."""
SYSTEM = (
    "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/zoneinfo", "/usr/share/locale", "/etc/ld.so.cache",
    "/etc/localtime", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/usr/local/etc/atmos", "/proc/self",
)  # fmt: skip
"""What Python and its libraries read, and the configuration of Atmos for all users."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/full")
OF_HOME = (".atmos", ".gitconfig")
OF_CONFIG = ("plait", "atmos", "git")
GIT_RUNS = ("/usr", "/bin", "/lib", "/lib64", "/opt", "/nix", "/etc/gitconfig", "/etc/ld.so.cache")
"""Where git and its own programs are."""


CONFIGURATIONS = ("atmos.yaml", ".atmos.yaml", "atmos.yml", ".atmos.yml")
MARKS = (".git", "plait.yaml", *CONFIGURATIONS, "atmos.d", ".atmos.d")
"""What is looked for in a folder and those above it: the first two say where the project is, all but the first are
settings that count below."""
ELSEWHERE = (os.sep, os.pardir)
"""How a path begins that may lead out of the working folder."""


class Confinement:
    """What a command may open and write; a folder counts with everything below it."""

    def __init__(self, folder: str = ".") -> None:
        here = os.path.realpath(folder)
        found = _marks_above(here)
        self.root = found.get(".git") or found.get("plait.yaml") or _home_of_stacks(found) or here
        settings = [os.path.join(home, mark) for mark, home in found.items() if mark != ".git"]
        self.reads: list[str] = [self.root, here, *settings]
        self.writes: list[str] = []
        self.scratch = ""
        """A folder of its own for copies of trees, where the command needs one."""

    def name(self, paths: Iterable[str]) -> None:
        """The user names these: what exists may be read."""
        self.reads += filter(None, paths)

    def meets(self, folder: str) -> bool:
        """Whether files of a folder are among those that may be read."""
        its = os.path.join(os.path.realpath(folder), "")
        ours = (os.path.join(os.path.realpath(path), "") for path in (*self.reads, *_configuration()))
        return any(its.startswith(one) or one.startswith(its) for one in ours)

    def write(self, paths: Iterable[str]) -> None:
        """The command writes these: the nearest folder that exists."""
        for path in paths:
            at = os.path.realpath(path)
            while not os.path.isdir(at):
                at = os.path.dirname(at)
            self.writes.append(at)

    def everywhere(self) -> None:
        """Files outside may be read."""
        self.reads.append(os.sep)

    def make_scratch(self) -> None:
        """A private folder for copies of trees; all temporary files go there. It is in a folder that we may write,
        so that we may remove it."""
        import tempfile

        try:
            os.makedirs(cache_folder(), mode=0o700, exist_ok=True)
            self.scratch = tempfile.mkdtemp(prefix="copy-", dir=cache_folder())
        except OSError:
            self.scratch = tempfile.mkdtemp(prefix="plait-")
        tempfile.tempdir = self.scratch

    def enforce(self, git: bool) -> GitHelper | None:
        """Let the kernel hold this process to it, as far as it can; with a helper that runs git, where that is
        wanted."""
        if sys.platform != "linux":
            return None
        reads, writes = self._files()
        helper = _helper(reads, writes) if git else None
        limit(reads, writes)
        return helper

    def narrow(self) -> None:
        """Let a process that is limited already open no more files than this, in this thread and those it starts."""
        if sys.platform == "linux":
            limit_more(*self._files())

    def _files(self) -> tuple[list[str], list[str]]:
        """What may be read, and what may be written."""
        found = dict.fromkeys([*self.reads, *SYSTEM, *_own_code(), *_configuration(), *_git_folders(self.root)])
        return list(found), [*self.writes, *_state(), *([self.scratch] if self.scratch else []), *DEVICES]


def _helper(reads: list[str], writes: list[str]) -> GitHelper:
    from plait.access.githelper import GitHelper

    def begin() -> Callable[[bytes], bytes]:
        limit(reads, writes, GIT_RUNS)
        return _git_answer

    helper = GitHelper(begin)
    helper.use()
    return helper


def _git_answer(message: bytes) -> bytes:
    """In the helper: what git answers. What runs git is loaded with the first question: most commands never ask one."""
    from plait.access.git import helped

    return helped(message)


def _marks_above(at: str) -> dict[str, str]:
    """For each mark that a folder or one above it has, the nearest that does."""
    found: dict[str, str] = {}
    while True:
        for mark in MARKS:
            if mark not in found and os.path.lexists(f"{at}/{mark}"):
                found[mark] = at
        at, below = os.path.dirname(at), at
        if at == below:
            return found


def _home_of_stacks(found: dict[str, str]) -> str:
    """The folder of the nearest configuration of Atmos, whose stacks are beside it; one for the whole machine or for
    all of the user's folders makes no project of them."""
    homes = {found[mark] for mark in CONFIGURATIONS if mark in found} - {os.sep, os.path.expanduser("~")}
    return max(homes, key=len, default="")


def _own_code() -> list[str]:
    """The interpreter, plait, and the packages that it uses; the program itself, which may have all of them inside."""
    found = [sys.prefix, sys.base_prefix, sys.exec_prefix, *filter(os.path.isabs, [*sys.path, sys.executable])]
    return list(dict.fromkeys(found))


def _configuration() -> list[str]:
    """The user's own configuration, and what variables of plait and Atmos name."""
    home = os.path.expanduser("~")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    named = variables_of((), ("PLAIT_", "ATMOS_", "GITHUB_"))
    given = [part for _, value in named for part in value.split(os.pathsep) if part.startswith(ELSEWHERE)]
    given += [os.path.join(home, name) for name in OF_HOME]
    return [*given, *(os.path.join(config, name) for name in OF_CONFIG)]


def _state() -> list[str]:
    """Where plait writes for itself: the cache, and the journal of interrupted writes."""
    folders = [cache_folder(), os.environ.get("PLAIT_STATE", "")]
    base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    folders += [os.path.join(base, "plait"), os.environ.get("GITHUB_OUTPUT", "")]
    for folder in folders[:3:2]:
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
        except OSError:
            continue
    return [folder for folder in folders if folder]


def _git_folders(root: str) -> list[str]:
    """The folders of a worktree or a submodule, which are elsewhere and point back."""
    if os.path.isdir(os.path.join(root, ".git")) or not os.path.lexists(os.path.join(root, ".git")):
        return []
    from plait.access.gitfolder import GitFolder

    return list(GitFolder.of_tree(root).own())


def has_configuration() -> bool:
    """Whether the user has settings for all runs, which may allow something."""
    try:
        return os.path.isfile(os.path.join(config_home(), "plait", "config.yaml"))
    except Fault:
        return False


def granted_by_trust() -> bool:
    """Whether any folder is trusted: what its files may do is looked up then."""
    try:
        with os.scandir(os.path.join(config_home(), "plait", "trusted")) as found:
            return any(found)
    except (OSError, Fault):
        return False
