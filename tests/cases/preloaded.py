"""Commands of plait as processes of their own that start quickly: one process has loaded plait, and forks for each.

A command gets its own streams, folder, environment and arguments, as if a shell had started it; only the loading of
modules is shared. The process that forks reads one request a line, and writes on a line how the command ended.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import pkgutil
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

    def __init__(self) -> None:
        argv = [sys.executable, "-c", f"from {__name__} import serve; serve()"]
        root = Path(__file__).parents[2]
        env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, env=env)

    def run(
        self, argv: list[str], folder: Path, env: dict[str, str], fed: bytes, scene: str = ""
    ) -> tuple[int, bytes, bytes]:
        """The exit status of `plait ARGV...`, its standard output and its standard error; a scene runs before it."""
        with folder_of_its_own() as place:
            names = [os.path.join(place, name) for name in ("in", "out", "err")]
            Path(names[0]).write_bytes(fed)
            self._ask({"argv": argv, "folder": str(folder), "env": env, "streams": names, "scene": scene})
            return self._ended().status, Path(names[1]).read_bytes(), Path(names[2]).read_bytes()

    def shown(self, argv: list[str], folder: Path, env: dict[str, str]) -> bytes:
        """What a terminal shows of `plait ARGV...`: both streams in the order in which they are written."""
        with tempfile.NamedTemporaryFile() as both:
            streams = [os.devnull, both.name, both.name]
            self._ask({"argv": argv, "folder": str(folder), "env": env, "streams": streams, "scene": ""})
            self._ended()
            return both.read()

    def cost(self, argv: list[str], folder: Path, env: dict[str, str]) -> tuple[Ended, bytes]:
        """How `plait ARGV...` ended, and what it told on standard error; it prints nothing else."""
        with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
            streams = [os.devnull, out.name, err.name]
            self._ask({"argv": argv, "folder": str(folder), "env": env, "streams": streams, "scene": ""})
            ended = self._ended()
            assert not out.read()
            return ended, err.read()

    def _ask(self, request: dict[str, object]) -> None:
        assert self._process.stdin is not None
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


@cache
def preloaded() -> Preloaded:
    """One for each process of the tests; it ends with it, because its requests end."""
    return Preloaded()


def completed(argv: list[str], folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """`plait ARGV...` as `subprocess.run` gives it."""
    status, out, err = preloaded().run(argv, folder, env, b"")
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
    streams, env, words = request["streams"], request["env"], request["argv"]
    assert isinstance(streams, list)
    assert isinstance(env, dict)
    assert isinstance(words, list)
    written = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    modes = (os.O_RDONLY, written, written)
    handles = [os.open(name, mode, 0o600) for name, mode in zip(streams, modes, strict=True)]
    become(words, str(request["folder"]), env, handles, str(request["scene"]))


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
    """Fork for each request until there are no more."""
    requests, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    load()
    with open(requests, "rb") as lines:
        for line in lines:
            child = os.fork()
            if not child:
                os.close(requests)
                os.close(answers)
                command(json.loads(line))
            _, status, used = os.wait4(child, 0)
            seconds = used.ru_utime + used.ru_stime
            os.write(answers, f"{os.waitstatus_to_exitcode(status)} {seconds} {used.ru_maxrss}\n".encode())
