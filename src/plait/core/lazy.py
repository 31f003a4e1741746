"""What is made when it is first needed, because many commands end without it.

Loading `re` and compiling what a room knows takes as long as reading a small file.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


def once(make: Callable[[], T]) -> Callable[[], T]:
    """What gives one value to everybody who asks, and makes it for the first of them."""
    made: list[T] = []

    def get() -> T:
        if not made:
            made.append(make())
        return made[0]

    return get


class LazyPattern:
    """A regular expression of our own that is compiled, and `re` itself loaded, when the first text needs it.

    Its methods are those of the compiled one.
    """

    __slots__ = ("_compiled", "_written")

    def __init__(self, written: str) -> None:
        self._written = written
        self._compiled: re.Pattern[str] | None = None

    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled once."""
        if self._compiled is None:
            import re

            self._compiled = re.compile(self._written)
        return self._compiled

    def match(self, text: str, at: int = 0) -> re.Match[str] | None:
        """A match that begins at an offset."""
        return self.compiled().match(text, at)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match anywhere."""
        return self.compiled().search(text)
