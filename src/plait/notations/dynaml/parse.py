"""Text to tree: a regular expression cuts the words, precedence climbing puts them together.

Everything that spiff reads keeps its meaning. Blanks that spiff insists on may be left out where the shorter text
could not mean anything else: `1+2`, `list[0].age`. A name may begin with a word of the language: `automatic`,
`nilly`.
"""

from __future__ import annotations

import re

from plait.notations.dynaml import tree as terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DEEPEST = 60
"""How deep brackets may nest in one expression."""
LONGEST = 4000
"""How many digits a number may have: Python reads no more of them in one go."""

TOKEN = re.compile(
    r"""(?P<blank>\s*)(?:
      (?P<text>"(?:\\"|[^"])*+")
    | (?P<number>[0-9][0-9_]*(?![A-Za-z0-9_:]|-[A-Za-z_]))
    | (?P<word>[A-Za-z0-9_][A-Za-z0-9_-]*(?::[A-Za-z0-9_][A-Za-z0-9_-]*)?)
    | (?P<sign>\|\||->|==|!=|<=|>=|-(?:and|or)(?![A-Za-z0-9_])|[-|<>+*/%?:!()\[\],.&~])
    | (?P<end>\Z)
    )""",
    re.VERBOSE,
)

REFERENCE = re.compile(r"\s*(\.?)([A-Za-z_][A-Za-z0-9_-]*(?:\.(?:[A-Za-z0-9_][A-Za-z0-9_-]*|\[[0-9]{1,9}\]))*)\s*\Z")
"""What most expressions are: a reference and nothing else."""

CONSTANTS = {"true": True, "false": False, "nil": None, "~": None}
LEVELS: tuple[tuple[str, ...], ...] = (
    ("-or", "-and"),
    ("==", "!=", "<=", ">=", "<", ">"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""The signs of each priority, the loosest first. Concatenation, `? :` and `||` are looser still."""
EACH = {"map": False, "select": False, "sum": True}
"""What may precede `[list|..]`, and whether it has a value to start with."""
MARKS = ("temporary", "local")


class NotDynaml(Exception):
    """A text that is not a valid expression; `at` is where the error is."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


class DynamlToken:
    """A word or sign; `blank` says that a blank precedes it."""

    __slots__ = ("at", "blank", "end", "kind", "text")

    def __init__(self, kind: str, text: str, at: int, blank: bool) -> None:
        self.kind = kind
        self.text = text
        self.at = at
        self.end = at + len(text)
        self.blank = blank


def tokens(text: str) -> list[DynamlToken]:
    """The words and signs of an expression; the last one is its end."""
    result: list[DynamlToken] = []
    at = 0
    while True:
        match = TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            why = "missing closing quote" if text[at] == '"' else f"`{text[at]}` is unexpected here"
            raise NotDynaml(why, at)
        kind = match.lastgroup
        result.append(DynamlToken(kind, match[kind], match.start(kind), bool(match["blank"])))
        if kind == "end":
            return result
        at = match.end()


def parse(text: str) -> tuple[terms.Term, bool]:
    """The tree of an expression, and whether `prefer` precedes it. Raises `NotDynaml`."""
    simple = REFERENCE.match(text)
    if simple is not None and simple[2] not in CONSTANTS and simple[2] not in KEYWORDS:
        return terms.Reference(simple.start(2) - len(simple[1]), tuple(simple[2].split(".")), bool(simple[1])), False
    parser = _Parser(tokens(text))
    prefer = parser.next.text == "prefer" and parser.next.kind == "word" and parser.begins(1) and parser.ahead(1).blank
    if prefer:
        parser.take()
    tree = parser.expression()
    if parser.next.kind != "end":
        raise NotDynaml(f"`{parser.next.text}` is not expected here", parser.next.at)
    return tree, prefer


class _Parser:
    def __init__(self, tokens: list[DynamlToken]) -> None:
        self.tokens = tokens
        self.index = 0
        self.depth = 0

    # Words

    @property
    def next(self) -> DynamlToken:
        return self.tokens[self.index]

    def ahead(self, count: int) -> DynamlToken:
        return self.tokens[min(self.index + count, len(self.tokens) - 1)]

    def take(self) -> DynamlToken:
        token = self.tokens[self.index]
        self.index = min(self.index + 1, len(self.tokens) - 1)
        return token

    def sees(self, *signs: str) -> bool:
        return self.next.kind == "sign" and self.next.text in signs

    def expect(self, sign: str) -> DynamlToken:
        if not self.sees(sign):
            found = f"`{self.next.text}`" if self.next.text else "the end"
            raise NotDynaml(f"expected `{sign}`, not {found}", self.next.at)
        return self.take()

    def touches(self, count: int = 0) -> bool:
        """Whether a token directly follows the one before it."""
        return not self.ahead(count).blank

    def begins(self, count: int = 0) -> bool:
        """Whether an operand can begin with this token."""
        token = self.ahead(count)
        if token.kind != "sign":
            return token.kind != "end"
        if token.text in "-.":
            wanted = ("number",) if token.text == "-" else ("word", "number")
            return self.touches(count + 1) and self.ahead(count + 1).kind in wanted
        return token.text in "([~!"

    # Priorities, the loosest first

    def expression(self) -> terms.Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotDynaml(f"brackets are nested deeper than {DEEPEST} levels", self.next.at)
        items = [self.choice()]
        while self.sees("||"):
            self.take()
            items.append(self.choice())
        self.depth -= 1
        return items[0] if len(items) == 1 else terms.Or(tuple(items))

    def choice(self) -> terms.Term:
        test = self.concat()
        if not self.sees("?"):
            return test
        self.take()
        yes = self.expression()
        self.expect(":")
        return terms.Conditional(test.at, test, yes, self.expression())

    def concat(self) -> terms.Term:
        items = [self.level(0)]
        while self.next.blank and self.begins():
            items.append(self.level(0))
        return items[0] if len(items) == 1 else terms.Concat(tuple(items))

    def level(self, priority: int) -> terms.Term:
        """Operands of one priority, read from left to right."""
        if priority == len(LEVELS):
            return self.operand()
        first = self.level(priority + 1)
        rest = []
        while self.sees(*LEVELS[priority]) and not (self.next.blank and self.next.text == "-" and self.begins()):
            sign = self.take().text
            rest.append((sign, self.level(priority + 1)))
        return terms.Operations(first, tuple(rest)) if rest else first

    # Operands

    def operand(self) -> terms.Term:
        token = self.next
        reader = OPERANDS.get(token.text if token.kind == "sign" else token.kind)
        if reader is None or not (self.begins() or token.text in "|&"):
            found = f"`{token.text}`" if token.text else "nothing"
            raise NotDynaml(f"expected a value, not {found}", token.at)
        return reader(self)

    def text(self) -> terms.Term:
        token = self.take()
        return terms.Literal(token.at, token.text[1:-1].replace('\\"', '"'))

    def number(self) -> terms.Term:
        token = self.take()
        sign = -1 if token.text == "-" else 1
        digits = self.take() if sign < 0 else token
        if self.sees(".") and self.touches():
            raise NotDynaml("this is neither a number nor a name; put strings in quotes", token.at)
        return terms.Literal(token.at, sign * self.integer(digits))

    def integer(self, token: DynamlToken) -> int:
        if len(token.text) > LONGEST:
            raise NotDynaml(f"this number has more than {LONGEST} digits", token.at)
        return int(token.text.replace("_", ""))

    def word(self) -> terms.Term:
        token = self.next
        follower = self.ahead(1)
        called = follower.kind == "sign" and not follower.blank and follower.text in ".[("
        if not called and token.text in CONSTANTS:
            self.take()
            return terms.Literal(token.at, CONSTANTS[token.text])
        reader = KEYWORDS.get(token.text)
        if reader is not None and not called:
            return reader(self)
        if token.text in EACH and follower.kind == "sign" and follower.text == "[":
            return self.each()
        if token.text == "lambda" and follower.kind == "sign" and follower.text == "|":
            self.take()
            return self.function()
        return self.reference_or_call()

    def reference_or_call(self) -> terms.Term:
        name = self.reference()
        if not (self.sees("(") and self.touches()):
            return name
        self.take()
        return terms.CallTerm(name.at, name, self.items(")"))

    def reference(self) -> terms.Reference:
        at = self.next.at
        rooted = self.sees(".")
        if rooted:
            self.take()
        steps = [self.step()]
        while self.touches() and self.sees(".", "["):
            if self.sees("."):
                self.take()
                if not self.touches():
                    raise NotDynaml("a name is missing here", self.next.at)
            steps.append(self.step())
        return terms.Reference(at, tuple(steps), rooted)

    def step(self) -> str:
        if self.sees("["):
            self.take()
            minus = self.take().text if self.sees("-") else ""
            if self.next.kind != "number":
                raise NotDynaml("a list index is expected here", self.next.at)
            step = f"[{minus}{self.integer(self.take())}]"
            self.expect("]")
            return step
        if self.next.kind not in ("word", "number"):
            raise NotDynaml("a name is expected here", self.next.at)
        return self.take().text

    def merge(self) -> terms.Term:
        at = self.take().at
        word = self.next.text if self.next.kind == "word" and not self.ends_name(1) else ""
        replace, required, key = word == "replace", word == "required", ""
        if replace or required:
            self.take()
        elif word == "on" and self.ahead(1).kind == "word" and self.ahead(1).blank:
            self.take()
            key = self.take().text
        path = None
        if (
            not required
            and self.next.blank
            and self.begins()
            and (self.next.kind in ("word", "number") or self.sees("."))
        ):
            path = self.reference()
        return terms.Merge(at, path, replace, required, key)

    def ends_name(self, count: int) -> bool:
        """Whether the name before this token goes on with a step."""
        token = self.ahead(count)
        return token.kind == "sign" and token.text in ".[" and not token.blank

    def auto(self) -> terms.Term:
        return terms.Auto(self.take().at)

    def each(self) -> terms.Term:
        token = self.take()
        self.take()
        over = self.expression()
        self.expect("|")
        start = None
        if EACH[token.text]:
            start = self.expression()
            self.expect("|")
        names = self.names()
        to = self.expression()
        self.expect("]")
        return terms.Each(token.at, token.text, over, start, names, to)

    def function(self) -> terms.Term:
        at = self.expect("|").at
        names = self.names()
        return terms.Lambda(at, names, self.expression())

    def names(self) -> tuple[str, ...]:
        """`x,y|->`"""
        names = []
        while True:
            if self.next.kind not in ("word", "number"):
                raise NotDynaml("a name is expected here", self.next.at)
            names.append(self.take().text)
            if not self.sees(","):
                break
            self.take()
        self.expect("|")
        self.expect("->")
        return tuple(names)

    def items(self, close: str) -> tuple[terms.Term, ...]:
        items: list[terms.Term] = []
        while not self.sees(close) or items:
            items.append(self.expression())
            if self.sees(close):
                break
            if not self.sees(","):
                raise NotDynaml(f"`,` or `{close}` is expected here", self.next.at)
            self.take()
        self.expect(close)
        return tuple(items)

    def list_of(self) -> terms.Term:
        at = self.take().at
        return terms.ListOf(at, self.items("]"))

    def group(self) -> terms.Term:
        at = self.take().at
        inner = self.expression()
        self.expect(")")
        return terms.Bracketed(at, inner)

    def negation(self) -> terms.Term:
        signs = []
        while self.sees("!"):
            signs.append(self.take().at)
        if len(signs) > DEEPEST:
            raise NotDynaml(f"more than {DEEPEST} `!` in a row", signs[0])
        inner = self.operand()
        for at in reversed(signs):
            inner = terms.Not(at, inner)
        return inner

    def nil(self) -> terms.Term:
        return terms.Literal(self.take().at, None)

    def marked(self) -> terms.Term:
        at = self.next.at
        marks = []
        while self.sees("&"):
            self.take()
            if self.next.text not in MARKS:
                raise NotDynaml(
                    f"unknown mark `&{self.next.text}`; available: {', '.join(f'&{mark}' for mark in MARKS)}",
                    self.next.at,
                )
            marks.append(self.take().text)
        return terms.Marked(at, tuple(marks), self.group() if self.sees("(") else None)


OPERANDS: dict[str, Callable[[_Parser], terms.Term]] = {
    "text": _Parser.text,
    "number": _Parser.number,
    "word": _Parser.word,
    ".": _Parser.reference_or_call,
    "-": _Parser.number,
    "(": _Parser.group,
    "[": _Parser.list_of,
    "!": _Parser.negation,
    "~": _Parser.nil,
    "|": _Parser.function,
    "&": _Parser.marked,
}
KEYWORDS: dict[str, Callable[[_Parser], terms.Term]] = {"merge": _Parser.merge, "auto": _Parser.auto}
