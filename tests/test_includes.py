"""Files that include each other: a chain longer than Python's stack works, in every front."""

from __future__ import annotations

from pathlib import Path

import plait
from tests.frames import few_frames

LENGTH = 600
"""More than there are frames."""


def test_a_long_chain_of_includes_in_layers(tmp_path: Path) -> None:
    for number in range(LENGTH):
        (tmp_path / f"f{number}.yaml").write_text(f"x: !include f{number + 1}.yaml x\n")
    (tmp_path / f"f{LENGTH}.yaml").write_text("x: end\n")
    with few_frames():
        assert plait.merge([str(tmp_path / "f0.yaml")], folder=str(tmp_path)).value("x") == "end"


def test_a_long_chain_of_includes_in_a_stack(tmp_path: Path) -> None:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "atmos.yaml").write_text(
        "base_path: ./\ncomponents: {terraform: {base_path: components}}\n"
        "stacks: {base_path: stacks, included_paths: ['*'], name_template: '{{ .vars.stage }}'}\n"
    )
    (tmp_path / "stacks" / "dev.yaml").write_text(
        "vars: {stage: dev}\ncomponents: {terraform: {c: {vars: {a: !include f0.yaml .x}}}}\n"
    )
    for number in range(LENGTH):
        (tmp_path / f"f{number}.yaml").write_text(f"x: !include f{number + 1}.yaml .x\n")
    (tmp_path / f"f{LENGTH}.yaml").write_text("x: end\n")
    with few_frames():
        assert plait.stacks(str(tmp_path)).component("c", stack="dev")["vars"]["a"] == "end"
