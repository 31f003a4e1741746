"""What some parts of a stack make is the same, whether they are evaluated alone or taken from all of it."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from plait.edits.effects import EditedWorld
from plait.workspace import Workspace

FILES = {
    "atmos.yaml": "stacks: {base_path: stacks, included_paths: ['*'], name_pattern: '{stage}'}\n"
    "templates: {settings: {enabled: true}}\n",
    "stacks/dev.yaml": """vars: {stage: dev}
components:
  terraform:
    good: {vars: {size: 1}}
    late: {vars: {home: !exec pwd}}
    whole: {metadata: {component: !exec pwd}}
    vars: {vars: !exec pwd}
    all: !exec pwd
    failing: {vars: {x: !template '{{ fail "no" }}'}}
""",
}
NAMES = ("good", "late", "whole", "vars", "all", "failing")


@pytest.mark.parametrize("broken", ["", "    bad: {metadata: {inherits: [nobody]}}\n"], ids=["whole", "broken"])
def test_parts_of_a_known_result_are_what_they_are_alone(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {**FILES, "stacks/dev.yaml": FILES["stacks/dev.yaml"] + broken}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    world = Workspace(".", cache=False).survey().world
    whole = EditedWorld(world).result("dev", None)
    assert (len(whole.documents), len(whole.errors), len(whole.unknown)) == (3, bool(broken), 3)
    known = EditedWorld(world)
    known.know("dev", whole)
    for count in range(3):
        for names in combinations(NAMES, count):
            parts = frozenset(("terraform", name) for name in names)
            alone, taken = EditedWorld(world).result("dev", parts), known.result("dev", parts)
            assert {one.name for one in alone.documents} == {"good", "late", "failing"}.intersection(names)
            assert (taken.documents, taken.errors, taken.unknown) == (alone.documents, alone.errors, alone.unknown)
