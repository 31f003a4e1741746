"""Where values are written, and what could be written there instead: how an explanation is tried."""

from __future__ import annotations

import pytest

from plait.core.source import Source
from plait.yaml.spots import spot_at, spots_in, with_changes

SPOTS = [
    ("a: 1", [((), "a: 1", ()), (("a",), "1", ("2", "0", '"1-changed"'))]),
    ("a: !t 0", [((), "a: !t 0", ()), (("a",), "!t 0", ("!t 1", "!t 7", '!t "0-changed"'))]),
    ("- -2.5  # c", [((), "- -2.5", ()), ((0,), "-2.5", ("-1.5", "0", '"-2.5-changed"'))]),
    (
        "- true\n- false",
        [((), "- true\n- false", ()), ((1,), "false", ("true", "changed")), ((0,), "true", ("false", "changed"))],
    ),
    (
        "[&x é, *x]",
        [
            ((), "[&x é, *x]", ()),
            ((1,), "*x", ("{}", "changed")),
            ((0,), "&x é", ('&x "é-changed"', '&x ""', "&x changed")),
        ],
    ),
    ("a: ~\nb:", [((), "a: ~\nb:", ()), (("a",), "~", ("changed",)), (("b",), "", ("changed",))]),
    ("a: '1'", [((), "a: '1'", ()), (("a",), "'1'", ('"1-changed"', '""', "changed"))]),
    ("a: !t '1'", [((), "a: !t '1'", ()), (("a",), "!t '1'", ('!t "1-changed"', "changed"))]),
    (
        "a: (( b ))",
        [((), "a: (( b ))", ()), (("a",), "(( b ))", ('"(( b ))-changed"', '(( "changed" ))', '""', "changed"))],
    ),
    (
        "a: |\n  x\n\nb: c",
        [
            ((), "a: |\n  x\n\nb: c", ()),
            (("a",), "|\n  x", ('"x\\n-changed"', '""', "changed")),
            (("b",), "c", ('"c-changed"', '""', "changed")),
        ],
    ),
    (
        "a: !t [x]",
        [((), "a: !t [x]", ()), (("a",), "!t [x]", ("[x]",)), (("a", 0), "x", ('"x-changed"', '""', "changed"))],
    ),
    (
        "- !unset\n- 1",
        [
            ((), "- !unset\n- 1", ()),
            ((0,), "1", ("2", "0", '"1-changed"')),
            (("changed",), "!unset", ("!unsetchanged",)),
        ],
    ),
    ("{a: , b: 0}", [((), "{a: , b: 0}", ()), (("a",), "", ("changed",)), (("b",), "0", ("1", "7", '"0-changed"'))]),
]


@pytest.mark.parametrize(("text", "spots"), SPOTS)
def test_what_is_written_and_what_could_be(text: str, spots: list[object]) -> None:
    found = spots_in(Source("x", text + "\n"))
    assert [(spot.path, text[spot.start : spot.end], spot.choices) for _, spot in found] == spots
    assert [spot.holds for _, spot in found] == [not spot.path or text[spot.end - 1] in "]}" for _, spot in found]


def test_documents_are_numbered_and_texts_that_are_no_yaml_have_no_spots() -> None:
    found = spots_in(Source("x", "a\n---\n---\n- b\n"))
    assert [(number, spot.path) for number, spot in found] == [(0, ()), (1, ()), (2, ()), (2, (0,))]
    assert spots_in(Source("x", "")) == []
    assert spots_in(Source("x", "{{ if }}: {")) == []


TEMPLATE = "a: {{ .x }} {{- if .y -}} b\n{{ else if eq 1 2 }}: c, d\n\ne"
PLACES: list[tuple[str, str | None, tuple[str, ...]]] = [
    ("a:", "a", ("a-changed", "changed")),
    ("{{ .x", "{{ .x }}", ('{{ "changed" }}',)),
    ("}} {{-", "{{ .x }}", ('{{ "changed" }}',)),
    ("{{- if", "{{- if .y -}}", ("{{- if not (.y) -}}",)),
    (".y", "{{- if .y -}}", ("{{- if not (.y) -}}",)),
    ("b\n", "b", ("b-changed", "changed")),
    ("else", "{{ else if eq 1 2 }}", ("{{ else if not (eq 1 2) }}",)),
    (", d", "d", ("d-changed", "changed")),
    ("\n\ne", None, ()),
    ("e", "e", ("e-changed", "changed")),
]


@pytest.mark.parametrize(("words", "there", "choices"), PLACES)
def test_what_a_place_of_a_template_is_in(words: str, there: str | None, choices: tuple[str, ...]) -> None:
    at = TEMPLATE.rindex(words) if words == "e" else TEMPLATE.index(words)
    spot = spot_at(Source("x", TEMPLATE), at)
    if spot is None:
        assert there is None
    else:
        assert (TEMPLATE[spot.start : spot.end], spot.choices) == (there, choices)


def test_changes_are_made_together() -> None:
    text = "a: 1\nb: 22\n"
    spots = [spot for _, spot in spots_in(Source("x", text)) if not spot.holds]
    assert with_changes(text, [(spots[0], "333"), (spots[1], "")]) == "a: 333\nb: \n"
    assert with_changes(text, [(spots[1], ""), (spots[0], "333")]) == "a: 333\nb: \n"
