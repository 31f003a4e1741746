"""Rendering that remembers: which part of the text was written by which place of a template, and what it read.

A leaf of the data may be `Traced`: a value with the reads that stand for it. While an expression runs, what it opens
is collected; a text that it writes gets the collection. A variable keeps what its value was made from, a map or list
keeps its leaves as they are, and a text that a template or `toYaml` made is a *rope*: its pieces stay known, also
through functions that only move text. A block that a decision led into knows that decision.

This is a second way to run the same templates: closures of its own are compiled where reads matter, and none of it is
there in an ordinary rendering.
"""

from __future__ import annotations

from plait.notations.gotemplate import goyaml, tree
from plait.notations.gotemplate.compile import (
    _GUARDED,
    _LITERALS,
    _SPECIAL,
    _SPECIAL_STAGE,
    Compiler,
    _displayed,
    _pairs,
    conform,
)
from plait.notations.gotemplate.errors import BudgetError, CallError, TemplateFault
from plait.notations.gotemplate.execute import DEPTH, Enter, Frame, Output, RenderState, run
from plait.notations.gotemplate.functions import price
from plait.notations.gotemplate.sets import INCLUDES, joined
from plait.notations.gotemplate.template import make
from plait.notations.gotemplate.values import MISSING, Reader, Traced, is_true

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from plait.core.meter import Meter
    from plait.notations.gotemplate.compile import Expression, Stage
    from plait.notations.gotemplate.execute import Operation
    from plait.notations.gotemplate.functions import Function
    from plait.notations.gotemplate.host import Host
    from plait.notations.gotemplate.sets import SetMember
    from plait.notations.gotemplate.values import Reads

NOTHING: Reads = frozenset()
SHORTEST = 2
"""Shorter texts are no ropes: Python may use one object for equal ones."""


class Decision:
    """A condition that led into a block, the values that it read, and what it decided."""

    __slots__ = ("at", "outcome", "program", "reads")

    def __init__(self, program: Any, at: int, outcome: bool, reads: Reads) -> None:
        self.program = program
        self.at = at
        self.outcome = outcome
        self.reads = reads


class CallSite:
    """Where a template was called from."""

    __slots__ = ("at", "by", "program")

    def __init__(self, program: Any, at: int, by: CallSite | None) -> None:
        self.program = program
        self.at = at
        self.by = by


class Written:
    """A piece of text: the place of the template that wrote it, what it read, and what led there."""

    __slots__ = ("at", "by", "is_literal", "program", "reads", "text", "why")

    def __init__(
        self,
        text: str,
        program: Any,
        at: int,
        reads: Reads,
        why: tuple[Decision, ...],
        by: CallSite | None,
        is_literal: bool,
    ) -> None:
        self.text = text
        self.program = program
        self.at = at
        self.reads = reads
        self.why = why
        self.by = by
        self.is_literal = is_literal
        """Whether it is text of the template itself, so that `at` moves on with it."""

    def part(self, start: int, end: int) -> Written:
        """Some of its characters."""
        at = self.at + start if self.is_literal else self.at
        return Written(self.text[start:end], self.program, at, self.reads, self.why, self.by, self.is_literal)

    def as_text(self, text: str) -> Written:
        """Another text with the same history."""
        return Written(text, self.program, self.at, self.reads, self.why, self.by, False)

    def and_read(self, reads: Reads, why: tuple[Decision, ...]) -> Written:
        """The same text, which something more led to."""
        return Written(self.text, self.program, self.at, self.reads | reads, why + self.why, self.by, self.is_literal)


class Rope:
    """A text in pieces."""

    __slots__ = ("pieces", "text")

    def __init__(self, text: str, pieces: list[Written]) -> None:
        self.text = text
        self.pieces = pieces

    def reads(self) -> Reads:
        """Everything that the text was made from, or that led to it."""
        return NOTHING.union(
            *(piece.reads for piece in self.pieces), *(one.reads for piece in self.pieces for one in piece.why)
        )

    def part(self, start: int, end: int) -> list[Written]:
        """The pieces between two places of the text."""
        found: list[Written] = []
        at = 0
        for piece in self.pieces:
            stop = at + len(piece.text)
            if at < end and stop > start:
                found.append(piece.part(max(start - at, 0), min(end - at, len(piece.text))))
            at = stop
        return found


class TracingReader(Reader):
    """Collects the reads of everything that is opened, and knows the ropes among the texts."""

    __slots__ = ("reads", "ropes")

    def __init__(self) -> None:
        super().__init__()
        self.reads: set[Any] = set()
        self.ropes: dict[int, Rope] = {}

    def open(self, value: Any) -> Any:
        if value.__class__ is Traced:
            self.reads |= value.reads
            return value.value
        return super().open(value)

    def rope(self, value: Any) -> Rope | None:
        """The pieces of a text that is a rope."""
        if value.__class__ is not str:
            return None
        rope = self.ropes.get(id(value))
        return rope if rope is not None and rope.text is value else None

    def keep(self, text: str, pieces: list[Written]) -> str:
        """A text that is a rope from now on."""
        if len(text) < SHORTEST:
            for piece in pieces:
                self.reads |= piece.reads
            return text
        fresh = "".join([text[:1], text[1:]])  # an object that nobody else has
        self.ropes[id(fresh)] = Rope(fresh, pieces)
        return fresh

    def look(self, value: Any) -> None:
        """A value is looked at as a whole: what it was made from counts as read."""
        rope = self.rope(value)
        if rope is not None:
            self.reads |= rope.reads()


def bare(reader: TracingReader, value: Any) -> Any:
    """A value without anything traced in it, all of which counts as read."""
    if value.__class__ is Traced:
        return reader.open(value)
    if isinstance(value, dict):
        return value.__class__((key, bare(reader, child)) for key, child in value.items())
    if isinstance(value, list):
        return value.__class__(bare(reader, child) for child in value)
    reader.look(value)
    return value


class TracedOutput(Output):
    """Output in pieces that know where they come from."""

    __slots__ = ("written",)

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.written: list[Written] = []

    def add(self, piece: Written) -> None:
        if piece.text:
            self.write(piece.text, piece.at)
            self.written.append(piece)


class TracedFrame(Frame):
    """A template's run that knows what led to it and what its values were made from."""

    __slots__ = ("by", "dot_reads", "root_reads", "taints", "why")

    def __init__(self, state: RenderState, root: Any, name: str, depth: int = 0) -> None:
        super().__init__(state, root, name, depth)
        self.why: tuple[Decision, ...] = ()
        self.by: CallSite | None = None
        self.taints: dict[int, Reads] = {}
        """What the values of variables were made from."""
        self.dot_reads: Reads = NOTHING
        self.root_reads: Reads = NOTHING

    def inside(self, decision: Decision, dot_reads: Reads | None = None) -> TracedFrame:
        """The same run, in a block that a decision led into."""
        frame = TracedFrame(self.state, self.root, self.name, self.depth)
        frame.variables, frame.taints = self.variables, self.taints
        frame.by, frame.root_reads = self.by, self.root_reads
        frame.why = (*self.why, decision)
        frame.dot_reads = self.dot_reads if dot_reads is None else dot_reads
        return frame

    def called(self, state: RenderState, root: Any, reads: Reads, name: str, at: int) -> TracedFrame:
        """The run of a template that this one calls."""
        frame = TracedFrame(state, root, name, self.depth + 1)
        frame.by = CallSite(self.state.program, at, self.by)
        frame.why = self.why
        frame.dot_reads = frame.root_reads = reads
        return frame


def _collected(reader: Any, work: Callable[[], Any]) -> tuple[Any, Reads]:
    """A value, and what was read for it alone."""
    outer, reader.reads = reader.reads, set()
    try:
        value = work()
        return value, frozenset(reader.reads)
    finally:
        reader.reads = outer


class TracingCompiler(Compiler):
    """Compiles blocks to closures that collect what they read."""

    __slots__ = ()

    def text(self, node: tree.PlainText) -> Operation:
        def write(frame: Any, dot: Any) -> None:
            piece = Written(node.text, frame.state.program, node.at, NOTHING, frame.why, frame.by, True)
            frame.state.output.add(piece)

        return write

    def action(self, node: tree.Action) -> Operation:
        computed = self.pipe(node.pipe)
        silent = bool(node.pipe.declares)

        def show(frame: Any, dot: Any) -> None:
            reader = frame.state.reader
            value, reads = _collected(reader, lambda: computed(frame, dot))
            if silent:
                return
            rope = reader.rope(value)
            if rope is not None:
                for piece in rope.pieces:
                    frame.state.output.add(piece.and_read(reads, frame.why))
                return
            text = value if value.__class__ is str else _shown(frame, value, node)
            state = frame.state
            state.output.add(Written(text, state.program, node.at, reads, frame.why, frame.by, False))

        return show

    def store(self, node: tree.Pipe, value: Expression) -> Expression:
        if node.assigns:
            kept = super().store(node, value)
            slots = [self.scope.get(variable.names[0]) for variable in node.declares]
        else:
            kept = super().store(node, value)
            slots = [self.scope[variable.names[0]] for variable in node.declares]

        def keep(frame: Any, dot: Any) -> Any:
            reader = frame.state.reader
            found, reads = _collected(reader, lambda: kept(frame, dot))
            decided = NOTHING.union(*(one.reads for one in frame.why)) if node.assigns else NOTHING
            for slot in slots:
                frame.taints[slot] = reads | decided
            reader.reads |= reads
            return found

        return keep

    def read(self, node: tree.Variable) -> Expression:
        plain = super().read(node)
        slot = self.scope.get(node.names[0])

        def reading(frame: Any, dot: Any) -> Any:
            reads = frame.taints.get(slot) if slot else frame.root_reads
            if reads:
                frame.state.reader.reads |= reads
            return plain(frame, dot)

        return reading

    def plain_word(self, node: tree.TemplateNode) -> Expression:
        if not isinstance(node, tree.Dot):
            return super().plain_word(node)

        def dot_itself(frame: Any, dot: Any) -> Any:
            frame.state.reader.reads |= frame.dot_reads
            return dot

        return dot_itself

    def branch(self, node: tree.Branch) -> Operation:
        outside = dict(self.scope)
        pipe = self.pipe(node.pipe)
        binds = isinstance(node, tree.With)
        body = self.inner(node.body, False if binds else None)
        otherwise = self.inner(node.otherwise)
        self.scope = outside
        assert body is not None
        changed = [slot for name in _assigned(node) if (slot := outside.get(name))]

        def choose(frame: Any, dot: Any) -> Enter | None:
            reader = frame.state.reader

            def decide() -> Any:
                value = pipe(frame, dot)
                if not binds:
                    reader.look(value)
                return value

            value, reads = _collected(reader, decide)
            outcome = is_true(value)
            for slot in changed:
                frame.taints[slot] = frame.taints.get(slot, NOTHING) | reads
            decision = Decision(frame.state.program, node.at, outcome, reads)
            if outcome:
                return Enter(body, value if binds else dot, frame.inside(decision, reads if binds else None))
            return Enter(otherwise, dot, frame.inside(decision)) if otherwise is not None else None

        return choose

    def range(self, node: tree.Range) -> Operation:
        outside = dict(self.scope)
        pipe = self.pipe(node.pipe)
        slots = [self.scope.get(variable.names[0]) for variable in node.pipe.declares]
        body, otherwise = self.inner(node.body, True), self.inner(node.otherwise)
        self.scope = outside
        assert body is not None
        two = len(slots) == 2
        where = node.pipe.commands[-1].args[0]

        def loop(frame: Any, dot: Any) -> Enter | None:
            reader = frame.state.reader
            value, reads = _collected(reader, lambda: pipe(frame, dot))
            pairs = _pairs(frame, value, two, where)
            decision = Decision(frame.state.program, node.at, bool(pairs is not None), reads)
            if pairs is not None:
                inner = frame.inside(decision, NOTHING)
                items = _traced_items(inner, pairs, slots, reads)
                for first in items:
                    return Enter(body, first, inner, items)
            return Enter(otherwise, dot, frame.inside(decision)) if otherwise is not None else None

        return loop

    def call(self, node: tree.TemplateCall) -> Operation:
        plain = super().call(node)

        def enter(frame: Any, dot: Any) -> Enter:
            request, reads = _collected(frame.state.reader, lambda: plain(frame, dot))
            made = request.frame
            request.frame = frame.called(made.state, made.root, reads, made.name, node.at)
            return request  # type: ignore[no-any-return]

        return enter

    # -- calls

    def function(
        self, word: tree.Identifier, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]
    ) -> Expression:
        found = self.table.get(word.text)
        if found is None or found.signature.complaint(len(args)) or found.call in _SPECIAL:
            return super().function(word, node, args)
        self.price += price(found)
        getters = [self._separately(arg, index, found) for index, arg in enumerate(args)]
        call = _call(found, node)

        def value(frame: Any, dot: Any) -> Any:
            return call(frame, [getter(frame, dot) for getter in getters])

        return value

    def function_stage(
        self, word: tree.Identifier, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]
    ) -> Stage:
        found = self.table.get(word.text)
        if found is None or found.signature.complaint(len(args) + 1) or found.call in _SPECIAL_STAGE:
            return super().function_stage(word, node, args)
        self.price += price(found)
        getters = [self._separately(arg, index, found) for index, arg in enumerate(args)]
        kind = found.signature.type_at(len(args))
        call = _call(found, node)

        def value(frame: Any, dot: Any, piped: Any) -> Any:
            reader = frame.state.reader
            before, reader.reads = frozenset(reader.reads), set()
            given = [getter(frame, dot) for getter in getters]
            last = conform(frame, piped, kind, node, found)
            return call(frame, [*given, (last, before)])

        return value

    def _separately(
        self, node: tree.TemplateNode, index: int, function: Function
    ) -> Callable[[Any, Any], tuple[Any, Reads]]:
        """An argument, with what was read for it alone."""
        get = self.argument(node, function.signature.type_at(index), function)
        if isinstance(node, _LITERALS):
            return lambda frame, dot: (get(frame, dot), NOTHING)
        return lambda frame, dot: _collected(frame.state.reader, lambda: get(frame, dot))


def _shown(frame: Any, value: Any, node: tree.TemplateNode) -> str:
    if value is MISSING or value is None:
        return "<no value>"
    return _displayed(frame, bare(frame.state.reader, value), node)


def _assigned(node: tree.Branch) -> set[str]:
    """The variables that a block gives other values."""
    return {
        variable.names[0]
        for inner in node.walk()
        if isinstance(inner, tree.Pipe) and inner.assigns
        for variable in inner.declares
    }


def _traced_items(frame: Any, pairs: Iterator[tuple[Any, Any]], slots: list[int | None], reads: Reads) -> Iterator[Any]:
    """The items, each after dot and the variables of the range were set, with what each was made from."""
    reader = frame.state.reader
    while True:
        pair, own = _collected(reader, lambda: next(pairs, None))
        if pair is None:
            return
        index, item = pair
        frame.dot_reads = own | reads
        if slots:
            frame.variables[slots[-1]], frame.taints[slots[-1]] = item, own | reads
        if len(slots) == 2:
            frame.variables[slots[0]], frame.taints[slots[0]] = index, reads
        yield item


# -- calling functions


def _call(function: Function, node: tree.TemplateNode) -> Callable[[Any, list[tuple[Any, Reads]]], Any]:
    """A call with arguments that are known with their reads; the way is by what the function does with them."""
    way = function.way or WAYS.get(function.name, _inspecting)

    def call(frame: Any, args: list[tuple[Any, Reads]]) -> Any:
        try:
            return frame.open(way(frame, function, args, node))
        except _GUARDED as problem:
            raise frame.call_failed(function.name, problem, node) from None

    return call


def _apply(frame: Any, function: Function, values: Iterable[Any]) -> Any:
    given = list(values)
    return function.call(frame, *given) if function.context else function.call(*given)


def _inspecting(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
    """A function that looks at all of its arguments: the result depends on everything in them."""
    reader = frame.state.reader
    for _, reads in args:
        reader.reads |= reads
    return _apply(frame, function, [bare(reader, value) for value, _ in args])


def _moving(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
    """A function that puts values into lists and maps, or takes them out: each keeps its own reads."""
    return _apply(frame, function, [_wrapped(value, reads) for value, reads in args])


def _looking_up(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
    """A function that takes a value out of a list or map: what chose the place counts as read."""
    reader = frame.state.reader
    for value, reads in args:
        if not isinstance(value, dict | list):
            reader.reads |= reads
    return _apply(frame, function, [value for value, _ in args])


def _wrapped(value: Any, reads: Reads) -> Any:
    plain = value.__class__ in (str, int, float, bool) or isinstance(value, int)
    return Traced(value, reads) if reads and plain else value


def _choosing(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
    """A function that gives one of its arguments: those up to the one that was chosen count as read."""
    reader = frame.state.reader
    order = args if function.name == "coalesce" else list(reversed(args))
    result = _apply(frame, function, [value for value, _ in args])
    for value, reads in order:
        reader.reads |= reads
        if value is result:
            break
        reader.look(value)
    return result


def _ternary(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
    reader = frame.state.reader
    (yes, yes_reads), (no, no_reads), (test, reads) = args
    reader.reads |= reads | (yes_reads if test else no_reads)
    return yes if test else no


def _passing(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
    """A function that only checks: `required`."""
    frame.state.reader.reads |= args[-1][1]
    return _apply(frame, function, [value for value, _ in args])


# -- texts that stay ropes


def _pieces_of(frame: Any, value: str, reads: Reads, node: tree.TemplateNode) -> list[Written]:
    """The pieces of a text: those of a rope, else one that this place of the template writes."""
    rope = frame.state.reader.rope(value)
    if rope is not None:
        return [piece.and_read(reads, ()) for piece in rope.pieces] if reads else rope.pieces
    return [Written(value, frame.state.program, node.at, reads, (), frame.by, False)]


def _transforming(
    change: Callable[[str, str, list[Any]], Iterator[tuple[str, int, int]]],
) -> Callable[[Any, Function, list[tuple[Any, Reads]], tree.TemplateNode], Any]:
    """A function on text of which it is known where each part of the result comes from: `change` gives, for the text
    and the result, pieces of the result, each with the part of the text that it is."""

    def way(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
        reader = frame.state.reader
        text, reads = args[-1]
        if reader.rope(text) is None:
            return _inspecting(frame, function, args, node)
        for value, other in args[:-1]:
            reader.reads |= other
            reader.look(value)
        result = _apply(frame, function, [value for value, _ in args])
        rope = Rope(text, _pieces_of(frame, text, reads, node))
        pieces: list[Written] = []
        for new, start, end in change(text, result, [value for value, _ in args]):
            if end > start:
                pieces += rope.part(start, end)
            elif new:
                pieces.append(Written(new, frame.state.program, node.at, NOTHING, (), frame.by, False))
        return (
            reader.keep(result, pieces)
            if "".join(p.text for p in pieces) == result
            else _given_up(reader, rope, result)
        )

    return way


def _given_up(reader: TracingReader, rope: Rope, result: str) -> str:
    """A result whose parts could not be told apart: it depends on the whole text."""
    reader.reads |= rope.reads()
    return result


def _indented(text: str, result: str, args: list[Any]) -> Iterator[tuple[str, int, int]]:
    """`indent`: space before every line."""
    space = " " * int(args[0])
    at = 0
    for line in text.split("\n"):
        if at:
            yield "", at - 1, at
        yield space, 0, 0
        yield "", at, at + len(line)
        at += len(line) + 1


def _indented_below(text: str, result: str, args: list[Any]) -> Iterator[tuple[str, int, int]]:
    """`nindent`: the same after a line break."""
    yield "\n", 0, 0
    yield from _indented(text, result, args)


def _cut(text: str, result: str, args: list[Any]) -> Iterator[tuple[str, int, int]]:
    """A function that only takes something away at the ends."""
    start = text.find(result) if result else 0
    yield "", start, start + len(result)


def _quoted(text: str, result: str, args: list[Any]) -> Iterator[tuple[str, int, int]]:
    """A text between quotes, as long as nothing in it had to be escaped."""
    yield result[:1], 0, 0
    yield "", 0, len(text)
    yield result[-1:], 0, 0


def _including(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
    """`include`: the text of another template, in pieces."""
    (name, _), (data, reads) = args
    frame.state.reader.look(name)
    program = frame.state.program
    block = program.block(name)
    if block is None:
        return function.call(frame, name, data)
    return _nested(frame, program.owner(name), block, data, reads, name, node)


def _nested(frame: Any, program: Any, block: Any, data: Any, reads: Reads, name: str, node: tree.TemplateNode) -> str:
    outer = frame.state
    reader = outer.reader
    output = TracedOutput(outer.meter.budgets.size)
    state = outer.apart(program, output)
    if state.inner > INCLUDES:
        raise CallError("rendering template has a nested reference name")
    root = MISSING if data is None else data
    inner = frame.called(state, root, reads, name, node.at)
    inner.why = ()
    _, _ = _collected(reader, lambda: run(state, block, root, inner))
    return str(reader.keep("".join(piece.text for piece in output.written), output.written))


def _templating(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
    """`tpl`: a text of the data that is a template. Its own text is there because the data say so."""
    (text, text_reads), (data, reads) = args
    reader = frame.state.reader
    source = Rope(text, _pieces_of(frame, text, text_reads, node))
    if "{{" not in text:
        return reader.keep(text, source.pieces)
    program = frame.state.program
    frame.meter.step(len(text))
    try:
        template = make(text, program.table, program.name, compiler=TracingCompiler)
    except TemplateFault as error:
        raise CallError(f"cannot parse template {text!r}: {error.message}") from None
    member = joined(template, program.set)
    made = _nested(frame, member, template.main, data, reads, program.name, node)
    rope = reader.rope(made)
    if rope is None:
        reader.reads |= source.reads()
        return made
    pieces = [one for piece in rope.pieces for one in _as_data(piece, member, source)]
    return reader.keep("".join(piece.text for piece in pieces), pieces)


def _as_data(piece: Written, member: Any, source: Rope) -> Iterator[Written]:
    """A piece that a template of the data wrote: its text is a part of the data, or what an action in it made."""
    if piece.program is not member:
        yield piece
    elif piece.is_literal:
        for part in source.part(piece.at, piece.at + len(piece.text)):
            yield part.and_read(NOTHING, piece.why)
    elif piece.text != "<no value>":
        around = source.part(piece.at, piece.at + 1)
        reads = NOTHING.union(*(one.reads for one in around))
        yield (around[0] if around else piece).as_text(piece.text).and_read(piece.reads | reads, piece.why)


def writing_yaml(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
    """`toYaml`: every leaf is a piece of its own."""
    value, reads = args[-1]
    reader = frame.state.reader
    program = frame.state.program

    def written(text: str, own: Reads) -> Written:
        return Written(text, program, node.at, own, (), frame.by, False)

    try:
        parts = list(goyaml.pieces(value))
    except CallError:
        return _inspecting(frame, function, args, node)
    pieces = [written(text, leaf.reads | reads if leaf.__class__ is Traced else reads) for text, leaf in parts if text]
    return reader.keep("".join(text for text, _ in parts), pieces)


def reading_text(decode: Callable[[str, Callable[[Any, int, int], Any]], Any]) -> Callable[..., Any]:
    """The way of a function that reads a text as data: every leaf depends on its own part of the text. `decode` is
    given the text and what makes a leaf of a value and the place of its text."""

    def way(frame: Any, function: Function, args: list[tuple[Any, Reads]], node: tree.TemplateNode) -> Any:
        text, reads = args[-1]
        reader = frame.state.reader
        rope = reader.rope(text)
        if rope is None:
            return _inspecting(frame, function, args, node)

        def leaf(value: Any, start: int, end: int) -> Any:
            own = Rope(text, rope.part(start, end)).reads() | reads
            return Traced(value, own) if own and value is not None else value

        try:
            return decode(text, leaf)
        except CallError:
            return _inspecting(frame, function, args, node)

    return way


_MOVERS = (
    "dict list tuple set unset append prepend mustAppend mustPrepend pick omit deepCopy mustDeepCopy concat rest initial "
    "reverse slice values merge mustMerge mergeOverwrite mustMergeOverwrite"
)
WAYS: dict[str, Callable[[Any, Function, list[tuple[Any, Reads]], tree.TemplateNode], Any]] = {
    **dict.fromkeys(_MOVERS.split(), _moving),
    **dict.fromkeys(
        ["get", "index", "first", "last", "dig", "pluck", "hasKey", "keys", "kindIs", "kindOf", "len"], _looking_up
    ),
    **dict.fromkeys(("default", "coalesce"), _choosing),
    "ternary": _ternary,
    "required": _passing,
    "indent": _transforming(_indented),
    "nindent": _transforming(_indented_below),
    **dict.fromkeys(["trim", "trimAll", "trimSuffix", "trimPrefix", "trunc", "toString"], _transforming(_cut)),
    **dict.fromkeys(("quote", "squote"), _transforming(_quoted)),
    "include": _including,
    "tpl": _templating,
}
"""What functions do with what they are given; all others look at everything."""


def traced_text(member: SetMember, root: Any, host: Host, meter: Meter, reader: TracingReader) -> list[Written]:
    """The text that a template of a set writes, in pieces; the set must be compiled for tracing."""
    output = TracedOutput(meter.budgets.size)
    state = RenderState(member, "zero", host, meter, reader, output, DEPTH)
    try:
        run(state, member.template.main, root, TracedFrame(state, root, member.name))
    except RecursionError:
        raise BudgetError("the expressions nest too deeply", member.text, 0, name=member.name) from None
    return output.written
