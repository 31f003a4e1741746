"""Real editors without a window, with their own clients. What they show is printed in docs/editors.md."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from plait.fronts.catalog import marks
from tests.lsp.conftest import EXAMPLES
from tests.lsp.editor import write

NEOVIM, EMACS = shutil.which("nvim"), shutil.which("emacs")
HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "editors.md"
FENCE = "```text capture\n"
PATIENCE = 600
"""Seconds, on a machine that does a hundred other things."""


def has_eglot() -> bool:
    """Whether Emacs has a mode for YAML and the client for language servers that the script is written for."""
    needed = "(progn (require 'eglot) (require 'yaml-mode) (unless (= emacs-major-version 28) (kill-emacs 1)))"
    command = [str(EMACS), "--batch", "--eval", needed]
    return subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False).returncode == 0


def run_editor(command: list[str], folder: Path, tmp_path: Path) -> str:
    """What an editor reports that edits a folder."""
    report = tmp_path / "report"
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
        "PLAIT_ROOT": str(folder),
        "PLAIT_SCRIPTS": str(HERE),
        "PLAIT_PYTHON": sys.executable,
        "PLAIT_REPORT": str(report),
    }
    subprocess.run(command, env=environment, timeout=PATIENCE, check=True, capture_output=True)
    return report.read_text()


def seen(command: list[str], tmp_path: Path) -> tuple[str, Path]:
    """What an editor reports, and the examples that it edited."""
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    report = run_editor(command, folder, tmp_path)
    assert "stem" in (folder / "stacks/stacks/deploy/prod.yaml").read_text()
    return report, folder


def neovim(script: str) -> list[str]:
    """The command that runs a script in Neovim without a window."""
    return [str(NEOVIM), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {HERE / script}"]


def check_page(report: str, number: int) -> None:
    """A report is what the page prints as its first, second, ... capture."""
    head, *captures = PAGE.read_text().split(FENCE)
    printed, _, rest = captures[number].partition("```\n")
    if os.environ.get("PLAIT_UPDATE"):
        captures[number] = f"{report}```\n{rest}"
        PAGE.write_text(FENCE.join([head, *captures]))
        printed = report
    assert report == printed


needs_neovim = pytest.mark.skipif(
    NEOVIM is None, reason="Neovim is not installed: `make services` installs it where it can"
)


@pytest.mark.long
@needs_neovim
def test_neovim_opens_asks_renames_fixes_and_saves(tmp_path: Path) -> None:
    report, folder = seen(neovim("editor.lua"), tmp_path)
    check_page(report, 0)
    opened, silent = map(int, (tmp_path / "report.counts").read_text().split())
    assert opened == len([name for name in folder.rglob("*.y*ml") if not name.name.startswith(".")])
    assert silent < opened / 4, "a hover over the last line of nearly every file has something to say"


@pytest.mark.long
@needs_neovim
def test_neovim_makes_files_simpler(tmp_path: Path) -> None:
    """A fix of one line, and one that moves a value out of two files into a third, which was not open."""
    files = {
        "plait.yaml": "targets:\n- {name: '{env}', layers: [base.yaml, 'env/{env}.yaml'], for: {env: 'env/*.yaml'}}\n",
        "base.yaml": "# of all\nport: 80\n",
        "env/dev.yaml": "# of dev\nname: dev\nport: 80\nteam: red # who\n",
        "env/prod.yaml": "name: prod\nport: 81\nteam: red # who\n",
    }
    folder = write(tmp_path / "folder", files)
    report = run_editor(neovim("simpler.lua"), folder, tmp_path)
    assert report.splitlines() == [
        "nothing for name: dev",
        "Simpler: port (redundant: base.yaml:2 sets the same)",
        "Simpler: team (hoist: to base.yaml: all 2 targets have it from 2 files alike)",
        "nothing for name: dev",
    ]
    assert {name: (folder / name).read_text() for name in files} == {
        "plait.yaml": files["plait.yaml"],
        "base.yaml": "# of all\nport: 80\nteam: red  # who\n",
        "env/dev.yaml": "# of dev\nname: dev\n",
        "env/prod.yaml": "name: prod\nport: 81\n",
    }


@pytest.mark.skipif(EMACS is None, reason="Emacs is not installed")
def test_emacs_opens_asks_renames_fixes_and_saves(tmp_path: Path) -> None:
    if not has_eglot():
        pytest.skip("needs Emacs 28 with the packages elpa-eglot and elpa-yaml-mode")
    report, _ = seen([str(EMACS), "--batch", "-l", str(HERE / "editor.el")], tmp_path)
    check_page(report, 1)


def blocks(language: str) -> list[str]:
    """The blocks of a language on the page."""
    return [rest.partition("```")[0] for rest in PAGE.read_text().split(f"```{language}\n")[1:]]


def started(command: str, words: list[str]) -> None:
    """The server that a setup names is a command of plait, starts with these words and answers."""
    assert command == "plait"
    body = '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": null}}'
    question = f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
    run = [sys.executable, "-m", "plait", *words]
    answer = subprocess.run(run, input=question, capture_output=True, timeout=PATIENCE, check=False).stdout
    assert b'"hoverProvider"' in answer


@pytest.mark.long
def test_the_setups_of_helix_and_zed_name_a_server_that_answers() -> None:
    (helix,) = [tomllib.loads(text) for text in blocks("toml")]
    server = helix["language-server"]["plait"]
    started(server["command"], server["args"])
    (language,) = helix["language"]
    assert language["language-servers"] == ["plait"]
    assert set(language["roots"]) <= {*marks()}
    (zed,) = map(json.loads, blocks("json"))
    binary = zed["lsp"]["yaml-language-server"]["binary"]
    started(binary["path"], binary["arguments"])
