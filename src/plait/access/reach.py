"""How far a command reaches: what the kernel lets this process open, write and start once its arguments are read.

A command that may run commands or use the network is not limited: what it starts needs the machine. All others open the
project, what the user named, the user's own configuration, the cache and the interpreter, and write only where the
command writes. Git runs in a helper that is started before, with the same limits but for git itself.
"""

from __future__ import annotations

import os
import sys

from plait.access import kernel
from plait.access.environment import cache_folder, config_home, variables_named
from plait.access.trace import above
from plait.core.diagnostic import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.access.git import GitHelper

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


class Confinement:
    """What a command may open and write; a folder counts with everything below it."""

    def __init__(self, folder: str = ".") -> None:
        self.root = _root(folder)
        self.reads: list[str] = [self.root, os.path.realpath(folder), *_settings_of(folder)]
        self.writes: list[str] = []
        self.scratch = ""
        """A folder of its own for copies of trees, where the command needs one."""

    def name(self, paths: Iterable[str]) -> None:
        """The user names these: what exists may be read."""
        self.reads += [os.path.realpath(path) for path in paths if path and "\0" not in path and os.path.exists(path)]

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
        reads = [*self.reads, *SYSTEM, *_own_code(), *_configuration(), *_git_folders(self.root)]
        writes = [*self.writes, *_state(), *([self.scratch] if self.scratch else [])]
        try:
            machine = kernel.Machine()
            helper = _helper(machine, reads, [*writes, *DEVICES]) if git else None
        except kernel.Unavailable:
            return None
        try:
            _limit(machine, reads, [*writes, *DEVICES])
        except kernel.Unavailable:
            return helper
        return helper


def _limit(machine: kernel.Machine, reads: list[str], writes: list[str], runs: tuple[str, ...] = ()) -> None:
    """Let the kernel limit both; where it cannot limit one, it still limits the other."""
    try:
        kernel.limit_calls(machine, commands=bool(runs))
    finally:
        kernel.limit_files(machine, reads, writes, runs)


def _helper(machine: kernel.Machine, reads: list[str], writes: list[str]) -> GitHelper:
    from plait.access.git import GitHelper

    def prepare() -> None:
        try:
            _limit(machine, reads, writes, GIT_RUNS)
        except kernel.Unavailable:
            return

    helper = GitHelper(prepare)
    helper.use()
    return helper


def _root(folder: str) -> str:
    """The project around a folder."""
    return above(folder, ".git") or above(folder, "plait.yaml") or os.path.realpath(folder)


def _settings_of(folder: str) -> list[str]:
    """The settings in folders above that count for a folder."""
    found = []
    for mark in ("plait.yaml", "atmos.yaml", ".atmos.yaml", "atmos.yml", "atmos.d", ".atmos.d"):
        home = above(folder, mark)
        found += [os.path.join(home, mark)] if home else []
    return found


def _own_code() -> list[str]:
    """The interpreter, plait, and the packages that it uses."""
    return list(dict.fromkeys([sys.prefix, sys.base_prefix, sys.exec_prefix, *filter(os.path.isabs, sys.path)]))


def _configuration() -> list[str]:
    """The user's own configuration, and what variables of plait and Atmos name."""
    home = os.path.expanduser("~")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    named = {**variables_named("PLAIT_"), **variables_named("ATMOS_"), **variables_named("GITHUB_")}
    given = [part for value in named.values() for part in value.split(os.pathsep) if os.path.isabs(part)]
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


def granted_by_trust() -> bool:
    """Whether any folder is trusted: what its files may do is looked up then."""
    try:
        with os.scandir(os.path.join(config_home(), "plait", "trusted")) as found:
            return any(found)
    except (OSError, Fault):
        return False
