"""Regular expressions of RE2, in time that grows with the text and with the pattern, whatever they are.

Every pattern that a file or a flag brings is matched here, never by Python's `re`, whose time has no bound. A
pattern is parsed (`parse`) into parts, and these become instructions (`program`). An automaton whose states are made
as they are needed finds where a match ends and, backwards, where it begins; only the groups of a match are looked
for with the instructions themselves. Work is charged to a `Meter`. `docs/decisions/` says why.
"""

from __future__ import annotations

import re

from plait.core.meter import Meter
from plait.regexp.automaton import Automaton
from plait.regexp.parse import BadPattern, PatternParser
from plait.regexp.program import TAKE, PatternProgram, TooLarge, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["BadPattern", "Match", "Regexp", "expand", "quote_meta"]

_META = frozenset("\\.+*?()|[]{}^$")


def quote_meta(text: str) -> str:
    """A text as a pattern that matches just it."""
    return "".join(f"\\{c}" if c in _META else c for c in text)


SEARCH = 8
"""Steps for beginning a search, however short the text is."""


class Regexp:
    """A compiled pattern. Raises `BadPattern`."""

    __slots__ = ("_backwards", "_forwards", "_part", "_program", "groups", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        parser = PatternParser(pattern)
        self._part = parser.parse()
        self.groups = parser.groups
        """The names of the groups; empty for those without."""
        try:
            self._program = PatternProgram(self._part, len(self.groups))
        except TooLarge:
            raise BadPattern(f"error parsing regexp: expression too large: `{pattern[:80]}`") from None
        self._forwards = Automaton(self._program)
        self._backwards: Automaton | None = None

    def found_in(self, text: str, meter: Meter | None = None) -> bool:
        """Whether there is a match."""
        return self._forwards.ends(text, 0, meter or Meter(), first=True) >= 0

    def each_of(self, characters: str, meter: Meter) -> str:
        """The characters that there is a match in, each taken alone. Those of which the pattern takes the same and
        that are neighbours of the same kind are asked about once."""
        sets = list({id(what): what for kind, what, _ in self._program.code if kind == TAKE}.values())
        meter.step(len(characters) * (1 + len(sets)))
        known: dict[tuple[object, ...], bool] = {}
        kept: list[str] = []
        for character in characters:
            key = (kind_of(character), *[one.holds(character) for one in sets])
            if key not in known:
                known[key] = self.found_in(character, meter)
            if known[key]:
                kept.append(character)
        return "".join(kept)

    def search(self, text: str, at: int = 0, meter: Meter | None = None) -> Match | None:
        """The leftmost match from a place on."""
        meter = meter or Meter()
        meter.step(SEARCH)
        end = self._forwards.ends(text, at, meter)
        if end < 0:
            return None
        start = self._begin(text, at, end, meter)
        spans = self._program.spans(text, start, end, meter) if self.groups else [(start, end)]
        return Match(text, self.groups, spans)

    def _begin(self, text: str, at: int, end: int, meter: Meter) -> int:
        if self._program.anchored or end == at:
            return at
        if self._backwards is None:
            self._backwards = Automaton(PatternProgram(self._part, 0, backwards=True))
        return self._backwards.begins(text, end, meter, at)

    def matches(self, text: str, meter: Meter | None = None) -> Iterator[Match]:
        """All matches, as Go counts them: none is empty right after another."""
        meter = meter or Meter()
        at, before = 0, -1
        while at <= len(text):
            match = self.search(text, at, meter)
            if match is None:
                return
            if match.end > match.start or match.end != before:
                yield match
            before = match.end
            at = match.end + 1 if match.end == match.start else match.end

    def find_all(self, text: str, count: int, meter: Meter | None = None) -> list[Match]:
        """At most `count` matches; all of them for a negative count."""
        out: list[Match] = []
        for found in self.matches(text, meter):
            if 0 <= count <= len(out):
                break
            out.append(found)
        return out

    def replace(self, text: str, replacement: Callable[[Match], str], meter: Meter | None = None) -> str:
        """A text with something else for each match."""
        meter = meter or Meter()
        out: list[str] = []
        at = size = 0
        for found in self.matches(text, meter):
            piece = replacement(found)
            meter.make(found.start - at + len(piece))
            size += found.start - at + len(piece)
            if size > meter.budgets.size:
                raise meter.overrun("size", meter.budgets.size)
            out += (text[at : found.start], piece)
            at = found.end
        out.append(text[at:])
        return "".join(out)

    def split(self, text: str, count: int, meter: Meter | None = None) -> list[str]:
        """The pieces between matches, at most `count`; all of them for a negative count."""
        if count == 0:
            return []
        if self.pattern and not text:
            return [""]
        out: list[str] = []
        start = end = 0
        for found in self.find_all(text, count, meter):
            if 0 < count == len(out) + 1:
                break
            end = found.start
            if found.end != 0:
                out.append(text[start:end])
            start = found.end
        if end != len(text):
            out.append(text[start:])
        return out


class Match:
    """A match: where it is, and the groups in it."""

    __slots__ = ("end", "names", "spans", "start", "text")

    def __init__(self, text: str, names: list[str], spans: list[tuple[int, int]]) -> None:
        self.text = text
        self.names = names
        self.spans = spans
        self.start, self.end = spans[0]

    def whole(self) -> str:
        return self.text[self.start : self.end]

    def group(self, name: str) -> str:
        """A group by number or name; empty where there is none, or where it took no part. Of those with one name, the
        first that took part."""
        if name.isdecimal():
            spans = self.spans[int(name[:6]) :][:1]
        else:
            spans = [span for found, span in zip(self.names, self.spans[1:], strict=True) if found == name]
        return next((self.text[start:end] for start, end in spans if start >= 0), "")


_REFERENCE = re.compile(r"\$(?:(\$)|\{(\w+)\}|(\w+))", re.ASCII)


def expand(template: str, match: Match, meter: Meter) -> str:
    """A replacement with its $1, ${name} and $$ resolved; a group that is not there is empty."""

    def value(reference: re.Match[str]) -> str:
        group = "$" if reference[1] else match.group(reference[2] or reference[3])
        meter.make(len(group))
        return group

    return _REFERENCE.sub(value, template)
