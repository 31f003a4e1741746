"""Near names: what a search costs does not depend on how many names there are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from plait.report.near import MANY, MOST, Names, nearest

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
    assert names.read <= MOST


def test_names_that_are_not_text_are_passed_over() -> None:
    assert nearest("key", Names({1: 1, None: 3}, {"kye": 1})) == ["kye"]
