"""What a program gets, in tables: options beside those of the command, values as types, parts of a document."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plait
from plait.apps.cli import main

FILES = {
    "low.yaml": "jobs: [{name: web, n: 1}, {name: db}]\nold: 1\nword: no\n",
    "high.yaml": "jobs: [{name: web, n: 2}]\nold: null\n",
    "rules.yaml": "jobs: append\n",
    "two.yaml": "a: 1\n---\nb: 2\n",
    "dynaml.yaml": "a: 1\nb: (( a + 1 ))\n",
    "template.yaml": "a: 1\nb: '{{ 1 }}'\n",
    "env.yaml": "home: !env HOME\n",
    "deep.yaml": "a: {b: {c: {d: 1}}}\n",
}
BOTH = ["low.yaml", "high.yaml"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("layers", "options", "words"),
    [
        (BOTH, {"lists": ["jobs=key:name"]}, "--list jobs=key:name"),
        (BOTH, {"policy": "rules.yaml"}, "--policy rules.yaml"),
        (BOTH, {"sets": ["old=3"]}, "--set old=3"),
        (BOTH, {"sets": ["new=3"]}, "--set new=3"),
        (BOTH, {"sets": ["new=3"], "create": True}, "--set new=3 --create"),
        (BOTH, {"nulls": "delete"}, "--nulls delete"),
        (BOTH, {"profile": "helm"}, "--profile helm"),
        (BOTH, {"yaml": "1.1"}, "--yaml 1.1"),
        (["two.yaml"], {"documents": "layers"}, "--documents layers"),
        (["two.yaml"], {"documents": "2"}, "--documents 2"),
        (["dynaml.yaml"], {"notations": ["dynaml"]}, "--notation dynaml"),
        (["template.yaml"], {"notations": ["gotemplate"]}, "--notation gotemplate"),
        (["env.yaml"], {"deny": ["env"]}, "--deny env"),
        (["env.yaml"], {"allow": ["env"]}, "--allow env"),
        (["env.yaml"], {}, ""),
    ],
)
def test_options_are_those_of_the_command(
    layers: list[str], options: dict[str, Any], words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["merge", *layers, *words.split()])
    told = capsys.readouterr()
    if status == 0:
        assert plait.merge(layers, **options).text() == told.out
        assert plait.merge(layers, **options, cache=True, folder=str(folder)).text() == told.out
    else:
        with pytest.raises(plait.PlaitError) as caught:
            plait.merge(layers, **options).value()
        assert [one.message in told.err for one in caught.value.diagnostics] == [True]


def test_a_budget_is_for_each_question(folder: Path) -> None:
    with pytest.raises(plait.PlaitError, match="nested deeper than 3"):
        plait.merge("deep.yaml", budgets={"depth": 3}).value()
    assert plait.merge("deep.yaml", budgets={"depth": 5}).value("a.b.c.d") == 1


@dataclasses.dataclass
class Inner:
    a: int
    b: str = "x"
    made: int = dataclasses.field(default=0, init=False)


@pytest.mark.parametrize(
    ("type", "text", "value"),
    [
        (int, "1", 1),
        (int, "true", "`true` is not of type int"),
        (bool, "true", True),
        (bool, "1", "`1` is not of type bool"),
        (float, "1.5", 1.5),
        (float, "2", 2.0),
        (float, "true", "`true` is not of type float"),
        (float, "x", "`x` is not of type float"),
        (str, "x", "x"),
        (str, "1", "`1` is not of type str"),
        (str, "{a: 1}", "a mapping is not of type str"),
        (None, "null", None),
        (None, "1", "`1` is not of type NoneType"),
        (list[None], "[null]", [None]),
        (list[None], "[1]", "`1` is not of type NoneType"),
        (Any, "[1, {a: 2}]", [1, {"a": 2}]),
        (int | None, "null", None),
        (int | None, "3", 3),
        (int | None, "x", "`x` is not of type int"),
        (Inner | None, "{b: y}", "the value is missing"),
        (Callable[[], int], "1", 1),  # a type that says nothing of values
        (int | str, "x", "x"),
        (list, "[1, x]", [1, "x"]),
        (list[int], "[1, 2]", [1, 2]),
        (list[int], "[1, x]", "`x` is not of type int"),
        (list[int], "{a: 1}", "a list is expected, not a mapping"),
        (dict, "{a: 1, b: [x]}", {"a": 1, "b": ["x"]}),
        (dict[str, int], "{a: 1, 2: 3}", {"a": 1, "2": 3}),
        (dict[str, int], "{a: x}", "`x` is not of type int"),
        (dict[str, int], "[1]", "a map is expected, not a sequence"),
        (dict[str, list[int]], "{a: [1]}", {"a": [1]}),
        (Inner, "{a: 1}", Inner(1)),
        (Inner, "{a: 1, b: y}", Inner(1, "y")),
        (Inner, "[1]", "a map is expected, not a sequence"),
        (Inner, "{b: y}", "the value is missing"),
        (Inner, "{a: 1, made: 2}", "there is no such field"),
        (list[Inner], "[{a: 1}, {a: 2}]", [Inner(1), Inner(2)]),
        (Inner | None, "null", None),
    ],
)
def test_values_as_types(type: Any, text: str, value: object) -> None:
    made = dataclasses.make_dataclass("Made", [("field", type)])
    document = plait.merge(f"field: {text}\n")
    if isinstance(value, str) and " " in value:
        with pytest.raises(plait.PlaitError) as caught:
            document.as_type(made)
        assert [value in one.message for one in caught.value.diagnostics] == [True]
    else:
        field = document.as_type(made).field  # type: ignore[attr-defined]
        assert (field, field.__class__) == (value, value.__class__)


def test_errors_of_types_have_their_places() -> None:
    made = dataclasses.make_dataclass("Made", [("items", list[Inner]), ("by", dict[str, int])])
    text = "items:\n- {a: 1}\n- {a: x, c: 1}\n- 3\nby:\n  one: y\n  two: 2\n"
    with pytest.raises(plait.PlaitError) as caught:
        plait.merge([("v.yaml", text)]).as_type(made)
    told = [(one.message.split("`")[1], str(one.labels[0].origin)) for one in caught.value.diagnostics]
    assert told == [
        ("items[1].a", "v.yaml:3:7"),
        ("items[1].c", "v.yaml:3:13"),
        ("items[2]", "v.yaml:4:3"),
        ("by.one", "v.yaml:6:8"),
    ]
    with pytest.raises(plait.PlaitError, match="`the document` does not fit Inner: a map is expected, not a sequence"):
        plait.merge("- 1\n").as_type(Inner)
    assert plait.merge("x: {y: {a: 2}}\n").as_type(Inner, "x.y") == Inner(2)


def test_parts_of_a_document_behave_like_a_dict_and_a_list() -> None:
    plain = {"0": "zero", "": "empty", "list": [1, [2], {"a": 3}, 4], "map": {"x": 1, "y": None}}
    document = plait.merge([plain])
    assert dict(document) == plain
    assert [document[key] for key in plain] == list(plain.values())
    assert (len(document), len(document["list"]), len(document["map"])) == (4, 4, 2)
    items, own = document["list"], plain["list"]
    for at in (0, 1, 3, -1, -4):
        assert items[at] == own[at]
    for at in (4, -5):
        with pytest.raises(IndexError):
            items[at]
    for part in (slice(1, 3), slice(None, None, -1), slice(2), slice(-2, None), slice(9, 12)):
        assert list(items[part]) == own[part]
    assert items == own
    assert items == document["list"]
    assert items != own[:3]
    assert items != tuple(own)
    assert (items.index(4), 4 in items, 5 in items, list(reversed(items))) == (3, True, False, own[::-1])
    assert [repr(document[key]) for key in ("map", "list")] == ["<plait map: x, y>", "<plait list of 4>"]
    for key in ("x", "y", "z"):
        assert (key in document["map"]) == (key in plain["map"])


def test_keys_that_are_no_texts_are_found_by_their_texts() -> None:
    document = plait.merge("0: zero\nfalse: wrong\n1.5: half\n~: nothing\n[a, b]: list\n")
    assert dict(document) == {"0": "zero", "false": "wrong", "1.5": "half", "~": "nothing", "[a, b]": "list"}
    assert repr(document) == "<plait document: 0, false, 1.5, ~, [a, b]>"


class Opened:
    """An open file; those of Python may have a number for a name, or none."""

    def __init__(self, *name: object) -> None:
        if name:
            self.name = name[0]

    def read(self) -> str:
        return "a: 1\n"


@pytest.mark.parametrize(
    ("layer", "name"),
    [
        ("a: 1\n", "<text 2>"),
        ({"a": 1}, "<dict 2>"),
        ({"a": (1, 2)}, "<dict 2>"),
        (Opened(), "<file 2>"),
        (Opened("x.yaml"), "x.yaml"),
        (Opened(7), "<file 2>"),
        (("mine", "a: 1\n"), "mine"),
        (("mine", {"a": 1}), "mine"),
        (("mine", Opened("x.yaml")), "mine"),
    ],
)
def test_layers_have_names(layer: Any, name: str) -> None:
    document = plait.merge([{"b": 0}, layer])
    assert {leaf.winner.node.origin.file for leaf in document.explain("a").leaves} == {name}


def test_a_tuple_of_two_is_two_layers_unless_it_names_one(folder: Path) -> None:
    low, high = FILES["low.yaml"], FILES["high.yaml"]
    merged = plait.merge([low, high]).value()
    for two in (("low.yaml", "high.yaml"), ("low.yaml", Path("high.yaml")), (low, "high.yaml"), (low, {"old": None})):
        assert plait.merge(two).value("old") is None
        assert plait.merge(two).value("word") == "no"
    assert plait.merge(("low.yaml", "high.yaml")).value() == merged
    assert plait.merge(("low.yaml", high)).value() == plait.merge(high).value()
    assert plait.merge([["x"], [["y"]]]).value() == [["y"]]


@pytest.mark.parametrize("levels", [9_999, 10_000])
def test_how_deep_a_layer_may_be(levels: int) -> None:
    deep: object = 1
    for _ in range(levels):
        deep = [deep]
    if levels < 10_000:  # with the map around them
        assert len(plait.merge([{"a": deep}], budgets={"depth": 20_000})["a"]) == 1
    else:
        with pytest.raises(ValueError, match="nested deeper than 10,000 levels"):
            plait.merge([{"a": deep}], budgets={"depth": 20_000})
