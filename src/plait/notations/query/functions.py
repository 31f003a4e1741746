"""The functions of the query language, each a plain function and one declaration.

A function works on Python's own data, with everything embedded in its argument resolved; one that is declared `lazy`
gets the argument as it was written and decides itself what to evaluate. `alone`: a map with this key only is a call
without `eval`. `safe`: it does not reach outside the document. `amounts`: it computes with amounts with a unit, which
are text for all others.
"""

from __future__ import annotations

import operator
import os

from plait.core.diagnostic import PlaitError
from plait.core.node import Bound, ListNode, MapNode, Node, Scalar, Suspension, hidden
from plait.core.struct import struct
from plait.core.visible import counted
from plait.core.walk import nothing_known, remade
from plait.notations.query.bounds import ARITHMETIC, printed, size
from plait.notations.query.context import Context, is_truthy
from plait.notations.query.data import External, Value
from plait.notations.query.labels import KINDS, to_label
from plait.notations.query.units import port, scalar, scalar_value
from plait.notations.query.variables import variables_by_rules
from plait.report.catalog import BAD_CALL, NO_INPUT, NO_PROVIDER, QUERY_EXTRA
from plait.report.installing import how_to_install
from plait.schemas import Validator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.core.meter import Meter
    from plait.core.scope import Permit


@struct
class QueryFunction:
    name: str
    about: str
    example: str
    work: Callable[..., Any]
    lazy: bool = False
    alone: bool = False
    safe: bool = True
    amounts: bool = False
    quotes: bool = False

    def evaluate(self, call: QueryCall) -> Value | None:
        """The value of a call in a document; None where it finds nothing."""
        if self.lazy:
            return self.work(call)  # type: ignore[no-any-return]
        plain = call.context.computable if self.amounts else call.context.plain
        argument = plain(call.language.mapped(call.arguments[0], call.context))
        options = {
            name: call.context.plain(call.language.mapped(node, call.context)) for name, node in call.options.items()
        }
        return call.context.made(call.guarded(self.work, argument, **options))

    def plain(self, call: QueryCall) -> object:
        """The value of a call from a template, where arguments are data already."""
        if self.lazy:
            raise AttributeError(self.name)
        return call.guarded(self.work, *call.arguments, **call.options)


class QueryCall:
    """One use of a function."""

    __slots__ = ("arguments", "context", "function", "language", "options")

    def __init__(
        self, function: QueryFunction, context: Context, arguments: list[Any], options: dict[str, Any]
    ) -> None:
        self.function = function
        self.context = context
        self.arguments = arguments
        self.options = options
        self.language: Any = None

    def bad(self, why: str) -> PlaitError:
        hint = f"for example: {self.function.example}"
        return BAD_CALL.error(self.context.label(), name=self.function.name, why=why, hint=hint)

    def guarded(self, work: Callable[..., Any], *arguments: object, **options: object) -> object:
        """The call itself. Python's errors about invalid arguments become diagnostics."""
        try:
            return work(self, *arguments, **options)
        except (TypeError, ValueError, ArithmeticError, LookupError) as trouble:
            raise self.bad(_plainly(trouble)) from None

    def expression(self, word: str | None = None) -> Value | None:
        """An argument that is an expression; None where it finds nothing."""
        node = self.arguments[0] if word is None else self.options[word]
        return self.language.match(node, self.context)  # type: ignore[no-any-return]

    def value(self, word: str | None = None) -> Value:
        """An argument that is a value."""
        node = self.arguments[0] if word is None else self.options[word]
        return self.language.mapped(node, self.context)  # type: ignore[no-any-return]


NOT_NUMBERS = ("invalid literal for int()", "could not convert string to float")
"""How Python begins to say that a text is not a number."""
TYPE_NAMES = {
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "str": "a string",
    "bytes": "binary data",
    "list": "a list",
    "dict": "a map",
    "NoneType": "null",
    "Amount": "an amount with a unit",
}
"""What users call the types that Python names."""


def _plainly(trouble: Exception) -> str:
    """What was wrong with the arguments, without the names that only the code has."""
    why = str(trouble)
    if isinstance(trouble, ValueError) and why.startswith(NOT_NUMBERS):
        text = why.rpartition(": ")[2].strip("'\"")
        return f"has an invalid argument: `{text}` is not a number"
    if isinstance(trouble, TypeError) and (kinds := _kinds_in(why)):
        return f"cannot use {' and '.join(kinds)}{' together' if len(kinds) > 1 else ' here'}"
    if "()" not in why:
        return f"has an invalid argument: {why}"
    _, _, option = why.partition("unexpected keyword argument ")
    name = option.strip("'\"")
    return f"has no option `{name}`" if option else "takes other arguments than these"


def _kinds_in(why: str) -> list[str]:
    """The kinds of value that Python's words about a type error name, each once."""
    words = "".join(letter if letter.isalnum() else " " for letter in why.replace("non-int", "")).split()
    return list(dict.fromkeys(TYPE_NAMES[word] for word in words if word in TYPE_NAMES))


def _items(call: QueryCall, argument: object, count: int | None = None) -> list[Any]:
    if not isinstance(argument, list) or not argument or (count is not None and len(argument) != count):
        raise call.bad(f"takes a list of {counted(count, 'item')}" if count else "takes a list that is not empty")
    return argument


# Deciding


def _holds(value: Value | None) -> bool:
    return value is not None and is_truthy(value)


def _if(call: QueryCall) -> Value | None:
    take = call.value if "map_value" in call.options and is_truthy(call.value("map_value")) else call.expression
    branch = "then" if _holds(call.expression()) else "else"
    if branch in call.options:
        return take(branch)
    return call.context.made(branch == "then")


def _expressions(call: QueryCall) -> list[Node]:
    node = call.arguments[0]
    if not isinstance(node, ListNode) or not node.items:
        raise call.bad("takes a list that is not empty")
    return node.items


def _or(call: QueryCall) -> Value:
    for item in _expressions(call):
        value: Value | None = call.language.match(item, call.context)
        if value is not None and is_truthy(value):
            return value
    return call.context.made(False)


def _and(call: QueryCall) -> Value | None:
    value: Value | None = None
    for item in _expressions(call):
        value = call.language.match(item, call.context)
        if not _holds(value):
            break
    return value


def _not(call: QueryCall) -> Value:
    return call.context.made(not _holds(call.expression()))


def _quoted(call: QueryCall) -> Value:
    return as_data(call.arguments[0]), None


def as_data(node: Node) -> Node:
    """A node as it was written: expressions in it are data again."""
    return remade(node, _unquoted, None, nothing_known)


def _unquoted(node: Node, _: None) -> tuple[Node, bool]:
    while isinstance(node, Suspension) and (data := node.expression.data) is not None:
        node = data
    if isinstance(node, MapNode) and node.live:
        return MapNode(node.entries, node.source, node.at, node.tag), True
    if isinstance(node, ListNode) and node.live:
        return ListNode(node.items, node.source, node.at, node.tag), True
    return node, False


# Comparing and computing


def _pair(work: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def function(call: QueryCall, argument: object) -> object:
        left, right = _items(call, argument, 2)
        call.context.meter.make(size(left) + size(right))
        return work(left, right)

    return function


def _computed(sign: str) -> Callable[..., Any]:
    def function(call: QueryCall, argument: object) -> object:
        left, right = _items(call, argument, 2)
        return ARITHMETIC[sign](left, right, call.context.meter)

    return function


# Texts


def _concat(call: QueryCall, argument: object, sep: str = "") -> object:
    if not isinstance(argument, list):
        return argument
    call.context.meter.make(printed(argument) + len(str(sep)) * len(argument))
    return str(sep).join(str(item) for item in argument)


def _token(call: QueryCall, argument: object) -> object:
    text, separator, index = _items(call, argument, 3)
    call.context.meter.make(printed(text) * 8)
    return str(text).split(str(separator))[int(index)]


def _label(kind: str) -> Callable[..., Any]:
    def function(call: QueryCall, *values: object, **options: object) -> object:
        meter = call.context.meter
        meter.make(sum(map(printed, values)) * (2 + len(str(options.get("replace") or ""))))
        return to_label(kind, *values, **options)

    return function


_PORTS = {"http": "80", "https": "443"}


def _urljoin(call: QueryCall, argument: object) -> object:
    parts = _items(call, argument)
    if not 2 <= len(parts) <= 6:
        raise call.bad("takes [scheme, host, port, path, query, fragment], of which the first two are required")
    scheme, host, number, path, query, fragment = ("" if not part else str(part) for part in [*parts, *[None] * 4][:6])
    if number and not number.isdecimal():
        raise call.bad(f"takes a number for the port, not `{number}`")
    if not any((scheme, host, path, query, fragment)):
        return None
    return _url(
        scheme, host if not number or _PORTS.get(scheme) == number else f"{host}:{number}", path, query, fragment
    )


def _url(scheme: str, address: str, path: str, query: str, fragment: str) -> str:
    """A URL, relative where it has no scheme or no address; path, query and fragment are quoted."""
    from urllib.parse import quote, quote_plus

    made = f"{scheme}:" if scheme else ""
    made += f"//{address}" if address else ""
    made += "/" if address and path and not path.startswith("/") else ""
    return made + quote(path) + (query and f"?{quote_plus(query)}") + (fragment and f"#{quote(fragment)}")


def _to_env(call: QueryCall, argument: object, **options: object) -> object:
    if not isinstance(argument, dict):
        raise call.bad("takes a map of variables")
    return variables_by_rules(argument, _environment(call), call.context.meter)


# The outside


def _environment(call: QueryCall) -> dict[str, str]:
    context = call.context
    node = context.scope.call("env", ("environment",), lambda permit: context.made(permit.variables())[0])
    return dict(context.plain((node, None)))  # type: ignore[call-overload,no-any-return]


def _variable(call: QueryCall, name: str) -> object:
    """A variable of the environment; None where it is not set."""
    context = call.context
    key = ("env", name, "", "query")
    node = context.scope.call("env", key, lambda permit: context.made(permit.variable(name))[0])
    return context.plain((node, None))


def _get_env(call: QueryCall, argument: object) -> object:
    if argument in (None, "", []):
        return _environment(call)
    name, *default = argument if isinstance(argument, list) else [argument]
    found = _variable(call, str(name))
    return found if found is not None else default[0] if default else None


def _has_env(call: QueryCall, argument: object) -> object:
    return _variable(call, str(argument)) is not None


def _lookup(call: QueryCall, argument: object, *more: object, **options: object) -> object:
    """`{env: NAME}` in a document, `lookup("env", "NAME")` in a template."""
    plugin, given = next(iter(argument.items())) if isinstance(argument, dict) and argument else (argument, list(more))
    if plugin == "env":
        names = given if isinstance(given, list) else [given]
        return _get_env(call, [names[0], ""])
    raise call.bad(f"has no plugin `{plugin}`; there is `env`")


def _path(call: QueryCall, name: object) -> str:
    return os.path.abspath(os.path.join(call.context.settings.folder, os.path.expanduser(str(name))))


def _abspath(call: QueryCall, argument: object, *_: object) -> object:
    return _path(call, argument[0] if isinstance(argument, list) and argument else argument)


def _file(call: QueryCall, argument: object, contents: object = None, encoding: str = "utf-8", **_: object) -> object:
    name = _path(call, argument)
    context = call.context
    if contents is not None:
        context.scope.call(
            "write", ("file", name, repr(contents)), lambda permit: _write(call, name, contents, encoding, permit)
        )
    parts = {"path": context.made(name)[0], "encoding": context.made(encoding)[0]}
    if contents is not None:
        parts["contents"] = context.made(_file_text(name, contents))[0]
        return External(name, parts, *context.source)
    found = context.scope.service("text_if_there")(context.scope, name)
    if isinstance(found, Scalar) and found.value is not None:
        parts["contents"] = found
    return External(name, parts, *context.source)


def _file_text(name: str, contents: object) -> str:
    if isinstance(contents, str):
        return contents
    import json  # only for files that are written

    return json.dumps(contents, indent=2, default=str) + "\n"


def _write(call: QueryCall, name: str, contents: object, encoding: str, permit: Permit) -> Node:
    try:
        permit.write(name, _file_text(name, contents), encoding)
    except OSError as trouble:
        raise call.bad(f"cannot write `{name}`: {trouble.strerror}") from None
    return call.context.made(name)[0]


def _tempfile(call: QueryCall, argument: object, suffix: str = "", encoding: str = "utf-8", **_: object) -> object:
    import tempfile  # only for files that are written

    context = call.context

    def make(permit: Permit) -> Node:
        handle, name = tempfile.mkstemp(suffix=str(suffix))
        os.close(handle)
        return _write(call, name, argument, encoding, permit)

    node = context.scope.call("write", ("tempfile", repr(argument), suffix), make)
    name = str(context.plain((node, None)))
    return External(name, {"path": node, "contents": context.made(_file_text(name, argument))[0]}, *context.source)


def _python(call: QueryCall, argument: object, args: object = None, **_: object) -> object:
    """`module.function` or `file.py#function`, called with the arguments."""
    context = call.context

    def run(_: Permit) -> Node:
        return context.made(_loaded(call, str(argument))(args))[0]

    return context.scope.call("python", ("python", str(argument), repr(args)), run)


def _loaded(call: QueryCall, name: str) -> Callable[[object], object]:
    import importlib.util  # only where the user has allowed to run code

    file, hash_sign, function = name.rpartition("#")
    try:
        if hash_sign:
            spec = importlib.util.spec_from_file_location("plait_given", _path(call, file))
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module_name, _, function = name.rpartition(".")
            module = importlib.import_module(module_name)
        return getattr(module, function)  # type: ignore[no-any-return]
    except Exception as trouble:  # code of other people
        raise call.bad(f"cannot load `{name}`: {trouble}") from None


def _provided(name: str) -> Callable[..., Any]:
    def function(call: QueryCall, argument: object, **options: object) -> object:
        provider = call.context.settings.providers.get(name)
        if provider is None:
            hint = f"a program that uses plait as a library can give a provider for `{name}`"
            raise NO_PROVIDER.error(call.context.label(), name=name, hint=hint)
        return provider(argument, **options)

    return function


# Random values


_PRESETS = {"number": [["0-9"]], "password": [["a-z"], ["A-Z"], ["0-9"]]}


def _generate_string(
    call: QueryCall, argument: object = None, preset: str = "", len: object = 8, ranges: object = None, **_: object
) -> object:
    given = argument if isinstance(argument, dict) else {}
    preset = str(given.get("preset", preset))
    length = int(given.get("len", len))
    meter = call.context.meter
    meter.make(max(length, 0) * 64)
    spans = given.get("ranges", ranges) or _PRESETS.get(preset) or [["a-z", "0-9"]]
    key = ("generate", id(call.arguments[0]) if call.arguments else 0, call.context.place)
    return call.context.scope.call("random", key, lambda _: call.context.made(_random_text(spans, length, meter))[0])


def _random_text(ranges: list[Any], length: int, meter: Meter) -> str:
    import secrets  # only where something random is wanted

    groups = [_letters(group if isinstance(group, list) else [group], meter) for group in ranges]
    every = "".join(groups)
    picked = [secrets.choice(group) for group in groups[:length]]
    picked += [secrets.choice(every) for _ in range(length - len(picked))]
    secrets.SystemRandom().shuffle(picked)
    return "".join(picked)


def _letters(spans: list[str], meter: Meter) -> str:
    letters: list[str] = []
    for span in spans:
        low, dash, high = str(span).partition("-")
        codes = range(ord(low[0]), ord(high[0]) + 1) if dash and low and high else range(0)
        meter.make(len(codes) * 64 + len(str(span)))
        letters += [chr(code) for code in codes if not 0xD800 <= code < 0xE000] if codes else list(str(span))
    return "".join(letters)


# The rest


def _validate_json(call: QueryCall, argument: object) -> object:
    data, schema = _items(call, argument, 2)
    call.context.meter.make(printed(data) + printed(schema))
    try:
        return Validator(schema, call.context.meter).accepts(data)
    except ImportError:
        raise QUERY_EXTRA.error(
            call.context.label(), what="`validate_json`", package="jsonschema-rs", hint=how_to_install("schema")
        ) from None
    except ValueError as trouble:
        raise call.bad(f"has an invalid schema: {trouble}") from None


def _is_defined(call: QueryCall, argument: object) -> object:
    function = FUNCTIONS.get(str(argument))
    return function is not None and (function.safe or not call.context.settings.safe)


def _template(call: QueryCall) -> Value:
    given = call.context.plain(call.language.mapped(_unrendered(call.arguments[0]), call.context))
    if isinstance(given, dict):
        text = call.context.plain(
            (call.context.scope.service("read_text")(call.context.scope, _path(call, given.get("path"))), None)
        )
    else:
        text = given
    return call.language.render(str(text), call.context)  # type: ignore[no-any-return]


def _unrendered(node: Node) -> Node:
    """The text of a template, before it is rendered."""
    inner = node.expression.data if isinstance(node, Suspension) else node
    return inner if isinstance(inner, Scalar) else node


def _foreach(call: QueryCall) -> Value:
    context = call.context
    resource = context.tree.node(context.scope, context.resource), context.resource
    values = call.language.for_each(resource, call.arguments[0], context)
    items = [Bound(*value) if value[1] is not None else value[0] for value in values]
    if len(items) == 1 and isinstance(items[0], MapNode):
        return items[0], None
    return ListNode(items, *context.source, live=any(item.live for item in items)), None


def _sensitive(call: QueryCall) -> Value:
    return hidden(call.context.finished(call.value())), None


def _get_input(call: QueryCall, argument: object) -> object:
    name, *default = argument if isinstance(argument, list) else [argument]
    found = call.context.tree.node(call.context.scope, call.context.resource.root)
    inputs = found.entries.get("inputs") if isinstance(found, MapNode) else None
    if inputs is not None:
        node, place = call.context.known(inputs, call.context.resource.root.child("inputs"))
        given = node.entries.get(str(name)) if isinstance(node, MapNode) else None
        if given is not None and place is not None:
            return call.context.plain(call.context.known(given, place.child(str(name))))
    if default:
        return default[0]
    raise NO_INPUT.error(
        call.context.label(), name=name, hint="add it to `inputs`, or give a default: {get_input: [NAME, DEFAULT]}"
    )


def _amount(call: QueryCall, argument: object, **_: object) -> object:
    return scalar(argument)


def _amount_value(call: QueryCall, argument: object, unit: str | None = None, round: Any = None) -> object:
    return scalar_value(argument, unit, round)


_COMPARISONS: dict[str, tuple[Callable[[Any, Any], Any], str, str]] = {
    "eq": (operator.eq, "Whether two values are equal.", "[1, 1]"),
    "ne": (operator.ne, "Whether two values differ.", "[1, 2]"),
    "gt": (operator.gt, "Whether the first is greater.", "[2, 1]"),
    "ge": (operator.ge, "Whether the first is greater or equal.", "[2, 2]"),
    "lt": (operator.lt, "Whether the first is less.", "[1, 2]"),
    "le": (operator.le, "Whether the first is less or equal.", "[2, 2]"),
}

_SIGNS = {
    "add": ("+", "The sum; strings and lists are concatenated.", "[1, 2]"),
    "sub": ("-", "The difference.", "[3, 2]"),
    "mul": ("*", "The product.", "[3, 2]"),
    "div": ("/", "The quotient.", "[7, 2]"),
    "truediv": ("/", "The quotient.", "[7, 2]"),
    "floordiv": ("//", "The whole part of the quotient.", "[7, 2]"),
    "mod": ("%", "The remainder.", "[7, 2]"),
    "pow": ("**", "The power.", "[2, 8]"),
}

FUNCTIONS = {
    function.name: function
    for function in (
        QueryFunction(
            "if",
            "One of two expressions; without `then` and `else`, true or false.",
            "{if: a, then: b, else: c}",
            _if,
            lazy=True,
        ),
        QueryFunction(
            "and", "The first of several expressions that is false, else the last.", "{and: [a, b]}", _and, lazy=True
        ),
        QueryFunction(
            "or", "The first of several expressions that is true, else false.", "{or: [a, b]}", _or, lazy=True
        ),
        QueryFunction("not", "Whether an expression has no result, or a false one.", "{not: a}", _not, lazy=True),
        *(
            QueryFunction(name, about, f"{{{name}: {example}}}", _pair(work), amounts=True)
            for name, (work, about, example) in _COMPARISONS.items()
        ),
        *(
            QueryFunction(name, about, f"{{{name}: {example}}}", _computed(sign), amounts=True)
            for name, (sign, about, example) in _SIGNS.items()
        ),
        QueryFunction(
            "q", "Its argument, not evaluated.", "{q: '{{ x }}'}", _quoted, lazy=True, alone=True, quotes=True
        ),
        QueryFunction(
            "concat", "Texts put together, with `sep` between them.", "{concat: [a, b], sep: '-'}", _concat, alone=True
        ),
        QueryFunction(
            "token", "One piece of a string between separators.", "{token: ['a:b', ':', 1]}", _token, alone=True
        ),
        QueryFunction(
            "get_env",
            "A variable of the environment, or a default.",
            "{get_env: [HOME, /root]}",
            _get_env,
            alone=True,
            safe=False,
        ),
        QueryFunction(
            "has_env", "Whether the environment has a variable.", "{has_env: HOME}", _has_env, alone=True, safe=False
        ),
        QueryFunction(
            "get_input",
            "A value of `inputs` at the root, or a default.",
            "{get_input: [size, 3]}",
            _get_input,
            alone=True,
        ),
        QueryFunction(
            "template",
            "A Jinja2 template; the result keeps its type.",
            "{template: '{{ a + 1 }}'}",
            _template,
            lazy=True,
        ),
        QueryFunction(
            "lookup", "A value of the environment, Ansible's way.", "{lookup: {env: HOME}}", _lookup, safe=False
        ),
        QueryFunction(
            "validate_json",
            "Whether data follow a JSON schema.",
            "{validate_json: [1, {type: integer}]}",
            _validate_json,
        ),
        QueryFunction(
            "is_function_defined",
            "Whether there is a function of that name.",
            "{is_function_defined: add}",
            _is_defined,
        ),
        QueryFunction(
            "foreach",
            "Its body, evaluated for the current resource.",
            "{foreach: {key: $key, value: $item}}",
            _foreach,
            lazy=True,
        ),
        QueryFunction("sensitive", "A value that is never shown.", "{sensitive: hush}", _sensitive, lazy=True),
        QueryFunction(
            "file", "The path of a file; `select: contents` reads it.", "{file: motd.txt}", _file, safe=False
        ),
        QueryFunction(
            "tempfile", "The path of a new file with this content.", "{tempfile: text}", _tempfile, safe=False
        ),
        QueryFunction("abspath", "A path from the project's folder, in full.", "{abspath: data}", _abspath, safe=False),
        QueryFunction("get_dir", "The project's folder, or one in it.", "{get_dir: .}", _abspath, safe=False),
        QueryFunction(
            "python",
            "What a Python function gives. Requires `--allow python`.",
            "{python: tools.py#make}",
            _python,
            safe=False,
        ),
        QueryFunction(
            "urljoin", "A URL of its parts; default ports are left out.", "{urljoin: [http, localhost, 8080]}", _urljoin
        ),
        *(
            QueryFunction(
                kind,
                "A name that meets a limit on length and characters; shortened with a digest.",
                f"{{{kind}: [a, b]}}",
                _label(kind),
            )
            for kind in KINDS
        ),
        QueryFunction(
            "to_env", "A map as variables of an environment.", "{to_env: {A: 1, B: true}}", _to_env, safe=False
        ),
        QueryFunction(
            "generate_string", "A random text.", "{generate_string: {len: 12}}", _generate_string, safe=False
        ),
        QueryFunction(
            "_generate", "A random text.", "{_generate: {preset: password}}", _generate_string, alone=True, safe=False
        ),
        QueryFunction("scalar", "A number with a unit.", "{scalar: 500 kb}", _amount),
        QueryFunction(
            "scalar_value", "The number of an amount in a unit.", "{scalar_value: 6 mb, unit: gb}", _amount_value
        ),
        QueryFunction("portspec", "The parts of a port.", "{portspec: '80:81'}", lambda call, argument: port(argument)),
        *(
            QueryFunction(name, f"What the provider of `{name}` gives.", f"{{{name}: x}}", _provided(name), safe=False)
            for name in ("secret", "local", "external")
        ),
    )
}
"""Every function there is. The reference page, completion and the evaluator read this table."""


def listing() -> list[dict[str, str]]:
    """What there is, for people: from the declarations themselves."""
    return [{"signature": f.name, "about": f.about, "example": f"{{eval: {f.example}}}"} for f in FUNCTIONS.values()]
