"""Which tests are near a module: those that import it or are named after it, in the folder named after its package, and
the cases of its package's groups."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
PACKAGE = ROOT / "src" / "plait"
GROUPS = {
    "core": "layers mistakes diagnostics",
    "merging": "layers editing review",
    "evaluate": "layers spiff",
    "yaml": "editing layers outputs",
    "review": "review",
    "edits": "editing stacks patterns",
    "gotemplate": "stacks patterns",
    "dynaml": "spiff",
    "query": "unfurl",
    "directives": "unfurl",
    "yq": "stacks",
    "charts": "charts",
    "compose": "compose",
    "discovery": "discovery",
    "kustomize": "kustomize",
    "patterns": "patterns",
    "spiff": "spiff",
    "stacks": "stacks",
    "tidy": "tidy",
    "unfurl": "unfurl",
}
"""The groups of cases of a package, those first that notice most. Of any other package, `layers`."""
OTHER = "layers"
IMPORTED = re.compile(r"^ *from plait\.([\w.]+) import (\(?[\w, ]*)|^ *import plait\.([\w.]+)", re.M)
STRUCTURE = (
    *("test_architecture.py", "test_style.py", "test_lines.py", "test_docstrings.py", "test_package.py"),
    *("test_tests.py", "test_mutants.py"),
)
"""Tests that read plait's own source: they notice no mutant."""


def folder_of(package: str) -> Path:
    """The folder of a package, wherever it lies, the outermost of that name; else the module."""
    found = [path for path in PACKAGE.rglob(package) if path.is_dir()] or [
        *PACKAGE.glob(f"{package.removesuffix('.py')}.py")
    ]
    if not found:
        raise SystemExit(f"no package `{package}` in src/plait: its name is that of its folder")
    return min(found, key=lambda path: (len(path.parts), path))


def files_of(package: str) -> list[Path]:
    place = folder_of(package)
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def near_tests(module: Path) -> list[str]:
    """The tests near a module, as pytest takes them, in the order in which they are asked."""
    inside = module.relative_to(PACKAGE).parts
    packages = [name.removesuffix(".py") for name in inside][-2::-1] or [module.stem]
    dotted = ".".join(inside).removesuffix(".py").removesuffix(".__init__")
    files = [
        path
        for name in packages
        for path in sorted((TESTS / name).glob("test_*.py"))
        if dotted in imports_of(path) or path.stem == f"test_{module.stem}"
    ]
    groups = next((GROUPS[name] for name in packages if name in GROUPS), OTHER).split()
    cases = [path for group in groups for path in sorted((TESTS / "cases" / group).rglob("*.case"))]
    return [
        *(str(path.relative_to(ROOT)) for path in dict.fromkeys(files) if path.name not in STRUCTURE),
        *(f"tests/cases/test_cases.py::test_case[{path.relative_to(TESTS / 'cases')}]" for path in cases),
    ]


@cache
def imports_of(test: Path) -> frozenset[str]:
    """The modules of plait that a test file imports: of `from plait.a import b` both `a` and `a.b`."""
    found: set[str] = set()
    for module, names, whole in IMPORTED.findall(test.read_text(encoding="utf-8")):
        found.add(module or whole)
        found.update(f"{module}.{name.strip()}" for name in names.strip("(").split(",") if name.strip())
    return frozenset(found)


def other_tests(asked: list[str]) -> list[str]:
    """All the other test files, those that are short first."""
    files = sorted(TESTS.rglob("test_*.py"), key=lambda path: (path.stat().st_size, path))
    names = [str(path.relative_to(ROOT)) for path in files if path.name not in STRUCTURE]
    return [name for name in names if name not in asked]
