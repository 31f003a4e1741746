"""Versions and their constraints, as templates compare them: Masterminds/semver says what each means."""

from __future__ import annotations

import pytest

from plait.gotemplate import parse

HOLDS = {
    ">1.2.3": "1.2.4 2.0.0",
    ">=1.2.3": "1.2.3 1.2.4",
    "<1.2.3": "1.2.2 0.9.0",
    "<=1.2.3": "1.2.3 1.2.2",
    "<=1.2": "1.2.9 1.1.0",
    ">1.2": "1.3.0 2.0.0",
    "=1.2.3": "1.2.3",
    "1.2.x": "1.2.0 1.2.9",
    "~1.2.3": "1.2.3 1.2.9",
    "~1": "1.0.0 1.9.9",
    "^1.2.3": "1.2.3 1.9.0",
    "^0.2.3": "0.2.3 0.2.9",
    "^0.0.3": "0.0.3",
    "!=1.2.3": "1.2.4 1.2.3-beta",
    "!=1.2": "1.3.0 2.0.0",
    "*": "0.0.0 9.9.9",
    "1.2 - 1.4": "1.2.0 1.4.9",
    ">1.0 || <0.5": "1.2.0 0.4.0",
    ">=1.2.3-beta.2": "1.2.3-beta.2 1.2.3-beta.10 1.2.3-rc.1 1.2.3",
}
FAILS = {
    ">1.2.3": "1.2.3 1.2.2 2.0.0-beta",
    ">=1.2.3": "1.2.2 1.2.3-beta",
    "<1.2.3": "1.2.3 1.3.0",
    "<=1.2.3": "1.2.4",
    "<=1.2": "1.3.0",
    ">1.2": "1.2.9 1.2.0",
    "=1.2.3": "1.2.4 1.2.3-beta",
    "1.2.x": "1.3.0 1.1.9",
    "~1.2.3": "1.2.2 1.3.0 2.2.4",
    "~1": "2.0.0 0.9.0",
    "^1.2.3": "1.2.2 2.0.0",
    "^0.2.3": "0.3.0 0.2.2",
    "^0.0.3": "0.0.4 0.0.2",
    "!=1.2.3": "1.2.3",
    "!=1.2": "1.2.0 1.2.9",
    "1.2 - 1.4": "1.1.9 1.5.0",
    ">1.0 || <0.5": "0.7.0",
    ">=1.2.3-beta.2": "1.2.3-beta.1 1.2.3-alpha 1.2.2",
}


@pytest.mark.parametrize("constraint", HOLDS)
def test_which_versions_meet_a_constraint(constraint: str) -> None:
    template = parse("{{ semverCompare .constraint .version }}")
    for rows, expected in ((HOLDS, "true"), (FAILS, "false")):
        for version in rows.get(constraint, "").split():
            told = template.render({"constraint": constraint, "version": version})
            assert told == expected, (constraint, version)


def test_what_is_no_version_is_refused() -> None:
    for text in ("1.2.3-01", "1.2.3.4", "one"):
        with pytest.raises(Exception, match=r"[Vv]ersion"):
            parse("{{ semver .text }}").render({"text": text})
    assert parse("{{ (semver `v1.2`).Patch }} {{ semver `1.2.3-a.1+b` }}").render({}) == "0 1.2.3-a.1+b"
