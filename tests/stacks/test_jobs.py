"""Several processes give the same bytes as one, and ask the outside as often."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import pytest

from plait.access import workers as access_workers
from plait.access.guard import Guard, LeftUndone
from plait.access.workers import forked
from plait.core.plain import from_plain
from plait.fronts.stacks.answers import spread
from plait.fronts.stacks.answers.describe import DescribeFilter
from plait.fronts.stacks.config.search import ConfigFlags
from plait.fronts.stacks.session.session import StackOptions
from plait.review.compared import ComparedTargets
from plait.review.verify import _Worker
from plait.workspace import Workspace
from tests.forks import counted_forks
from tests.test_bad_input import plait

CONFIG = """\
stacks:
  base_path: stacks
  included_paths: ["deploy/*"]
  name_pattern: "{stage}"
components: {terraform: {base_path: components}}
"""
CATALOG = """\
components:
  terraform:
    net: {vars: {cidr: "10.{{ .vars.number }}.0.0/16"}}
    app: {vars: {replicas: 1}, dependencies: {components: [{component: net}]}}
"""


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    monkeypatch.setattr(spread, "PAYS", 20)
    return counted_forks(monkeypatch)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "atmos.yaml").write_text(CONFIG + "templates: {settings: {enabled: true}}\n")
    (tmp_path / "stacks/catalog").mkdir(parents=True)
    (tmp_path / "stacks/deploy").mkdir()
    (tmp_path / "stacks/catalog/all.yaml").write_text(CATALOG)
    for number in range(30):
        text = f"import: [catalog/all]\nvars: {{stage: s{number:02}, number: {number}}}\n"
        (tmp_path / f"stacks/deploy/s{number:02}.yaml").write_text(text)
    return tmp_path


def described(folder: Path, jobs: int, **options: object) -> tuple[str, list[str], dict[str, int]]:
    workspace = Workspace(str(folder), cache=False, jobs=jobs, **options)  # type: ignore[arg-type]
    stacks = workspace.stacks(str(folder))
    text = "".join(stacks.describe_stacks(stacks.filter(), stacks.shape("json")))
    found = [*stacks.left_out(), *stacks.wrong(), *stacks.warnings()]
    return (
        text,
        [f"{one.code} {one.message} {[str(label.origin) for label in one.labels]}" for one in found],
        workspace.counters.as_dict(),
    )


def test_the_bytes_and_the_work_are_those_of_one_process(repository: Path, workers: list[int]) -> None:
    alone, together = described(repository, 1), described(repository, 3)
    assert alone == together
    assert len(workers) == 3
    assert '"cidr": "10.29.0.0/16"' in alone[0]


def test_what_has_something_to_report_is_reported_once_and_alike(repository: Path) -> None:
    broken = repository / "stacks/deploy/s07.yaml"
    broken.write_text(broken.read_text() + "components: {terraform: {net: {vars: {x: '{{ fail `no` }}'}}}}\n")
    foreign = repository / "stacks/deploy/s09.yaml"
    foreign.write_text(foreign.read_text() + "components: {terraform: {net: {vars: {x: !emulator y}}}}\n")
    alone, together = described(repository, 1), described(repository, 3)
    assert alone[:2] == together[:2]
    assert len(alone[1]) == 2


def test_the_outside_is_asked_once_by_the_process_that_was_started(repository: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    for number in (3, 4):
        manifest = repository / f"stacks/deploy/s{number:02}.yaml"
        text = f"components: {{terraform: {{net: {{vars: {{who: !exec 'echo $PPID >> {log}; echo x'}}}}}}}}\n"
        manifest.write_text(manifest.read_text() + text)
    together = described(repository, 3, allow=["exec"])
    assert log.read_text().split() == [str(os.getpid())]
    assert together[:2] == described(repository, 1, allow=["exec"])[:2]


def test_a_call_that_only_an_included_file_asks_for_is_left_to_the_first_process(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spread, "MARKS", ())
    log = repository / "log"
    for number in range(30):
        manifest = repository / f"stacks/deploy/s{number:02}.yaml"
        text = f"components: {{terraform: {{net: {{vars: {{who: !exec 'echo $PPID >> {log}; echo x'}}}}}}}}\n"
        manifest.write_text(manifest.read_text() + text)
    described(repository, 3, allow=["exec"])
    assert log.read_text().split() == [str(os.getpid())]


def test_few_stacks_start_no_process(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_stacks(repository, spread.PAYS - 1)
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a process was started"))
    described(repository, 3)


def test_every_worker_has_enough_to_do(repository: Path, workers: list[int]) -> None:
    keep_stacks(repository, spread.PAYS)
    described(repository, 3)
    assert len(workers) == 2


def keep_stacks(repository: Path, count: int) -> None:
    """Delete the other stacks. Each has two components."""
    for number in range(count, 30):
        (repository / f"stacks/deploy/s{number:02}.yaml").unlink()


@pytest.mark.parametrize(("text", "cores"), [("max 100000\n", 8), ("150000 100000\n", 2), ("9000 100000", 1), ("x", 8)])
def test_a_container_has_the_cores_that_it_gets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, cores: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)), raising=False)
    monkeypatch.setattr(access_workers, "QUOTA", str(tmp_path / "cpu.max"))
    assert access_workers.usable_cores() == 8
    (tmp_path / "cpu.max").write_text(text)
    assert access_workers.usable_cores() == cores


@pytest.mark.parametrize(("load", "cores"), [(0.0, 4), (0.4, 4), (11.6, 4), (12.6, 3), (14.9, 1), (40.0, 1), (None, 4)])
def test_auto_leaves_the_cores_to_others_that_they_use(
    monkeypatch: pytest.MonkeyPatch, load: float | None, cores: int
) -> None:
    """A process that may use four of sixteen cores."""

    def busy() -> tuple[float, ...]:
        if load is None:
            raise OSError
        return (load, 0.0, 0.0)

    monkeypatch.setattr(access_workers, "usable_cores", lambda: 4)
    monkeypatch.setattr(os, "cpu_count", lambda: 16)
    monkeypatch.setattr(os, "getloadavg", busy)
    assert access_workers.free_cores() == cores
    assert Workspace(cache=False, jobs=0).project.jobs == cores


def test_a_worker_that_dies_leaves_its_units_undone() -> None:
    def work(unit: int) -> int:
        if unit == 13:
            os._exit(9)
        return unit * unit

    found = list(forked(work, range(100), 2, Guard()))
    assert all(value in (None, number * number) for number, value in enumerate(found))
    assert found[13] is None
    assert sum(value is None for value in found) <= 100 // 16


def test_all_workers_may_die() -> None:
    assert list(forked(lambda unit: os._exit(1), range(40), 4, Guard())) == [None] * 40


def test_nobody_is_left_when_the_results_are_not_taken(workers: list[int]) -> None:
    results = forked(lambda unit: unit, range(1000), 4, Guard())
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert len(workers) == 4
    for process in workers:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)


def test_a_worker_is_told_from_the_process_that_started_it() -> None:
    from plait.core.node import Scalar
    from plait.core.scope import Patience
    from plait.evaluate.engine import Evaluator

    evaluator = Evaluator()
    evaluator.door.guard.apart = True
    with pytest.raises(LeftUndone):
        evaluator.call("", ("x",), lambda: Scalar(1, "1"), Scalar(1, "1"), Patience("x"))


def findings(folder: Path, jobs: int) -> list[str]:
    found = Workspace(str(folder), cache=False, jobs=jobs).stacks(str(folder)).validate()
    return [f"{one.code} {one.message} {[str(label.origin) for label in one.labels]}" for one in found]


def test_validate_finds_the_same(repository: Path, workers: list[int]) -> None:
    assert findings(repository, 3) == findings(repository, 1) == []
    assert len(workers) == 6, "for the files, then for the components"
    for number, text in ((2, "components: {terraform: {x: 3}}"), (8, "components: {terraform: {y: {vars: [1]}}}")):
        manifest = repository / f"stacks/deploy/s{number:02}.yaml"
        manifest.write_text(f"{manifest.read_text()}{text}\n")
    second = repository / "stacks/deploy/t.yaml"
    second.write_text("vars: {stage: s05, number: 9}\ncomponents: {terraform: {net: {vars: {cidr: other}}}}\n")
    alone = findings(repository, 1)
    assert findings(repository, 3) == alone
    assert [line.split()[0] for line in alone].count("PL3222") == 1, "two manifests of one stack disagree"


def test_verify_proves_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: list[int]) -> None:
    targets = "".join(f"  - {{name: t{n}, layers: [base.yaml, t{n}.yaml]}}\n" for n in range(8))
    (tmp_path / "plait.yaml").write_text(f"targets:\n{targets}")
    (tmp_path / "base.yaml").write_text("a: 1\nb: {c: 2}\n")
    (tmp_path / "saved").mkdir()
    for number in range(8):
        (tmp_path / f"t{number}.yaml").write_text(f"n: {number}\n")
        (tmp_path / f"saved/t{number}.yaml").write_text(f"n: {number % 6}\nb: {{c: 2}}\na: 1\n")
    monkeypatch.chdir(tmp_path)

    def proved(jobs: int) -> tuple[object, ...]:
        found = Workspace(".", cache=False, jobs=jobs).verify("saved", None)
        return [(one.name, one.status, one.digest, one.normalised) for one in found.verdicts], found.inputs

    assert proved(3) == proved(1)
    assert len(workers) == 3
    assert [status for _, status, _, _ in proved(3)[0]].count("different") == 2  # type: ignore[attr-defined]
    assert len(proved(3)[1]) == 10  # type: ignore[arg-type]


def test_lint_of_all_targets_finds_the_same(tmp_path: Path) -> None:
    targets = "".join(f"  - {{name: t{n}, layers: [base.yaml, t{n}.yaml]}}\n" for n in range(6))
    (tmp_path / "plait.yaml").write_text(f"targets:\n{targets}")
    (tmp_path / "base.yaml").write_text("a: [1, 2]\n")
    for number in range(6):
        (tmp_path / f"t{number}.yaml").write_text("a: [3]\n" if number % 3 == 0 else "b: 1\n")
    alone, together = (plait(tmp_path, "lint", "--jobs", jobs) for jobs in ("1", "3"))
    assert alone == together
    assert alone[1].count("PL2301") == 2


@pytest.mark.parametrize("given", ["0", "-1", "x", "65", "1.5", "9" * 40])
def test_a_number_of_processes_that_is_none(tmp_path: Path, given: str) -> None:
    status, _, told = plait(tmp_path, "validate", "stacks", "--jobs", given)
    assert status == 2
    assert "--jobs" in told
    assert "from 1 to 64, or auto" in told


def test_a_worker_of_verify_names_each_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plait.yaml").write_text(
        "targets: [{name: a, layers: [base.yaml, a.yaml]}, {name: b, layers: [base.yaml, b.yaml]}]\n"
    )
    for name in ("base", "a", "b"):
        (tmp_path / f"{name}.yaml").write_text("x: 1\n")
    monkeypatch.chdir(tmp_path)
    compared = ComparedTargets(Workspace(".", cache=False).world())
    saved = {name: {compared.targets[name].id(): from_plain({"x": 1})} for name in ("a", "b")}
    worker = _Worker(compared, saved)
    assert [sorted(worker.proof(name)[3]) for name in ("a", "b")] == [["a.yaml", "base.yaml"], ["b.yaml"]]  # type: ignore[index]


@pytest.mark.parametrize("kind", [StackOptions, ConfigFlags, DescribeFilter])
def test_a_question_reaches_another_machine_whole(kind: type[StackOptions | ConfigFlags | DescribeFilter]) -> None:
    """`words` are all arguments, so that a worker on another machine answers the same question."""
    parameters = inspect.signature(kind).parameters.values()
    given: dict[str, object] = {}
    for one in parameters:
        other = {bool: not one.default, str: "x", tuple: ["x"]}
        given[one.name] = other.get(type(one.default), {("x",): "y"})
    made = kind(**given)  # type: ignore[arg-type]
    assert made.words() == given
