"""What made two targets differ at a place, as `plait diff --target` prints it."""

from __future__ import annotations

from plait.apps.cli.explanation import Masks, place_data
from plait.core.path import format_path
from plait.core.visible import one_line
from plait.review.reads import Read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.merging.diff import ValueDifference
    from plait.review.reads import ValueCause

    BothCauses = tuple[list[ValueCause], list[ValueCause]]
    """What made the value before, and the one after, that the other side has otherwise."""


def cause_words(causes: list[ValueCause], difference: ValueDifference, reveal: bool) -> str:
    """The first cause in words, and how many others there are."""
    first, more = causes[0], f" and {len(causes) - 1} more" if causes[1:] else ""
    what = format_path(first.path) if isinstance(first, Read) else _masks(causes, difference, reveal).words(first.text)
    return f"{first.word} {one_line(what)}{more}"


def causes_data(causes: BothCauses, difference: ValueDifference, reveal: bool) -> dict[str, object]:
    """The causes of each side that has some, as data."""
    masks = _masks([*causes[0], *causes[1]], difference, reveal)

    def data(cause: ValueCause) -> dict[str, object]:
        if isinstance(cause, Read):
            what = {"path": format_path(cause.path), "value": masks.data(cause.value)}
        else:
            what = {"text": masks.words(cause.text)}
        return {"word": cause.word, **what, "origin": place_data(cause.origin)}

    sides = zip(("before", "after"), causes, strict=True)
    return {f"{side}_causes": [data(cause) for cause in found] for side, found in sides if found}


def _masks(causes: list[ValueCause], difference: ValueDifference, reveal: bool) -> Masks:
    values = [node for node in (difference.before, difference.after) if node is not None]
    return Masks([*values, *(cause.value for cause in causes if isinstance(cause, Read))], reveal)
