"""Building a kustomization grows with its resources: counted in calls of functions, which do not vary with the
machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.kustomize import write

from plait.workspace import Workspace
from tests.patterns.test_growth import calls_of


def building(folder: Path) -> int:
    """The calls of one build."""
    targets = Workspace(str(folder), cache=False).targets()
    target = targets.find("env-0")
    return calls_of(target.rendered)


@pytest.mark.long
def test_four_times_as_many_resources_are_four_times_the_work(tmp_path: Path) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    write(few, 80)
    write(many, 320)
    building(few)  # what is done once, whatever is built
    assert building(many) < 5 * building(few)


def test_each_file_is_read_once_for_all_overlays(tmp_path: Path) -> None:
    overlays = write(tmp_path, 8, 5)
    workspace = Workspace(str(tmp_path), cache=False)
    targets = workspace.targets()
    assert all(targets.find(overlay.name).rendered() for overlay in overlays)
    assert workspace.project.counters.files == 2 + len(overlays)
