"""A process that runs git for this one, which has given up the right to start anything.

It is started before that, and only for commands that may need git. What runs git is loaded there with the first
question: most commands never ask one.
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

    def __init__(self, prepare: Callable[[], None]) -> None:
        """`prepare` runs in the helper: what it may open and write itself."""

        def begin() -> Callable[[bytes], bytes]:
            prepare()
            return _answer

        self._child = Child(begin, most=MOST_ANSWER)

    def ask(self, message: bytes, seconds: float) -> bytes:
        """What `access/git.py` answers there to a message."""
        return self._child.ask(message, seconds)

    def use(self) -> None:
        """Let all questions to git go to this helper."""
        HELPERS.append(self)

    def close(self) -> None:
        if self in HELPERS:
            HELPERS.remove(self)
        self._child.close()


def _answer(message: bytes) -> bytes:
    """In the helper: what git answers."""
    from importlib import import_module

    answer: bytes = import_module("plait.access.git").helped(message)
    return answer
