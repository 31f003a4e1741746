"""`make demo`: the main job, shown on the example files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCENES = (
    ("Two layers become one configuration; lists of jobs merge by name.", "layers", "merge base.yaml prod.yaml"),
    ("Where does a value come from, and who lost?", "layers", "explain vars.network base.yaml prod.yaml"),
    (
        "The same in a repository of stacks: a computed value, merged with what the stack says.",
        "stacks",
        "explain component web -s ue1-prod vars.limits",
    ),
    ("A mistake is told with its place and what to do.", "layers", "merge base.yaml prod.yaml --set vars.replcas=5"),
)


def main() -> int:
    plait = [sys.executable, "-c", "import sys; from plait.apps.cli import main; sys.exit(main())"]
    bold, plain = ("\033[1m", "\033[0m") if sys.stdout.isatty() and "NO_COLOR" not in os.environ else ("", "")
    for about, folder, command in SCENES:
        print(f"{bold}# {about}{plain}\n$ plait {command}", flush=True)
        subprocess.run([*plait, *command.split()], cwd=HERE / folder, stderr=subprocess.STDOUT)
        print(flush=True)
    print("Next: README.md has the tour, `make test` runs everything, `.venv/bin/plait --help` lists the commands.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
