"""What holds for every template, over every data."""

from __future__ import annotations

import re
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.expression import Expression
from plait.core.node import ListNode, MapNode, Node, Scalar, Suspension
from plait.core.source import UNKNOWN
from plait.gotemplate import Budget, Function, ParseError, Table, TemplateError, field_refs, has_actions, parse, sprig
from plait.notations.gotemplate.format import _by_bare_verbs, _Printf
from plait.notations.gotemplate.parse import parse as parse_tree
from plait.notations.gotemplate.refs import references
from plait.notations.gotemplate.tables import stacks
from tests.examples import examples

SMALL = Budget(steps=2000, size=20_000, depth=50)
NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**19),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["2020-01-02", "1h", "[", "1.2.3"]),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)
DATA = st.dictionaries(NAMES, VALUES, max_size=3)
SLOW = {"genPrivateKey", "genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert",
        "genSignedCertWithKey", "bcrypt", "htpasswd", "derivePassword", "crypto.RSAGenerateKey", "crypto.Bcrypt",
        "crypto.WPAPSK"}  # fmt: skip
FUNCTIONS = st.sampled_from(sorted(set(sprig().functions) - SLOW))
WORDS = st.one_of(
    st.sampled_from(
        [
            ".",
            "$",
            ".a",
            ".b",
            ".a.b",
            "$.c",
            "nil",
            "true",
            "0",
            "1",
            "-3",
            "2.5",
            "'x'",
            '"a"',
            '"%v %d"',
            "$x",
            "(list 1 2)",
            '(dict "a" 1)',
        ]
    ),
    FUNCTIONS,
)


@st.composite
def commands(draw: st.DrawFn, depth: int, piped: bool) -> str:
    """A function with as many arguments as it takes, or, now and then, anything with anything."""
    if draw(st.integers(0, 9)) == 0:
        return " ".join(draw(st.lists(WORDS, min_size=1, max_size=3)))
    name = draw(FUNCTIONS)
    signature = sprig().functions[name].signature
    count = len(signature.fixed) + (draw(st.integers(0, 2)) if signature.rest else 0) - piped
    words = [draw(arguments(depth)) for _ in range(count)]
    return " ".join([name, *words])


@st.composite
def arguments(draw: st.DrawFn, depth: int) -> str:
    if depth and draw(st.integers(0, 3)) == 0:
        return f"({draw(pipelines(depth - 1))})"
    return draw(WORDS)


@st.composite
def pipelines(draw: st.DrawFn, depth: int = 2) -> str:
    first = draw(commands(depth, False) | WORDS)
    return " | ".join([first, *(draw(commands(depth, True)) for _ in range(draw(st.integers(0, 2))))])


@st.composite
def templates(draw: st.DrawFn, depth: int = 2) -> str:
    out = ["{{ $x := 1 }}"] if depth == 2 else []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["text", "action", "if", "range", "with", "set"]))
        pipe = draw(pipelines())
        if kind == "text":
            out.append(draw(st.sampled_from(["x", "\n", " y ", "é"])))
        elif kind == "action":
            out.append(f"{{{{ {pipe} }}}}")
        elif kind == "set":
            out.append(f"{{{{ $x = {pipe} }}}}")
        elif depth:
            inner = draw(templates(depth - 1))
            out.append(f"{{{{- {kind} {pipe} -}}}}{inner}{{{{ else }}}}n{{{{ end }}}}")
    return "".join(out)


def outcome(text: str, data: Any, **options: Any) -> tuple[str, str]:
    """The text that a template makes, or the kind and words of its error."""
    try:
        return "text", parse(text).render(data, budget=SMALL, **options)
    except TemplateError as trouble:
        return trouble.kind, trouble.message


@settings(max_examples=examples(25), deadline=None)
@given(templates(), DATA, st.sampled_from(["default", "zero", "error"]))
def test_only_our_own_errors(text: str, data: Any, missing: str) -> None:
    outcome(text, data, missing=missing)


EVERYTHING = (
    *("nil", "true", "0", "1", "-3", "2.5", "1i", "'x'", "9223372036854775807", "-9223372036854775808", "1e300", "$"),
    *('"NaN"', '""', '"a"', '"1"', '"0x10"', '"["', '"%v"', '"\\xff"', '"2020-01-02"', '"a: [1"', '"10.0.0.0/8"'),
    *("(list)", '(list 1 "a" nil)', '(list (list 1) (dict "a" 1))', '(list (dict "a" 1) (dict "b" 2))', "(dict)"),
    *('(dict "a" 1 "b" (dict "c" nil))', ".map", ".list", ".null", ".none", '(split "," "a,b")', "strings"),
    *('(base64.DecodeBytes "aGk=")', '(semver "1.2.3")', '(net.ParseIP "10.0.0.1")', "(time.Unix 0)", "(time.Hour 1)"),
    *('(net.ParseIPPrefix "10.0.0.1/8")', '(conv.URL "http://a/b?c=1")', "(conv.ToInts 1 2)", "(uuid.Parse uuid.Nil)"),
    *('(data.CSV "a,b\\n1,2")', '(strings.Split "," "b,a")'),
)
"""Values of all kinds that templates can have."""
LAZY = {
    "map": MapNode({"a": MapNode({"b": ListNode([Scalar(1, "1"), Scalar(None, "")])}), "c": Scalar("d", "d")}),
    "list": ListNode([Scalar("x", "x"), Scalar(2, "2"), MapNode({"a": Scalar(1, "1")})]),
    "null": Scalar(None, ""),
}


def functions_of(table: Table) -> list[Function]:
    """All functions of a table that take no seconds, those of its namespaces too."""
    found = list(table.functions.values())
    spaces = [item.call() for item in found if item.group == "namespace"]
    members = [member for space in spaces for member in space.members.values()]
    return [item for item in (*found, *members) if item.name not in SLOW]


@pytest.mark.parametrize("round", range(examples(4)))
def test_every_function_takes_values_of_all_kinds_or_says_why_not(round: int) -> None:
    """No error of Python gets out of a function, whatever it is given. Without Sprig, gomplate has its own names."""
    chance = Random(round)
    for table in (stacks(), stacks(with_sprig=False)):
        for item in functions_of(table):
            count = len(item.signature.fixed) + (chance.randint(0, 3) if item.signature.rest else 0)
            text = "{{ " + " ".join([item.name, *chance.choices(EVERYTHING, k=count)]) + " }}"
            with suppress(TemplateError):
                parse(text, functions=table).render(dict(LAZY), budget=SMALL)


@settings(max_examples=examples(25), deadline=None)
@given(st.text(alphabet=st.sampled_from(list("{}-./*\"`'$|():=,+ \n\txyzif019eérange%\\")), max_size=40))
def test_only_our_own_errors_for_noise(noise: str) -> None:
    for text in (noise, "{{" + noise + "}}", "{{ if " + noise):
        outcome(text, {"x": 1})
        try:
            field_refs(text)
            has_actions(text)
        except ParseError:
            pass


@settings(max_examples=examples(25), deadline=None)
@given(templates())
def test_printing_is_stable(text: str) -> None:
    try:
        printed = str(parse_tree(text))
    except ParseError:
        return
    assert str(parse_tree(printed)) == printed


class Hidden(Expression):
    """An expression that gives a node when it is asked."""

    text = "hidden"

    def __init__(self, node: Node) -> None:
        self.node = node

    def evaluate(self, scope: object) -> Node:
        return self.node


def as_nodes(value: Any) -> Node:
    """Data as nodes, every one of them behind a suspension."""
    if isinstance(value, dict):
        node: Node = MapNode({key: as_nodes(item) for key, item in value.items()}, live=True)
    elif isinstance(value, list):
        node = ListNode([as_nodes(item) for item in value], live=True)
    else:
        node = Scalar(value, str(value))
    return Suspension(Hidden(node), UNKNOWN, 0)


def reveal(node: Node) -> Node:
    return node.expression.evaluate(None) if isinstance(node, Suspension) else node  # type: ignore[arg-type]


CLOCK = re.compile(r"rand|now|ago|date|Date|uuid|shuffle|AES|keys|values|duration", re.IGNORECASE)


@pytest.mark.long
@settings(max_examples=examples(25), deadline=None)
@given(templates().filter(lambda text: not CLOCK.search(text)), DATA)
def test_deferring_is_invisible(text: str, data: Any) -> None:
    """Keys and values of maps come in the map's own order here and in any order in Go; those are left out."""
    assert outcome(text, as_nodes(data), reveal=reveal) == outcome(text, data)


@pytest.mark.long
@settings(max_examples=examples(30), deadline=None)
@given(templates().filter(lambda text: not CLOCK.search(text)), DATA)
def test_references_are_never_missed(text: str, data: Any) -> None:
    """Dropping a name that is no reference changes nothing, unless the root is read as a whole."""
    try:
        found = references(parse_tree(text))
    except ParseError:
        return
    if () in found.whole:
        return
    read = {path[0] for path in found.paths}
    kept = {name: value for name, value in data.items() if name in read}
    assert outcome(text, kept) == outcome(text, data)


@given(st.lists(st.sampled_from(["%s", "%v", "%d", "%%", "%", "%5s", "%+d", "a", ":", " "]), max_size=5), st.data())
@settings(max_examples=150)
def test_bare_verbs_are_written_as_all_others_are(pieces: list[str], data: st.DataObject) -> None:
    args = tuple(data.draw(st.lists(st.text(max_size=3) | st.integers(-(10**20), 10**20) | SCALARS, max_size=3)))
    usual = _by_bare_verbs("".join(pieces), args)
    assert usual is None or usual == _Printf("".join(pieces), args, None).formatted()


def test_usual_formats_take_the_short_way() -> None:
    assert _by_bare_verbs("%s:%d-%v", ("a", 1, "b")) == "a:1-b"
    assert [_by_bare_verbs(text, ("a",)) for text in ("%5s", "%d", "%%", "%s%s")] == [None] * 4
