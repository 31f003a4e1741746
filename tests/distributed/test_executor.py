"""Other processes and machines give the same answer, or this one computes it."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from plait.access.parcels import unpacked
from plait.core.diagnostic import PlaitError
from plait.distributed.engines import Engine, connect, reason_of
from plait.distributed.evidence import Evidence
from plait.distributed.parcel import Parcel, Sealed
from plait.distributed.plain import packed
from plait.distributed.remote import RemoteWorkers
from plait.version import __version__
from plait.workspace import Workspace

CONFIG = """\
stacks: {base_path: stacks, included_paths: ["deploy/*"], name_pattern: "{stage}"}
components: {terraform: {base_path: components}}
templates: {settings: {enabled: true}}
"""
CATALOG = """\
components:
  terraform:
    net: {vars: {cidr: "10.{{ .vars.number }}.0.0/16"}}
    app: {vars: {limits: !include ../../data/limits.json}}
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("stacks/catalog", "stacks/deploy", "data"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "atmos.yaml").write_text(CONFIG)
    (tmp_path / "stacks/catalog/all.yaml").write_text(CATALOG)
    (tmp_path / "stacks/catalog/README.md").write_text("about the catalog\n")
    (tmp_path / "data/limits.json").write_text('{"cpu": 2}')
    deploy(tmp_path, range(3))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def deploy(folder: Path, numbers: range) -> None:
    """Write manifests of some stacks."""
    for number in numbers:
        text = f"import: [catalog/all]\nvars: {{stage: s{number}, number: {number}}}\n"
        (folder / f"stacks/deploy/s{number}.yaml").write_text(text)


class Counting(RemoteWorkers):
    """Remembers how many answers came from workers."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.counted: list[bool] = []

    def answers(self, project, question, names):  # type: ignore[no-untyped-def]
        for found in super().answers(project, question, names):
            self.counted.append(found is not None)
            yield found


def described(elsewhere: RemoteWorkers | None = None) -> tuple[str, list[str]]:
    stacks = Workspace(".", cache=False, elsewhere=elsewhere, budgets={"seconds": 900}).stacks(".")  # it may be busy
    text = "".join(stacks.describe_stacks(stacks.filter(), stacks.shape("json")))
    return text, [one.message for one in [*stacks.left_out(), *stacks.warnings()]]


def test_the_answer_is_the_same_and_comes_from_the_workers(repository: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        workers = Counting(Engine(pool))
        assert described(workers) == described()
    assert workers.problems == []
    assert workers.counted == [True] * 3, "the included file was sent when the first worker looked for it"


def test_what_has_something_to_report_is_computed_here(repository: Path) -> None:
    broken = repository / "stacks/deploy/s1.yaml"
    broken.write_text(broken.read_text() + "components: {terraform: {net: {vars: {x: '{{ fail `no` }}'}}}}\n")
    with ThreadPoolExecutor(1) as pool:
        workers = Counting(Engine(pool))
        assert described(workers) == described()
    assert workers.counted.count(False) == 1


class Failing(Executor):
    """Its workers cannot do anything."""

    def submit(self, function, /, *arguments, **words):  # type: ignore[no-untyped-def]
        future: Future[bytes] = Future()
        future.set_exception(OSError("the disk is full"))
        return future


def test_a_task_that_fails_names_its_targets(repository: Path) -> None:
    text, found = described(RemoteWorkers(Engine(Failing())))
    assert text == described()[0]
    assert found[0] == "computed here instead of by the engine: s0: the disk is full"
    assert len(found) == 3


class Broken(Engine):
    """An engine that fails in one of its parts."""

    def __init__(self, part: str, trouble: Exception) -> None:
        self.part = part
        self.trouble = trouble

    def _do(self, part: str) -> None:
        if part == self.part:
            raise self.trouble

    def workers(self) -> int:
        self._do("workers")
        return 1

    def share(self, data: bytes) -> bytes:
        self._do("share")
        return data

    def start(self, function: object, shared: object, names: list[str]) -> Callable[[], bytes]:
        self._do("start")

        def result() -> bytes:
            self._do("result")
            return b""

        return result


NO_PLAIT = ModuleNotFoundError("No module named 'plait'", name="plait")
INSTALL = f"the workers cannot load plait: install plait {__version__} where they run (No module named 'plait')"


@pytest.mark.parametrize(
    ("part", "trouble", "why"),
    [
        ("workers", OSError("the scheduler is gone"), "all stacks: the scheduler is gone"),
        ("share", NO_PLAIT, f"s0, s1, s2: {INSTALL}"),
        ("start", NO_PLAIT, f"s0, s1, s2: {INSTALL}"),
        ("result", NO_PLAIT, f"s0: {INSTALL}"),
        ("result", RuntimeError("worker died"), "s0: worker died"),
        ("", OSError(), "s0: the answer has another form"),
    ],
)
def test_whatever_is_wrong_with_workers_is_a_sentence(
    repository: Path, part: str, trouble: Exception, why: str
) -> None:
    text, found = described(RemoteWorkers(Broken(part, trouble)))
    assert text == described()[0]
    assert found[0] == f"computed here instead of by the engine: {why}"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("no route\n  to the host", "no route"),
        ("failure from server:\nTraceback\n  TimeoutError: too slow\n", "failure from server: TimeoutError: too slow"),
        ("failed:", "failed:"),
        ("", "OSError"),
    ],
)  # fmt: skip
def test_the_reason_of_an_engine_is_one_line(said: str, reason: str) -> None:
    assert reason_of(OSError(said)) == reason


def test_evidence_that_does_not_hold_here_is_refused(repository: Path) -> None:
    project = Workspace(".", cache=False).project
    root = "/elsewhere/tree"
    assert Evidence(evidence()).holds(project)
    assert not Evidence(evidence(files={"\0root/atmos.yaml": b"another digest"})).holds(project)
    assert not Evidence(evidence(failed=["\0root/atmos.yaml"])).holds(project)
    assert not Evidence(evidence(folders={"\0root/data": []})).holds(project)
    assert Evidence(evidence(folders={"\0root/data": [("limits.json", False, False)]})).holds(project)
    assert not Evidence(evidence(looked=[("file", "\0root/data/limits.json", False)])).holds(project)
    assert not Evidence(evidence(variables={"PLAIT_TEST_UNSET": "x"})).holds(project)
    assert not Evidence(evidence(unfollowed=["git"])).holds(project)
    assert root not in str(Evidence(evidence()).plain())


def evidence(**parts: object) -> dict[str, object]:
    names = {"files": {}, "failed": [], "folders": {}, "looked": [], "variables": {}, "unfollowed": []}
    return {**names, **parts}


def test_what_lies_outside_does_not_travel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "x.yaml"
    outside.write_text("a: 1\n")
    project = Workspace(".", cache=False, allow=["files"]).project
    assert Parcel(project, {}).complete
    project.bytes(str(outside))
    parcel = Parcel(project, {})
    assert not parcel.complete
    assert "x.yaml" not in str(parcel.files)


def test_an_engine_does_not_log_what_is_sent() -> None:
    assert "secret" not in repr(Sealed(b"secret")) + f"{Sealed(b'secret')!r}"


@pytest.mark.parametrize("address", ["dask", "dask://", "spark://a:1", "dask://nohost", "dask://:1"])
def test_an_address_that_names_no_engine(address: str) -> None:
    with pytest.raises(PlaitError) as caught:
        connect(address)
    assert caught.value.diagnostics[0].code == "PL9004"
    assert "dask://HOST:PORT" in caught.value.diagnostics[0].hint


def test_a_worker_of_another_version_refuses() -> None:
    from plait.distributed.worker import answer

    parcel = zlib.compress(packed(({"version": "0"}, ".", {}, [], [], {})))
    with pytest.raises(ValueError, match="the question comes from plait 0"):
        answer(parcel, ["a"])


def test_code_in_the_repository_is_not_loaded(repository: Path) -> None:
    (repository / "plait").mkdir()
    (repository / "plait/__init__.py").write_text(f"open({str(repository / 'pwned')!r}, 'w')\n")
    (repository / "marshal.py").write_text(f"open({str(repository / 'pwned')!r}, 'w')\n")
    with ThreadPoolExecutor(1) as pool:
        workers = Counting(Engine(pool))
        described(workers)
    assert all(workers.counted)
    assert not os.path.exists(repository / "pwned")


class Lying(Engine):
    """Its workers send what they like."""

    def __init__(self, sent: object) -> None:
        self.sent = sent
        self.shared: list[bytes] = []

    def workers(self) -> int:
        return 1

    def share(self, data: bytes) -> bytes:
        self.shared.append(data)
        return data

    def start(self, function, shared, names):  # type: ignore[no-untyped-def]
        return lambda: self.sent if isinstance(self.sent, bytes) else packed(self.sent)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"no marshal",
        7,
        (["x"], {}),
        ([], evidence()),
        ([("forged", [0, 0, 0])] * 5, evidence()),
        ([("forged", [-1_000_000, 0, 0])], evidence()),
        ([("forged", [1])], evidence()),
        ([("forged", [0, 0, 0])], {}),
        ([("forged", [0, 0, 0])], evidence(looked=[("no such question", "/", True)])),
        ([("forged", [0, 0, 0])], evidence(files=["a", "list"])),
        ([("forged", [0, 0, 0])], evidence(files={"/etc/hostname": b"x"})),
        ([("forged", [0, 0, 0])], evidence(files={"\0root/../x": b"x"})),
    ],
)
def test_a_worker_that_sends_something_else_is_not_believed(repository: Path, sent: object) -> None:
    text, _ = described(RemoteWorkers(Lying(sent)))
    assert text == described()[0]


@pytest.mark.parametrize(("name", "allowed"), [("A_NAME", True), ("A_NAME", False), ("A_PASSWORD", False)])
def test_a_worker_gets_no_variable_that_files_may_not_read(
    repository: Path, name: str, allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "hunter2")
    engine = Lying(([("forged", [0, 0, 0])], evidence(variables={name: None})))
    workers = RemoteWorkers(engine)
    stacks = Workspace(
        ".", cache=False, elsewhere=workers, deny=[] if allowed or name == "A_PASSWORD" else ["env"]
    ).stacks(".")
    "".join(stacks.describe_stacks(stacks.filter(), stacks.shape("json")))
    assert any(b"hunter2" in zlib.decompress(sent) for sent in engine.shared) == allowed


@pytest.mark.parametrize("name", ["../x", "/tmp/plait-x", "a/../../x"])
def test_a_parcel_makes_nothing_outside_its_folder(name: str) -> None:
    for parts in (({name: b""}, [], []), ({}, [name], []), ({}, [], [name])):
        with pytest.raises(ValueError, match="no place for"):
            unpacked(*parts)  # type: ignore[arg-type]


def test_a_program_brings_its_own_executor(repository: Path) -> None:
    import plait

    with ThreadPoolExecutor(1) as pool:
        mine = plait.stacks(".", executor=pool)
        assert "".join(mine.describe()) == "".join(plait.stacks(".").describe())
        assert mine.problems() == []
