"""`make demo`: plait from this checkout, in a fresh environment, without building a package: what it needs, and a
program that finds it."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    status = subprocess.run([*pip, *needed], check=False).returncode
    if status:
        return status
    (Path(sysconfig.get_path("purelib")) / "plait-checkout.pth").write_text(f"{ROOT / 'src'}\n", encoding="utf-8")
    program = Path(sysconfig.get_path("scripts")) / "plait"
    program.write_text(f"#!{sys.executable}\nfrom plait.__main__ import run\n\nrun()\n", encoding="utf-8")
    program.chmod(0o755)
    return 0


if __name__ == "__main__":
    sys.exit(main())
