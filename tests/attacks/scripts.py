"""Run the scripts of ../shared/attacks against this checkout: each prints `harmless` or `WORKS: ...`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
ATTACKS = ROOT.parent / "shared" / "attacks"


def main() -> int:
    """The number of attacks that worked."""
    worked = 0
    with tempfile.TemporaryDirectory() as folder:
        env = {
            **os.environ,
            "PLAIT": str(Path(sys.executable).parent / "plait"),
            "TMPDIR": folder,
            "PROJECT": str(ROOT),
        }
        env["SCRIPT"] = str(ROOT / ".ci/review-comment")
        for script in sorted([*ATTACKS.glob("*.sh"), *ATTACKS.glob("*.py")]):
            interpreter = "bash" if script.suffix == ".sh" else sys.executable
            done = subprocess.run([interpreter, str(script)], cwd=ROOT, env=env, capture_output=True, text=True)
            said = (done.stdout.strip() or done.stderr.strip()).splitlines()
            worked += "WORKS" in done.stdout
            print(f"{script.name}: {said[-1][:200] if said else 'nothing said'}")
    return worked


if __name__ == "__main__":
    sys.exit(main())
