"""Text to a tree: a regular-expression lexer and precedence climbing."""

from __future__ import annotations

import re

from plait.core.struct import struct

DEPTH = 40
"""How deep parentheses may nest: more than expressions in practice need, and less than Python's stack allows."""
LONGEST = 4000
"""How many digits a whole number may have."""


class YqError(ValueError):
    """An expression that cannot be read, or does not fit the data. `at` is the offset in the expression."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


_TOKENS = re.compile(
    r"""\s+|(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"""
    r"""|(?P<field>\.(?:[A-Za-z_@$][\w@$-]*|"(?:[^"\\]|\\.)*"))|(?P<deep>\.\.)|(?P<word>@?[A-Za-z_][\w-]*)"""
    r"""|(?P<sign>//|==|!=|<=|>=|[.|,;<>+\-*/%()\[\]{}:?])""",
    re.DOTALL,
)


@struct
class YqToken:
    kind: str
    text: str
    at: int


def tokens_of(text: str) -> list[YqToken]:
    tokens = []
    at = 0
    while at < len(text):
        match = _TOKENS.match(text, at)
        if match is None:
            raise YqError(f"unexpected character `{text[at]}`", at)
        if match.lastgroup:
            tokens.append(YqToken(match.lastgroup, match.group(), at))
        at = match.end()
    tokens.append(YqToken("end", "", len(text)))
    return tokens


LEVELS = (("|",), (",",), ("//",), ("or",), ("and",), ("==", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))
"""Binary operators, the loosest first."""


@struct
class YqNode:
    """A parsed expression: an operator and its operands."""

    kind: str
    at: int
    word: object = None
    parts: tuple[YqNode, ...] = ()


class YqParser:
    def __init__(self, text: str) -> None:
        self.tokens = tokens_of(text)
        self.index = 0
        self.depth = 0

    @property
    def token(self) -> YqToken:
        return self.tokens[self.index]

    def take(self, text: str | None = None) -> YqToken:
        token = self.token
        if text is not None and token.text != text:
            raise YqError(f"`{text}` is missing" + (f" before `{token.text}`" if token.text else ""), token.at)
        self.index += 1
        return token

    def whole(self) -> YqNode:
        if self.token.kind == "end":
            raise YqError("the expression is empty")
        tree = self.binary(0)
        if self.token.kind != "end":
            raise YqError(f"`{self.token.text}` is unexpected here", self.token.at)
        return tree

    def binary(self, level: int) -> YqNode:
        self.depth += 1
        self.check_depth()
        if level == len(LEVELS):
            tree = self.postfix(self.primary())
        else:
            tree = self.binary(level + 1)
            while self.token.text in LEVELS[level] and self.token.kind in ("sign", "word"):
                sign = self.take()
                tree = YqNode("binary", sign.at, sign.text, (tree, self.binary(level + 1)))
        self.depth -= 1
        return tree

    def check_depth(self) -> None:
        if self.depth > DEPTH * len(LEVELS):
            raise YqError(f"this nests deeper than {DEPTH} levels", self.token.at)

    def primary(self) -> YqNode:
        token = self.take()
        if token.kind == "field":
            return YqNode("path", token.at, None, (YqNode("field", token.at, _name(token.text[1:])),))
        reader = {"string": self.string, "number": self.number, "word": self.word}.get(token.kind)
        if reader is not None:
            return reader(token)
        if token.kind == "deep":
            return YqNode("deep", token.at)
        signs = {".": self.dot, "(": self.group, "[": self.array, "{": self.object, "-": self.negative}
        if token.text in signs:
            return signs[token.text](token)
        raise YqError(f"`{token.text}` is unexpected here" if token.text else "the expression ends too early", token.at)

    def string(self, token: YqToken) -> YqNode:
        return YqNode("value", token.at, unquoted(token.text))

    def number(self, token: YqToken) -> YqNode:
        if token.text.isdecimal() and len(token.text) > LONGEST:
            raise YqError(f"a number of more than {LONGEST} digits", token.at)
        return YqNode("value", token.at, int(token.text) if token.text.isdecimal() else float(token.text))

    def negative(self, token: YqToken) -> YqNode:
        self.depth += 1
        self.check_depth()
        tree = YqNode("binary", token.at, "-", (YqNode("value", token.at, 0), self.postfix(self.primary())))
        self.depth -= 1
        return tree

    def word(self, token: YqToken) -> YqNode:
        if token.text in CONSTANTS:
            return YqNode("value", token.at, CONSTANTS[token.text])
        arguments: list[YqNode] = []
        if self.token.text == "(":
            self.take()
            arguments.append(self.binary(0))
            while self.token.kind == "sign" and self.token.text in (";", ","):
                self.take()
                arguments.append(self.binary(0))
            self.take(")")
        return YqNode("call", token.at, token.text, tuple(_flat(arguments)))

    def dot(self, token: YqToken) -> YqNode:
        return YqNode("path", token.at)

    def group(self, token: YqToken) -> YqNode:
        tree = self.binary(0)
        self.take(")")
        return tree

    def array(self, token: YqToken) -> YqNode:
        if self.token.text == "]":
            self.take()
            return YqNode("array", token.at)
        tree = YqNode("array", token.at, None, (self.binary(0),))
        self.take("]")
        return tree

    def object(self, token: YqToken) -> YqNode:
        fields: list[YqNode] = []
        while self.token.text != "}":
            fields.append(self.field())
            if self.token.text != ",":
                break
            self.take()
        self.take("}")
        return YqNode("object", token.at, None, tuple(fields))

    def field(self) -> YqNode:
        token = self.take()
        if token.text == "(":
            key = self.group(token)
        elif token.kind in ("word", "string"):
            key = YqNode("value", token.at, _name(token.text))
        else:
            raise YqError("expected a key", token.at)
        if self.token.text != ":":
            return YqNode(
                "entry", token.at, None, (key, YqNode("path", token.at, None, (YqNode("field", token.at, key.word),)))
            )
        self.take()
        return YqNode("entry", token.at, None, (key, self.binary(2)))

    def postfix(self, tree: YqNode) -> YqNode:
        """Steps that follow a value without a pipe: `.a`, `["a"]`, `[0]`, `[1:3]`, `[]`, `?`."""
        steps: list[YqNode] = []
        while True:
            token = self.token
            if token.kind == "field":
                self.take()
                steps.append(YqNode("field", token.at, _name(token.text[1:])))
            elif token.text == "[" and token.kind == "sign":
                self.take()
                steps.append(self.bracket(token))
            elif token.text == "." and self.tokens[self.index + 1].text == "[":
                self.take()
            elif token.text == "?":
                self.take()
                steps.append(YqNode("try", token.at))
            else:
                break
        if not steps:
            return tree
        return (
            YqNode("path", tree.at, None, (*tree.parts, *steps))
            if tree.kind == "path"
            else YqNode("path", tree.at, tree, tuple(steps))
        )

    def bracket(self, token: YqToken) -> YqNode:
        if self.token.text == "]":
            self.take()
            return YqNode("each", token.at)
        low = None if self.token.text == ":" else self.binary(0)
        if self.token.text == ":":
            self.take()
            high = None if self.token.text == "]" else self.binary(0)
            self.take("]")
            nothing = YqNode("value", token.at, None)
            return YqNode("slice", token.at, None, (low or nothing, high or nothing))
        self.take("]")
        assert low is not None
        return YqNode("index", token.at, None, (low,))


CONSTANTS: dict[str, object] = {"true": True, "false": False, "null": None}


def _flat(trees: list[YqNode]) -> list[YqNode]:
    """Arguments, where a comma between them was read as yq's own comma."""
    flat: list[YqNode] = []
    for tree in trees:
        stack = [tree]
        while stack:
            top = stack.pop()
            if top.kind == "binary" and top.word == ",":
                stack += [top.parts[1], top.parts[0]]
            else:
                flat.append(top)
    return flat


def _name(text: str) -> str:
    return unquoted(text) if text[:1] == '"' else text


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text[1:-1], flags=re.DOTALL)


def parse(text: str) -> YqNode:
    """The tree of an expression; raises YqError with the place of the mistake."""
    return YqParser(text).whole()
