"""yq expressions, HCL values and the arguments of functions, on their own."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.meter import ITEM, Budgets, Meter, Overrun
from plait.core.node import plain_value
from plait.core.source import Source
from plait.fronts.stacks.session import arguments
from plait.fronts.stacks.session.globs import PathPattern, seen_from
from plait.notations.hcl import read_hcl
from plait.notations.terraform import declarations
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
    # paths
    ".": DATA,
    ".a.b.[0]": 1,
    "{} | .[1]": None,
    '{"1": 2} | .[1]': 2,
    '{"a": 2} | .["a"]': 2,
    ".a.b[1,0]": [2, 1],
    '."a"."b"[1]': 2,
    '.a["b"][0]': 1,
    ".a.b[5]": None,
    ".a.b[-4]": None,
    ".a.b[3]": None,
    ".a.b[-3]": 1,
    '.a.b["1"]': 2,
    '.a.b["-1"].c': "x",
    ".a.b[1:]": [2, {"c": "x"}],
    ".a.b[:1]": [1],
    ".a.b[:-2]": [1],
    ".t[0:1]": "a",
    ".a.b[.x-y - 2]": 2,
    ".nothing[]": None,
    ".nothing.deep": None,
    "[.a[]]": [[1, 2, {"c": "x"}]],
    ".a.b[0].c?": None,
    "[.a.b[]?.c?]": ["x"],
    '"abc"[1:]': "bc",
    "[5, 6][1]": 6,
    "(.a | .b)[0]": 1,
    "[.. ] | length": 19,
    "[.a | ..]": [{"b": [1, 2, {"c": "x"}]}, [1, 2, {"c": "x"}], 1, 2, {"c": "x"}, "x"],
    # texts and numbers
    '"a\\n\\t\\"\\q"': 'a\n\t"q',
    '""': "",
    "1.5": 1.5,
    "2e3": 2000.0,
    "-2": -2,
    "-.x-y": -3,
    "- 2 + 5": 3,
    "1 - -1": 2,
    # operators, the tightest last
    "1 + 2 * 3": 7,
    "(1 + 2) * 3": 9,
    "7 - 2 - 1": 4,
    "8 / 2 / 2": 2,
    "1 + 1 == 2": True,
    "1 == 1 and 2 == 3": False,
    "true or false and false": True,
    "null // false // 3": 3,
    "false // null": None,
    '.t.deep // "d"': "d",
    '.t.deep + 1 // "d"': "d",
    "[1, 2 | . + 1]": [2, 3],
    "[(1, 2) + (10, 20)]": [11, 12, 21, 22],
    "[(true, false) and (true, false)]": [True, False, False, False],
    "[(true, false) or (null, 0)]": [True, True, False, True],
    "1 != 2": True,
    "1 != 1": False,
    "1 < 2": True,
    "2 < 2": False,
    "2 <= 2": True,
    "3 <= 2": False,
    "2 > 1": True,
    "2 > 2": False,
    "2 >= 2": True,
    "1 >= 2": False,
    "1 == 1.0": True,
    "1 == true": False,
    "null < false": True,
    "true < 0": True,
    '9 < "1"': True,
    '"b" < []': True,
    "[1] == [1]": True,
    "false < true": True,
    '"a" + 1': "a1",
    '1 + "a"': "1a",
    "[1] + 2": [1, 2],
    "[1] + [2]": [1, 2],
    "null + 2": 2,
    "2 + null": 2,
    "1 + 1.5": 2.5,
    "4 / 2": 2,
    "{a: 1, b: 1} + {b: 2}": {"a": 1, "b": 2},
    "{a: {b: 1, c: 1}} * {a: {b: 2}, d: 3}": {"a": {"b": 2, "c": 1}, "d": 3},
    "{a: 1} * {a: {b: 2}}": {"a": {"b": 2}},
    "{a: {b: 1}} * {a: 2}": {"a": 2},
    "[1, 2, 1] - [1]": [2],
    "2 * 1.5": 3.0,
    "1.5 - 0.5": 1.0,
    # maps that are made
    "{}": {},
    "{t}": {"t": "a,b"},
    '{"x y": 1, (.t): 2}': {"x y": 1, "a,b": 2},
    "[{k: (1, 2)}]": [{"k": 1}, {"k": 2}],
    "{a: 1 + 1, b: .t // 2}": {"a": 2, "b": "a,b"},
    "{a: 1,}": {"a": 1},
    "[]": [],
    "empty": None,
    "[empty]": [],
    # functions
    "map_values(. + 1)": YqError,
    ".a.b[0:2] | map_values(. + 1)": [2, 3],
    "{a: 1} | map_values(. + 1)": {"a": 2},
    "{b: 1, a: 2} | map(. + 1)": [2, 3],
    ".a.b | keys": [0, 1, 2],
    ".a.b | has(2)": True,
    ".a.b | has(3)": False,
    ".a.b | has(-1)": False,
    ".a.b | has(0)": True,
    '.a.b | has("b")': False,
    '.a | has("c")': False,
    "null | length": 0,
    '"äb" | length': 2,
    "100 | length": 3,
    "{a: 1} | length": 1,
    "true | not": False,
    "null | not": True,
    "0 | not": False,
    "[1, 2] | to_entries": [{"key": 0, "value": 1}, {"key": 1, "value": 2}],
    '[{key: "k", value: 1}, {key: 2}] | from_entries': {"k": 1, "2": None},
    "{a: 1, b: 2} | with_entries(select(.value > 1))": {"b": 2},
    '[2, null, "a", true, 1, [1], false, {}] | sort': [None, False, True, 1, 2, "a", [1], {}],
    "[1, 2, 1] | unique": [1, 2],
    "[[1, [2, [3]]]] | flatten(1)": [1, [2, [3]]],
    "[[1, [2]]] | flatten(0)": [[1, [2]]],
    "[1, [2]] | flatten(2)": [1, 2],
    "[1, 2] | first": 1,
    "[1, 2] | last": 2,
    "[] | first": None,
    '["a", "b"] | add': "ab",
    "[] | add": None,
    "[[1], [2]] | add": [1, 2],
    '["a", 1] | add': "a1",
    "[2, 1, 3] | min": 1,
    "[false, null] | any": False,
    "[false, 1] | any": True,
    "[true, null] | all": False,
    "[] | all": True,
    "[1, 2] | any_c(. > 1)": True,
    "[1, 2] | any_c(. > 2)": False,
    "[1, 2] | all_c(. > 0)": True,
    "[1, 2] | all_c(. > 1)": False,
    '"abc" | contains("bc")': True,
    '"abc" | contains("x")': False,
    "[1, [2, 3]] | contains([[3]])": True,
    "[1, 2] | contains([3])": False,
    "{a: {b: 1}} | contains({a: {b: 1}})": True,
    "{a: 1} | contains({b: 1})": False,
    "{a: 1} | contains({a: 2})": False,
    "1 | contains(1)": True,
    '[1, "a", null] | join("-")': "1-a-null",
    '"" | split(",")': [""],
    '" a " | trim': "a",
    '"aB" | downcase': "ab",
    "[1] | tostring": "[1]",
    '"-7" | to_number': -7,
    '"1.5" | tonumber': 1.5,
    "7 | to_number": 7,
    '{a: "ä"} | to_json': '{"a": "ä"}',
    "[1] | to_json(0)": "[1]",
    "1 | tojson": "1",
    "null | @json": "null",
    '"[1]" | fromjson': [1],
    '[1, 1.5, null, true, "a", [], {}] | map(type)': [
        "!!int",
        "!!float",
        "!!null",
        "!!bool",
        "!!str",
        "!!seq",
        "!!map",
    ],
    "1 | tag": "!!int",
    '{a: 1, b: 2} | pick(["b", "z"])': {"b": 2},
    '"aXbX" | sub("X", "-")': "a-b-",
    '"ab" | sub("(a)(b)", "$2$1")': "ba",
    '"ab" | test("^b")': False,
    ".items | map(select(.w >= 2, .on))": YqError,
}
WRONG_QUERIES = {
    "": ("the expression is empty", 0),
    " ": ("the expression is empty", 0),
    ".a |": ("the expression ends too early", 4),
    "1 2": ("`2` is unexpected here", 2),
    "1 ]": ("`]` is unexpected here", 2),
    "| 1": ("`|` is unexpected here", 0),
    "a ^ b": ("unexpected character `^`", 2),
    "(1": ("`)` is missing", 2),
    "(1 2)": ("`)` is missing before `2`", 3),
    "[1": ("`]` is missing", 2),
    ".a[1": ("`]` is missing", 4),
    ".a[1:2": ("`]` is missing", 6),
    "{a: 1": ("`}` is missing", 5),
    "{1: 2}": ("expected a key", 1),
    "map(1": ("`)` is missing", 5),
    "1 | nosuch": ("unknown function `nosuch`", 4),
    "1 | length(1)": ("`length` takes 0 arguments", 4),
    "[1] | flatten(1, 2)": ("`flatten` takes 0 or 1 arguments", 6),
    "1 / 0": ("division by zero", 2),
    "1 % 0": ("division by zero", 2),
    '"a" * 2': ("`*` needs numbers", 4),
    "{} - 1": ("`-` needs numbers", 3),
    "true + {}": ("these values cannot be added", 5),
    ".t.deep": ("`a,b` has no field `deep`", 2),
    ".a.b.c": ("a list has no field `c`", 4),
    ".t[]": ("cannot iterate over `a,b`", 2),
    ".x-y[0:1]": ("only lists and strings can be sliced", 4),
    ".a.b[empty:1]": ("this has no result", 5),
    "1 | keys": ("this needs a list or a map", 0),
    '"x" | to_number': ("`to_number` cannot be applied to this value", 6),
    "[] | min": ("`min` cannot be applied to this value", 5),
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


@pytest.mark.parametrize("expression", WRONG_QUERIES)
def test_what_is_wrong_with_a_query_and_where(expression: str) -> None:
    with pytest.raises(YqError) as caught:
        results(expression, DATA)
    assert (caught.value.message, caught.value.at) == WRONG_QUERIES[expression]


CHARGED = {
    ".s + .s": 200,
    ".l + .l": 20 * ITEM,
    ".m + .m": 20 * ITEM,
    "[.l[] + .l[]]": 100 * 64,
    "[.l[] and .l[]]": 100 * 64,
    ".s[1:]": 100,
    ".l[1:]": 10,
    "[{a: .l[], b: .l[]}]": 100 * 64,
    '.l | join("----------")': 100,
    '.s | split("s")': 100 * 64,
    ".l | map(. + .) | add": 1,
    "[.s, .s] | add": 200,
}
"""Bytes that an expression makes at least, of a text of 100 letters and of a list and a map of ten."""


@pytest.mark.parametrize("expression", CHARGED)
def test_what_a_query_makes_is_charged(expression: str) -> None:
    data = {"s": "s" * 100, "l": list(map(str, range(10))), "m": {str(number): number for number in range(10)}}
    meter = Meter()
    results(expression, data, meter)
    assert CHARGED[expression] <= meter.made <= 60 * CHARGED[expression] + 1000
    with pytest.raises(Overrun):
        results(expression, data, Meter(Budgets(memory=CHARGED[expression] - 1)))


def test_each_value_that_a_query_looks_at_is_a_step() -> None:
    meter = Meter()
    results("..", list(range(1000)), meter)
    assert 1000 < meter.steps < 5000


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


HCL: dict[str, Any] = {
    "": {},
    "# only\n// notes\n/* here */": {},
    "a = 1, b = 2": {"a": 1, "b": 2},
    "a = 1e3\nb = 1.50\nc = 12": {"a": 1000.0, "b": 1.5, "c": 12},
    "a = {}\nb = []": {"a": {}, "b": []},
    "a = { x = 1, y : 2 }": {"a": {"x": 1, "y": 2}},
    "a { x = 1 }\nb = true": {"a": {"x": 1}, "b": True},
    "a = [[1], {b = 2},\n3]": {"a": [[1], {"b": 2}, 3]},
    '"a b" = false': {"a b": False},
    'a = "\\"x\\\\\\n${v}"': {"a": '"x\\\n${v}'},
    'a "b" { c = 1 }': {"a": {"b": {"c": 1}}},
    "a = 1\na = 2\nb = 3": {"a": 2, "b": 3},
    "a = null": {"a": None},
    "a = <<EOT\n  x\n   y\n  EOT\nb = 1": {"a": "  x\n   y\n", "b": 1},
    "a = <<-EOT\n  x\n\n   y\n  EOT\nb = 1": {"a": "x\n\n y\n", "b": 1},
    "a = <<EOT\nEOTX\nEOT": {"a": "EOTX\n"},
    "a = <<-EOT\nEOT": {"a": ""},
    "a-b.c = 1": {"a-b.c": 1},
}
WRONG_HCL = {
    "a = var.x": ("`var.x` is not a literal value", 9),
    "a =": ("a value is missing", 3),
    "a = [1": ("a value is missing", 6),
    "a = {": ("a brace is missing", 5),
    "}": ("a brace is missing", 0),
    "= 1": ("a name is missing", 1),
    "a = <<EOT\nx": ("`EOT` is missing at the end of this text", 10),
    "a 1": ("`=` is missing", 2),
    "a": ("`=` is missing", 1),
    "a = 1\n^": ("`^` is unexpected here", 6),
    "a { b = 1": ("a brace is missing", 9),
    "a = ]": ("`]` is not a literal value", 5),
}


@pytest.mark.parametrize("text", HCL)
def test_values_of_hcl(text: str) -> None:
    assert plain_value(read_hcl(Source("t", text)), reveal=True) == HCL[text]


@pytest.mark.parametrize("text", WRONG_HCL)
def test_what_is_wrong_with_hcl_and_where(text: str) -> None:
    with pytest.raises(PlaitError) as caught:
        read_hcl(Source("t", text))
    (found,) = caught.value.diagnostics
    why, at = WRONG_HCL[text]
    assert why in found.message
    assert found.labels[0].origin.at == at


def test_every_name_of_hcl_has_its_place() -> None:
    node = read_hcl(Source("t", 'a = 1\nb "c" { d = [2] }\na = 3\n'))
    assert [(key, str(node.key_origin(key))) for key in node.entries] == [("a", "t:1:1"), ("b", "t:2:1")]
    assert [str(child.origin) for child in node.entries.values()] == ["t:3:5", "t:2:1"]


TERRAFORM = """\
# variable "no" {}
terraform { required_version = ">= 1" }
variable "plain" {}
variable "all" {
  type        = map( string ) # a note
  description = "Say \\"hi\\" to ${upper("x}")}" // more
  default     = { a = "}" /* } */, b = <<EOT
}
EOT
  }
  sensitive   = true
  validation {
    condition = var.all != "}"
  }
  nullable = false
}
locals { variable = 1 }
variable "two" "labels" { type = string }
output "out" {
  value       = [for x in var.all : "${x}%{if true}y%{endif}"]
  description = <<-EOT
    Two
    lines
  EOT
}
variable "computed" { description = "Say \\"hi\\"" }
other = 1 { }
variable "last" { type = "string"
"""


def test_what_a_terraform_file_declares() -> None:
    found = [(each.kind, each.name, list(each.attributes), each.type) for each in declarations(TERRAFORM)]
    assert found == [
        ("variable", "plain", [], ""),
        ("variable", "all", ["type", "description", "default", "sensitive", "nullable"], "map(string)"),
        ("output", "out", ["value", "description"], ""),
        ("variable", "computed", ["description"], ""),
        ("variable", "last", ["type"], "string"),
    ]
    plain, everything, out, computed, _ = declarations(TERRAFORM)
    assert (plain.required, plain.sensitive, plain.description) == (True, False, "")
    assert (everything.required, everything.sensitive) == (False, True)
    assert (out.description, computed.description, everything.description) == ("Two lines", 'Say "hi"', "")
    assert everything.attributes["default"].startswith('{ a = "}"')
    assert everything.attributes["default"].endswith("EOT\n  }")
    assert out.attributes["value"] == '[for x in var.all : "${x}%{if true}y%{endif}"]'
    for each in declarations(TERRAFORM):
        assert TERRAFORM.startswith(each.name, each.at)
        assert all(TERRAFORM.startswith(name, at) for name, at in each.places.items())


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
    assert PathPattern(seen_from("/stacks", pattern)).match(path) == hit
