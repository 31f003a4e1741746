"""`describe component --provenance`, `explain` and `sources` name the same place for every leaf of whole
repositories."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.node import Scalar
from plait.core.path import format_path
from plait.workspace import Workspace

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT.parent / "shared" / "conformance" / "stacks" / "scenarios"
FOLDERS = [ROOT / "examples" / "stacks", *(sorted(SCENARIOS.iterdir()) if SCENARIOS.is_dir() else ())]
SECTIONS = ("vars", "settings", "env", "backend")
BROKEN = ("locals-settings-cross-file", "yaml-functions-circular-deps")
"""Scenarios in which every component is an error."""
NULL = Scalar(None, "null")
LINE = re.compile(r"^( *)([\w.-]+):(.*?)(?:# [●○∴] \[\d+\] (\S+))?$")


def comments(text: str) -> dict[str, str]:
    """The place that the comment of each key names; items of lists and texts of several lines are left out."""
    found: dict[str, str] = {}
    path: list[str] = []
    for line in text.splitlines():
        match = LINE.match(line)
        if match and match[4] and len(match[1]) % 2 == 0 and len(match[1]) // 2 <= len(path):
            path[len(match[1]) // 2 :] = [match[2]]
            found[format_path(tuple(path))] = match[4]
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_tellers_agree(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    workspace = Workspace(str(folder), cache=False, deny=["exec", "network"])
    try:
        stacks = workspace.stacks(str(folder))
        pairs = list(dict.fromkeys((one.name, one.stack) for one in stacks.repository.components() if not one.abstract))
    except PlaitError:
        pytest.skip("a scenario of broken manifests")
    compared = 0
    for name, stack in pairs:
        try:
            text = stacks.describe_component(name, stack, stacks.shape(), True)
            rows = json.loads(stacks.describe_component(name, stack, stacks.shape("json", ".sources"), False)) or {}
        except PlaitError:
            continue
        places = comments(text)
        account = stacks.tree(name, stack).account()
        for section in SECTIONS:
            found = account.find((section,))
            for path, leaf in found.leaves((section,)) if found is not None else ():
                origin = leaf.winner.node.origin
                if len(path) < 2 or any(isinstance(step, int) for step in path) or origin.source.given:
                    continue
                leaf_told = workspace.explain(stacks.tree(name, stack), format_path(path)).leaves[0]
                told = leaf_told.winner.node.origin
                assert (told.file, told.line) == (origin.file, origin.line)
                place = places.get(format_path(path))
                if place is not None:
                    assert f"{origin.file}:{origin.line}".endswith(place), (stack, name, path)
                    compared += 1
                files = [
                    row["stack_file"]
                    for row in rows.get(section, {}).get(str(path[1]), {}).get("stack_dependencies", [])
                ]
                if len(path) == 2 and (section != "env" or leaf.known != NULL):  # a variable that is null is not set
                    parts = [leaf_told.winner, *(lost for lost, _ in leaf_told.losers)]
                    written = [part.node.origin.file for part in parts if not part.node.origin.source.given]
                    assert len(files) == len(written), (stack, name, path, files, written)
                    for file, place in zip(files, written, strict=True):
                        assert file.partition(".")[0] in place, (stack, name, path)
                    compared += 1
    assert compared or not pairs or folder.name in BROKEN
