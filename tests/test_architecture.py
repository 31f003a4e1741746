"""The import table of ARCHITECTURE.md, held against the code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "plait"
FREE = {"apps"}
"""Rooms that may import inside functions: an app defers what one command needs, so that all start fast."""


def table() -> dict[str, set[str]]:
    """Who may import whom, as ARCHITECTURE.md says it: rows of `| room | what it is | may import |`."""
    rooms: dict[str, set[str]] = {}
    for line in (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
        if len(cells) == 3 and (PACKAGE / cells[0].rstrip("/")).exists() and cells[0] not in rooms:
            names = {name.strip().strip("`").rstrip("/") for name in cells[2].split(",")}
            rooms[cells[0].rstrip("/")] = names - {"nothing", ""}
    return rooms


def room_of(parts: tuple[str, ...]) -> str:
    """The room of a module below plait: its folder, or the file itself at the top."""
    return parts[0] if (PACKAGE / parts[0]).is_dir() else f"{parts[0]}.py"


def imports(file: Path) -> Iterator[tuple[str, str, int, bool]]:
    """The rooms and modules of ours that a file imports, with the line, and whether inside a function."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    inside = {id(node) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for node in ast.walk(f)}
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] if node.module != "plait" else [f"plait.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = tuple(name.split(".")[1:])
            if name.split(".")[0] == "plait" and parts and not parts[0].startswith("__"):
                yield room_of(parts), name, node.lineno, id(node) in inside


FILES = sorted(PACKAGE.rglob("*.py"))


def test_every_room_is_in_the_table() -> None:
    rooms = {room_of(file.relative_to(PACKAGE).parts if file.parent != PACKAGE else (file.stem,)) for file in FILES}
    assert rooms - {"__init__.py"} == set(table())


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(PACKAGE)) for file in FILES])
def test_imports_follow_the_table(file: Path) -> None:
    parts = file.relative_to(PACKAGE).parts
    if parts == ("__init__.py",):
        return
    room = room_of(parts if len(parts) > 1 else (file.stem,))
    allowed = table()[room] | {room}
    wrong = [f"{name} (line {line})" for target, name, line, _ in imports(file) if target not in allowed]
    assert not wrong, f"{room} may not import {', '.join(wrong)}"


@pytest.mark.parametrize("file", sorted((PACKAGE / "notations").rglob("*.py")), ids=lambda file: file.stem)
def test_notations_do_not_import_each_other(file: Path) -> None:
    own = file.relative_to(PACKAGE / "notations").parts[0].removesuffix(".py")
    for _, name, line, _ in imports(file):
        parts = name.split(".")
        if parts[1:2] == ["notations"] and len(parts) > 2:
            assert parts[2] == own, f"{name} (line {line})"
