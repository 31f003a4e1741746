"""`plait.__all__` is all that a typed program needs: every type that a public name takes or returns is public, too."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from release import library

import plait

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "tests" / "typed" / "adopt.py"
ELSEWHERE = {
    *("Any", "Executor", "Iterable", "Iterator", "Mapping", "Sequence", "T", "Unpack", "Self", "Literal", "PathLike"),
}
"""Names of Python and its typing."""


def annotations_of(entry: ast.AST) -> set[str]:
    """Return the capitalised names in the annotations of a function, or of the public members of a class."""
    if isinstance(entry, ast.FunctionDef):
        arguments = [
            *entry.args.posonlyargs,
            *entry.args.args,
            *entry.args.kwonlyargs,
            entry.args.vararg,
            entry.args.kwarg,
        ]
        found = [one.annotation for one in arguments if one is not None and one.annotation] + [entry.returns]
    elif isinstance(entry, ast.ClassDef):
        members = [one for one in entry.body if not (isinstance(one, ast.FunctionDef) and one.name.startswith("_"))]
        fields = [one.annotation for one in members if isinstance(one, ast.AnnAssign)]
        return set().union(*map(annotations_of, members), *map(names_in, fields))
    else:
        return set()
    return set().union(*(names_in(one) for one in found if one is not None))


def names_in(annotation: ast.AST) -> set[str]:
    text = ast.unparse(annotation)
    return {name for name in re.findall(r"\b[A-Z]\w*", text) if name not in ELSEWHERE and name != "None"}


def definition(name: str) -> ast.AST:
    """Return where a public name is defined."""
    body = ast.parse(inspect.getsource(import_module(plait._HOMES[name]))).body
    return next(node for node in body if getattr(node, "name", "") == name)


@pytest.mark.parametrize(
    "name", [one for one in library.public_names() if plait._HOMES[one].startswith("plait.library")]
)
def test_every_type_of_a_public_name_is_public(name: str) -> None:
    entry = getattr(plait, name)
    if inspect.isclass(entry) or inspect.isfunction(entry):
        assert annotations_of(definition(name)) <= set(plait.__all__) - {"T"}


def test_every_public_name_is_there_and_is_described() -> None:
    for name in plait.__all__:
        assert getattr(plait, name) is not None
    assert library.page() == library.PAGE.read_text(encoding="utf-8"), "run: python -m release.library"
    for name in ("open", "merge3", "regenerate", "PlaitError"):
        assert f".{name}\n" in library.api_page()


def checked(*files: Path) -> str:
    """Return what the type checker says about programs that only know the installed package."""
    argv = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary", *map(str, files)]
    return subprocess.run(argv, cwd=files[0].parent, capture_output=True, text=True, check=False).stdout


def test_a_program_with_public_names_only_is_typed_and_runs(tmp_path: Path) -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    assert 50 <= len([line for line in text.splitlines() if line.strip()]) <= 80
    assert re.findall(r"^\s*(?:from|import) (plait\S*)", text, re.M) == ["plait"]
    assert checked(PROGRAM) == ""
    for name, layer in {
        "plait.yaml": "targets:\n- {name: dev, layers: [app.yaml]}\n- {name: prod, layers: [app.yaml, prod.yaml]}\n",
        "app.yaml": "replicas: 1\n",
        "prod.yaml": "replicas: 3\n",
    }.items():
        (tmp_path / name).write_text(layer)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    argv = [sys.executable, PROGRAM, "."]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert json.loads(done.stdout or done.stderr) == {
        "before": {"dev": 1, "prod": 3},
        "places": ["prod.yaml:1", "app.yaml:1"],
        "changes": [5],
        "after": {"dev": 1, "prod": 5},
        "merged": {"a": {"b": 1, "c": [2]}},
        "labels": ["y"],
        "conflicts": [["a", "2", "3"]],
        "trouble": ["PL2101 1"],
        "again": "a: 3\nmine: 2\n",
        "findings": ["PL2301"],
        "differences": ["a"],
    }


def test_the_examples_of_the_pages_are_typed(tmp_path: Path) -> None:
    """Every example in Python of the README and of docs/library.md."""
    files = []
    for page in (ROOT / "README.md", ROOT / "docs" / "library.md"):
        for number, block in enumerate(
            re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
        ):
            files.append(tmp_path / f"{page.stem.lower()}_{number}.py")
            files[-1].write_text(block)
    assert len(files) > 5
    assert checked(*files) == ""


def test_plain_gives_real_dictionaries_and_lists() -> None:
    document = plait.merge(["a: {b: [1, {c: 2}]}\n"])
    assert isinstance(document, plait.Document)
    inner = document["a"]
    assert isinstance(inner, plait.DocumentMap)
    items = inner["b"]
    assert isinstance(items, plait.DocumentList)
    assert not isinstance(inner, dict)
    assert (document.plain(), inner.plain(), items.plain()) == (
        {"a": {"b": [1, {"c": 2}]}},
        {"b": [1, {"c": 2}]},
        [1, {"c": 2}],
    )
    assert {type(document.plain()), type(inner.plain()), type(items.plain())} == {dict, list}
    listed = plait.merge("- {a: 1}\n")
    assert isinstance(listed, plait.ListDocument)
    assert listed.plain() == [{"a": 1}]
    broken = plait.merge(["a: {b: !ref c, d: !ref e}\n"])["a"]
    assert isinstance(broken, plait.DocumentMap)
    with pytest.raises(plait.PlaitError) as error:
        broken.plain()
    assert len(error.value.diagnostics) == 2
