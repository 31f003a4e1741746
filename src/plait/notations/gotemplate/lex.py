"""From text to tokens: what is outside the delimiters is text, what is inside is words.

The rules are Go's, byte for byte where they show: trim markers need a space, comments must fill their action, a
word must end at something that can follow it. Spaces are not tokens; a token knows whether one came before it.
A lexical error is the last token: whatever the parser dislikes earlier in the text is reported first.
"""

from __future__ import annotations

import re

from plait.core.lazy import LazyPattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Token = tuple[str, str, int, bool]
    """Kind, text, offset, and whether space came before it. `.a.b` is one token."""

TEXT, LEFT, RIGHT, EOF, ERROR = "text", "left", "right", "eof", "error"
FIELD, VARIABLE, WORD, DOT, NIL, BOOL = "field", "variable", "word", "dot", "nil", "bool"
NUMBER, COMPLEX, CHAR, STRING, RAW = "number", "complex", "char", "string", "raw"
PIPE, OPEN, CLOSE, DECLARE, ASSIGN, OTHER, KEYWORD = "pipe", "open", "close", "declare", "assign", "other", "keyword"

KEYWORDS = frozenset(["block", "break", "continue", "define", "else", "end", "if", "range", "template", "with"])
SPACE = " \t\r\n"
MOST_KNOWN, LONGEST_KNOWN = 10_000, 200
"""How many actions are remembered, and how long one may be for that."""
_WORDS = {"nil": NIL, "true": BOOL, "false": BOOL, **dict.fromkeys(KEYWORDS, KEYWORD)}
_SIGNS = {"|": PIPE, "(": OPEN, ")": CLOSE, "=": ASSIGN, ":=": DECLARE}

_NUMBER = (
    r"[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?"
    r"|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?"
    r"|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?"
)


class Lexer:
    """A lexer for one pair of delimiters."""

    __slots__ = ("_known", "_left", "_right", "_right_end", "_token", "delimiters")

    def __init__(self, left: str = "", right: str = "") -> None:
        self._left = left or "{{"
        self._right = right or "}}"
        self.delimiters = (self._left, self._right)
        self._known: dict[str, list[Token]] = {}
        """The tokens of actions by their text, with their places in it: the same actions are written often."""
        close = re.escape(self._right)
        ends = rf"(?=[ \t\r\n.,|:()]|\Z|{close})"
        self._right_end = LazyPattern(rf"(?:[ \t\r\n]-)?{close}")
        self._token = LazyPattern(
            rf"(?P<right>(?:[ \t\r\n]*[ \t\r\n]-|[ \t\r\n]*){close})|[ \t\r\n]*(?:"
            rf"(?P<field>(?:\.(?![0-9])\w+)+{ends})|(?P<variable>\$\w*{ends})|(?P<word>(?![0-9])\w+{ends})"
            r'|(?P<string>"(?:[^"\\\n]|\\[^\n])*")|(?P<sign>[|()=]|:=)'
            rf"|(?P<dot>\.{ends})"
            rf"|(?P<number>(?=[+-]|\.?[0-9])(?>{_NUMBER})(?P<second>[+-](?>{_NUMBER[5:]}))?+(?!\w))"
            r"|(?P<raw>`[^`]*`)|(?P<char>'(?:[^'\\\n]|\\[^\n])*')"
            r"|(?P<other>[!-~])|(?P<rest>))"
        )

    def tokens(self, text: str) -> list[Token]:
        """All tokens of a text; the last is EOF or ERROR."""
        out: list[Token] = []
        left, at, start = self._left, 0, 0
        while True:
            found = text.find(left, at)
            if found < 0:
                break
            inside = found + len(left)
            trims = text[inside : inside + 1] == "-" and text[inside + 1 : inside + 2] in (" ", "\t", "\r", "\n")
            plain = text[start:found].rstrip(SPACE) if trims else text[start:found]
            if plain:
                out.append((TEXT, plain, start, False))
            if trims:
                inside += 2
            if text.startswith("/*", inside):
                start = at = self._comment(text, inside, out)
            else:
                out.append((LEFT, left, found, False))
                start = at = self._known_action(text, inside, out)
            if at < 0:
                return out
        if start < len(text):
            out.append((TEXT, text[start:], start, False))
        out.append((EOF, "", len(text), False))
        return out

    def _comment(self, text: str, inside: int, out: list[Token]) -> int:
        """Skip a comment; where the text goes on, or -1 after an error."""
        end = text.find("*/", inside + 2)
        if end < 0:
            out.append((ERROR, "unclosed comment", inside, False))
            return -1
        match = self._right_end.match(text, end + 2)
        if match is None:
            out.append((ERROR, "comment ends before closing delimiter", inside, False))
            return -1
        return self._after(text, match.end(), match.end() - match.start() > len(self._right))

    def _after(self, text: str, at: int, trims: bool) -> int:
        if trims:
            length = len(text)
            while at < length and text[at] in SPACE:
                at += 1
        return at

    def _known_action(self, text: str, at: int, out: list[Token]) -> int:
        """The same as `_action`; an action that was met before is not read again. One with the closing delimiter inside
        of a text is never known by what is before that delimiter, because no action ends there."""
        end = text.find(self._right, at) + len(self._right)
        action = text[at:end]
        known = self._known.get(action)
        if known is not None:
            out += [(kind, value, at + place, spaced) for kind, value, place, spaced in known]
            return self._after(text, end, action[-len(self._right) - 1 : -len(self._right)] == "-")
        first = len(out)
        after = self._action(text, at, out)
        if after >= end > at and out[-1][2] + len(self._right) == end and len(action) < LONGEST_KNOWN:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[action] = [(kind, value, place - at, spaced) for kind, value, place, spaced in out[first:]]
        return after

    def _action(self, text: str, at: int, out: list[Token]) -> int:
        """The tokens of one action; where the text goes on, or -1 after an error."""
        depth, add = 0, out.append
        signs, words = _SIGNS, _WORDS
        for found in self._token.compiled().finditer(text, at):  # it matches everywhere, so one token follows the other
            kind = found.lastgroup
            assert kind is not None
            value = found[kind]
            end = found.end()
            start = end - len(value)
            if kind == FIELD:
                pass
            elif kind == WORD:
                kind = words.get(value, kind)
            elif kind == "sign":
                kind = signs[value]
                if kind == OPEN:
                    depth += 1
                elif kind == CLOSE:
                    depth -= 1
                    if depth < 0:
                        add((ERROR, "unexpected right paren", start, False))
                        return -1
            elif kind == RIGHT:
                if depth:
                    add((ERROR, "unclosed left paren", start, False))
                    return -1
                add((kind, self._right, end - len(self._right), True))
                trims = value[-len(self._right) - 1 :][:1] == "-"
                return self._after(text, end, trims)
            elif kind == NUMBER:
                if found.start("second") >= 0:
                    if value[-1] != "i":
                        add((ERROR, _number(text, start), start, False))
                        return -1
                    kind = COMPLEX
            elif kind == OTHER or kind == "rest":
                error = _error(text, start)
                if error is not None:
                    add((ERROR, error, start, False))
                    return -1
            add((kind, value, start, start != at))
            at = end
        return -1  # never reached: the end of the text is an error, and so the last token


def _bad_character(text: str, at: int) -> str:
    sign = text[at]
    shown = f" '{sign}'" if sign.isprintable() else ""
    return f"bad character U+{ord(sign):04X}{shown}"


def _after_word(text: str, start: int) -> str:
    end = start + 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return _bad_character(text, end)


def _number(text: str, start: int) -> str:
    number = re.compile(_NUMBER)
    match = number.match(text, start)
    end = match.end() if match else start
    if end < len(text) and text[end] in "+-":
        second = number.match(text, end)
        end = second.end() if second else end
    if end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return f'bad number syntax: "{text[start:end]}"'


def _declare(text: str, start: int) -> str:
    return "expected :="


_TROUBLE: dict[str, Callable[[str, int], str]] = {
    **dict.fromkeys('"', lambda text, start: "unterminated quoted string"),
    **dict.fromkeys("`", lambda text, start: "unterminated raw quoted string"),
    **dict.fromkeys("'", lambda text, start: "unterminated character constant"),
    **dict.fromkeys("+-0123456789", _number),
    **dict.fromkeys("$", _after_word),
    ":": _declare,
}


def _error(text: str, start: int) -> str | None:
    """What is wrong with the character that begins no token; None for a sign that only the parser may dislike."""
    if start >= len(text):
        return "unclosed action"
    sign = text[start]
    if sign == ".":
        return _number(text, start) if text[start + 1 : start + 2].isdigit() else _after_word(text, start)
    if sign in _TROUBLE:
        return _TROUBLE[sign](text, start)
    if sign.isalnum() or sign == "_":
        return _after_word(text, start)
    if "!" <= sign <= "~":
        return None
    shown = f" '{sign}'" if sign.isprintable() else ""
    return f"unrecognized character in action: U+{ord(sign):04X}{shown}"


DEFAULT = Lexer()
