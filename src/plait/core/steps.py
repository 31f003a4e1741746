"""Long work in small steps: a generator that yields after each, and returns what it found.

Whoever has to answer others meanwhile runs it step by step, and drops it when nobody needs the outcome any more.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from typing import TypeVar

    T = TypeVar("T")
    Steps = Generator[None, None, T]
    """Work in steps, with its outcome."""

EACH = 400
"""How many small things are looked at in one step."""


def outcome(steps: Steps[T]) -> T:
    """What some work gives, done at once."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            found: T = done.value
            return found


def in_steps(things: Iterable[T]) -> Iterator[T | None]:
    """Many small things one by one, with a None after some of them: the end of a step."""
    for number, thing in enumerate(things, 1):
        yield thing
        if number % EACH == 0:
            yield None
