"""One way to read a result: for every path of a printed result, the value at that path is what the result has there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from plait.core.path import DEEP, Path, format_path, path_matches
from plait.core.source import Source
from plait.fronts.typed_values import typed_value
from plait.workspace import Workspace
from tests.examples import examples

if TYPE_CHECKING:
    from collections.abc import Iterator

FEW = settings(max_examples=examples(30), deadline=None)
SCALARS = st.sampled_from(["1", "x", "null", "true", "'a b'"])
NAMES = st.sampled_from(["a", "b", "c", "d"])


def _list(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(st.one_of(inner, st.just("!unset ")), max_size=4).map(lambda items: f"[{', '.join(items)}]")


def _keyed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    items = st.dictionaries(NAMES, inner, max_size=3)
    return items.map(
        lambda drawn: "[" + ", ".join(["!merge-by name", *(f"{{name: {k}, v: {v}}}" for k, v in drawn.items())]) + "]"
    )


def _map(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    entries = st.dictionaries(NAMES, st.one_of(inner, st.just("!unset ")), max_size=3)
    return entries.map(lambda drawn: "{" + ", ".join(f"{key}: {value}" for key, value in drawn.items()) + "}")


VALUES = st.recursive(SCALARS, lambda inner: st.one_of(_list(inner), _keyed(inner), _map(inner)), max_leaves=12)
LAYER = st.dictionaries(st.sampled_from(["p", "q", "r"]), VALUES, max_size=3).map(
    lambda drawn: "".join(f"{key}: {value}\n" for key, value in drawn.items()) + "z: !ref p\n"
)
LISTS = st.sampled_from(["replace", "append", "index"])


def every(value: Any) -> Iterator[tuple[Path, Any]]:
    """Each place of plain data, with what is there."""
    stack: list[tuple[Path, Any]] = [((), value)]
    while stack:
        path, at = stack.pop()
        yield path, at
        below = at.items() if isinstance(at, dict) else enumerate(at) if isinstance(at, list) else ()
        stack.extend(((*path, step), child) for step, child in below)


@FEW
@given(st.lists(LAYER, min_size=1, max_size=2), LISTS)
def test_the_value_at_a_path_is_what_the_result_has_there(texts: list[str], lists: str) -> None:
    layers: list[Any] = ["p: {a: [x]}\n", *texts]
    options = {"lists": [f"**={lists}"]}
    try:
        document = plait.merge(layers, **options)
        data = document.to_dict()
    except plait.PlaitError:
        return  # layers that cannot be merged have no result
    assert yaml.safe_load(document.text("json")) == data
    paths = [(path, value) for path, value in every(data) if path]
    for path, value in paths:
        assert document.value(format_path(path)) == value
        assert document.explain(format_path(path)).value == value
        lazy: Any = document
        for step in path:
            lazy = lazy[step]
        assert lazy == value or document.get_path(format_path(path)) == lazy
    asked = "ask:\n" + "".join(f"- !ref {format_path(path)}\n" for path, _ in paths) if paths else "ask: []\n"
    assert plait.merge([*layers, asked], **options).value("ask") == [value for _, value in paths]


@FEW
@given(LAYER, LISTS, st.data())
def test_set_changes_the_value_that_the_path_means(text: str, lists: str, data: st.DataObject) -> None:
    layers = [f"p: [x]\n{text}" if "p:" not in text else text]
    try:
        before = plait.merge(layers).to_dict()
    except plait.PlaitError:
        return
    before.pop("z")
    path = data.draw(st.sampled_from([path for path, value in every(before) if path]))
    wanted = _with(before, path, "NEW")
    after = plait.merge(layers, sets=[f"{format_path(path)}=NEW"]).to_dict()
    after.pop("z")
    assert after == wanted
    source = Source("one.yaml", layers[0])
    edited = Workspace(cache=False).editor.set(
        source, [(format_path(path), typed_value("NEW", False, ""))], create=False
    )
    after = plait.merge([edited]).to_dict()
    after.pop("z")
    assert after == wanted


def _with(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _with(copy[path[0]], path[1:], new)
    return copy


def test_two_signs_for_any_number_of_steps_are_one() -> None:
    for path in ((), ("a",), ("a", "b"), ("x", "a"), ("x", "y", "a")):
        assert path_matches((DEEP, DEEP, "a"), path) is path_matches((DEEP, "a"), path) is (path[-1:] == ("a",))
        assert path_matches((DEEP, DEEP, DEEP), path)
