"""The law of origins for charts: a field of a rendered resource changes with the values that are named for it, and with
no other. Values are changed one by one, and the chart is rendered again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from plait.core.node import Scalar
from plait.core.path import Path as NodePath
from plait.core.path import format_path
from plait.fronts.charts.installation import Installation
from plait.fronts.charts.origins import field_origin
from plait.fronts.charts.rendering import ValueRead
from plait.fronts.project import Project
from tests.cases import Case
from tests.charts.law import CORPUS, check, fields, others, scalars, with_value

CASES = Path(__file__).parents[1] / "cases" / "charts"
CHARTS = {"render": "app", "target": "charts/web"}
SAMPLE = 40


def changed(node: Scalar) -> Scalar:
    """Another value of the same kind."""
    return next(others(node))


def shape(texts: dict[tuple[str, int, str], str]) -> set[tuple[str, int, str]]:
    return set(texts)


@pytest.mark.parametrize("name", CHARTS)
def test_a_field_changes_with_the_values_that_are_named_and_with_no_other(name: str, tmp_path: Path) -> None:
    for file, text in Case(CASES / f"{name}.case").files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    project = Project(str(tmp_path))
    chart = str(tmp_path / CHARTS[name])
    made = Installation(project, chart, [])
    before = fields(made)
    leaves = dict(scalars(made.values))
    after: dict[NodePath, dict[tuple[str, int, str], str]] = {}
    for path, leaf in leaves.items():
        other = Installation(project, chart, [])
        other.__dict__["family"] = made.family
        other.__dict__["values"] = with_value(made.values, path, changed(leaf))
        after[path] = fields(other)
    every = [
        (number, one, path, leaf)
        for number, one in enumerate(made.manifests)
        if one.node is not None
        for path, leaf in scalars(one.node)
    ]
    checked = 0
    for number, one, path, leaf in random.Random(7).sample(every, min(SAMPLE, len(every))):
        origin = field_origin(made, one, leaf)
        assert origin is not None
        named = {read.path for read in origin.reads if isinstance(read, ValueRead)}
        decided = {read.path for rule in origin.conditions for read in rule.reads if isinstance(read, ValueRead)}
        field = (one.written_by, number, format_path(path))
        for value, texts in after.items():
            if shape(texts) != shape(before):
                continue  # a condition was changed, and positions moved
            differs = texts[field] != before[field]
            assert not differs or value in named | decided, f"{format_path(value)} is not named for {field}"
            assert differs or value not in named, f"{format_path(value)} changes nothing in {field}"
            checked += 1
    assert checked > 40


@pytest.mark.long
@pytest.mark.skipif(not CORPUS.exists(), reason="needs ../shared")
def test_fields_of_a_real_chart_change_with_the_values_that_are_named_and_with_no_other() -> None:
    """A sample of `make origins`."""
    count, wrong = check(20, 5, ["jiralert"])
    assert count == 20
    assert wrong == []
