"""Work in forked processes: what it finds comes back as JSON, and what hangs is ended."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.cases.preloaded import command


@contextlib.contextmanager
def folder_of_its_own() -> Iterator[str]:
    """A folder that only the process that made it removes: forks end with what is left to clean up, too."""
    name = tempfile.mkdtemp()
    try:
        yield name
    finally:
        shutil.rmtree(name, ignore_errors=True)


def forked(work: Callable[[], Any], seconds: float) -> Any:
    """What a function gives in a process of its own; None where it took too long."""
    with folder_of_its_own() as folder:
        answer = Path(folder, "answer")
        child = os.fork()
        if not child:
            os.setpgid(0, 0)
            silent = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(silent, stream)
            try:
                told = {"gives": work()}
            except BaseException:
                told = {"fails": traceback.format_exc()}
            answer.write_text(json.dumps(told), encoding="utf-8")
            os._exit(0)
        ends = time.monotonic() + seconds
        while not os.waitpid(child, os.WNOHANG)[0]:
            if time.monotonic() > ends:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return None
            time.sleep(0.01)
        told = json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else {"gives": None}
        if "fails" in told:
            raise RuntimeError(told["fails"])
        return told["gives"]


def _become(request: dict[str, object]) -> None:
    """Run a command and end as it ends."""
    status = 1
    try:
        command(request)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


class Forks:
    """Commands of cases as forks of this process, which has the mutant."""

    def run(
        self, argv: list[str], folder: Path, env: dict[str, str], fed: bytes, scene: str = ""
    ) -> tuple[int, bytes, bytes]:
        with folder_of_its_own() as place:
            names = [os.path.join(place, name) for name in ("in", "out", "err")]
            Path(names[0]).write_bytes(fed)
            child = os.fork()
            if not child:
                _become({"argv": argv, "folder": str(folder), "env": env, "streams": names, "scene": scene})
            _, status = os.waitpid(child, 0)
            return os.waitstatus_to_exitcode(status), Path(names[1]).read_bytes(), Path(names[2]).read_bytes()
