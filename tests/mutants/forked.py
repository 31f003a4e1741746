"""Work in forked processes: what it finds comes back as JSON, and what hangs is ended."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cases.preloaded import command


def forked(work: Callable[[], Any], seconds: float) -> Any:
    """What a function gives in a process of its own; None where it took too long or ended otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "answer")
        child = os.fork()
        if not child:
            os.setpgid(0, 0)
            silent = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(silent, stream)
            try:
                answer.write_text(json.dumps(work()), encoding="utf-8")
            finally:
                os._exit(0)
        ends = time.monotonic() + seconds
        while not os.waitpid(child, os.WNOHANG)[0]:
            if time.monotonic() > ends:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return None
            time.sleep(0.01)
        return json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else None


class Forks:
    """Commands of cases as forks of this process, which has the mutant."""

    def run(
        self, argv: list[str], folder: Path, env: dict[str, str], fed: bytes, scene: str = ""
    ) -> tuple[int, bytes, bytes]:
        with tempfile.TemporaryDirectory() as place:
            names = [os.path.join(place, name) for name in ("in", "out", "err")]
            Path(names[0]).write_bytes(fed)
            child = os.fork()
            if not child:
                try:
                    command({"argv": argv, "folder": str(folder), "env": env, "streams": names, "scene": scene})
                finally:
                    os._exit(1)
            _, status = os.waitpid(child, 0)
            return os.waitstatus_to_exitcode(status), Path(names[1]).read_bytes(), Path(names[2]).read_bytes()
