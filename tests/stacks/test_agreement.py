"""`describe component --provenance`, `explain` and `sources` name the same place for every leaf of whole
repositories."""

from __future__ import annotations

import json
import re
from pathlib import Path as Folder

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.node import MapNode, Scalar
from plait.core.path import Path, format_path
from plait.core.unknown import mistakes_in
from plait.fronts.stacks.answers.provenance import SHOWN, Provenance, _empty, _nodes
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.read.imports import depths_of
from plait.workspace import Workspace
from plait.yaml.emit import lines

ROOT = Folder(__file__).parents[2]
SCENARIOS = ROOT.parent / "shared" / "conformance" / "stacks" / "scenarios"
FOLDERS = [ROOT / "examples" / "stacks", *(sorted(SCENARIOS.iterdir()) if SCENARIOS.is_dir() else ())]
SECTIONS = [name for name in SHOWN if name != "imports"]
LISTED = ("vars", "settings", "env", "backend")
"""The sections that `sources` lists."""
BROKEN = ("locals-settings-cross-file", "yaml-functions-circular-deps")
"""Scenarios in which every component is an error."""
NULL = Scalar(None, "null")
PLACE = re.compile(r"# [●○∴] \[\d+\] (\S+)$", re.MULTILINE)


def comments(component: Component) -> dict[Path, str]:
    """The place that the comment of each line names, by the path of what is on the line."""
    provenance = Provenance(component)
    root = component.shared.session.evaluator.finish(component.root, component.place)[0]
    assert isinstance(root, MapNode)
    found: dict[Path, str] = {}
    shown = MapNode({name: root.entries[name] for name in SECTIONS if name in root.entries})
    rows = [line[:3] for line in lines(shown, provenance.style)]
    parts = provenance._account.made_of([(path, isinstance(node, Scalar) or _empty(node)) for _, path, node in rows])
    texts = provenance.comments([_nodes(parts.get(path, [])) for _, path, _ in rows])
    for (_, path, _), text in zip(rows, texts, strict=True):
        match = PLACE.search(text)
        if match:
            found[path] = match[1]
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_tellers_agree(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
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
            rows = json.loads(stacks.describe_component(name, stack, stacks.shape("json", ".sources"), False)) or {}
            component = stacks.component(name, stack)
            places, manifests = comments(component), depths_of(component.manifest)
        except PlaitError:
            continue
        account = stacks.tree(name, stack).account()
        for section in SECTIONS:
            found = account.find((section,))
            for path, leaf in found.leaves((section,), named=False) if found is not None else ():
                origin = leaf.winner.node.origin
                if len(path) < 2 or origin.source.given:
                    continue
                try:
                    explained = workspace.explain(stacks.tree(name, stack), format_path(path)).leaves[0]
                except PlaitError:  # the value is a mistake, and that is the answer
                    assert mistakes_in(stacks.tree(name, stack).with_failures(path))
                    continue
                winner = explained.winner.node.origin
                assert (winner.file, winner.line) == (origin.file, origin.line)
                place = places.get(path)
                if place is None:
                    assert origin.file not in manifests, (stack, name, path)  # a comment names manifests only
                else:
                    assert f"{origin.file}:{origin.line}".endswith(place), (stack, name, path)
                    compared += 1
                files = [
                    row["stack_file"]
                    for row in rows.get(section, {}).get(str(path[1]), {}).get("stack_dependencies", [])
                ]
                unset = section == "env" and leaf.known == NULL  # a variable that is null is not set
                if len(path) == 2 and section in LISTED and not unset:
                    parts = [explained.winner, *(lost for lost, _ in explained.losers)]
                    written = [part.node.origin.file for part in parts if not part.node.origin.source.given]
                    assert len(files) == len(written), (stack, name, path, files, written)
                    for file, place in zip(files, written, strict=True):
                        assert file.partition(".")[0] in place, (stack, name, path)
                    compared += 1
    assert compared or not pairs or folder.name in BROKEN
