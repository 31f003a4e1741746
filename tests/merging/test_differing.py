"""Lists and texts side by side: the same changes as git finds, and merges that lose nothing."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest

from plait.core.node import ListNode, Node, plain_value, text
from plait.merging import differing
from plait.merging.differing import changes, rising
from plait.merging.items import ALIKE, Alignment, aligned, best_pairs
from plait.merging.threeway import threeway

Pair = Callable[[random.Random], tuple[list[str], list[str]]]


def words(chance: random.Random) -> tuple[list[str], list[str]]:
    """A sequence with few or many different words, and the same with some edits."""
    known, size = chance.choice([2, 3, 5, 10, 100]), chance.choice([3, 8, 15, 40, 150])
    before = [str(chance.randrange(known)) for _ in range(chance.randint(0, size))]
    after = list(before)
    for _ in range(chance.randint(0, max(1, size // 3))):
        at = chance.randint(0, len(after))
        after[at : at + chance.randint(0, 1)] = [str(chance.randrange(known))] * chance.randint(0, 2)
    return before, after


def page(chance: random.Random) -> tuple[list[str], list[str]]:
    """A text with empty lines between others, and the same with parts written anew: empty lines of both say nothing."""
    lines = iter(range(10**6))
    odds = chance.choice([2, 3, 5, 9])

    def written(count: int) -> list[str]:
        return ["" if chance.randrange(odds) == 0 else f"line {next(lines)}" for _ in range(count)]

    before = written(chance.choice([20, 60, 250]))
    after = list(before)
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(after))
        after[at : at + chance.choice([0, 3, 15, 120])] = written(chance.choice([0, 3, 15, 120]))
    return before, after


def of_git(pairs: list[tuple[list[str], list[str]]], folder: Path) -> list[list[tuple[int, ...]]]:
    """The changes between texts, as git counts them: all pairs in one run of it."""
    for at, side in enumerate(("a", "b")):
        (folder / side).mkdir()
        for number, pair in enumerate(pairs):
            (folder / side / str(number)).write_text("".join(f"{line}\n" for line in pair[at]))
    command = ["git", "diff", "--no-index", "-U0", "--no-indent-heuristic", "--diff-algorithm=myers", "a", "b"]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
    found: list[list[tuple[int, ...]]] = [[] for _ in pairs]
    number = 0
    for line in shown.splitlines():
        if line.startswith("diff --git "):
            number = int(line.rpartition("/")[2])
        elif line.startswith("@@"):
            _, removed, added, *_ = line.split()
            found[number].append((*_range(removed), *_range(added)))
    return found


def _range(written: str) -> tuple[int, int]:
    """`-3,2` as the lines from 2 to 4; `-3,0` as the place after line 3."""
    start, _, count = written[1:].partition(",")
    first = int(start) - (count != "0")
    return first, first + int(count or 1)


@pytest.mark.parametrize(("pair", "count"), [(words, 300), (page, 150)])
def test_the_changes_are_those_of_git(pair: Pair, count: int, tmp_path: Path) -> None:
    pairs = [pair(random.Random(seed)) for seed in range(count)]
    for seed, (sides, told) in enumerate(zip(pairs, of_git(pairs, tmp_path), strict=True)):
        assert changes(*sides) == told, f"seed {seed}"


def test_a_long_search_ends_where_that_of_git_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both take the best they have after the same number of steps; what plait does to be quicker is left out here."""
    monkeypatch.setattr(differing, "PATIENCE", 1000)
    chance = random.Random(6)
    pairs = [([str(chance.randrange(90)) for _ in range(size)], [str(chance.randrange(90)) for _ in range(size + 9)])
             for size in (500, 600)]  # fmt: skip
    assert [changes(*pair) for pair in pairs] == of_git(pairs, tmp_path)


def test_what_moved_past_a_longer_part_is_what_changed(tmp_path: Path) -> None:
    """Lines that are there once moved past longer parts of lines that are not: these parts stay, as in git."""
    chance = random.Random(3)

    def once(name: str) -> list[str]:
        return [f"{name} {line}" for line in range(50)]

    first, second = ([str(chance.randrange(2)) for _ in range(450)] for _ in range(2))
    before = [*once("a"), *first, *once("b"), *second]
    after = [*first, *once("a"), *second, *once("b")]
    assert [changes(before, after)] == of_git([(before, after)], tmp_path)


@pytest.mark.long
def test_a_long_search_ends(tmp_path: Path) -> None:
    """Thousands of elements in another order: not the shortest script, but a right one."""
    chance = random.Random(7)
    before = [str(chance.randrange(40)) for _ in range(2000)]
    after = [str(chance.randrange(40)) for _ in range(2000)]
    assert applied(before, after, changes(before, after)) == after


def applied(before: list[str], after: list[str], found: list[tuple[int, int, int, int]]) -> list[str]:
    made, at = [], 0
    for a, b, c, d in found:
        made += before[at:a] + after[c:d]
        at = b
    return made + before[at:]


@pytest.mark.long
def test_a_long_search_keeps_what_both_have_once() -> None:
    """Between long parts that differ are some that are the same; one of them is elsewhere on the other side."""
    chance = random.Random(7)

    def filled(order: list[int]) -> list[str]:
        parts = [[f"part {number} line {line}" for line in range(12)] for number in order]
        return [line for part in parts for line in (*(str(chance.randrange(9)) for _ in range(450)), *part)]

    before, after = filled([0, 1, 2, 3, 4, 5]), filled([0, 4, 1, 2, 3, 5])
    found = changes(before, after)
    assert applied(before, after, found) == after
    gone = {line for a, b, _, _ in found for line in before[a:b]}
    assert {line.rpartition(" line")[0] for line in gone if "part" in line} == {"part 4"}


def a_list(values: list[str]) -> Node:
    return ListNode([text(value) for value in values])


@pytest.mark.parametrize("seed", range(60))
def test_what_one_side_changed_arrives_whole(seed: int) -> None:
    before, after = words(random.Random(seed))
    assert plain_value(threeway(a_list(before), a_list(before), a_list(after)).node) == after
    kept = threeway(a_list(before), a_list(after), a_list(before))
    assert plain_value(kept.node) == after
    assert not kept.edits


REGIONS = {
    ("abcd", "aXYZd", "abcd"): "b/-/b c/-/c -/X/- -/Y/- -/Z/-",
    ("abcd", "abcd", "aXYZd"): "b/b/- c/c/- -/-/X -/-/Y -/-/Z",
    ("abcd", "aXYd", "abcd"): "b/X/b c/Y/c",
    ("abcd", "ad", "abcd"): "b/-/b c/-/c",
    ("abcd", "abcd", "ad"): "b/b/- c/c/-",
    ("ab", "aXb", "aYb"): "-/-/Y -/X/-",
    ("ab", "aXYb", "aZb"): "-/-/Z -/X/- -/Y/-",
    ("abc", "aXc", "aYc"): "b/X/Y",
    ("abc", "abc", "abc"): "",
    ("ab", "abX", "Yab"): "-/-/Y -/X/-",
    ("abcd", "aXYZd", "abcdE"): "b/-/b c/-/c -/X/- -/Y/- -/Z/- -/-/E",
}
"""Items of a list as it was, as it is here, and as it is generated now: what is decided together, `-` for nothing."""


@pytest.mark.parametrize("texts", REGIONS)
def test_which_items_are_decided_together(texts: tuple[str, str, str]) -> None:
    base, here, fresh = (ListNode([text(letter) for letter in each]) for each in texts)
    runs = aligned(Alignment(base, here, fresh)) or []
    spans = [tuple(zip(texts, (run.base, run.here, run.fresh), strict=True)) for run in runs]
    assert " ".join("/".join(each[slice(*span)] or "-" for each, span in row) for row in spans) == REGIONS[texts]


def all_pairings(rows: int, columns: int) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair some of the rows with some of the columns, both in their order."""
    for count in range(min(rows, columns) + 1):
        for left, right in product(combinations(range(rows), count), combinations(range(columns), count)):
            yield list(zip(left, right, strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_the_items_that_are_paired_are_most_alike_together(seed: int) -> None:
    """No other pairs of items that are more than half alike have more in common; items keep their order."""
    chance = random.Random(seed)
    rows, columns = chance.randint(1, 4), chance.randint(1, 4)
    scores = {(i, j): chance.choice([0.0, 0.5, 0.625, 0.75, 1.0]) for i in range(rows) for j in range(columns)}
    best = max(
        sum(scores[pair] for pair in pairs)
        for pairs in all_pairings(rows, columns)
        if all(scores[pair] > ALIKE for pair in pairs)
    )
    found = best_pairs(rows, columns, lambda i, j: scores[i, j])
    assert found in all_pairings(rows, columns)
    assert all(scores[pair] > ALIKE for pair in found)
    assert sum(scores[pair] for pair in found) == best


@pytest.mark.parametrize("seed", range(30))
def test_the_most_pairs_that_rise_on_both_sides(seed: int) -> None:
    chance = random.Random(seed)
    pairs = list(enumerate(chance.sample(range(9), 6)))
    longest = max(
        count
        for count in range(7)
        for some in combinations(pairs, count)
        if all(a[1] < b[1] for a, b in pairwise(some))
    )
    found = rising(pairs)
    assert len(found) == longest
    assert all(a < b and a[1] < b[1] for a, b in pairwise(found))
    assert set(found) <= set(pairs)
