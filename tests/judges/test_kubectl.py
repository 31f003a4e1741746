"""Resources patched as kubectl patches them: generated strategic merge patches with all directives."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.judges import said, seeds
from tests.model.compared import patched_by_plait
from tests.model.patch_inputs import patch, resource
from tests.model.patches import Refused, patched, without_directives

SEEDS = 400


def by_kubectl(layers: list[Any], folder: Path) -> Any:
    """What kubectl makes of a resource and a patch; None where it refuses the patch."""
    for name, data in zip(("resource.json", "patch.json"), layers, strict=True):
        (folder / name).write_text(json.dumps(data), encoding="utf-8")
    words = ("--local", "--type=strategic", "-o", "json", "-f", "resource.json", "--patch-file", "patch.json")
    done = said("kubectl", "patch", *words, folder=folder)
    return without_directives(json.loads(done.stdout)) if done.returncode == 0 else None


def by_model(layers: list[Any]) -> Any:
    try:
        return without_directives(patched(*layers))
    except Refused:
        return None


@pytest.mark.parametrize("seed", seeds(SEEDS))
def test_patches(seed: int, tmp_path: Path) -> None:
    chance = Random(seed)
    layers = [resource(chance), patch(chance)]
    wanted = by_kubectl(layers, tmp_path)
    assert by_model(layers) == wanted, "the model"
    assert patched_by_plait(layers) == wanted
