"""Commands that run in this process, and what they print."""

from __future__ import annotations

import io
import os
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from plait.access.environment import answers_folder
from plait.apps.cli import main

CONFIG = """base_path: "./"
stacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_template: "{{ .vars.stage }}"}
templates: {settings: {enabled: true, sprig: {enabled: true}}}
"""
Outcome = tuple[int, str, str]


def run(folder: Path, *words: str, fresh: bool = False) -> Outcome:
    """The status of a command, what it printed, and what it said."""
    more = ["--no-cache"] if fresh else []
    if words[0] != "review":
        return run_here(*words, "--chdir", str(folder), *more)
    with chdir(folder):
        return run_here(*words, *more)


def run_here(*words: str) -> Outcome:
    """The same in the working folder."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(list(words))
    return status, out.getvalue(), err.getvalue()


def answers() -> list[str]:
    """The files of the answers that are kept."""
    folder = answers_folder()
    return sorted(os.path.join(folder, name) for name in os.listdir(folder)) if os.path.isdir(folder) else []


def write(folder: Path, files: dict[str, str], config: str = CONFIG) -> None:
    """A repository of manifests, by their paths below the stacks folder."""
    (folder / "atmos.yaml").write_text(config, encoding="utf-8")
    for name, text in files.items():
        path = folder / "stacks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
