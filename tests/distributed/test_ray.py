"""A real Ray cluster on this machine, of which a worker is killed in the middle: `make test-ray`."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from plait.distributed.engines import RayEngine
from tests.distributed.test_executor import Counting, deploy, described, repository
from tests.ports import free_port

pytest.importorskip("ray", reason="Ray is not installed: make test-ray")
__all__ = ["repository"]


class Head:
    """A cluster of one machine with two workers, in the foreground of a process of its own."""

    def __init__(self) -> None:
        port, program = free_port(), Path(sys.executable).with_name("ray")
        words = [
            str(program), "start", "--head", "--block", "--num-cpus=2", f"--port={free_port()}",
            f"--ray-client-server-port={port}", "--include-dashboard=false", "--node-ip-address=127.0.0.1",
            "--disable-usage-stats",
        ]  # fmt: skip
        source = str(Path(__file__).parents[2] / "src")
        found = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH", "")]))
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(words, env={**os.environ, "PYTHONPATH": found}, **quiet)  # type: ignore[call-overload]
        self.address = f"127.0.0.1:{port}"

    def engine(self) -> RayEngine:
        """The engine, once the cluster is there."""
        while True:
            assert self.process.poll() is None, "the cluster ended"
            try:
                return RayEngine(self.address)
            except (ConnectionError, RuntimeError):
                time.sleep(1)

    def started(self) -> dict[int, str]:
        """The processes that this cluster started, with their command lines."""
        lines = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], check=True, capture_output=True, text=True).stdout
        rows = [line.split(None, 2) for line in lines.splitlines()]
        found = {str(self.process.pid): ""}
        for _ in rows:  # a process may be listed before the one that started it
            fresh = {pid: args for pid, parent, *args in rows if parent in found and pid not in found}
            if not fresh:
                break
            found |= {pid: " ".join(args) for pid, args in fresh.items()}
        return {int(pid): args for pid, args in found.items() if int(pid) != self.process.pid}

    def workers(self) -> list[int]:
        """The processes that wait for tasks or do one."""
        return [pid for pid, args in self.started().items() if "ray::answer" in args or "ray::IDLE" in args]

    def close(self) -> None:
        started = self.started()
        self.process.terminate()
        self.process.wait()
        for process in started:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


@pytest.fixture(scope="module")
def head() -> Iterator[Head]:
    with closing(Head()) as found:
        yield found


class Killing(Counting):
    """Kills every worker as soon as the first answer is there."""

    def __init__(self, engine: RayEngine, head: Head) -> None:
        super().__init__(engine)
        self.head = head
        self.killed = 0

    def answers(self, project, question, names):  # type: ignore[no-untyped-def]
        for found in super().answers(project, question, names):
            if not self.killed:
                for process in self.head.workers():
                    os.kill(process, signal.SIGKILL)
                    self.killed += 1
            yield found


def test_workers_die_in_the_middle_and_the_answer_is_the_same(repository: Path, head: Head) -> None:
    deploy(repository, range(3, 6))
    with closing(head.engine()) as engine:
        workers = Killing(engine, head)
        assert described(workers) == described()
    assert workers.counted == [True] * 6
    assert workers.killed
    assert workers.problems == []
