"""The tests themselves: which of them know plait from the inside, and that each can fail."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.mutants.near import ROOT, TESTS

FILES = sorted(path for path in TESTS.rglob("*.py"))
LIST = TESTS / "inner_imports.txt"
"""The files of tests that know plait from the inside. It may only shrink: write results instead."""
LIBRARY = set(re.findall(r'"(\w+)"', (ROOT / "src" / "plait" / "__init__.py").read_text(encoding="utf-8")))
OUTSIDE = (
    *("plait.__main__.run", "plait.apps.cli.main", "plait.apps.cli.run.run", "plait.gotemplate", "plait.manifests"),
    *(f"plait.core.{name}" for name in ("node", "path", "source", "policy", "diagnostic")),
)
"""What a test may import beside the public library: the command line, and the documented types of the kernel."""
CHECKING = re.compile(
    r"check|compare|expect|assert|same|law|prove|verify|raises|judge|refus|held|hold|suppress|wait_for|^see$|^outcome$|"
    r"^run_histories$|^sinks$"
)
"""The name of what a test uses to check, or under which only an error of ours is allowed."""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """The full name of everything that a file imports."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{one.name}" for one in node.names)


def is_inner(name: str) -> bool:
    """Whether a name is one of plait's own, which no user imports."""
    parts = name.split(".")
    is_public = len(parts) == 1 or (len(parts) == 2 and parts[1] in LIBRARY)
    return parts[0] == "plait" and not is_public and not any(f"{name}.".startswith(f"{one}.") for one in OUTSIDE)


def helper(name: str) -> Path | None:
    """The file of tests that an imported name comes from."""
    for text in (name, name.rpartition(".")[0]):
        place = ROOT / text.replace(".", "/")
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if name.startswith("tests.") and path.is_file():
                return path
    return None


def knowing_files() -> set[Path]:
    """The files that import an inner module, or a helper that does."""
    known = {path for path in FILES if any(map(is_inner, imported(path)))}
    helpers = {path: {helper(name) for name in imported(path)} for path in FILES}
    while more := {path for path in FILES if path not in known and helpers[path] & known}:
        known |= more
    return known


def test_no_more_files_know_plait_from_the_inside() -> None:
    found = {str(path.relative_to(TESTS)) for path in knowing_files()}
    listed = set(LIST.read_text(encoding="utf-8").split())
    assert sorted(found - listed) == [], "write a case, or import the public library or the command line"
    assert sorted(listed - found) == [], f"these know nothing of it any more: remove them from {LIST.name}"


def functions_of(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def used(node: ast.AST) -> set[str]:
    """The last names of everything that is used in a node."""
    found = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    return found | {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def test_every_test_checks_something() -> None:
    checking = {
        one.name
        for path in FILES
        for one in functions_of(path)
        if any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(one))
    }
    silent = [
        f"{path.relative_to(TESTS)}::{one.name}"
        for path in FILES
        for one in functions_of(path)
        if path.name.startswith("test_") and one.name.startswith("test_") and one.name not in checking
        if not used(one) & checking and not any(map(CHECKING.search, used(one)))
    ]
    assert silent == []


def test_every_skip_has_a_reason() -> None:
    found = []
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            name = (
                ast.unparse(node.func)
                if isinstance(node, ast.Call)
                else ast.unparse(node)
                if isinstance(node, ast.Attribute)
                else ""
            )
            if name in (
                "pytest.mark.skip",
                "pytest.mark.skipif",
                "pytest.mark.xfail",
                "pytest.skip",
                "pytest.xfail",
            ) and isinstance(node, ast.Call):
                words = [*node.args[-1:], *(one.value for one in node.keywords if one.arg == "reason")]
                has_text = any(not isinstance(one, ast.Constant) or isinstance(one.value, str) for one in words)
                needs_word = name == "pytest.mark.skipif" and not node.keywords
                if not words or not has_text or needs_word:
                    found.append(f"{path.relative_to(TESTS)}:{node.lineno}")
    assert found == []
