"""The table "Different on purpose" of docs/fronts/spiff.md: every row is run, and gives what its last column says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError
from plait.core.node import plain_value
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.yaml.printing import as_text
from tests.spiff import document

PAGE = Path(__file__).parents[2] / "docs" / "fronts" / "spiff.md"
CODE = re.compile(r"`([^`]*)`")


def rows() -> list[tuple[str, str]]:
    """The inputs of the table, and what plait does with each."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("## Different on purpose")
    table = rest.partition("\n## ")[0]
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.splitlines() if line.startswith("| `")]
    return [(cells[0].strip().replace("\\|", "|"), cells[2].strip().replace("\\|", "|")) for cells in lines]


def test_the_table_is_there() -> None:
    assert len(rows()) > 20


@pytest.mark.parametrize(("given", "plait"), rows(), ids=[given for given, _ in rows()])
def test_row(given: str, plait: str, tmp_path: Path) -> None:
    names = []
    for number, text in enumerate(CODE.findall(given)):
        file = tmp_path / f"{number}.yml"
        file.write_text(text.replace(" ⏎ ", "\n"), encoding="utf-8")
        names.append(str(file))
    project = Project(str(tmp_path), guard=Guard(frozenset({"exec"})))
    expected = CODE.findall(plait)[0]
    if plait.startswith("error"):
        with pytest.raises(PlaitError, match=re.escape(expected)):
            Spiff(project).merge(names)
        return
    node = Spiff(project).merge(names)[0]
    wanted = plain_value(document(expected))
    found = plain_value(node)
    assert isinstance(found, dict)
    assert isinstance(wanted, dict)
    assert json.dumps({key: found[key] for key in wanted}) == json.dumps(wanted)
    printed = plain_value(document(as_text(node, sort_keys=True)))
    assert json.dumps(printed, sort_keys=True) == json.dumps(found, sort_keys=True)
