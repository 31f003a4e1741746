"""Regular expressions as RE2 has them: no lookaround, no backreferences, and Go's messages for what is wrong.

A pattern is parsed by RE2's grammar and written again in Python's, where `$` is the end of the text, `\\d` and `\\w`
are ASCII, and flags hold for the group they stand in. Both take the leftmost match and prefer the earlier
alternative, so what they find is the same. Python's engine goes back and tries again, which for some patterns takes
time without bound: those are run by `automaton`, which reads the text once. `docs/decisions/` tells how this was chosen.
"""

from __future__ import annotations

import re
from functools import cache

from plait.notations.gotemplate import automaton
from plait.notations.gotemplate.automaton import Alternatives, Assertion, Character, Group, Part, Repeat, Row
from plait.notations.gotemplate.errors import CallError, Exhausted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_REPEAT, MAX_NESTING = 1000, 100
MAX_BACKTRACKING = 1_000_000
"""How many places Python's engine may have to try, at worst, before the automaton takes over."""
MAX_RESULT = 64_000_000
"""How long a text may become by replacing."""
_POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": "\\x00-\\x7f", "blank": "\\t\\x20", "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9", "graph": "\\x21-\\x7e", "lower": "a-z", "print": "\\x20-\\x7e",
    "punct": "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e", "space": "\\t\\n\\x0b\\x0c\\r\\x20", "upper": "A-Z",
    "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_PERL = {"d": "0-9", "w": "0-9A-Za-z_", "s": "\\t\\n\\x0c\\r\\x20"}
_ESCAPES = {"a": "\\x07", "f": "\\x0c", "n": "\\n", "r": "\\r", "t": "\\t", "v": "\\x0b"}
_WORD = "[0-9A-Za-z_]"
_BOUNDARY = f"(?:(?<!{_WORD})(?={_WORD})|(?<={_WORD})(?!{_WORD}))"
_NO_BOUNDARY = f"(?:(?<!{_WORD})(?!{_WORD})|(?<={_WORD})(?={_WORD}))"
_META = frozenset("\\.+*?()|[]{}^$")
_NAME = re.compile(r"[A-Za-z0-9_]+")
_REPEAT = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")


def quote_meta(text: str) -> str:
    """A text as a pattern that matches just it."""
    return "".join(f"\\{c}" if c in _META else c for c in text)


class Flags:
    """What (?imsU) switched on."""

    __slots__ = ("fold", "lazy", "lines", "newlines")

    def __init__(self, fold: bool = False, lines: bool = False, newlines: bool = False, lazy: bool = False) -> None:
        self.fold = fold
        self.lines = lines
        self.newlines = newlines
        self.lazy = lazy

    def copy(self) -> Flags:
        return Flags(self.fold, self.lines, self.newlines, self.lazy)


_FLAG_NAMES = {"i": "fold", "m": "lines", "s": "newlines", "U": "lazy"}


class _Parser:
    """Reads a pattern of RE2. Single characters and assertions come out as Python writes them."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0
        self.names: set[str] = set()
        self.groups: list[str] = []

    def wrong(self, what: str, piece: str) -> CallError:
        return CallError(f"error parsing regexp: {what}: `{piece}`")

    def parse(self) -> Part:
        out = self.alternatives(Flags())
        if self.at < len(self.pattern):
            raise self.wrong("unexpected )", self.pattern)
        return out

    def alternatives(self, flags: Flags) -> Part:
        """Everything up to the end of the group. Flags that are set here hold up to there."""
        branches: list[Part] = []
        items: list[Part] = []
        while self.at < len(self.pattern) and self.pattern[self.at] != ")":
            if self.pattern[self.at] == "|":
                self.at += 1
                branches.append(Row(items))
                items = []
                continue
            items.append(self.repeated(flags))
        branches.append(Row(items))
        return Alternatives(branches) if len(branches) > 1 else branches[0]

    def repeated(self, flags: Flags) -> Part:
        start = self.at
        sign = self.pattern[self.at]
        if sign in "*+?":
            raise self.wrong("missing argument to repetition operator", self.operator())
        atom, can_repeat = self.atom(flags)
        before = self.at
        operator = self.operator()
        if not operator:
            return atom
        if not can_repeat:
            raise self.wrong("missing argument to repetition operator", operator)
        again_at = self.at
        again = self.operator()
        if again:
            raise self.wrong("invalid nested repetition operator", self.pattern[before : self.at])
        self.at = again_at
        self.bound(operator, start, before)
        lazy = len(operator) > 1 and operator[-1] == "?"
        return Repeat(atom, *_counts(operator), lazy == flags.lazy)

    def bound(self, operator: str, start: int, end: int) -> None:
        """Refuse repetitions that multiply to more than a thousand."""
        found = _REPEAT.match(operator)
        if found is None:
            return
        low, high = int(found[1][:6]), int((found[3] or found[1])[:6])
        if max(low, high) > MAX_REPEAT or (found[3] and high < low):
            raise self.wrong("invalid repeat count", operator.rstrip("?"))
        inner = 1
        for count in _REPEAT.finditer(self.pattern, start, end):
            inner *= max(int(count[1][:6]), int((count[3] or count[1])[:6]), 1)
        if inner * max(low, high) > MAX_REPEAT:
            raise self.wrong("invalid repeat count", operator.rstrip("?"))

    def operator(self) -> str:
        """The repetition operator here; empty where there is none."""
        if self.at >= len(self.pattern):
            return ""
        start = self.at
        if self.pattern[self.at] in "*+?":
            self.at += 1
        elif self.pattern[self.at] == "{" and (found := _REPEAT.match(self.pattern, self.at)):
            self.at = found.end()
        else:
            return ""
        if self.pattern[self.at : self.at + 1] == "?":
            self.at += 1
        return self.pattern[start : self.at]

    def atom(self, flags: Flags) -> tuple[Part, bool]:
        sign = self.pattern[self.at]
        if sign == "(":
            return self.group(flags)
        if sign == "[":
            return Character(self.folded(self.char_class(), flags)), True
        if sign == "\\":
            return self.escape(flags), True
        self.at += 1
        if sign == ".":
            return Character("(?s:.)" if flags.newlines else "[^\\n]"), True
        if sign == "^":
            return Assertion("(?m:^)" if flags.lines else "\\A"), True
        if sign == "$":
            return Assertion("(?m:$)" if flags.lines else "\\Z"), True
        return Character(self.folded(re.escape(sign), flags)), True

    def folded(self, text: str, flags: Flags) -> str:
        return f"(?i:{text})" if flags.fold else text

    # -- groups

    def group(self, flags: Flags) -> tuple[Part, bool]:
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
                return Row([]), False
        number = len(self.groups)
        if name is not None:
            self.groups.append(name)
        body = self.alternatives(inner)
        if self.pattern[self.at : self.at + 1] != ")":
            raise self.wrong("missing closing )", self.pattern)
        self.at += 1
        self.depth -= 1
        return (Group(body, number) if name is not None else body), True

    def special(self, start: int, outer: Flags, inner: Flags) -> tuple[str | None, bool]:
        """`(?...`: the name of the group, None where it captures nothing; and whether it opens at all, for it may only
        set flags for what follows."""
        rest = self.pattern[self.at :]
        if rest.startswith(("?P<", "?<")):
            return self.named(start, 3 if rest.startswith("?P<") else 2), True
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
        if name in self.names:
            raise self.wrong("duplicate capture group name", name)
        self.names.add(name)
        self.at = end + 1
        return name

    # -- escapes and classes

    def escape(self, flags: Flags) -> Part:
        start = self.at
        sign = self.pattern[start + 1 : start + 2]
        if sign in _ANCHORS and sign:
            self.at += 2
            return Assertion(_ANCHORS[sign])
        if sign == "Q":
            return self.literal_run(flags)
        if sign == "C":
            self.at += 2
            return Character("(?s:.)")
        found = self.class_escape()
        if found is not None:
            return Character(self.folded(f"[{found}]", flags))
        return Character(self.folded(self.character(), flags))

    def literal_run(self, flags: Flags) -> Part:
        end = self.pattern.find("\\E", self.at + 2)
        text = self.pattern[self.at + 2 : end] if end >= 0 else self.pattern[self.at + 2 :]
        self.at = end + 2 if end >= 0 else len(self.pattern)
        return Row([Character(self.folded(re.escape(sign), flags)) for sign in text])

    def class_escape(self) -> str | None:
        """The inside of a class for \\d, \\pL and their like; None where the escape is a character."""
        sign = self.pattern[self.at + 1 : self.at + 2]
        if sign and sign.lower() in _PERL:
            self.at += 2
            body = _PERL[sign.lower()]
            return body if sign.islower() else _complement(body)
        if sign in ("p", "P") and sign:
            return self.unicode_class(sign == "P")
        return None

    def unicode_class(self, negated: bool) -> str:
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
        body = _unicode(name)
        if body is None:
            raise self.wrong("invalid character class range", self.pattern[start : self.at])
        return _complement(body) if negated else body

    def character(self) -> str:
        """An escaped character, as Python writes it."""
        start = self.at
        sign = self.pattern[start + 1 : start + 2]
        if not sign:
            raise CallError("error parsing regexp: trailing backslash at end of expression: ``")
        self.at += 2
        if sign in _ESCAPES:
            return _ESCAPES[sign]
        if sign == "x":
            return self.hexadecimal(start)
        if sign in "01234567" and (sign == "0" or self.pattern[self.at : self.at + 1] in tuple("01234567")):
            found = re.compile(r"[0-7]{1,3}").match(self.pattern, start + 1)
            assert found is not None
            self.at = found.end()
            return f"\\x{int(found.group(), 8) & 255:02x}"
        if sign.isalnum() or ord(sign) >= 128:
            raise self.wrong("invalid escape sequence", self.pattern[start : self.at])
        return re.escape(sign)

    def hexadecimal(self, start: int) -> str:
        found = re.compile(r"\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2})").match(self.pattern, self.at)
        code = int(found[1] or found[2], 16) if found else 2**32
        if found is None or code > 0x10FFFF:
            raise self.wrong("invalid escape sequence", self.pattern[start : self.at + 1])
        self.at = found.end()
        return f"\\U{code:08x}"

    def char_class(self) -> str:
        start = self.at
        self.at += 1
        negated = self.pattern[self.at : self.at + 1] == "^"
        self.at += negated
        out: list[str] = []
        first = True
        while self.pattern[self.at : self.at + 1] != "]" or first:
            if self.at >= len(self.pattern):
                raise self.wrong("missing closing ]", self.pattern[start:])
            out.append(self.class_item())
            first = False
        self.at += 1
        return f"[{'^' if negated else ''}{''.join(out)}]"

    def class_item(self) -> str:
        if self.pattern.startswith("[:", self.at):
            end = self.pattern.find(":]", self.at)
            if end >= 0:
                return self.posix(end)
        if self.pattern[self.at] == "\\":
            found = self.class_escape()
            if found is not None:
                return found
        start = self.at
        low = self.class_character()
        if self.pattern[self.at : self.at + 1] != "-" or self.pattern[self.at + 1 : self.at + 2] in ("]", ""):
            return low
        self.at += 1
        high = self.class_character()
        if _code(low) > _code(high):
            raise self.wrong("invalid character class range", self.pattern[start : self.at])
        return f"{low}-{high}"

    def posix(self, end: int) -> str:
        name = self.pattern[self.at + 2 : end]
        negated = name.startswith("^")
        body = _POSIX.get(name.lstrip("^"))
        if body is None:
            raise self.wrong("invalid character class range", self.pattern[self.at : end + 2])
        self.at = end + 2
        return _complement(body) if negated else body

    def class_character(self) -> str:
        if self.at >= len(self.pattern):
            raise self.wrong("missing closing ]", self.pattern)
        if self.pattern[self.at] == "\\":
            return self.character()
        self.at += 1
        return re.escape(self.pattern[self.at - 1])


_ANCHORS = {"A": "\\A", "z": "\\Z", "b": _BOUNDARY, "B": _NO_BOUNDARY}


def _code(text: str) -> int:
    """The character that a piece of a Python class stands for."""
    if text[0] != "\\" or len(text) == 1:
        return ord(text[0])
    if text[1] in "xU":
        return int(text[2:], 16)
    return {"n": 10, "r": 13, "t": 9}.get(text[1], ord(text[1]))


@cache
def _complement(body: str) -> str:
    """The inside of the class that holds everything else."""
    inside = re.compile(f"[{body}]")
    if body.isascii() and "U" not in body:
        outside = [code for code in range(128) if not inside.match(chr(code))]
        return "".join(f"\\x{code:02x}" for code in outside) + "\\U00000080-\\U0010ffff"
    return _ranges(lambda character: not inside.match(character))


def _ranges(holds: Callable[[str], object]) -> str:
    """All characters with a property, as the inside of a class."""
    out: list[str] = []
    start = -1
    for code in range(0x110001):
        fits = code <= 0x10FFFF and holds(chr(code))
        if fits and start < 0:
            start = code
        elif not fits and start >= 0:
            out.append(f"\\U{start:08x}-\\U{code - 1:08x}")
            start = -1
    return "".join(out)


@cache
def _unicode(name: str) -> str | None:
    """A general category or a script; scripts go by the names of their characters."""
    from unicodedata import category
    from unicodedata import name as name_of

    if name == "Any":
        return "\\x00-\\U0010ffff"
    if len(name) <= 2:
        found = _ranges(lambda character: category(character).startswith(name)) if name[:1].isupper() else ""
        return found or None
    script = "CJK" if name == "Han" else name.upper().replace("_", " ")
    return _ranges(lambda character: name_of(character, "").startswith(script + " ")) or None


_COUNTS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def _counts(operator: str) -> tuple[int, int | None]:
    """How often at least, and how often at most (None: without bound)."""
    if operator[0] in _COUNTS:
        return _COUNTS[operator[0]]
    found = _REPEAT.match(operator)
    assert found is not None
    low = int(found[1])
    if not found[2]:
        return low, low
    return low, int(found[3]) if found[3] else None


class Regexp:
    """A compiled pattern."""

    __slots__ = ("_always", "_automaton", "_compiled", "_part", "_repeats", "groups", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        parser = _Parser(pattern)
        self._part = parser.parse()
        self.groups = parser.groups
        self._repeats = automaton.ambiguity(self._part)
        self._always = automaton.repeats_nothing(self._part)
        self._automaton: automaton.Automaton | None = None
        try:
            self._compiled = re.compile(automaton.written(self._part))
        except (re.error, OverflowError, RecursionError) as problem:
            raise CallError(f"error parsing regexp: {problem}: `{pattern}`") from None

    def search(self, text: str, at: int = 0) -> Found | None:
        """The leftmost match from a place on."""
        if self._always or (self._repeats and len(text) ** self._repeats > MAX_BACKTRACKING):
            if self._automaton is None:
                self._automaton = automaton.Automaton(self._part, len(self.groups))
            spans = self._automaton.search(text, at)
            return Found(text, self.groups, spans) if spans else None
        found = self._compiled.search(text, at)
        return Found(text, self.groups, [found.span(i) for i in range(found.re.groups + 1)]) if found else None

    def matches(self, text: str) -> Iterator[Found]:
        """All matches, as Go counts them: none is empty right behind another."""
        at, before = 0, -1
        while at <= len(text):
            found = self.search(text, at)
            if found is None:
                return
            if found.end > found.start or found.end != before:
                yield found
            before = found.end
            at = found.end + 1 if found.end == found.start else found.end

    def find_all(self, text: str, count: int) -> list[Found]:
        """At most `count` matches; all of them for a negative count."""
        out: list[Found] = []
        for found in self.matches(text):
            if 0 <= count <= len(out):
                break
            out.append(found)
        return out

    def replace(self, text: str, replacement: Callable[[Found], str]) -> str:
        out: list[str] = []
        at, left = 0, MAX_RESULT
        for found in self.matches(text):
            out.append(text[at : found.start])
            out.append(replacement(found))
            left -= len(out[-1])
            if left < 0:
                raise Exhausted(f"the result would be larger than {MAX_RESULT}")
            at = found.end
        out.append(text[at:])
        return "".join(out)

    def split(self, text: str, count: int) -> list[str]:
        if count == 0:
            return []
        if self.pattern and not text:
            return [""]
        out: list[str] = []
        start = end = 0
        for found in self.find_all(text, count):
            if 0 < count == len(out) + 1:
                break
            end = found.start
            if found.end != 0:
                out.append(text[start:end])
            start = found.end
        if end != len(text):
            out.append(text[start:])
        return out


class Found:
    """A match: where it lies, and the groups in it."""

    __slots__ = ("end", "names", "spans", "start", "text")

    def __init__(self, text: str, names: list[str], spans: list[tuple[int, int]]) -> None:
        self.text = text
        self.names = names
        self.spans = spans
        self.start, self.end = spans[0]

    def whole(self) -> str:
        return self.text[self.start : self.end]

    def group(self, name: str) -> str:
        """A group by number or name; empty where there is none, or where it took no part."""
        if name.isdecimal():
            number = int(name[:6])
        elif name in self.names:
            number = self.names.index(name) + 1
        else:
            return ""
        start, end = self.spans[number] if number < len(self.spans) else (-1, -1)
        return self.text[start:end] if start >= 0 else ""


_REFERENCE = re.compile(r"\$(?:(\$)|\{(\w+)\}|(\w+))", re.ASCII)


def expand(template: str, found: Found) -> str:
    """A replacement with its $1, ${name} and $$ resolved; a group that is not there is empty."""

    def value(reference: re.Match[str]) -> str:
        return "$" if reference[1] else found.group(reference[2] or reference[3])

    return _REFERENCE.sub(value, template)
