"""Conditions of `validate` and `check`: each with a value that meets it, one that does not, and what is then said."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.core.node import plain_value
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff

CONDITIONS = [
    ('""', '"empty"', ""),
    ("[]", '"empty"', ""),
    ("{}", '"empty"', ""),
    ('"a"', '"empty"', "is not empty"),
    ("[1]", '"empty"', "is not empty"),
    ('"10.0.0.1"', '"ip"', ""),
    ('"10.0.0.256"', '"ip"', "is no IP address"),
    ('"::1"', '"ip"', ""),
    ('"10.0.0.0/8"', '"cidr"', ""),
    ('"10.0.0.0/33"', '"cidr"', "is no CIDR"),
    ('"10.0.0.0"', '"cidr"', "is no CIDR"),
    ('"a.b-c.example"', '"dnsname"', ""),
    ('"*.example"', '"dnsname"', ""),
    ('"-a"', '"dnsname"', "is no DNS name"),
    ('"a-"', '"dnslabel"', "is no DNS label"),
    ('"a.b"', '"dnslabel"', "is no DNS label"),
    ('"a"', '"dnslabel"', ""),
    ('"*.a"', '"dnsdomain"', "is no DNS domain"),
    ('"*.a"', '"wildcarddnsdomain"', ""),
    ('"a"', '"wildcarddnsdomain"', "is no wildcard DNS domain"),
    (f'"{"a" * 63}"', '"dnslabel"', ""),
    (f'"{"a" * 64}"', '"dnslabel"', "is no DNS label"),
    (f'"{"a" * 63}.{"b" * 63}.{"c" * 63}.{"d" * 63}"', '"dnsname"', ""),
    (f'"{"a" * 63}.{"b" * 63}.{"c" * 63}.{"d" * 62}.e"', '"dnsname"', "is no DNS name"),
    ('"1.2.3"', '"semver"', ""),
    ('"x"', '"semver"', "is no semantic version"),
    ('"1.2.3"', '["semver", ">=1.2", "<2"]', ""),
    ('"1.2.3"', '["semver", ">=1.2", "<1.2.3"]', "does not meet <1.2.3"),
    ("1", '["type", "int"]', ""),
    ("1", '["type", "string", "int"]', ""),
    ('"1"', '["type", "int", "list"]', "is of kind string, not int or list"),
    ("2", '["valueset", [1, 2]]', ""),
    ("3", '["valueset", [1, 2]]', "is none of the values"),
    ("3", '["value", 3]', ""),
    ("3", '["=", 4]', "is not `4`"),
    ("3", '["gt", 2]', ""),
    ("3", '[">", 3]', "is not > `3`"),
    ("3", '["ge", 3]', ""),
    ("3", '[">=", 4]', "is not >= `4`"),
    ("3", '["lt", 4]', ""),
    ("3", '["<", 3]', "is not < `3`"),
    ("3", '["le", 3]', ""),
    ("3", '["<=", 2]', "is not <= `2`"),
    ('"b"', '["gt", "a"]', ""),
    ('"ab"', '["match", "^a"]', ""),
    ('"ab"', '["~=", "^b"]', "does not match `^b`"),
    ("[1, 2]", '"list"', ""),
    ("[1, 2]", '["list", ["gt", 0]]', ""),
    ("1", '"list"', "is no list"),
    ("[1, 2]", '["list", ["gt", 1]]', "entry 0 is not gt `1`"),
    ("[1, 2]", '["list", ["gt", 0], ["lt", 2]]', "entry 1 is not lt `2`"),
    ('{ "a" = 1 }', '"map"', ""),
    ("1", '"map"', "is no map"),
    ('{ "a" = 1 }', '["map", ["gt", 0]]', ""),
    ('{ "a" = 1 }', '["map", ["gt", 1]]', "value 0 is not gt `1`"),
    ('{ "a" = 1 }', '["map", ["=", "b"], ["gt", 0]]', "key 0 is not `b`"),
    ('{ "a" = 1 }', '["map", ["=", "a"], ["gt", 1]]', "value 0 is not gt `1`"),
    ('{ "a" = 1 }', '["mapfield", "a"]', ""),
    ('{ "a" = 1 }', '["mapfield", "b"]', "has no field 'b'"),
    ('{ "a" = 1 }', '["mapfield", "a", ["gt", 1]]', "'a' is not gt `1`"),
    ('{ "a" = 1 }', '["optionalfield", "b", ["gt", 1]]', ""),
    ('{ "a" = 1 }', '["optionalfield", "a", ["gt", 1]]', "'a' is not gt `1`"),
    ("1", '["mapfield", "a"]', "is no map"),
    ("3", '["and", ["gt", 1], ["lt", 3]]', "is not lt `3`"),
    ("3", '["and", ["gt", 1], ["lt", 4]]', ""),
    ("3", '["or", ["gt", 3], ["lt", 4]]', ""),
    ("3", '["or", ["gt", 4], ["lt", 3]]', "is not lt `3`"),
    ("3", '["not", ["gt", 3]]', ""),
    ("3", '["not", ["gt", 2]]', "it must not meet `and`"),
    ("3", '["!gt", 2]', "it must not meet `gt`"),
    ("3", '["!gt", 3]', ""),
    ("3", "~", ""),
    ("3", "|x|->x == 3", ""),
    ("3", "|x|->x == 4", "the lambda says no"),
    ("3", '|x|->[false, "yes", "too large"]', "too large"),
    ("3", '|x|->[true, "yes"]', ""),
    ("3", "|x|->[false]", "the lambda says no"),
    ("3", "[|x,y|->x == y, 3]", ""),
]  # fmt: skip
"""A value, a condition, and why it does not hold; nothing where it does."""
PROBLEMS = [
    ("3", '["valueset", 1]', "'valueset' takes a list"),
    ("3", '["valueset"]', "'valueset' takes 1 argument"),
    ("3", '["value", 3, 3]', "'value' takes 1 argument"),
    ('"b"', '["gt", 1]', "two numbers or two strings are required"),
    ("[1]", '["gt", 1]', "two numbers or two strings are required"),
    ('{ "a" = 1 }', '["map", "ip", "ip", "ip"]', "'map' takes a condition for the keys and one for the values"),
    ('{ "a" = 1 }', '["mapfield"]', "a field needs a name, and maybe a condition"),
    ('{ "a" = 1 }', '["mapfield", "a", "ip", "ip"]', "a field needs a name, and maybe a condition"),
    ("3", '["and"]', "'and' takes conditions"),
    ("3", '["or"]', "'or' takes conditions"),
    ("3", '["!"]', "'not' takes a condition"),
    ("3", '"nope"', "unknown condition 'nope'"),
    ("3", "[]", "a condition needs a name or a lambda"),
    ("3", "[1]", "a condition begins with a name or a lambda"),
    ("3", '|x|->[false, "a", "b", "c"]', "the lambda must give a boolean, or a list of a result and texts"),
    ("3", "|x|->[]", "the lambda must give a boolean, or a list of a result and texts"),
    ("3", "|x|->[false, 1]", "the lambda must give a text as item 2 of its result, not a int"),
    ("1", '"!empty"', "empty requires string, but got int"),
]  # fmt: skip
"""What cannot be decided, and why."""


def said(rows: list[tuple[str, str, str]], call: str) -> list[object]:
    """What a call says about each value and condition: all of them are in one template."""
    calls = (call.format(value, condition) for value, condition, _ in rows)
    Path("template.yml").write_text("".join(f"- |-\n  (( {text} ))\n" for text in calls), encoding="utf-8")
    made = plain_value(Spiff(Project(".")).merge(["template.yml"])[0])
    assert isinstance(made, list)
    return made


def test_conditions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed = [why and f"condition 1 failed: {why}" for _, _, why in CONDITIONS]
    assert said(CONDITIONS, "catch(validate({}, {})).error") == failed
    assert said(CONDITIONS, "check({}, {})") == [not why for _, _, why in CONDITIONS]


def test_what_cannot_be_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for call in ("validate({}, {})", "check({}, {})"):
        problems = [f"condition 1 has problem: {why}" for _, _, why in PROBLEMS]
        assert said(PROBLEMS, f"catch({call}).error") == problems
