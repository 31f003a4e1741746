"""The phrases that docs/style.md replaces are in no text that users see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plait.apps.cli import overview
from plait.apps.cli.command import help_of
from plait.apps.cli.commands import COMMANDS, load
from plait.report.catalog import CATALOG
from plait.report.fixes import FIXES

ROOT = Path(__file__).parents[1]
REFUSED = (
    "this is no YAML",
    "stands here twice",
    "wait for each other",
    "nothing is called",
    "nothing is at",
    "a scalar meets",
    "is not understood",
    "braided from",
    "won over",
    "takes away",
    "without a word",
    "is loud",
    "no clock and no chance",
    "your word",
    "slip of the pen",
    "lies outside",
    "leads nowhere",
    "probably not meant",
    "every loser",
    "take away",
    "in question",
    "how much room",
    "See the docs",
    "stands in it",
    "is no YAML",
    "is no JSON",
    "is no map",
    "is no list",
    "is no template",
    "is no literal",
    "no longer trust it",
    "Tell where",
    "Tell what",
    "Tell why",
    "lies inside",
    "and no map",
    "will not do",
    "is there already",
    "remembered are",
    "a text cannot",
    "must be a text",
    "do not understand",
    "when somebody asks",
    "what a directive brings in",
    "the outside world",
)


def found_in(text: str) -> list[str]:
    return [phrase for phrase in REFUSED if phrase in text]


def test_diagnostics() -> None:
    """Each says what it means and how to fix it, in sentences."""
    texts = [text for code in CATALOG for text in (CATALOG[code].about, FIXES[code])]
    assert found_in(" ".join((*texts, *(one.message for one in CATALOG.values())))) == []
    assert [text for text in texts if not re.match("[A-Z`]|plait|spiff", text)] == []
    assert [text for text in texts if not text.endswith((".", "`"))] == []


def test_every_fix_belongs_to_a_diagnostic() -> None:
    assert sorted(FIXES) == sorted(CATALOG)


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name: str) -> None:
    assert found_in(help_of(load(name))) == []


def test_overview() -> None:
    assert found_in(overview()) == []


PAGES = [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if path.name != "style.md"]


@pytest.mark.parametrize("page", PAGES, ids=[str(path.relative_to(ROOT)) for path in PAGES])
def test_pages(page: Path) -> None:
    assert found_in(page.read_text(encoding="utf-8")) == []


def test_what_commands_print() -> None:
    """Every error and every report of ours is in a case."""
    cases = [path for path in (ROOT / "tests" / "cases").rglob("*.case") if found_in(path.read_text(encoding="utf-8"))]
    assert cases == []


def test_no_two_diagnostics_share_a_name() -> None:
    """A second definition would replace the first one silently."""
    text = (ROOT / "src" / "plait" / "report" / "catalog.py").read_text(encoding="utf-8")
    names = re.findall(r"^([A-Z_0-9]+) = ", text, re.M)
    assert sorted(names) == sorted(set(names))
    codes = re.findall(r'"(PL\d{4})"', text)
    assert sorted(codes) == sorted(set(codes))
