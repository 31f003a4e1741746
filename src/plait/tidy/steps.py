"""Work in small steps, so that whoever asked for it can do something else in between."""

from __future__ import annotations

from collections.abc import Generator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

Steps = Generator[None, None, "T"]
"""Each `next` does a little; the last one brings the answer."""


def finished(steps: Steps[T]) -> T:
    """The answer, with all of the work done at once."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            answer: T = end.value
            return answer
