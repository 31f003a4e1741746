"""What stacks set alike moves to the base of their component, however their files end."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from tests.answers import answer

ATMOS = 'stacks: {base_path: stacks, included_paths: ["deploy/*"], name_template: "{{ .vars.stage }}"}\n'
CATALOG = """components:
  terraform:
    vpc/defaults:
      metadata: {type: abstract}
      vars: {name: net}
"""
STACK = """import: [catalog]
vars: {stage: NAME}
components:
  terraform:
    vpc:
      metadata: {inherits: [vpc/defaults]}
      vars:
        zones: 3"""
NAMES = ("dev", "prod")


def test_a_file_may_end_without_a_line_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last value of a file without one was read without its last letter."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stacks" / "deploy").mkdir(parents=True)
    (tmp_path / "atmos.yaml").write_text(ATMOS)
    (tmp_path / "stacks" / "catalog.yaml").write_text(CATALOG)
    for ends in product(("", "\n"), repeat=len(NAMES)):
        for name, end in zip(NAMES, ends, strict=True):
            (tmp_path / "stacks" / "deploy" / f"{name}.yaml").write_text(STACK.replace("NAME", name) + end)
        found = json.loads(answer(["tidy", "--format", "json"])[1])["proposals"]
        told = [(one["kind"], one["path"]) for one in found]
        assert told == [("hoist", "components.terraform.vpc.vars.zones")], ends
