"""What happens to a repository between two questions, whatever is in it; and the law of every answer that is kept.

`python -m tests.keeping --seconds 600` tries other histories for as long, and counts them by what they ask.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import cache, partial
from pathlib import Path
from random import Random
from time import time_ns

import pytest

import plait.access.trace
import plait.apps.cli.command
import plait.keeping.keeper
import plait.workspace
import plait.yaml.cache
from plait.keeping.code import code
from tests.keeping.commands import Outcome

SECRET = "hush-Zq7"
"""What no file of the cache may hold."""
MODES = [0o644, 0o600, 0o444, 0o000]
GRANTS = ["", "exec", "network"]
IDENTITY = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")
STREAMS = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
"""How compressed data begins that has a frame."""
BARE, PLAIN_DATA = -15, b"[{("
"""How data is compressed that has none, and the first bytes of plain data in it: the highest bit is a flag."""


def quick_folder() -> str | None:
    """Where temporary files are fast."""
    return "/dev/shm" if os.path.isdir("/dev/shm") else None


STACKS = {"stacks", "component", "instances", "describe", "validate", "list"}


def kind_of(words: tuple[str, ...]) -> str:
    """What a command asks about."""
    if {"review", "affected"} & {*words}:
        return "reviews"
    if {"spiff", "--spiff"} & {*words}:
        return "spiff"
    if {"--target", "render"} & {*words}:
        return "targets"
    return "stacks" if STACKS & {*words[:2]} else "layers"


@cache
def empty_repository() -> Path:
    """The folder of git of a repository without commits: starting git for each history would take long."""
    folder = Path(tempfile.mkdtemp(prefix="plait-law-git-"))
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    shutil.rmtree(folder / ".git/hooks", ignore_errors=True)
    return folder / ".git"


def kept_texts(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """All that is below a folder: the bytes of each file, and everything in it that was compressed."""
    for path in (path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        yield path, data
        for start in (at for head in STREAMS for at in range(len(data)) if data.startswith(head, at)):
            with suppress(zlib.error):
                yield path, zlib.decompressobj().decompress(data[start:])
        for start in filter(partial(_is_bare, data), range(len(data))):
            with suppress(zlib.error):
                yield path, zlib.decompressobj(BARE).decompress(data[start:])


def _is_bare(data: bytes, start: int) -> bool:
    """Whether compressed data without a frame may begin there."""
    try:
        head = zlib.decompressobj(BARE).decompress(data[start : start + 512], 1)
    except zlib.error:
        return False
    return head != b"" and head[0] & 0x7F in PLAIN_DATA


class Broken(AssertionError):
    """The law does not hold: what happened before, and the two answers."""


class History:
    """A folder that changes, step by step, and the same few questions after each step. Everything follows from one
    number."""

    steps = 6

    def __init__(self, seed: int) -> None:
        self.draw = Random(seed)
        self.log: list[str] = []
        self.asked: list[tuple[str, ...]] = []
        self.clean = ExitStack()
        self.top = Path(tempfile.mkdtemp(prefix="plait-law-", dir=quick_folder())).resolve()
        self.clean.callback(shutil.rmtree, self.top, ignore_errors=True)
        self.folder = self.top / "repository"
        self.folder.mkdir()
        self.home = self.top / "home"
        self.patch = self.clean.enter_context(pytest.MonkeyPatch.context())
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            self.patch.setenv(name, str(self.home / name.lower()))
        self.patch.setenv("HOME", str(self.home))
        self.clock = 10**18

    def put(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.stamp(path)

    def put_or_delete(self, name: str, text: str) -> None:
        if text:
            self.put(name, text)
        else:
            (self.folder / name).unlink(missing_ok=True)

    def stamp(self, path: Path) -> None:
        """Every state of a file has a time of its own."""
        self.clock += 1000
        os.utime(path, ns=(self.clock, self.clock))

    def number(self) -> int:
        """A number that a text is made of."""
        return self.draw.randrange(2**32)

    def set_another(self, name: str, values: list[str]) -> None:
        """A variable gets another value than it has; without one it is not there."""
        value = self.draw.choice([one for one in values if one != os.environ.get(name, "")])
        self.note((name, value))
        self.set_variable(name, value)

    def set_variable(self, name: str, value: str) -> None:
        if value:
            self.patch.setenv(name, value)
        else:
            self.patch.delenv(name, raising=False)

    def changes(self) -> list[Callable[[], object]]:
        """What may happen. One that stands there twice happens twice as often."""
        raise NotImplementedError

    def begin(self) -> None:
        raise NotImplementedError

    def ask(self) -> None:
        """Ask one of the questions of this history, and compare."""
        raise NotImplementedError

    def end(self) -> None:
        """What must be true at the end."""

    def run(self) -> None:
        """The history as a whole."""
        try:
            self.begin()
            self.ask()
            for _ in range(self.steps):
                change = self.draw.choice(self.changes())
                self.log.append(change.__name__)
                change()
                for _ in range(self.draw.choice((0, 1, 1, 2))):
                    self.ask()
            self.end()
        finally:
            self.clean.close()

    def note(self, more: object) -> None:
        """Say more about the last thing that happened."""
        self.log[-1:] = [f"{self.log[-1]} {more}"] if self.log else [str(more)]


class CommandHistory(History):
    """A repository of git, and commands that are asked twice: with kept answers, and without."""

    files: tuple[str, ...] = ()
    """The files that something may happen to."""
    commands: list[tuple[str, ...]] = []  # noqa: RUF012  a table
    spread: list[tuple[str, ...]] = []  # noqa: RUF012
    """Those that several processes can share."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        shutil.copytree(empty_repository(), self.folder / ".git")
        self.patch.setattr(plait.apps.cli.command, "TINY", -1)
        self.patch.setattr(plait.workspace, "WORTHWHILE", 0)
        self.patch.setattr(plait.yaml.cache, "WORTHWHILE", 0)
        self.patch.setattr(plait.access.trace, "YOUNG", -(10**18))
        known = code()
        self.patch.setattr(plait.keeping.keeper, "code", lambda: known)  # nobody changes plait meanwhile
        self.patch.setattr(os, "fsync", lambda handle: None)  # what survives a crash is tested elsewhere
        kinds: dict[str, list[tuple[str, ...]]] = {}
        for words in self.commands:
            kinds.setdefault(kind_of(words), []).append(words)
        self.few = [self.draw.choice(kinds[self.draw.choice(sorted(kinds))]) for _ in range(2)]
        """The questions of this history: one that is asked once only is not answered from memory."""

    def changes(self) -> list[Callable[[], object]]:
        return [
            self.rename,
            self.delete,
            self.touch,
            self.change_mode,
            self.link,
            self.grant,
            self.commit,
            self.check_out,
            self.switch_branch,
            self.damage_the_cache,
        ]

    # What happens

    def chosen(self) -> Path:
        name = self.draw.choice(self.files)
        self.note(name)
        return self.folder / name

    def rename(self) -> None:
        old, new = self.chosen(), self.chosen()
        if old.exists():
            new.parent.mkdir(parents=True, exist_ok=True)
            old.rename(new)

    def delete(self) -> None:
        self.chosen().unlink(missing_ok=True)

    def touch(self) -> None:
        path = self.chosen()
        if path.exists():
            self.stamp(path)

    def change_mode(self) -> None:
        path, mode = self.chosen(), self.draw.choice(MODES)
        if path.exists():
            path.chmod(mode)

    def link(self) -> None:
        old, new = self.chosen(), self.chosen()
        if old != new and old.exists():
            new.parent.mkdir(parents=True, exist_ok=True)
            new.unlink(missing_ok=True)
            new.symlink_to(old)

    def grant(self) -> None:
        self.set_variable("PLAIT_ALLOW", self.draw.choice(GRANTS))

    def git(self, *words: str) -> None:
        """Whatever git writes has a time of its own."""
        self.note(words)
        subprocess.run(["git", *IDENTITY, *words], cwd=self.folder, capture_output=True, check=False)
        for path in self.folder.rglob("*"):
            if ".git" not in path.parts and path.is_file():
                self.stamp(path)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")

    def check_out(self) -> None:
        self.git("checkout", "-q", "-f", self.draw.choice(["HEAD~1", "HEAD~2", "main"]))

    def switch_branch(self) -> None:
        self.git("checkout", "-q", "-B", self.draw.choice(["main", "other"]))

    def damage_the_cache(self) -> None:
        """A file of the cache is cut, changed, lengthened, another one, gone, or may be read by others."""
        files = sorted(path for path in self.home.rglob("*") if path.is_file())
        if not files:
            return
        path, other = self.draw.choice(files), self.draw.choice(files)
        data = path.read_bytes()
        at = self.draw.randrange(len(data) + 1)
        how = self.draw.randrange(6)
        self.note((path.relative_to(self.home), how))
        if how == 4:
            path.unlink()
        elif how == 5:
            path.chmod(self.draw.choice([0o666, 0o000]))
        else:
            changed = data[:at] + bytes([self.draw.randrange(256)]) + data[at + 1 :]
            path.write_bytes([data[:at], changed, data + b"x", other.read_bytes()][how])

    # The law

    def answer(self, words: tuple[str, ...]) -> Outcome:
        """What a command prints."""
        raise NotImplementedError

    def ask(self) -> None:
        words = self.draw.choice(self.few)
        words = (*words, "--jobs", "2") if words in self.spread and self.draw.random() < 0.2 else words
        self.asked.append(words)
        self.log.append(f"ask {' '.join(words)}")
        fresh = self.answer((*words, "--no-cache"))
        way = self.draw.choice((self.once, self.once, self.twice, self.beside_another_process))
        for kept in way(words):
            if kept != fresh:
                told = "\n  ".join(self.log)
                raise Broken(f"after\n  {told}\nkept, {way.__name__}: {kept}\nfresh: {fresh}")

    def once(self, words: tuple[str, ...]) -> list[Outcome]:
        return [self.answer(words)]

    def twice(self, words: tuple[str, ...]) -> list[Outcome]:
        return [self.answer(words), self.answer(words)]

    def beside_another_process(self, words: tuple[str, ...]) -> list[Outcome]:
        child = os.fork()
        if not child:
            with suppress(BaseException):
                self.answer(words)
            os._exit(0)
        try:
            return [self.answer(words)]
        finally:
            os.waitpid(child, 0)

    def end(self) -> None:
        told = [path for path, text in kept_texts(self.home) if SECRET.encode() in text]
        if told:
            raise Broken(f"after {self.log} a secret is in {told}")


def run_histories(kind: type[History], count: int) -> None:
    """So many of them: the same ones in each run of the suite, others with PLAIT_RANDOM."""
    first = time_ns() % 10**9 if os.environ.get("PLAIT_RANDOM") else 0
    for seed in range(first, first + count):
        run_history(kind, seed)


def run_history(kind: type[History], seed: int) -> History:
    """One history; the error says which."""
    history = kind(seed)
    try:
        history.run()
    except Exception as error:
        raise Broken(f"{kind.__name__} {seed}: {error}") from error
    return history
