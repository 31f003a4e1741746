"""Random overlays beside the real kustomize: the same resources, or refused by both."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cases.preloaded import preloaded
from tests.conformance.helm import documents
from tests.judges import said, seeds
from tests.judges.drawn import DrawnOverlay


@pytest.mark.parametrize("seed", seeds(300))
def test_overlay(seed: int, tmp_path: Path) -> None:
    overlay = DrawnOverlay(seed)
    overlay.write(tmp_path)
    expected = said("kubectl", "kustomize", overlay.top, folder=tmp_path)
    status, out, trouble = preloaded().run(["render", overlay.top], tmp_path, dict(os.environ), b"")
    assert bool(status) is bool(expected.returncode), f"{trouble.decode()}\n{expected.stderr}"
    assert status or documents(out.decode()) == documents(expected.stdout)
