"""Near names: what a search costs does not depend on how many names there are."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import plait
from plait.core.diagnostic import PlaitError
from plait.report.near import END, FEW, MANY, MOST, Names, SlipIndex, distance, nearest

COUNT = 20_000
NAMES = [f"key{number}" for number in range(COUNT)]


class Walked(list[str]):
    """A list that counts how many of its items are read, and is never searched."""

    read = 0

    def __iter__(self) -> Iterator[str]:
        for item in super().__iter__():
            self.read += 1
            yield item

    def __contains__(self, item: object) -> bool:
        raise AssertionError("searching a list takes as long as it is")


class Looked(dict[str, int]):
    """A mapping that counts how many of its keys are read."""

    read = 0

    def __iter__(self) -> Iterator[str]:
        for key in super().__iter__():
            self.read += 1
            yield key


def test_of_a_long_list_only_the_beginning_is_read() -> None:
    names = Walked(NAMES)
    assert nearest(f"kye{MANY - 1}", names) == [f"key{MANY - 1}"]
    assert names.read <= MANY


@pytest.mark.parametrize("several", [False, True])
def test_a_slip_of_one_letter_is_found_anywhere_in_a_mapping(several: bool) -> None:
    names = Looked.fromkeys(NAMES, 1)
    assert nearest(f"kye{COUNT - 1}", Names({}, names) if several else names) == [f"key{COUNT - 1}"]
    assert names.read <= COUNT + MOST


def test_many_wrong_names_read_a_mapping_a_few_times() -> None:
    names = Looked.fromkeys(NAMES, 1)
    for number in range(MOST, COUNT, 100):
        assert nearest(f"kye{number}", names)[0] == f"key{number}"
    assert names.read <= (FEW + 1) * COUNT + MOST


def test_a_mapping_that_grows_is_read_again() -> None:
    names = dict.fromkeys(NAMES, 1)
    assert nearest("other_nmae", names) == []
    assert nearest("other_nmae", names | {"other_name": 1}) == ["other_name"]
    names["other_name"] = 1
    assert nearest("other_nmae", names) == ["other_name"]


def test_names_that_are_not_text_are_passed_over() -> None:
    assert nearest("key", Names({1: 1, None: 3}, {"kye": 1})) == ["kye"]


def word(chance: random.Random, letters: str, shortest: int, longest: int) -> str:
    return "".join(chance.choice(letters) for _ in range(chance.randint(shortest, longest)))


def slipped(chance: random.Random, name: str) -> str:
    """A name with up to two letters dropped, inserted, exchanged or swapped."""
    for _ in range(chance.randint(0, 2)):
        at = chance.randrange(len(name) + 1)
        head, tail = name[:at], name[at:]
        made = (tail[1:], "x" + tail, "x" + tail[1:], tail[1:2] + tail[:1] + tail[2:], tail[:1].upper() + tail[1:])
        name = head + chance.choice(made)
    return name


def steps(a: str, b: str) -> dict[tuple[int, int], int]:
    """How many letters to insert, drop, exchange or swap, for all beginnings of two names."""
    found: dict[tuple[int, int], int] = {}
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            ways = [i + j]
            if i and j:
                ways += [found[i - 1, j] + 1, found[i, j - 1] + 1, found[i - 1, j - 1] + (a[i - 1] != b[j - 1])]
            if i > 1 and j > 1 and a[i - 2 : i] == b[j - 1] + b[j - 2]:
                ways.append(found[i - 2, j - 2] + 1)
            found[i, j] = min(ways)
    return found


@pytest.mark.parametrize("letters", ["ab", "abcdefgh"])
def test_a_distance_is_the_least_number_of_slips(letters: str) -> None:
    chance = random.Random(len(letters))
    for _ in range(400):
        a = word(chance, letters, 0, 9)
        b = slipped(chance, a) if chance.random() < 0.7 else word(chance, letters, 0, 9)
        true = steps(a, b)[len(a), len(b)]
        for limit in range(4):
            found = distance(a, b, limit)
            assert found == true if true <= limit else found > limit, (a, b, limit)


@pytest.mark.parametrize(("letters", "longest"), [("abc", 12), ("abcdefgh-", END + 8), ("abcdefghijkl", 50)])
def test_an_index_has_every_name_within_two_letters(letters: str, longest: int) -> None:
    chance = random.Random(longest)
    names = [word(chance, letters, 3, longest) for _ in range(60)]
    names += [slipped(chance, name) for name in names]
    index = SlipIndex()
    for number, name in enumerate(names):
        index.add(name, number)
    for name in names:
        allowed = 1 if len(name) < 8 else 2
        wanted = {at for at, other in enumerate(names) if distance(name.lower(), other.lower(), allowed) <= allowed}
        assert wanted <= {*index.near(name)}, name


@pytest.mark.parametrize(("head", "tail"), [("", ""), ("shop-production-", ""), ("", "-shop-production")])
def test_an_index_has_few_others(head: str, tail: str) -> None:
    chance = random.Random(1)
    names = [f"{head}{word(chance, 'abcdefghijklmnopqrstuvwxyz', 12, 14)}{tail}" for _ in range(300)]
    index = SlipIndex()
    for number, name in enumerate(names):
        index.add(name, number)
    assert sum(len(index.near(name)) for name in names) <= 2 * len(names)


@pytest.mark.parametrize(("maps", "is_found"), [(498, True), (499, False)])
def test_a_key_is_looked_for_in_so_many_maps(maps: int, is_found: bool) -> None:
    """The document is the first of 500 that may be looked into; the key is three maps below it."""
    others = "".join(f"m{number}: {{x: {{}}}}\n" for number in range(1, maps))
    with pytest.raises(PlaitError) as caught:
        plait.merge(f"m0: {{x: {{y: {{tag: 1}}}}}}\nread: !ref tag\n{others}").value()
    assert ("did you mean `m0.x.y.tag`?" in str(caught.value)) is is_found
