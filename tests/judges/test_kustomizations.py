"""Every overlay of `kustomize.yaml` beside the real kustomize; and what is recorded of it is true."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cases.preloaded import preloaded
from tests.conformance.helm import documents
from tests.judges import said
from tests.judges.kustomizations import CASES, digest, write


@pytest.mark.parametrize("name", CASES)
def test_overlay(name: str, tmp_path: Path) -> None:
    write(name, tmp_path)
    expected = said("kubectl", "kustomize", "over", folder=tmp_path)
    status, out, trouble = preloaded().run(["render", "over"], tmp_path, dict(os.environ), b"")
    if expected.returncode:
        assert status, f"kustomize refuses: {expected.stderr}"
        assert CASES[name].get("refused")
        return
    assert status == 0, trouble.decode()
    assert documents(out.decode()) == documents(expected.stdout)
    assert CASES[name].get("digest") == digest(documents(expected.stdout))
