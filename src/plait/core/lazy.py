"""Regular expressions of our own that are compiled, and `re` itself loaded, when the first text needs them.

Loading `re` and compiling what a room knows takes as long as reading a small file.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


class LazyPattern:
    """A pattern whose methods are those of the compiled one."""

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
