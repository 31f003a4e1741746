"""The grammar: what parses, what does not and where, and that printing a tree gives a text of the same meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.notations.dynaml.parse import NotDynaml, parse

PRINTED = {
    "1": "1",
    " -1 ": "-1",
    "1_000": "1000",
    '"a \\"b\\" \\d"': '"a \\"b\\" \\d"',
    "~": "nil",
    "a.b-c._d": "a.b-c._d",
    ".a.[1].b": ".a.[1].b",
    "a[1].b": "a.[1].b",
    "a.name:b.c": "a.name:b.c",
    "automatic": "automatic",
    "nilly truefoo": "nilly truefoo",
    "1a": "1a",
    "merge": "merge",
    "merge  a.b": "merge a.b",
    "merge replace": "merge replace",
    "merge replace a": "merge replace a",
    "merge required": "merge required",
    "merge on key": "merge on key",
    "merge on key a.b": "merge on key a.b",
    "merge none": "merge none",
    "merge replace on key": "merge replace on key",
    "merge || 1": "merge || 1",
    "merge + 1": "merge + 1",
    "prefer a b": "prefer a b",
    "prefer": "prefer",
    "prefer || a": "prefer || a",
    "a prefer": "a prefer",
    "a||b": "a || b",
    "1+2*3": "1 + 2 * 3",
    "3 -2": "3 -2",
    "3-2": "3 - 2",
    "3 - -2": "3 - -2",
    "a -b": "a - b",
    "a-b": "a-b",
    "(a b) c": "(a b) c",
    "f( 1,a , [ 2 ] )": "f(1, a, [2])",
    "f (1)": "f (1)",
    "a.f(1)": "a.f(1)",
    "[]": "[]",
    "foo [1]": "foo [1]",
    "map[ l | x | -> x 1 ]": "map[l|x|->x 1]",
    "map[l|i,x|->i]": "map[l|i,x|->i]",
    "mapfoo map": "mapfoo map",
    "sum[l|0|s,x|->s + x]": "sum[l|0|s,x|->s + x]",
    "|x|->x": "lambda|x|->x",
    "lambda |x,y|-> x": "lambda|x,y|->x",
    "a ? b : c": "a ? b : c",
    "!a == b -and c": "!a == b -and c",
    "&temporary &local ( 1 )": "&temporary &local (1)",
    "&tag:a:b ( 1 )": "&tag:a.b (1)",
    "~~ // 1 || 2": "~~ // 1 || 2",
    "1.5 + 1e3": "1.5 + 1000",
    "10.0.0.1 + 1": '"10.0.0.1" + 1',
    ".[0]": ".[0]",
    "a.[x].b[1,$c]": 'a.[x].b.[1].["c"]',
    "a.1.2": "a.1.2",
    "l.[*].a.[1..].b": "l.[*].a.[1..].b",
    "(a).b.[-1]": "(a).b.[-1]",
    "[1 .. 3]": "[1..3]",
    "[a, l...]": "[a, l...]",
    '{$a=1, "b" = x}': '{ "a" = 1, "b" = x }',
    "( $a = 1 ) ( $b = 2 ) a b": '("a" = 1 ) ("b" = 2 ) a b',
    "|x,y=2|->x": "lambda|x,y=2|->x",
    "|x...|->x": "lambda|x...|->x",
    "||->1": "lambda||->1",
    "lambda a": "lambda a",
    ".f*(c=1, 2)": ".f*(c=1, 2)",
    "(|x|->x)(1)(2)": "(lambda|x|->x)(1)(2)",
    "*a.b *(c)": "*(a.b) *(c)",
    "a * b": "a * b",
    "map{a|k,v|->v}": "map{a|k,v|->v}",
    "select[a|f]": "select[a|f]",
    "catch[a|v,e|->e]": "catch[a|v,e|->e]",
    "sync[a|v|->v,1|10]": "sync[a|v|->v,1|10]",
    "a:b::c.d": "a.b::c.d",
    "doc.-1::.": "doc.-1::.",
    "_.x __.y ___.z": "_.x __.y ___.z",
}

BROKEN = {
    "": (0, "expected a value"),
    "1 +": (3, "expected a value"),
    "1 + * 2": (4, "expected a value"),
    'a "." )': (6, "`)` is not expected"),
    '"a': (0, "missing closing quote"),
    '"a\\"': (0, "missing closing quote"),
    "[1,]": (3, "expected a value"),
    "f(1": (3, "`,` or `)` is expected here"),
    "a..b": (1, "`..` is not expected"),
    "a. b": (3, "a name is missing"),
    "a.[]": (3, "expected a value"),
    "10.0.0": (0, "put strings in quotes"),
    "map[l|x|x]": (7, "expected `]`"),
    "tag::": (5, "a path is missing"),
    "|x=1,y|-> x": (6, "a default is missing"),
    "{ 1 }": (4, "expected `=`"),
    "( $a = 1 )": (10, "expected a value"),
    "l.[1..": (6, "expected a value"),
    "f(a...": (6, "`,` or `)` is expected here"),
    "a ? b": (5, "expected `:`"),
    "&hidden": (1, "unknown mark"),
    "a @ b": (2, "is unexpected here"),
    "(" * 60 + "1" + ")" * 60: (60, "nested deeper than 60"),
    "!" * 61 + "a": (0, "more than 60"),
    "9" * 4001: (0, "more than 4000 digits"),
}


@pytest.mark.parametrize("text", PRINTED)
def test_printed(text: str) -> None:
    tree, prefer = parse(text)
    shown = f"prefer {tree}" if prefer else str(tree)
    assert shown == PRINTED[text]
    assert str(parse(shown)[0]) == str(tree)


@pytest.mark.parametrize("text", ["(" * 59 + "1" + ")" * 59, "!" * 60 + "a", "9" * 4000], ids=lambda text: text[0])
def test_what_is_just_within_a_limit(text: str) -> None:
    tree, _ = parse(text)
    assert str(parse(str(tree))[0]) == str(tree)


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:20])
def test_broken(text: str) -> None:
    with pytest.raises(NotDynaml) as trouble:
        parse(text)
    at, why = BROKEN[text]
    assert trouble.value.at == at
    assert why in trouble.value.why


WORDS = st.sampled_from(["a", "b.c", ".d", "e.[0]", "1", "-2", '"t"', "nil", "true", "merge", "merge x", "auto"])


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(
        inner, st.sampled_from([" ", " + ", " - ", " * ", " / ", " % ", " || ", " == ", " < ", " -and "]), inner
    )
    return st.one_of(
        pair.map("".join),
        inner.map("({})".format),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: f"f({', '.join(items)})"),
        st.tuples(inner, inner).map(lambda pair: f"map[{pair[0]}|x|->{pair[1]}]"),
        inner.map("|x|->{}".format).map("({})".format),
        st.tuples(inner, inner, inner).map("({0[0]} ? {0[1]} : {0[2]})".format),
    )


@given(st.recursive(WORDS, combined, max_leaves=12))
def test_printing_keeps_the_meaning(text: str) -> None:
    tree, _ = parse(text)
    again, _ = parse(str(tree))
    assert str(again) == str(tree)
    assert type(again) is type(tree)


@given(st.text(alphabet='ab1_.-"\\[](){}|>,+*/% ~!?:&<=', max_size=30))
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    at = refused_at(text)
    assert at is None or 0 <= at <= len(text)


def refused_at(text: str) -> int | None:
    try:
        parse(text)
    except NotDynaml as trouble:
        return trouble.at
    return None
