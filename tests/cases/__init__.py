"""Cases as files: what goes in and what comes out, side by side.

A case is a text with sections. `-- NAME --` begins the file NAME; `$ plait ...` is a command to run beside those files;
what follows it is what it must print: standard output as it is, standard error behind `2> `, and a last line
`exit N` where the status is not 0. Everything before the first section says what the case shows. `SCENE=NAME` before a
command runs `scenes/NAME.py` first in the same process: it makes happen what no file can, such as a full disk.

    $ plait merge a.yaml
    a: 1
    -- a.yaml --
    a: 1

`PLAIT_UPDATE=1 pytest tests/cases` writes what the commands print now into the cases; read the difference before you
keep it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.cases.preloaded import preloaded

UNLOADED = ("bare",)
"""Scenes that change what can be imported: they need a process that has loaded nothing yet."""
START = "from plait.__main__ import run; run()"
PLAIT = [sys.executable, "-c", START]


class Step:
    """One command and what it must print."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.expected: list[str] = []

    @property
    def is_plain(self) -> bool:
        """Whether it is plait and nothing that has to be a process of its own."""
        return self.command.rpartition(" | ")[2].startswith("plait ")


class Case:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.about: list[str] = []
        self.steps: list[Step] = []
        self.files: dict[str, str] = {}
        self._parse(path.read_text(encoding="utf-8").splitlines(keepends=True))

    def _parse(self, lines: list[str]) -> None:
        name: str | None = None
        for line in lines:
            if line.startswith("-- ") and line.rstrip().endswith(" --"):
                name = line.strip()[3:-3]
                self.files[name] = ""
            elif name is not None:
                self.files[name] += line
            elif line.startswith("$ "):
                self.steps.append(Step(line[2:].rstrip("\n")))
            elif self.steps:
                self.steps[-1].expected.append(line)
            else:
                self.about.append(line)
        for step in self.steps:
            while step.expected and not step.expected[-1].strip():
                step.expected.pop()

    def run(self, folder: Path) -> list[str]:
        """What each command prints, as a case says it."""
        for name, text in self.files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(decoded(text))
        last = max((at for at, step in enumerate(self.steps) if step.is_plain), default=0)
        return [printed(step.command, folder, step.is_plain and at < last) for at, step in enumerate(self.steps)]

    def updated(self, outputs: list[str]) -> str:
        """The case with what the commands print now."""
        parts = ["".join(self.about)]
        parts += [f"$ {step.command}\n{output}\n" for step, output in zip(self.steps, outputs, strict=True)]
        parts += [f"-- {name} --\n{text}" for name, text in self.files.items()]
        return "".join(parts)


def decoded(text: str) -> bytes:
    """A file of a case; one that begins with `bytes: ` gives its bytes as a Python literal."""
    if text.startswith("bytes: "):
        return bytes(text[len("bytes: ") :].rstrip("\n"), "latin-1").decode("unicode_escape").encode("latin-1")
    return text.encode()


DAY = "1767225600"
"""The first day of 2026, in seconds: what patterns write down as the day of a change."""


def environment(folder: Path) -> dict[str, str]:
    """A user with an empty home on a fixed day: nothing of this machine or of today shows."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "PYTHONPATH", "SYSTEMROOT")}
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "CACHE", "STATE")}
    return {**kept, "HOME": str(home), "SOURCE_DATE_EPOCH": DAY, **folders}


def shown(data: bytes, folder: Path) -> str:
    """What was printed, without what differs from machine to machine."""
    text = data.decode().replace(str(folder), "/project").replace(str(folder.parent / "home"), "/home/user")
    text = text.replace(f"{sys.executable} -m pip", "python -m pip")
    return re.sub(r"(?<=/journals/)[0-9a-f]{32}", "0" * 32, text)


def printed(command: str, folder: Path, goes_on: bool = False) -> str:
    """Standard output, standard error behind `2> `, and the exit status where it is not 0; `goes_on`: more commands of
    plait follow, which run in the same process.

    A `|` pipes; `NAME=VALUE` sets.
    """
    env = environment(folder)
    given: dict[str, str] = {}
    *before, last = command.split(" | ")
    fed = b""
    for part in before:
        fed = subprocess.run(part, shell=True, cwd=folder, env=env, input=fed, capture_output=True).stdout
    words = shlex.split(last)
    while words and "=" in words[0] and not words[0].startswith("-"):
        name, _, value = words.pop(0).partition("=")
        given[name] = value
    status, *streams = _finished(words, folder, env, given, fed, goes_on)
    out, err = (shown(data, folder) for data in streams)
    lines = [out if not out or out.endswith("\n") else out + "\n"]
    lines += [f"2> {line}".rstrip() + "\n" for line in err.splitlines()]
    if status:
        lines.append(f"exit {status}\n")
    return "".join(lines)


def _finished(
    words: list[str], folder: Path, env: dict[str, str], given: dict[str, str], fed: bytes, goes_on: bool
) -> tuple[int, bytes, bytes]:
    """The exit status of a command and what it printed. A process that has plait loaded forks for it."""
    scene = given.pop("SCENE", "")
    if words[0] == "plait" and scene not in UNLOADED:
        script = f"scenes/{scene}.py" if scene else ""
        return preloaded().run(words[1:], folder, {**env, **given}, fed, script, goes_on)
    program = [*PLAIT[:2], f"import runpy; runpy.run_path('scenes/{scene}.py'); {START}"]
    argv = {"plait": program, "python": [sys.executable]}.get(words[0], words[:1]) + words[1:]
    done = subprocess.run(argv, cwd=folder, env={**env, **given}, input=fed, capture_output=True, timeout=600)
    return done.returncode, done.stdout, done.stderr
