"""Manners on a terminal: colours, the pager, the width; and none of them elsewhere."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from plait.access import pager
from plait.apps.cli import overview
from plait.apps.cli.command import help_of
from plait.apps.cli.commands import COMMANDS, load
from plait.apps.cli.console import coloured, duration
from plait.apps.cli.fitting import filled, fitted
from plait.apps.cli.line_diff import painted
from plait.report.render import COLOURS, Paint
from plait.report.wrap import sentence, shown_length
from tests.cases import PLAIT, environment
from tests.terminal import answering, on_a_terminal

STYLE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    (made / "base.yaml").write_text("".join(f"key{n}: {n}\n" for n in range(30)) + "secret: !secret x\n")
    (made / "prod.yaml").write_text("key1: 100\nnew: 1\n")
    return made


def test_long_output_goes_through_the_pager_of_the_user(folder: Path) -> None:
    shown = on_a_terminal(folder, "blame", "base.yaml", "prod.yaml", rows=10, PAGER="cat -n")
    assert "     1\tkey0: 0" in shown
    assert shown.rstrip().splitlines()[-1].startswith("1 value of base.yaml overridden")


def test_short_output_and_no_pager(folder: Path) -> None:
    assert "     1\t" not in on_a_terminal(folder, "blame", "base.yaml", rows=50, PAGER="cat -n")
    assert "     1\t" not in on_a_terminal(folder, "blame", "base.yaml", "--no-pager", rows=10, PAGER="cat -n")
    shown = on_a_terminal(folder, "blame", "base.yaml", rows=10, PAGER="no-such-pager-here")
    assert "key29: 29" in shown


@pytest.mark.parametrize(
    ("settings", "command"),
    [
        ({"TERM": "xterm"}, ["less"]),
        ({"TERM": "xterm", "PAGER": "most -w"}, ["most", "-w"]),
        ({"TERM": "xterm", "PAGER": "cat"}, []),
        ({"TERM": "xterm", "PAGER": ""}, []),
        ({"TERM": "dumb", "PAGER": "less"}, []),
        ({"PAGER": "less"}, []),
        ({"TERM": "xterm", "PAGER": "'"}, []),
    ],
    ids=str,
)
def test_which_pager(settings: dict[str, str], command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pager, "variables", lambda: settings)
    assert pager.pager_command() == command


@pytest.mark.parametrize(
    ("settings", "terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({"CLICOLOR": "0"}, True, False),
        ({"CLICOLOR_FORCE": "1"}, False, True),
        ({"CLICOLOR_FORCE": "0"}, False, False),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, True, False),
    ],
    ids=str,
)
def test_when_output_is_coloured(
    settings: dict[str, str], terminal: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "TERM", "CLICOLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert coloured("auto", terminal) is expected
    assert coloured("always", terminal)
    assert not coloured("never", terminal)


def test_diff_has_colours(folder: Path) -> None:
    shown = on_a_terminal(folder, "diff", "base.yaml", "prod.yaml", rows=100)
    assert "\x1b[31mremoved\x1b[0m" in shown
    assert "\x1b[32m+ 1\x1b[0m" in shown
    assert "\x1b" not in on_a_terminal(folder, "diff", "base.yaml", "prod.yaml", rows=100, TERM="dumb")


# Widths


@pytest.mark.parametrize("columns", [40, 80, 120, 300])
def test_tables_fit_the_terminal(columns: int, folder: Path) -> None:
    (folder / "long.yaml").write_text("key1: a-value-of-some-length\nother: {key1: 2}\n")
    shown = on_a_terminal(
        folder, "explain", "key1", "base.yaml", "prod.yaml", "long.yaml", columns=columns, NO_COLOR="1"
    )
    words = "key1 a-value-of-some-length long.yaml:1:7 overrides 100 (prod.yaml:1:7): later layer;"
    assert words in " ".join(shown.split())
    cells = [line for line in shown.splitlines() if re.search(r"\S {4,}\S", line)]
    assert all(len(line) <= columns for line in cells)
    assert columns < 300 or any("a-value-of-some-length    long.yaml" in line for line in cells)


def test_cells_go_below_and_a_line_of_a_file_is_cut() -> None:
    row = "\x1b[36mfirst\x1b[0m    second cell      third"
    assert fitted(row, 80) == row
    assert fitted(row, 30) == "\x1b[36mfirst\x1b[0m    second cell    third"
    assert fitted(row, 22) == "\x1b[36mfirst\x1b[0m    second cell\n    third"
    assert fitted("  a    bbbbbbbbbb    c\nshort\n", 12) == "  a\n      bbbbbbbbbb\n      c\nshort\n"
    assert fitted("  12 | tag: 0123456789", 16) == "  12 | tag: 0..."  # the place before it says where the rest is
    assert shown_length(row) == len("first    second cell      third")


LONG = "x: {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, broken: !ref settings.of.the.databse, z: 1}\n"


@pytest.mark.parametrize("columns", [40, 80, 120, 300])
def test_errors_are_broken_between_words(columns: int, folder: Path) -> None:
    """Lines of prose fit; the source line is cut so that the mark stays below its place."""
    (folder / "long.yaml").write_text(f"settings: {{of: {{the: {{database: 1}}}}}}\n{LONG}")
    shown = on_a_terminal(folder, "merge", "base.yaml", "long.yaml", columns=columns, NO_COLOR="1")
    lines = shown.splitlines()
    assert [line for line in lines if len(line) > columns] == []
    assert "did you mean `settings.of.the.database` (long.yaml:1:23)?" in " ".join(shown.split())
    source, mark = (next(line for line in lines if line.startswith(start)) for start in ("  2 | ", "    | "))
    assert source[mark.index("^") : mark.index("^") + 20] == "!ref settings.of.the"
    assert next(line for line in lines if line.startswith("error")).endswith("is not defined") is (columns > 40)


@pytest.mark.parametrize("columns", [40, 80, 120, 300])
def test_findings_of_lint_are_broken_between_words(columns: int, folder: Path) -> None:
    (folder / "low.yaml").write_text("jobs: [{name: a, size: 1}, {name: b, size: 2}, {name: c, size: 3}]\n")
    (folder / "high.yaml").write_text("jobs: [{name: a, size: 4}]\n")
    shown = on_a_terminal(folder, "lint", "low.yaml", "high.yaml", columns=columns, NO_COLOR="1")
    assert [line for line in shown.splitlines() if len(line) > columns] == []
    assert "head the list with `- !merge-by name`, or `jobs: key:name` under `lists`" in " ".join(shown.split())
    assert "`- !merge-by name`" in shown


def test_a_pipe_gets_whole_lines(folder: Path) -> None:
    (folder / "long.yaml").write_text(f"settings: {{of: {{the: {{database: 1}}}}}}\n{LONG}")
    command = [*PLAIT, "merge", "base.yaml", "long.yaml"]
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True)
    assert f"  2 | {LONG}" in done.stderr


def test_sentences_keep_code_together_and_end_their_colours() -> None:
    assert sentence("one two three", 0) == ["one two three"]
    assert sentence("write `a b c` here", 14) == ["write `a b c`", "    here"]
    assert sentence("or write `a b c`", 14) == ["or write", "    `a b c`"]
    assert sentence("use `a b c d e f g`", 12) == ["use `a b c d", "    e f g`"]
    assert sentence("\x1b[32mone two three\x1b[0m", 8) == ["\x1b[32mone two\x1b[0m", "    \x1b[32mthree\x1b[0m"]


def test_a_number_stays_beside_a_path_that_no_line_has_room_for() -> None:
    path = "environments/production/applications/payments.yaml:1:6"
    assert fitted(f"  2  {path}    {{a: 1}}", 40, prose=True) == f"  2  {path}\n      {{a: 1}}"
    assert sentence(f"overrides 1 ({path})", 40, 6) == ["overrides 1", f"      ({path})"]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_forty_columns(name: str) -> None:
    command = load(name)
    shown = filled(help_of(command), 40)
    assert shown.split() == help_of(command).split()
    described = [line for line in shown.splitlines() if line.startswith("        ")]
    assert [line for line in described if len(line) > 40 and len(line.split()) > 1] == []


def test_a_page_of_the_help_is_filled() -> None:
    example = "\n    $ an example stays as it is\n  so does a command\n"
    page = f"# Title\n\nOne two three\nfour five.\n\n* an item that\n  goes on\n* short\n{example}"
    shown = f"# Title\n\nOne two three four\nfive.\n\n* an item that goes\n  on\n* short\n{example}"
    assert filled(page, 20) == shown
    assert filled("Head:\n  a   one\n  bcd two\n", 80) == "Head:\n  a   one\n  bcd two\n"
    assert [line for line in filled(overview(), 40).splitlines() if len(line) > 40] == [
        "  plait explain vars.net base.yaml prod.yaml"
    ]


def test_differences_are_coloured() -> None:
    difference = "--- a\n+++ a\n@@ -1 +1 @@\n-x: 1\n+x: 2\n y\n"
    assert painted(difference, Paint(False)) == difference
    assert painted(difference, Paint(True)).splitlines()[3:] == ["\x1b[31m-x: 1\x1b[0m", "\x1b[32m+x: 2\x1b[0m", " y"]


def test_durations() -> None:
    assert [duration(n) for n in (0.1, 42, 89, 200)] == ["1 s", "42 s", "89 s", "3 min"]


@pytest.mark.parametrize(("typed", "written"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_init_asks_before_it_writes(folder: Path, typed: str, written: bool) -> None:
    (folder / "compose.yaml").write_text("services: {web: {image: nginx}}\n")
    shown = answering(folder, typed.encode(), "init")[1]
    entry, question = shown.index("- {name: project, compose: [compose.yaml]}"), shown.index("write plait.yaml? [y/N]")
    assert entry < question, "what would be written is shown first"
    assert (folder / "plait.yaml").exists() is written
    assert ("plait.yaml: 1 target" in shown) is written
    assert ("nothing was written" in shown) is not written


EXAMPLES = Path(__file__).parents[1] / "examples"
SHOWN = {
    "layers": ("explain vars base.yaml prod.yaml", "blame base.yaml prod.yaml"),
    "review": ("review before after --full",),
    "stacks": ("explain component web -s ue1-prod vars", "blame component web -s ue1-prod"),
    "spiff": ("blame deployment.yml prod.yml infrastructure.yml",),
}


@pytest.mark.parametrize("example", SHOWN)
def test_the_examples_fit_eighty_columns(example: str) -> None:
    for words in SHOWN[example]:
        shown = on_a_terminal(EXAMPLES / example, *words.split(), "--no-cache", columns=80, PAGER="cat")
        assert shown.count("\n") > 5
        assert [line for line in shown.splitlines() if shown_length(line) > 80] == [], words


def test_a_long_value_is_shortened_only_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"k: {'x' * 200}\nt: |\n  {'y' * 200}\n")
    shown = on_a_terminal(tmp_path, "blame", "a.yaml", columns=80, NO_COLOR="1")
    assert shown.startswith(f"k: {'x' * 76}\N{HORIZONTAL ELLIPSIS}\n    a.yaml:1\nt: |")
    assert f"  {'y' * 77}\N{HORIZONTAL ELLIPSIS}\n" in shown
    words = [*PLAIT, "blame", "a.yaml"]
    piped = subprocess.run(words, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True).stdout
    assert f"k: {'x' * 200}  a.yaml:1\n" in piped


def test_the_page_about_layers_says_what_colours_mean() -> None:
    page = (EXAMPLES.parent / "docs" / "layers.md").read_text(encoding="utf-8")
    rows = dict.fromkeys(f"| {name} | {meaning} |" for _, name, meaning in COLOURS.values())
    assert [row for row in rows if row not in page] == []
