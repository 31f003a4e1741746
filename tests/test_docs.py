"""Every example in the documentation is run: what a page shows is what the commands print.

In a page, a fenced block ``​`yaml title=NAME`` makes the file NAME, ```console``` blocks are run in one folder per
page (a copy of FOLDER after ``console in=FOLDER``), and what follows a `$ ` line is what it prints, standard error
included. `PLAIT_UPDATE=1 pytest tests/test_docs.py` writes what the commands print now; read the difference before
you keep it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plait.core.policy import LIST_STRATEGIES, STRATEGIES
from tests.cases import PLAIT, environment
from tests.cases.preloaded import preloaded

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")])
BLOCK = re.compile(r"^```(?P<kind>\w+)(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.M | re.S)

QUOTED, FOR_A_SHELL = re.compile("'[^']*'"), re.compile(r"[]|&;<>()$`*?\[{}~!#\\]")
"""What a shell changes nothing in, and what only a shell understands."""


def words(info: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in info.split() if "=" in word)


def shown(command: str, folder: Path) -> str:
    """What a command of a page prints."""
    env = environment(folder)
    bin_folder = folder.parent / "bin"
    if not bin_folder.exists():
        bin_folder.mkdir()
        (bin_folder / "plait").write_text(f"#!{sys.executable}\n{PLAIT[2]}\n")
        (bin_folder / "plait").chmod(0o755)
    env["PATH"] = f"{bin_folder}:{env['PATH']}"
    if command.startswith("plait ") and not FOR_A_SHELL.search(QUOTED.sub("", command)):
        return preloaded().shown(shlex.split(command)[1:], folder, env).decode().replace(str(folder), "/project")
    done = subprocess.run(
        command, shell=True, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60
    )
    return done.stdout.decode().replace(str(folder), "/project")


def run_block(body: str, folder: Path) -> str:
    """A console block with what its commands print now."""
    out: list[str] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            out.append(line + "\n" + shown(line[2:], folder))
    return "".join(out)


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_page(page: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    text = page.read_text(encoding="utf-8")
    new: list[str] = []
    at = 0
    for block in BLOCK.finditer(text):
        info = words(block["info"])
        if "title" in info:
            (folder / info["title"]).parent.mkdir(parents=True, exist_ok=True)
            (folder / info["title"]).write_text(block["body"], encoding="utf-8")
        if block["kind"] == "console":
            if "in" in info:
                folder = tmp_path / info["in"].replace("/", "-")
                if not folder.exists():
                    shutil.copytree(ROOT / info["in"], folder)
            new += [text[at : block.start("body")], run_block(block["body"], folder)]
            at = block.end("body")
        if block["kind"] == "python":
            done = subprocess.run(
                [sys.executable, "-c", block["body"]],
                cwd=folder,
                env=environment(folder),
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stderr
    new.append(text[at:])
    if os.environ.get("PLAIT_UPDATE"):
        page.write_text("".join(new), encoding="utf-8")
    else:
        assert text == "".join(new)


def test_the_page_on_layers_has_every_list_strategy() -> None:
    page = (ROOT / "docs/layers.md").read_text()
    rows = [f"| `{LIST_STRATEGIES[name].words}` | {LIST_STRATEGIES[name].about} |" for name in STRATEGIES]
    assert [row for row in rows if row not in page] == []
