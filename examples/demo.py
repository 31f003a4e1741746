"""`make demo`: the main jobs, shown on the example files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCENES = (
    ("Where does a value come from, and what does it override?", "layers", "explain vars.network base.yaml prod.yaml"),
    ("The whole result, each line with its origin.", "layers", "blame base.yaml prod.yaml --path vars"),
    ("What does a change do to the results, and which line causes it?", "review", "review before after"),
    ("One value of a file is changed, and nothing else.", "layers", "set prod.yaml vars.replicas 5 --dry-run"),
    ("A mistake, with its place and what to do.", "layers", "merge base.yaml prod.yaml --set vars.replcas=5"),
)


def main() -> int:
    plait = [sys.executable, "-c", "import sys; from plait.apps.cli import main; sys.exit(main())"]
    bold, plain = ("\033[1m", "\033[0m") if sys.stdout.isatty() and "NO_COLOR" not in os.environ else ("", "")
    for about, folder, command in SCENES:
        print(f"{bold}# {about}{plain}\n$ plait {command}", flush=True)
        subprocess.run([*plait, *command.split()], cwd=HERE / folder, stderr=subprocess.STDOUT)
        print(flush=True)
    print(
        "Next: try `.venv/bin/plait blame` on your own values files; README.md has the tour, `plait "
        "--help` the commands."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
