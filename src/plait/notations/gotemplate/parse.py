"""From tokens to a tree, with Go's grammar and Go's complaints.

Open blocks are kept on a stack, so nothing but parentheses recurses, and those have a bound. A `known` test for
function names makes an unknown function a parse error, as in Go; without it any name parses, for inspection.
"""

from __future__ import annotations

from collections.abc import Iterable

from plait.core.quoting import quote
from plait.notations.gotemplate import lex, literals, tree
from plait.notations.gotemplate.errors import ParseError
from plait.notations.gotemplate.function import Table
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from plait.notations.gotemplate.lex import Token

MAX_PARENTHESES = 100
"""How deep parentheses may nest: expressions run on Python's stack."""

_TERMS = frozenset(
    (lex.BOOL, lex.CHAR, lex.COMPLEX, lex.DOT, lex.FIELD, lex.WORD, lex.NUMBER, lex.NIL, lex.RAW, lex.STRING,
     lex.VARIABLE, lex.OPEN)
)  # fmt: skip
_NUMBERS: dict[str, Callable[[int, str], tree.Number]] = {
    lex.NUMBER: literals.number,
    lex.CHAR: literals.character,
    lex.COMPLEX: literals.complex_number,
}
_NO_COMMAND = (tree.Bool, tree.Dot, tree.Nil, tree.Number, tree.String)
_NO_FIELDS = (tree.Bool, tree.String, tree.Number, tree.Nil, tree.Dot)


class _Open:
    """A block that waits for its `end`: what opened it, its nodes, and what holds after it."""

    __slots__ = ("at", "chained", "keep", "kind", "nodes", "outer", "pipe", "quoted", "ranges", "start", "then")

    def __init__(self, kind: str, at: int, outer: list[str], ranges: int) -> None:
        self.kind = kind
        self.chained = False  # an `else if`: its `end` ends the block around it too
        self.at = at
        self.start = at
        self.nodes: list[tree.TemplateNode] = []
        self.pipe: tree.Pipe | None = None
        self.quoted = ""
        self.then: tree.Block | None = None
        self.outer = outer  # the variables of the tree that a define or block interrupts
        self.keep = len(outer)  # how many of them outlive the block
        self.ranges = ranges

    def block(self) -> tree.Block:
        return tree.Block(self.start, tuple(self.nodes))


_KEPT = frozenset(("if", "with", "range"))
"""The words of actions that Go still counts as begun until the next one."""


class TemplateParser:
    """Parses one text."""

    __slots__ = (
        "action_at", "at", "defined", "delimiters", "depth", "functions", "known", "name", "open", "ranges", "text",
        "tokens", "variables",
    )  # fmt: skip

    def __init__(self, text: str, name: str, lexer: lex.Lexer, known: Container[str] | None) -> None:
        self.text = text
        self.name = name
        self.tokens = lexer.tokens(text)
        self.delimiters = lexer.delimiters
        self.known = known
        self.at = 0
        self.variables = ["$"]
        self.ranges = 0
        self.depth = 0
        self.action_at = -1
        """Where the action begins that an error may be in, or the control structure that has had no action yet."""
        self.open: list[_Open] = []
        self.defined: dict[str, tree.Block] = {}
        self.functions: set[str] = set()

    # -- tokens

    def fail(self, message: str, token: Token | None = None, culprit: str = "", hint: str = "") -> ParseError:
        at = (token or self.tokens[min(self.at, len(self.tokens) - 1)])[2]
        return ParseError(message, self.text, at, name=self.name, culprit=culprit, hint=hint)

    def unexpected(self, token: Token, context: str) -> ParseError:
        if token[0] == lex.ERROR:
            return self.fail(self.lexical(token), token)
        return self.fail(f"unexpected {_shown(token)} in {context}", token, culprit=token[1])

    def lexical(self, token: Token) -> str:
        """A lexical error; where the action began on another line, that line is named too."""
        message = token[1]
        if self.action_at < 0:
            return message
        line = self.text.count("\n", 0, self.action_at) + 1
        if line != self.text.count("\n", 0, token[2]) + 1:
            between = "" if message.endswith(" action") else " in action"
            message += f"{between} started at {self.name}:{line}"
        return message

    def expect(self, kind: str, context: str) -> Token:
        token = self.tokens[self.at]
        if token[0] != kind:
            raise self.unexpected(token, context)
        self.at += 1
        return token

    # -- blocks

    def parse(self) -> tree.ParsedTemplate:
        root = _Open("root", 0, self.variables, 0)
        self.open = [root]
        tokens = self.tokens
        while True:
            token = tokens[self.at]
            kind = token[0]
            if kind == lex.TEXT:
                self.at += 1
                self.open[-1].nodes.append(tree.PlainText(token[2], token[1]))
            elif kind == lex.LEFT:
                self.at += 1
                self.action_at = token[2]
                word = tokens[self.at][1]
                if word == "define":
                    self.action_at = -1
                self.action()
                if word not in _KEPT:
                    self.action_at = -1
            elif kind == lex.EOF:
                break
            else:
                raise self.unexpected(token, "input")
        if len(self.open) > 1:
            raise self.unclosed()
        block = root.block()
        if self.name in self.defined:
            self.add(self.name, block, tokens[self.at])
            block = self.defined[self.name]
        return tree.ParsedTemplate(self.name, self.text, block, self.defined, self.delimiters, self.functions)

    def unclosed(self) -> ParseError:
        block = self.open[-1]
        line = self.text.count("\n", 0, block.at) + 1
        hint = f"the `{block.kind}` of line {line} has no `end`"
        return self.fail("unexpected EOF", hint=hint)

    def add(self, name: str, block: tree.Block, token: Token) -> None:
        """Keep a finished template; a full one may replace an empty one, and nothing else."""
        old = self.defined.get(name)
        if old is None or old.is_empty():
            self.defined[name] = block
        elif not block.is_empty():
            raise self.fail(f'template: multiple definition of template "{name}"', token, culprit=name)

    def action(self) -> None:
        token = self.tokens[self.at]
        if token[0] == lex.KEYWORD:
            control = _CONTROLS.get(token[1])
            if control is not None and (token[1] != "define" or len(self.open) == 1):
                self.at += 1
                control(self, token)
                return
        pipe = self.pipeline("command", lex.RIGHT)
        self.open[-1].nodes.append(tree.Action(token[2], pipe))

    def begin(self, token: Token) -> None:
        block = _Open(token[1], token[2], self.variables, self.ranges)
        block.pipe = self.pipeline(token[1], lex.RIGHT)
        if token[1] == "range":
            self.ranges += 1
        block.start = self.tokens[self.at][2]
        self.open.append(block)

    def otherwise(self, token: Token) -> None:
        following = self.tokens[self.at]
        chained = following[0] == lex.KEYWORD and following[1] in ("if", "with")
        if not chained:
            self.expect(lex.RIGHT, "else")
        block = self.open[-1]
        if block.kind in ("root", "define", "block"):
            clause = "" if block.kind == "root" else f" in {block.kind} clause"
            raise self.fail(f"unexpected {{{{else}}}}{clause}", token, culprit="else")
        if block.then is not None:
            raise self.fail("expected end; found {{else}}", token, culprit="else")
        block.then = block.block()
        block.nodes = []
        block.start = token[2]
        self.ranges = block.ranges
        if chained and following[1] == block.kind:
            self.at += 1
            self.begin(following)
            self.open[-1].chained = True

    def end(self, token: Token) -> None:
        self.expect(lex.RIGHT, "end")
        block = self.open[-1]
        if block.kind == "root":
            raise self.fail("unexpected {{end}}", token, culprit="end", hint="no block is open here")
        while True:
            block = self.open.pop()
            self.variables = block.outer
            del self.variables[block.keep :]
            self.ranges = block.ranges
            _CLOSERS[block.kind](self, block, token)
            if not block.chained:
                return

    def close_branch(self, block: _Open, token: Token) -> None:
        assert block.pipe is not None
        body, otherwise = block.then, None
        if body is None:
            body = block.block()
        else:
            otherwise = block.block()
        make = _BRANCHES[block.kind]
        self.open[-1].nodes.append(make(block.pipe.at, block.pipe, body, otherwise))

    def define(self, token: Token) -> None:
        self.begin_tree("define", token, "define clause")
        self.expect(lex.RIGHT, "define clause")

    def begin_tree(self, kind: str, token: Token, context: str) -> _Open:
        """A template of its own: it sees neither the variables nor the ranges around it."""
        block = _Open(kind, token[2], self.variables, self.ranges)
        block.quoted = self.template_name(context)
        block.start = self.tokens[self.at][2]
        if kind == "block":
            block.pipe = self.pipeline(context, lex.RIGHT)
            block.keep = len(self.variables)
        self.variables = ["$"]
        self.ranges = 0
        self.open.append(block)
        return block

    def block(self, token: Token) -> None:
        self.begin_tree("block", token, "block clause")

    def close_define(self, block: _Open, token: Token) -> None:
        self.add(literals.unquote(block.quoted), block.block(), token)

    def close_block(self, block: _Open, token: Token) -> None:
        name = literals.unquote(block.quoted)
        self.add(name, block.block(), token)
        self.open[-1].nodes.append(tree.TemplateCall(block.at, name, quote(name), block.pipe))

    def template(self, token: Token) -> None:
        name_at = self.tokens[self.at][2]
        name = literals.unquote(self.template_name("template clause"))
        pipe = None
        if self.tokens[self.at][0] == lex.RIGHT:
            self.at += 1
        else:
            pipe = self.pipeline("template clause", lex.RIGHT)
        self.open[-1].nodes.append(tree.TemplateCall(name_at, name, quote(name), pipe))

    def template_name(self, context: str) -> str:
        token = self.tokens[self.at]
        if token[0] not in (lex.STRING, lex.RAW):
            raise self.unexpected(token, context)
        self.at += 1
        self.unquoted(token)
        return token[1]

    def jump(self, token: Token) -> None:
        word = token[1]
        self.expect(lex.RIGHT, f"{{{{{word}}}}}")
        if not self.ranges:
            raise self.fail(f"{{{{{word}}}}} outside {{{{range}}}}", token, culprit=word)
        make = tree.Break if word == "break" else tree.Continue
        self.open[-1].nodes.append(make(token[2], word))

    # -- pipelines

    def pipeline(self, context: str, end: str) -> tree.Pipe:
        tokens = self.tokens
        start = tokens[self.at][2]
        declares: tuple[tree.Variable, ...] = ()
        assigns = False
        if tokens[self.at][0] == lex.VARIABLE:
            declares, assigns = self.declarations(context)
        commands: list[tree.PipeCommand] = []
        while True:
            token = tokens[self.at]
            if token[0] == end:
                self.at += 1
                break
            if token[0] not in _TERMS:
                raise self.unexpected(token, context)
            commands.append(self.command())
        if not commands:
            raise self.fail(f"missing value for {context}", token)
        for stage, command in enumerate(commands[1:], 2):
            if isinstance(command.args[0], _NO_COMMAND):
                first = command.args[0]
                raise ParseError(
                    f"non executable command in pipeline stage {stage}", self.text, first.at,
                    name=self.name, culprit=str(first),
                )  # fmt: skip
        return tree.Pipe(start, declares, assigns, tuple(commands))

    def declarations(self, context: str) -> tuple[tuple[tree.Variable, ...], bool]:
        """`$x :=`, `$x =`, or in a range `$i, $x :=`; nothing where the variable is only used."""
        variables: list[tree.Variable] = []
        while self.tokens[self.at][0] == lex.VARIABLE:
            variable, sign = self.tokens[self.at], self.tokens[self.at + 1]
            comma = sign[0] == lex.OTHER and sign[1] == ","
            if sign[0] not in (lex.ASSIGN, lex.DECLARE) and not comma:
                break
            self.at += 2
            variables.append(tree.Variable(variable[2], (variable[1],)))
            self.variables.append(variable[1])
            if not comma:
                return tuple(variables), sign[0] == lex.ASSIGN
            if context != "range" or len(variables) > 1:
                raise self.fail(f"too many declarations in {context}", sign)
            if self.tokens[self.at][0] not in (lex.VARIABLE, lex.RIGHT, lex.CLOSE):
                raise self.fail("range can only initialize variables", self.tokens[self.at])
        return tuple(variables), False

    def command(self) -> tree.PipeCommand:
        tokens = self.tokens
        start = tokens[self.at][2]
        args: list[tree.TemplateNode] = []
        while True:
            operand = self.operand()
            if operand is not None:
                args.append(operand)
            token = tokens[self.at]
            kind = token[0]
            if kind == lex.RIGHT or kind == lex.CLOSE:
                break
            if kind == lex.PIPE:
                self.at += 1
                break
            if operand is None or not token[3]:
                raise self.unexpected(token, "operand")
        return tree.PipeCommand(start, tuple(args))

    def operand(self) -> tree.TemplateNode | None:
        tokens = self.tokens
        token = tokens[self.at]
        term = _PLAIN.get(token[0])
        if term is None:
            return None
        self.at += 1
        node = term(self, token)
        following = tokens[self.at]
        if following[0] != lex.FIELD or following[3]:
            return node
        self.at += 1
        names = tuple(following[1][1:].split("."))
        if isinstance(node, tree.Variable):
            return tree.Variable(node.at, (*node.names, *names))
        if isinstance(node, _NO_FIELDS):
            raise self.fail(f"unexpected . after term {quote(str(node))}", following, culprit=following[1])
        return tree.FieldChain(following[2], node, names)

    # -- terms

    def function(self, token: Token) -> tree.TemplateNode:
        known = self.known
        if known is not None and token[1] not in known:
            raise self.undefined(token, known)
        self.functions.add(token[1])
        return tree.Identifier(token[2], token[1])

    def undefined(self, token: Token, known: Container[str]) -> ParseError:
        """The error of a function that is not there."""
        following = self.tokens[self.at]
        member = following[1].split(".")[1] if following[0] == lex.FIELD and not following[3] else ""
        name = f"{token[1]}.{member}" if member else token[1]
        hint = known.why_not(name) if isinstance(known, Table) else ""
        if not hint:
            name, names = token[1], list(known) if isinstance(known, Iterable) else []
            hint = did_you_mean(name, names)
        return self.fail(f'function "{name}" not defined', token, token[1], hint)

    def field(self, token: Token) -> tree.TemplateNode:
        return tree.Field(token[2], tuple(token[1][1:].split(".")))

    def variable(self, token: Token) -> tree.TemplateNode:
        if token[1] not in self.variables:
            raise self.fail(f'undefined variable "{token[1]}"', token, token[1], did_you_mean(token[1], self.variables))
        return tree.Variable(token[2], (token[1],))

    def number(self, token: Token) -> tree.TemplateNode:
        try:
            return _NUMBERS[token[0]](token[2], token[1])
        except ValueError as problem:
            raise self.fail(str(problem), token, token[1]) from None

    def unquoted(self, token: Token) -> str:
        try:
            return literals.unquote(token[1])
        except ValueError as problem:
            raise self.fail(str(problem), token, token[1]) from None

    def string(self, token: Token) -> tree.TemplateNode:
        return tree.String(token[2], token[1], self.unquoted(token))

    def parenthesis(self, token: Token) -> tree.TemplateNode:
        self.depth += 1
        if self.depth > MAX_PARENTHESES:
            raise self.fail("max expression depth exceeded", token)
        pipe = self.pipeline("parenthesized pipeline", lex.CLOSE)
        self.depth -= 1
        return pipe


_PLAIN: dict[str, Callable[[TemplateParser, Token], tree.TemplateNode]] = {
    lex.WORD: TemplateParser.function,
    lex.FIELD: TemplateParser.field,
    lex.VARIABLE: TemplateParser.variable,
    lex.DOT: lambda parser, token: tree.Dot(token[2], "."),
    lex.NIL: lambda parser, token: tree.Nil(token[2], "nil"),
    lex.BOOL: lambda parser, token: tree.Bool(token[2], token[1]),
    lex.NUMBER: TemplateParser.number,
    lex.CHAR: TemplateParser.number,
    lex.COMPLEX: TemplateParser.number,
    lex.STRING: TemplateParser.string,
    lex.RAW: TemplateParser.string,
    lex.OPEN: TemplateParser.parenthesis,
}
_CONTROLS: dict[str, Callable[[TemplateParser, Token], None]] = {
    "if": TemplateParser.begin,
    "with": TemplateParser.begin,
    "range": TemplateParser.begin,
    "else": TemplateParser.otherwise,
    "end": TemplateParser.end,
    "define": TemplateParser.define,
    "block": TemplateParser.block,
    "template": TemplateParser.template,
    "break": TemplateParser.jump,
    "continue": TemplateParser.jump,
}
_BRANCHES: dict[str, type[tree.Branch]] = {"if": tree.If, "with": tree.With, "range": tree.Range}
_CLOSERS: dict[str, Callable[[TemplateParser, _Open, Token], None]] = {
    **dict.fromkeys(("if", "with", "range"), TemplateParser.close_branch),
    "define": TemplateParser.close_define,
    "block": TemplateParser.close_block,
}


def _shown(token: Token) -> str:
    if token[0] == lex.EOF:
        return "EOF"
    if token[0] in (lex.KEYWORD, lex.NIL, lex.DOT):
        return f"<{token[1]}>"
    text = token[1]
    if token[0] == lex.FIELD:  # Go knows `.a.b` as two tokens and complains about the first
        text = "." + text[1:].partition(".")[0]
    return quote(text[:10]) + "..." if len(text) > 10 else quote(text)


def parse(
    text: str, name: str = "template", known: Container[str] | None = None, lexer: lex.Lexer = lex.DEFAULT
) -> tree.ParsedTemplate:
    """The tree of a template. With `known`, a function that is not in it is an error."""
    return TemplateParser(text, name, lexer, known).parse()
