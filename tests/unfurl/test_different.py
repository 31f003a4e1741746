"""The table "Different on purpose" of docs/fronts/unfurl.md: every row is run, and gives what its last column says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.source import Source
from plait.fronts.project import Project
from plait.fronts.unfurl.asking import ask
from plait.fronts.unfurl.expressions import Expressions
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.notations.query.data import plain
from plait.yaml.build import Reading, build
from plait.yaml.scan import scan

PAGE = Path(__file__).parents[2] / "docs" / "fronts" / "unfurl.md"
CODE = re.compile(r"`([^`]*)`")


def rows() -> list[tuple[str, str, str]]:
    """The documents of the table, the questions, and what plait does with each."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("## Different on purpose")
    table = rest.partition("\n## ")[0]
    lines = [line.split(" | ") for line in table.splitlines() if line.startswith("| `")]
    return [(cells[0].removeprefix("| "), cells[1], cells[3].removesuffix(" |")) for cells in lines]


def test_the_table_is_there() -> None:
    assert len(rows()) > 15


def outcome(folder: Path, document: str, question: str) -> Any:
    file = folder / "main.yaml"
    file.write_text(CODE.findall(document)[0], encoding="utf-8")
    loaded = DirectiveDocument(Project(str(folder)), str(file), Expressions() if question.strip() else None)
    if not question.strip():
        return plain(loaded.expanded())
    return plain(ask(loaded, CODE.findall(question)[0], (), "list" if "as a list" in question else "one", ()))


@pytest.mark.parametrize(("document", "question", "plait"), rows(), ids=[f"{row[0]} {row[1]}" for row in rows()])
def test_row(document: str, question: str, plait: str, tmp_path: Path) -> None:
    expected = CODE.findall(plait)[0]
    if plait.startswith("error"):
        with pytest.raises(PlaitError, match=re.escape(expected)):
            outcome(tmp_path, document, question)
        return
    wanted = plain(build(scan(Source("wanted", expected))[0], Source("wanted", expected), Reading()))
    found = outcome(tmp_path, document, question)
    if isinstance(wanted, dict) and not question.strip():
        found = {key: found[key] for key in wanted}
    assert json.dumps(found) == json.dumps(wanted)
