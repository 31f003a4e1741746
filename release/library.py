"""The public names of the library as pages show them: a table in docs/library.md, and the page reference/api.

`python -m release.library` writes the table.
"""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import plait

PAGE = Path(__file__).resolve().parents[1] / "docs" / "library.md"
BEGIN, END = "<!-- names: made by python -m release.library -->\n", "<!-- end of names -->\n"
API = "# Library API\n\nThe names that `import plait` gives. What is stable: see [versioning](../versioning.md).\n"


def public_names() -> list[str]:
    """Return the names of `plait.__all__` that are functions, classes or types: functions first."""
    names = [name for name in plait.__all__ if not name.startswith("_")]
    return sorted(names, key=lambda name: (name[0].isupper(), name))


def about(name: str) -> str:
    """Return the first sentence about a public name."""
    entry = getattr(plait, name)
    text = inspect.getdoc(entry) if inspect.isclass(entry) or inspect.isfunction(entry) else _said_beside(name)
    sentence = re.split(r"(?<=\.)\s|\n\n", " ".join((text or "").split("\n\n")[0].split()))[0]
    assert sentence, f"{name} has no docstring"
    return sentence


def _said_beside(name: str) -> str:
    """Return the text below an assignment, as editors show it."""
    body = ast.parse(inspect.getsource(import_module(plait._HOMES[name]))).body
    for node, after in pairwise(body):
        target = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(target, ast.Name) and target.id == name and isinstance(after, ast.Expr):
            return str(ast.literal_eval(after.value))
    return ""


def table() -> str:
    """Return the table of docs/library.md."""
    rows = [f"| `plait.{name}` | {about(name)} |" for name in public_names()]
    return "\n".join(["| name | what it is |", "|---|---|", *rows]) + "\n"


def page() -> str:
    """Return docs/library.md with the table of today."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


def api_page() -> str:
    """Return the page reference/api of the site, in the words of mkdocstrings."""
    return API + "".join(f"\n::: {plait._HOMES[name]}.{name}\n" for name in public_names())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
