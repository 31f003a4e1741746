"""RE2's grammar: no lookaround, no backreferences, and Go's messages for what is wrong."""

from __future__ import annotations

import re

from plait.regexp.characters import ANY, NO_NEWLINE, PERL, POSIX, Characters, one, unicode_set
from plait.regexp.tree import (
    BEGIN_LINE,
    BEGIN_TEXT,
    BOUNDARY,
    END_LINE,
    END_TEXT,
    NO_BOUNDARY,
    Alternatives,
    Assertion,
    Capture,
    Character,
    PartSequence,
    PatternPart,
    Repeat,
)

MAX_REPEAT, MAX_NESTING = 1000, 100
_ESCAPES = {"a": "\x07", "f": "\x0c", "n": "\n", "r": "\r", "t": "\t", "v": "\x0b"}
_ANCHORS = {"A": BEGIN_TEXT, "z": END_TEXT, "b": BOUNDARY, "B": NO_BOUNDARY}
_NAME = re.compile(r"[A-Za-z0-9_]+")
_REPEAT = re.compile(r"\{(\d+)(?:(,)(\d*))?\}", re.ASCII)
_OCTAL = re.compile(r"[0-7]{1,3}")
_HEXADECIMAL = re.compile(r"\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{2})")


class BadPattern(ValueError):
    """A pattern that cannot be read."""


class PatternFlags:
    """What (?imsU) switched on."""

    __slots__ = ("fold", "lazy", "lines", "newlines")

    def __init__(self, fold: bool = False, lines: bool = False, newlines: bool = False, lazy: bool = False) -> None:
        self.fold = fold
        self.lines = lines
        self.newlines = newlines
        self.lazy = lazy

    def copy(self) -> PatternFlags:
        return PatternFlags(self.fold, self.lines, self.newlines, self.lazy)


_FLAG_NAMES = {"i": "fold", "m": "lines", "s": "newlines", "U": "lazy"}


class PatternParser:
    """Reads a pattern."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0
        self.groups: list[str] = []

    def wrong(self, what: str, piece: str) -> BadPattern:
        return BadPattern(f"error parsing regexp: {what}: `{piece}`")

    def parse(self) -> PatternPart:
        out = self.alternatives(PatternFlags())
        if self.at < len(self.pattern):
            raise self.wrong("unexpected )", self.pattern)
        return out

    def alternatives(self, flags: PatternFlags) -> PatternPart:
        """Everything up to the end of the group. Flags that are set here hold up to there."""
        branches: list[PatternPart] = []
        items: list[tuple[int, PatternPart]] = []
        while self.at < len(self.pattern) and self.pattern[self.at] != ")":
            if self.pattern[self.at] == "|":
                self.at += 1
                branches.append(PartSequence([part for _, part in items]))
                items = []
                continue
            self.repeated(flags, items)
        branches.append(PartSequence([part for _, part in items]))
        return Alternatives(branches) if len(branches) > 1 else branches[0]

    def repeated(self, flags: PatternFlags, items: list[tuple[int, PatternPart]]) -> None:
        """Read one part and what repeats it, and add it with the place where it begins. What follows flags alone
        repeats the part before them."""
        start = self.at
        sign = self.pattern[self.at]
        if sign in "*+?":
            raise self.wrong("missing argument to repetition operator", self.operator())
        atom, can_repeat = self.atom(flags)
        head: list[PatternPart] = []
        if self.pattern.startswith("\\Q", start) and isinstance(atom, PartSequence) and atom.items:
            *head, last = atom.items  # what follows a quoted text repeats the last character of it
        else:
            last = atom
        before = self.at
        operator = self.operator()
        if not operator:
            if can_repeat:
                items.append((start, atom))
            return
        if not can_repeat:
            if not items:
                raise self.wrong("missing argument to repetition operator", operator)
            start, last = items.pop()
        again_at = self.at
        again = self.operator()
        if again:
            raise self.wrong("invalid nested repetition operator", self.pattern[before : self.at])
        self.at = again_at
        self.bound(operator, start, before)
        lazy = len(operator) > 1 and operator[-1] == "?"
        repeat = Repeat(last, *_counts(operator), lazy == flags.lazy)
        items.append((start, PartSequence([*head, repeat]) if head else repeat))

    def bound(self, operator: str, start: int, end: int) -> None:
        """Refuse repetitions that multiply to more than a thousand."""
        match = _REPEAT.match(operator)
        if match is None:
            return
        inner = max(_ends(match))
        for count in _REPEAT.finditer(self.pattern, start, end):
            inner *= max(*_ends(count), 1)
        if inner > MAX_REPEAT:
            raise self.wrong("invalid repeat count", operator.rstrip("?"))

    def operator(self) -> str:
        """The repetition operator here; empty where there is none."""
        if self.at >= len(self.pattern):
            return ""
        start = self.at
        if self.pattern[self.at] in "*+?":
            self.at += 1
        elif self.pattern[self.at] == "{" and (match := _REPEAT.match(self.pattern, self.at)):
            self.at = match.end()
            low, high = _ends(match)
            if max(low, high) > MAX_REPEAT or (match[3] and high < low):
                raise self.wrong("invalid repeat count", match[0])
        else:
            return ""
        if self.pattern[self.at : self.at + 1] == "?":
            self.at += 1
        return self.pattern[start : self.at]

    def atom(self, flags: PatternFlags) -> tuple[PatternPart, bool]:
        sign = self.pattern[self.at]
        if sign == "(":
            return self.group(flags)
        if sign == "[":
            return Character(self.char_class(flags)), True
        if self.pattern.startswith("\\Q", self.at):
            found = self.literal_run(flags)
            return found, bool(found.items)
        if sign == "\\":
            return self.escape(flags), True
        self.at += 1
        if sign == ".":
            return Character(ANY if flags.newlines else NO_NEWLINE), True
        if sign == "^":
            return Assertion(BEGIN_LINE if flags.lines else BEGIN_TEXT), True
        if sign == "$":
            return Assertion(END_LINE if flags.lines else END_TEXT), True
        return Character(one(sign, flags.fold)), True

    # -- groups

    def group(self, flags: PatternFlags) -> tuple[PatternPart, bool]:
        start = self.at
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.wrong("expression nests too deeply", self.pattern)
        self.at += 1
        name: str | None = ""
        inner = flags.copy()
        if self.pattern[self.at : self.at + 1] == "?":
            name, opens = self.special(start, flags, inner)
            if not opens:
                self.depth -= 1
                return PartSequence([]), False
        number = len(self.groups)
        if name is not None:
            self.groups.append(name)
        body = self.alternatives(inner)
        if self.pattern[self.at : self.at + 1] != ")":
            raise self.wrong("missing closing )", self.pattern)
        self.at += 1
        self.depth -= 1
        return (Capture(body, number) if name is not None else body), True

    def special(self, start: int, outer: PatternFlags, inner: PatternFlags) -> tuple[str | None, bool]:
        """`(?...`: the name of the group, None where it captures nothing; and whether it opens at all, for it may only
        set flags for what follows."""
        if self.pattern.startswith(("?P<", "?<"), self.at):
            return self.named(start, 3 if self.pattern.startswith("?P", self.at) else 2), True
        at = self.at + 1
        switch = True
        chosen: list[tuple[str, bool]] = []
        while at < len(self.pattern):
            sign = self.pattern[at]
            at += 1
            if sign in _FLAG_NAMES:
                chosen.append((_FLAG_NAMES[sign], switch))
            elif sign == "-" and switch:
                switch = False
            elif sign in ":)":
                self.at = at
                for name, value in chosen:
                    setattr(inner, name, value)
                    if sign == ")":
                        setattr(outer, name, value)
                return None, sign == ":"
            else:
                raise self.wrong("invalid or unsupported Perl syntax", self.pattern[start:at])
        raise self.wrong("missing closing )", self.pattern)

    def named(self, start: int, skip: int) -> str:
        end = self.pattern.find(">", self.at)
        name = self.pattern[self.at + skip : end] if end >= 0 else ""
        if not _NAME.fullmatch(name):
            shown = self.pattern[start : end + 1] if end >= 0 else self.pattern[start:]
            raise self.wrong("invalid named capture", shown)
        self.at = end + 1
        return name

    # -- escapes and classes

    def escape(self, flags: PatternFlags) -> PatternPart:
        start = self.at
        sign = self.pattern[start + 1 : start + 2]
        if sign in _ANCHORS and sign:
            self.at += 2
            return Assertion(_ANCHORS[sign])
        if sign == "C":
            raise self.wrong("invalid escape sequence", "\\C")
        found = self.class_escape(flags)
        return Character(found if found is not None else one(self.character(), flags.fold))

    def literal_run(self, flags: PatternFlags) -> PartSequence:
        end = self.pattern.find("\\E", self.at + 2)
        text = self.pattern[self.at + 2 : end] if end >= 0 else self.pattern[self.at + 2 :]
        self.at = end + 2 if end >= 0 else len(self.pattern)
        return PartSequence([Character(one(sign, flags.fold)) for sign in text])

    def class_escape(self, flags: PatternFlags) -> Characters | None:
        """The set of \\d, \\pL and their like; None where the escape is a character."""
        sign = self.pattern[self.at + 1 : self.at + 2]
        if sign and sign.lower() in PERL:
            self.at += 2
            return Characters(PERL[sign.lower()], negated=sign.isupper(), fold=flags.fold)
        if sign in ("p", "P") and sign:
            return self.unicode_class(sign == "P", flags)
        return None

    def unicode_class(self, negated: bool, flags: PatternFlags) -> Characters:
        start = self.at
        self.at += 2
        if self.pattern[self.at : self.at + 1] == "{":
            end = self.pattern.find("}", self.at)
            name = self.pattern[self.at + 1 : end] if end >= 0 else ""
            self.at = end + 1 if end >= 0 else len(self.pattern)
        else:
            name = self.pattern[self.at : self.at + 1]
            self.at += 1
        if name.startswith("^"):
            name, negated = name[1:], not negated
        found = unicode_set(name)
        if found is None:
            raise self.wrong("invalid character class range", self.pattern[start : self.at])
        return Characters(found.ranges, negated=negated, fold=flags.fold, test=found.test)

    def character(self) -> str:
        """An escaped character."""
        start = self.at
        sign = self.pattern[start + 1 : start + 2]
        if not sign:
            raise BadPattern("error parsing regexp: trailing backslash at end of expression: ``")
        self.at += 2
        if sign in _ESCAPES:
            return _ESCAPES[sign]
        if sign == "x":
            return self.hexadecimal(start)
        if sign in "01234567" and (sign == "0" or self.pattern[self.at : self.at + 1] in tuple("01234567")):
            match = _OCTAL.match(self.pattern, start + 1)
            assert match is not None
            self.at = match.end()
            return chr(int(match.group(), 8) & 255)
        if sign.isalnum() or ord(sign) >= 128:
            raise self.wrong("invalid escape sequence", self.pattern[start : self.at])
        return sign

    def hexadecimal(self, start: int) -> str:
        match = _HEXADECIMAL.match(self.pattern, self.at)
        code = int(match[1] or match[2], 16) if match else 2**32
        if match is None or code > 0x10FFFF:
            raise self.wrong("invalid escape sequence", self.pattern[start : self.at + 1])
        self.at = match.end()
        return chr(code)

    def char_class(self, flags: PatternFlags) -> Characters:
        start = self.at
        self.at += 1
        negated = self.pattern[self.at : self.at + 1] == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        sets: list[Characters] = []
        first = True
        while self.pattern[self.at : self.at + 1] != "]" or first:
            if self.at >= len(self.pattern):
                raise self.wrong("missing closing ]", self.pattern[start:])
            found = self.class_item(flags)
            if isinstance(found, Characters):
                sets.append(found)
            else:
                ranges.append(found)
            first = False
        self.at += 1
        return Characters(tuple(ranges), tuple(sets), negated=negated, fold=flags.fold)

    def class_item(self, flags: PatternFlags) -> Characters | tuple[int, int]:
        if self.pattern.startswith("[:", self.at):
            end = self.pattern.find(":]", self.at + 2)
            if end >= 0:
                return self.posix(end, flags)
        if self.pattern[self.at] == "\\":
            found = self.class_escape(flags)
            if found is not None:
                return found
        start = self.at
        low = self.class_character()
        if self.pattern[self.at : self.at + 1] != "-" or self.pattern[self.at + 1 : self.at + 2] in ("]", ""):
            return ord(low), ord(low)
        self.at += 1
        high = self.class_character()
        if low > high:
            raise self.wrong("invalid character class range", self.pattern[start : self.at])
        return ord(low), ord(high)

    def posix(self, end: int, flags: PatternFlags) -> Characters:
        name = self.pattern[self.at + 2 : end]
        negated = name.startswith("^")
        ranges = POSIX.get(name.lstrip("^"))
        if ranges is None:
            raise self.wrong("invalid character class range", self.pattern[self.at : end + 2])
        self.at = end + 2
        return Characters(ranges, negated=negated, fold=flags.fold)

    def class_character(self) -> str:
        if self.at >= len(self.pattern):
            raise self.wrong("missing closing ]", self.pattern)
        if self.pattern[self.at] == "\\":
            return self.character()
        self.at += 1
        return self.pattern[self.at - 1]


_COUNTS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def _ends(match: re.Match[str]) -> tuple[int, int]:
    """The numbers of `{low,high}`; the first one twice where there is no other."""
    return int(match[1][:6]), int((match[3] or match[1])[:6])


def _counts(operator: str) -> tuple[int, int | None]:
    """How often at least, and how often at most (None: without bound)."""
    if operator[0] in _COUNTS:
        return _COUNTS[operator[0]]
    match = _REPEAT.match(operator)
    assert match is not None
    low = int(match[1])
    if not match[2]:
        return low, low
    return low, int(match[3]) if match[3] else None
