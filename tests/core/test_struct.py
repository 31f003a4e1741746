"""A class that is only fields takes them by place and by name, has no others, and says what is wrong."""

from __future__ import annotations

import pickle

import pytest

from plait.core.struct import struct


@struct
class Place:
    """A line of a file."""

    file: str
    line: int = 1
    """Counted from one."""
    words: tuple[str, ...] = ()

    def text(self) -> str:
        """As people write it."""
        return f"{self.file}:{self.line}"


def test_fields_are_given_in_order_or_by_name() -> None:
    assert Place("a.yaml", 3).text() == "a.yaml:3"
    assert Place(file="a.yaml", words=("x",)).words == ("x",)
    assert Place("a.yaml", line=2).text() == "a.yaml:2"
    assert Place("a.yaml").text() == "a.yaml:1"


def test_a_field_changes_and_another_name_is_refused() -> None:
    place = Place("a.yaml")
    place.line = 7
    assert place.text() == "a.yaml:7"
    with pytest.raises(AttributeError):
        place.column = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), ((), {"line": 1}), (("a", 1, (), 4), {}), (("a",), {"file": "b"}), (("a",), {"column": 1})],
    ids=["nothing", "the first is missing", "too many", "twice", "another name"],
)
def test_what_does_not_fit_is_an_error(values: tuple[object, ...], named: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="Place takes file, line, words"):
        Place(*values, **named)  # type: ignore[arg-type]


def test_the_class_keeps_its_name_and_text_and_goes_through_a_pickle() -> None:
    assert (Place.__name__, Place.__doc__, Place.__module__) == ("Place", "A line of a file.", __name__)
    assert pickle.loads(pickle.dumps(Place("a.yaml", 3))).text() == "a.yaml:3"
