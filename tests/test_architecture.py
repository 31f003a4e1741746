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


CALLS = {"open", "os.open", "os.fdopen", "os.scandir", "os.listdir", "os.walk", "os.environ", "os.getenv", "os.system",
         "os.popen", "os.posix_spawn", "io.open", "shutil.copytree", "sys.stdin"}  # fmt: skip
MODULES = {"subprocess", "socket", "ssl", "http.client", "urllib.request", "urllib.error", "glob", "plait.access.raw"}
"""What only the room `access` may use: everything that reaches a file, a command, the network or the environment."""
ALLOWED: dict[str, set[str]] = {
    "apps/cli/create.py": {"sys.stdin"},
    "yaml/journal.py": {"open", "os.open"},
    "yaml/lock.py": {"os.open"},
    "yaml/state.py": {"os.open", "os.environ"},
    "yaml/step.py": {"open", "os.open"},
    "yaml/write.py": {"open", "os.open"},
}
"""Modules that may use one of these for good, and what."""
WAITING = {
    "apps/cli/lists.py", "apps/cli/stacks.py", "fronts/editing.py",
    "fronts/stacks/affected.py", "fronts/stacks/config.py", "fronts/stacks/functions.py",
    "fronts/stacks/git.py", "fronts/stacks/globs.py", "fronts/stacks/imports.py", "fronts/stacks/questions.py",
    "fronts/stacks/validate.py", "fronts/unfurl/loading.py", "notations/functions.py",
    "notations/gotemplate/host.py", "notations/query/functions.py", "notations/query/vault.py",
    "workspace.py", "yaml/cache.py",
}  # fmt: skip
"""Modules that have not moved behind the door yet. Nothing may be added."""


def reaches_out(file: Path) -> set[str]:
    """What a module uses that only the door may use."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.add(node.func.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    return found & (CALLS | MODULES)


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(PACKAGE)) for file in FILES])
def test_only_the_door_reaches_out(file: Path) -> None:
    name = str(file.relative_to(PACKAGE))
    if name.startswith("access/"):
        return
    found = reaches_out(file)
    if name in WAITING:
        assert found, f"{name} has moved behind the door: take it off the list"
    else:
        assert found == ALLOWED.get(name, set()), f"{name}: ask the door (src/plait/access) instead"
