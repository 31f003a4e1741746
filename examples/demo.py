"""`make demo`: the three things that no other tool has, shown on copies of the example files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SCENES = (
    (
        "1. Where does a value come from, and what does it override?",
        "layers",
        ("plait explain vars.network base.yaml prod.yaml",),
    ),
    ("2. What does a change do to the results, and which line causes it?", "review", ("plait review before after",)),
    (
        "3. Edits and regeneration leave your file alone.",
        "layers",
        (
            "plait set prod.yaml vars.replicas 5 --dry-run",
            "plait create web-service --name shop --image shop:1.4",
            "sed -i.bak s/replicas:.1/replicas:\\ 3/ deployment.yaml",
            "plait create web-service --name shop --image shop:1.5",
        ),
    ),
)
NEXT = """What to try next, with .venv/bin/plait on your own files:

  plait blame values.yaml values-prod.yaml    every line of the result with the file and line that it comes from
  plait lint values.yaml values-prod.yaml     what a merge drops silently
  plait review main                           what your branch changes, in a git repository
  plait serve                                 the same in a browser, for every target that is found
  plait help topics                           all pages; README.md has the tour
"""


def main() -> int:
    bold, plain = ("\033[1m", "\033[0m") if sys.stdout.isatty() and "NO_COLOR" not in os.environ else ("", "")
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "bin" / "plait"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m plait \"$@\"\n", encoding="utf-8")
        program.chmod(0o755)
        env = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "PAGER": "cat"}
        for about, example, commands in SCENES:
            print(f"{bold}# {about}{plain}", flush=True)
            folder = Path(name) / example
            shutil.copytree(HERE / example, folder, dirs_exist_ok=True)
            for command in commands:
                print(f"$ {command}", flush=True)
                subprocess.run(command, shell=True, cwd=folder, env=env, stderr=subprocess.STDOUT, check=False)
            print(flush=True)
    print(NEXT, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
