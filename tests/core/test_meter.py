"""The meter: charges beyond a budget are refused, and budgets grow with what was read, never by a repository's wish."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import plait
from plait.access import process
from plait.access.process import Timer
from plait.apps.cli import main
from plait.core.diagnostic import PlaitError
from plait.core.meter import BITS, BUDGETS, PORTION, Budgets, Meter, Overrun
from plait.core.node import ListNode, MapNode, Node, text
from plait.core.size import check_size, written_out
from plait.fronts.layers import Bundle
from plait.fronts.project import Project
from plait.workspace import Workspace, user_budgets

CHARGES: dict[str, tuple[Budgets, Callable[[Meter], None]]] = {
    "PL5002": (Budgets(nodes=10), lambda meter: meter.grow(11)),
    "PL5004": (Budgets(steps=10), lambda meter: meter.step(5000)),
    "PL5005": (Budgets(seconds=0), lambda meter: meter.step(5000)),
    "PL5006": (Budgets(memory=10), lambda meter: meter.make(11)),
    "PL5007": (Budgets(output=10), lambda meter: meter.write(11)),
    "PL5008": (Budgets(size=10), lambda meter: meter.make(11)),
    "PL5009": (Budgets(), lambda meter: meter.number(int(BITS) + 1)),
}


@pytest.mark.parametrize("code", CHARGES)
def test_each_budget_refuses(code: str) -> None:
    budgets, charge = CHARGES[code]
    with pytest.raises(Overrun) as caught:
        charge(Meter(budgets))
    assert [finding.code for finding in caught.value.diagnostics] == [code]


def test_a_budget_stays_used_up() -> None:
    meter = Meter(Budgets(memory=10))
    for _ in range(2):
        with pytest.raises(Overrun):
            meter.make(11)


def test_budgets_grow_with_what_was_read_beyond_a_portion() -> None:
    meter = Meter(Budgets(memory=100, steps=200, output=300))
    meter.feed(PORTION)
    assert (meter.max_made, meter.max_steps, meter.max_printed) == (100, 200, 300)
    meter.feed(PORTION)
    assert (meter.max_made, meter.max_steps, meter.max_printed) == (200, 400, 600)


def test_a_repository_lowers_budgets_and_never_raises_them() -> None:
    meter = Meter(Budgets(steps=100, nodes=100))
    meter.lower({"steps": 7, "nodes": 1000})
    assert (meter.budgets.steps, meter.budgets.nodes) == (7, 100)


def test_the_environment_sets_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_MAX_STEPS", "123")
    assert Workspace(cache=False).project.budgets.steps == 123
    assert Workspace(cache=False, budgets={"steps": 5}).project.budgets.steps == 5
    monkeypatch.setenv("PLAIT_MAX_STEPS", "many")
    with pytest.raises(Exception, match="PLAIT_MAX_STEPS"):
        user_budgets()


def test_the_users_own_configuration_raises_budgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    config = tmp_path / "plait" / "config.yaml"
    config.parent.mkdir()
    config.write_text("budgets: {steps: 99999999, nodes: 5000000}\n")
    assert Workspace(cache=False).meter.budgets.nodes == 5_000_000
    monkeypatch.setenv("PLAIT_MAX_NODES", "7")
    assert Workspace(cache=False).meter.budgets.nodes == 7
    assert Workspace(cache=False, budgets={"nodes": 9}).meter.budgets.nodes == 9
    assert Workspace(cache=False, hermetic=True).meter.budgets.nodes == Budgets().nodes
    config.write_text("budgets: {node: 1}\n")
    with pytest.raises(PlaitError, match="unknown budget `node`"):
        Workspace(cache=False)
    config.write_text("targets: {}\n")
    with pytest.raises(PlaitError, match="targets"):
        Workspace(cache=False)


def test_the_timer_follows_the_users_own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "plait").mkdir()
    (tmp_path / "plait" / "config.yaml").write_text("budgets: {seconds: 6000}\n")
    (tmp_path / "a.yaml").write_text("a: 1\n")
    told: list[float] = []
    monkeypatch.setattr(Timer, "extend", lambda self, seconds: told.append(seconds))
    assert main(["merge", str(tmp_path / "a.yaml")]) == 0
    assert told[0] > 6000


def doubled(levels: int) -> Node:
    node: Node = text("x")
    for _ in range(levels):
        node = MapNode({"a": node, "b": node})
    return node


def test_shared_parts_are_counted_without_writing_them_out() -> None:
    assert written_out(doubled(3))[0] == 15
    nodes, size, distinct = written_out(doubled(100))
    assert nodes == 2**101 - 1
    assert size > nodes
    assert distinct == 101 + 1
    assert written_out(ListNode([]))[0] == 1
    with pytest.raises(Overrun, match="PL5002"):
        check_size(doubled(22), Meter())
    check_size(doubled(10), Meter())


def test_a_large_tree_without_shared_parts_is_no_matter_of_the_budget() -> None:
    tree = ListNode([ListNode([text("x")]) for _ in range(20)])
    check_size(tree, Meter(Budgets(nodes=10)))


def test_every_budget_has_a_default() -> None:
    assert {name: getattr(Budgets(), name) for name in BUDGETS} == {
        name: default for name, (default, _) in BUDGETS.items()
    }


def test_budgets_are_for_each_question_to_a_document(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\nb: !ref a\nc: !ref b\n")
    document = plait.merge([str(tmp_path / "a.yaml")], folder=str(tmp_path))
    meter = document._workspace.project.meter
    meter.clock.began = meter.clock.computed = -1e9  # long ago
    meter.steps = meter.max_steps
    assert document["c"] == 1
    assert document.value() == {"a": 1, "b": 1, "c": 1}


def test_time_is_cpu_time_and_ten_times_as_long_by_the_clock() -> None:
    meter = Meter(Budgets())
    meter.clock.began -= 540
    meter.glance()
    meter.clock.began -= 100
    with pytest.raises(Overrun, match="600 s by the clock"):
        meter.glance()
    meter.restart()
    meter.next_part()
    meter.clock.computed -= 61
    with pytest.raises(Overrun, match="limit of 60 s is exceeded"):
        meter.next_part()


def test_time_that_somebody_chose_is_for_all_parts_together() -> None:
    whole, parts = Meter(Budgets(seconds=2)), Meter(Budgets())
    for meter in (whole, parts):
        meter.lower({"seconds": 2})
        meter.clock.computed -= 1.5
        meter.next_part()
        meter.clock.computed -= 1.5
    parts.next_part()
    with pytest.raises(Overrun, match="limit of 2 s is exceeded"):
        whole.next_part()


def test_a_timer_begins_again_while_it_runs_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    armed: list[float] = []
    monkeypatch.setattr(process.signal, "setitimer", lambda _, seconds: armed.append(seconds))
    timer = Timer(7)
    timer.restart()
    with timer:
        timer.restart()
        timer.extend(9)
        timer.extend(8)
        timer.restart()
        timer.stop()
        timer.restart()
    timer.restart()
    assert armed == [7, 7, 9, 9, 0, 0]


@pytest.mark.parametrize(("command", "times"), [("lint", 1), ("review ../old .", 5)])
def test_the_timer_of_a_command_begins_again_for_each_target(
    command: str, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It backs up the clock of the meter, whose CPU time is that of one target: many targets may take longer in all.
    A review asks for each on both sides, without each of two lines, and for what overrides one of them."""

    def begun(targets: int) -> int:
        for side, size in (("old", 1), ("new", 2)):
            (folder := tmp_path / str(targets) / side).mkdir(parents=True)
            names = [f"t{number}" for number in range(targets)]
            (folder / "base.yaml").write_text(f"size: {size}\na: 1\nname: name-{size}\n")
            (folder / "plait.yaml").write_text(
                "targets:\n" + "".join(f"- {{name: {name}, layers: [base.yaml, {name}.yaml]}}\n" for name in names)
            )
            for name in names:
                (folder / f"{name}.yaml").write_text(f"name: {name}\n")
        monkeypatch.chdir(tmp_path / str(targets) / "new")
        again: list[Timer] = []
        with monkeypatch.context() as patch:
            patch.setattr(Timer, "restart", lambda timer: again.append(timer))
            assert main([*command.split(), "--jobs", "1", "--no-cache"]) == 0
        return len(again)

    assert begun(9) - begun(3) == 6 * times


def test_projects_of_one_question_have_one_clock(tmp_path: Path) -> None:
    """A review of two trees takes no longer than a question about one."""
    (tmp_path / "plait.yaml").write_text("budgets: {seconds: 5}\n")
    project = Project(str(tmp_path))
    project.meter.clock.computed -= 6
    other = project.in_tree(str(tmp_path))
    with pytest.raises(Overrun):
        other.meter.glance()


QUESTIONS: dict[str, tuple[int, Callable[[Workspace, Bundle], object]]] = {
    "the result": (2, lambda _, bundle: bundle.members[0].tree.value()),
    "explain": (230, lambda workspace, bundle: workspace.explain(bundle.members[0].tree, "*")),
    "explain what is below": (155, lambda workspace, bundle: workspace.explain(bundle.members[0].tree, "")),
    "blame": (264, lambda workspace, bundle: list(workspace.blame(bundle.members[0].tree).lines())),
    "lint": (78, lambda workspace, bundle: workspace.lint(bundle, workspace.merge_options())),
}
"""Questions to a merge, and how many steps of the budget a key takes with two references that lead to it: no question
about many values is free."""


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_value_that_a_question_is_about_counts(question: str, tmp_path: Path) -> None:
    each, ask = QUESTIONS[question]
    counted = []
    for keys in (20, 60):
        rows = (f"key-{n}: 1\nref-{n}: !ref key-{n}\nlong-{n}: !ref ref-{n}\n" for n in range(keys))
        (tmp_path / "low.yaml").write_text("".join(rows), encoding="utf-8")
        (tmp_path / "high.yaml").write_text("".join(f"key-{n}: 2\n" for n in range(keys)), encoding="utf-8")
        workspace = Workspace(str(tmp_path), cache=False)
        names = [str(tmp_path / name) for name in ("low.yaml", "high.yaml")]
        bundle = workspace.layers(names, workspace.merge_options())
        before = workspace.meter.steps
        ask(workspace, bundle)
        counted.append(workspace.meter.steps - before)
    assert counted[1] - counted[0] == 40 * each
