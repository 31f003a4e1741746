"""The shared cases, where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.conformance.runner import CORPORA, MISSING, SHARED, adapters, case_files, run_kind

KINDS = list(case_files(SHARED, None)) if SHARED.is_dir() else []
LATER = [(kind, file) for kind, file in case_files(CORPORA, None) if kind in adapters()]
"""Cases of what is being built: those kinds that an adapter serves already."""
if not KINDS:
    pytest.skip(MISSING, allow_module_level=True)
DISAGREEMENTS = (
    yaml.safe_load((Path(__file__).parent / "conformance" / "disagreements.yaml").read_text(encoding="utf-8")) or {}
)


def test_every_kind_has_an_adapter() -> None:
    assert {kind for kind, _ in KINDS} <= set(adapters())


@pytest.mark.parametrize(("kind", "file"), [*KINDS, *LATER], ids=[kind for kind, _ in [*KINDS, *LATER]])
def test_kind(kind: str, file: Path) -> None:
    outcome = run_kind(adapters()[kind], file)
    failed = {failure["id"]: failure["why"] for failure in outcome.failures}
    known = DISAGREEMENTS.get(kind, {})
    assert {name: why for name, why in failed.items() if name not in known} == {}
    assert set(known) <= set(failed), "these come out right now: take them off the list"
