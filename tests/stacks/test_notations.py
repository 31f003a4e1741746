"""yq expressions, HCL values and the arguments of functions, on their own."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.node import plain_value
from plait.core.source import Source
from plait.fronts.stacks.session import arguments
from plait.fronts.stacks.session.globs import PathPattern
from plait.notations.hcl import read_hcl
from plait.notations.yq import YqError, query, results

DATA = {
    "a": {"b": [1, 2, {"c": "x"}]},
    "items": [{"n": "p", "on": True, "w": 2}, {"n": "q", "on": False, "w": 1}],
    "x-y": 3,
    "t": "a,b",
    "nothing": None,
}
QUERIES = {
    ".a.b[2].c": "x",
    ".a.b[-1].c": "x",
    ".a.b[0:2]": [1, 2],
    ".a.b[]": [1, 2, {"c": "x"}],
    '.["x-y"]': 3,
    '."x-y" + 1': 4,
    ".x-y * 2": 6,
    ".zz.q": None,
    '.zz // "d"': "d",
    '.nothing // ["x"]': ["x"],
    ".items[] | select(.on) | .n": "p",
    ".items | map(.n)": ["p", "q"],
    "[.items[].w] | add": 3,
    ".items | sort_by(.w) | .[0].n": "q",
    ".items | length": 2,
    "keys": ["a", "items", "nothing", "t", "x-y"],
    'has("a")': True,
    ".items | map(select(.w > 1)) | length": 1,
    "{n: .x-y, k: .t}": {"n": 3, "k": "a,b"},
    '.t | split(",") | join("+")': "a+b",
    ".a | to_entries | .[0].key": "b",
    '.a | with_entries(.key = "z")': YqError,
    '.items[0] | pick(["n"])': {"n": "p"},
    '.items[0] | omit(["n", "on"])': {"w": 2},
    '.t | test("^a")': True,
    '.t | sub("a", "z")': "z,b",
    ".t | upcase": "A,B",
    ".x-y | type": "!!int",
    ".items | group_by(.on) | length": 2,
    "1, 2": [1, 2],
    ".a.b[0] == 1 and true": True,
    "[.items[] | .w] | max": 2,
    ".x-y | to_string": "3",
    '"7" | to_number': 7,
    '"{\\"k\\":1}" | from_json | .k': 1,
    ".t.deep?": None,
    ".items | unique_by(.on) | length": 2,
    "[[1], [2, [3]]] | flatten": [1, 2, 3],
    "[3, 1] | sort | reverse": [3, 1],
    '.. | select(. == "x")': "x",
    "7 % 4": 3,
    "7 / 2": 3.5,
}
BAD = [
    "",
    ".a |",
    ".a[",
    "(1",
    "nosuch",
    ".a ! 1",
    "length(1)",
    ".t.deep",
    "1 / 0",
    '.t | test("(")',
    "(" * 200 + "1" + ")" * 200,
    "{",
    '"open',
]


@pytest.mark.parametrize("expression", QUERIES)
def test_query(expression: str) -> None:
    expected = QUERIES[expression]
    if expected is YqError:
        with pytest.raises(YqError):
            query(expression, DATA)
    else:
        assert query(expression, DATA) == expected


@pytest.mark.parametrize("expression", BAD)
def test_bad_query(expression: str) -> None:
    with pytest.raises(YqError):
        results(expression, DATA)


@given(st.text(alphabet='.ab[]()|/"{}:,+-*0 1=<>?', max_size=20))
def test_a_query_gives_results_or_its_own_error(expression: str) -> None:
    with contextlib.suppress(YqError):
        results(expression, DATA)


def test_hcl() -> None:
    text = (
        'a = "x\\ty" // note\nn = -1.5\nl = [1, true, null,]\nm = { k = "v", "q r" : 2 }\n/* c */ block '
        '"one" "two" { z = 1 }\nh = <<-EOT\n    in\n      deep\n    EOT\n'
    )
    assert plain_value(read_hcl(Source("t", text)), reveal=True) == {
        "a": "x\ty",
        "n": -1.5,
        "l": [1, True, None],
        "m": {"k": "v", "q r": 2},
        "block": {"one": {"two": {"z": 1}}},
        "h": "in\n  deep\n",
    }


@pytest.mark.parametrize(
    "text", ["a = var.x", "a =", "a = [1", "a = {", "= 1", "a = <<EOT\nx", "}", "a 1", "a = " + "[" * 300]
)
def test_bad_hcl(text: str) -> None:
    with pytest.raises(PlaitError):
        read_hcl(Source("t", text))


@given(st.text(alphabet='ab =[]{}"\n#/<E1.', max_size=30))
def test_hcl_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(PlaitError):
        read_hcl(Source("t", text))


def test_a_component_and_its_output() -> None:
    words = arguments.component_output('vpc prod .ids // ["x"]')
    assert (words.component, words.stack, words.expression) == ("vpc", "prod", '.ids // ["x"]')
    assert arguments.component_output("vpc/outputs/id").component == "vpc"
    assert arguments.component_output("id").expression == "id"
    with pytest.raises(arguments.BadArguments):
        arguments.component_output("vpc a b c")


@given(st.text(max_size=30))
def test_arguments_are_read_or_refused(text: str) -> None:
    for grammar in (
        arguments.component_output,
        arguments.one_or_two,
        arguments.stored,
        arguments.path_and_query,
        arguments.secret,
    ):
        with contextlib.suppress(arguments.BadArguments):
            grammar(text)


@pytest.mark.parametrize(
    ("pattern", "path", "hit"),
    [
        ("**/*", "a/b.yaml", True),
        ("deploy/**/*", "deploy/a.yaml", True),
        ("deploy/**/*", "x/deploy/a.yaml", False),
        ("**/_defaults.yaml", "_defaults.yaml", True),
        ("**/layers/**", "a/layers/b/c.yaml", True),
        ("*.yaml", "a/b.yaml", False),
        ("a?c", "abc", True),
        ("{a,b}/*", "b/x", True),
        ("[ab]*", "bx", True),
        ("[!ab]*", "bx", False),
        ("a.b", "axb", False),
        ("./orgs/**/*", "orgs/a/b.yaml", True),
        ("./orgs/**/*", "orgs", False),
        ("{a,b{c,d}}/*.y*ml", "bd/x.yaml", True),
        ("a/[!b]*", "a/b", False),
        ("\\*", "*", True),
        ("\\*", "a", False),
        ("a/**", "a/b/c", True),
    ],
)
def test_patterns(pattern: str, path: str, hit: bool) -> None:
    assert PathPattern(pattern).match(path) == hit
