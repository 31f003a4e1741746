"""Kustomizations as kustomize builds them: `plait render FOLDER` against what `kubectl kustomize` printed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from tests.cases.preloaded import preloaded
from tests.conformance.helm import documents


def build(case: dict[str, Any], _folder: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in case["files"].items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        words = ["render", case["target"]]
        status, out, trouble = preloaded().run(words, Path(folder), dict(os.environ), b"", goes_on=True)
    assert status == 0, trouble.decode()
    found, expected = documents(out.decode()), documents(case["expected"])
    assert found == expected, _first(found, expected)


def _first(found: list[Any], expected: list[Any]) -> str:
    if len(found) != len(expected):
        return f"{len(found)} resources instead of {len(expected)}"
    return next(f"{one} instead of {other}" for one, other in zip(found, expected, strict=True) if one != other)


KINDS = {"kustomize/build": build}
