"""`make demo`: plait from this checkout, in a fresh environment, without building a package: what it needs, and a
program that finds it. The environment gets no pip of its own where the Python that makes it has one: that takes longer
than all else."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / ".venv"
PYTHON = PLACE / "bin" / "python"
QUIET = ("install", "--quiet", "--disable-pip-version-check", "--no-compile")


def main() -> int:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    if not (_installed_by_ours(needed) or _installed_by_its_own(needed)):
        return 1
    (packages,) = PLACE.glob("lib/python*/site-packages")
    (packages / "plait-checkout.pth").write_text(f"{ROOT / 'src'}\n", encoding="utf-8")
    program = PYTHON.with_name("plait")
    program.write_text(f"#!{PYTHON}\nfrom plait.__main__ import run\n\nrun()\n", encoding="utf-8")
    program.chmod(0o755)
    return 0


def _installed_by_ours(needed: list[str]) -> bool:
    """With the pip of the Python that runs this, if it has one that can."""
    made = _ran(sys.executable, "-m", "venv", "--without-pip", str(PLACE))
    return made and _ran(sys.executable, "-m", "pip", "--python", str(PYTHON), *QUIET, *needed, quiet=True)


def _installed_by_its_own(needed: list[str]) -> bool:
    return _ran(sys.executable, "-m", "venv", str(PLACE)) and _ran(str(PYTHON), "-m", "pip", *QUIET, *needed)


def _ran(*command: str, quiet: bool = False) -> bool:
    return not subprocess.run(command, check=False, stderr=subprocess.DEVNULL if quiet else None).returncode


if __name__ == "__main__":
    sys.exit(main())
