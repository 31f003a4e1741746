"""What a clone and the archives may hold at most: for a test, `make package` and `make release-check`."""

from __future__ import annotations

import subprocess
from pathlib import Path

TRACKED = 500_000
"""The largest size of a tracked file, in bytes."""
ARCHIVE = 4_000_000
"""The largest size of the source archive and of a wheel, in bytes."""
HEAD = 8192
"""How many bytes of a file decide whether it is binary."""
PICTURES = (".png", ".ico")
CHANGELOG_LINES = range(5, 201)
LINE = 120


def tracked_files(root: Path) -> list[str]:
    """Return the paths of all files that git tracks below `root`."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    return [name for name in done.stdout.decode().split("\0") if name]


def oversized_files(root: Path, names: list[str]) -> list[str]:
    """Return the named files that have more than `TRACKED` bytes."""
    return [name for name in names if (root / name).is_file() and (root / name).stat().st_size > TRACKED]


def binary_files(root: Path, names: list[str]) -> list[str]:
    """Return the named files, without pictures, that have a NUL byte near their beginning."""
    return [name for name in names if not name.endswith(PICTURES) and b"\0" in _head(root / name)]


def changelog_faults(text: str) -> list[str]:
    """Return a sentence for each limit of CHANGELOG.md that its text breaks."""
    lines = text.splitlines()
    faults = [] if len(lines) in CHANGELOG_LINES else [f"CHANGELOG.md has {len(lines)} lines"]
    return faults + [
        f"CHANGELOG.md:{i} has {len(line)} characters" for i, line in enumerate(lines, 1) if len(line) > LINE
    ]


def clone_faults(root: Path) -> list[str]:
    """Return a sentence for each limit that the tracked files below `root` break."""
    names = tracked_files(root)
    faults = [f"{name} has more than {TRACKED:,} bytes" for name in oversized_files(root, names)]
    faults += [f"{name} is binary and no picture" for name in binary_files(root, names)]
    return faults + changelog_faults((root / "CHANGELOG.md").read_text(encoding="utf-8"))


def _head(file: Path) -> bytes:
    if not file.is_file() or file.is_symlink():
        return b""
    with file.open("rb") as opened:
        return opened.read(HEAD)
