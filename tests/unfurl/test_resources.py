"""Questions in a tree of resources, which have attributes beside their children: what only a program that embeds
plait has."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.unfurl import check_eval

TREE = {
    "name": "root",
    "attributes": {"region": "eu"},
    "children": [
        {
            "name": "web",
            "attributes": {"port": 80, "url": {"eval": {"concat": ["http://", {"eval": ".name"}]}}},
            "children": [{"name": "disk", "attributes": {"size": 5}}],
        },
        {
            "name": "db",
            "attributes": {
                "port": 5432,
                "used_by": [{"eval": "::web"}, {"eval": "::disk"}],
                "mixed": [7, [{"eval": "::web"}]],
            },
        },
    ],
}
ANSWERS: list[tuple[str, object, object]] = [
    ("web", "port", 80),
    ("web", ".name", "web"),
    ("web", "url", "http://web"),
    ("disk", "..::port", 80),
    ("disk", ".ancestors::region", "eu"),
    ("root", "::db::port", 5432),
    ("web", "..", {"$resource": "root"}),
    ("web", ".children", [{"$resource": "disk"}]),
    ("db", "used_by", [{"$resource": "web"}, {"$resource": "disk"}]),
    ("db", "mixed", [7, [{"$resource": "web"}]]),
    ("db", "used_by::.name", ["web", "disk"]),
    ("db", "used_by::0::url", "http://web"),
    ("db", "used_by::..", [{"$resource": "root"}, {"$resource": "web"}]),
    ("web", "nowhere", None),
    ("disk", "::*::port", [80, 5432]),
    ("web", "::*::.name", ["root", "web", "disk", "db"]),
]


def case(current: str, expression: object, **more: object) -> dict[str, Any]:
    return {"tree": TREE, "current": current, "expression": {"eval": expression}, "mode": "one", **more}


@pytest.mark.parametrize(("current", "expression", "expected"), ANSWERS, ids=[f"{a}-{b}" for a, b, _ in ANSWERS])
def test_questions(current: str, expression: object, expected: object) -> None:
    check_eval(case(current, expression, expected=expected), "")
