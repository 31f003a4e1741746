"""The language of the model of dynaml: expressions as trees."""

from __future__ import annotations

import re
from typing import Any

Tree = tuple[Any, ...]
"""A parsed expression: what it is, then its parts."""

EXPRESSION = re.compile(r"\(\((.*)\)\)")
TOKEN = re.compile(
    r"""\s*(?:(?P<number>-?\d+)(?![\w.])|"(?P<text>[^"]*)"|(?P<call>\.?[A-Za-z_][\w.-]*)\(|(?P<path>\.?[A-Za-z_][\w-]*(?:\.(?:\[\d+\]|[A-Za-z_][\w-]*))*)
    |(?P<sign>\|\||//|->|==|!=|<=|>=|-and\b|-or\b|[-+*/%<>!?:|,()\[\]&]))""",
    re.X,
)
LEVELS: list[set[str]] = [
    {"||", "//"},
    {"?"},
    {""},
    {"-and", "-or"},
    {"==", "!=", "<", "<=", ">", ">="},
    {"+", "-"},
    {"*", "/", "%"},
]
"""Operators from loosest to tightest; texts side by side are concatenated."""  # spiffpp 1
KEYWORDS = {"true": True, "false": False, "nil": None}


class Parser:
    """An expression as a tree."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            assert found, f"no token at {text[at:]!r}"
            assert found.lastgroup
            self.tokens.append((found.lastgroup, found[found.lastgroup]))
            at = found.end()
        self.at = 0

    def next(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self, sign: str) -> bool:
        is_there = self.next() == ("sign", sign)
        self.at += is_there
        return is_there

    def whole(self) -> Tree:
        marks = set()
        while self.take("&"):
            marks.add(self.next()[1])
            self.at += 1
        tree = self.level(0) if self.next()[0] != "end" else ("nothing",)
        assert self.next()[0] == "end", self.tokens[self.at :]
        return ("marked", frozenset(marks), tree) if marks else tree

    def level(self, number: int) -> Tree:
        if number == len(LEVELS):
            return self.atom()
        left = self.level(number + 1)
        while True:
            kind, sign = self.next()
            if number == 2 and (
                kind in ("number", "text", "path", "call") or (kind == "sign" and sign in ("(", "[", "!"))
            ):
                left = ("concat", left, self.level(number + 1))
            elif kind == "sign" and sign in LEVELS[number]:
                self.at += 1
                left = self.conditional(left) if sign == "?" else (sign, left, self.level(number + 1))
            else:
                return left

    def conditional(self, condition: Tree) -> Tree:
        then = self.level(0)
        assert self.take(":")
        return ("if", condition, then, self.level(0))

    def listed(self, end: str) -> list[Tree]:
        items: list[Tree] = []
        while not self.take(end):
            items.append(self.level(0))
            self.take(",")
        return items

    def function(self) -> Tree:
        """`x, y|-> E`, after the first bar."""
        names = []
        while not self.take("|"):
            names.append(self.next()[1])
            self.at += 1
            self.take(",")
        assert self.take("->")
        return ("lambda", names, self.level(0))

    def atom(self) -> Tree:
        kind, text = self.next()
        self.at += 1
        if kind == "number":
            return ("value", int(text))
        if kind == "text":
            return ("value", text)
        if kind == "call":  # no blank before the bracket
            return ("call", text, self.listed(")"))
        if kind == "sign":
            return self.signed(text)
        if text == "merge":
            return self.merge()
        if text in KEYWORDS:
            return ("value", KEYWORDS[text])
        if text in ("map", "select", "sum") and self.take("["):
            return self.iteration(text)
        return ("path", text)

    def signed(self, sign: str) -> Tree:
        if sign == "(":
            inner = self.level(0)
            assert self.take(")")
            return inner
        if sign == "[":
            return ("list", self.listed("]"))
        if sign == "|":
            return self.function()
        assert sign == "!", sign
        return ("not", self.atom())

    def merge(self) -> Tree:
        """`merge`, `merge replace`, `merge required`, `merge on KEY`, each with a path behind it or not."""
        words = []
        while self.next()[0] == "path":
            words.append(self.next()[1])
            self.at += 1
        how = words.pop(0) if words and words[0] in ("replace", "required", "on") else ""
        key = words.pop(0) if how == "on" else ""
        return ("merge", how, key, words[0] if words else None)

    def iteration(self, kind: str) -> Tree:
        over = self.level(0)
        assert self.take("|")
        first = None
        if kind == "sum":
            first = self.level(0)
            assert self.take("|")
        function = self.function()
        assert self.take("]")
        return (kind, over, first, function)


def expression(value: object) -> Tree | None:
    """The expression that a value of a document is, if it is one."""  # spiff 3
    found = EXPRESSION.fullmatch(value) if isinstance(value, str) else None
    return Parser(found[1]).whole() if found else None
