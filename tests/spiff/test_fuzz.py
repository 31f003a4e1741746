"""Whatever people put together out of templates, stubs and expressions: a manifest or a report, never anything else,
and the same one twice."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from tests.examples import examples
from tests.spiff import cascade

KEYS = st.sampled_from(["a", "b", "c", "name", "key:b", "0", "jobs"])
PIECES = st.sampled_from(
    [
        "a",
        ".b",
        "a.b",
        "c.[0]",
        "jobs.x.a",
        "b.name",
        "merge",
        "merge a",
        "merge a.b",
        "merge replace",
        "merge on b",
        "merge required",
        "auto",
        "nil",
        "1",
        '"x"',
        "true",
        "[1, a]",
        "static_ips(0)",
        'join(",", c)',
        "min_ip(b)",
        "map[c|x|->x]",
        "|x|->x",
        "f(1)",
        "length(a)",
        "defined(a.b)",
        "&temporary",
        "(&local (a))",
        '"((" " a ))"',
    ]
)
SIGNS = st.sampled_from([" ", " || ", " + ", " - ", " * ", " / ", " == ", " < ", " -and "])
EXPRESSIONS = st.one_of(
    PIECES,
    st.tuples(PIECES, SIGNS, PIECES).map("".join),
    st.tuples(PIECES, SIGNS, PIECES, SIGNS, PIECES).map("".join),
    PIECES.map("prefer {}".format),
).map("(( {} ))".format)
LEAVES = st.one_of(st.integers(0, 3), st.none(), st.sampled_from(["x", "y", "10.0.0.1"]), EXPRESSIONS, EXPRESSIONS)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.dictionaries(KEYS, inner, max_size=4),
        st.tuples(EXPRESSIONS, st.dictionaries(KEYS, inner, max_size=3)).map(lambda pair: {"<<": pair[0], **pair[1]}),
        st.lists(st.one_of(inner, EXPRESSIONS.map(lambda text: {"<<": text})), max_size=4),
        st.lists(
            st.tuples(st.sampled_from(["x", "y", '(( "x" ))']), inner).map(
                lambda pair: {"name": pair[0], "a": pair[1]}
            ),
            max_size=3,
        ),
    ),
    max_leaves=10,
)
MAPS = st.dictionaries(KEYS, TREES, min_size=1, max_size=5)


def outcome(*texts: str) -> str:
    try:
        return json.dumps(cascade(*texts), sort_keys=True)
    except PlaitError as trouble:
        told = all(diagnostic.message and diagnostic.labels for diagnostic in trouble.diagnostics)
        return str(trouble) if trouble.diagnostics and told else "a report that says nothing"


@given(st.lists(MAPS, min_size=1, max_size=3))
@settings(max_examples=examples(50), deadline=None)
def test_a_manifest_or_a_report(documents: list[object]) -> None:
    texts = [json.dumps(document) for document in documents]
    said = outcome(*texts)
    assert said == outcome(*texts)
    assert said != "a report that says nothing"
