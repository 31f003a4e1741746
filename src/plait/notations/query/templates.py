"""Templates: a text with `{{ }}` or `{% %}`, rendered by Jinja2 with the types of its values.

A template sees its variables and `SELF`, the current resource. What it reads is evaluated when it reads it. What it
can reach is decided in `jinja.py`.
"""

from __future__ import annotations

import re
from functools import partial

from plait.core.diagnostic import PlaitError
from plait.core.node import Inherited
from plait.core.scope import Blocked
from plait.notations.query.ansible.table import FILTERS, TESTS, named
from plait.notations.query.bounds import printed
from plait.notations.query.context import Context
from plait.notations.query.data import KeptText, Value
from plait.notations.query.functions import FUNCTIONS
from plait.notations.query.labels import KINDS, to_label
from plait.notations.query.units import scalar, scalar_value
from plait.notations.query.views import (
    ContainerView,
    Functions,
    JinjaFunction,
    ListView,
    as_plain,
    as_text,
    given_back,
    on_data,
    seen,
)
from plait.report.catalog import BAD_TEMPLATE, QUERY_EXTRA
from plait.report.installing import how_to_install
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any, Protocol

    from plait.core.meter import Meter

    class Asks(Protocol):
        context: Context

        def is_expression(self, value: dict[Any, Any]) -> bool: ...
        def ask(self, expression: object) -> Value: ...
        def call(self, name: str, *arguments: object, **options: object) -> object: ...


MARKERS = ("{{", "{%", "{#")
HEADER = "#jinja2:"
"""Begins a template whose first line sets how it is read, as in Ansible: `#jinja2: variable_start_string:'[[',
trim_blocks:True`."""
DELIMITERS = frozenset(
    f"{what}_{end}_string" for what in ("block", "variable", "comment") for end in ("start", "end")
) | {"trim_blocks", "lstrip_blocks", "keep_trailing_newline"}
RENDERING, COMPILING = 300, 300
"""Steps that it takes to render a template, and to compile a short one; each character is another one."""
CODE = 4096
"""Bytes of a compiled template, besides its text."""
TROUBLES = (ArithmeticError, AssertionError, AttributeError, LookupError, SyntaxError, TypeError, ValueError)
"""What Python and Jinja2's own functions raise for values that they cannot use."""
UNKNOWN = re.compile(r"No (?P<kind>filter|test) named '(?P<name>.+)'")
"""What Jinja2 says of a filter or a test that is not there."""


def render(text: str, context: Context, asks: Asks) -> Value:
    """The value of a template."""
    try:
        import jinja2  # slow to import
    except ImportError:
        hint = how_to_install("jinja")
        raise QUERY_EXTRA.error(context.label(), what="a template", package="Jinja2", hint=hint) from None
    context.meter.step(RENDERING)
    made = environment(context, asks)
    trouble: Exception
    try:
        return given_back(made.template(_compiled(text, made, context)).rendered(), context)
    except (PlaitError, Blocked, Inherited):
        raise
    except (RecursionError, MemoryError):
        trouble, hint = ValueError("it nests too deep"), ""
    except jinja2.UndefinedError as wrong:
        trouble, hint = wrong, "a variable that may be missing: {{ name | default('') }}"
    except (jinja2.TemplateError, *TROUBLES) as wrong:
        trouble, hint = wrong, _similar(str(wrong), made)
    finally:
        made.release()
    why = explained(trouble)
    if not context.strict:
        return context.made(f"<<Error rendering template: {why}>>")
    raise BAD_TEMPLATE.error(context.label(), why=why, hint=hint)


def _similar(why: str, environment: Any) -> str:
    """The filters or tests that may be meant by a name that Jinja2 does not know."""
    unknown = UNKNOWN.match(why)
    return did_you_mean(unknown["name"], getattr(environment, f"{unknown['kind']}s")) if unknown else ""


def _compiled(text: str, environment: Any, context: Context) -> CodeType:
    """The code of a template, compiled once for each text."""
    known = context.settings.templates
    if text not in known:
        context.meter.step(COMPILING + len(text))
        context.meter.make(CODE + 8 * len(text))
        known[text] = environment.compile(_without_header(text.strip(), environment))
    return known[text]


def _without_header(text: str, environment: Any) -> str:
    """A template without its header, which has set how the rest is read."""
    if not text.startswith(HEADER):
        return text
    from ast import literal_eval  # Jinja2 has loaded it

    header, _, rest = text.partition("\n")
    for setting in header.removeprefix(HEADER).split(","):
        name, _, value = setting.partition(":")
        if name.strip() not in DELIMITERS:
            raise ValueError(
                f"`{name.strip()}` cannot be set in the first line; available: {', '.join(sorted(DELIMITERS))}"
            )
        setattr(environment, name.strip(), literal_eval(value.strip()))
    return rest


def explained(trouble: Exception) -> str:
    """What went wrong, without words that only Python's own users know."""
    why = str(getattr(trouble, "message", None) or trouble)
    if "integer string conversion" in why:
        return "a whole number here has more digits than can be written as text"
    if "<locals>" in why or "<lambda>" in why:
        return "invalid arguments for a function or filter"
    return why


def environment(context: Context, asks: Asks) -> Any:
    """What the templates of an expression can use."""
    from plait.notations.query.jinja import Environment  # imports Jinja2

    made = Environment(context.meter, context.strict, lambda name: _variable(name, context))
    made.filters.update(_filters(context, asks))
    if not context.settings.safe:
        made.tests.update(named(TESTS, context.meter))
    made.globals["__unfurl"] = Functions({name: _function(name, context, asks) for name in FUNCTIONS})
    if not context.settings.safe:
        lookup = JinjaFunction("lookup", lambda plugin, *names: _lookup(context, asks, plugin, *names))
        made.globals["lookup"] = lookup
        made.globals["query"] = JinjaFunction("query", lambda plugin, *names: _listed(lookup(plugin, *names)))
    return made


def _variable(name: str, context: Context) -> object:
    """What a name stands for in a template, worked out when the template reads it. KeyError where there is none."""
    if name == "SELF":
        return seen((context.tree.node(context.scope, context.resource), context.resource), context)
    value = context.variable(name) if name not in _CONSTANTS else None
    if value is None:
        raise KeyError(name)
    return seen(value, context)


_CONSTANTS = ("true", "false", "null")


def _function(name: str, context: Context, asks: Asks) -> JinjaFunction:
    """A function of the query language for templates: it gets data, and gives data."""

    def work(*arguments: object, **options: object) -> object:
        return seen(context.made(on_data(partial(asks.call, name))(*arguments, **options)), context)

    return JinjaFunction(name, work)


def _lookup(context: Context, asks: Asks, plugin: object, *names: object) -> object:
    if plugin in ("unfurl", "plait"):
        return seen(asks.ask(as_plain(names[0])), context)
    return _function("lookup", context, asks)(plugin, *names)


def _listed(value: object) -> object:
    """`query` is `lookup` that always gives a list."""
    return value if isinstance(value, list | ListView) else [value]


def _map_value(value: object, asks: Asks) -> object:
    """A value in which every expression is resolved."""
    if isinstance(value, dict):
        if asks.is_expression(value):
            return as_plain(seen(asks.ask(value), asks.context))
        return {key: _map_value(child, asks) for key, child in value.items()}
    return [_map_value(child, asks) for child in value] if isinstance(value, list) else value


def _filters(context: Context, asks: Asks) -> dict[str, Callable[..., object]]:
    """The filters beside Jinja2's own."""

    def ask(expression: object) -> object:
        return expression if isinstance(expression, ContainerView) else seen(asks.ask(as_plain(expression)), context)

    def sensitive(value: object) -> object:
        context.run.secret = True
        return value

    texts = {"b64encode": _b64encode, "b64decode": _b64decode, "quote": _quote}
    filters: dict[str, Callable[..., object]] = {
        "scalar": scalar,
        "scalar_value": scalar_value,
        **{kind: (lambda *values, kind=kind, **options: to_label(kind, *values, **options)) for kind in KINDS},
        **dict.fromkeys(("map_value", "mapValue"), lambda value: _map_value(value, asks)),
        "to_yaml": lambda value, **_: KeptText(_written(value, context)),
    }
    others: dict[str, Callable[..., object]] = {}
    if not context.settings.safe:
        filters |= _conversions(context)
        filters |= {name: partial(asks.call, name) for name in ("abspath", "get_dir")}
        others = named(FILTERS, context.meter)
    return {
        **others,
        **{name: (lambda value, work=work: work(as_text(value, context.meter))) for name, work in texts.items()},
        **{name: on_data(work) for name, work in filters.items()},
        **dict.fromkeys(("ref", "eval"), ask),
        "sensitive": sensitive,
    }


def _conversions(context: Context) -> dict[str, Callable[..., object]]:
    """Data as text and back."""

    def from_yaml_all(text: object) -> list[Any]:
        read = context.scope.service("from_yaml_all")(str(text), "a template", "pyyaml")
        documents: Any = context.plain((read, None))
        return list(documents)

    def from_yaml(text: object) -> object:
        documents = from_yaml_all(text) if isinstance(text, str) else [text]
        if len(documents) > 1:
            raise ValueError("from_yaml: there are several documents; from_yaml_all reads them all")
        return documents[0] if documents else None

    return {
        "to_json": partial(_to_json, context.meter),
        "to_nice_json": partial(_to_json, context.meter, indent=4, sort_keys=True),
        "to_nice_yaml": partial(_to_nice_yaml, context.meter),
        "from_json": _from_json,
        "from_yaml": from_yaml,
        "from_yaml_all": from_yaml_all,
    }


def _written(value: object, context: Context) -> str:
    """A value as YAML, in its own order. A single text or number is followed by the end of a document."""
    node = context.made(value)[0]
    written = str(context.plain((context.scope.service("to_yaml")(node, sort_keys=False), None)))
    return written if isinstance(value, dict | list) or written[0] in "'\"|>" else f"{written}...\n"


def _b64encode(text: str) -> str:
    from base64 import b64encode

    return b64encode(text.encode()).decode()


def _b64decode(text: str) -> str:
    from base64 import b64decode

    return b64decode(text).decode()


def _quote(text: str) -> str:
    from shlex import quote

    return quote(text)


def _to_json(meter: Meter, value: object, indent: int | None = None, sort_keys: bool = False) -> str:
    from json import dumps

    meter.make(printed(value) * 3 * (1 + min(int(indent or 0), 1000)))
    return KeptText(dumps(value, default=str, indent=indent, sort_keys=sort_keys))


def _to_nice_yaml(meter: Meter, value: object, indent: int = 4) -> str:
    """YAML as PyYAML writes it: in blocks, with sorted keys, in lines of 80 characters."""
    from yaml import SafeDumper, dump

    meter.make(printed(value) * 2 * (1 + min(int(indent), 1000)))
    made = dump(value, Dumper=SafeDumper, indent=int(indent), allow_unicode=True, default_flow_style=False)
    return KeptText(made)


def _from_json(value: str) -> object:
    from json import loads

    return loads(value)
