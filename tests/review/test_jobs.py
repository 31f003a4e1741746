"""A review by several processes gives the same report as by one, and asks the outside as often."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from plait.apps.reviews.data import render_json
from plait.core.node import ListNode, MapNode, Scalar, equal
from plait.core.packing import packed, packed_path, unpacked, unpacked_path
from plait.core.path import Keyed
from plait.review import shares
from plait.review.causes import ProofBudget
from plait.review.finding import TargetFinding
from plait.review.hunks import Hunk
from plait.review.review import Reviewer
from plait.workspace import Workspace
from tests.forks import counted_forks
from tests.outside.project import git
from tests.review.test_git import STACKS, commit, write

CATALOG = """\
components:
  terraform:
    net:
      vars:
        cidr: 10.0.0.0/8
        size: 1
        list: [{name: a, x: 1}, {name: b}]
    app:
      vars:
        token: one
        replicas: 2
        sum: '{{ .vars.replicas }}-{{ .vars.stage }}'
"""
CHANGED = (
    CATALOG.replace("10.0.0.0/8", "10.1.0.0/8").replace("{name: b}", "{name: c}").replace("token: one", "token: two")
)


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    return counted_forks(monkeypatch)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    config = STACKS.replace('["*"]', '["deploy/*"]') + "templates: {settings: {enabled: true}}\n"
    stacks = {f"stacks/deploy/s{n}.yaml": manifest(n) for n in range(shares.PAYS + 1)}
    write(tmp_path, {"atmos.yaml": config, "stacks/catalog.yaml": CATALOG, **stacks})
    git(tmp_path, "init", "-q", "-b", "main", ".")
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def manifest(number: int, more: str = "") -> str:
    return f"import: [catalog]\nvars: {{stage: s{number}}}\n{more}"


def reported(jobs: int, proofs: int = 2000, **options: object) -> tuple[str, int, int]:
    report = Workspace(".", cache=False, jobs=jobs, **options).review("HEAD", None, proofs=proofs)  # type: ignore[arg-type]
    return render_json(report, True), report.looked_at, report.files_read


def test_several_hunks_of_all_targets(repository: Path, started: list[int]) -> None:
    broken = "components: {terraform: {app: {vars: {replicas: '{{ fail `no` }}'}}}}\n"
    write(repository, {"stacks/catalog.yaml": CHANGED, "stacks/deploy/s3.yaml": manifest(3, broken)})
    alone = reported(1)
    assert started == []
    assert reported(3) == alone
    assert len(started) == 3
    assert "3 causes; 1 new error" in alone[0]
    for few in (0, 7):
        assert reported(3, few) == reported(1, few), f"with {few} proofs"


@pytest.mark.parametrize(
    ("proofs", "again"), [(6, []), (5, ["c"]), (3, ["c"]), (2, ["b", "c"]), (1, ["a", "b", "c"]), (0, ["a", "b", "c"])]
)
def test_what_is_reviewed_again_where_the_proofs_of_all_processes_are_too_many(
    proofs: int, again: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Reviewer, "findings", lambda _, names: asked.extend(names) or list(names))
    reviewer = object.__new__(shares.TogetherReviewer)
    reviewer.budget = ProofBudget(proofs)
    findings = [TargetFinding(name, [], []) for name in "abc"]
    for finding, count in zip(findings, (2, 1, 3), strict=True):
        finding.proofs = count
    found = reviewer.within_budget(findings)
    assert asked == again
    assert [getattr(one, "name", one) for one in found] == ["a", "b", "c"]
    assert reviewer.budget.left == proofs - sum((2, 1, 3)[: 3 - len(again)])


@pytest.mark.parametrize(
    ("names", "jobs", "hunks", "views", "sizes"),
    [
        (16, 2, 1, True, [2] * 8),
        (9, 2, 1, True, [2, 2, 2, 2, 1]),
        (3, 2, 1, True, [1, 1, 1]),
        (0, 2, 1, True, []),
        (9, 2, 2, True, [5, 4]),
        (9, 3, 2, True, [3, 3, 3]),
        (9, 2, 1, False, [2, 2, 2, 2, 1]),
        (9, 2, 2, False, []),
    ],
)
def test_how_targets_are_shared(names: int, jobs: int, hunks: int, views: bool, sizes: list[int]) -> None:
    """Several shares for each worker, but one where trees are made for proofs; none where these are copies."""
    worker = object.__new__(shares.ShareWorker)
    worker.jobs, worker.hunks = jobs, [Hunk("a", 1, (), 1, ()) for _ in range(hunks)]
    worker.reviewer = SimpleNamespace(change=SimpleNamespace(views=views))  # type: ignore[assignment]
    all_names = [f"t{number}" for number in range(names)]
    found = worker.shares(all_names)
    assert [len(share) for share in found] == sizes
    assert [name for share in found for name in share] == (all_names if sizes else [])


def test_few_targets_start_no_process(repository: Path, started: list[int]) -> None:
    write(repository, {"stacks/deploy/s3.yaml": manifest(3, "settings: {x: 1}\n")})
    assert '"path": "settings.x"' in reported(3)[0]
    assert started == []


def test_the_outside_is_asked_once_by_the_process_that_was_started(repository: Path, started: list[int]) -> None:
    log = repository.parent / "log"
    call = f"components: {{terraform: {{net: {{vars: {{who: !exec 'echo $PPID >> {log}; echo x'}}}}}}}}\n"
    write(repository, {"stacks/deploy/s3.yaml": manifest(3, call), "stacks/deploy/s4.yaml": manifest(4, call)})
    commit(repository)
    one_line = CATALOG.replace("size: 1", "size: 2")
    write(repository, {"stacks/catalog.yaml": one_line})
    together = reported(3, allow=["exec"])
    assert len(started) == 3
    assert set(log.read_text().split()) == {str(os.getpid())}
    count = len(log.read_text().split())
    assert together == reported(1, allow=["exec"])
    assert len(log.read_text().split()) == 2 * count


def test_declared_targets(repository: Path, started: list[int]) -> None:
    targets = "".join(f"- {{name: t{n}, layers: [base.yaml, t{n}.yaml]}}\n" for n in range(shares.PAYS))
    files = {f"t{n}.yaml": f"n: {n}\nsame: {n % 2}\n" for n in range(shares.PAYS)}
    write(
        repository,
        {"plait.yaml": f"targets:\n{targets}", "base.yaml": "same: 1\ntoken: !sensitive first-one\n", **files},
    )
    commit(repository)
    write(repository, {"base.yaml": "same: 3\ntoken: !sensitive other\nnew: {deep: {x: [1, null, 1.0, 'a']}}\n"})
    alone = reported(1)
    assert reported(2) == alone
    assert len(started) == 2
    masked = render_json(Workspace(".", cache=False, jobs=2).review("HEAD", None), False)
    assert "first-one" in alone[0]
    assert "first-one" not in masked


def test_values_travel_whole() -> None:
    deep: Scalar | ListNode | MapNode = Scalar(1, "0x1", tag="!x", secret=True)
    for level in range(5000):
        deep = (
            ListNode([deep, Scalar(None, "~")], tag="!s") if level % 2 else MapNode({"a": deep, Scalar(2, "2"): deep})
        )
        if level > 8:
            break
    again = unpacked(packed(deep))
    assert again is not None
    assert equal(again, deep)
    assert packed(again) == packed(deep)
    assert unpacked(packed(None)) is None
    path = ("a", 0, Keyed(("name",), ("b",)), Scalar(2, "2"))
    assert unpacked_path(packed_path(path)) == path


def test_a_long_chain_travels_without_recursion() -> None:
    node: ListNode | Scalar = Scalar(1, "1")
    for _ in range(20_000):
        node = ListNode([node])
    assert len(packed(unpacked(packed(node)))) == 20_001
