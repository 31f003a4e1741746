"""Commands of plait that start quickly: one process has loaded plait, and forks for each.

A command gets its own streams, folder, environment and arguments, as if a shell had started it; only the loading of
modules is shared. The process that forks reads one request a line, and writes on a line how the command ended.

A fork costs twenty times what a small command does. So commands that belong together, as those of a case, run in one
fork, one after the other. The last of them ends it, as it would end a process of its own: only it lets the kernel
limit what it may do.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import resource
import runpy
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

LOADED = ("access", "core", "edits", "evaluate", "fronts", "keeping", "merging", "notations", "profiles", "regexp")
LOADED += ("report", "review", "services", "yaml", "workspace", "apps.cli", "apps.reviews")
SECONDS = 600
USUAL_FILES = {
    "base.yaml": "image: {name: nginx, tags: [a, b]}\nsize: 1\nnet: !ref image.name\n",
    "prod.yaml": "image: {tags: !append [c]}\nsize: 2\n",
    "wrong.yaml": "a: !ref nowhere\n",
    "template.yml": "a: (( b ))\nb: 1\n",
    "atmos.yaml": "stacks: {base_path: stacks, included_paths: ['**/*'], name_pattern: '{stage}'}\n"
    "components: {terraform: {base_path: components/terraform}}\n",
    "stacks/dev.yaml": "vars: {stage: dev}\ncomponents: {terraform: {vpc: {vars: {a: '{{ .stack }}'}}}}\n",
}
USUAL = [
    "merge base.yaml prod.yaml",
    "merge wrong.yaml",
    "get base.yaml size",
    "explain size base.yaml prod.yaml",
    "blame base.yaml prod.yaml",
    "lint",
    "spiff merge template.yml",
    "describe component vpc -s dev",
]
NOTHING: dict[str, object] = {"argv": None, "goes_on": False}
"""No command: it ends a process in which more could follow."""
ROUNDS = 10
"""So often Python looks at a function before it makes its code fast."""


@contextmanager
def folder_of_its_own() -> Iterator[str]:
    """A folder that only the process that made it removes: forks end with what is left to clean up, too."""
    name = tempfile.mkdtemp()
    try:
        yield name
    finally:
        shutil.rmtree(name, ignore_errors=True)


class Ended(NamedTuple):
    """How a command ended, the seconds of CPU time that it took, and the kB that it needed at its peak."""

    status: int
    seconds: float
    peak: int


class Preloaded:
    """The process that forks, seen from the tests."""

    _goes_on: object = False
    """Whether the last command has left a process in which more can follow."""

    def __init__(self) -> None:
        argv = [sys.executable, "-c", f"from {__name__} import serve; serve()"]
        root = Path(__file__).parents[2]
        env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, env=env)

    def run(
        self, argv: list[str], folder: Path, env: dict[str, str], fed: bytes, scene: str = "", goes_on: bool = False
    ) -> tuple[int, bytes, bytes]:
        """The exit status of `plait ARGV...`, its standard output and its standard error; a scene runs before it.
        `goes_on`: more commands follow in the same process."""
        with folder_of_its_own() as place:
            names = [os.path.join(place, name) for name in ("in", "out", "err")]
            Path(names[0]).write_bytes(fed)
            self._ask(_request(argv, folder, env, names, scene, goes_on))
            return self._ended().status, Path(names[1]).read_bytes(), Path(names[2]).read_bytes()

    def shown(self, argv: list[str], folder: Path, env: dict[str, str]) -> bytes:
        """What a terminal shows of `plait ARGV...`: both streams in the order in which they are written."""
        with tempfile.NamedTemporaryFile() as both:
            streams = [os.devnull, both.name, both.name]
            self._ask(_request(argv, folder, env, streams, goes_on=True))
            self._ended()
            return both.read()

    def cost(self, argv: list[str], folder: Path, env: dict[str, str]) -> tuple[Ended, bytes]:
        """How `plait ARGV...` ended, and what it told on standard error; it prints nothing else. It has a process of
        its own."""
        if self._goes_on:
            self._ask(NOTHING)
            self._ended()
        with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
            streams = [os.devnull, out.name, err.name]
            self._ask(_request(argv, folder, env, streams))
            ended = self._ended()
            assert not out.read()
            return ended, err.read()

    def _ask(self, request: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._goes_on = request["goes_on"]
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()

    def _ended(self) -> Ended:
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], SECONDS)
        if not ready:
            self._process.kill()
            raise TimeoutError(f"a command took longer than {SECONDS} seconds")
        status, seconds, peak = self._process.stdout.readline().split()
        return Ended(int(status), float(seconds), int(peak))


def _request(
    argv: list[str], folder: Path, env: dict[str, str], streams: list[str], scene: str = "", goes_on: bool = False
) -> dict[str, object]:
    """What the process that forks has to know about a command."""
    words = {"argv": argv, "folder": str(folder), "env": env, "streams": streams}
    return {**words, "scene": scene, "goes_on": goes_on}


@cache
def preloaded() -> Preloaded:
    """One for each process of the tests; it ends with it, because its requests end."""
    return Preloaded()


def completed(argv: list[str], folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """`plait ARGV...` as `subprocess.run` gives it."""
    status, out, err = preloaded().run(argv, folder, env, b"", goes_on=True)
    return subprocess.CompletedProcess(argv, status, out.decode(), err.decode())


def load() -> None:
    """Import what commands import, run some, and keep all of it out of the collector's way."""
    import plait

    for info in pkgutil.walk_packages(plait.__path__, "plait."):
        if info.name.removeprefix("plait.").startswith(LOADED):
            with suppress(ImportError):  # it belongs to an extra that is not installed
                importlib.import_module(info.name)
    warm()
    gc.enable()
    gc.collect()
    gc.freeze()


def warm() -> None:
    """Run usual commands until Python has made their code fast: each fork would do that again, in pages of its own."""
    from plait.apps.cli.run import run

    here, before = os.getcwd(), dict(os.environ)
    with tempfile.TemporaryDirectory() as place, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        os.environ.update({f"XDG_{kind}_HOME": os.path.join(place, kind) for kind in ("CONFIG", "CACHE", "STATE")})
        for name, text in USUAL_FILES.items():
            file = Path(place, "project", name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        os.chdir(os.path.join(place, "project"))
        for line in USUAL * ROUNDS:
            run(line.split())
        os.chdir(here)
    os.environ.clear()
    os.environ.update(before)


def command(request: dict[str, object]) -> None:
    """In a process of its own: become the command."""
    become(*_given(request), str(request["scene"]))


def _given(request: dict[str, object]) -> tuple[list[str], str, dict[str, str], list[int]]:
    """The arguments, the folder, the environment and the open streams of a command."""
    streams, env, words = request["streams"], request["env"], request["argv"]
    assert isinstance(streams, list)
    assert isinstance(env, dict)
    assert isinstance(words, list)
    written = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    modes = (os.O_RDONLY, written, written)
    handles = [os.open(name, mode, 0o600) for name, mode in zip(streams, modes, strict=True)]
    return words, str(request["folder"]), env, handles


def in_turn(request: dict[str, object]) -> int:
    """Run a command in this process, and give its status."""
    from plait.apps.cli import main

    taken(*_given(request))
    sys.stdin = os.fdopen(0, encoding=sys.stdin.encoding, errors=sys.stdin.errors, closefd=False)
    status = main()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def become(words: list[str], folder: str, env: dict[str, str], streams: list[int], scene: str = "") -> None:
    """In a process of its own: become `plait WORDS...`; a scene runs before it."""
    taken(words, folder, env, streams)
    if scene:
        runpy.run_path(scene)
    from plait.__main__ import run

    run()


def taken(words: list[str], folder: str, env: dict[str, str], streams: list[int]) -> None:
    """In a process of its own: take the arguments, the folder, the environment and the streams of another one."""
    for number, handle in enumerate(streams):
        os.dup2(handle, number)
        os.close(handle)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.argv[:] = ["-c", *words]
    tempfile.tempdir = None  # which Python looks for in the environment once


def serve() -> None:
    """Fork for each request until there are no more; a fork serves those that follow in the same process itself."""
    requests, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    load()

    def answer(status: int, used: resource.struct_rusage) -> None:
        os.write(answers, f"{status} {used.ru_utime + used.ru_stime} {used.ru_maxrss}\n".encode())

    with open(requests, "rb") as lines:
        for line in lines:
            child = os.fork()
            if not child:
                while line and (request := json.loads(line))["goes_on"]:
                    answer(in_turn(request), resource.getrusage(resource.RUSAGE_SELF))
                    line = lines.readline()
                os.close(requests)
                os.close(answers)
                if line and request["argv"] is not None:
                    command(request)
                os._exit(0)
            _, status, used = os.wait4(child, 0)
            answer(os.waitstatus_to_exitcode(status), used)
