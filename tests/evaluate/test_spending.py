"""Long lists of a merge that is only printed: their items are computed one after the other, and each is forgotten. What
is printed is the same."""

from __future__ import annotations

import gc
from itertools import pairwise, product
from random import Random
from unittest.mock import patch

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.scope import Place
from plait.evaluate import engine
from plait.evaluate.engine import Evaluator
from plait.evaluate.finish import Finisher
from plait.fronts.spiff import stage
from tests.answers import answer, project
from tests.examples import examples
from tests.model.dynaml_inputs import documents, unresolved


def printed(texts: list[str], wide: int, many: int = engine.MANY_KEPT, *flags: str) -> tuple[int, str, str]:
    """What `plait spiff merge` prints where lists of so many items are long, and so many that fail are many."""
    files = {f"{number}.yml": text for number, text in enumerate(texts)}
    with project(files), patch.object(stage, "WIDE", wide), patch.object(engine, "MANY_KEPT", many):
        return answer(["spiff", "merge", *flags, *files])


class JobWriter:
    """Lists of jobs whose fields refer to each other, to other jobs and to stubs; some are cycles, or lead nowhere."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    def one(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def path(self) -> str:
        field = self.one("a", "b", "c", "name", "in.a")
        ways = (
            field,
            field,
            f"jobs.{self.one('x', 'y', 'z', 'w')}.{field}",
            f"jobs.[{self.one('0', '1', '3')}].{field}",
        )
        return self.one(*ways, "meta.m", ".meta.m", "meta.nowhere", "jobs.x", "jobs")

    def value(self) -> object:
        expression = self.one(
            self.path(),
            f"{self.path()} + 1",
            f'{self.path()} "-" {self.path()}',
            f"merge || {self.path()}",
            "merge || 1",
            "merge",
            f"{self.path()} || 2",
            f"[ {self.path()}, 1 ]",
            "~~",
        )
        safe = f"( {expression} ) || {self.one('1', 'nil')}" if self.chance.random() < 0.5 else expression
        return self.chance.choice([f"(( {safe} ))", f"(( {safe} ))", f"(( {safe} ))", 3, "text"])

    def inner(self) -> object:
        roll = self.chance.random()
        if roll < 0.15:
            return {"a": self.value(), **({"<<": "(( merge || nil ))"} if roll < 0.05 else {})}
        return [self.value(), {"a": self.value()}] if roll < 0.25 else self.value()

    def job(self) -> object:
        made = {key: self.inner() for key in ("a", "b", "c", "in") if self.chance.random() < 0.8}
        named = {"name": self.one("x", "y", "z", "w", "w", "(( meta.m ))")} if self.chance.random() < 0.9 else {}
        return {**named, **made} if self.chance.random() < 0.9 else self.value()

    def document(self) -> dict[str, object]:
        made: dict[str, object] = {"meta": {"m": 1}, "jobs": [self.job() for _ in range(self.chance.randrange(1, 6))]}
        if self.chance.random() < 0.3:
            made["last"] = {"jobs": [self.job()], "a": self.value()}
        return dict(sorted(made.items(), reverse=self.chance.random() < 0.3))

    def stub(self) -> dict[str, object]:
        names = self.chance.sample(["x", "y", "z", "w"], 2)
        return {"jobs": [{"name": name, self.one("a", "b", "c"): self.one("7", "s"), "in": {"a": 8}} for name in names]}


def same(texts: list[dict[str, object]]) -> None:
    """Of several reasons why a value fails, the one that is said may differ."""
    written = [yaml.safe_dump(text, width=1000, sort_keys=False) for text in texts]
    expected, whole, errors = printed(written, 1_000_000)
    for many in (0, engine.MANY_KEPT):
        status, out, err = printed(written, 1, many)
        assert (status, out, unresolved(err)) == (expected, whole, unresolved(errors))


@given(st.integers(0, 2**32))
@settings(max_examples=examples(30))
def test_items_that_are_forgotten_give_the_same_manifest_or_fail_in_the_same_places(seed: int) -> None:
    writer = JobWriter(seed)
    same([writer.document(), *(writer.stub() for _ in range(writer.chance.randrange(3)))])


@given(st.integers(0, 2**32))
@settings(max_examples=examples(10))
def test_the_same_for_documents_of_every_kind(seed: int) -> None:
    same(documents(seed))


def jobs(count: int) -> str:
    """Jobs that take values from each other, from stubs and from what is beside them."""
    rows = (
        f"- name: job-{number}\n  cpu: (( merge || meta.cpu ))\n  memory: (( cpu * 1024 ))\n"
        f"  next: (( jobs.job-{(number + 1) % count}.cpu ))\n  disks: [(( memory )), {{size: (( cpu ))}}]\n"
        for number in range(count)
    )
    return f"meta: {{cpu: 2}}\njobs:\n{''.join(rows)}"


def test_jobs_that_name_each_other() -> None:
    stub = "jobs:\n- {name: job-1, cpu: 7}\n- {name: job-70, cpu: 9}\n"
    status, out, _ = printed([jobs(80), stub], stage.WIDE)
    assert status == 0
    rows = yaml.safe_load(out)["jobs"]
    assert [rows[0]["next"], rows[69]["next"], rows[79]["next"]] == [7, 9, 2]
    assert rows[1]["disks"] == [7168, {"size": 7}]
    assert (status, out) == printed([jobs(80), stub], 1_000_000)[:2]


@pytest.mark.long
def test_what_is_known_of_an_item_is_forgotten() -> None:
    """What the run still knows at its end does not grow with the list."""
    known: list[int] = []
    finish = Evaluator.finish

    def counted(self: Evaluator, *task: object) -> object:
        made = finish(self, *task)  # type: ignore[arg-type]
        places = sum(isinstance(one, Place) for one in gc.get_objects())
        known.append(len(self.memo) + len(self.reads) + self.views.mark() + places)
        return made

    text = "meta: {cpu: 2}\njobs:\n"
    rows = "- name: job-{}\n  cpu: (( meta.cpu + 1 ))\n  memory: (( cpu * 2 ))\n  in: {{size: [(( cpu ))]}}\n"
    gc.collect()
    gc.freeze()  # what other tests left need not be looked at again and again
    with patch.object(Evaluator, "finish", counted):
        for count in (100, 400):
            gc.collect()
            printed([text + "".join(rows.format(number) for number in range(count))], stage.WIDE)
    assert known[0] == known[1]


def test_items_that_fail_are_finished_together_where_most_do() -> None:
    """One by one, each is looked through twice, and once more with all others: where most fail, only the first 17."""
    row = "- {{name: job-{0}, in: {{cpu: (( meta.cpu{1} )), memory: (( meta.cpu ))}}}}\n"
    finish = Finisher.finish
    failing = ((range(200), 36), (range(40), 36), (range(0, 200, 3), 401), (range(2, 200, 2), 401))
    for which, expected in failing:
        rows = "".join(row.format(number, "s" if number in which else "") for number in range(200))
        text, times = f"meta: {{cpu: 2}}\njobs:\n{rows}", []
        with patch.object(Finisher, "finish", lambda *task, times=times: times.append(1) or finish(*task)):
            found = printed([text], stage.WIDE)
        assert found[0] == 1
        assert found == printed([text], 1_000_000)
        assert len(times) == expected


TWICE = "".join(f"  {below}: [(( {above} )), (( {above} ))]\n" for above, below in pairwise("abcdefgh"))
LARGE = {
    "--max-nodes": f"- name: large\n  a: [(( meta.cpu )), 2]\n{TWICE}",
    "--max-output": f"- name: large\n  a: (( meta.long ))\n{TWICE}",
}
"""Items that are too much to write out, by the limit that says so."""


def test_an_item_that_multiplies_is_refused_wherever_it_is_in_a_long_list() -> None:
    """What is too much is refused before anything of it is written, although each item is forgotten by then."""
    row = "- {{name: job-{}, cpu: (( meta.cpu ))}}\n"
    for at, (flag, large) in product((0, 40, 79), LARGE.items()):
        rows = [row.format(number) for number in range(80)]
        rows[at] = large
        text = f"meta: {{cpu: 2, long: {'x' * 2000}}}\njobs:\n{''.join(rows)}"
        ways = product((1, 1_000_000), (200, 2_000_000))
        found = [printed([text], wide, engine.MANY_KEPT, f"{flag}={most}") for wide, most in ways]
        assert [status for status, _, _ in found] == [1, 0, 1, 0]
        assert "error PL5" in found[0][2]
        assert "0.yml:1:1" in found[0][2]
        assert found[:2] == found[2:]


READERS = {
    "other: (( jobs.first.gone ))": "- name: first\n- name: second\n",
    "other: (( jobs.first.gone || 5 ))": "- name: first\n- name: second\n  other: 5\n",
    'other: (( jobs.first.gone "-" 1 ))': "'jobs.first.gone' is undefined",
    "other: (( jobs.first.absent ))": "'jobs.first.absent' not found",
}
"""What another item reads of one with an undefined field, and what comes out."""


def test_what_is_undefined_in_an_item_is_so_for_others() -> None:
    """To be undefined is not the same as not to be there."""
    for reader, expected in READERS.items():
        text = f"jobs:\n- name: first\n  gone: (( ~~ ))\n- name: second\n  {reader}\n"
        for wide in (1, 1_000_000):
            _, out, err = printed([text], wide)
            assert expected in out + err


def test_the_fields_of_an_item_are_computed_before_it_is_looked_through() -> None:
    """Most need only what is above them: so each item is looked through once."""
    rows = "".join(f"- {{name: job-{n}, cpu: (( meta.cpu + 1 )), memory: (( cpu * 2 ))}}\n" for n in range(100))
    finish, times = Finisher.finish, []
    with patch.object(Finisher, "finish", lambda *task: times.append(1) or finish(*task)):
        assert printed([f"meta: {{cpu: 2}}\njobs:\n{rows}"], stage.WIDE)[0] == 0
    assert len(times) == 101  # the document, too
