"""One table of exit statuses: what the help prints, the page and the statuses of the console agree."""

from __future__ import annotations

import re
from pathlib import Path

from plait.apps.cli import commands, console

PAGE = Path(__file__).parent.parent / "docs" / "versioning.md"
ROW = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)


def test_the_page_has_every_status() -> None:
    found = {int(number): meaning for number, meaning in ROW.findall(PAGE.read_text(encoding="utf-8"))}
    assert found == commands.STATUSES


def test_the_help_prints_the_table() -> None:
    for status, meaning in commands.STATUSES.items():
        assert f"{status} {meaning}" in commands.EXIT_STATUSES


def test_every_status_of_the_console_is_in_the_table() -> None:
    used = {console.OK, console.FAILED, console.USAGE, console.UNSURE, console.BUG}
    assert used <= commands.STATUSES.keys()


def test_every_page_has_the_same_table_of_verdicts() -> None:
    tables = {
        name: [line for line in (PAGE.parent / name).read_text(encoding="utf-8").splitlines() if line.startswith("|")]
        for name in ("status.md", "review.md", "tidy.md")
    }
    verdicts = tables["status.md"]
    assert all("\n".join(verdicts) in "\n".join(lines) for lines in tables.values())
    assert verdicts[0] == "| what is said | what was looked at for it | status |"
