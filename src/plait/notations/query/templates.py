"""Jinja2 templates in its sandbox, with native types. Jinja2 is an extra and is imported when the first template is rendered.

A template sees its variables and `SELF`, the current resource. What it reads is evaluated when it reads it.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingView
from collections.abc import Sequence as SequenceView

from plait.core.diagnostic import PlaitError
from plait.core.node import Mapping, Node, Scalar, Sequence
from plait.core.scope import Blocked, Inherited
from plait.notations.query.context import Context
from plait.notations.query.data import plain_key
from plait.notations.query.functions import FUNCTIONS
from plait.notations.query.labels import KINDS, to_label
from plait.notations.query.select import Value
from plait.notations.query.units import Amount, scalar_value
from plait.report.catalog import BAD_TEMPLATE, QUERY_EXTRA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    class Asks(Protocol):
        def ask(self, expression: object) -> Value: ...
        def call(self, name: str, *arguments: object, **options: object) -> object: ...


MARKERS = ("{{", "{%", "{#")


class View:
    """A container as a template sees it: what it reads is known when it reads it."""

    __slots__ = ("context", "value")

    def __init__(self, value: Value, context: Context) -> None:
        self.value = value
        self.context = context

    def _child(self, node: Node, step: Any) -> object:
        place = self.value[1]
        return seen(self.context.known(node, place.child(step) if place is not None else None), self.context)

    def __str__(self) -> str:
        if self.context.tree.is_resource(*self.value) and not self.context.tree.star:
            assert self.value[1] is not None
            return f"NodeInstance('{self.context.tree.name(self.value[1])}')"
        return str(self.context.plain(self.value))

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        mine = self.context.plain(self.value)
        return bool(mine == (other.context.plain(other.value) if isinstance(other, View) else other))

    def __hash__(self) -> int:
        return id(self.value[0])


class MapView(View, MappingView):  # type: ignore[type-arg]
    __slots__ = ()

    def __getitem__(self, key: object) -> object:
        node = self.value[0]
        assert isinstance(node, Mapping)
        for name, child in node.entries.items():
            if plain_key(name) == key:
                return self._child(child, name)
        raise KeyError(key)

    def __iter__(self) -> Iterator[object]:
        assert isinstance(self.value[0], Mapping)
        return iter([plain_key(key) for key in self.value[0].entries])

    def __len__(self) -> int:
        assert isinstance(self.value[0], Mapping)
        return len(self.value[0].entries)


class ListView(View, SequenceView):  # type: ignore[type-arg]
    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        node = self.value[0]
        assert isinstance(node, Sequence)
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(node.items)))]
        at = index + len(node.items) if index < 0 else index
        return self._child(node.items[at], at)

    def __len__(self) -> int:
        assert isinstance(self.value[0], Sequence)
        return len(self.value[0].items)


def seen(value: Value, context: Context) -> object:
    """A value as a template sees it."""
    node = value[0]
    if isinstance(node, Mapping):
        return MapView(value, context)
    if isinstance(node, Sequence):
        return ListView(value, context)
    if isinstance(node, Scalar):
        context.run.secret = context.run.secret or node.secret
        return node.value
    return context.plain(value)


def given_back(value: object, context: Context) -> Value:
    """What a template gave, as a value."""
    return value.value if isinstance(value, View) else context.made(_without_views(value))


def _without_views(value: object) -> object:
    if isinstance(value, View):
        return value.context.finished(value.value)
    if isinstance(value, dict):
        return {key: _without_views(child) for key, child in value.items()}
    return [_without_views(child) for child in value] if isinstance(value, list | tuple) else value


def render(text: str, context: Context, asks: Asks) -> Value:
    """The value of a template."""
    try:
        import jinja2  # an extra, and slow to import
    except ImportError:
        hint = "pip install 'plait[jinja]'"
        raise QUERY_EXTRA.error(context.label(), what="a template", package="Jinja2", hint=hint) from None
    try:
        template = _environment(context, asks).from_string(text.strip())
        return given_back(template.render(), context)
    except (PlaitError, Blocked, Inherited):
        raise
    except RecursionError:
        trouble: Exception = ValueError("it nests too deep")
    except (jinja2.TemplateError, ArithmeticError, TypeError, ValueError, LookupError, AttributeError) as wrong:
        trouble = wrong
    why = str(getattr(trouble, "message", None) or trouble)
    if not context.strict:
        return context.made(f"<<Error rendering template: {why}>>")
    raise BAD_TEMPLATE.error(context.label(), why=why, hint="a variable that may be missing: {{ name | default('') }}")


def _variable(name: str, context: Context) -> object:
    """What a name stands for in a template, worked out when the template reads it. KeyError where there is none."""
    if name == "SELF":
        return seen(_self(context), context)
    value = context.variable(name) if name not in _CONSTANTS else None
    if value is None:
        raise KeyError(name)
    return seen(value, context)


_CONSTANTS = ("true", "false", "null")


def _self(context: Context) -> Value:
    return context.tree.node(context.scope, context.resource), context.resource


class _Functions:
    """`__unfurl.NAME(...)`: the functions of the query language."""

    __slots__ = ("asks",)

    def __init__(self, asks: Asks) -> None:
        self.asks = asks

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name not in FUNCTIONS:
            raise AttributeError(name)
        return lambda *arguments, **options: self.asks.call(name, *arguments, **options)


def _environment(context: Context, asks: Asks) -> Any:
    from jinja2 import nativetypes, sandbox  # an extra, and slow to import
    from jinja2.runtime import Context as Names
    from jinja2.runtime import StrictUndefined

    class Missing(StrictUndefined):
        @property
        def _undefined_message(self) -> str:
            return f'missing variable: "{self._undefined_name}"'

    class Marker(Missing):
        """Where one is not strict, a missing variable stays as it was written."""

        def __str__(self) -> str:  # type: ignore[override]
            return f"{{{{ {self._undefined_name} }}}}"

    class Generator(nativetypes.NativeCodeGenerator):
        @staticmethod
        def _output_const_repr(group: Any) -> str:
            values = list(group)
            return repr(values[0] if len(values) == 1 else "".join(map(str, values)))

    class Variables(Names):
        def resolve_or_missing(self, key: str) -> Any:
            try:
                return _variable(key, context)
            except KeyError:
                return super().resolve_or_missing(key)

    class Environment(sandbox.ImmutableSandboxedEnvironment):
        context_class = Variables
        code_generator_class = Generator
        concat = staticmethod(_put_together)  # type: ignore[assignment]

    class Template(nativetypes.NativeTemplate):
        environment_class = Environment  # type: ignore[assignment]

    Environment.template_class = Template
    environment = Environment(undefined=Missing if context.strict else Marker)
    environment.filters.update(_filters(context, asks))
    environment.globals["__unfurl"] = _Functions(asks)
    if not context.settings.safe:
        environment.globals["lookup"] = lambda plugin, *names: _lookup(context, asks, plugin, *names)
    return environment


def _put_together(pieces: Any) -> object:
    """One piece is the value itself; several are text, read as a value where they are one."""
    found = list(pieces)
    if len(found) == 1:
        return found[0]
    from ast import literal_eval  # Jinja2 has loaded it

    text = "".join(str(piece) for piece in found)
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _lookup(context: Context, asks: Asks, plugin: str, *names: object) -> object:
    if plugin in ("unfurl", "plait"):
        return seen(asks.ask(names[0]), context)
    return asks.call("lookup", plugin, *names)


def _filters(context: Context, asks: Asks) -> dict[str, Callable[..., object]]:
    """The filters beside Jinja2's own."""

    def ask(expression: object) -> object:
        return expression if isinstance(expression, View) else seen(asks.ask(expression), context)

    filters: dict[str, Callable[..., object]] = {
        "ref": ask,
        "eval": ask,
        "b64encode": _b64encode,
        "b64decode": _b64decode,
        "quote": _quote,
        "scalar": Amount.parse,
        "scalar_value": scalar_value,
        **{kind: (lambda value, kind=kind, **options: to_label(kind, value, **options)) for kind in KINDS},
    }
    if not context.settings.safe:
        filters.update(
            {"to_json": _to_json, "from_json": _from_json, "abspath": lambda name: asks.call("abspath", name)}
        )
    return filters


def _b64encode(value: object) -> str:
    from base64 import b64encode

    return b64encode(str(value).encode()).decode()


def _b64decode(value: object) -> str:
    from base64 import b64decode

    return b64decode(str(value)).decode()


def _quote(value: object) -> str:
    from shlex import quote

    return quote(str(value))


def _to_json(value: object, **options: Any) -> str:
    from json import dumps

    return dumps(
        value, default=lambda view: view.context.plain(view.value) if isinstance(view, View) else str(view), **options
    )


def _from_json(value: str) -> object:
    from json import loads

    return loads(value)
