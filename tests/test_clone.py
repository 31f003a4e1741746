"""A clone is small, and whatever it tracks can be read and compared as text."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from release.limits import TRACKED, changelog_faults, clone_faults

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs the files that git tracks")
def test_the_tracked_files_keep_the_limits() -> None:
    assert clone_faults(ROOT) == []


def test_each_limit_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n" * 5)
    (tmp_path / "large.txt").write_bytes(b"x" * (TRACKED + 1))
    (tmp_path / "tool.bin").write_bytes(b"x\0")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")
    (tmp_path / "ignored.bin").write_bytes(b"\0")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "large.txt", "tool.bin", "picture.png", "CHANGELOG.md"], cwd=tmp_path, check=True)
    assert clone_faults(tmp_path) == ["large.txt has more than 500,000 bytes", "tool.bin is binary and no picture"]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a\n" * 5, []),
        ("a\n" * 200, []),
        ("a\n" * 4, ["CHANGELOG.md has 4 lines"]),
        ("a\n" * 201, ["CHANGELOG.md has 201 lines"]),
        ("a\n" * 4 + "x" * 121, ["CHANGELOG.md:5 has 121 characters"]),
    ],
)
def test_the_changelog_is_short(text: str, faults: list[str]) -> None:
    assert changelog_faults(text) == faults


@pytest.mark.parametrize("name", ["tool.whl", "a/b.zip", "dist/x.tar.gz", "run.prof", ".venv/x"])
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="asks git")
def test_what_tools_drop_is_ignored(name: str) -> None:
    assert subprocess.run(["git", "check-ignore", "--quiet", name], cwd=ROOT, check=False).returncode == 0
