"""From tree to closures: names become slots, literals become constants, signatures become checks, once.

An expression is a closure of (frame, dot). Blocks are compiled when they are first reached, so a branch that is
never taken costs nothing. What Go finds out only when it runs, such as a wrong number of arguments, is an error
here too only when the closure runs.

The closures that every template is full of keep what they need in defaults: locals are faster than cells, and a
process that holds thousands of templates has a third fewer objects for the garbage collector to visit.
"""

from __future__ import annotations

from plait.core.meter import ITEM, Overrun
from plait.notations.gotemplate import tree
from plait.notations.gotemplate.errors import CallError, Exhausted, TemplateError, TemplateFault
from plait.notations.gotemplate.execute import BREAK, CONTINUE, Enter, Frame
from plait.notations.gotemplate.format import USUAL, display
from plait.notations.gotemplate.function import ANY, BY_LETTER, MAP, METHOD, REFLECT, Function, Table, Type, price
from plait.notations.gotemplate.positions import part
from plait.notations.gotemplate.values import (
    LARGE,
    LIST_CLASSES,
    MAP_CLASSES,
    MAX_PARTS,
    MISSING,
    TYPE_NAMES,
    TYPED_LISTS,
    FunctionSpace,
    GoType,
    Int64,
    Ints,
    LazyList,
    LazyMap,
    Object,
    StringMap,
    Uint32,
    is_lazy,
    is_true,
    lookup,
    plain,
    sorted_keys,
    type_name,
)
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeGuard

    from plait.notations.gotemplate.execute import Operation

    Expression = Callable[[Frame, Any], Any]
    Stage = Callable[[Frame, Any, Any], Any]
    Scope = dict[str, int]

_INTERFACE = "interface {}"
_START: Scope = {"$": 0}
GUARDED = (CallError, Exhausted, ArithmeticError, ValueError, RecursionError, MemoryError, Overrun)
"""What a function may raise about its arguments. Go recovers from a function's panic in the same way."""
_PLAIN = frozenset((list, dict, *TYPED_LISTS, StringMap))
_SIZED = _PLAIN | {str}
_HEAVY = _PLAIN | {LazyMap, LazyList}
_SHALLOW = frozenset(
    (
        *("and", "coalesce", "default", "dict", "dig", "empty", "first", "get", "hasKey", "index", "int", "kindIs"),
        *("kindOf", "last", "len", "list", "not", "or", "set", "ternary", "tuple", "typeIs", "typeOf", "unset"),
    )
)
"""Functions that look at no more of a value than one part: how large it is makes no difference to them."""
_HANDING_ON = _SHALLOW | {"include", "tpl"}
"""Functions that look through none of their arguments: these two hand data on, and charge for the text they render."""
PRINTED = 4
"""Steps for each part of a value that a function looks through, or that is printed."""
OPERATION = 2
"""Steps for one operation, besides its words and the functions that it calls."""
_ACCESSES = (tree.Field, tree.Variable, tree.FieldChain)
LITERALS = (tree.Number, tree.String, tree.Bool)


class CompiledTemplate:
    """A template ready to run: its blocks by name, with the functions they may call."""

    __slots__ = ("_blocks", "changes", "compiler", "main", "name", "table", "text", "tree")

    def __init__(self, parsed: tree.ParsedTemplate, table: Table, compiler: type[Compiler] | None = None) -> None:
        self.compiler = compiler or Compiler
        self.tree = parsed
        self.name = parsed.name
        self.text = parsed.text
        self.table = table
        self.main = CompiledBlock(table, parsed.root, _START, compiler=self.compiler)
        self._blocks: dict[str, CompiledBlock] | None = None  # most templates define no others
        self.changes = table.changes(parsed.functions)

    @property
    def defined(self) -> Iterable[str]:
        """The names of the templates that it defines."""
        return self.tree.defined

    def owner(self, name: str) -> CompiledTemplate:
        """The template whose text defines a name: one that stands alone has them all."""
        return self

    def block(self, name: str) -> CompiledBlock | None:
        """A template by its name."""
        if self._blocks is None:
            defined = self.tree.defined.items()
            self._blocks = {
                key: CompiledBlock(self.table, block, _START, compiler=self.compiler) for key, block in defined
            }
            self._blocks[self.name] = self.main
        return self._blocks.get(name)


class CompiledBlock:
    """A block whose operations are made when they are first needed. Knows no program, so that no ring is formed."""

    __slots__ = ("_node", "_operations", "_scope", "_table", "compiler", "element", "prices")

    def __init__(
        self, table: Table, node: tree.Block, scope: Scope, element: bool = False, *, compiler: type[Compiler]
    ) -> None:
        self.compiler = compiler
        self._table = table
        self._node = node
        self._scope = scope
        self.element = element  # whether dot is an item of a list or map
        self._operations: tuple[Operation, ...] | None = None
        self.prices: list[int] = []
        """What each operation costs, in steps."""

    @property
    def at(self) -> int:
        return self._node.at

    @property
    def operations(self) -> tuple[Operation, ...]:
        if self._operations is None:
            compiler = self.compiler(self._table, dict(self._scope), self.element)
            self._operations = compiler.block(self._node)
            self.prices = compiler.prices
        return self._operations


class Compiler:
    """Compiles one block, in the order of the text; `scope` is what the variables' names mean so far."""

    __slots__ = ("element", "price", "prices", "scope", "table")
    joins = True
    """Whether a text and the value after it are written by one operation."""

    def __init__(self, table: Table, scope: Scope, element: bool = False) -> None:
        self.table = table
        self.scope = scope
        self.element = element
        self.price = 0
        """What the operation that is being compiled costs, in steps: more for every function that it calls."""
        self.prices: list[int] = []

    # -- statements

    def block(self, node: tree.Block) -> tuple[Operation, ...]:
        made: list[Operation] = []
        before: tree.TemplateNode | None = None
        for item in node.nodes:
            if self.joins and isinstance(before, tree.PlainText) and _is_shown(item):
                self.price = self.prices.pop() + OPERATION
                made[-1] = self.shown(item, before)
            else:
                self.price = OPERATION
                made.append(getattr(self, _STATEMENTS[item.__class__])(item))
            self.prices.append(self.price)
            before = item
        return tuple(made)

    def text(self, node: tree.PlainText) -> Operation:
        def write(frame: Frame, dot: Any, text: str = node.text, at: int = node.at) -> None:
            frame.state.write(text, at)

        return write

    def action(self, node: tree.Action) -> Operation:
        if node.pipe.declares:
            computed = self.pipe(node.pipe)

            def silent(frame: Frame, dot: Any) -> None:
                computed(frame, dot)

            return silent
        fixed = _fixed_text(node.pipe)
        if fixed is not None:
            return self.text(tree.PlainText(node.at, fixed))
        return self.shown(node, None)

    def shown(self, node: tree.Action, before: tree.PlainText | None) -> Operation:
        """Write a value, after the text before it."""
        start, then = self.commands(node.pipe)
        text, text_at = (before.text, before.at) if before is not None else ("", 0)

        def show(
            frame: Frame, dot: Any, first: Expression = start, stages: list[Stage] = then, at: int = node.at
        ) -> None:
            write = frame.state.write
            if text:
                write(text, text_at)
            value = first(frame, dot)
            for stage in stages:
                value = stage(frame, dot, MISSING if value is None else value)
            cls = value.__class__
            if cls is str:
                write(value, at)
            elif cls is int and -USUAL < value < USUAL:
                write(int.__repr__(value), at)
            elif value is MISSING or value is None:
                write("<no value>", at)
            else:
                write(displayed(frame, value, node), at)

        return show

    def inner(self, block: tree.Block | None, element: bool | None = None) -> CompiledBlock | None:
        if block is None:
            return None
        element = self.element if element is None else element
        return CompiledBlock(self.table, block, self.scope, element, compiler=self.__class__)

    def branch(self, node: tree.Branch) -> Operation:
        outside = dict(self.scope)  # the blocks keep the one of the condition
        pipe = self.pipe(node.pipe)
        binds = isinstance(node, tree.With)
        body, otherwise = self.inner(node.body, False if binds else None), self.inner(node.otherwise)
        self.scope = outside
        assert body is not None

        def choose(frame: Frame, dot: Any) -> Enter | None:
            value = pipe(frame, dot)
            if is_true(value):
                return Enter(body, value if binds else dot, frame)
            return Enter(otherwise, dot, frame) if otherwise is not None else None

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

        def loop(frame: Frame, dot: Any) -> Enter | None:
            value = pipe(frame, dot)
            items: Iterator[Any] | None
            if not slots and isinstance(value, LIST_CLASSES):
                items = _opened(frame, value)
            elif (pairs := pairs_of(frame, value, two, where)) is not None:
                items = _items(frame, pairs, slots) if slots else (item for _, item in pairs)
            else:
                items = None
            for first in items or ():
                return Enter(body, first, frame, items)
            return Enter(otherwise, dot, frame) if otherwise is not None else None

        return loop

    def call(self, node: tree.TemplateCall) -> Operation:
        pipe = self.pipe(node.pipe) if node.pipe is not None else None
        name = node.name

        def enter(frame: Frame, dot: Any) -> Enter:
            program = frame.state.program
            block = program.block(name)
            if block is None:
                raise frame.fail(f'template "{name}" not defined', node, hint=did_you_mean(name, program.defined))
            if frame.depth >= frame.state.depth:
                raise Exhausted(f"exceeded maximum template depth ({frame.state.depth})", node.at)
            value = pipe(frame, dot) if pipe is not None else MISSING
            owner = program.owner(name)
            state = frame.state if owner is program else frame.state.within(owner, node.at)
            return Enter(block, value, Frame(state, value, name, frame.depth + 1))

        return enter

    def jump(self, node: tree.TemplateNode) -> Operation:
        request = BREAK if isinstance(node, tree.Break) else CONTINUE
        return lambda frame, dot: request

    # -- pipelines

    def pipe(self, node: tree.Pipe) -> Expression:
        start, then = self.commands(node)

        def value(frame: Frame, dot: Any, first: Expression = start, stages: list[Stage] = then) -> Any:
            found = first(frame, dot)
            for stage in stages:
                found = stage(frame, dot, MISSING if found is None else found)
            return MISSING if found is None else found

        return self.store(node, value) if node.declares else value

    def commands(self, node: tree.Pipe) -> tuple[Expression, list[Stage]]:
        """The first command, and those that take the value of the one before."""
        first, *others = node.commands
        self.price += len(first.args)
        start = self.command(first)
        if not others:
            return start, []
        self.price += sum([len(command.args) for command in others])
        return start, [self.stage(command) for command in others]

    def store(self, node: tree.Pipe, value: Expression) -> Expression:
        """Keep the value of a pipeline in its variables."""
        if node.assigns:
            for variable in node.declares:
                if variable.names[0] not in self.scope:
                    return _after(value, _failing(f"undefined variable: {variable.names[0]}", variable))
            slots = [self.scope[variable.names[0]] for variable in node.declares]
        else:
            slots = [self.declare(variable.names[0], variable.at) for variable in node.declares]

        def keep(frame: Frame, dot: Any) -> Any:
            found = value(frame, dot)
            for slot in slots:
                frame.variables[slot] = found
            return found

        return keep

    def declare(self, name: str, at: int) -> int:
        """A slot of its own for every place that declares a variable."""
        slot = self.scope[name] = at + 1
        return slot

    def command(self, node: tree.PipeCommand) -> Expression:
        word = node.args[0]
        rest = node.args[1:]
        if isinstance(word, tree.Identifier):
            return self.function(word, node, rest)
        if isinstance(word, _ACCESSES):
            return self.operand(word, rest)
        if rest:
            return _failing(f"can't give argument to non-function {word}", word)
        if isinstance(word, tree.Nil):
            return _failing("nil is not a command", word)
        return self.operand(word, ())

    def stage(self, node: tree.PipeCommand) -> Stage:
        """A command that takes the value of the one before it as its last argument."""
        word = node.args[0]
        rest = node.args[1:]
        if isinstance(word, tree.Identifier):
            return self.function_stage(word, node, rest)
        if isinstance(word, _ACCESSES):
            return self.access(word, rest)
        return _failing_stage(f"can't give argument to non-function {word}", word)

    # -- values

    def operand(self, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...] = ()) -> Expression:
        """The value of a word, whatever type is wanted."""
        if isinstance(node, _ACCESSES):
            self.price += 2 * len(node.names)
        if isinstance(node, tree.Field) and not args:
            return self.field(node)
        if isinstance(node, tree.Variable):
            if len(node.names) == 1 and args:
                return _failing(f"can't give argument to non-function {node}", node)
            if not args:
                return self.variable(node)
        if isinstance(node, _ACCESSES):
            access = self.access(node, args, final=False)
            return lambda frame, dot: access(frame, dot, MISSING)
        return self.plain_word(node)

    def plain_word(self, node: tree.TemplateNode) -> Expression:
        if isinstance(node, tree.Dot):
            return _dot
        if isinstance(node, tree.Pipe):
            return self.pipe(node)
        if isinstance(node, tree.Identifier):
            return self.function(node, node, ())
        if isinstance(node, tree.Nil):
            return lambda frame, dot: None
        if isinstance(node, tree.Number):
            try:
                value = ideal(node)
            except ValueError as problem:
                return _failing(str(problem), node)
        else:
            assert isinstance(node, tree.String | tree.Bool)
            value = node.value
        return lambda frame, dot: value

    def field(self, node: tree.Field) -> Expression:
        element = self.element
        if len(node.names) == 1:

            def one(frame: Frame, dot: Any, name: str = node.names[0]) -> Any:
                if dot.__class__ is dict and name in dot:
                    value = dot[name]
                    return value if value.__class__ in TYPE_NAMES else frame.open(value)
                return member(frame, dot, name, node, _INTERFACE if element else None)

            return one

        def several(frame: Frame, dot: Any, node: tree.Field = node, element: bool = element) -> Any:
            value = dot
            for name in node.names:
                if value.__class__ is dict and name in value:
                    value = value[name]
                else:
                    static = _INTERFACE if element or value is not dot else None
                    value = member(frame, value, name, node, static)
            return value if value.__class__ in TYPE_NAMES else frame.open(value)

        return several

    def variable(self, node: tree.Variable) -> Expression:
        read = self.read(node)
        names = node.names[1:]
        if not names:
            return read

        def fields(frame: Frame, dot: Any) -> Any:
            value = start = read(frame, dot)
            for name in names:
                if value.__class__ is dict and name in value:
                    value = value[name]
                else:
                    value = member(frame, value, name, node, None if value is start else _INTERFACE)
            return value if value.__class__ in TYPE_NAMES else frame.open(value)

        return fields

    def read(self, node: tree.Variable) -> Expression:
        name = node.names[0]
        slot = self.scope.get(name)
        if slot is None:
            return _failing(f"undefined variable: {name}", node)
        if slot == 0:
            return lambda frame, dot: frame.root
        number = slot
        return lambda frame, dot: frame.variables[number]

    def access(self, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...], final: bool = True) -> Stage:
        """Names looked up from a value; the last may be a method that takes arguments."""
        assert isinstance(node, _ACCESSES)
        start: Expression
        if isinstance(node, tree.Field):
            start, names = _dot, node.names
        elif isinstance(node, tree.Variable):
            if node.names[0] not in self.scope:
                return _failing_stage(f"undefined variable: {node.names[0]}", node)
            if len(node.names) == 1:
                return _failing_stage(f"can't give argument to non-function {node}", node)
            start, names = self.read(node), node.names[1:]
        else:
            start, names = self.operand(node.node), node.names
        before, last = names[:-1], names[-1]
        methods: dict[Function, Stage] = {}
        has_arguments = bool(args) or final

        def get(frame: Frame, dot: Any, piped: Any) -> Any:
            value = first = start(frame, dot)
            for name in before:
                value = member(frame, value, name, node, None if value is first else _INTERFACE)
            method: Function | None = value.methods.get(last) if isinstance(value, Object) else None
            if method is not None:
                stage = methods.get(method)
                if stage is None:
                    stage = methods[method] = self.method(method, node, args, final)
                return stage(frame, (dot, value), piped)
            if has_arguments:
                _refuse_arguments(frame, value, last, node)
            return member(frame, value, last, node, None if value is first else _INTERFACE)

        return get

    # -- calls

    def function(
        self, word: tree.Identifier, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]
    ) -> Expression:
        found = self.table.get(word.text)
        if found is None:
            return _failing(f'function "{word.text}" not defined', word)
        self.price += price(found)
        complaint = found.signature.complaint(len(args))
        if complaint:
            return _failing(f"wrong number of args for {found.name}: {complaint}", word)
        special = SPECIAL.get(found.call)
        if special is not None:
            return special(self, found, node, args)
        getters = [self.argument(arg, found.signature.type_at(i), found) for i, arg in enumerate(args)]
        return _caller(found, node, getters)

    def function_stage(
        self, word: tree.Identifier, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]
    ) -> Stage:
        found = self.table.get(word.text)
        if found is None:
            return _failing_stage(f'function "{word.text}" not defined', word)
        self.price += price(found)
        complaint = found.signature.complaint(len(args) + 1)
        if complaint:
            return _failing_stage(f"wrong number of args for {found.name}: {complaint}", word)
        special = SPECIAL_STAGE.get(found.call)
        if special is not None:
            return special(self, found, node, args)
        return self.bound(found, node, args)

    def bound(self, function: Function, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]) -> Stage:
        if not args and not function.context:
            return _only_piped(function, node)
        getters = [self.argument(arg, function.signature.type_at(i), function) for i, arg in enumerate(args)]
        return _stage_caller(function, node, getters)

    def method(
        self, function: Function, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...], final: bool
    ) -> Stage:
        """A method's call. Its `dot` is a pair: the real dot, and the object it is called on."""
        complaint = function.signature.complaint(len(args) + final)
        if complaint:
            return _failing_stage(f"wrong number of args for {function.name}: {complaint}", node)
        getters = [self.argument(arg, function.signature.type_at(i), function) for i, arg in enumerate(args)]
        last = function.signature.type_at(len(args)) if final else None
        static = function.group != METHOD
        steps = price(function)

        def call(frame: Frame, dot: Any, piped: Any) -> Any:
            real, receiver = dot
            frame.state.meter.step(steps)
            values = [getter(frame, real) for getter in getters]
            if last is not None:
                values.append(conform(frame, piped, last, node, function))
            if not static:
                values.insert(0, receiver)
            if frame.state.reader.heavy:
                _charge(frame, values, function.name, node)
            if function.context:
                values.insert(0, frame)
            try:
                result = frame.open(function.call(*values))
            except GUARDED as problem:
                raise frame.call_failed(function.name, problem, node) from None
            return _bounded(frame, result, function.name, node) if result.__class__ in _SIZED else result

        return call

    def argument(self, node: tree.TemplateNode, kind: Type, function: Function) -> Expression:
        """An argument's value, of the type that the function wants."""
        if isinstance(node, tree.Nil):
            if kind.zero is None:
                return _failing(f"cannot assign nil to {kind.name}", node)
            zero = kind.zero
            return (lambda frame, dot: MISSING) if kind.name == REFLECT else lambda frame, dot: zero()
        if isinstance(node, LITERALS):
            return _literal(node, kind)
        get = self.operand(node)
        if kind.name == REFLECT:
            return get
        classes = kind.lazy_classes if function.lazy else kind.classes

        def checked(frame: Frame, dot: Any) -> Any:
            value = get(frame, dot)
            return value if value.__class__ in classes else conform(frame, value, kind, node, function)

        return checked


def _fixed_text(pipe: tree.Pipe) -> str | None:
    """The text of a pipeline that is nothing but a text, as templates that write templates have many."""
    if len(pipe.commands) != 1 or len(pipe.commands[0].args) != 1:
        return None
    only = pipe.commands[0].args[0]
    return only.value if isinstance(only, tree.String) else None


def displayed(frame: Frame, value: Any, node: tree.TemplateNode) -> str:
    """A value as an action prints it."""
    if value.__class__ in _HEAVY:
        frame.state.meter.step(PRINTED * _parts(value))
    try:
        return value.go_string() if isinstance(value, Object) and "String" in value.methods else display(value)
    except Exhausted as problem:
        raise unprintable(frame, value, node, problem) from None
    except (ValueError, CallError) as problem:  # an integer of more digits than Python writes, a time too far away
        raise frame.fail(f"can't print {type_name(value)}: {problem}", node) from None


def unprintable(frame: Frame, value: Any, node: tree.TemplateNode, problem: Exhausted) -> TemplateError:
    """The error of an action whose value has no end, or is too large."""
    return frame.fail(f"can't print {type_name(value)}: {problem}", node, kind=problem.kind)


def _dot(frame: Frame, dot: Any) -> Any:
    return dot


def conform(frame: Frame, value: Any, kind: Type, node: tree.TemplateNode, function: Function) -> Any:
    """Go's rule for a value that is not a literal: its type must be the parameter's. Functions that know nothing of
    lazy data get plain ones."""
    if kind.name == REFLECT:
        return value
    if value is MISSING:
        if kind.zero is not None:
            return kind.zero()
        raise frame.fail(f"invalid value; expected {kind.name}", node)
    if kind.name == ANY or (value is not None and kind.takes(value)):
        if function.lazy or not is_lazy(value):
            return value
        frame.state.reader.heavy = True
        return (
            value.to_change()
            if function.changes and kind.name == MAP
            else plain(value, frame.state.reader, frame.state.meter)
        )
    got = _INTERFACE if value is None else type_name(value)
    raise frame.fail(f"wrong type for value; expected {kind.name}; got {got}", node, about=value)


def ideal(node: tree.Number) -> Any:
    """The value of a number where nothing says which type is wanted."""
    if node.as_complex is not None:
        return node.as_complex
    text = node.text
    hexadecimal = text[:2].lower() == "0x" and "p" not in text.lower()
    if node.as_float is not None and not hexadecimal and text[0] != "'" and any(c in text for c in ".eEpP"):
        return node.as_float
    if node.as_int is None:
        raise ValueError(f"{text} overflows int")
    return node.as_int


def _simple(node: tree.TemplateNode) -> tree.Bool | tree.String:
    assert isinstance(node, tree.Bool | tree.String)
    return node


def _literal_value(node: tree.TemplateNode, kind: Type) -> Any:
    """A literal as the wanted type; raises ValueError with Go's complaint."""
    if kind.name in (ANY, REFLECT):
        return ideal(node) if isinstance(node, tree.Number) else _simple(node).value
    found: Any = None
    if isinstance(node, tree.String):
        found = node.value if kind.literal == "string" else None
    elif isinstance(node, tree.Bool):
        found = node.value if kind.literal == "bool" else None
    elif isinstance(node, tree.Number):
        found = {"integer": node.as_int, "unsigned integer": node.as_uint, "float": node.as_float,
                 "complex": node.as_complex}.get(kind.literal)  # fmt: skip
    if found is None:
        if kind.literal:
            raise ValueError(f"expected {kind.literal}; found {node}")
        raise ValueError(f"can't handle {node} for arg of type {kind.name}")
    return _TYPED.get(kind.name, _same)(found)


def _same(value: Any) -> Any:
    return value


_TYPED: dict[str, Callable[[Any], Any]] = {"int64": Int64, "uint32": Uint32}


def _literal(node: tree.TemplateNode, kind: Type) -> Expression:
    try:
        value = _literal_value(node, kind)
    except ValueError as problem:
        return _failing(str(problem), node)
    return lambda frame, dot: value


def _failing(message: str, node: tree.TemplateNode) -> Expression:
    def fail(frame: Frame, dot: Any) -> Any:
        raise frame.fail(message, node)

    return fail


def _after(first: Expression, then: Expression) -> Expression:
    def both(frame: Frame, dot: Any) -> Any:
        first(frame, dot)
        return then(frame, dot)

    return both


def _failing_stage(message: str, node: tree.TemplateNode) -> Stage:
    def fail(frame: Frame, dot: Any, piped: Any) -> Any:
        raise frame.fail(message, node)

    return fail


def _caller(function: Function, node: tree.TemplateNode, getters: list[Expression]) -> Expression:
    """The call of a function whose arguments all follow it."""
    call, name = function.call, function.name
    if function.context:

        def with_frame(frame: Frame, dot: Any) -> Any:
            values = [getter(frame, dot) for getter in getters]
            if frame.state.reader.heavy:
                _charge(frame, values, name, node)
            try:
                result = call(frame, *values)
                if result.__class__ not in TYPE_NAMES:
                    result = frame.open(result)
            except TemplateFault as inner:
                raise frame.led_to(inner, node) from None
            except GUARDED as problem:
                raise frame.call_failed(name, problem, node) from None
            return _bounded(frame, result, name, node) if result.__class__ in _SIZED else result

        return with_frame
    if len(getters) == 1:
        only = getters[0]

        def one(frame: Frame, dot: Any) -> Any:
            value = only(frame, dot)
            if frame.state.reader.heavy:
                _charge(frame, (value,), name, node)
            try:
                result = call(value)
            except GUARDED as problem:
                raise frame.call_failed(name, problem, node) from None
            return _bounded(frame, result, name, node) if result.__class__ in _SIZED else result

        return one

    def several(frame: Frame, dot: Any) -> Any:
        values = [getter(frame, dot) for getter in getters]
        if frame.state.reader.heavy:
            _charge(frame, values, name, node)
        try:
            result = call(*values)
        except GUARDED as problem:
            raise frame.call_failed(name, problem, node) from None
        return _bounded(frame, result, name, node) if result.__class__ in _SIZED else result

    return several


def _only_piped(function: Function, node: tree.TemplateNode) -> Stage:
    """The call of a function whose only argument comes out of the pipeline."""
    kind = function.signature.first
    fitting = kind.lazy_classes if function.lazy else kind.classes

    def only(
        frame: Frame, dot: Any, piped: Any, function: Function = function, classes: frozenset[type] = fitting,
        node: tree.TemplateNode = node,
    ) -> Any:  # fmt: skip
        if piped.__class__ not in classes:
            piped = conform(frame, piped, function.signature.first, node, function)
        if frame.state.reader.heavy:
            _charge(frame, (piped,), function.name, node)
        try:
            result = function.call(piped)
        except GUARDED as problem:
            raise frame.call_failed(function.name, problem, node) from None
        return _bounded(frame, result, function.name, node) if result.__class__ in _SIZED else result

    return only


def _stage_caller(function: Function, node: tree.TemplateNode, getters: list[Expression]) -> Stage:
    """The call of a function whose last argument comes out of the pipeline."""
    call, name, prefix = function.call, function.name, function.context
    kind = function.signature.type_at(len(getters))

    def several(frame: Frame, dot: Any, piped: Any) -> Any:
        values = [getter(frame, dot) for getter in getters]
        values.append(conform(frame, piped, kind, node, function))
        if frame.state.reader.heavy:
            _charge(frame, values, name, node)
        if prefix:
            values.insert(0, frame)
        try:
            result = call(*values)
        except TemplateFault as inner:
            raise frame.led_to(inner, node) from None
        except GUARDED as problem:
            raise frame.call_failed(name, problem, node) from None
        if prefix:
            result = frame.open(result)
        return _bounded(frame, result, name, node) if result.__class__ in _SIZED else result

    return several


def _bounded(frame: Frame, result: Any, name: str, node: tree.TemplateNode) -> Any:
    """A result that is not larger than one value may be."""
    kind = result.__class__
    if (kind is str and len(result) < LARGE) or name in _SHALLOW:
        return result
    frame.state.reader.heavy = True
    try:
        frame.state.meter.make(len(result) * (1 if kind is str else ITEM))
    except Overrun as overrun:
        raise frame.call_failed(name, overrun, node) from None
    return result


def _charge(frame: Frame, values: Iterable[Any], name: str, node: tree.TemplateNode) -> None:
    """Charge for large arguments, which a function will look through."""
    if name in _HANDING_ON:
        return
    shift = 0 if name in BY_LETTER else 6
    for value in values:
        kind = value.__class__
        if kind not in _HEAVY and (kind is not str or len(value) < LARGE):
            continue
        try:
            frame.state.meter.step(len(value) >> shift if kind is str else PRINTED * _parts(value))
        except Overrun as overrun:
            raise frame.call_failed(name, overrun, node) from None


def _parts(value: Any) -> int:
    """How many parts a value has at all depths, as far as they are known; no more than a function walks through."""
    count = 1
    todo = [value]
    while todo and count < MAX_PARTS:
        part = todo.pop()
        count += len(part)
        if part.__class__ in _PLAIN and part.__class__ is not Ints:
            inner = part.values() if isinstance(part, dict) else part
            todo += [item for item in inner if item.__class__ in _HEAVY]
    return count


# -- looking into values


def member(frame: Frame, value: Any, name: str, node: tree.TemplateNode, static: str | None) -> Any:
    """`.name` of a value. `static` is the type Go sees before it looks inside, where that is not the value's own."""
    cls = value.__class__
    if cls is LazyMap:
        found = value.get(name)
        return found if found is not MISSING else _absent(frame, value, name, node)
    if isinstance(value, dict):
        if name in value:
            return frame.open(value[name])
        return _absent(frame, value, name, node)
    if value is MISSING:
        if frame.state.missing == "error":
            raise frame.fail(f'nil data; no entry for key "{name}"', node)
        return MISSING
    if value is None:
        raise frame.fail(f"nil pointer evaluating {_INTERFACE}.{name}", node)
    if isinstance(value, Object):
        return frame.open(_object_member(frame, value, name, node, static))
    if cls not in TYPE_NAMES and (opened := frame.open(value)) is not value:
        return member(frame, opened, name, node, static)
    raise frame.fail(f"can't evaluate field {name} in type {static or type_name(value)}", node)


def _object_member(frame: Frame, value: Object, name: str, node: tree.TemplateNode, static: str | None) -> Any:
    method: Function | None = value.methods.get(name)
    if method is not None:
        if method.signature.complaint(0):
            raise frame.fail(f"wrong number of args for {name}: {method.signature.complaint(0)}", node)
        try:
            given = (value,) if method.group == METHOD else (frame,) if method.context else ()
            return method.call(*given)
        except GUARDED as problem:
            raise frame.call_failed(name, problem, node) from None
    found = value.field(name)
    if found is MISSING:
        hint = did_you_mean(name, value.methods)
        if isinstance(value, FunctionSpace):
            full = f"{value.name}.{name}"
            raise frame.fail(f'function "{full}" not defined', node, hint=value.why_not(full) or hint)
        raise frame.fail(f"can't evaluate field {name} in type {static or value.go_type}", node, hint=hint)
    return found


def _absent(frame: Frame, mapping: Any, name: str, node: tree.TemplateNode) -> Any:
    """What a key that is not there gives."""
    mode = frame.state.missing
    frame.state.reader.missed(mapping, name)
    if mode == "error":
        raise frame.fail(
            f'map has no entry for key "{name}"',
            node,
            hint=did_you_mean(name, mapping.node.entries if mapping.__class__ is LazyMap else mapping),
        )
    if mode == "zero":
        return "" if mapping.__class__ is StringMap else None
    return MISSING


def _refuse_arguments(frame: Frame, value: Any, name: str, node: tree.TemplateNode) -> None:
    if isinstance(value, MAP_CLASSES):
        raise frame.fail(f"{name} is not a method but has arguments", node)
    if isinstance(value, Object) and value.field(name) is not MISSING:
        raise frame.fail(f"{name} has arguments but cannot be invoked as function", node)


# -- loops


def _opened(frame: Frame, values: Any) -> Iterator[Any]:
    """The items of a list, as templates see them."""
    known, opened = TYPE_NAMES, frame.state.reader.open
    return (item if item.__class__ in known else opened(item) for item in values)


def pairs_of(frame: Frame, value: Any, two: bool, node: tree.TemplateNode) -> Iterator[tuple[Any, Any]] | None:
    """Index and item of everything in a value; None where there is nothing to go through."""
    cls = value.__class__
    if isinstance(value, LIST_CLASSES):
        return enumerate(_opened(frame, value))
    if isinstance(value, MAP_CLASSES):
        frame.state.meter.step(2 * len(value))
        return ((key, frame.open(lookup(value, key))) for key in sorted_keys(value))
    if value is MISSING or value is None:
        return None
    if isinstance(value, int) and cls is not bool:
        if two:
            raise frame.fail(f"can't use {value} to iterate over more than one variable", node)
        return ((MISSING, cls(number)) for number in range(value))
    if isinstance(value, Object) and (pairs := value.pairs()) is not None:
        return pairs
    raise frame.fail(f"range can't iterate over {display(value)}", node, about=value)


def _items(frame: Frame, pairs: Iterator[tuple[Any, Any]], slots: list[int | None]) -> Iterator[Any]:
    """The items, each after the variables of the range were set."""
    variables = frame.variables
    first, second = slots[0], slots[-1]
    assert first is not None
    assert second is not None
    two = len(slots) == 2
    for index, item in pairs:
        if two:
            variables[first] = index
        variables[second] = item
        yield item


# -- and, or


def _short_circuit(
    stop: bool,
) -> Callable[[Compiler, Function, tree.TemplateNode, tuple[tree.TemplateNode, ...]], Expression]:
    def build(
        compiler: Compiler, function: Function, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]
    ) -> Expression:
        getters = [compiler.argument(arg, function.signature.type_at(i), function) for i, arg in enumerate(args)]

        def decide(frame: Frame, dot: Any) -> Any:
            value = MISSING
            for getter in getters:
                value = getter(frame, dot)
                if is_true(value) is stop:
                    return value
            return value

        return decide

    return build


def _short_circuit_stage(
    stop: bool,
) -> Callable[[Compiler, Function, tree.TemplateNode, tuple[tree.TemplateNode, ...]], Stage]:
    build = _short_circuit(stop)

    def build_stage(
        compiler: Compiler, function: Function, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]
    ) -> Stage:
        decide = build(compiler, function, node, args)

        def run(frame: Frame, dot: Any, piped: Any) -> Any:
            if not args:
                return piped
            value = decide(frame, dot)
            return value if is_true(value) is stop else piped

        return run

    return build_stage


def logical_and(*values: Any) -> Any:
    """The builtin `and`; compiled, because it must not look at what it does not need."""
    raise CallError("and is compiled")


def logical_or(*values: Any) -> Any:
    """The builtin `or`."""
    raise CallError("or is compiled")


def call_value(*values: Any) -> Any:
    """The builtin `call`; compiled, because its error names the word that is not a function."""
    raise CallError("call is compiled")


def _no_function(frame: Frame, value: Any, shown: object, node: tree.TemplateNode) -> TemplateError:
    """Data hold no functions, so there is nothing that could be called."""
    if value is None or value is MISSING:
        return frame.call_failed("call", CallError("call of nil"), node)
    return frame.call_failed("call", CallError(f"non-function {shown} of type {type_name(value)}"), node)


def _call_value(
    compiler: Compiler, function: Function, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]
) -> Expression:
    getters = [compiler.argument(arg, function.signature.type_at(i), function) for i, arg in enumerate(args)]

    def run(frame: Frame, dot: Any) -> Any:
        values = [getter(frame, dot) for getter in getters]
        raise _no_function(frame, values[0], args[0], node)

    return run


def _shown_value(value: Any) -> str:
    """What a value is called that no word stands for."""
    return value if value.__class__ is str else f"<{type_name(value)} Value>"


def _call_piped(
    compiler: Compiler, function: Function, node: tree.TemplateNode, args: tuple[tree.TemplateNode, ...]
) -> Stage:
    getters = [compiler.argument(arg, function.signature.type_at(i), function) for i, arg in enumerate(args)]

    def run(frame: Frame, dot: Any, piped: Any) -> Any:
        value = [*(getter(frame, dot) for getter in getters), piped][0]
        raise _no_function(frame, value, args[0] if args else _shown_value(value), node)

    return run


class Untyped(GoType):
    """What a key of a map gives, before Go looks what it is."""

    __slots__ = ()
    go_type = _INTERFACE


_UNTYPED = Untyped()


def _bounds(compiler: Compiler, function: Function, args: tuple[tree.TemplateNode, ...]) -> list[Expression]:
    """The arguments of `slice`. Go takes its numbers as they come: what a key of a map gives is none, whatever it is,
    but in brackets, in a variable or through a pipe it is what it is."""
    getters = [compiler.argument(arg, function.signature.type_at(i), function) for i, arg in enumerate(args)]
    return getters[:1] + [_as_it_comes(compiler, arg, get) for arg, get in zip(args[1:], getters[1:], strict=True)]


def _as_it_comes(compiler: Compiler, node: tree.TemplateNode, get: Expression) -> Expression:
    outer: tree.TemplateNode
    if isinstance(node, tree.Field):
        outer = tree.Field(node.at, node.names[:-1]) if node.names[1:] else tree.Dot(node.at, ".")
    elif isinstance(node, tree.Variable) and node.names[1:]:
        outer = tree.Variable(node.at, node.names[:-1])
    elif isinstance(node, tree.FieldChain):
        outer = tree.FieldChain(node.at, node.node, node.names[:-1]) if node.names[1:] else node.node
    else:
        return get
    holder = compiler.operand(outer)

    def value(frame: Frame, dot: Any) -> Any:
        found, held_by = get(frame, dot), frame.open(holder(frame, dot))
        is_any = found is not MISSING and isinstance(held_by, MAP_CLASSES) and held_by.__class__ is not StringMap
        return _UNTYPED if is_any else found

    return value


SPECIAL: dict[
    Callable[..., Any], Callable[[Compiler, Function, tree.TemplateNode, tuple[tree.TemplateNode, ...]], Expression]
] = {
    logical_and: _short_circuit(False),
    logical_or: _short_circuit(True),
    call_value: _call_value,
    part: lambda compiler, function, node, args: _caller(function, node, _bounds(compiler, function, args)),
}
SPECIAL_STAGE: dict[
    Callable[..., Any], Callable[[Compiler, Function, tree.TemplateNode, tuple[tree.TemplateNode, ...]], Stage]
] = {
    logical_and: _short_circuit_stage(False),
    logical_or: _short_circuit_stage(True),
    call_value: _call_piped,
    part: lambda compiler, function, node, args: _stage_caller(function, node, _bounds(compiler, function, args)),
}


def _is_shown(node: tree.TemplateNode) -> TypeGuard[tree.Action]:
    """Whether a statement writes a value that is not known before the template runs."""
    return isinstance(node, tree.Action) and not node.pipe.declares and _fixed_text(node.pipe) is None


_STATEMENTS = {
    tree.PlainText: "text",
    tree.Action: "action",
    tree.If: "branch",
    tree.With: "branch",
    tree.Range: "range",
    tree.TemplateCall: "call",
    tree.Break: "jump",
    tree.Continue: "jump",
}
"""Which method compiles which kind of statement."""
