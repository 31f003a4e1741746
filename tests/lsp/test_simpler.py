"""Quick fixes for what could be simpler: proved with the unsaved texts, looked for when somebody asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from plait.apps.lsp import session as sessions
from plait.apps.lsp.changing import code_actions
from plait.apps.lsp.session import Session
from plait.workspace import Workspace
from tests.lsp.editor import write

AUTOMATIC, INVOKED = types.CodeActionTriggerKind.Automatic, types.CodeActionTriggerKind.Invoked
FILES = {
    "plait.yaml": "targets:\n- {name: dev, layers: [base.yaml, dev.yaml]}\n"
    "- {name: prod, layers: [base.yaml, prod.yaml]}\n",
    "base.yaml": "port: 80\nlog: {}\n",
    "dev.yaml": "# dev\nname: a\nport: 80\n",
    "prod.yaml": "name: b\nport: 81\n",
}


class Asked(Session):
    """A session that counts the workspaces which were opened."""

    def __init__(self, folder: Path) -> None:
        self.opened = 0
        super().__init__(self.made)
        self.add_roots([folder.as_uri()])

    def made(self, folder: str) -> Workspace:
        self.opened += 1
        return Workspace(folder, cache=False)

    def fixes(self, path: Path, line: int, trigger: types.CodeActionTriggerKind = INVOKED) -> list[types.CodeAction]:
        """What could be simpler on a line, from 1."""
        at = types.Position(line - 1, 1)
        context = types.CodeActionContext([], only=[types.CodeActionKind.QuickFix], trigger_kind=trigger)
        params = types.CodeActionParams(types.TextDocumentIdentifier(path.as_uri()), types.Range(at, at), context)
        return [one for one in code_actions(self, str(path), params) if one.title.startswith("Simpler")]


def test_a_line_that_repeats_its_base_can_go(tmp_path: Path) -> None:
    dev = write(tmp_path, FILES) / "dev.yaml"
    session = Asked(tmp_path)
    (fix,) = session.fixes(dev, 3)
    assert fix.title == "Simpler: port (redundant: base.yaml:1 sets the same)"
    assert fix.kind == types.CodeActionKind.QuickFix
    assert fix.edit is not None
    whole = types.Range(types.Position(2, 0), types.Position(3, 0))
    assert fix.edit.changes == {dev.as_uri(): [types.TextEdit(whole, "")]}
    assert session.fixes(dev, 2) == []
    assert session.fixes(tmp_path / "prod.yaml", 2) == []


def test_unsaved_texts_count_and_a_broken_one_proves_nothing(tmp_path: Path) -> None:
    prod = write(tmp_path, FILES) / "prod.yaml"
    session = Asked(tmp_path)
    session.open(str(prod), "name: b\nport: 80\n")
    assert len(session.fixes(prod, 2)) == 1
    session.open(str(prod), "name: b\nport: 82\n")
    assert session.fixes(prod, 2) == []
    session.open(str(prod), "name: [b\nport: 80\n")
    assert session.fixes(tmp_path / "dev.yaml", 3) == []


def test_it_is_looked_for_once_when_somebody_asks(tmp_path: Path) -> None:
    dev = write(tmp_path, FILES) / "dev.yaml"
    session = Asked(tmp_path)
    assert session.fixes(dev, 3, AUTOMATIC) == []
    assert session.opened == 1
    assert len(session.fixes(dev, 3)) == len(session.fixes(dev, 3, AUTOMATIC)) == 1
    assert session.opened == 2
    session.refresh()
    assert session.fixes(dev, 3, AUTOMATIC) == []


def test_folders_with_many_targets_are_left_to_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST_TARGETS", 1)
    assert Asked(write(tmp_path, FILES)).fixes(tmp_path / "dev.yaml", 3) == []


def test_a_value_that_moves_changes_all_its_files(tmp_path: Path) -> None:
    more = {"dev.yaml": "level: info\nname: a\n", "prod.yaml": "name: b\nlevel: info\n"}
    prod = write(tmp_path, {**FILES, **more}) / "prod.yaml"
    (fix,) = Asked(tmp_path).fixes(prod, 2)
    assert fix.edit is not None
    assert fix.edit.changes is not None
    assert {Path(uri).name for uri in fix.edit.changes} == {"base.yaml", "dev.yaml", "prod.yaml"}
