"""Without the package of the extra `schema`, the tests about schemas pass or are skipped; none of them fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ABOUT_SCHEMAS = ("tests/stacks/test_validate.py", "tests/stacks/test_schema.py", "tests/test_schemas.py")


@pytest.mark.long
def test_without_the_package_for_schemas() -> None:
    words = ["-p", "tests.bare", "-p", "no:randomly", "-n", "0", "-q", "-k", "not example", *ABOUT_SCHEMAS]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout[-2000:]
    outcomes = done.stdout.split()[0]
    assert outcomes.count(".") == 2, done.stdout  # the structure is checked, and a line says what was not
    assert outcomes.count("s") > 2, done.stdout
