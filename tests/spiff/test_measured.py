"""Expressions give what spiff++ gives for them: `measured.yaml` has its answers, from running it."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from plait.core.node import Failure, MapNode, Node, plain_value
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.fronts.spiff.options import SpiffOptions, dialect_of
from tests.conformance.spiff import same

MEASURED = yaml.load(Path(__file__).with_name("measured.yaml").read_bytes(), yaml.CSafeLoader)
"""`document` is what the expressions see; `values`, `undefined` and `errors` are what they give."""
EXPRESSIONS = [*MEASURED["values"], *MEASURED["undefined"], *MEASURED["errors"]]


def results(folder: Path) -> dict[str, Node]:
    """What all expressions give, in one run: a value that fails does not hide the others."""
    lines = [f"e{number}: {json.dumps(f'(( {each} ))')}\n" for number, each in enumerate(EXPRESSIONS)]
    (folder / "all.yml").write_text(MEASURED["document"] + "".join(lines), encoding="utf-8")
    front = Spiff(Project(str(folder)), options=SpiffOptions(dialect_of("spiff++", ())))
    front.complete = False
    found = front.merge([str(folder / "all.yml")])[0]
    assert isinstance(found, MapNode)
    return {each: found.entries[f"e{n}"] for n, each in enumerate(EXPRESSIONS) if f"e{n}" in found.entries}


def test_expressions_give_what_spiff_plus_plus_gives(tmp_path: Path) -> None:
    found = results(tmp_path)
    wrong = []
    for expression, value in MEASURED["values"].items():
        node = found.get(expression)
        if node is None or isinstance(node, Failure) or not same(plain_value(node), value):
            wrong.append(expression)
    wrong += [each for each in MEASURED["undefined"] if each in found]
    wrong += [each for each in MEASURED["errors"] if not isinstance(found.get(each), Failure)]
    assert not wrong
    assert len(EXPRESSIONS) > 900
