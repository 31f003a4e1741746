"""Paths as people write them: what each text means, how it is printed again, and what is wrong with others."""

from __future__ import annotations

import json

import pytest

from plait.core.path import (
    ANY,
    DEEP,
    Keyed,
    Path,
    PathError,
    format_path,
    is_near,
    parse_path,
    path_matches,
    split_assignment,
    split_prefix,
)
from tests.answers import answer, project

TEXTS: dict[str, Path] = {
    "": (),
    "a": ("a",),
    "a.b": ("a", "b"),
    "a[0].b": ("a", 0, "b"),
    "a[-1]": ("a", -1),
    "[0][1]": (0, 1),
    'a["x.y/z"].b': ("a", "x.y/z", "b"),
    "a[name=web].port": ("a", Keyed(("name",), ("web",)), "port"),
    "a[name=web,zone=b]": ("a", Keyed(("name", "zone"), ("web", "b"))),
    "a[=x]": ("a", Keyed(("",), ("x",))),
    'a[name="x,y]"]': ("a", Keyed(("name",), ("x,y]",))),
    'a[name="say \\"hi\\""]': ("a", Keyed(("name",), ('say "hi"',))),
    '["registry/app:1"].a': ("registry/app:1", "a"),
    "a.registry/app:1": ("a", "registry/app:1"),
    '["a\\\\b"]': ("a\\b",),
    '["a\\u0007b"]': ("a\x07b",),
    '[""]': ("",),
    '["a b"]': ("a b",),
    '["*"].b': ("*", "b"),
}
"""Paths that are printed as they are written."""
OTHERWISE: dict[str, str] = {
    '"a.b".c': '["a.b"].c',
    "['a']": "a",
    "a\\.": '["a."]',
    "annotations.prometheus\\.io/port": 'annotations["prometheus.io/port"]',
    'a["\\u00e9\\u00E9"]': "a.éé",
    'a["\\u12"]': "a.u12",
    'a["\\uzzzz"]': "a.uzzzz",
    "a['it\\'s']": "a.it's",
    "a[name='x']": "a[name=x]",
    "a\\": '["a\\\\"]',
    "a[name=]": 'a[name=""]',
}
WRONG: dict[str, tuple[str, int]] = {
    "a..b": ("a name is missing here", 2),
    ".a": ("a name is missing here", 0),
    "a.[0]": ("a name is missing here", 2),
    "a.": ("a name is missing here", 2),
    'a"b"': ('unexpected `"`', 1),
    "a]": ("unexpected `]`", 1),
    "a[": ("missing closing bracket", 1),
    "a[0": ("missing closing bracket", 1),
    'a["b"': ("missing closing bracket", 1),
    'a["b"x]': ("missing closing bracket", 1),
    'a["b': ("missing closing quote", 2),
    'a["b\\': ("missing closing quote", 2),
    'a["b\\"': ("missing closing quote", 2),
    "a[b]": ("expected an index, a quoted key or name=value", 2),
    "a[*]": ("`*` means several values, and one is to be named", 2),
    "a[name=x,zone]": ("expected name=value", 9),
    'a[name="x"y]': ("missing closing bracket", 10),
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_a_path_and_the_path_is_printed_so(text: str) -> None:
    assert (parse_path(text), format_path(TEXTS[text])) == (TEXTS[text], text)


@pytest.mark.parametrize("text", OTHERWISE)
def test_a_path_that_is_written_in_another_way(text: str) -> None:
    assert format_path(parse_path(text)) == OTHERWISE[text]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_path(text: str) -> None:
    with pytest.raises(PathError) as caught:
        parse_path(text)
    assert (caught.value.message, caught.value.at) == WRONG[text]


def test_patterns() -> None:
    assert parse_path("*.a[*].**[**]", pattern=True) == (ANY, "a", ANY, DEEP, DEEP)
    assert parse_path("a[*][**]", pattern=True) == ("a", ANY, DEEP)
    assert parse_path('*["*"]', pattern=True) == (ANY, "*"), "in quotes it is a key"
    assert format_path((ANY, "a", DEEP)) == "*.a.**"


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("", "", True), ("", "a", False), ("a", "a", True), ("a", "b", False), ("a", "a.b", False), ("a.b", "a", False),
        ("*", "a", True), ("*", "", False), ("*", "a.b", False), ("*.b", "a.b", True), ("*.b", "a.c", False),
        ("**", "", True), ("**", "a.b", True), ("**.b", "b", True), ("**.b", "a.a.b", True), ("**.b", "a.b.c", False),
        ("a.**", "a", True), ("a.**", "a.b.c", True), ("a.**", "b", False), ("a.**.c", "a.c", True),
        ("a.**.c", "a.b.c.d", False), ("a.**.c", "a.c.b.c", True), ("**.**.a", "a", True), ("**.*.a", "a", False),
        ("**.*.a", "b.a", True), ("a[*].b", "a[0].b", True), ("a[0].b", "a[1].b", False),
    ],
)  # fmt: skip
def test_what_a_pattern_matches(pattern: str, path: str, expected: bool) -> None:
    assert path_matches(parse_path(pattern, pattern=True), parse_path(path)) is expected


def test_places_near_a_path() -> None:
    for place, path, expected in [("a.b", "a", True), ("a", "a.b", True), ("a.b", "a.b", True), ("a.b", "a.c", False)]:
        assert is_near((parse_path(place),), parse_path(path)) is expected
    assert is_near((("x",), ("a",)), ("a",))
    assert not is_near((), ("a",))


def test_what_stands_around_a_path() -> None:
    assert split_assignment("a.b=c=d") == ("a.b", "=", "c=d")
    assert split_assignment("a[name=web].port=80") == ("a[name=web].port", "=", "80")
    assert split_assignment("a[name=web]") == ("a[name=web]", "", "")
    assert split_prefix("Deployment/web:spec.replicas") == ("Deployment/web", "spec.replicas")
    assert split_prefix("spec.replicas") == ("", "spec.replicas")
    assert split_prefix('a["x:y"]') == ("", 'a["x:y"]')
    assert split_prefix("a[=x:y]") == ("", "a[=x:y]")


def test_steps_to_items_are_equal_by_name_and_value() -> None:
    web = Keyed(("name",), ("web",))
    assert web == Keyed(("name",), ("web",))
    assert len({web, Keyed(("name",), ("web",)), Keyed(("zone",), ("web",)), Keyed(("name",), ("api",)), "web"}) == 4


DATA = "{a: [x, {name: web, id: 1}, {name: api, id: 1}, 5], 1: one, 0x10: hex, 'true': text, b: {c: 1}}"
FOUND = {
    "a[0]": "x",
    "a[-1]": 5,
    "a[-4]": "x",
    "a.3": 5,
    "a[4]": None,
    "a[-5]": None,
    "a[=x]": "x",
    "a[=5]": 5,
    "a[=y]": None,
    "a[name=web].id": 1,
    "a[name=api,id=1].name": "api",
    "a[name=web,id=2]": None,
    "a[zone=web]": None,
    "a.x": None,
    "1": "one",
    "16": "hex",
    "0x10": "hex",
    "17": None,
    "true": "text",
    "b.c": 1,
    "b.c.d": None,
    "b[name=c]": None,
    "b[0]": None,
}


@pytest.mark.parametrize("text", FOUND)
def test_what_a_path_means_in_a_document(text: str) -> None:
    with project({"a.yaml": DATA + "\n"}):
        status, out, err = answer(["get", "a.yaml", text, "--format", "json"])
    assert (json.loads(out) if not status else None) == FOUND[text]
    assert status == 0 or "PL9002" in err
