"""The shared cases, where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.runner import SHARED, adapters, case_files, run_kind

DOCS = Path(__file__).parents[1] / "docs" / "fronts"
"""A case that comes out otherwise here is named in a page, with the decision behind it."""
KINDS = list(case_files(SHARED, None)) if SHARED.is_dir() else []


@pytest.mark.skipif(not KINDS, reason="the shared conformance cases lie outside this checkout")
def test_every_kind_is_known() -> None:
    assert KINDS


@pytest.mark.parametrize(("kind", "file"), KINDS, ids=[kind for kind, _ in KINDS])
def test_kind(kind: str, file: object) -> None:
    checks = adapters()
    if kind not in checks:
        pytest.skip("no adapter serves this kind yet")
    outcome = run_kind(checks[kind], file)  # type: ignore[arg-type]
    told = "".join(page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md")))
    untold = [failure for failure in outcome.failures if f"`{failure['id']}`" not in told]
    assert not untold, untold[:5]
