"""A real editor: Neovim, headless, with its built-in client. What it shows is printed in docs/editors.md."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.conftest import EXAMPLES

NEOVIM = shutil.which("nvim")
SCRIPT = Path(__file__).with_name("editor.lua")
PAGE = Path(__file__).parents[2] / "docs" / "editors.md"


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed: `make services` installs it where it can")
def test_neovim_opens_asks_renames_fixes_and_saves(tmp_path: Path) -> None:
    folder = tmp_path / "stacks"
    shutil.copytree(EXAMPLES / "stacks", folder)
    report = tmp_path / "report"
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
        "PLAIT_ROOT": str(folder),
        "PLAIT_PYTHON": sys.executable,
        "PLAIT_REPORT": str(report),
    }
    command = [str(NEOVIM), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {SCRIPT}"]
    subprocess.run(command, env=environment, timeout=120, check=True, capture_output=True)
    seen = report.read_text()
    if os.environ.get("PLAIT_UPDATE"):
        head, _, rest = PAGE.read_text().partition("```text capture\n")
        PAGE.write_text(f"{head}```text capture\n{seen}```{rest.partition('```')[2]}")
    assert f"```text capture\n{seen}```" in PAGE.read_text()
    assert "stem" in (folder / "stacks/deploy/prod.yaml").read_text()
