"""A sample of the overlays that are compared with the real kustomize (`make judges` takes all of them)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cases.preloaded import preloaded
from tests.conformance.helm import documents
from tests.judges.kustomizations import CASES, digest, write

SAMPLE = sorted(CASES, key=lambda name: digest([name]))[:24]


@pytest.mark.parametrize("name", SAMPLE)
def test_overlay(name: str, tmp_path: Path) -> None:
    write(name, tmp_path)
    status, out, trouble = preloaded().run(["render", "over"], tmp_path, dict(os.environ), b"", goes_on=True)
    if CASES[name].get("refused"):
        assert status == 1
        assert b"error PL" in trouble
    else:
        assert status == 0, trouble.decode()
        assert digest(documents(out.decode())) == CASES[name]["digest"]
