"""Jinja2 in its sandbox, under our own policy: which names a template can use, which types it can meet, what it may
make.

Everything a template does beyond writing out text comes through `Environment`: attributes, items, calls, operators,
joins, slices and filters. What is not on a list here is not there. Each result is charged to the meter before it is
made.

This module imports Jinja2, which is an extra: `templates.py` imports it when the first template is rendered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import filters as jinja_filters
from jinja2 import nodes, sandbox
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from jinja2.nativetypes import NativeCodeGenerator, NativeTemplate
from jinja2.runtime import Context, LoopContext, Macro, StrictUndefined, TemplateReference
from jinja2.utils import Cycler, Joiner, Namespace
from markupsafe import Markup

from plait.core.meter import ITEM
from plait.core.plain import decimal
from plait.notations.query.bounds import ARITHMETIC, formatted, numbers_in, printed, size
from plait.notations.query.data import KeptText, TemplateValue
from plait.notations.query.units import Amount
from plait.notations.query.views import Functions, JinjaFunction, ListView, MapView, as_plain, as_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import CodeType

    from plait.core.meter import Meter


class UndefinedVariable(StrictUndefined, TemplateValue):
    """A variable that is not defined: using it is an error."""

    @property
    def _undefined_message(self) -> str:
        return f'missing variable: "{self._undefined_name}"'


class Marker(UndefinedVariable):
    """Where missing variables are accepted, they stay as they were written."""

    def __str__(self) -> str:  # type: ignore[override]
        return f"{{{{ {self._undefined_name} }}}}"


# The names that a template can use, for each type that it can meet

TEXT = frozenset(
    {
        *("capitalize", "casefold", "center", "count", "endswith", "expandtabs", "find", "format", "index"),
        *("isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "islower", "isnumeric", "isspace", "istitle"),
        *("isupper", "join", "ljust", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "replace"),
        *("rfind", "rindex", "rjust", "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith"),
        *("strip", "swapcase", "title", "upper", "zfill"),
    }
)
MAP = frozenset({"get", "items", "keys", "values"})
LIST = frozenset({"count", "index"})
LOOP = frozenset(
    {
        *("index", "index0", "revindex", "revindex0", "first", "last", "length", "depth", "depth0"),
        *("previtem", "nextitem", "cycle", "changed"),
    }
)
GROUP = type(jinja_filters._GroupTuple("", []))

NAMES: dict[type, frozenset[str]] = {
    str: TEXT,
    KeptText: TEXT,
    Markup: TEXT,
    bytes: frozenset({"hex"}),
    int: frozenset({"bit_length"}),
    float: frozenset({"is_integer"}),
    bool: frozenset(),
    type(None): frozenset(),
    dict: MAP,
    MapView: MAP,
    list: LIST,
    tuple: LIST,
    ListView: LIST,
    range: LIST,
    GROUP: frozenset({"grouper", "list"}),
    LoopContext: LOOP,
    Macro: frozenset({"name", "arguments"}),
    Cycler: frozenset({"current", "next", "reset"}),
    Joiner: frozenset(),
    Namespace: frozenset(),
    TemplateReference: frozenset(),
    JinjaFunction: frozenset(),
    Functions: frozenset(),
    Amount: frozenset(),
    UndefinedVariable: frozenset(),
    Marker: frozenset(),
}
"""Every type that a template can meet, and the attributes that it can read there."""

ITEMS = frozenset(
    {
        str,
        KeptText,
        Markup,
        bytes,
        dict,
        MapView,
        list,
        tuple,
        ListView,
        range,
        GROUP,
        Functions,
        UndefinedVariable,
        Marker,
    }
)
"""The types whose items a template can read."""

CALLABLE = frozenset({JinjaFunction, Macro, LoopContext, Joiner, UndefinedVariable, Marker})
"""The types that a template can call."""


def pad(text: Any, width: Any = 0, *_: object) -> int:
    return max(len(text), int(width))


def joined(separator: Any, items: Any = ()) -> int:
    return sum(size(item) for item in items) + len(separator) * len(items)


def replaced(text: Any, old: Any = "", new: Any = "", *_: object) -> int:
    return len(text) + (text.count(str(old)) if old else len(text) + 1) * len(str(new))


METHODS: dict[str, Callable[..., int]] = {
    "center": pad,
    "ljust": pad,
    "rjust": pad,
    "zfill": pad,
    "expandtabs": lambda text, tabsize=8: len(text) + text.count("\t") * int(tabsize),
    "join": joined,
    "replace": replaced,
    **dict.fromkeys(("split", "rsplit", "splitlines"), lambda text, *_, **__: len(text) * 16),
}
"""How large the result of a method of text is at most, where it can be larger than the text."""


# Filters of Jinja2


def texts(bound: Callable[..., int] = len) -> Callable[[Callable[..., Any], Meter], Callable[..., Any]]:
    """A filter on text, whose result is at most so large."""

    def wrapped(work: Callable[..., Any], meter: Meter) -> Callable[..., Any]:
        def run(prefix: tuple[Any, ...], value: Any, *arguments: Any, **options: Any) -> Any:
            text = value if isinstance(value, UndefinedVariable) else as_text(value, meter)
            meter.step(FILTER)
            meter.make(bound(text, *arguments, **options) if isinstance(text, str) else 0)
            return work(*prefix, text, *arguments, **options)

        return run

    return wrapped


def lists(bound: Callable[..., int] | None = None) -> Callable[[Callable[..., Any], Meter], Callable[..., Any]]:
    """A filter on the items of a value. What it gives one by one becomes a list."""

    def wrapped(work: Callable[..., Any], meter: Meter) -> Callable[..., Any]:
        def run(prefix: tuple[Any, ...], value: Any, *arguments: Any, **options: Any) -> Any:
            made = size(value) + (bound(value, *arguments, **options) if bound else 0)
            meter.step(FILTER + made // ITEM * PART)
            meter.make(made)
            result = work(*prefix, value, *arguments, **options)
            return result if type(result) in NAMES else list(result)

        return run

    return wrapped


def data(work: Callable[..., Any], meter: Meter) -> Callable[..., Any]:
    """A filter on a whole value with all that is in it."""

    def run(prefix: tuple[Any, ...], value: Any, *arguments: Any, **options: Any) -> Any:
        value = str(value) if isinstance(value, UndefinedVariable) else as_plain(value)
        length = printed(value)
        meter.step(FILTER + (length >> 2))
        meter.make(length * 6)
        return work(*prefix, value, *arguments, **options)

    return run


def centered(text: str, width: int = 80) -> int:
    return max(len(text), int(width))


def indented(text: str, width: Any = 4, *_: object, **__: object) -> int:
    return len(text) + (text.count("\n") + 1) * (len(width) if isinstance(width, str) else int(width))


def truncated(text: str, length: int = 255, killwords: bool = False, end: str = "...", leeway: Any = None) -> int:
    if int(length) < len(end):
        raise ValueError(f"truncate: a length of {length} has no room for `{end}`")
    return len(text)


def wrapped_words(
    text: str, width: int = 79, break_long_words: bool = True, wrapstring: Any = None, *_: object, **__: object
) -> int:
    if int(width) < 1:
        raise ValueError(f"wordwrap: a width of {width} has no room for words")
    return len(text) ** 2 // 16 + len(text) * len(str(wrapstring or ""))


def batched(value: Any, linecount: int = 1, *_: object) -> int:
    return max(int(linecount), 0) * 8


def sliced_into(value: Any, slices: int = 1, *_: object) -> int:
    return max(int(slices), 0) * 8


def copied(value: Any, *_: object, **__: object) -> int:
    """Adding up lists copies what was added up so far, each time."""
    return len(value) * sum(size(item) for item in value) if isinstance(value, Sequence) else 0


def rounded(value: Any, precision: int = 0, *_: object) -> int:
    if abs(int(precision)) > 400:
        raise ValueError(f"round: a precision of {precision} is beyond what a number can have")
    return 0


def joined_items(value: Any, d: Any = "", *_: object, **__: object) -> int:
    return sum(printed(item) for item in value) + len(str(d)) * len(value) if isinstance(value, Sequence) else 0


def escaped(text: str, *_: object) -> int:
    return len(text) * 6


def stripped(text: str, *_: object) -> int:
    return len(text) * (text.count("<") + 1)


def replaced_text(text: str, old: Any = "", new: Any = "", count: Any = None) -> int:
    return replaced(text, as_plain(old), as_plain(new))


FILTERS: dict[str, Callable[[Callable[..., Any], Meter], Callable[..., Any]]] = {
    **dict.fromkeys(("capitalize", "lower", "upper", "title", "string", "wordcount", "filesizeformat"), texts()),
    "trim": texts(lambda text, *_: len(text)),
    "center": texts(centered),
    "indent": texts(indented),
    "truncate": texts(truncated),
    "wordwrap": texts(wrapped_words),
    "replace": texts(replaced_text),
    "striptags": texts(stripped),
    **dict.fromkeys(("escape", "e", "forceescape", "safe"), texts(escaped)),
    **dict.fromkeys(("tojson", "pprint", "urlencode", "xmlattr"), data),
    **dict.fromkeys(("abs", "int", "float", "default", "d", "count", "length", "first", "last"), lists()),
    **dict.fromkeys(("dictsort", "groupby", "items", "list", "map", "max", "min", "reject", "rejectattr"), lists()),
    **dict.fromkeys(("reverse", "select", "selectattr", "sort", "unique"), lists()),
    "round": lists(rounded),
    "batch": lists(batched),
    "slice": lists(sliced_into),
    "sum": lists(copied),
    "join": lists(joined_items),
}
"""The filters of Jinja2 that templates have, each with what it charges. `random`, `urlize` and `lipsum` are left out;
`attr` and `format` are our own."""


def metered(name: str, meter: Meter) -> Callable[..., Any]:
    """A filter of Jinja2 that charges the meter before it works."""
    work = jinja_filters.FILTERS[name]
    run = FILTERS[name](work, meter)
    kind = getattr(work, "jinja_pass_arg", None)
    if kind is None:
        return lambda value, *arguments, **options: run((), value, *arguments, **options)

    def passing(first: Any, value: Any, *arguments: Any, **options: Any) -> Any:
        return run((first,), value, *arguments, **options)

    passing.jinja_pass_arg = kind  # type: ignore[attr-defined]
    return passing


# Compiling

MEASURED = "a value that is iterated over"
"""The filter that charges for loops and comparisons: no template can write its name."""


class Generator(NativeCodeGenerator):
    """Python for a template, in which joins and slices ask the environment too. Nothing is computed while compiling."""

    def _output_child_to_const(self, node: nodes.Expr, frame: Any, finalize: Any) -> Any:
        if not isinstance(node, nodes.TemplateData | nodes.Const):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)

    def _output_const_repr(self, group: Iterable[Any]) -> str:
        values = list(group)
        return repr(values[0] if len(values) == 1 else "".join(map(str, values)))

    def visit_Concat(self, node: nodes.Concat, frame: Any) -> None:
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")

    def visit_Getitem(self, node: nodes.Getitem, frame: Any) -> None:
        if not isinstance(node.arg, nodes.Slice):
            super().visit_Getitem(node, frame)
            return
        self.write("environment.sliced(")
        self.visit(node.node, frame)
        self.write(", slice(")
        for part in (node.arg.start, node.arg.stop, node.arg.step):
            if part is None:
                self.write("None")
            else:
                self.visit(part, frame)
            self.write(", ")
        self.write("))")


class Formatter(sandbox.SandboxedFormatter):
    """`str.format`: fields by the names that a template can use, widths charged to the meter."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.meter = environment.meter

    def format_field(self, value: Any, format_spec: str) -> Any:
        self.meter.make(numbers_in(format_spec) + printed(value))
        return super().format_field(value, format_spec)


class Environment(sandbox.SandboxedEnvironment):
    """What the templates of one expression can do."""

    code_generator_class = Generator
    intercepted_binops = frozenset(ARITHMETIC)

    def __init__(self, meter: Meter, strict: bool, read: Callable[[str], Any]) -> None:
        """`read` gives the value of a variable, and raises KeyError for one that it does not know."""
        super().__init__(undefined=UndefinedVariable if strict else Marker, optimized=False, cache_size=0)
        self.meter = meter
        self.read = read
        self.filters = {name: metered(name, meter) for name in FILTERS}
        self.filters[MEASURED] = self.measured
        string = self.filters["string"]
        self.filters["string"] = lambda value: KeptText(string(value))
        self.filters["attr"] = self.attribute
        self.filters["format"] = lambda text, *values, **named: formatted(as_text(text, meter), named or values, meter)
        self.globals = {
            "range": JinjaFunction("range", self.range),
            "dict": JinjaFunction("dict", dict),
            "namespace": JinjaFunction("namespace", Namespace),
            "cycler": JinjaFunction("cycler", Cycler),
            "joiner": JinjaFunction("joiner", Joiner),
        }
        self.concat = self.put_together  # type: ignore[method-assign,assignment]

    def template(self, code: CodeType) -> JinjaTemplate:
        """A template of which the code is known."""
        return JinjaTemplate.from_code(self, code, self.make_globals(None))  # type: ignore[return-value]

    def release(self) -> None:
        """Free everything: a command runs without the garbage collector, and most of this refers to itself."""
        vars(self).clear()

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for number in tree.find_all(nodes.Const):
            if isinstance(number.value, float) and number.value in (float("inf"), float("-inf")):
                raise TemplateSyntaxError("the number is too large", number.lineno)
        for loop in list(tree.find_all(nodes.For)):
            loop.iter = _measured(loop.iter)
        for comparison in list(tree.find_all(nodes.Compare)):
            for operand in comparison.ops:
                operand.expr = _measured(operand.expr)
        return tree

    def measured(self, value: Any) -> Any:
        """A value that is about to be gone through."""
        self.meter.step(OPERATION + (len(value) >> 6 if isinstance(value, str) else size(value) >> 3))
        return value

    def range(self, *bounds: int) -> Any:
        made = range(*bounds)
        self.meter.make(min(len(made), 10**12) * 8 if made[-1:] else 0)
        return made

    # Reading

    def getattr(self, obj: Any, attribute: str) -> Any:
        return self._either(obj, attribute, (self._attribute, self._item))

    def getitem(self, obj: Any, argument: Any) -> Any:
        ways = (self._item, self._attribute) if isinstance(argument, str) else (self._item,)
        return self._either(obj, argument, ways)

    def attribute(self, obj: Any, name: Any) -> Any:
        """The filter `attr`."""
        return self._either(obj, str(name), (self._attribute,))

    def _either(self, obj: Any, name: Any, ways: tuple[Callable[[Any, Any], Any], ...]) -> Any:
        self.meter.step(OPERATION)
        for way in ways:
            try:
                return way(obj, name)
            except (LookupError, TypeError, AttributeError):
                continue
        return self.undefined(obj=obj, name=name) if type(obj) in NAMES else self.undefined(name=name)

    def _item(self, obj: Any, key: Any) -> Any:
        if type(obj) not in ITEMS:
            raise KeyError(key)
        return obj[key]

    def _attribute(self, obj: Any, name: str) -> Any:
        if type(obj) is Namespace and not name.startswith("_"):
            return Namespace.__getattribute__(obj, name)
        if name not in NAMES.get(type(obj), ()):
            raise AttributeError(name)
        value = getattr(obj, name)
        return JinjaFunction(name, self._method(obj, name, value)) if callable(value) else value

    def _method(self, obj: Any, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        if name == "format" and isinstance(obj, str):
            return lambda *values, **named: Formatter(self).vformat(str(obj), values, named)
        bound = METHODS.get(name) if isinstance(obj, str) else None

        def run(*arguments: Any, **options: Any) -> Any:
            if name == "join":
                arguments = (list(*arguments),)
            self.meter.make(bound(obj, *arguments, **options) if bound else size(obj))
            made = work(*arguments, **options)
            return made if type(made) in NAMES else list(made)

        return run

    # Doing

    def call(__self, __context: Context, __obj: Any, *arguments: Any, **options: Any) -> Any:
        __self.meter.step(CALL + sum(size(argument) >> 3 for argument in arguments))
        if type(__obj) not in CALLABLE:
            raise SecurityError(f"{__self.called(__obj)} is not a function")
        return __context.call(__obj, *arguments, **options)

    @staticmethod
    def called(value: Any) -> str:
        return f"`{value}`"[:60] if isinstance(value, str | int | float | None) else "this"

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        left, right = (as_plain(side) if isinstance(side, MapView | ListView) else side for side in (left, right))
        self.meter.step(OPERATION)
        return ARITHMETIC[operator](left, right, self.meter)

    def sliced(self, value: Any, part: slice) -> Any:
        if type(value) not in ITEMS:
            raise TypeError("only strings and lists have slices")
        self.meter.step(OPERATION)
        self.meter.make(size(value))
        return value[part]

    def joined(self, parts: tuple[Any, ...]) -> str:
        """`a ~ b`, and the pieces of a template."""
        self.meter.step(OPERATION)
        texts = [part if isinstance(part, str) else self.text(part) for part in parts]
        self.meter.make(sum(map(len, texts)))
        return "".join(texts)

    def text(self, value: Any) -> str:
        """A value as it is written out."""
        self.meter.make(printed(value))
        return decimal(value) if type(value) is int else str(value)

    def put_together(self, pieces: Iterable[Any]) -> object:
        """One piece that is no text is the value itself; text is read as a value where it is one. Nothing is null."""
        values = list(pieces)
        if not values:
            return None
        if len(values) == 1 and (not isinstance(values[0], str) or isinstance(values[0], KeptText)):
            return values[0]
        text = self.joined(tuple(values))
        self.meter.step(READING + min(len(text), READABLE))
        return read_as_value(text)


class Variables(Context):
    """The names of a template: first those that the environment reads."""

    environment: Environment

    def resolve_or_missing(self, key: str) -> Any:
        try:
            return self.environment.read(key)
        except KeyError:
            return super().resolve_or_missing(key)


class JinjaTemplate(NativeTemplate):
    environment_class = Environment  # type: ignore[assignment]

    def rendered(self) -> Any:
        """The value of the template. It can be rendered once: its code is freed, because a command runs without the
        garbage collector."""
        context = self.new_context({})
        try:
            return self.environment.concat(self.root_render_func(context))
        finally:
            self.root_render_func.__globals__.clear()


Environment.template_class = JinjaTemplate
Environment.context_class = Variables


READING, CALL, FILTER, OPERATION = 10, 60, 20, 8
"""Steps that it takes to begin reading a text as a value, to call a macro or a filter, and to do anything else."""
PART = 3
"""Steps for each item that a filter looks at."""
READABLE = 100_000
"""The longest text that is read as a value: longer ones stay text."""


def read_as_value(text: str) -> object:
    from ast import literal_eval  # Jinja2 has loaded it

    if not text or len(text) > READABLE or text[0] in " \t":
        return text
    try:
        value = literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return text
    return value if isinstance(value, int | float | list | tuple | dict | None) else text


def _measured(expression: nodes.Node) -> nodes.Filter:
    return nodes.Filter(expression, MEASURED, [], [], None, None, lineno=expression.lineno)
