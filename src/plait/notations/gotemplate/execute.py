"""Running a compiled template: blocks on a stack of our own, expressions as closures, everything within a budget.

`if`, `with`, `range` and `template` push what comes after them and go on with their block, so neither nesting nor
recursion of templates uses Python's stack. A run has no effect but its output: the evaluator may stop it and
start it again.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from plait.core.meter import SLICE, Budgets, Meter, Overrun
from plait.notations.gotemplate.errors import (
    BudgetError,
    CallError,
    DeniedError,
    ExecError,
    Exhausted,
    Refused,
    TemplateError,
)
from plait.notations.gotemplate.values import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Protocol

    from plait.notations.gotemplate.host import Host
    from plait.notations.gotemplate.tree import TemplateNode

    Operation = Callable[["Frame", Any], Any]

    class Block(Protocol):
        """A sequence of operations, as `compile.py` makes it."""

        @property
        def at(self) -> int: ...

        @property
        def operations(self) -> tuple[Operation, ...]: ...

        prices: list[int]
        """What each operation costs, in steps; complete once the operations are there."""

    class RunnableTemplate(Protocol):
        """A template that can be run, as `compile.py` makes it."""

        name: str
        text: str

        @property
        def defined(self) -> Iterable[str]: ...

        def owner(self, name: str) -> RunnableTemplate: ...

        def block(self, name: str) -> Block | None: ...


DEPTH = 100_000
"""How deep templates may call templates, unless a budget says otherwise."""


class Budget:
    """How much one rendering may do, where it is not part of a larger run."""

    __slots__ = ("budgets", "depth")

    def __init__(self, steps: int = 10_000_000, size: int = 64_000_000, depth: int = DEPTH) -> None:
        self.budgets = Budgets(steps=steps, size=size)
        """`size` is that of the output, and of any one text or list, in characters or bytes."""
        self.depth = depth  # of templates that call templates

    def meter(self) -> Meter:
        return Meter(self.budgets)


class Output:
    """What the template has written so far."""

    __slots__ = ("chunks", "left", "limit", "pieces")

    def __init__(self, limit: int) -> None:
        self.pieces: list[str] = []
        self.chunks: list[str] = []
        self.limit = self.left = limit

    def write(self, text: str, at: int) -> None:
        self.left -= len(text)
        if self.left < 0:
            raise Exhausted(f"more than {self.limit:,} characters of output; --max-size raises the limit", at)
        self.pieces.append(text)

    def flush(self) -> None:
        """Join the pieces: they take far more memory than the text they hold."""
        self.chunks.append("".join(self.pieces))
        self.pieces.clear()

    def text(self) -> str:
        """Everything that was written."""
        if not self.chunks:
            return "".join(self.pieces)
        self.flush()
        return "".join(self.chunks)


_BREAK = re.compile("\n")


@lru_cache(maxsize=1024)
def line_breaks(text: str) -> list[int]:
    """Where the lines of a template end; a template is rendered for many targets."""
    return [mark.start() for mark in _BREAK.finditer(text)]


MANY = 20_000
"""How many pieces wait to be traced: most outputs are never asked which line wrote which."""


class TracedOutput(Output):
    """Output that also knows, for each of its lines (from 0), the line of the template (from 0) that wrote it."""

    __slots__ = ("_at_start", "_breaks", "_last", "lines", "marks", "template")

    def __init__(self, limit: int, template: str) -> None:
        super().__init__(limit)
        self.marks: list[int] = []
        self.template = template
        self.lines: list[int] = []
        self._breaks: list[int] | None = None
        self._at_start = True
        self._last = 0

    def write(self, text: str, at: int) -> None:
        self.marks.append(at)
        super().write(text, at)

    def flush(self) -> None:
        if len(self.pieces) > MANY:
            self.keep()

    def keep(self) -> None:
        """Trace and join what was written so far."""
        self._trace()
        self.marks.clear()
        super().flush()

    def text(self) -> str:
        if self.chunks:
            self.keep()
        return super().text()

    def line_map(self) -> list[int]:
        """For each line of the output, the line of the template that wrote its first character."""
        self.keep()
        return [*self.lines, self._last] if self._at_start else self.lines

    def _line_of(self, at: int) -> int:
        if self._breaks is None:
            self._breaks = line_breaks(self.template)
        return bisect_left(self._breaks, at)

    def _trace(self) -> None:
        for piece, at in zip(self.pieces, self.marks, strict=True):
            if not piece:
                continue
            line = self._line_of(at)
            literal = self.template.startswith(piece, at)  # a piece of the template's own text moves on with it
            if self._at_start:
                self.lines.append(line)
            breaks = piece.count("\n")
            self.lines.extend(line + number if literal else line for number in range(1, breaks + 1))
            self._at_start = piece[-1] == "\n"
            if self._at_start:
                self.lines.pop()
            self._last = line + breaks if literal else line


class LineMap:
    """For each line of an output, from 0, the line of the template that wrote it; worked out when it is asked for."""

    __slots__ = ("_lines", "_output")

    def __init__(self, output: TracedOutput) -> None:
        self._output = output
        self._lines: list[int] | None = None

    def _known(self) -> list[int]:
        if self._lines is None:
            self._lines = self._output.line_map()
        return self._lines

    def __len__(self) -> int:
        return len(self._known())

    def __getitem__(self, at: int) -> int:
        return self._known()[at]

    def __iter__(self) -> Iterator[int]:
        return iter(self._known())

    def __eq__(self, other: object) -> bool:
        """The same lines, whoever holds them."""
        return self._known() == list(other) if isinstance(other, LineMap | list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._known())


class RenderState:
    """One rendering: what all its templates share."""

    __slots__ = ("charged", "depth", "host", "inner", "missing", "output", "program", "reader", "write")

    def __init__(
        self,
        program: RunnableTemplate,
        missing: str,
        host: Host,
        meter: Meter | None,
        reader: Reader,
        output: Output,
        depth: int,
    ) -> None:
        self.program = program
        self.missing = missing
        self.host = host
        self.charged = meter
        """None as long as nothing was charged: most templates that are rendered alone are small."""
        self.reader = reader
        self.output = output
        self.write: Callable[[str, int], None] = output.write
        self.depth = depth
        self.inner = 0
        """How many renderings this one is inside of: those of functions that render."""

    def within(self, program: RunnableTemplate, at: int) -> RenderState:
        """The same rendering, as a template of another file goes on with it: its errors are about that file, and its
        text counts as written by the place that called it."""
        state = RenderState(program, self.missing, self.host, self.meter, self.reader, self.output, self.depth)
        state.inner = self.inner
        write = self.write

        def write_here(text: str, _: int) -> None:
            write(text, at)

        state.write = write_here
        return state

    def apart(self, program: RunnableTemplate, output: Output) -> RenderState:
        """A rendering inside this one, whose text is a value."""
        state = RenderState(program, self.missing, self.host, self.meter, self.reader, output, self.depth)
        state.inner = self.inner + 1
        return state

    @property
    def meter(self) -> Meter:
        """The meter of the run; one of its own where the template is rendered alone."""
        if self.charged is None:
            self.charged = Meter()
        return self.charged


class Frame:
    """One template's run: its `$`, its variables, and the rendering it belongs to."""

    __slots__ = ("depth", "name", "root", "state", "variables")

    def __init__(self, state: RenderState, root: Any, name: str, depth: int = 0) -> None:
        self.state = state
        self.root = root
        self.name = name
        self.depth = depth
        self.variables: dict[int, Any] = {}

    @property
    def host(self) -> Host:
        return self.state.host

    @property
    def meter(self) -> Meter:
        return self.state.meter

    def make(self, size: int) -> None:
        """A value of so many bytes is about to be made."""
        self.state.meter.make(size)

    def open(self, value: Any) -> Any:
        return self.state.reader.open(value)

    def fail(
        self,
        message: str,
        node: TemplateNode,
        *,
        hint: str = "",
        kind: type[TemplateError] = ExecError,
        about: Any = None,
    ) -> TemplateError:
        """An error at a place; `about` is the value that it failed with."""
        program = self.state.program
        return kind(message, program.text, node.at, name=program.name, culprit=str(node), hint=hint)

    def led_to(self, problem: TemplateError, node: TemplateNode) -> TemplateError:
        """The error of a template that this one called, which also names this place."""
        program = self.state.program
        problem.callers.append((program.name, program.text, node.at))
        return problem

    def call_failed(self, name: str, problem: BaseException, node: TemplateNode) -> TemplateError:
        """The error of a call that did not work out."""
        if isinstance(problem, BudgetError):
            return problem  # of a template that this one includes
        if isinstance(problem, Overrun):
            program = self.state.program
            doing = f"error calling {name}: " if name else ""
            return BudgetError.of(problem, program.text, node.at, name=program.name, culprit=str(node), doing=doing)
        said = TOO_DEEP if isinstance(problem, RecursionError) else str(problem)
        if not said and not isinstance(problem, CallError):
            said = problem.__class__.__name__
        message = f"error calling {name}: {said}"
        if isinstance(problem, Exhausted):
            return self.fail(message, node, kind=problem.kind)
        if isinstance(problem, Refused):
            hint = f"allow it with --allow {problem.capability}"
            denied = self.fail(message, node, hint=hint, kind=DeniedError)
            assert isinstance(denied, DeniedError)
            denied.why = problem.why
            return denied
        return self.fail(message, node, hint=problem.hint if isinstance(problem, CallError) else "")


class Enter:
    """The request of an operation to go on with a block."""

    __slots__ = ("block", "dot", "frame", "loop")

    def __init__(self, block: Block, dot: Any, frame: Frame, loop: Iterator[Any] | None = None) -> None:
        self.block = block
        self.dot = dot
        self.frame = frame
        self.loop = loop


class Leave:
    """The request to end an iteration, and perhaps its loop."""

    __slots__ = ("ends_loop",)

    def __init__(self, ends_loop: bool) -> None:
        self.ends_loop = ends_loop


TOO_DEEP = "it calls itself, or its data nest, too deeply"
BREAK, CONTINUE = Leave(True), Leave(False)
_DONE = object()
ROUND = 4
"""Steps for one round of a loop."""


def _charge(state: RenderState, left: int) -> int:
    """Charge the steps that were made, and begin to count again."""
    state.meter.step(SLICE - left)
    state.output.flush()
    return SLICE


def run(state: RenderState, block: Block, dot: Any, first: Frame | None = None) -> None:
    """Run a block and everything it leads to. `first` is the frame that it begins with, where that is not a new one."""
    frame = first or Frame(state, dot, state.program.name)
    operations, index, loop = block.operations, 0, None
    prices = block.prices
    stack: list[tuple[tuple[Operation, ...], list[int], int, Any, Frame, Iterator[Any] | None]] = []
    left = SLICE
    try:
        while True:
            while index < len(operations):
                request = operations[index](frame, dot)
                left -= prices[index]
                index += 1
                if left < 0:
                    left = _charge(state, left)
                if request is None:
                    continue
                if request.__class__ is Enter:
                    stack.append((operations, prices, index, dot, frame, loop))
                    dot, frame, loop = request.dot, request.frame, request.loop
                    block = request.block
                    operations, prices, index = block.operations, block.prices, 0
                    continue
                while loop is None:
                    operations, prices, index, dot, frame, loop = stack.pop()
                if request.ends_loop:
                    operations, prices, index, dot, frame, loop = stack.pop()
                    continue
                index = len(operations)
            if loop is not None:
                item = next(loop, _DONE)
                if item is not _DONE:
                    left -= ROUND
                    if left < 0:
                        left = _charge(state, left)
                    dot, index = item, 0
                    continue
            if not stack:
                return
            operations, prices, index, dot, frame, loop = stack.pop()
    except Exhausted as problem:
        raise problem.kind(str(problem), state.program.text, problem.at, name=state.program.name) from None
    except BudgetError:
        raise
    except Overrun as overrun:
        raise BudgetError.of(overrun, state.program.text, block.at, name=state.program.name) from None
    finally:
        if state.charged is not None:
            state.charged.steps += SLICE - left
