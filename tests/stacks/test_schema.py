"""The schema that comes with plait against every manifest of the shared examples: no false errors."""

from __future__ import annotations

from pathlib import Path

import jsonschema_rs
import pytest

from plait.core.diagnostic import PlaitError
from plait.fronts.stacks.answers.schema import CONFIG, MANIFEST, Checker, shipped
from plait.workspace import Workspace
from tests.conformance.runner import SHARED

SCENARIOS = sorted((SHARED / "stacks/scenarios").glob("*")) if (SHARED / "stacks/scenarios").is_dir() else []
SKIPPED = "the shared examples are not here"


@pytest.mark.parametrize("name", [MANIFEST, CONFIG])
def test_a_schema_that_comes_with_plait_is_a_schema(name: str) -> None:
    meta = jsonschema_rs.meta
    assert meta.is_valid(shipped(name))
    Checker(shipped(name))


@pytest.mark.skipif(not SCENARIOS, reason=SKIPPED)
@pytest.mark.parametrize("folder", SCENARIOS, ids=[folder.name for folder in SCENARIOS])
def test_no_manifest_of_an_example_breaks_the_schema(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATMOS_GIT_ROOT_BASEPATH", "false")
    monkeypatch.chdir(folder)
    try:
        found = Workspace(".", cache=False).stacks().validate()
    except PlaitError as error:
        found = list(error.diagnostics)
    assert [d for d in found if d.code in ("PL3232", "PL3223", "PL3207")] == []
