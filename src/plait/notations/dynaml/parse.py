"""Text to tree: a regular expression cuts the words, precedence climbing puts them together.

Everything that spiff reads keeps its meaning. Blanks that spiff insists on may be left out where the shorter text
could not mean anything else: `1+2`, `list[0].age`. A name may begin with a word of the language: `automatic`,
`nilly`.

What the successor of spiff adds is always understood. Where it reads the same text in another way, `successor` chooses:
escapes in strings, and `merge none`.
"""

from __future__ import annotations

from plait.core import native
from plait.core.lazy import LazyPattern
from plait.notations.dynaml import tree as terms
from plait.notations.dynaml.marks import MARKS, listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DEEPEST = 60
"""How deep brackets may nest in one expression."""
LONGEST = 4000
"""How many digits a number may have: Python reads no more of them in one go."""

WORDS = r"""(?P<blank>\s*)(?:
      (?P<text>%s)
    | (?P<address>[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![A-Za-z0-9_.]))
    | (?P<float>[0-9][0-9_]*(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)(?![A-Za-z0-9_.]))
    | (?P<tag>[A-Za-z0-9_]+(?:[:.]-?[A-Za-z0-9_]+)*::)
    | (?P<number>[0-9][0-9_]*(?![A-Za-z0-9_:]|-[A-Za-z_]))
    | (?P<word>[A-Za-z0-9_][A-Za-z0-9_-]*(?::[A-Za-z0-9_][A-Za-z0-9_-]*)?)
    | (?P<symbol>\$[A-Za-z0-9_][A-Za-z0-9_-]*)
    | (?P<mark>&[A-Za-z]+(?::\*?[A-Za-z0-9_]+(?:[:.][A-Za-z0-9_-]+)*)?)
    | (?P<sign>\|\||->|//|==|!=|<=|>=|~~|\.\.\.|\.\.|-(?:and|or)(?![A-Za-z0-9_])|[-|<>+*/%%?:!()\[\]{},.&~=])
    | (?P<end>\Z)
    )"""
TOKEN = LazyPattern("(?x)" + WORDS % r'"(?:\\"|[^"])*+"')
"""What cuts an expression. Many a template has only references, and needs it not at all."""
TOKEN_OF_SUCCESSOR = LazyPattern("(?x)" + WORDS % r'"(?:\\.|[^"\\])*+"')
STEP = LazyPattern(r"(?P<blank>)(?:(?P<number>[0-9]+(?![A-Za-z0-9_:-]))|(?P<word>[A-Za-z0-9_][A-Za-z0-9_-]*))")
"""What follows a dot: `a.1.2` has no number with a fraction in it."""
ESCAPE = LazyPattern(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

REFERENCE = LazyPattern(r"\s*(\.?)([A-Za-z_][A-Za-z0-9_-]*(?:\.(?:[A-Za-z0-9_][A-Za-z0-9_-]*|\[[0-9]{1,9}\]))*)\s*\Z")
"""What most expressions are: a reference and nothing else."""

CONSTANTS = {"true": True, "false": False, "nil": None, "~": None}
LEVELS: tuple[tuple[str, ...], ...] = (
    ("-or", "-and"),
    ("==", "!=", "<=", ">=", "<", ">"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""The signs of each priority, the loosest first. Concatenation, `? :` and `||` are looser still."""
EACH = {"map": False, "select": False, "filter": False, "sum": True, "catch": False, "sync": False}
"""What may precede `[list|..]`, and whether it has a value to start with."""
SINGLE = ("word", "number", "text", "float", "symbol")
"""The words that a name or a simple default of a lambda can be."""
IN_BRACES = ("map", "select", "filter")
"""What may precede `{map|..}`."""


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


def tokens(text: str, successor: bool = False) -> list[DynamlToken]:
    """The words and signs of an expression; the last one is its end."""
    result: list[DynamlToken] = []
    pattern = TOKEN_OF_SUCCESSOR if successor else TOKEN
    at = 0
    while True:
        match = pattern.match(text, at)
        if match is not None and match.lastgroup in ("float", "address") and result and result[-1].text == ".":
            match = STEP.match(text, at) or match
        if match is None or match.lastgroup is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            why = "missing closing quote" if text[at] == '"' else f"`{text[at]}` is unexpected here"
            raise NotDynaml(why, at)
        kind = match.lastgroup
        result.append(DynamlToken(kind, match[kind], match.start(kind), bool(match["blank"])))
        if kind == "end":
            return result
        at = match.end()


def _cut(text: str, start: int, end: int) -> tuple[int, tuple[str, ...], bool] | None:
    """Where the reference begins that a part of a text is and nothing else, its steps, and whether it begins at the
    root; None for any other text."""
    match = REFERENCE.compiled().match(text, start, end)
    if match is None:
        return None
    root, name = match.groups()
    return match.start(2) - len(root) - start, tuple(name.split(".")), root == "."


cut = native.reference or _cut


def reference(text: str, start: int, end: int) -> terms.Reference | None:
    """The reference that a part of a text is and nothing else; None for any other expression."""
    found = cut(text, start, end)
    if found is None:
        return None
    at, steps, rooted = found
    if len(steps) == 1 and (steps[0] in CONSTANTS or steps[0] in KEYWORDS):
        return None
    return terms.Reference(at, steps, rooted)


def parse(text: str, successor: bool = False) -> tuple[terms.Term, bool]:
    """The tree of an expression, and whether `prefer` precedes it. Raises `NotDynaml`."""
    simple = reference(text, 0, len(text))
    if simple is not None:
        return simple, False
    parser = _Parser(tokens(text, successor), successor)
    prefer = parser.next.text == "prefer" and parser.next.kind == "word" and parser.ahead(1).blank
    if prefer := prefer and (parser.begins(1) or parser.ahead(1).text == "|"):
        parser.take()
    tree = parser.expression()
    if parser.next.kind != "end":
        raise NotDynaml(f"`{parser.next.text}` is not expected here", parser.next.at)
    return tree, prefer


class _Parser:
    def __init__(self, tokens: list[DynamlToken], successor: bool) -> None:
        self.tokens = tokens
        self.successor = successor
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
            return token.kind not in ("end", "mark")
        if token.text in FOLLOWED:
            after = self.ahead(count + 1)
            return self.touches(count + 1) and (
                after.kind in FOLLOWED[token.text] or after.text in FOLLOWED[token.text]
            )
        return token.text in ("(", "[", "~", "~~", "!", "{")

    # Priorities, the loosest first

    def expression(self) -> terms.Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotDynaml(f"brackets are nested deeper than {DEEPEST} levels", self.next.at)
        tree = self.choice()
        while self.sees("||", "//") and not self.begins_function():
            sign = self.next.text
            items = [tree]
            while self.sees(sign):
                self.take()
                items.append(self.choice())
            tree = ALTERNATIVES[sign](tuple(items))
        self.depth -= 1
        return tree

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
        while self.sees(*LEVELS[priority]) and not (self.next.blank and self.next.text in "-*" and self.begins()):
            sign = self.take().text
            rest.append((sign, self.level(priority + 1)))
        return terms.Operations(first, tuple(rest)) if rest else first

    # Operands

    def operand(self) -> terms.Term:
        token = self.next
        reader = OPERANDS.get(token.text if token.kind == "sign" else token.kind)
        if reader is None or not (self.begins() or token.kind == "mark" or self.sees("|", "||")):
            found = f"`{token.text}`" if token.text else "nothing"
            raise NotDynaml(f"expected a value, not {found}", token.at)
        return self.followed(reader(self))

    def followed(self, tree: terms.Term) -> terms.Term:
        """A piece with the steps and calls that directly follow it: `(..).a`, `f(1)[0]`, `(..)(1)`."""
        while self.touches() and self.sees(*AFTER) and not isinstance(tree, NOT_FOLLOWED):
            if self.sees("(") or (self.sees("*") and self.ahead(1).text == "(" and self.touches(1)):
                tree = self.call(tree)
            elif self.sees(".", "["):
                steps = self.steps()
                tree = self.projected(terms.Select(tree, steps) if steps else tree)
            else:
                break
        return tree

    def call(self, name: terms.Term) -> terms.Term:
        curry = self.sees("*")
        if curry:
            self.take()
        self.take()
        return terms.CallTerm(name.at, name, self.items(")", self.argument), curry)

    def argument(self) -> terms.Term:
        token = self.next
        if token.kind in ("word", "number") and self.ahead(1).kind == "sign" and self.ahead(1).text == "=":
            self.take()
            self.take()
            return terms.NamedArgument(token.at, token.text, self.expression())
        return self.element()

    def element(self) -> terms.Term:
        """An item of a list or an argument; `l...` stands for all elements of `l`."""
        value = self.expression()
        if self.sees("..."):
            self.take()
            return terms.Spread(value.at, value)
        return value

    def text(self) -> terms.Term:
        token = self.take()
        inner = token.text[1:-1]
        return terms.Literal(token.at, unescaped(inner) if self.successor else inner.replace('\\"', '"'))

    def symbol(self) -> terms.Term:
        token = self.take()
        return terms.Literal(token.at, token.text[1:])

    def ip_literal(self) -> terms.Term:
        token = self.take()
        return terms.Literal(token.at, token.text)

    def number(self) -> terms.Term:
        token = self.take()
        sign = -1 if token.text == "-" else 1
        digits = self.take() if sign < 0 else token
        if digits.kind == "float":
            return terms.Literal(token.at, sign * float(digits.text.replace("_", "")))
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
        called = follower.kind == "sign" and not follower.blank and follower.text in (".", "[", "(")
        if not called and token.text in CONSTANTS:
            self.take()
            return terms.Literal(token.at, CONSTANTS[token.text])
        reader = KEYWORDS.get(token.text)
        if reader is not None and not called:
            return reader(self)
        if token.text in EACH and follower.kind == "sign" and self.opens_each(token.text, follower):
            return self.each()
        if token.text == "lambda" and follower.blank | (follower.text in ("|", "||")) and self.gives_lambda():
            return self.function_of()
        return self.projected(self.reference())

    def opens_each(self, word: str, follower: DynamlToken) -> bool:
        return follower.text == "[" or (follower.text == "{" and not follower.blank and word in IN_BRACES)

    def gives_lambda(self) -> bool:
        return self.ahead(1).text in ("|", "||") or self.begins(1)

    def function_of(self) -> terms.Term:
        """`lambda |x|->..`, or `lambda` and what gives a function."""
        at = self.take().at
        if self.sees("|", "||"):
            return self.function()
        return terms.LambdaOf(at, self.operand())

    def reference(self) -> terms.Term:
        at = self.next.at
        rooted = self.sees(".")
        if rooted:
            self.take()
        steps = (*self.step(), *self.steps())
        if all(isinstance(step, str) for step in steps):
            return terms.Reference(at, steps, rooted)  # type: ignore[arg-type]
        return terms.Dynamic(at, steps, rooted)

    def word_from_root(self) -> terms.Term:
        return self.projected(self.reference())

    def steps(self) -> tuple[str | terms.Term, ...]:
        """The steps that follow, up to a slice or a projection."""
        steps: list[str | terms.Term] = []
        while self.touches() and self.sees(".", "[") and not self.chooses():
            if self.sees("."):
                self.take()
                if not self.touches():
                    raise NotDynaml("a name is missing here", self.next.at)
            steps += self.step()
        return tuple(steps)

    def chooses(self) -> bool:
        """Whether `[*]`, `[a..b]` or the like follow, which lead to several elements."""
        start = 1 if self.sees(".") and self.ahead(1).text == "[" else 0
        if self.ahead(start).text != "[" or self.ahead(start).kind != "sign":
            return False
        if self.ahead(start + 1).text == "*" and self.ahead(start + 2).text == "]":
            return True
        depth = 0
        for token in self.tokens[self.index + start :]:
            if token.kind != "sign":
                continue
            depth += (token.text in ("[", "(", "{")) - (token.text in ("]", ")", "}"))
            if not depth or (token.text == ".." and depth == 1):
                return token.text == ".."
        return False

    def projected(self, tree: terms.Term) -> terms.Term:
        """A piece with the slices and projections that follow it."""
        return self.projection(tree) if self.touches() and self.sees(".", "[") and self.chooses() else tree

    def projection(self, tree: terms.Term | None) -> terms.Projection:
        if self.sees("."):
            self.take()
        self.take()
        whole = self.sees("*")
        first = last = None
        if whole:
            self.take()
        else:
            first = None if self.sees("..") else self.expression()
            self.expect("..")
            last = None if self.sees("]") else self.expression()
        self.expect("]")
        steps = self.steps()
        more = self.touches() and self.sees(".", "[") and self.chooses()
        return terms.Projection(tree, whole, first, last, steps, self.projection(None) if more else None)

    def step(self) -> tuple[str | terms.Term, ...]:
        """A name, or what is in brackets: one or more indices, names or pieces that give them."""
        if not self.sees("["):
            if self.next.kind not in ("word", "number"):
                raise NotDynaml("a name is expected here", self.next.at)
            return (self.take().text,)
        self.take()
        steps: list[str | terms.Term] = []
        while True:
            steps.append(self.bracketed_step())
            if not self.sees(","):
                break
            self.take()
        self.expect("]")
        return tuple(steps)

    def bracketed_step(self) -> str | terms.Term:
        start = self.index
        minus = self.take().text if self.sees("-") and self.touches(1) else ""
        if self.next.kind == "number" and self.ahead(1).text in ("]", ","):
            return f"[{minus}{self.integer(self.take())}]"
        self.index = start
        return self.expression()

    def tagged(self) -> terms.Term:
        """`tag::a.b`, or `tag::.` for the value itself."""
        token = self.take()
        tag = token.text[:-2].replace(":", ".")
        if not self.touches():
            raise NotDynaml("a path is missing here; `.` is the value itself", token.end)
        dot = self.sees(".")
        if dot:
            self.take()
        names = self.next.kind in ("word", "number") or self.sees("[")
        steps = (*self.step(), *self.steps()) if names and self.touches() else ()
        if not steps and not dot:
            raise NotDynaml("a path is missing here; `.` is the value itself", token.end)
        return self.projected(terms.TagReference(token.at, tag, steps))

    def merge(self) -> terms.Term:
        at = self.take().at
        word = self.next.text if self.next.kind == "word" and not self.ends_name(1) else ""
        if self.successor and word == "none":
            self.take()
            return terms.Merge(at, None, False, False, "", none=True)
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
            path = self.path()
        return terms.Merge(at, path, replace, required, key)

    def path(self) -> terms.Reference:
        found = self.reference()
        if not isinstance(found, terms.Reference):
            raise NotDynaml("a path in the stubs has no computed steps; `stub(..)` takes them", found.at)
        return found

    def ends_name(self, count: int) -> bool:
        """Whether the name before this token goes on with a step."""
        token = self.ahead(count)
        return token.kind == "sign" and token.text in (".", "[") and not token.blank

    def auto(self) -> terms.Term:
        return terms.Auto(self.take().at)

    def each(self) -> terms.Term:
        token = self.take()
        braces = self.take().text == "{"
        over = self.expression()
        start = None
        if EACH[token.text]:
            self.bar()
            start = self.expression()
        self.bar()
        to = self.mapper(token.text == "sync") if self.lists_names() else self.expression()
        more: list[terms.Term] = []
        while token.text == "sync" and self.sees("|", "||"):
            self.bar()
            more.append(self.mapper() if self.lists_names() else self.expression())
        self.expect("}" if braces else "]")
        return terms.Each(token.at, token.text, over, start, to, braces, tuple(more))

    def begins_function(self) -> bool:
        """Whether `||` is two bars, of which the second begins a lambda: `map[l||x|->..]`."""
        at = self.index + 1
        while self.tokens[at].kind in SINGLE or self.tokens[at].text in (",", "=", "..."):
            at += 1
        ends = [each.text for each in self.tokens[at : at + 2]]
        return self.next.text == "||" and at > self.index + 1 and ends == ["|", "->"]

    def bar(self) -> None:
        """A bar before a part of an iteration; of two bars that touch, the first."""
        if self.sees("||"):
            at = self.next.at
            self.tokens[self.index : self.index + 1] = [
                DynamlToken("sign", "|", at, self.next.blank),
                DynamlToken("sign", "|", at + 1, False),
            ]
        self.expect("|")

    def lists_names(self) -> bool:
        """Whether names of a lambda follow, up to `|->`, and not a piece that gives one."""
        depth = 0
        for index in range(self.index, len(self.tokens) - 1):
            token = self.tokens[index]
            if token.kind != "sign":
                continue
            depth += (token.text in ("[", "(", "{")) - (token.text in ("]", ")", "}"))
            if depth < 0 or (token.text in ("|", "->") and not depth):
                return token.text == "->" or (token.text == "|" and self.tokens[index + 1].text == "->")
        return False

    def mapper(self, pair: bool = False) -> terms.Term:
        at = self.next.at
        names, defaults, rest = self.names()
        to = self.expression()
        second = None
        if pair and self.sees(","):
            self.take()
            second = self.expression()
        return terms.Lambda(at, names, to, defaults, rest, second)

    def function(self) -> terms.Term:
        at = self.next.at
        if self.sees("||"):
            self.take()
            self.expect("->")
            return terms.Lambda(at, (), self.expression())
        self.expect("|")
        names, defaults, rest = self.names()
        return terms.Lambda(at, names, self.expression(), defaults, rest)

    def names(self) -> tuple[tuple[str, ...], tuple[terms.Term, ...], bool]:
        """`x,y=2|->`, `x,y...|->`: names, the defaults of the last ones, whether the last takes the rest."""
        names: list[str] = []
        defaults: list[terms.Term] = []
        rest = False
        while not rest:
            if self.next.kind not in ("word", "number"):
                raise NotDynaml("a name is expected here", self.next.at)
            names.append(self.take().text)
            if self.sees("="):
                self.take()
                defaults.append(self.expression())
            elif self.sees("..."):
                self.take()
                rest = True
            elif defaults:
                raise NotDynaml(
                    "a default is missing here: names after one that has a default have one too", self.next.at
                )
            if not self.sees(","):
                break
            self.take()
        self.expect("|")
        self.expect("->")
        return tuple(names), tuple(defaults), rest

    def items(self, close: str, read: Callable[[], terms.Term]) -> tuple[terms.Term, ...]:
        items: list[terms.Term] = []
        while not self.sees(close) or items:
            items.append(read())
            if self.sees(close):
                break
            if not self.sees(","):
                raise NotDynaml(f"`,` or `{close}` is expected here", self.next.at)
            self.take()
        self.expect(close)
        return tuple(items)

    def list_of(self) -> terms.Term:
        if self.chooses():
            at = self.take().at
            first = self.expression()
            self.expect("..")
            last = self.expression()
            self.expect("]")
            return terms.RangeOf(at, first, last)
        at = self.take().at
        return terms.ListOf(at, self.items("]", self.element))

    def map_of(self) -> terms.Term:
        at = self.take().at
        entries: list[tuple[terms.Term, terms.Term]] = []
        while not self.sees("}"):
            key = self.expression()
            self.expect("=")
            entries.append((key, self.expression()))
            if not self.sees(","):
                break
            self.take()
        self.expect("}")
        return terms.MapOf(at, tuple(entries))

    def group(self) -> terms.Term:
        at = self.take().at
        if (self.next.kind in ("symbol", "text") and self.ahead(1).text == "=") or self.sees(")"):
            return self.scoped(at)
        inner = self.expression()
        self.expect(")")
        return terms.Bracketed(at, inner, self.successor)

    def scoped(self, at: int) -> terms.Term:
        """`( $x = 1 ) ..`: names for what follows."""
        names: list[tuple[str, terms.Term]] = []
        while not self.sees(")"):
            if self.next.kind not in ("symbol", "text"):
                raise NotDynaml("a name is expected here: `$name` or a string", self.next.at)
            token = self.take()
            self.expect("=")
            names.append((token.text[1:] if token.kind == "symbol" else token.text[1:-1], self.expression()))
            if not self.sees(","):
                break
            self.take()
        self.expect(")")
        return terms.Scoped(at, tuple(names), self.expression())

    def negation(self) -> terms.Term:
        signs = []
        while self.sees("!"):
            signs.append(self.take().at)
        if len(signs) > DEEPEST:
            raise NotDynaml(f"more than {DEEPEST} `!` in a row", signs[0])
        inner = self.operand()
        for at in reversed(signs):
            inner = terms.Not(at, inner, self.successor)
        return inner

    def instance(self) -> terms.Term:
        at = self.take().at
        if self.sees("("):
            self.take()
            inner = self.expression()
            self.expect(")")
        else:
            inner = self.projected(self.reference()) if self.next.kind != "tag" else self.tagged()
        return terms.TemplateUse(at, inner)

    def nil(self) -> terms.Term:
        return terms.Literal(self.take().at, None)

    def undefined(self) -> terms.Term:
        return terms.Undefined(self.take().at)

    def marked(self) -> terms.Term:
        at = self.next.at
        marks = []
        while self.next.kind == "mark":
            token = self.take()
            word, colon, name = token.text[1:].partition(":")
            if not (word == "tag" and name) and (word not in MARKS or colon):
                known = ", ".join(row["signature"] for row in listing())
                raise NotDynaml(f"unknown mark `{token.text}`; available: {known}", token.at + 1)
            marks.append(f"tag:{name.replace(':', '.')}" if name else word)
        return terms.Marked(at, tuple(marks), self.group() if self.sees("(") else None)


def unescaped(text: str) -> str:
    """A string with the escapes of JSON; other backslashes stay."""
    return ESCAPE.compiled().sub(
        lambda found: chr(int(found[1], 16)) if found[1] else ESCAPES.get(found[2], found[2]), text
    )


FOLLOWED: dict[str, tuple[str, ...]] = {
    "-": ("number", "float"),
    ".": ("word", "number", "["),
    "*": ("word", "number", "tag", "(", "."),
}
"""Signs that begin an operand only directly before one of these."""
AFTER = (".", "[", "(", "*")
NOT_FOLLOWED = (terms.Literal, terms.Undefined, terms.Marked, terms.Lambda, terms.Scoped, terms.Not, terms.Merge)
"""What no step or call directly follows."""
ALTERNATIVES: dict[str, type[terms.Many]] = {"||": terms.Or, "//": terms.OrNil}
OPERANDS: dict[str, Callable[[_Parser], terms.Term]] = {
    "text": _Parser.text,
    "symbol": _Parser.symbol,
    "number": _Parser.number,
    "float": _Parser.number,
    "address": _Parser.ip_literal,
    "word": _Parser.word,
    "tag": _Parser.tagged,
    ".": _Parser.word_from_root,
    "-": _Parser.number,
    "(": _Parser.group,
    "[": _Parser.list_of,
    "{": _Parser.map_of,
    "!": _Parser.negation,
    "*": _Parser.instance,
    "~": _Parser.nil,
    "~~": _Parser.undefined,
    "|": _Parser.function,
    "||": _Parser.function,
    "mark": _Parser.marked,
}
KEYWORDS: dict[str, Callable[[_Parser], terms.Term]] = {"merge": _Parser.merge, "auto": _Parser.auto}
