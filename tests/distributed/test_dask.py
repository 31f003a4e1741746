"""A real Dask cluster of two worker processes on this machine, one of which is killed in the middle."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from plait.core.diagnostic import PlaitError
from plait.distributed import engines
from plait.distributed.engines import DaskEngine
from plait.distributed.remote import RemoteWorkers
from tests.distributed.test_executor import Counting, deploy, described, repository
from tests.ports import free_port

pytest.importorskip("distributed", reason="Dask is not installed: make services")
__all__ = ["repository"]

LONG = 600
"""Seconds that nobody waits for unless something is broken."""


class Cluster:
    """A scheduler and two workers."""

    def __init__(self, facts: Path) -> None:
        """The scheduler chooses its port, and says in a file which one."""
        file = ("--scheduler-file", str(facts))
        scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *file]
        self.processes = [self._start(scheduler)]
        self.address = self._address(facts)
        worker = ["dask_worker", *file, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        self.processes += [self._start(worker), self._start(worker)]

    def _address(self, facts: Path) -> str:
        """Where the scheduler is, once it says so."""
        while True:
            assert self.processes[0].poll() is None, "the scheduler ended"
            with contextlib.suppress(OSError, ValueError):
                return str(json.loads(facts.read_text())["address"]).removeprefix("tcp://")
            time.sleep(0.05)

    @staticmethod
    def _start(words: list[str]) -> subprocess.Popen[bytes]:
        argv = [sys.executable, "-m", f"distributed.cli.{words[0]}", *words[1:]]
        return subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with closing(Cluster(tmp_path_factory.mktemp("cluster") / "scheduler.json")) as found:
        yield found


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take long to connect."""
    monkeypatch.setattr(engines, "SECONDS", LONG)


@pytest.mark.long
def test_a_worker_dies_in_the_middle_and_the_answer_is_the_same(repository: Path, cluster: Cluster) -> None:
    deploy(repository, range(3, 6))
    with closing(DaskEngine(cluster.address)) as engine:
        engine._client.wait_for_workers(2, timeout=LONG)
        workers = Killing(engine, cluster.processes[1])
        assert described(workers) == described()
    assert workers.problems == []
    assert workers.counted == [True] * 6
    assert cluster.processes[1].wait(LONG) == -signal.SIGKILL


class Killing(Counting):
    """Kills a worker as soon as the first answer is there."""

    def __init__(self, engine: DaskEngine, victim: subprocess.Popen[bytes]) -> None:
        super().__init__(engine)
        self.victim = victim

    def answers(self, project, question, names):  # type: ignore[no-untyped-def]
        for found in super().answers(project, question, names):
            self.victim.kill()
            yield found


def test_nobody_answers_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "SECONDS", 1)
    with pytest.raises(PlaitError) as caught:
        engines.connect(f"dask://127.0.0.1:{free_port()}")
    found = caught.value.diagnostics[0]
    assert found.code == "PL3725"
    assert found.hint == "check that it is running and that the port is correct"


def test_closing_lets_go_of_the_cluster(cluster: Cluster) -> None:
    workers = RemoteWorkers(DaskEngine(cluster.address))
    workers.close()
    assert workers.engine._client.status == "closed"  # type: ignore[attr-defined]
