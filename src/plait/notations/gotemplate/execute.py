"""Running a compiled template: blocks on a stack of our own, expressions as closures, everything within a budget.

`if`, `with`, `range` and `template` push what comes after them and go on with their block, so neither nesting nor
recursion of templates uses Python's stack. A run has no effect but its output: the evaluator may stop it and
start it again.
"""

from __future__ import annotations

from plait.notations.gotemplate.errors import BudgetError, DeniedError, ExecError, Exhausted, Refused
from plait.notations.gotemplate.values import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from plait.notations.gotemplate.compile import CompiledBlock, Program
    from plait.notations.gotemplate.host import Host
    from plait.notations.gotemplate.tree import Node

    Operation = Callable[["Frame", Any], Any]


class Budget:
    """How much one rendering may do."""

    __slots__ = ("depth", "size", "steps")

    def __init__(self, steps: int = 10_000_000, size: int = 64_000_000, depth: int = 100_000) -> None:
        self.steps = steps
        self.size = size  # of the output, and of any one text or list, in characters or items
        self.depth = depth  # of templates that call templates


class Output:
    """What the template has written so far."""

    __slots__ = ("left", "pieces")

    def __init__(self, limit: int) -> None:
        self.pieces: list[str] = []
        self.left = limit

    def write(self, text: str, at: int) -> None:
        self.left -= len(text)
        if self.left < 0:
            raise Exhausted("the output is longer than its budget", at)
        self.pieces.append(text)


class TracedOutput(Output):
    """Output that also remembers the place in the template each piece comes from."""

    __slots__ = ("marks",)

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.marks: list[int] = []

    def write(self, text: str, at: int) -> None:
        super().write(text, at)
        self.marks.append(at)


class State:
    """One rendering: what all its templates share."""

    __slots__ = ("budget", "host", "missing", "output", "program", "reader", "steps", "write")

    def __init__(
        self, program: Program, missing: str, host: Host, budget: Budget, reader: Reader, output: Output
    ) -> None:
        self.program = program
        self.missing = missing
        self.host = host
        self.budget = budget
        self.reader = reader
        self.output = output
        self.write = output.write
        self.steps = 0


class Frame:
    """One template's run: its `$`, its variables, and the rendering it belongs to."""

    __slots__ = ("depth", "name", "root", "state", "variables")

    def __init__(self, state: State, root: Any, name: str, depth: int = 0) -> None:
        self.state = state
        self.root = root
        self.name = name
        self.depth = depth
        self.variables: dict[int, Any] = {}

    @property
    def host(self) -> Host:
        return self.state.host

    @property
    def limit(self) -> int:
        """How many characters or items one value may have."""
        return self.state.budget.size

    def open(self, value: Any) -> Any:
        return self.state.reader.open(value)

    def fail(self, message: str, node: Node, *, hint: str = "", kind: type[ExecError] = ExecError) -> ExecError:
        program = self.state.program
        return kind(message, program.text, node.at, name=program.name, culprit=str(node), hint=hint)

    def call_failed(self, name: str, problem: BaseException, node: Node) -> ExecError:
        """The error of a call that did not work out."""
        message = f"error calling {name}: {str(problem) or problem.__class__.__name__}"
        if isinstance(problem, Exhausted):
            return self.fail(message, node, kind=BudgetError)
        if isinstance(problem, Refused):
            return self.fail(message, node, hint=f"allow it with --allow {problem.capability}", kind=DeniedError)
        return self.fail(message, node)


class Enter:
    """The request of an operation to go on with a block."""

    __slots__ = ("block", "dot", "frame", "loop")

    def __init__(self, block: CompiledBlock, dot: Any, frame: Frame, loop: Iterator[Any] | None = None) -> None:
        self.block = block
        self.dot = dot
        self.frame = frame
        self.loop = loop


class Leave:
    """The request to end an iteration, and perhaps its loop."""

    __slots__ = ("ends_loop",)

    def __init__(self, ends_loop: bool) -> None:
        self.ends_loop = ends_loop


BREAK, CONTINUE = Leave(True), Leave(False)
_DONE = object()


def run(state: State, block: CompiledBlock, dot: Any) -> None:
    """Run a block and everything it leads to."""
    frame = Frame(state, dot, state.program.name)
    operations, index, loop = block.operations, 0, None
    stack: list[tuple[tuple[Operation, ...], int, Any, Frame, Iterator[Any] | None]] = []
    left = state.budget.steps
    try:
        while True:
            while index < len(operations):
                request = operations[index](frame, dot)
                index += 1
                left -= 1
                if request is None:
                    continue
                if left < 0:
                    raise Exhausted(f"more than {state.budget.steps} steps", block.at)
                if request.__class__ is Enter:
                    stack.append((operations, index, dot, frame, loop))
                    dot, frame, loop = request.dot, request.frame, request.loop
                    block = request.block
                    operations, index = block.operations, 0
                    continue
                while loop is None:
                    operations, index, dot, frame, loop = stack.pop()
                if request.ends_loop:
                    operations, index, dot, frame, loop = stack.pop()
                    continue
                index = len(operations)
            if loop is not None:
                item = next(loop, _DONE)
                if item is not _DONE:
                    left -= 1
                    if left < 0:
                        raise Exhausted(f"more than {state.budget.steps} steps", block.at)
                    dot, index = item, 0
                    continue
            if not stack:
                return
            operations, index, dot, frame, loop = stack.pop()
    except Exhausted as problem:
        raise BudgetError(str(problem), state.program.text, problem.at, name=state.program.name) from None
    finally:
        state.steps = state.budget.steps - left
