"""The laws of queries, with a toy: cells of a sheet, which hold a number or the names of others, and their sums.

Whatever happens to the cells, a sum is the same with and without the memory; nothing is found again unless a cell
changed that it read; and what reads a cell that cannot be compared is never kept.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.memory.once import Once
from plait.memory.queries import Queries, RecordedReads

NAMES = "abcd"
Sheet = dict[str, int | str]
cells = st.one_of(st.integers(0, 3), st.text(NAMES, min_size=1, max_size=2))
sheets = st.fixed_dictionaries(dict.fromkeys(NAMES, cells))
changes = st.tuples(st.sampled_from(NAMES), cells)
Step = tuple[list[tuple[str, int | str]], str]
"""Some cells are others now, and then a question."""
steps = st.lists(st.tuples(st.lists(changes, max_size=2), st.sampled_from(NAMES)), min_size=2, max_size=8)
ROAMING = 3
"""A cell with this number is one that cannot be compared."""


class Cells:
    """Gives out cells, and notes who is read."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.reads: set[tuple[str, str] | None] | None = None
        self.found: list[str] = []

    def get(self, name: str) -> int | str:
        if self.reads is not None:
            self.reads.add(None if self.sheet[name] == ROAMING else ("cell", name))
        return self.sheet[name]


def total(cells: Cells, queries: Queries | None, name: str, above: str = "") -> int:
    """The sum of a cell; a cell that is its own part counts as nothing."""

    def work() -> int:
        cells.found.append(name)
        held = cells.get(name)
        if isinstance(held, int):
            return held
        return sum(total(cells, queries, part, above + name) for part in held if part not in above + name)

    return work() if queries is None else queries.ask((name, above), work).answer


@given(sheets, steps, st.integers(0, 3), st.booleans())
def test_any_history_gives_the_same_sums(sheet: Sheet, history: list[Step], lately: int, is_part: bool) -> None:
    cells = Cells(dict(sheet))
    whole = Queries(cells, lately)
    queries = whole.part() if is_part else whole
    for written, name in history:
        cells.sheet.update(written)
        whole.changed([("cell", one) for one, _ in written])
        expected = total(Cells(cells.sheet), None, name)
        with RecordedReads(cells) as around:
            assert total(cells, queries, name) == expected
        cells.found.clear()
        with RecordedReads(cells) as again:
            assert total(cells, queries, name) == expected
        assert again == around, "who records gets what a known answer read, too"
        assert bool(cells.found) == (None in around), "found again where it cannot be compared, and only there"


class Forgetful:
    """The same, as simple as can be: each sum with the cells that it read; a change forgets the sums that read it."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.known: dict[tuple[str, str], set[str]] = {}
        self.found: list[str] = []

    def change(self, name: str) -> None:
        self.known = {question: reads for question, reads in self.known.items() if name not in reads}

    def ask(self, name: str, above: str = "") -> set[str]:
        """The cells that a sum reads."""
        if (name, above) not in self.known:
            self.found.append(name)
            held = self.sheet[name]
            parts = [part for part in held if part not in above + name] if isinstance(held, str) else []
            reads = {name}.union(*(self.ask(part, above + name) for part in parts))
            if any(self.sheet[one] == ROAMING for one in reads):
                return reads
            self.known[name, above] = reads
        return self.known[name, above]


@given(sheets, steps)
def test_only_what_read_a_changed_cell_is_found_again(sheet: Sheet, history: list[Step]) -> None:
    cells = Cells(dict(sheet))
    queries, model = Queries(cells), Forgetful(cells.sheet)
    for written, name in history:
        cells.sheet.update(written)
        for one, _ in written:
            queries.changed([("cell", one)])
            model.change(one)
        total(cells, queries, name)
        model.ask(name)
        assert cells.found == model.found


def test_what_goes_on_with_an_answer_is_as_old_as_that() -> None:
    cells = Cells({"a": 1, "b": 2, "c": ROAMING})
    queries = Queries(cells)

    def known() -> int | str:
        return queries.ask("a", lambda: cells.get("a")).answer  # type: ignore[no-any-return]

    first = queries.ask("a", lambda: cells.get("a"))
    with RecordedReads(cells) as reads:
        assert queries.go_on(first, lambda: cells.get("b")) == 2
    assert reads == {("cell", "a"), ("cell", "b")}
    cells.sheet["a"] = 5
    assert known() == 1, "nobody said that it changed"
    queries.changed([("cell", "b")])
    assert known() == 5, "what went on with it read another cell"
    second = queries.ask("a", lambda: cells.get("a"))
    queries.changed([("cell", "a")])
    cells.sheet["a"] = 6
    queries.go_on(first, lambda: cells.get("b"))
    queries.go_on(second, lambda: cells.get("b"))
    assert known() == 6
    queries.go_on(queries.ask("a", lambda: cells.get("a")), lambda: cells.get("c"))
    cells.sheet["a"] = 7
    assert known() == 7, "what went on with it cannot be compared"


def test_a_question_that_fails_is_asked_again_and_its_reads_are_noted() -> None:
    cells = Cells({"a": 0})
    queries = Queries(cells)
    with RecordedReads(cells) as reads:
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                queries.ask("quotient", lambda: 1 // int(cells.get("a")))
    assert reads == {("cell", "a")}
    assert cells.reads is None
    assert queries.ask("quotient", lambda: 5).answer == 5


def test_an_answer_may_depend_on_all_inputs_of_a_kind_or_say_itself_that_it_is_used_up() -> None:
    cells = Cells({"a": 1})
    queries = Queries(cells)
    usable = [True]

    def known() -> object:
        return queries.recall("one", object, lambda answer: usable[0], ("cell",))

    first = known()
    queries.changed([("row", "a"), None])
    assert known() is first
    queries.changed([("cell", "nobody read it")])
    second = known()
    assert second is not first
    assert known() is second
    usable[0] = False
    assert known() is not second


def test_the_answers_of_one_question_are_found_once() -> None:
    once = Once()
    first = once.recall("one", object)
    assert first is not None
    assert once.recall("one", object) is first
    assert once.recall("two", object) is not first


@given(sheets, st.lists(changes, min_size=3, max_size=12), st.sampled_from([0, 2, 1_000]))
def test_what_is_compared_stops_the_wave(sheet: Sheet, history: list[tuple[str, int | str]], lately: int) -> None:
    """Which cells hold an odd sum: found again only where one of these answers is another one, or was let go."""
    cells = Cells({key: 1 if held == ROAMING else held for key, held in sheet.items()})
    queries = Queries(cells, lately)

    def is_odd(name: str) -> bool:
        return total(cells, None, name) % 2 == 1

    worked: list[str] = []

    def half(name: str) -> bool:
        return queries.compare(("odd", name), lambda: (worked.append(name), is_odd(name))[1])

    def odd(names: str) -> tuple[bool, ...]:
        return tuple(queries.compare(("not even", name), lambda name=name: half(name)) for name in names)  # type: ignore[misc]

    known: tuple[bool, ...] = ()
    for name, value in history:
        reads = {one: Forgetful(cells.sheet).ask(one) for one in NAMES}
        cells.sheet[name] = 1 if value == ROAMING else value
        queries.changed([("cell", name)])
        before, known = known, tuple(is_odd(name) for name in NAMES)
        cells.found.clear()
        assert queries.ask("odd", lambda: (cells.found.append("odd"), odd(NAMES))[1]).answer == known
        assert ("odd" in cells.found) == (before != known or lately == 0)
        if before and lately:
            assert sorted(worked) == [one for one in NAMES if name in reads[one]], "those that read the cell, once each"
        worked.clear()


@given(st.integers(0, 40), st.integers(0, 60), st.booleans())
def test_what_nobody_asks_for_is_let_go(lately: int, changes: int, is_compared: bool) -> None:
    """An answer is kept for so many changes, and a tenth more at most."""
    cells = Cells({"a": 1})
    queries = Queries(cells, lately)

    def known() -> int:
        if is_compared:
            return queries.compare(("sum", "a"), lambda: total(cells, None, "a"))
        return total(cells, queries, "a")

    known()
    for number in range(changes):
        queries.changed([("file", str(number))])
    cells.found.clear()
    known()
    if changes <= lately:
        assert not cells.found
    if changes > lately + lately // 10:
        assert cells.found == ["a"]


def test_what_is_asked_for_again_and_again_stays_and_the_rest_takes_no_room() -> None:
    cells = Cells(dict.fromkeys("abcd", 1))
    queries, fresh = Queries(cells, 20), Queries(cells, 20)

    def ask(known: Queries, name: str) -> None:
        total(cells, known, name)
        known.ask(("odd", name), lambda: known.compare(("is", name), lambda: cells.get(name) == 1))

    for name in "abcd":
        ask(queries, name)
    for number in range(60):
        queries.changed([("file", str(number)), ("cell", "a")])
        ask(queries, "a")
        cells.found.clear()
        ask(queries, "b")
        assert not cells.found, "it is asked for after each change"
    assert len(fresh) == 0
    fresh.changed([("cell", "a")])
    assert len(fresh) == 1, "an input that changed"
    total(cells, fresh, "a")
    assert len(fresh) == 2, "an answer"
    for name in "ab":
        ask(fresh, name)
    assert len(fresh) == 9, "four answers, two that are compared, the inputs of these, and the one that changed"
    assert len(queries) == len(fresh), "as if nobody had ever asked for the others"
    cells.found.clear()
    ask(queries, "c")
    assert cells.found == ["c"]


def test_what_is_compared_and_cannot_be_is_asked_each_time() -> None:
    cells = Cells({"a": ROAMING, "b": 1})
    queries = Queries(cells)
    for value in (1, 2):
        cells.sheet["b"] = value
        assert queries.ask(
            "sum", lambda: queries.compare(("sum", "a"), lambda: (cells.get("a"), cells.sheet["b"]))
        ).answer == (3, value)


def test_what_is_found_in_steps_has_read_what_its_own_steps_read() -> None:
    cells = Cells({"a": 1, "b": 2, "c": ROAMING})
    queries = Queries(cells)

    def sum_of(names: str) -> Generator[None, None, int]:
        found = 0
        for name in names:
            value = cells.get(name)
            cells.found.append(name)
            assert isinstance(value, int)
            found += value
            yield
        return found

    def ask(names: str, changing: str = "") -> int:
        """The sum; after the first step somebody else asks, and maybe a cell changes."""
        steps = queries.in_steps(names, sum_of(names))
        for number, _ in enumerate(iter(lambda: next(steps, done), done)):
            if number == 0:
                total(cells, queries, "b")
                change(changing)
        answer = queries.last(names)
        assert answer is not None
        return int(answer.answer)

    def change(names: str) -> None:
        for name in names:
            cells.sheet[name] = 5
        if names:
            queries.changed(("cell", name) for name in names)

    done = object()
    assert ask("a") == 1
    change("b")
    cells.found.clear()
    assert (ask("a"), cells.found) == (1, [])  # the others that were asked between its steps read b
    change("a")
    assert (ask("a"), cells.found) == (5, ["a", "b"])
    cells.sheet["a"] = 1
    queries.changed([("cell", "a")])
    assert ask("ab", changing="a") == 6
    known = queries.last("ab")
    assert known is not None
    assert queries.differing(known) == {("cell", "a")}
    assert ask("ab") == 10
    cells.found.clear()
    assert ask("ac") == 5 + ROAMING
    assert (ask("ac"), cells.found) == (5 + ROAMING, ["a", "c"])  # nothing has changed
    change("b")
    cells.found.clear()
    assert (ask("ac"), cells.found) == (5 + ROAMING, ["a", "b", "c"])
