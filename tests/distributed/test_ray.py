"""A real Ray cluster on this machine, of which a worker is killed in the middle: `make test-ray`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from plait.distributed.engines import RayEngine
from tests.distributed.test_executor import Counting, described, repository
from tests.ports import free_port

pytest.importorskip("ray", reason="Ray is not installed: make test-ray")
__all__ = ["repository"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port, program = free_port(), Path(sys.executable).with_name("ray")
    words = [
        str(program), "start", "--head", "--num-cpus=2", f"--port={free_port()}", f"--ray-client-server-port={port}",
        "--include-dashboard=false", "--node-ip-address=127.0.0.1", "--disable-usage-stats",
    ]  # fmt: skip
    found = os.pathsep.join(filter(None, [str(Path(__file__).parents[2] / "src"), os.environ.get("PYTHONPATH", "")]))
    subprocess.run(words, env={**os.environ, "PYTHONPATH": found}, check=True, capture_output=True)
    yield f"127.0.0.1:{port}"
    subprocess.run([str(program), "stop", "--force"], check=False, capture_output=True)


def worker_processes() -> list[int]:
    """The processes of Ray that wait for tasks or do one."""
    lines = subprocess.run(["ps", "-eo", "pid,args"], check=True, capture_output=True, text=True).stdout.splitlines()
    return [int(line.split()[0]) for line in lines if "ray::answer" in line or "ray::IDLE" in line]


class Killing(Counting):
    """Kills every worker as soon as the first answer is there."""

    killed = 0

    def answers(self, project, question, names):  # type: ignore[no-untyped-def]
        for found in super().answers(project, question, names):
            if not self.killed:
                for process in worker_processes():
                    os.kill(process, signal.SIGKILL)
                    self.killed += 1
            yield found


def test_workers_die_in_the_middle_and_the_answer_is_the_same(repository: Path, address: str) -> None:
    with closing(RayEngine(address)) as engine:
        crowd = Killing(engine)
        assert described(crowd) == described()
    assert crowd.counted == [True] * 6
    assert crowd.killed
    assert crowd.problems == []
