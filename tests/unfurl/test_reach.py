"""What a template can reach. The walks go everywhere that a template can go, and fail at a type that is not on the
list.

From everything that a Jinja template has, the walk reads every attribute and item, iterates, calls without arguments
and applies every filter and test, breadth first, each pair of a type and an operation once.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import pytest

from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError
from plait.core.meter import Overrun
from plait.core.node import ListNode, MapNode, Node, Scalar, Suspension
from plait.core.scope import Blocked
from plait.fronts.project import Project
from plait.fronts.unfurl.asking import ask
from plait.fronts.unfurl.expressions import Expressions
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.notations.gotemplate import tables
from plait.notations.gotemplate.values import MISSING, TYPE_NAMES, Object
from plait.notations.query import language
from plait.notations.query.context import Context, QuerySettings
from plait.notations.query.jinja import CALLABLE, NAMES
from plait.notations.query.templates import environment

DOCUMENT = """
text: some text
number: 7
float: 1.5
truth: true
nothing: null
bytes: !!binary aGVsbG8=
list: [1, two, {three: 3}, [4]]
map: {a: {b: 1}, 2: two, "items": 3}
computed: {eval: ::number}
template: "{{ SELF.text }}"
file: {eval: {file: main.yaml}}
amount: {eval: {scalar: 6 mb}}
secret: {eval: {sensitive: hush}}
"""
MADE = (
    "{% macro given(a, b=1) %}{{ caller }}{{ varargs }}{{ kwargs }}{% endmacro %}"
    "{% for x in [1, 2] %}{% set _ = met(loop) %}{% endfor %}"
    "{% call(user) given(1, 2, c=3) %}x{% endcall %}"
    "{{ met(given) }}{{ met(namespace(x=1)) }}{{ met(cycler(1, 2)) }}{{ met(joiner()) }}{{ met(range(3)) }}"
    "{{ met({'a': 1}) }}{{ met((1, 2)) }}{{ met('x' | escape) }}{{ met([{'a': 1}] | groupby('a')) }}{{ met(self) }}"
    "{{ met(nowhere | default(none)) }}{{ met('5 kb' | scalar) }}{{ met('x'.upper) }}{{ met(x is defined) }}"
)
"""A template that makes one of each kind of thing; `met` hands them to the walk."""
HIDDEN = [
    "__class__",
    "__dict__",
    "__init__",
    "__globals__",
    "__code__",
    "__closure__",
    "__self__",
    "__func__",
    "__mro__",
    "__subclasses__",
    "__builtins__",
    "_context",
    "_value",
    "context",
    "value",
    "scope",
    "node",
    "place",
    "evaluator",
    "func_globals",
    "gi_frame",
    "cr_frame",
    "f_globals",
    "environment",
]


class Walk:
    """An expression that walks instead of computing."""

    text = "a walk"

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.met: set[type] = set()
        self.done: set[tuple[type, str]] = set()
        self.strange: dict[str, str] = {}

    def evaluate(self, scope: Any) -> Node:
        self.meter = scope.meter
        self.meter.restart()
        context = Context(scope, self.expressions.tree, scope.place, self.expressions.settings)
        made = environment(context, language.Asker(context))
        start = [made.from_string("{{ SELF }}").rendered(), *made.globals.values()]
        made.globals["met"] = type(made.globals["range"])("met", lambda thing: start.append(thing) or "")
        made.from_string(MADE).rendered()
        del made.globals["met"]
        names = made.context_class(made, {}, None, {})
        self.queue = deque((thing, "the beginning") for thing in start)
        while self.queue:
            thing, way = self.queue.popleft()
            self.visit(thing, way, made, names)
        return Scalar("done", "done")

    def visit(self, thing: Any, way: str, made: Any, names: Any) -> None:
        kind = type(thing)
        self.met.add(kind)
        if kind not in NAMES:
            self.strange.setdefault(kind.__name__, way)
            return
        for operation, work in self.operations(thing, made, names):
            if (kind, operation) in self.done:
                continue
            try:
                result = work()
            except Overrun:
                self.meter.restart()
                result = None
            except (Blocked, AssertionError):
                raise
            except Exception:  # what a template would be told
                result = None
            self.done.add((kind, operation))
            self.queue.append((result, f"{way}, {operation} of {kind.__name__}"))

    def operations(self, thing: Any, made: Any, names: Any) -> Any:
        for name in {*dir(thing), *HIDDEN, *NAMES[type(thing)]}:
            yield f".{name}", lambda name=name: made.getattr(thing, name)
            yield f"|attr({name})", lambda name=name: made.filters["attr"](thing, name)
            yield f"[{name!r}]", lambda name=name: made.getitem(thing, name)
        for key in (0, -1, "a", "list", "map", "amount", "file", "bytes", "to_label", None, slice(0, 1)):
            yield f"[{key!r}]", lambda key=key: made.getitem(thing, key)
        yield "an item of", lambda: next(iter(thing))
        yield "(): a call", lambda: made.call(names, thing)
        for name in made.filters:
            yield f"|{name}", lambda name=name: made.call_filter(name, thing, context=names)
        for name in made.tests:
            yield f"is {name}", lambda name=name: made.call_test(name, thing, context=names)


def loaded(
    folder: Path, text: str, settings: QuerySettings | None = None, allow: frozenset[str] = frozenset()
) -> DirectiveDocument:
    (folder / "main.yaml").write_text(text, encoding="utf-8")
    expressions = Expressions(settings or QuerySettings(folder=str(folder)))
    return DirectiveDocument(Project(str(folder), guard=Guard(allow)), str(folder / "main.yaml"), expressions)


@pytest.mark.long
def test_a_jinja_template_meets_only_the_types_on_the_list(tmp_path: Path) -> None:
    document = loaded(tmp_path, DOCUMENT)
    expressions = document.notations
    assert isinstance(expressions, Expressions)
    walk = Walk(expressions)
    _, root = document.tree.find(())
    document.evaluator.answer(Suspension(walk, Scalar("", "").source, 0), root)
    assert not walk.strange
    assert len(walk.done) > 5_000  # it did go somewhere
    elsewhere = {"Marker", "bytes"}  # templates that are not strict, and encrypted values
    assert {kind.__name__ for kind in NAMES.keys() - walk.met} == elsewhere


def test_no_type_of_ours_has_a_name_on_the_list_that_is_ours() -> None:
    """The attributes that templates can read are those of Python's and Jinja's own types; ours have methods of
    mappings and lists only, and our kind of text has nothing that texts do not have."""
    for kind, names in NAMES.items():
        if kind.__module__.startswith("plait") and issubclass(kind, str):
            assert all(name not in vars(kind) for name in names), kind
        elif kind.__module__.startswith("plait"):
            assert names <= {"get", "items", "keys", "values", "count", "index"}, kind
    callable_types = {"JinjaFunction", "Macro", "LoopContext", "Joiner", "UndefinedVariable", "Marker"}
    assert {kind.__name__ for kind in CALLABLE} == callable_types


ATTACKS = [
    "{{ SELF.context.scope.written }}",
    "{{ SELF._context }}{{ SELF['_context'].scope }}",
    "{{ (SELF | attr('_context')).scope }}",
    "{{ [SELF] | map(attribute='_context.scope') | list }}",
    "{{ [SELF] | map('attr', '_context') | map(attribute='scope') | list }}",
    "{{ '{0._context.scope}'.format(SELF) }}",
    "{{ '%(x)s' | format(x=SELF._context.scope) }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ ''['__class__']['__base__'] }}",
    "{{ range.__globals__ }}",
    "{{ range._work.__globals__ }}",
    "{{ __unfurl._functions }}",
    "{{ __unfurl.to_label.__closure__ }}",
    "{{ lookup.__code__ }}",
    "{% for x in [1] %}{{ loop._undefined.__init__.__globals__ }}{% endfor %}",
    "{% macro m() %}{{ m._environment.loader }}{% endmacro %}{{ m() }}",
    "{{ self._TemplateReference__context.environment }}",
    "{{ cycler.__init__.__globals__ }}",
    "{{ namespace.__class__ }}",
    "{{ joiner.__init__ }}",
    "{{ nowhere._undefined_obj.x }}",
    "{{ dict.mro() }}",
    "{{ [].append(1) }}",
    "{{ {}.update(a=1) }}",
    "{{ SELF.text.format_map(SELF) }}",
    "{{ __unfurl.python('os.getcwd') }}",
    "{{ {'python': 'os.getcwd'} | eval }}",
    "{% macro c(a, b, f) %}{{ f() }}{% endmacro %}{{ {'eval': c} | eval }}",
    "{{ c | to_json }}{% macro c() %}{% endmacro %}",
    "{% include 'main.yaml' %}",
    "{% import 'main.yaml' as m %}",
    "{% extends 'main.yaml' %}",
]


@pytest.mark.parametrize("template", ATTACKS)
def test_an_attack_is_an_error(template: str, tmp_path: Path) -> None:
    with pytest.raises(PlaitError) as caught:
        ask(loaded(tmp_path, DOCUMENT), template, (), "one", ())
    assert "0x" not in str(caught.value)
    assert "<locals>" not in str(caught.value)


LARGE = [
    "{{ 'x' * 1000000000 }}",
    "{{ [1] * 1000000000 }}",
    "{{ 10 ** (10 ** 10) }}",
    "{{ 'x'.ljust(1000000000) }}",
    "{{ 'x'.zfill(1000000000) }}",
    "{{ 'x' | center(1000000000) }}",
    "{{ 'x\n' | indent(1000000000, true) }}",
    "{{ '%1000000000d' % 1 }}",
    "{{ '%1000000000d' | format(1) }}",
    "{{ '{:1000000000}'.format(1) }}",
    "{{ '{:{}}'.format(1, 1000000000) }}",
    "{{ '\t'.expandtabs(1000000000) }}",
    "{{ range(1000000000) | list }}",
    "{{ [1] | batch(1000000000, 0) | list }}",
    "{{ [1] | slice(1000000000) | list }}",
    "{% set n = namespace(x='x') %}{% for i in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
    "{% set n = namespace(x='x') %}{% for i in range(99) %}{% set n.x = n.x + n.x %}{% endfor %}",
    "{% set n = namespace(x='x') %}{% for i in range(99) %}{% set n.x = n.x | replace('x', 'xx') %}{% endfor %}",
    "{% set n = namespace(x='x') %}{% for i in range(99) %}{% set n.x = n.x.replace('x', 'xx') %}{% endfor %}",
    "{% set n = namespace(x=['x']) %}{% for i in range(99) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x | string }}",
    "{% set n = namespace(x=['x']) %}{% for i in range(99) %}{% set n.x = [n.x, n.x] %}{% endfor %}a{{ n.x }}",
    "{% set n = namespace(x=['x']) %}{% for i in range(99) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x | tojson }}",
    "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% "
    "endfor %}{% endfor %}",
    "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
    "{{ 'x' | wordwrap(1, wrapstring='x' * 10000000) | length }}{{ ('x ' * 100000) | wordwrap }}",
    "{{ ([[1] * 100000] * 100000) | sum(start=[]) | length }}",
]


@pytest.mark.long
@pytest.mark.parametrize("template", LARGE)
def test_a_result_that_is_too_large_is_refused_before_it_is_made(template: str, tmp_path: Path) -> None:
    with pytest.raises(PlaitError, match=r"PL50\d\d"):
        ask(loaded(tmp_path, DOCUMENT), template, (), "one", ())


UNFIT = [
    "{{ 1e400 }}",
    "{{ 'abcdefghij' | truncate(-5) }}",
    "{{ 'x' | wordwrap(0) }}",
    "{{ 1 / 0 }}",
    "{{ 1.5 | round(10000000, 'ceil') }}",
    "{{ " + "(" * 400 + "1" + ")" * 400 + " }}",
    "{% for a in [1] %}" * 30 + "{% endfor %}" * 30,
    "{{ '*' * 3 }}{{ '%*d' % (5, 1) }}",
    "{{ 1" + "0" * 5000 + " }}",
    "{{ 'x'.join(3) }}",
    "{{ [1, 'a'] | sort }}",
    "{{ 5 | random }}",
    "{{ nope() }}",
    "{{ 'x'() }}",
]


@pytest.mark.parametrize("template", UNFIT)
def test_what_python_cannot_do_is_an_error_of_the_template(template: str, tmp_path: Path) -> None:
    with pytest.raises(PlaitError, match="PL3406"):
        ask(loaded(tmp_path, DOCUMENT), template, (), "one", ())


# Go templates, and the languages that have no values of Python at all


def test_a_go_template_meets_only_go_values() -> None:
    """Every function of the table, called with none, one and two of the values that there are."""
    allowed = {*TYPE_NAMES, type(MISSING), type(None)}
    values: list[Any] = ["text", 7, 1.5, True, None, {"a": {"b": 1}}, [1, "two"]]
    strange: dict[str, str] = {}
    table = tables.stacks()
    for name in table:
        function = table.get(name)
        assert function is not None
        for arguments in ((), *((value,) for value in values)):
            try:
                result = function.call(*arguments)
            except Exception:  # what a template would be told
                continue
            if type(result) not in allowed and not isinstance(result, Object):
                strange[name] = type(result).__name__
    assert not strange


@pytest.mark.parametrize("expression", ["text", "list::0", "map::a", "*", ".all", ".descendants", "file", "amount"])
def test_a_question_gives_only_data(expression: str, tmp_path: Path) -> None:
    """Nodes of the three known kinds, whatever is asked: there is no way to an attribute of ours."""
    document = loaded(tmp_path, DOCUMENT)
    stack = [ask(document, expression, (), "one", ())]
    while stack:
        node = stack.pop()
        assert isinstance(node, Scalar | ListNode | MapNode)
        if isinstance(node, Scalar):
            assert isinstance(node.value, str | int | float | bool | bytes | None)
        stack += (
            node.entries.values() if isinstance(node, MapNode) else node.items if isinstance(node, ListNode) else []
        )
