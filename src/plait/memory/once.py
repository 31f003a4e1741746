"""The answers of one question: nothing changes while it is answered, so that nobody needs to know what they read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable
    from typing import Any, TypeVar

    T = TypeVar("T")


class Once:
    """Asked as `Queries` are."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def recall(
        self,
        question: Hashable,
        work: Callable[[], T],
        holds: Callable[[T], bool] | None = None,
        kinds: Collection[str] = (),
    ) -> T:
        """What some work gives, or gave before. Where the work fails there is nothing to recall."""
        known = self._known
        if question not in known or (holds is not None and not holds(known[question])):
            known[question] = work()
        found: T = known[question]
        return found

    def part(self) -> Once:
        """Answers that belong to one of these, and go with it."""
        return Once()
