"""Depth touches no stack, work grows with the input, and small texts cannot stand for enormous trees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError
from plait.core.node import ListNode
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.fronts.spiff.address import Level
from plait.notations.dynaml.items import Items
from tests.clock import taking, within
from tests.spiff import cascade


def refused(text: str, seconds: float) -> PlaitError:
    """The error of a template that is refused within some CPU seconds."""
    seen: list[PlaitError] = []

    def attempt() -> None:
        with pytest.raises(PlaitError) as trouble:
            cascade(text)
        seen.append(trouble.value)

    within(seconds, lambda: taking(attempt))
    return seen[0]


def chain(count: int, backwards: bool) -> str:
    links = [f"k{i}: (( k{i - 1} ))" for i in range(1, count + 1)]
    return "\n".join([*(reversed(links) if backwards else links), "k0: seed"])


def forced(*texts: str) -> int:
    """How many evaluations a cascade takes."""
    front = Spiff(Project("."))
    cascade(*texts, front=front)
    return front.project.counters.steps


@pytest.mark.parametrize("backwards", [True, False])
def test_3_000_references_deep(backwards: bool) -> None:
    data = cascade(chain(3_000, backwards))
    assert isinstance(data, dict)
    assert data["k3000"] == "seed"


def test_each_link_is_evaluated_once_and_waits_at_most_once() -> None:
    assert forced(chain(1000, True)) <= 2 * 1000
    assert forced(chain(1000, False)) <= 2 * 1000


def test_a_list_of_references_asks_for_all_of_them_at_once() -> None:
    names = [f"k{i}" for i in range(500)]
    text = f"all: (( [{', '.join(names)}] ))\n" + "".join(f'{name}: (( "x" ))\n' for name in names)
    assert forced(text) <= 502


def test_many_references_to_one_container_finish_it_once() -> None:
    wide = "".join(f"  k{i}: (( 1 + {i} ))\n" for i in range(2000))
    readers = "".join(f"r{i}: (( length(wide) ))\n" for i in range(2000))
    # Each walking 2,000 entries would take far longer.
    within(2, lambda: taking(lambda: cascade(f"wide:\n{wide}{readers}")))


def grows(make: Callable[[int], list[str]], small: int, large: int) -> None:
    """The steps of an evaluation grow with the input."""
    assert forced(*make(large)) <= 1.5 * large / small * forced(*make(small))


def looked_at(*texts: str) -> int:
    """How many items of lists are read to find names."""
    reads = 0

    class Counting(Items):
        def find(self, node: ListNode, step: str, scope: Any, place: Any) -> int | None:
            nonlocal reads
            known = (id(node), "name") in self._lists
            reads += 1 if known else len(node.items)
            return super().find(node, step, scope, place)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plait.fronts.spiff.stage.Items", Counting)
        cascade(*texts)
    return reads


@pytest.mark.parametrize("name", ["job{}", '(( "job" {} ))'])
def test_references_to_many_jobs_by_name(name: str) -> None:
    def text(count: int) -> str:
        jobs = "".join(f"- {{name: '{name.format(i)}', size: {i}}}\n" for i in range(count))
        return f"jobs:\n{jobs}refs:\n" + "".join(f"- (( jobs.job{i}.size ))\n" for i in range(count))

    grows(lambda count: [text(count)], 250, 1000)
    assert looked_at(text(1000)) <= 6 * looked_at(text(250))


def test_many_stubs() -> None:
    """Each stub is resolved with all those on its right; what they have is indexed once, not once for each stage."""

    def texts(count: int) -> list[str]:
        return [f"a: 1\nb{i}: {i}\nc: {{d{i}: 1, e: (( merge || 3 ))}}\nl: [{{name: x{i}}}]" for i in range(count)]

    calls = {}
    for count in (50, 200):
        with pytest.MonkeyPatch.context() as patch:
            made = []
            patch.setattr(Level, "add", lambda *args, made=made, add=Level.add: (made.append(1), add(*args)))
            assert isinstance(cascade(*texts(count)), dict)
        calls[count] = len(made)
    assert calls[200] <= 6 * calls[50]
    grows(texts, 50, 200)


def test_named_items_are_found_without_searching() -> None:
    jobs = "".join(f"- {{name: job-{i}, size: (( merge )), level: 1}}\n" for i in range(3000))
    stub = "".join(f"- {{name: job-{i}, size: {i}, level: 2}}\n" for i in reversed(range(3000)))
    within(3, lambda: taking(lambda: cascade(f"jobs:\n{jobs}", f"jobs:\n{stub}")))
    data = cascade(f"jobs:\n{jobs}", f"jobs:\n{stub}")
    assert isinstance(data, dict)
    assert data["jobs"][2999] == {"name": "job-2999", "size": 2999, "level": 2}


@pytest.mark.parametrize(
    "form", ["[(( a{0} )), (( a{0} ))]", "{{x: (( a{0} )), y: (( a{0} ))}}", "{{<<: (( a{0} )), y{1}: (( a{0} ))}}"]
)
def test_references_that_multiply_are_stopped(form: str) -> None:
    text = "a0: {b: 1}\n" + "".join(f"a{i}: {form.format(i - 1, i)}\n" for i in range(1, 60))
    assert refused(text, 2).diagnostics[0].code == "PL5002"


def test_values_that_are_written_may_be_more_than_the_limit_of_values_that_multiply() -> None:
    few = Project(".", budgets={"nodes": 100})
    assert cascade("l:\n" + "- (( 1 + 1 ))\n" * 150, front=Spiff(few)) == {"l": [2] * 150}
    with pytest.raises(PlaitError, match="more than 100 values"):
        cascade(f"a: {[1] * 40}\nl:\n" + "- (( a ))\n" * 4, front=Spiff(few))


@pytest.mark.parametrize("form", ["(( a{0} a{0} ))", '(( join("-", a{0}, a{0}) ))', "(( map[a{0}|x|->a{0}] ))"])
def test_values_that_grow_are_stopped(form: str) -> None:
    start = '"xxxxxxxx"' if "join" in form else "[1, 2]"
    text = f"a0: {start}\n" + "".join(f"a{i}: {form.format(i - 1)}\n" for i in range(1, 60))
    refused(text, 4)


def test_an_expression_keeps_to_the_time_of_the_run() -> None:
    loops = "(( map[l|a|->map[l|b|->map[l|c|->map[l|d|->a + b + c + d]]]] ))"
    front = Spiff(Project(".", budgets={"seconds": 1, "steps": 10**9}))
    with pytest.raises(PlaitError, match=r"the time limit of (1 s|10 s by the clock) is exceeded"):
        cascade(f"l: [{', '.join(['1'] * 200)}]\nx: {loops}", front=front)


def test_a_pattern_that_goes_back_and_forth_ends() -> None:
    data = cascade(f'a: (( match("^(a+)+$", "{"a" * 40}!") ))')
    assert data == {"a": []}


def test_a_large_cycle_names_its_nodes() -> None:
    with pytest.raises(PlaitError) as trouble:
        cascade(chain(300, True).replace("k0: seed", "k0: (( k300 ))"))
    assert "cycle: k300 -> k299 -> k298" in str(trouble.value)


def test_a_text_that_makes_expressions_for_ever_is_stopped(tmp_path: Path) -> None:
    file = tmp_path / "again"
    file.write_text(f'(( exec("cat", "{file}") ))')
    front = Spiff(Project(".", guard=Guard(frozenset({"exec"}))))
    with pytest.raises(PlaitError, match="never stops producing expressions"):
        cascade(f"a: {file.read_text()}", front=front)


def test_deep_documents_need_no_stack() -> None:
    deep = "{a: " * 900 + "(( .top ))" + "}" * 900
    data = cascade(f"top: 1\nx: {deep}", f"x: {'{a: ' * 900 + '2' + '}' * 900}")
    for _ in range(901):
        data = next(iter(reversed(data.values()))) if isinstance(data, dict) else data
    assert data == 2
