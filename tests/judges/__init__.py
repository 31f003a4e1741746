"""The real tools as judges: plait compared with helm, kubectl, docker compose and Unfurl themselves.

`make judges` installs what can be had (`tests/judges/setup.py`) and runs these tests; without a tool, its tests are
skipped, and the recorded cases below tests/cases stand for it.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("PLAIT_JUDGES") or Path(__file__).parents[2] / ".venv" / "judges")


FIRST = int(os.environ.get("PLAIT_SEED") or 0)
"""Where drawn inputs begin: `make judges FIRST_SEED=5000` draws others."""


def seeds(count: int) -> range:
    return range(FIRST, FIRST + count)


def judge(name: str) -> str:
    """The path of a tool; the test is skipped where it is not there."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"`make judges` installs {name}")
    return str(path)


def said(name: str, *words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What a tool prints."""
    return subprocess.run([judge(name), *words], capture_output=True, text=True, timeout=60, cwd=folder, check=False)
