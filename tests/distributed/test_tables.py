"""What travels between machines, and what is believed of it: forms, parcels and evidence, without any worker."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plait.access.trace import AccessTrace, digest_of, digest_of_value
from plait.core.diagnostic import PlaitError
from plait.core.meter import BUDGETS
from plait.distributed.engines import Engine, connect
from plait.distributed.evidence import Evidence
from plait.distributed.parcel import Parcel
from plait.distributed.plain import DATA, KIND, packed, unpacked
from plait.distributed.remote import RemoteWorkers, are_answers, limits
from plait.distributed.worker import answered, parcel_of
from plait.workspace import Workspace
from tests.distributed.test_executor import Failing, described, evidence, repository
from tests.examples import examples

__all__ = ["repository"]
TEXTS = st.text() | st.sampled_from([KIND, DATA, "\ud800"])
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(TEXTS, inner, max_size=3)
        | st.dictionaries(st.integers() | st.binary() | st.tuples(TEXTS, TEXTS) | TEXTS, inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=examples(50), deadline=None)
@given(PLAIN)
@example({KIND: "bytes", DATA: "no base64"})
@example({1: (b"\xff", [()])})
@example("\ud83d\ude00")  # two halves that no reader may take for one letter
def test_what_travels_arrives_as_it_was(data: object) -> None:
    assert repr(unpacked(packed(data))) == repr(data)


FOREIGN: list[object] = [
    "a text",
    b"\xff",
    b"[" * 100_000,
    b'{"\\u0000kind": "tuple", "\\u0000data": 1}',
    b'{"\\u0000kind": "map", "\\u0000data": [[[], 1]]}',
    b'{"\\u0000kind": "map", "\\u0000data": [[1]]}',
    b'{"\\u0000kind": "bytes", "\\u0000data": "a"}',
]


@pytest.mark.parametrize("sent", FOREIGN, ids=repr)
def test_what_has_another_form_is_refused(sent: object) -> None:
    why = "has another form" if isinstance(sent, bytes) else "is not made of bytes"
    with pytest.raises(ValueError, match=why):
        unpacked(sent)


ANSWERS: list[tuple[object, int, bool]] = [
    ([], 0, True),
    ([None, ("x", [0, 1, 2])], 2, True),
    ([None], 2, False),
    ((None,), 1, False),
    ([["x", [0, 0, 0]]], 1, False),
    ([("x", [0, 0, 0], 1)], 1, False),
    ([("x", (0, 0, 0))], 1, False),
    ([("x", [0, 0])], 1, False),
    ([("x", [0, -1, 0])], 1, False),
    ([("x", [0, 0, "1"])], 1, False),
    ([None, 7], 2, False),
]


@pytest.mark.parametrize(("data", "count", "fine"), ANSWERS)
def test_what_counts_as_answers(data: object, count: int, fine: bool) -> None:
    assert are_answers(data, count) is fine


# Engines


def test_how_many_tasks_an_executor_takes_at_once() -> None:
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(7) as seven:
        assert [Engine(one).workers(), Engine(seven).workers()] == [1, 7]
    assert Engine(Failing()).workers() == 4, "it does not say"


class Noting(Engine):
    """Notes what it is given; it answers nothing that could be used."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.shared: list[bytes] = []
        self.tasks: list[list[str]] = []

    def workers(self) -> int:
        return self.count

    def share(self, data: bytes) -> bytes:
        self.shared.append(data)
        return data

    def start(self, function: object, shared: object, names: list[str]) -> Callable[[], bytes]:
        self.tasks.append(names)
        return lambda: b""


SIZES = [(3, 2, [1, 1, 1]), (20, 2, [2] * 10), (9, 1, [2, 2, 2, 2, 1]), (8, 2, [1] * 8)]
"""How many names, how many workers, and how large the tasks are: four for each worker, where there are so many."""


@pytest.mark.parametrize(("names", "workers", "sizes"), SIZES)
def test_how_work_is_divided(repository: Path, names: int, workers: int, sizes: list[int]) -> None:
    engine = Noting(workers)
    given_out = [str(number) for number in range(names)]
    remote = RemoteWorkers(engine)
    assert list(remote.answers(Workspace(".", cache=False).project, {}, given_out)) == [None] * names
    assert [len(task) for task in engine.tasks] == sizes
    assert [name for task in engine.tasks for name in task] == given_out
    assert [len(one.message.split(": ")[1].split(", ")) for one in remote.problems] == sizes, "each names its targets"


class Ray:
    """Ray, as far as it is used."""

    def __init__(self) -> None:
        self.notes: list[object] = []

    def init(self, address: str, **more: object) -> Any:
        return SimpleNamespace(disconnect=lambda: self.notes.append("disconnect"))

    def remote(self, **options: int) -> Any:
        self.notes.append(options)
        return lambda function: SimpleNamespace(remote=lambda *words: (function, *words))

    def get(self, reference: tuple[Callable[..., object], object, object]) -> object:
        return reference[1:]


def test_a_function_is_made_known_to_ray_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Ray()
    monkeypatch.setitem(sys.modules, "ray", ray)
    engine = connect("ray://host:1")
    assert [engine.start(len, "shared", [name])() for name in "ab"] == [("shared", ["a"]), ("shared", ["b"])]
    engine.start(max, "shared", [])
    engine.close()
    assert ray.notes == [{"max_retries": 3}, {"max_retries": 3}, "disconnect"]


def test_an_engine_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def client(*_: object, **options: object) -> None:
        assert options == {"timeout": 10, "set_as_default": False}
        raise OSError("timed out\nand more")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=client))
    monkeypatch.setitem(sys.modules, "ray", None)
    for address, why, hint in (
        ("dask://host:1", "timed out", "check that it is running and that the port is correct"),
        ("ray://host:1", "the package `ray` is not installed", "pip install"),
    ):
        with pytest.raises(PlaitError) as caught:
            connect(address)
        found = caught.value.diagnostics[0]
        assert found.message == f"cannot use {address}: {why}"
        assert hint in found.hint


# What a worker gets


def test_a_parcel_holds_what_was_asked_for_and_no_more(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Workspace(".", cache=False).project
    root = project.root
    project.bytes(f"{root}/data/limits.json")
    trace = project.trace
    trace.folders = {f"{root}/data": [("limits.json", False, False), ("deep", True, False)], "/": [("x", True, False)]}
    found = {"x": ("folder", True), "y": ("file", True), "z": ("file", False), "data": ("exists", True)}
    found |= {"r": ("real", "/elsewhere"), "../beside": ("folder", True), "..within": ("exists", True)}
    trace.looked = {(asked, f"{root}/{name}"): told for name, (asked, told) in found.items()}
    monkeypatch.setenv("A_NAME", "v")
    trace.variables = {"A_NAME": b"", "A_NAME_OF_NOTHING": b""}
    parcel = Parcel(project, {"a": 1})
    sent = (
        {"a": 1},
        "data",
        {"data/limits.json": b'{"cpu": 2}'},
        ["..within", "data/limits.json", "y"],
        ["data", "data/deep", "x"],
        {"A_NAME": "v"},
    )
    monkeypatch.chdir(repository / "data")
    assert parcel_of(parcel.sealed()) == sent
    assert parcel.complete, "names alone of what is outside are not needed"
    names = [root, f"{root}/", f"{root}/a/../b", f"{root}/..a", os.path.dirname(root), "/", f"{root}/../other"]
    assert [parcel.inside(name) for name in names] == [".", ".", "b", "..a", None, None, None]


@pytest.mark.parametrize("hermetic", [True, False])
def test_what_workers_may_do_is_what_is_allowed_here(repository: Path, hermetic: bool) -> None:
    budgets = {"seconds": 9}
    project = Workspace(".", cache=False, allow=["exec"], deny=["random"], hermetic=hermetic, budgets=budgets).project
    found = limits(project)
    workspace: Any = found["workspace"]
    assert (workspace["folder"], workspace["hermetic"]) == (".", hermetic)
    assert "random" in workspace["deny"]
    assert ("exec" in workspace["allow"], "exec" in workspace["deny"]) == (not hermetic, hermetic)
    assert set(workspace["budgets"]) == set(BUDGETS)
    assert found["seconds"] == workspace["budgets"]["seconds"] == 9
    assert limits(Workspace(**{**workspace, "cache": False}).project) == found


def test_a_worker_answers_with_evidence_that_holds(repository: Path) -> None:
    engine = Noting(1)
    text = described()[0]
    assert described(RemoteWorkers(engine))[0] == text
    question, *_ = parcel_of(engine.shared[0])
    found, plain = answered(question, ["s0", "s1"], str(repository))
    assert are_answers(found, 2)
    assert all(row is not None for row in found)
    proof = Evidence.read(plain)
    assert "\0root/stacks/deploy/s0.yaml" in proof.files
    assert str(repository) not in str(plain)
    assert proof.holds(Workspace(".", cache=False).project)
    (repository / "stacks/deploy/s0.yaml").write_text("vars: {stage: s0}\n")
    assert not proof.holds(Workspace(".", cache=False).project)


# Evidence


def test_names_in_evidence_do_not_depend_on_where_the_repository_is(repository: Path) -> None:
    project = Workspace(".", cache=False).project
    root = project.root
    trace = AccessTrace()
    trace.folders = {root: [("data", True, False)], f"{root}-other": []}
    trace.stamped = {"none.yaml": None, "/none": None}
    trace.looked = {
        ("real", f"{root}/data"): f"{root}/data",
        ("repository", root): "",
        ("file", "/none"): False,
        ("settings", ""): None,
    }
    trace.variables = {"A": b"x"}
    trace.unfollowed = {"b", "a"}
    proof = Evidence.of(trace, root)
    assert proof.plain() == {
        "files": {},
        "failed": ["\0root/none.yaml", "/none"],
        "folders": {"\0root": [("data", True, False)], f"{root}-other": []},
        "looked": [
            ("real", "\0root/data", "\0root/data"),
            ("repository", "\0root", ""),
            ("file", "/none", False),
            ("settings", "", None),
        ],
        "variables": {"A": b"x"},
        "unfollowed": ["a", "b"],
    }
    assert Evidence.read(proof.plain()).plain() == proof.plain()
    names = ["\0root/a", "\0root", "/a\0root", "", None, True]
    assert [Evidence.here(name, project) for name in names] == [f"{root}/a", root, "/a\0root", "", None, True]


BAD_EVIDENCE: list[object] = [
    None,
    [],
    {},
    {**evidence(), "more": 1},
    *(evidence(**{name: None}) for name in evidence()),
    evidence(looked=[["file", "/a", True]]),
    evidence(looked=[("file", "/a")]),
    evidence(looked=[("file", "/a", True), ("git", "/a\0log", b"")]),
]


@pytest.mark.parametrize("sent", BAD_EVIDENCE)
def test_evidence_of_another_form_is_refused(sent: object) -> None:
    with pytest.raises(ValueError, match=r"the worker (sent no evidence|asks more than what is there)"):
        Evidence.read(sent)


def test_what_a_parcel_lacked(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Workspace(".", cache=False).project
    same = digest_of((repository / "atmos.yaml").read_bytes())
    project.bytes(f"{repository}/data/limits.json")
    proof = Evidence(
        evidence(
            files={
                "\0root/atmos.yaml": same,
                "\0root/data/limits.json": b"another",
                "\0root/none": b"another",
                "\0root/gone": b"",
            },
            failed=["\0root/stacks/catalog/all.yaml", "\0root/none"],
            looked=[("file", "\0root/atmos.yaml", False), ("file", "\0root/data/limits.json", True)],
        )
    )
    assert proof.missing_files(project) == [
        f"{repository}/{name}" for name in ("data/limits.json", "none", "stacks/catalog/all.yaml", "atmos.yaml")
    ]
    monkeypatch.setenv("A_NAME", "v")
    monkeypatch.setenv("A_PASSWORD", "hunter2")
    asked = {"A_NAME": b"", "A_PASSWORD": b"", "NOT_SET": digest_of_value(None), "PATH": b""}
    found = Evidence(evidence(variables=asked)).missing_variables(project)
    assert found == {"A_NAME": "v", "PATH": os.environ["PATH"]}
    held = Evidence(evidence(variables={"A_NAME": digest_of_value("v")}))
    assert held.missing_variables(project) == {}
    assert held.holds(project)
    assert project.trace.variables == {"A_NAME": digest_of_value("v")}, "the answer depends on it here, too"


def test_a_larger_parcel_is_sent_and_no_equal_one_again(repository: Path) -> None:
    class Lacking(Noting):
        """Its workers lack a file at first, and another one always."""

        def start(self, function: object, shared: Any, names: list[str]) -> Callable[[], bytes]:
            self.tasks.append(names)
            has_it = "data/limits.json" in parcel_of(shared)[2]
            lacked = "stacks/catalog/README.md" if has_it else "data/limits.json"
            proof = evidence(looked=[("file", f"\0root/{lacked}", False)]) if not has_it else evidence(unfollowed=["x"])
            return lambda: packed(([("forged", [0, 0, 0])], proof))

    engine = Lacking(1)
    remote = RemoteWorkers(engine)
    assert list(remote.answers(Workspace(".", cache=False).project, {}, ["a", "b"])) == [None, None]
    assert remote.problems == [], "nothing is wrong: they are computed here"
    assert [sorted(parcel_of(sent)[2]) for sent in engine.shared] == [[], ["data/limits.json"]]
    assert engine.tasks == [["a"], ["b"], ["a"], ["b"]]
    assert zlib.decompress(engine.shared[0]) != zlib.decompress(engine.shared[1])


def test_a_task_that_always_lacks_something_is_sent_three_times(repository: Path) -> None:
    class Insatiable(Noting):
        """Its workers lack one more file each time."""

        def start(self, function: object, shared: Any, names: list[str]) -> Callable[[], bytes]:
            self.tasks.append(names)
            name = f"lacked/{len(self.tasks)}.yaml"
            (repository / name).parent.mkdir(exist_ok=True)
            (repository / name).write_text("a: 1\n")
            proof = evidence(looked=[("file", f"\0root/{name}", False)])
            return lambda: packed(([("forged", [0, 0, 0])], proof))

    engine = Insatiable(1)
    assert list(RemoteWorkers(engine).answers(Workspace(".", cache=False).project, {}, ["a"])) == [None]
    assert engine.tasks == [["a"]] * 3
