"""Patterns of `.Files.Glob`, by the rules of the library that Helm uses for them (gobwas/glob, with `/` between names).

| written | matches |
|---|---|
| `*`, `?` | any text, any character, within one name |
| `**` | any text, also of several names, wherever it is |
| `[ab]`, `[a-z]`, `[!a]`, `[!a-z]` | one character of a set, or one range, or one that is not in it, `/` included |
| `{a,b}` | one of the alternatives, which may contain patterns |
| `\\x` | the character x itself |
"""

from __future__ import annotations

from plait.core.glob import GlobCompiler, GlobError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.glob import Test


class FileGlobCompiler(GlobCompiler):
    """Makes states of such a pattern."""

    def _simpler(self, pattern: str) -> str:
        return pattern

    def _folders_ahead(self) -> bool:
        return False

    def _element(self, state: int) -> int:
        if self._taken("/"):
            return self._step(state, "/".__eq__)
        if self._taken("**"):
            return self._many(state, lambda _: True)
        if self.pattern[self.at :] == "\\":  # which escapes nothing
            self.at += 1
            return state
        return super()._element(state)

    def _closed(self) -> bool:
        """What is never closed ends with the pattern."""
        return self.pattern[self.at : self.at + 1] != ","

    def _set(self) -> Test:
        excluded = self._taken("!")
        first, last = self.pattern[self.at : self.at + 1], self.pattern[self.at + 2 : self.at + 3]
        if self.pattern[self.at + 1 : self.at + 2] == "-" and last:
            self.at += 3
            if not self._taken("]") or last < first:
                raise GlobError("`[` is not the beginning of a range")
            return lambda character: (first <= character <= last) is not excluded
        characters = self._characters()
        if not characters or not self._taken("]"):
            raise GlobError("`[` is not closed")
        return lambda character: (character in characters) is not excluded

    def _characters(self) -> frozenset[str]:
        """Those of a set, up to the bracket that closes it."""
        found: set[str] = set()
        while self.at < len(self.pattern) and self.pattern[self.at] != "]":
            self._taken("\\")
            found.update(self.pattern[self.at : self.at + 1])
            self.at += 1
        return frozenset(found)

    def _taken(self, sign: str) -> bool:
        """Whether a sign is here; it is passed then."""
        is_here = self.pattern.startswith(sign, self.at)
        self.at += len(sign) * is_here
        return is_here
