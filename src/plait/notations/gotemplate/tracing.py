"""Rendering that remembers: closures that collect what they read, and write text in pieces that know it.

This is a second way to run the same templates, compiled where the origin of a rendered value is asked for. A variable
keeps what its value was made from, a block knows the decisions that led into it, and a template the place that called
it. An ordinary rendering has none of this.
"""

from __future__ import annotations

from plait.notations.gotemplate import tree
from plait.notations.gotemplate.compile import (
    LITERALS,
    SPECIAL,
    SPECIAL_STAGE,
    Compiler,
    conform,
    displayed,
    pairs_of,
    unprintable,
)
from plait.notations.gotemplate.errors import BudgetError, Exhausted, TemplateFault
from plait.notations.gotemplate.execute import DEPTH, Enter, RenderState, run
from plait.notations.gotemplate.function import price
from plait.notations.gotemplate.ropes import (
    NOTHING,
    SHORTEST,
    Decision,
    PiecedOutput,
    TracedFrame,
    TracingReader,
    WrittenPiece,
    bare,
    collected,
)
from plait.notations.gotemplate.values import MISSING, is_true
from plait.notations.gotemplate.ways import calling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from plait.core.meter import Meter
    from plait.notations.gotemplate.compile import Expression, Stage
    from plait.notations.gotemplate.execute import Operation
    from plait.notations.gotemplate.function import Function
    from plait.notations.gotemplate.host import Host
    from plait.notations.gotemplate.sets import SetMember
    from plait.notations.gotemplate.values import Reads


class TracingCompiler(Compiler):
    """Compiles blocks to closures that collect what they read."""

    __slots__ = ()
    joins = False

    def text(self, node: tree.PlainText) -> Operation:
        def write(frame: Any, dot: Any) -> None:
            piece = WrittenPiece(node.text, frame.state.program, node.at, NOTHING, frame.why, frame.by, True)
            frame.state.output.add(piece)

        return write

    def action(self, node: tree.Action) -> Operation:
        computed = self.pipe(node.pipe)
        silent = bool(node.pipe.declares)

        def show(frame: Any, dot: Any) -> None:
            reader = frame.state.reader
            reader.short = reader.absent = None
            value, reads = collected(reader, lambda: computed(frame, dot))
            if silent:
                return
            rope = reader.rope(value)
            if rope is not None:
                if len(rope.text) < SHORTEST:
                    reads -= rope.reads()  # its pieces say where each belongs
                for piece in rope.pieces:
                    frame.state.output.add(piece.and_read(reads, frame.why))
                return
            text = value if value.__class__ is str else _shown(frame, value, node)
            state = frame.state
            state.output.add(WrittenPiece(text, state.program, node.at, reads, frame.why, frame.by, False))

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
            found, reads = collected(reader, lambda: kept(frame, dot))
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
        compares = _compares(node.pipe)
        writes = _writes(node.body)
        begins_line = _begins_line(node.body)

        def choose(frame: Any, dot: Any) -> Enter | None:
            reader = frame.state.reader

            reader.absent = None

            def decide() -> Any:
                value = pipe(frame, dot)
                if not binds:
                    reader.look(value)
                return value

            value, reads = collected(reader, decide)
            outcome = is_true(value)
            for slot in changed:
                frame.taints[slot] = frame.taints.get(slot, NOTHING) | reads
            decision = Decision(frame.state.program, node.at, outcome, reads, compares, begins_line)
            if otherwise is None if not outcome else not writes:
                _leave_gap(frame, decision)
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
        compares = _compares(node.pipe)
        begins_line = _begins_line(node.body)

        def loop(frame: Any, dot: Any) -> Enter | None:
            reader = frame.state.reader
            value, reads = collected(reader, lambda: pipe(frame, dot))
            try:
                pairs = pairs_of(frame, value, two, where)
            except TemplateFault as problem:
                problem.reads |= reads
                raise
            decision = Decision(frame.state.program, node.at, bool(pairs is not None), reads, compares, begins_line)
            if pairs is not None:
                inner = frame.inside(decision, NOTHING)
                items = _traced_items(inner, pairs, slots, reads)
                for first in items:
                    return Enter(body, first, inner, items)
            if otherwise is None:
                _leave_gap(frame, decision)
                return None
            return Enter(otherwise, dot, frame.inside(decision))

        return loop

    def call(self, node: tree.TemplateCall) -> Operation:
        plain = super().call(node)

        def enter(frame: Any, dot: Any) -> Enter:
            request, reads = collected(frame.state.reader, lambda: plain(frame, dot))
            made = request.frame
            request.frame = frame.called(made.state, made.root, reads, made.name, node.at)
            return request  # type: ignore[no-any-return]

        return enter

    # -- calls

    def function(
        self, word: tree.Identifier, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]
    ) -> Expression:
        found = self.table.get(word.text)
        if found is None or found.signature.complaint(len(args)) or found.call in SPECIAL:
            return super().function(word, node, args)
        self.price += price(found)
        getters = [self._separately(arg, index, found) for index, arg in enumerate(args)]
        call = calling(found, node)

        def value(frame: Any, dot: Any) -> Any:
            return call(frame, [getter(frame, dot) for getter in getters])

        return value

    def function_stage(
        self, word: tree.Identifier, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]
    ) -> Stage:
        found = self.table.get(word.text)
        if found is None or found.signature.complaint(len(args) + 1) or found.call in SPECIAL_STAGE:
            return super().function_stage(word, node, args)
        self.price += price(found)
        getters = [self._separately(arg, index, found) for index, arg in enumerate(args)]
        kind = found.signature.type_at(len(args))
        call = calling(found, node)

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
        if isinstance(node, LITERALS):
            return lambda frame, dot: (get(frame, dot), NOTHING)
        return lambda frame, dot: collected(frame.state.reader, lambda: get(frame, dot))


def _shown(frame: Any, value: Any, node: tree.TemplateNode) -> str:
    if value is MISSING or value is None:
        return "<no value>"
    try:
        shown = bare(frame.state.reader, value)
    except Exhausted as problem:
        raise unprintable(frame, value, node, problem) from None
    return displayed(frame, shown, node)


TRUTH = frozenset(("and", "or", "not", "empty", "hasKey", "quote", "toString"))
"""Functions that a condition may use and still ask only whether values are set."""


def _compares(pipe: tree.Pipe) -> bool:
    """Whether a condition looks at what values are, and not only whether they are set."""
    return any(isinstance(word, tree.Identifier) and word.text not in TRUTH for word in pipe.walk())


def _leave_gap(frame: Any, decision: Decision) -> None:
    """Remember that a condition kept a block away, where its text would be."""
    state = frame.state
    why = (*frame.why, decision)
    state.output.add(WrittenPiece("", state.program, decision.at, NOTHING, why, frame.by, False))


def _first(block: tree.Block) -> tree.TemplateNode | None:
    """The first node of a block that writes something."""
    return next((node for node in block.nodes if not _is_silent(node)), None)


def _is_silent(node: tree.TemplateNode) -> bool:
    return isinstance(node, tree.Action) and bool(node.pipe.declares)


def _writes(block: tree.Block) -> bool:
    return _first(block) is not None


def _begins_line(block: tree.Block) -> bool:
    """Whether what a block writes begins with a line break."""
    first = _first(block)
    while isinstance(first, tree.Branch):
        first = _first(first.body)
    if isinstance(first, tree.Action):
        last = first.pipe.commands[-1].args[0]
        return isinstance(last, tree.Identifier) and last.text == "nindent"
    return isinstance(first, tree.PlainText) and first.text.startswith("\n")


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
        pair, own = collected(reader, lambda: next(pairs, None))
        if pair is None:
            return
        index, item = pair
        frame.dot_reads = own | reads
        if slots:
            frame.variables[slots[-1]], frame.taints[slots[-1]] = item, own | reads
        if len(slots) == 2:
            is_position = reader.careful and isinstance(index, int)  # of a secret, it tells the length at most
            frame.variables[slots[0]], frame.taints[slots[0]] = index, NOTHING if is_position else reads
        yield item


def traced_text(
    member: SetMember, root: Any, host: Host, meter: Meter, reader: TracingReader, missing: str = "zero"
) -> list[WrittenPiece]:
    """The text that a template of a set writes, in pieces; the set must be compiled for tracing."""
    output = PiecedOutput(meter.budgets.size)
    state = RenderState(member, missing, host, meter, reader, output, DEPTH)
    try:
        run(state, member.template.main, root, TracedFrame(state, root, member.name))
    except RecursionError:
        raise BudgetError("the expressions nest too deeply", member.text, 0, name=member.name) from None
    return output.written
