"""A template as people use it: parse once, inspect, render as often as you like."""

from __future__ import annotations

from _thread import allocate_lock

from plait.core.meter import DEFAULTS, SLICE
from plait.core.quoting import from_bytes, to_bytes
from plait.notations.gotemplate import lex, tree
from plait.notations.gotemplate.compile import CompiledTemplate
from plait.notations.gotemplate.errors import BudgetError
from plait.notations.gotemplate.execute import DEPTH, Budget, LineMap, Output, RenderState, TracedOutput, run
from plait.notations.gotemplate.function import Table
from plait.notations.gotemplate.host import Host
from plait.notations.gotemplate.parse import parse as parse_tree
from plait.notations.gotemplate.values import MISSING, Reader, copied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.meter import Meter
    from plait.core.source import LineNumbers
    from plait.notations.gotemplate.compile import Compiler
    from plait.notations.gotemplate.values import Reveal

MODES = {"default": "default", "invalid": "default", "zero": "zero", "error": "error"}
"""What a missing key gives: `<no value>`, nothing (Go's zero), or an error."""

RENDERING = 16
"""What it costs to begin a rendering, in steps."""
_HOST = Host()

LONGEST = DEFAULTS.size
"""How long the output of a template that is rendered alone may be."""


class Rendered:
    """A text, and for each of its lines (from 0) the line of the template (from 0) that wrote it."""

    __slots__ = ("line_map", "text")

    def __init__(self, text: str, line_map: LineNumbers) -> None:
        self.text = text
        self.line_map = line_map


class Template(CompiledTemplate):
    """A parsed template. `tree` is there to be looked at; rendering never changes it."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(self.tree)

    def __repr__(self) -> str:
        return f"Template({str(self)!r})"

    def render(
        self,
        data: Any = None,
        *,
        missing: str = "default",
        host: Host | None = None,
        budget: Budget | None = None,
        reveal: Reveal | None = None,
    ) -> str:
        """The text that the template makes of some data. `missing` is Go's option `missingkey`."""
        meter = None if host is None and budget is None else self._meter(host, budget)
        output = Output(LONGEST if meter is None else meter.budgets.size)
        return _text(output, self._run(data, missing, host, meter, Reader(reveal), output, budget))

    def render_lines(
        self,
        data: Any = None,
        *,
        missing: str = "default",
        host: Host | None = None,
        budget: Budget | None = None,
        reveal: Reveal | None = None,
    ) -> Rendered:
        """The text, the line of the template that each of its lines comes from, and the nodes that were read."""
        return self.render_read(data, Reader(reveal), missing=missing, host=host, budget=budget)

    def render_read(
        self,
        data: Any,
        reader: Reader,
        *,
        missing: str = "default",
        host: Host | None = None,
        budget: Budget | None = None,
    ) -> Rendered:
        """The same, by a reader that knows how the data are opened."""
        meter = self._meter(host, budget)
        output = TracedOutput(LONGEST if meter is None else meter.budgets.size, self.tree.text)
        state = self._run(data, missing, host, meter, reader, output, budget)
        return Rendered(_text(output, state), LineMap(output))

    def _meter(self, host: Host | None, budget: Budget | None) -> Meter | None:
        """The meter of the run that the template is rendered for; None where it is rendered alone."""
        if budget is not None:
            return budget.meter()
        if host is None or host.meter is None:
            return None
        host.meter.step(RENDERING + (len(self.text) >> 4))
        return host.meter

    def _run(
        self,
        data: Any,
        missing: str,
        host: Host | None,
        meter: Meter | None,
        reader: Reader,
        output: Output,
        budget: Budget | None,
    ) -> RenderState:
        if missing not in MODES:
            raise ValueError(f"missing is one of {', '.join(MODES)}, not {missing!r}")
        root = reader.open(data)
        if self.changes:  # a template may change maps; those of the caller it may not
            root = copied(root)
        depth = budget.depth if budget is not None else DEPTH
        state = RenderState(self, MODES[missing], host or _HOST, meter, reader, output, depth)
        try:
            run(state, self.main, MISSING if root is None else root)
        except RecursionError:
            raise BudgetError("the expressions nest too deeply", self.tree.text, 0, name=self.tree.name) from None
        return state


def _text(output: Output, state: RenderState) -> str:
    """The output as one text; bytes that only together are UTF-8 become the characters they mean."""
    text = output.text()
    if len(text) > SLICE:
        state.meter.make(len(text))
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return from_bytes(to_bytes(text))
    return text


class Cache:
    """Templates by text: the same text is parsed once. Bounded in number and in size: the oldest make room."""

    __slots__ = ("_known", "_lock", "_size", "limit", "misses", "size_limit")

    def __init__(self, limit: int = 10_000, size_limit: int = 20_000_000) -> None:
        self._known: dict[Any, Template] = {}
        self._lock = allocate_lock()
        self._size = 0
        self.limit = limit
        self.size_limit = size_limit  # characters of all texts together
        self.misses = 0

    def parse(
        self,
        text: str,
        table: Table,
        name: str = "template",
        delimiters: tuple[str, str] | None = None,
        compiler: type[Compiler] | None = None,
    ) -> Template:
        key = (text, id(table), name, delimiters, compiler)
        template = self._known.get(key)
        if template is None or template.table is not table:
            template = make(text, table, name, delimiters, compiler)
            self._keep(key, template)
        return template

    def _keep(self, key: tuple[Any, ...], made: Template) -> None:
        with self._lock:
            self.misses += 1
            if key not in self._known:
                self._size += len(made.text)
            self._known[key] = made
            while self._size > self.size_limit or len(self._known) > self.limit:
                oldest = next(iter(self._known))
                self._size -= len(self._known.pop(oldest).text)


def make(
    text: str,
    table: Table,
    name: str = "template",
    delimiters: tuple[str, str] | None = None,
    compiler: type[Compiler] | None = None,
) -> Template:
    """Parse a text with the functions of a table; an unknown function is an error."""
    lexer = lex.Lexer(*delimiters) if delimiters else lex.DEFAULT
    return Template(parse_tree(text, name, table, lexer), table, compiler)


def single_reference(parsed: tree.ParsedTemplate) -> tuple[str, ...] | None:
    """The path of a template that is one plain reference and nothing else: `{{ .a.b }}` or `{{ $.a.b }}`."""
    nodes = parsed.root.nodes
    if len(nodes) != 1 or not isinstance(nodes[0], tree.Action):
        return None
    pipe = nodes[0].pipe
    if pipe.declares or len(pipe.commands) != 1 or len(pipe.commands[0].args) != 1:
        return None
    word = pipe.commands[0].args[0]
    if isinstance(word, tree.Field):
        return word.names
    if isinstance(word, tree.Variable) and word.names[0] == "$":
        return word.names[1:]
    return () if isinstance(word, tree.Dot) else None
