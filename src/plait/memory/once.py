"""The answers of one question: nothing changes while it is answered, so that nobody needs to know what they read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, TypeVar

    T = TypeVar("T")


class Once(dict["Hashable", "Any"]):
    """The answers by their questions. It is asked as `Queries` are."""

    __slots__ = ()

    def recall(self, question: Hashable, work: Callable[[], T]) -> T:
        """What some work gives, or gave before. Where the work fails there is nothing to recall."""
        if question not in self:
            self[question] = work()
        found: T = self[question]
        return found
