"""Values written in HCL, as `.tfvars` files and simple `.tf` files have them: attributes, lists, objects, blocks.

Literals only: no expressions, no references. A quoted text keeps `${...}` as it is written.
"""

from __future__ import annotations

import re

from plait.core.diagnostic import Label
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, text
from plait.core.source import Source
from plait.report.catalog import HCL_SYNTAX, TOO_DEEP

_SPACE = re.compile(r"(?:[ \t\r\n]+|#[^\n]*|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_TOKEN = re.compile(
    r"""(?P<heredoc><<-?(?P<mark>\w+)\n)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"""
    r"""|(?P<word>[A-Za-z_][\w.-]*)|(?P<sign>[=:,{}\[\]])""",
    re.DOTALL,
)
_WORDS = {"true": True, "false": False, "null": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
DEPTH = 200


def read_hcl(source: Source) -> MapNode:
    """A file of HCL values as a tree with places."""
    return _Reader(source).body(0, "")


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.at = 0
        self.depth = 0

    def peek(self) -> re.Match[str] | None:
        space = _SPACE.match(self.source.text, self.at)
        if space:
            self.at = space.end()
        return _TOKEN.match(self.source.text, self.at)

    def fail(self, why: str) -> Exception:
        return HCL_SYNTAX.error(Label.at(self.source, self.at), why=why, hint="only literal values are read")

    def take(self, sign: str = "") -> re.Match[str]:
        match = self.peek()
        if match is None or (sign and match.group() != sign):
            raise self.fail(f"`{sign}` is missing" if sign else "a value is missing")
        self.at = match.end()
        return match

    def skips(self, *signs: str) -> None:
        while (found := self.peek()) is not None and found.group() in signs:
            self.at = found.end()

    def body(self, at: int, end: str) -> MapNode:
        """Attributes and blocks up to a closing brace, or the end."""
        entries: dict[Key, Node] = {}
        marks: list[int] = []
        while True:
            self.skips(",")
            found = self.peek()
            if found is None and self.at < len(self.source.text):
                raise self.fail(f"`{self.source.text[self.at]}` is unexpected here")
            if found is None or found.group() == "}":
                if (found is None) != (end == ""):
                    raise self.fail("a brace is missing")
                self.at = found.end() if found is not None else self.at
                return MapNode(entries, self.source, at, marks=tuple(marks))
            self.entry(entries, marks)

    def entry(self, entries: dict[Key, Node], marks: list[int]) -> None:
        """`name = value`, or `name "label" { ... }`."""
        found = self.take()
        if found.lastgroup not in ("word", "string"):
            raise self.fail("a name is missing")
        names, at = [_unquoted(found.group())], found.start()
        while (after := self.peek()) is not None and after.lastgroup == "string":
            names.append(_unquoted(self.take().group()))
        after = self.peek()
        if after is not None and after.group() == "{":
            node: Node = self.value()
        else:
            if after is None or after.group() not in "=:":
                raise self.fail("`=` is missing")
            self.take()
            node = self.value()
        for name in reversed(names[1:]):
            node = MapNode({name: node}, self.source, at)
        if names[0] not in entries:
            marks.append(at)
        entries[names[0]] = node

    def value(self) -> Node:
        self.depth += 1
        if self.depth > DEPTH:
            raise TOO_DEEP.error(Label.at(self.source, self.at), limit=DEPTH)
        try:
            return self._value(self.take())
        finally:
            self.depth -= 1

    def _value(self, match: re.Match[str]) -> Node:
        word, at = match.group(), match.start()
        if match.lastgroup == "string":
            return text(_unquoted(word), self.source, at)
        if match.lastgroup == "number":
            return Scalar(float(word) if re.search(r"[.eE]", word) else int(word), word, self.source, at)
        if match.group("heredoc"):
            return self.heredoc(match)
        if word == "[":
            return self.list(at)
        if word == "{":
            return self.body(at, "}")
        if word in _WORDS:
            return Scalar(_WORDS[word], word, self.source, at)
        raise self.fail(f"`{word}` is not a literal value")

    def list(self, at: int) -> ListNode:
        items: list[Node] = []
        while True:
            self.skips(",")
            found = self.peek()
            if found is not None and found.group() == "]":
                self.at = found.end()
                return ListNode(items, self.source, at)
            items.append(self.value())

    def heredoc(self, match: re.Match[str]) -> Scalar:
        end = re.compile(rf"^[ \t]*{re.escape(match.group('mark'))}[ \t]*$", re.MULTILINE).search(
            self.source.text, match.end()
        )
        if end is None:
            raise self.fail(f"`{match.group('mark')}` is missing at the end of this text")
        self.at = end.end()
        body = self.source.text[match.end() : end.start()]
        if match.group().startswith("<<-"):
            lines = body.split("\n")
            margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
            body = "\n".join(line[margin:] for line in lines)
        return text(body, self.source, match.start())


def _unquoted(word: str) -> str:
    if word[:1] != '"':
        return word
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), word[1:-1], flags=re.DOTALL)
