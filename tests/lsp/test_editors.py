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


def seen(command: list[str], tmp_path: Path) -> tuple[str, Path]:
    """What an editor reports, and the examples that it edited."""
    folder, report = tmp_path / "examples", tmp_path / "report"
    shutil.copytree(EXAMPLES, folder)
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
        "PLAIT_ROOT": str(folder),
        "PLAIT_PYTHON": sys.executable,
        "PLAIT_REPORT": str(report),
    }
    subprocess.run(command, env=environment, timeout=PATIENCE, check=True, capture_output=True)
    assert "stem" in (folder / "stacks/stacks/deploy/prod.yaml").read_text()
    return report.read_text(), folder


def check_page(report: str, number: int) -> None:
    """A report is what the page prints as its first, second, ... capture."""
    head, *captures = PAGE.read_text().split(FENCE)
    printed, _, rest = captures[number].partition("```\n")
    if os.environ.get("PLAIT_UPDATE"):
        captures[number] = f"{report}```\n{rest}"
        PAGE.write_text(FENCE.join([head, *captures]))
        printed = report
    assert report == printed


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed: `make services` installs it where it can")
def test_neovim_opens_asks_renames_fixes_and_saves(tmp_path: Path) -> None:
    command = [str(NEOVIM), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {HERE / 'editor.lua'}"]
    report, folder = seen(command, tmp_path)
    check_page(report, 0)
    opened, silent = map(int, (tmp_path / "report.counts").read_text().split())
    assert opened == len([name for name in folder.rglob("*.y*ml") if not name.name.startswith(".")])
    assert silent < opened / 4, "a hover over the last line of nearly every file has something to say"


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


def test_the_setups_of_helix_and_zed_name_a_server_that_answers() -> None:
    (helix,) = [tomllib.loads(text) for text in blocks("toml")]
    server = helix["language-server"]["plait"]
    started(server["command"], server["args"])
    (language,) = helix["language"]
    assert language["language-servers"] == ["plait"]
    assert set(language["roots"]) <= {*marks()}
    (zed,) = [found for found in map(json.loads, blocks("json")) if "languages" in found]
    assert zed["languages"]["YAML"]["language_servers"] == ["plait"]
    binary = zed["lsp"]["plait"]["binary"]
    started(binary["path"], binary["arguments"])
