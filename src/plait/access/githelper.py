"""A process that runs git for this one, which has given up the right to start anything.

It is started before that, and only for commands that may need git.
"""

from __future__ import annotations

from plait.access.child import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HELPERS: list[GitHelper] = []
"""The helper of this process, where it must not start anything itself."""
MOST_ANSWER = 400_000_000
"""Bytes of the largest answer."""


class GitHelper:
    """The helper, as the process sees it that asks."""

    def __init__(self, begin: Callable[[], Callable[[bytes], bytes]]) -> None:
        """`begin` runs in the helper: it gives up what the helper may not do, and gives what answers there."""
        self._child = Child(begin, most=MOST_ANSWER)

    def ask(self, message: bytes, seconds: float) -> bytes:
        """What is answered there to a message."""
        return self._child.ask(message, seconds)

    def use(self) -> None:
        """Let all questions to git go to this helper."""
        HELPERS.append(self)

    def close(self) -> None:
        if self in HELPERS:
            HELPERS.remove(self)
        self._child.close()
