"""The page of semantics: each numbered sentence is a case, which plait and the model both follow."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cases import Case, Step
from tests.model.compared import same
from tests.model.dynaml import answer_of
from tests.model.dynaml_inputs import unresolved
from tests.model.layers import Rules, merged
from tests.model.reading import documents

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/explanation/semantics.md"
CASES = {path.name.partition("-")[0]: path for path in sorted((ROOT / "tests/cases/semantics").rglob("*.case"))}
SENTENCE = re.compile(r"^([A-Z]\d+)\. (.+)$", re.M)
CODE = re.compile(r"^2> error (PL\d+)", re.M)
RULE = re.compile(r"((?:[^=\[]|\[[^]]*\])+)=(.+)")
"""`PATH=STRATEGY`; brackets of a path may hold a `=`."""
USAGE = {"PL9005"}
"""What is refused before anything is merged; the model does not know it."""


def test_every_sentence_has_its_case_and_every_case_its_sentence() -> None:
    sentences = [(number, text) for number, text in SENTENCE.findall(PAGE.read_text(encoding="utf-8"))]
    first_lines = {f"{name[0]}{int(name[1:])}": Case(path).about[0] for name, path in CASES.items()}
    assert {number: f"{number}. {text}\n" for number, text in sentences} == first_lines
    assert len({number for number, _ in sentences}) == len(sentences)


def options(case: Case, words: list[str]) -> tuple[list[str], Rules]:
    """The layers and rules of a `plait merge`, as the model takes them."""
    settings = yaml.safe_load(case.files.get("plait.yaml", "{}"))
    levels: list[list[tuple[str, str]]] = [list(settings.get("lists", {}).items()), [], []]
    rules = Rules(levels, settings.get("kinds", "replace"))
    layers: list[str] = []
    given = iter(words)
    for word in given:
        if not word.startswith("--"):
            layers.append(case.files[word])
        elif word == "--list":
            levels[2].append(RULE.fullmatch(next(given)).groups())  # type: ignore[union-attr, arg-type]
        elif word == "--policy":
            levels[1] += yaml.safe_load(case.files[next(given)])["lists"].items()
        else:
            setattr(rules, word.removeprefix("--"), next(given))
    return layers, rules


def expected(step: Step) -> list[Any] | set[str]:
    text = "".join(step.expected)
    errors = set(CODE.findall(text))
    if errors:
        return errors
    return documents(json.dumps(json.loads(text)) if text.startswith("{\n") else text)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("L")])
def test_the_model_of_layers_follows_the_sentence(name: str) -> None:
    case = Case(CASES[name])
    for step in case.steps:
        words = shlex.split(step.command)
        assert words[:2] == ["plait", "merge"]
        wanted = expected(step)
        if wanted != USAGE:
            assert same(merged(*options(case, words[2:])), wanted), step.command


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("D")])
def test_the_model_of_dynaml_follows_the_sentence(name: str) -> None:
    case = Case(CASES[name])
    for step in case.steps:
        words = shlex.split(step.command)
        assert words[:3] == ["plait", "spiff", "merge"]
        files = words[3:]
        text = "".join(step.expected)
        found = answer_of([yaml.safe_load(case.files[file].replace("<<:", "'<<':")) for file in files])
        if isinstance(found, tuple):
            assert {(files[found[0]], path) for path in found[1]} == unresolved(text.replace("2> ", "")), step.command
        else:
            assert found == yaml.safe_load(text), step.command
