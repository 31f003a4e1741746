"""The page on patterns names, for each statement of the requirement, the case that shows it: the cases must be
there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conformance.runner import SHARED

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "fronts" / "patterns.md").read_text(encoding="utf-8")


def named() -> set[str]:
    """The cases in the second column of the last table."""
    rows = PAGE.partition("## The requirement, line by line")[2].splitlines()
    return {name for row in rows if row.startswith("| ") for name in re.findall(r"`([^`]+)`", row.split("|")[2])}


def test_every_case_of_ours_is_there() -> None:
    ours = {name for name in named() if "/" not in name}
    assert len(ours) > 8
    assert all((ROOT / "tests" / "cases" / "patterns" / f"{name}.case").exists() for name in ours)


def test_every_conformance_case_is_there() -> None:
    file = SHARED / "preserve" / "cases-preserve.yaml"
    if not file.exists():
        pytest.skip("the conformance cases are not at hand")
    known = set(re.findall(r"^- id: (\S+)$", file.read_text(encoding="utf-8"), re.M))
    assert {name for name in named() if "/" in name} - {"examples/patterns"} <= known
