"""Examples of Python in docstrings run, and what they say behind `#` is what comes out.

An example is an indented block that is Python. The table says what there is when it runs: files in an empty folder,
and names that the text beside it explains.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import plait
from plait.core.node import Scalar
from plait.core.path import Keyed
from plait.core.policy import MergePolicy
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.engine import Evaluator
from plait.fronts.project import Project
from plait.merging.account import Tracer
from plait.merging.combine import combine
from plait.notations.gotemplate.function import FunctionGroup
from plait.yaml.load import Reading, load
from plait.yaml.patch import apply

PACKAGE = Path(__file__).parents[1] / "src" / "plait"
BLOCK = re.compile(r'^ *"""[^"]*\n\n( *)    \S.*\n', re.MULTILINE)
"""A docstring with an indented block somewhere: parsing all modules takes long."""
TEXT = "jobs: [{port: 1}, {name: web}]\nlabels:\n  app: a\n  zone: b\nports:\n- 1\n- 2\na: {b: 1}\nc: {}\n"


def _edits() -> dict[str, Any]:
    return {"apply": apply, "source": TEXT, "node": Scalar(9, "9"), "Keyed": Keyed}


def _directives() -> dict[str, Any]:
    Path("main.yaml").write_text("base: {x: 1}\nt:\n  +/base:\n", encoding="utf-8")
    return {"Project": Project, "node": Scalar(2, "2")}


def _layers() -> dict[str, Any]:
    Path("base.yaml").write_text("vars: {net: {cidr: 10.0.0.0/8}}\n", encoding="utf-8")
    Path("prod.yaml").write_text("vars: {net: {cidr: 10.1.0.0/16}}\n", encoding="utf-8")
    return {"plait": plait}


def _account() -> dict[str, Any]:
    low, high = (load(Source("a", text), Reading())[0] for text in ("env: {DEBUG: 1}\n", "env: {DEBUG: 2}\n"))
    evaluator = Evaluator()
    tree = combine([low, high], MergePolicy())
    return {"force": evaluator.force, "roles": Tracer(evaluator.force).roles, "tree": tree, "place": Place(node=tree)}


def _files() -> dict[str, Any]:
    Path("a.yaml").write_bytes(b"a: 1\n")
    Path("old.yaml").write_bytes(b"b: 1\n")
    return {"root": ".", "bytes_as_read": b"a: 1\n"}


def _template() -> dict[str, Any]:
    Path("template.yml").write_text("a: (( merge ))\n", encoding="utf-8")
    Path("stub.yml").write_text("a: 1\n", encoding="utf-8")
    from plait.fronts.spiff.cascade import Spiff

    return {"Spiff": Spiff, "project": Project(".")}


READY: dict[str, Callable[[], dict[str, Any]]] = {
    "apps.web.markup": dict,
    "fronts.spiff": _template,
    "fronts.unfurl.working": _directives,
    "gotemplate": dict,
    "library": _layers,
    "manifests": dict,
    "merging.account": _account,
    "notations.gotemplate.function": lambda: {"function": FunctionGroup("text", "Text").function},
    "yaml.edits": _edits,
    "yaml.spots": lambda: {"source": Source("a.yaml", TEXT)},
    "yaml.writer": _files,
}


@cache
def examples() -> dict[str, list[str]]:
    """Every example of Python, by its module."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not BLOCK.search(text):
            continue
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                found.setdefault(module, []).extend(_blocks(ast.get_docstring(node) or ""))
    return {module: blocks for module, blocks in found.items() if blocks}


def _blocks(text: str) -> Iterator[str]:
    """The indented blocks of a docstring that are statements of Python."""
    lines: list[str] = []
    for line in [*text.splitlines(), "end"]:
        if line.startswith("    ") or (lines and not line):
            lines.append(line)
        elif lines:
            block = dedent("\n".join(lines)).strip()
            lines = []
            if _is_python(block):
                yield block


def _is_python(block: str) -> bool:
    try:
        return any(isinstance(node, ast.Call | ast.FunctionDef) for node in ast.walk(ast.parse(block)))
    except SyntaxError:
        return False


def test_every_example_is_in_the_table() -> None:
    assert set(examples()) == set(READY)


@pytest.mark.parametrize("module", READY)
def test_an_example_runs_and_says_what_comes_out(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {**vars(import_module(f"plait.{module}")), **READY[module]()}
    for block in examples()[module]:
        for statement in ast.parse(block).body:
            said = block.splitlines()[(statement.end_lineno or 1) - 1].partition("# ")[2]
            if isinstance(statement, ast.Expr) and said:
                value = eval(compile(ast.Expression(statement.value), module, "eval"), names)
                assert repr(value) == said
            else:
                exec(compile(ast.Module([statement], []), module, "exec"), names)
    assert os.getcwd() == str(tmp_path)
