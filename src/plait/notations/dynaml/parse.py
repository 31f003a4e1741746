"""Text to tree: one pass of a regular expression cuts the words, precedence climbing puts them together.

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

_FLOAT = r"[0-9][0-9_]*(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)(?![A-Za-z0-9_.])"
_ADDRESS = r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![A-Za-z0-9_.])"
_AFTER_DOT = rf"(?<=(?<!\.)\.)(?={_FLOAT}|{_ADDRESS})"
"""Before what would be a number with a fraction, and is steps: `a.1.2`."""
WORDS = rf"""(?P<blank>\s*)(?:
      (?P<text>%s)
    | {_AFTER_DOT}(?:(?P<index>[0-9]+(?![A-Za-z0-9_:-]))|(?P<name>[A-Za-z0-9_][A-Za-z0-9_-]*))
    | (?P<address>{_ADDRESS})
    | (?P<float>{_FLOAT})
    | (?P<tag>[A-Za-z0-9_]+(?:[:.]-?[A-Za-z0-9_]+)*::)
    | (?P<number>[0-9][0-9_]*(?![A-Za-z0-9_:]|-[A-Za-z_]))
    | (?P<word>[A-Za-z0-9_][A-Za-z0-9_-]*(?::[A-Za-z0-9_][A-Za-z0-9_-]*)?)
    | (?P<symbol>\$[A-Za-z0-9_][A-Za-z0-9_-]*)
    | (?P<mark>&[A-Za-z]+(?::\*?[A-Za-z0-9_]+(?:[:.][A-Za-z0-9_-]+)*)?)
    | (?P<sign>\|\||->|//|==|!=|<=|>=|~~|\.\.\.|\.\.|-(?:and|or)(?![A-Za-z0-9_])|[-|<>+*/%%?:!()\[\]{{}},.&~=])
    | (?P<end>\Z)
    | (?P<other>.)
    )"""
TOKEN = LazyPattern("(?xs)" + WORDS % r'"(?:\\"|[^"])*+"')
"""What cuts an expression. Many a template has only references, and needs it not at all."""
TOKEN_OF_SUCCESSOR = LazyPattern("(?xs)" + WORDS % r'"(?:\\.|[^"\\])*+"')
KINDS = {"index": "number", "name": "word"}
"""What a step is after a dot that would be a number elsewhere."""
ESCAPE = LazyPattern(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

REFERENCE = LazyPattern(r"\s*(\.?)([A-Za-z_][A-Za-z0-9_-]*(?:\.(?:[A-Za-z0-9_][A-Za-z0-9_-]*|\[[0-9]{1,9}\]))*)\s*\Z")
"""What most expressions are: a reference and nothing else."""

CONSTANTS = {"true": True, "false": False, "nil": None, "~": None}
BINDING = {
    **dict.fromkeys(("-or", "-and"), 1),
    **dict.fromkeys(("==", "!=", "<=", ">=", "<", ">"), 2),
    **dict.fromkeys(("+", "-"), 3),
    **dict.fromkeys(("*", "/", "%"), 4),
}
"""How strongly each sign binds. Concatenation, `? :` and `||` are looser still."""
EACH = {"map": False, "select": False, "filter": False, "sum": True, "catch": False, "sync": False}
"""What may precede `[list|..]`, and whether it has a value to start with."""
IN_BRACES = ("map", "select", "filter")
"""What may precede `{map|..}`."""


class NotDynaml(Exception):
    """A text that is not a valid expression; `at` is where the error is."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


class Tokens:
    """The words and signs of an expression; the last one is its end.

    Of each: its kind, which for a sign is the sign itself; its text; where it begins; whether a blank precedes it.
    """

    __slots__ = ("blanks", "kinds", "starts", "texts")

    def __init__(self, text: str, successor: bool = False) -> None:
        self.kinds: list[str] = []
        self.texts: list[str] = []
        self.starts: list[int] = []
        self.blanks: list[bool] = []
        kinds, texts, starts, blanks = self.kinds, self.texts, self.starts, self.blanks
        for match in (TOKEN_OF_SUCCESSOR if successor else TOKEN).compiled().finditer(text):
            kind = match.lastgroup or ""
            word = match[kind]
            if kind == "other":
                why = "missing closing quote" if word == '"' else f"`{word}` is unexpected here"
                raise NotDynaml(why, match.start(kind))
            kinds.append(word if kind == "sign" else KINDS.get(kind, kind))
            texts.append(word)
            starts.append(match.start(kind))
            blanks.append(match.start(kind) > match.start())
            if kind == "end":
                return


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
    parser = _Parser(Tokens(text, successor), successor)
    prefer = parser.is_word("prefer") and not parser.touches(1)
    if prefer := prefer and (parser.begins(1) or parser.kind_at(1) == "|"):
        parser.take()
    tree = parser.expression()
    if parser.kind != "end":
        raise NotDynaml(f"`{parser.text}` is not expected here", parser.at)
    return tree, prefer


class _Parser:
    """Parses one expression from its tokens by precedence climbing. `kind` is that of the next token."""

    def __init__(self, tokens: Tokens, successor: bool) -> None:
        self.tokens = tokens
        self.kinds = tokens.kinds
        self.last = len(tokens.kinds) - 1
        self.successor = successor
        self.index = 0
        self.kind = self.kinds[0]
        self.depth = 0

    # Words

    @property
    def text(self) -> str:
        return self.tokens.texts[self.index]

    @property
    def at(self) -> int:
        return self.tokens.starts[self.index]

    def kind_at(self, count: int) -> str:
        """The kind of a token further on."""
        return self.kinds[min(self.index + count, self.last)]

    def go(self, index: int) -> None:
        self.index = min(index, self.last)
        self.kind = self.kinds[self.index]

    def take(self) -> str:
        """The text of the next token, which is behind us then."""
        text = self.tokens.texts[self.index]
        self.go(self.index + 1)
        return text

    def expect(self, sign: str) -> None:
        if self.kind != sign:
            found = f"`{self.text}`" if self.text else "the end"
            raise NotDynaml(f"expected `{sign}`, not {found}", self.at)
        self.take()

    def is_word(self, *words: str) -> bool:
        return self.kind == "word" and self.text in words

    def touches(self, count: int = 0) -> bool:
        """Whether a token directly follows the one before it."""
        return not self.tokens.blanks[min(self.index + count, self.last)]

    def begins(self, count: int = 0) -> bool:
        """Whether an operand can begin with this token."""
        kind = self.kind_at(count)
        if kind in FOLLOWED:
            return self.touches(count + 1) and self.kind_at(count + 1) in FOLLOWED[kind]
        return kind in BEGINNINGS

    # Priorities, the loosest first

    def expression(self) -> terms.Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotDynaml(f"brackets are nested deeper than {DEEPEST} levels", self.at)
        tree = self.choice()
        while self.kind in ALTERNATIVES and not self.begins_function():
            sign = self.kind
            items = [tree]
            while self.kind == sign:
                self.take()
                items.append(self.choice())
            tree = ALTERNATIVES[sign](tuple(items))
        self.depth -= 1
        return tree

    def choice(self) -> terms.Term:
        test = self.concat()
        if self.kind != "?":
            return test
        self.take()
        yes = self.expression()
        self.expect(":")
        return terms.Conditional(test.at, test, yes, self.expression())

    def concat(self) -> terms.Term:
        first = self.operations(1)
        if self.touches() or not self.begins():
            return first
        items = [first]
        while not self.touches() and self.begins():
            items.append(self.operations(1))
        return terms.Concat(tuple(items))

    def operations(self, least: int) -> terms.Term:
        """Operands between signs that bind at least so strongly; those of one priority are read from left to right."""
        tree = self.operand()
        while (power := self.binding()) >= least:
            rest = []
            while self.binding() == power:
                sign = self.take()
                rest.append((sign, self.operations(power + 1)))
            tree = terms.Operations(tree, tuple(rest))
        return tree

    def binding(self) -> int:
        """How strongly the next sign binds; 0 where none is between operands."""
        power = BINDING.get(self.kind, 0)
        if power > 2 and self.kind in "-*" and not self.touches() and self.begins():
            return 0
        return power

    # Operands

    def operand(self) -> terms.Term:
        reader = OPERANDS.get(self.kind)
        if reader is None or not (self.begins() or self.kind in ("mark", "|", "||")):
            found = f"`{self.text}`" if self.text else "nothing"
            raise NotDynaml(f"expected a value, not {found}", self.at)
        tree = reader(self)
        return self.followed(tree) if self.kind in AFTER else tree

    def followed(self, tree: terms.Term) -> terms.Term:
        """A piece with the steps and calls that directly follow it: `(..).a`, `f(1)[0]`, `(..)(1)`."""
        while self.touches() and self.kind in AFTER and not isinstance(tree, NOT_FOLLOWED):
            if self.kind == "(" or (self.kind == "*" and self.kind_at(1) == "(" and self.touches(1)):
                tree = self.call(tree)
            elif self.kind in STEPS:
                steps = self.steps()
                tree = self.projected(terms.Select(tree, steps) if steps else tree)
            else:
                break
        return tree

    def call(self, name: terms.Term) -> terms.Term:
        curry = self.kind == "*"
        if curry:
            self.take()
        self.take()
        return terms.CallTerm(name.at, name, self.items(")", self.argument), curry)

    def argument(self) -> terms.Term:
        if self.kind in NAMES and self.kind_at(1) == "=":
            at, name = self.at, self.take()
            self.take()
            return terms.NamedArgument(at, name, self.expression())
        return self.element()

    def element(self) -> terms.Term:
        """An item of a list or an argument; `l...` stands for all elements of `l`."""
        value = self.expression()
        if self.kind == "...":
            self.take()
            return terms.Spread(value.at, value)
        return value

    def quoted(self) -> terms.Term:
        at, inner = self.at, self.take()[1:-1]
        return terms.Literal(at, unescaped(inner) if self.successor else inner.replace('\\"', '"'))

    def symbol(self) -> terms.Term:
        return terms.Literal(self.at, self.take()[1:])

    def ip_literal(self) -> terms.Term:
        return terms.Literal(self.at, self.take())

    def number(self) -> terms.Term:
        at, sign = self.at, 1
        if self.kind == "-":
            self.take()
            sign = -1
        if self.kind == "float":
            return terms.Literal(at, sign * float(self.take().replace("_", "")))
        start = self.index
        self.take()
        if self.kind == "." and self.touches():
            raise NotDynaml("this is neither a number nor a name; put strings in quotes", at)
        return terms.Literal(at, sign * self.integer(start))

    def integer(self, index: int) -> int:
        digits = self.tokens.texts[index]
        if len(digits) > LONGEST:
            raise NotDynaml(f"this number has more than {LONGEST} digits", self.tokens.starts[index])
        return int(digits.replace("_", ""))

    def word(self) -> terms.Term:
        text = self.text
        follower, apart = self.kind_at(1), not self.touches(1)
        if apart or follower not in CALLED:
            if text in CONSTANTS:
                return terms.Literal(self.at, CONSTANTS[self.take()])
            if text in KEYWORDS:
                return KEYWORDS[text](self)
        if text in EACH and (follower == "[" or (follower == "{" and not apart and text in IN_BRACES)):
            return self.each()
        opens = follower in ("|", "||")
        if text == "lambda" and (opens or (apart and self.begins(1))):
            return self.function_of()
        return self.projected(self.reference())

    def function_of(self) -> terms.Term:
        """`lambda |x|->..`, or `lambda` and what gives a function."""
        at = self.at
        self.take()
        if self.kind in ("|", "||"):
            return self.function()
        return terms.LambdaOf(at, self.operand())

    def reference(self) -> terms.Term:
        at = self.at
        rooted = self.kind == "."
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
        while self.kind in STEPS and self.touches() and not self.chooses():
            if self.kind == ".":
                self.take()
                if not self.touches():
                    raise NotDynaml("a name is missing here", self.at)
            steps += self.step()
        return tuple(steps)

    def chooses(self) -> bool:
        """Whether `[*]`, `[a..b]` or the like follow, which lead to several elements."""
        start = 1 if self.kind == "." and self.kind_at(1) == "[" else 0
        if self.kind_at(start) != "[":
            return False
        if self.kind_at(start + 1) == "*" and self.kind_at(start + 2) == "]":
            return True
        depth = 0
        for kind in self.kinds[self.index + start :]:
            depth += (kind in OPENING) - (kind in CLOSING)
            if not depth or (kind == ".." and depth == 1):
                return depth == 1
        return False

    def projected(self, tree: terms.Term) -> terms.Term:
        """A piece with the slices and projections that follow it."""
        return self.projection(tree) if self.kind in STEPS and self.touches() and self.chooses() else tree

    def projection(self, tree: terms.Term | None) -> terms.Projection:
        if self.kind == ".":
            self.take()
        self.take()
        whole = self.kind == "*"
        first = last = None
        if whole:
            self.take()
        else:
            first = None if self.kind == ".." else self.expression()
            self.expect("..")
            last = None if self.kind == "]" else self.expression()
        self.expect("]")
        steps = self.steps()
        more = self.kind in STEPS and self.touches() and self.chooses()
        return terms.Projection(tree, whole, first, last, steps, self.projection(None) if more else None)

    def step(self) -> tuple[str | terms.Term, ...]:
        """A name, or what is in brackets: one or more indices, names or pieces that give them."""
        if self.kind != "[":
            if self.kind not in NAMES:
                raise NotDynaml("a name is expected here", self.at)
            return (self.take(),)
        self.take()
        steps = [self.bracketed_step()]
        while self.kind == ",":
            self.take()
            steps.append(self.bracketed_step())
        self.expect("]")
        return tuple(steps)

    def bracketed_step(self) -> str | terms.Term:
        start = self.index
        minus = self.take() if self.kind == "-" and self.touches(1) else ""
        if self.kind == "number" and self.kind_at(1) in ("]", ","):
            index = self.index
            self.take()
            return f"[{minus}{self.integer(index)}]"
        self.go(start)
        return self.expression()

    def tagged(self) -> terms.Term:
        """`tag::a.b`, or `tag::.` for the value itself."""
        at, tag = self.at, self.take()
        end = at + len(tag)
        if not self.touches():
            raise NotDynaml("a path is missing here; `.` is the value itself", end)
        dot = self.kind == "."
        if dot:
            self.take()
        steps = (*self.step(), *self.steps()) if (self.kind in NAMES or self.kind == "[") and self.touches() else ()
        if not steps and not dot:
            raise NotDynaml("a path is missing here; `.` is the value itself", end)
        return self.projected(terms.TagReference(at, tag[:-2].replace(":", "."), steps))

    def merge(self) -> terms.Term:
        at = self.at
        self.take()
        word = self.text if self.kind == "word" and not (self.kind_at(1) in STEPS and self.touches(1)) else ""
        if self.successor and word == "none":
            self.take()
            return terms.Merge(at, None, False, False, "", none=True)
        replace, required, key = word == "replace", word == "required", ""
        if replace or required:
            self.take()
        elif word == "on" and self.kind_at(1) == "word" and not self.touches(1):
            self.take()
            key = self.take()
        named = not required and self.kind in (*NAMES, ".") and not self.touches() and self.begins()
        return terms.Merge(at, self.path() if named else None, replace, required, key)

    def path(self) -> terms.Reference:
        found = self.reference()
        if not isinstance(found, terms.Reference):
            raise NotDynaml("a path in the stubs has no computed steps; `stub(..)` takes them", found.at)
        return found

    def auto(self) -> terms.Term:
        at = self.at
        self.take()
        return terms.Auto(at)

    def each(self) -> terms.Term:
        at, word = self.at, self.take()
        braces = self.take() == "{"
        over = self.expression()
        start = None
        if EACH[word]:
            self.bar()
            start = self.expression()
        self.bar()
        to = self.mapper(word == "sync") if self.lists_names() else self.expression()
        more: list[terms.Term] = []
        while word == "sync" and self.kind in ("|", "||"):
            self.bar()
            more.append(self.mapper() if self.lists_names() else self.expression())
        self.expect("}" if braces else "]")
        return terms.Each(at, word, over, start, to, braces, tuple(more))

    def begins_function(self) -> bool:
        """Whether `||` is two bars, of which the second begins a lambda: `map[l||x|->..]`."""
        start = at = self.index + 1
        while self.kinds[at] in NAMED:
            at += 1
        return self.kind == "||" and at > start and self.kinds[at : at + 2] == ["|", "->"]

    def bar(self) -> None:
        """A bar before a part of an iteration; of two bars that touch, the first."""
        if self.kind == "||":
            tokens, index = self.tokens, self.index
            tokens.kinds[index : index + 1] = tokens.texts[index : index + 1] = ["|", "|"]
            tokens.starts.insert(index + 1, self.at + 1)
            tokens.blanks.insert(index + 1, False)
            self.last += 1
            self.kind = "|"
        self.expect("|")

    def lists_names(self) -> bool:
        """Whether names of a lambda follow, up to `|->`, and not a piece that gives one."""
        depth = 0
        for index in range(self.index, self.last):
            kind = self.kinds[index]
            depth += (kind in OPENING) - (kind in CLOSING)
            if depth < 0 or (kind in ("|", "->") and not depth):
                return kind == "->" or (kind == "|" and self.kinds[index + 1] == "->")
        return False

    def mapper(self, pair: bool = False) -> terms.Term:
        at = self.at
        names, defaults, rest = self.names()
        to = self.expression()
        second = None
        if pair and self.kind == ",":
            self.take()
            second = self.expression()
        return terms.Lambda(at, names, to, defaults, rest, second)

    def function(self) -> terms.Term:
        at = self.at
        if self.kind == "||":
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
            if self.kind not in NAMES:
                raise NotDynaml("a name is expected here", self.at)
            names.append(self.take())
            if self.kind == "=":
                self.take()
                defaults.append(self.expression())
            elif self.kind == "...":
                self.take()
                rest = True
            elif defaults:
                raise NotDynaml("a default is missing here: names after one that has a default have one too", self.at)
            if self.kind != ",":
                break
            self.take()
        self.expect("|")
        self.expect("->")
        return tuple(names), tuple(defaults), rest

    def items(self, close: str, read: Callable[[], terms.Term]) -> tuple[terms.Term, ...]:
        items: list[terms.Term] = []
        while self.kind != close or items:
            items.append(read())
            if self.kind == close:
                break
            if self.kind != ",":
                raise NotDynaml(f"`,` or `{close}` is expected here", self.at)
            self.take()
        self.expect(close)
        return tuple(items)

    def list_of(self) -> terms.Term:
        at, ranges = self.at, self.chooses()
        self.take()
        if ranges:
            first = self.expression()
            self.expect("..")
            last = self.expression()
            self.expect("]")
            return terms.RangeOf(at, first, last)
        return terms.ListOf(at, self.items("]", self.element))

    def map_of(self) -> terms.Term:
        at = self.at
        self.take()
        entries: list[tuple[terms.Term, terms.Term]] = []
        while self.kind != "}":
            key = self.expression()
            self.expect("=")
            entries.append((key, self.expression()))
            if self.kind != ",":
                break
            self.take()
        self.expect("}")
        return terms.MapOf(at, tuple(entries))

    def group(self) -> terms.Term:
        at = self.at
        self.take()
        if (self.kind in ("symbol", "text") and self.kind_at(1) == "=") or self.kind == ")":
            return self.scoped(at)
        inner = self.expression()
        self.expect(")")
        return terms.Bracketed(at, inner, self.successor)

    def scoped(self, at: int) -> terms.Term:
        """`( $x = 1 ) ..`: names for what follows."""
        names: list[tuple[str, terms.Term]] = []
        while self.kind != ")":
            if self.kind not in ("symbol", "text"):
                raise NotDynaml("a name is expected here: `$name` or a string", self.at)
            name = self.text[1:] if self.kind == "symbol" else self.text[1:-1]
            self.take()
            self.expect("=")
            names.append((name, self.expression()))
            if self.kind != ",":
                break
            self.take()
        self.expect(")")
        return terms.Scoped(at, tuple(names), self.expression())

    def negation(self) -> terms.Term:
        signs = []
        while self.kind == "!":
            signs.append(self.at)
            self.take()
        if len(signs) > DEEPEST:
            raise NotDynaml(f"more than {DEEPEST} `!` in a row", signs[0])
        inner = self.operand()
        for at in reversed(signs):
            inner = terms.Not(at, inner, self.successor)
        return inner

    def instance(self) -> terms.Term:
        at = self.at
        self.take()
        if self.kind == "(":
            self.take()
            inner = self.expression()
            self.expect(")")
        else:
            inner = self.tagged() if self.kind == "tag" else self.projected(self.reference())
        return terms.TemplateUse(at, inner)

    def nil(self) -> terms.Term:
        at = self.at
        self.take()
        return terms.Literal(at, None)

    def undefined(self) -> terms.Term:
        at = self.at
        self.take()
        return terms.Undefined(at)

    def marked(self) -> terms.Term:
        at = self.at
        marks = []
        while self.kind == "mark":
            word, colon, name = self.text[1:].partition(":")
            if not (word == "tag" and name) and (word not in MARKS or colon):
                known = ", ".join(row["signature"] for row in listing())
                raise NotDynaml(f"unknown mark `{self.text}`; available: {known}", self.at + 1)
            marks.append(f"tag:{name.replace(':', '.')}" if name else word)
            self.take()
        return terms.Marked(at, tuple(marks), self.group() if self.kind == "(" else None)


def unescaped(text: str) -> str:
    """A string with the escapes of JSON; other backslashes stay."""
    return ESCAPE.compiled().sub(
        lambda found: chr(int(found[1], 16)) if found[1] else ESCAPES.get(found[2], found[2]), text
    )


NAMES = ("word", "number")
"""What a step or a parameter can be."""
STEPS = (".", "[")
CALLED = (*STEPS, "(")
AFTER = (*CALLED, "*")
OPENING, CLOSING = ("[", "(", "{"), ("]", ")", "}")
NAMED = (*NAMES, "text", "float", "symbol", ",", "=", "...")
"""The tokens that the names of a lambda with simple defaults consist of."""
FOLLOWED: dict[str, tuple[str, ...]] = {
    "-": ("number", "float"),
    ".": (*NAMES, "["),
    "*": (*NAMES, "tag", "(", "."),
}
"""Signs that begin an operand only directly before one of these."""
BEGINNINGS = frozenset(("text", "symbol", "number", "float", "address", "word", "tag", *OPENING, "~", "~~", "!"))
"""What else an operand begins with."""
NOT_FOLLOWED = (terms.Literal, terms.Undefined, terms.Marked, terms.Lambda, terms.Scoped, terms.Not, terms.Merge)
"""What no step or call directly follows."""
ALTERNATIVES: dict[str, type[terms.Many]] = {"||": terms.Or, "//": terms.OrNil}
OPERANDS: dict[str, Callable[[_Parser], terms.Term]] = {
    "text": _Parser.quoted,
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
