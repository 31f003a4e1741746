"""Slow calls: side by side, each once, tried again, given up; and nothing that a user sees depends on timing."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time

import pytest

from plait.access.door import Door
from plait.core.diagnostic import Passing, PlaitError
from plait.core.expression import Expression
from plait.core.meter import Budgets, Meter
from plait.core.node import Key, MapNode, Node, Scalar, Suspension, text
from plait.core.scope import Patience, Place
from plait.core.source import Source
from plait.evaluate.calls import Pool, Underway
from plait.evaluate.engine import Evaluator
from plait.report.catalog import REFUSED, UNREACHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Scope


class Asks(Expression):
    """An expression that makes one slow call, and maybe waits for another value first or afterwards."""

    def __init__(self, key: str, function, *, after: str = "", patience: Patience | None = None) -> None:
        self.text = f"!ask {key}"
        self.key = key
        self.function = function
        self.after = after
        self.patience = patience or Patience(f"the answer {key}", 5, pause=0.01)

    def evaluate(self, scope: Scope) -> Node:
        before = scope.find((self.after,)) if self.after else None
        answer = scope.call("", ("ask", self.key), lambda _: text(self.function()), self.patience)
        assert isinstance(answer, Scalar)
        return text(answer.text + (before.text if isinstance(before, Scalar) else ""))


class Ref(Expression):
    def __init__(self, name: str) -> None:
        self.text = f"!ref {name}"
        self.name = name

    def evaluate(self, scope: Scope) -> Node:
        return scope.find((self.name,))


SOURCE = Source("test.yaml", "\n" * 1000)


def tree(**expressions: object) -> MapNode:
    entries: dict[Key, Node] = {
        name: Suspension(made, SOURCE, number) for number, (name, made) in enumerate(expressions.items())
    }
    return MapNode(entries, SOURCE, live=True)


def finished(evaluator: Evaluator, root: MapNode) -> tuple[dict[str, str], list[str]]:
    node, failures = evaluator.finish(root, Place(node=root))
    assert isinstance(node, MapNode)
    values = {str(k): v.text for k, v in node.entries.items() if isinstance(v, Scalar)}
    return values, [d.message for failure in failures for d in failure.diagnostics]


def sleeper(seconds: float, answer: str):
    def call() -> str:
        time.sleep(seconds)
        return answer

    return call


def test_two_hundred_slow_calls_run_side_by_side() -> None:
    evaluator = Evaluator()
    root = tree(**{f"k{i}": Asks(str(i), sleeper(0.05, str(i))) for i in range(200)})
    began = time.monotonic()
    values, errors = finished(evaluator, root)
    took = time.monotonic() - began
    assert values == {f"k{i}": str(i) for i in range(200)}
    assert not errors
    assert took < 5, took  # one after the other: 10 s
    assert evaluator.counters.calls == 200


def test_the_same_call_is_made_once() -> None:
    made = []

    def call() -> str:
        made.append(1)
        time.sleep(0.02)
        return "x"

    values, _ = finished(evaluator := Evaluator(), tree(**{f"k{i}": Asks("same", call) for i in range(50)}))
    assert set(values.values()) == {"x"}
    assert len(made) == evaluator.counters.calls == 1


def test_a_hanging_call_is_reported_while_the_others_stand() -> None:
    release = threading.Event()
    hanging = [
        Asks(f"hang{i}", lambda: (release.wait(20) and "late") or "late", patience=Patience(f"server {i}", 0.3))
        for i in range(20)
    ]
    root = tree(
        **{f"h{i}": one for i, one in enumerate(hanging)},
        **{f"k{i}": Asks(str(i), sleeper(0.01, str(i))) for i in range(30)},
    )
    began = time.monotonic()
    values, errors = finished(Evaluator(), root)
    took = time.monotonic() - began
    release.set()
    assert values == {f"k{i}": str(i) for i in range(30)}
    assert sorted(errors) == sorted(f"server {i} did not answer within 0.3 seconds" for i in range(20))
    assert took < 5


def test_trouble_that_may_pass_is_tried_again_and_other_trouble_is_not() -> None:
    tries = {"passes": 0, "stays": 0, "refused": 0}

    def passes() -> str:
        tries["passes"] += 1
        if tries["passes"] < 3:
            raise Passing(UNREACHABLE(what="it", why="busy"))
        return "at last"

    def stays() -> str:
        tries["stays"] += 1
        raise Passing(UNREACHABLE(what="it", why="down"))

    def refuses() -> str:
        tries["refused"] += 1
        raise REFUSED.error(what="it", why="no")

    values, errors = finished(Evaluator(), tree(a=Asks("a", passes), b=Asks("b", stays), c=Asks("c", refuses)))
    assert values == {"a": "at last"}
    assert sorted(errors) == ["it cannot be reached: down", "it refused the request: no"]
    assert tries == {"passes": 3, "stays": 3, "refused": 1}


def test_pauses_grow_and_stay_within_the_limit() -> None:
    times: list[float] = []

    def down() -> str:
        times.append(time.monotonic())
        raise Passing(UNREACHABLE(what="it", why="down"))

    finished(Evaluator(), tree(a=Asks("a", down, patience=Patience("it", 5, tries=3, pause=0.05))))
    first, second = times[1] - times[0], times[2] - times[1]
    assert first >= 0.05
    assert second >= 0.1
    times.clear()
    finished(Evaluator(), tree(a=Asks("b", down, patience=Patience("it", 1, tries=9, pause=0.5))))
    assert len(times) == 2


def test_timing_decides_nothing() -> None:
    """Random delays, chains, failures and cycles: the same values, the same errors, in the same order, and the same
    work."""
    seen = set()
    for round in range(8):
        dice = random.Random(round)

        def slow(answer: str, dice: random.Random = dice):
            return sleeper(dice.random() / 50, answer)

        def broken(name: str, dice: random.Random = dice):
            def call() -> str:
                time.sleep(dice.random() / 50)
                raise REFUSED.error(what=name, why="no")

            return call

        expressions: dict[str, object] = {
            f"k{i}": Asks(f"{i}", slow(str(i)), after=f"k{i - 3}" if i > 2 else "") for i in range(24)
        }
        expressions |= {f"bad{i}": Asks(f"bad{i}", broken(f"bad{i}"), after=f"k{i}") for i in range(6)}
        expressions |= {f"ring{i}": Asks(f"ring{i}", slow("r"), after=f"ring{(i + 1) % 5}") for i in range(5)}
        expressions |= {f"loop{i}": Ref(f"loop{(i + 1) % 3}") for i in range(3)}
        evaluator = Evaluator()
        values, errors = finished(evaluator, tree(**expressions))
        seen.add((tuple(values.items()), tuple(errors), evaluator.counters.steps, evaluator.counters.calls))
    assert len(seen) == 1, seen


def test_a_call_that_is_not_allowed_is_not_made() -> None:
    class Wants(Asks):
        def evaluate(self, scope: Scope) -> Node:
            return scope.call("network", ("ask", self.key), lambda _: text(self.function()), self.patience)

    values, errors = finished(Evaluator(Door()), tree(a=Wants("a", lambda: pytest.fail("it was made"))))
    assert not values
    assert errors == ["this file wants to use the network"]


def test_the_limit_of_the_whole_run_ends_the_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plait.core.meter.WALL", 1)
    evaluator = Evaluator(meter=Meter(Budgets(seconds=1)))
    with pytest.raises(PlaitError, match="the time limit of 1 s by the clock is exceeded"):
        finished(evaluator, tree(a=Asks("a", sleeper(4, "x"))))


def test_a_mistake_of_ours_in_a_call_is_not_hidden() -> None:
    def wrong() -> str:
        raise KeyError("ours")

    with pytest.raises(KeyError, match="ours"):
        finished(Evaluator(), tree(a=Asks("a", wrong)))


def test_who_watches_is_told() -> None:
    evaluator = Evaluator()
    said: list[str] = []
    evaluator.watch = said.append
    finished(evaluator, tree(a=Asks("a", sleeper(0.4, "x"))))
    assert "waiting for the answer a (0 of 1 answers)" in said


class Clock:
    """A clock that goes only while a pool waits; calls that hang begin at once."""

    def __init__(self, pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.pool = pool
        self.waited: list[float] = []
        self.released = threading.Event()
        self._really = pool._change.wait
        monkeypatch.setattr("plait.evaluate.calls.monotonic", lambda: self.now)
        monkeypatch.setattr(pool._change, "wait", self.wait)

    def hanging(self, name: str, limit: float) -> Underway:
        return Underway(self.hangs, Patience(name, limit), 5)

    def hangs(self) -> Node:
        self.released.wait(20)
        return text("late")

    def wait(self, seconds: float) -> None:
        assert len(self.pool._running) <= self.pool.size
        if self.pool._queue and len(self.pool._running) < self.pool.size:
            self._really(0.05)  # a thread is about to begin
            return
        self.waited.append(round(seconds, 6))
        self.now += seconds


WAITS = [
    (5, 1, True, [0.25] * 4, False),
    (5, 1, False, [1], False),
    (5, 100, False, [5], True),
    (200, 500, False, [60, 60, 60, 20], True),
    (200, 130, False, [60, 60, 10], False),
    (1, 1, False, [1], True),  # its own limit is the reason, and not that of the run
]
"""The limit of a call that hangs, that of the run, whether somebody watches; how long is waited each time, and whether
there is an answer in the end: that it took too long."""


@pytest.mark.parametrize(("limit", "deadline", "is_watched", "waited", "has_ended"), WAITS)
def test_nobody_waits_longer_than_a_limit(
    limit: float, deadline: float, is_watched: bool, waited: list[float], has_ended: bool, monkeypatch
) -> None:
    pool = Pool()
    clock = Clock(pool, monkeypatch)
    call, said = clock.hanging("it", limit), []
    pool.start(call)
    assert pool.wait(call, deadline, said.append if is_watched else None) is has_ended
    clock.released.set()
    assert clock.waited == waited
    assert {*said} == ({"waiting for it (0 of 1 answers)"} if is_watched else set())
    if has_ended:
        assert f"it did not answer within {limit:g} second" in str(call.answer)


def test_calls_that_are_given_up_count_as_answered_and_make_room(monkeypatch) -> None:
    pool = Pool(size=1)
    clock = Clock(pool, monkeypatch)
    quick = Underway(lambda: text("soon"), Patience("quick", 5), 5)
    pool.start(quick)
    while quick.answer is None:
        time.sleep(0.001)
    calls, said = [clock.hanging(name, 0.5) for name in "abc"], []
    for call in calls:
        pool.start(call)
    assert all(pool.wait(call, 10, said.append) for call in calls)
    clock.released.set()
    assert clock.waited == [0.25] * 6
    assert list(dict.fromkeys(said)) == [f"waiting for {name} ({at} of 4 answers)" for at, name in enumerate("abc", 1)]


def test_no_thread_and_no_threading_where_nothing_is_slow(tmp_path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("a: !env HOME\nb: !ref a\n")
    program = (
        "import sys, plait; plait.merge([sys.argv[1]]).value();"
        "import _thread; print(_thread._count(), 'concurrent.futures' in sys.modules, 'plait.services' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "False", "False"]


def test_no_more_calls_run_at_once_than_the_pool_has_threads() -> None:
    running, most, counting = 0, 0, threading.Lock()

    def call() -> Node:
        nonlocal running, most
        with counting:
            running += 1
            most = max(most, running)
        time.sleep(0.005)
        with counting:
            running -= 1
        return text("x")

    pool = Pool(3)
    calls = [Underway(call, Patience("x", 5), 5) for _ in range(12)]
    for one in calls:
        pool.start(one)
    assert all(pool.wait(one, time.monotonic() + 5) for one in calls)
    assert most == 3
