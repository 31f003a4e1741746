"""Flags of Atmos: every one that it documents for a command that plait has is accepted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stacks.flags import FLAGS, GLOBAL, options_of
from tests.web.shop import commit

CONFIG = 'base_path: ./\nstacks: {base_path: stacks, included_paths: ["**/*"], name_template: "{{ .vars.stage }}"}\n'


@pytest.mark.parametrize("name", FLAGS)
def test_every_documented_flag_is_accepted(name: str) -> None:
    assert len(options_of(name, f"{FLAGS[name]} {GLOBAL}")) >= len(GLOBAL.split())


def test_a_matrix_reaches_the_outputs_of_continuous_integration(tmp_path: Path) -> None:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "atmos.yaml").write_text(CONFIG)
    manifest = tmp_path / "stacks/dev.yaml"
    manifest.write_text("vars: {stage: dev}\ncomponents: {helm: {web: {values: {replicas: 2}}}}\n")
    commit(tmp_path)
    manifest.write_text(manifest.read_text().replace("2", "20"))
    outputs = tmp_path.parent / "outputs.txt"
    words = [sys.executable, "-m", "plait", "describe", "affected", "--base", "main", "--format", "matrix"]
    subprocess.run(words, cwd=tmp_path, env={**os.environ, "GITHUB_OUTPUT": str(outputs)}, check=True)
    lines = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    assert [row["component"] for row in json.loads(lines["matrix"])["include"]] == ["web"]
    assert lines["affected_count"] == "1"
