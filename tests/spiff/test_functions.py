"""Every declaration holds: its example works, and its page and its help say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError
from plait.core.node import plain_value
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.notations.dynaml.functions import SUBJECTS, all_functions, table_of

FUNCTIONS = all_functions()
AROUND = """
a: {{b: 1}}
meta: {{x: 1}}
list: [p, q]
name: net
instances: 2
networks: {{net: {{subnets: [{{static: [10.0.0.1 - 10.0.0.9]}}]}}}}
result: (( {} ))
"""

EXAMPLES = {
    "join": "p, q",
    "format": "vm-03",
    "error": "caught",
    "split": ["a", "b"],
    "split_match": ["a", "b", "c"],
    "trim": "a",
    "lower": "ab",
    "upper": "AB",
    "substr": "bc",
    "replace": "a_b",
    "replace_match": "a#b#",
    "match": ["v12", "12"],
    "basename": "b.txt",
    "dirname": "a",
    "parseurl": {
        "scheme": "https",
        "host": "example.org",
        "port": 81,
        "path": "/a",
        "query": "b=1",
        "fragment": "",
        "values": {"b": ["1"]},
    },
    "base64": "YWI=",
    "base64_decode": "ab",
    "hash": "0cc175b9c0f1b6a831c399e269772661",
    "md5": "0cc175b9c0f1b6a831c399e269772661",
    "asjson": '{"a":1}',
    "asyaml": "a: 1\n",
    "length": 2,
    "sort": [1, 2, 3],
    "reverse": [2, 1],
    "uniq": [1, 2],
    "compact": [1],
    "intersect": [2],
    "contains": True,
    "index": 2,
    "lastindex": 2,
    "element": 1,
    "keys": ["x"],
    "makemap": {"a": 1},
    "list_to_map": {"a": {"v": 1}},
    "deepmerge": {"a": 1, "b": 2},
    "merge": {"a": 2},
    "defined": True,
    "valid": True,
    "require": 1,
    "optional": 1,
    "catch": {"valid": True, "error": "", "value": 1},
    "sync": 1,
    "eval": 3,
    "stub": "none",
    "type": "string",
    "features": False,
    "tagdef": 1,
    "ceil": 2,
    "floor": 1,
    "round": 3,
    "roundtoeven": 2,
    "abs": 2,
    "sin": 0,
    "cos": 1,
    "sinh": 0,
    "cosh": 1,
    "asin": 0,
    "acos": 0,
    "asinh": 0,
    "acosh": 0,
    "sqrt": 3,
    "exp": 1,
    "log": 0,
    "log10": 2,
    "string": "1010",
    "integer": 12,
    "float": 1.5,
    "bool": True,
    "min_ip": "10.1.2.0",
    "max_ip": "10.1.2.255",
    "num_ip": 256,
    "contains_ip": True,
    "static_ips": ["10.0.0.1", "10.0.0.4"],
    "ipset": ["10.0.0.10", "10.0.0.11"],
    "semver": "1.2.0",
    "semvermajor": 1,
    "semverminor": 2,
    "semverpatch": 3,
    "semverincmajor": "2.0.0",
    "semverincminor": "1.3.0",
    "semverincpatch": "1.2.4",
    "semverrelease": "1.2.3",
    "semverprerelease": "rc",
    "semvermetadata": "b",
    "semvercmp": -1,
    "semvermatch": True,
    "semvervalidate": "1.2.3",
    "semversort": ["1.9.0", "1.10.0"],
    "validate": 5,
    "check": True,
    "exec": "hello",
    "exec_uncached": "hello",
    "pipe": "hello",
    "pipe_uncached": "hello",
    "read": "some text",
    "read_uncached": "some text",
    "parse": [1, 2],
    "lookup_file": ["some.txt"],
    "lookup_dir": ["sub"],
    "list_files": ["inner.txt"],
    "list_dirs": ["sub"],
    "env": "/home/of/a/test",
    "rand": 0,
}


def result(folder: Path, expression: str) -> object:
    (folder / "template.yml").write_text(AROUND.format(expression))
    (folder / "some.txt").write_text("some text")
    (folder / "sub").mkdir()
    (folder / "sub" / "inner.txt").write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("HOME", "/home/of/a/test")
        merged = Spiff(Project(".", guard=Guard(frozenset({"exec"})))).merge(["template.yml"])[0]
    data = plain_value(merged)
    assert isinstance(data, dict)
    return data["result"]


def test_each_subject_has_the_functions_that_the_table_names() -> None:
    assert {subject: list(table_of(subject)) for subject in SUBJECTS} == {
        subject: names.split() for subject, names in SUBJECTS.items()
    }


def test_every_function_has_an_example_here() -> None:
    assert set(EXAMPLES) == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_example(name: str, tmp_path: Path) -> None:
    assert result(tmp_path, FUNCTIONS[name].example) == EXAMPLES[name]


WRONG = {
    "split(1, 2)": "second argument of split must be a string",
    'split("a")': "split(separator, text [, count]) has other arguments",
    "trim(1)": "first argument of trim must be a string",
    "trim([1])": "element of list to trim must be a string",
    'replace("a", 1, "b")': "every argument of replace must be a string",
    'match("(", "a")': "error parsing regexp",
    'match("a", [])': "second argument of match must be a simple value",
    "length(1)": "argument of length must be a string",
    "sort(1)": "first argument of sort must be a list",
    'sort([1, "a"])': "only strings or only numbers",
    "sort([1], 2)": "second argument of sort must be a lambda",
    'sort([1, 2], |a,b|->"x")': "must give a boolean or an integer",
    "uniq(1)": "argument of uniq must be a list",
    "contains(1, 1)": "first argument of contains must be a string",
    'contains("a", [])': "second argument of contains must be a simple value",
    "keys([])": "argument of keys must be a map",
    'format("%d")': "format has no argument for '%d'",
    'format("%d", "a")': "'%d' of format needs a number",
    'format("a", 1)': "1 arguments too many",
    'format("%q", [])': "cannot write this",
    'format("%9999999d", 1)': "cannot write a width",
    "format(1)": "first argument of format must be a string",
    "exec([])": "command argument must be string",
    "exec([[1]])": "list not allowed for command argument",
    "exec(true)": "command argument must be string",
    'exec("echo", nil)': "must not be nil",
    'exec("sh", "-c", "exit 3")': "execution 'sh' failed",
    'exec("head", "-c", "17000000", "/dev/zero")': "execution 'head' failed",
    "join()": "join requires a separator",
    "sum[[1]|0|s|->s]": "sum[] takes a name for the sum",
    "map[[1]|a,b,c|->a]": "one or two names",
    "select{[1]|x|->x}": "select{} does not support list values",
    "filter{[1]|x|->x}": "filter{} does not support list values",
    "filter[{}|x|->x]": "filter[] does not support map values",
    "map[[1]|2]": "requires a lambda",
    "*a": "template value required",
    "(|x|->x)(1, 2)": "found 2 arguments for 1 names",
    "(|x,y=1|->x)()": "found 0 arguments for 2 names",
    "(|x|->x)(y=1)": "no lambda parameter found for named argument y",
    "(|x|->x)(x=1, 2)": "two arguments for the parameter x",
    "join(a=1)": "join takes no named arguments",
    "defined*(a)": "defined cannot be called with only some arguments",
    "list.[0..5]": "outside of a list of 2 items",
    "list.[0..-1]": "counts from both ends",
    "a.[*].x.y": "not found",
    "[a...]": "must be a list to be put in",
    "{ [] = 1 }": "a key must be a string",
    "require(nil)": "is nil, and a value is required",
    'error("no %s", "name")': "no name",
    'eval("1 +")': "unparseable expression",
    "~~ + 1": "'~~' is undefined",
    "none::x": "tag 'none' not found",
    'validate(1, ["gt", 3])': "condition 1 failed: is not gt `3`",
    'validate(1, "nothing")': "condition 1 has problem: unknown condition 'nothing'",
    'check(1, ["match", "x"])': "condition 1 has problem: match requires string, but got int",
    'semver("x")': "Invalid Semantic Version",
    'semvermatch("1.2.3", "nonsense")': "improper constraint",
    'semvermatch("1.2.3", ">1.0.0!")': "improper constraint",
    "x509genkey()": "plait does not have the function 'x509genkey'",
    'write("f", 1)': "plait does not have the function 'write'",
    "joinn(1)": "unknown function 'joinn'",
    'hash("a", "crc")': "invalid hash type 'crc'",
    "sqrt(-1)": "sqrt has no value here",
    'integer("x")': "this is not an integer",
    "string(1, 99)": "from 2 to 36",
    'substr("ab", 3)': "outside of a text of 2 letters",
    'read("nothing.txt")': "not found",
    'parse("[1]", "csv")': "invalid mode 'csv'",
    'env("PLAIT_NOT_SET_ANYWHERE")': "is not set",
    "sync(1, false)": "sync timeout",
    "element([1], 3)": "out of range",
    'makemap("a")': "must be a list",
    "10.0.0.1 / 24": "integer operand required",
    '"10.0.0.0/30" + 4': "outside of the network",
    "1 / 0.0": "division by zero",
    # bounds: the first that is outside
    'format("%c", 1114112)': "'%c' of format cannot write this",
    'format("%c", -1)': "'%c' of format cannot write this",
    'format("%100000d", 1)': "format cannot write a width of 100000",
    'format("%d", 1, 2)': "format has 1 arguments too many",
    "string(1, 1)": "from 2 to 36",
    "string(1, 37)": "from 2 to 36",
    "string([1])": "first argument of string must be a simple value",
    "string(~)": "first argument of string must be a simple value",
    '"0.0.1.0/24" * -2': "IP address overflow",
    '"255.255.255.0/24" * 1': "IP address overflow",
    '"10.0.0.0/24" / 257': "the network 10.0.0.0/24 cannot be split into 257",
    '"10.0.0.0/24" / 0': "the network 10.0.0.0/24 cannot be split into 0",
    "0.0.0.0 - 1": "IP address overflow",
    "255.255.255.255 + 1": "IP address overflow",
    "list.[2]": "'list.[2]' not found",
    "a.b.c": "'a.b.c' not found",
    # kinds of arguments
    'sync(1, valid, value, "x")': "the timeout of sync must be a number of seconds",
    "sync(1, valid, value, true)": "the timeout of sync must be a number of seconds",
    "sync(1, valid, value, [1])": "the timeout of sync must be a number of seconds",
    "sync(1, false, value, 0)": "sync timeout",
    "sync(nowhere, valid)": "sync timeout: 'nowhere' not found",
    "merge([])": "merge needs a map",
    "merge([1])": "every argument of merge must be a map or a template",
    'merge({ "a" = 1 }, [{ "a" = 2 }])': "every argument of merge must be a map or a template",
    'merge([{ "a" = 1 }], [{ "a" = 2 }])': "every argument of merge must be a map or a template",
    '"x" list': "simple value can only be concatenated with simple values",
    '~ "x"': "first argument must be list or simple value",
}
CORNERS: dict[str, object] = {
    # bounds: the last that is inside
    'format("%c", 65)': "A",
    'format("%c", 1114111)': "\U0010ffff",
    'length(format("%99999d", 1))': 99999,
    'format("%5.1f|%-5d|%05d|%+d|%x|%X|%o|%b", 1.25, 3, 3, 3, 255, 255, 8, 5)': "  1.2|3    |00003|+3|ff|FF|10|101",
    'format("%s %v %q %t %%", "a", 1, "b", true)': 'a 1 "b" true %',
    "string(35, 36)": "z",
    "string(-35, 36)": "-z",
    "string(5, 2)": "101",
    "string(1.0)": "1",
    "string(1.5)": "1.5",
    "string(true)": "true",
    '"0.0.1.0/24" * -1': "0.0.0.0/24",
    '"255.255.254.0/24" * 1': "255.255.255.0/24",
    '"10.0.0.0/24" / 1': "10.0.0.0/24",
    '"10.0.0.0/24" / 3': "10.0.0.0/26",
    '"10.0.0.0/24" / 4': "10.0.0.0/26",
    '"10.0.0.0/24" / 256': "10.0.0.0/32",
    "0.0.0.1 - 1": "0.0.0.0",
    "255.255.255.254 + 1": "255.255.255.255",
    "10.0.0.5 - 10.0.0.1": 4,
    "list.[1]": "q",
    "list.[-1]": "q",
    "list.[0..1]": ["p", "q"],
    "list.[1..]": ["q"],
    "list.[..0]": ["p"],
    "list.[*]": ["p", "q"],
    # integers are divided towards zero, as Go does
    "7 / 2": 3,
    "-7 / 2": -3,
    "7 % 3": 1,
    "-7 % 3": -1,
    "1 + 2 * 3": 7,
    "(1 + 2) * 3": 9,
    "1 == 1.0": True,
    "!a.b": False,
    "[1 .. 3]": [1, 2, 3],
    "[3 .. 1]": [3, 2, 1],
    # a condition that holds at once is asked once; what cannot be computed has no value
    "sync(1, valid)": 1,
    "sync(1, valid, value)": 1,
    'sync(nowhere, ! valid, "gone")': "gone",
    "sync(nowhere, ! valid)": None,
    "catch(nowhere)": {"valid": False, "error": "'nowhere' not found"},
    "catch(a.b)": {"valid": True, "error": "", "value": 1},
    'merge([{ "a" = 1 }, { "a" = 2 }])': {"a": 2},
    'merge({ "a" = 1 }, { "a" = 2 })': {"a": 2},
    'list "x"': ["p", "q", "x"],
    "list list": ["p", "q", "p", "q"],
    'a { "z" = 3 }': {"b": 1, "z": 3},
}


def test_corners(tmp_path: Path) -> None:
    whole = "\n".join(f"c{at}: |-\n  (( {text} ))" for at, text in enumerate(CORNERS))
    (tmp_path / "template.yml").write_text(AROUND.format("1") + whole + "\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        made = plain_value(Spiff(Project(".")).merge(["template.yml"])[0])
    assert isinstance(made, dict)
    assert {text: made[f"c{at}"] for at, text in enumerate(CORNERS)} == CORNERS


@pytest.mark.parametrize("expression", WRONG)
def test_wrong(expression: str, tmp_path: Path) -> None:
    with pytest.raises(PlaitError, match="unresolved nodes") as trouble:
        result(tmp_path, expression)
    assert WRONG[expression] in str(trouble.value)
    assert all(diagnostic.labels and diagnostic.labels[0].origin.line for diagnostic in trouble.value.diagnostics)


def test_how_deep_calls_may_nest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call of a lambda is two levels, the condition in it and the call; each `!` is one: 150 work, 151 do not."""
    monkeypatch.chdir(tmp_path)

    def counted_down(signs: str) -> object:
        Path("t.yml").write_text(f"f: (( |n|->n == 0 ? {signs}true :f(n - 1) ))\nx: (( f(73) ))\n")
        return plain_value(Spiff(Project(".")).merge(["t.yml"])[0])["x"]  # type: ignore[index, call-overload]

    assert counted_down("!") is False
    with pytest.raises(PlaitError, match="expressions nest deeper than 150 calls"):
        counted_down("!!")
