"""Every declaration holds: its example works, and its page and its help say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.notations.dynaml.functions import FUNCTIONS
from plait.workspace import plain_value

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
    "min_ip": "10.1.2.0",
    "max_ip": "10.1.2.255",
    "static_ips": ["10.0.0.1", "10.0.0.4"],
    "exec": "hello",
    "format": "vm-03",
    "split": ["a", "b"],
    "trim": "a",
    "replace": "a_b",
    "match": ["v12", "12"],
    "length": 2,
    "defined": True,
    "sort": [1, 2, 3],
    "uniq": [1, 2],
    "contains": True,
    "keys": ["x"],
}


def result(folder: Path, expression: str) -> object:
    file = folder / "template.yml"
    file.write_text(AROUND.format(expression))
    merged = Spiff(Project(str(folder), guard=Guard(frozenset({"exec"})))).merge([str(file)])[0]
    data = plain_value(merged)
    assert isinstance(data, dict)
    return data["result"]


def test_every_function_has_an_example_here() -> None:
    assert set(EXAMPLES) == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_example(name: str, tmp_path: Path) -> None:
    assert result(tmp_path, FUNCTIONS[name].example) == EXAMPLES[name]


WRONG = {
    "split(1, 2)": "first argument of split must be a string",
    'split("a")': "split(separator, text) has other arguments",
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
    'format("%s", [])': "cannot write this",
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
}


@pytest.mark.parametrize("expression", WRONG)
def test_wrong(expression: str, tmp_path: Path) -> None:
    with pytest.raises(PlaitError, match="unresolved nodes") as trouble:
        result(tmp_path, expression)
    assert WRONG[expression] in str(trouble.value)
    assert all(diagnostic.labels and diagnostic.labels[0].origin.line for diagnostic in trouble.value.diagnostics)
