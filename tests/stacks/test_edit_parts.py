"""What some parts of a stack make is the same, whether they are evaluated alone or taken from more of it."""

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
    failing: {vars: {x: !template '{{ fail "no" }}'}}
""",
}
NAMES = ("good", "late", "whole", "vars", "failing", "all", "bad")
MORE = {
    "known": ("", 0, 2),
    "unknown": ("    all: !exec pwd\n", 0, 3),
    "broken": ("    bad: {metadata: {inherits: [nobody]}}\n", 1, 2),
}
"""Components without which it is known which documents are made of some parts; how many errors and unknown documents
there are."""


@pytest.mark.parametrize("more", MORE)
def test_parts_of_a_known_result_are_what_they_are_alone(
    more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, errors, unknown = MORE[more]
    for name, content in {**FILES, "stacks/dev.yaml": FILES["stacks/dev.yaml"] + text}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    world = Workspace(".", cache=False).survey().world
    whole = EditedWorld(world).result("dev", None)
    assert (len(whole.documents), len(whole.errors), len(whole.unknown)) == (3, errors, unknown)
    known, evaluated = EditedWorld(world), list[object]()
    work = known._evaluated
    monkeypatch.setattr(known, "_evaluated", lambda name, parts: evaluated.append(parts) or work(name, parts))
    wide = frozenset(("terraform", name) for name in ("good", "late", "vars"))
    assert known.result("dev", wide).documents.keys() < known.result("dev", None).documents.keys()
    for count in range(3):
        for names in combinations(NAMES, count):
            parts = frozenset(("terraform", name) for name in names)
            alone, taken = EditedWorld(world).result("dev", parts), known.result("dev", parts)
            assert {one.name for one in alone.documents} == {"good", "late", "failing"}.intersection(names)
            assert (taken.documents, taken.errors, taken.unknown) == (alone.documents, alone.errors, alone.unknown)
    assert (evaluated == [wide, None]) is (more == "known"), "what is known is not evaluated again"
