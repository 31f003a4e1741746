"""`make reach`: the functions and lines that only the conformance cases reach: nobody without the cases can test them.

Own are the `.case` files, run in this process, and the folders of tests that are named (all that need no server by
default).
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import shlex
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path

import pytest
from coverage import Coverage

from plait.apps.cli import main as plait
from tests.cases import Case, decoded, environment, printed
from tests.conformance.runner import MISSING, SHARED, adapters, case_files, run_kind

ROOT = Path(__file__).parents[1]
PACKAGE = str(ROOT / "src" / "plait") + os.sep
FOLDERS = (
    *("spiff", "unfurl", "gotemplate", "test_functions.py", "test_library.py", "test_library_more.py", "test_docs.py"),
    *("core/test_glob.py", "outside/test_calls.py", "stacks/test_locals.py", "patterns/test_threeway.py"),
    *("patterns/test_texts.py", "patterns/test_requirement.py", "test_access_tables.py"),
)
"""Tests whose functions are not all in cases. Properties are left out: they take long here, and add nothing."""
ALLOWED = 0
LINES = 4
"""How many functions and how many other lines may lack a case of our own; measured: lower it when there are fewer."""
Reached = dict[str, set[int]]
"""The lines of each file that were run."""


@contextlib.contextmanager
def recorded(reached: Reached) -> Iterator[None]:
    """Note the lines of plait that run meanwhile."""
    recorder = Coverage(data_file=None, include=[f"{PACKAGE}*"], config_file=False)
    recorder.start()
    try:
        yield
    finally:
        recorder.stop()
        data = recorder.get_data()
        for file in data.measured_files():
            reached.setdefault(file, set()).update(data.lines(file) or ())


def functions(file: str) -> dict[int, str]:
    """The function that each line of a file belongs to; the innermost, where one is in another."""
    owners: dict[int, str] = {}
    todo: list[tuple[ast.AST, str]] = [(ast.parse(Path(file).read_text(encoding="utf-8")), "")]
    while todo:
        node, name = todo.pop(0)
        for child in ast.iter_child_nodes(node):
            inner = name
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{name}.{child.name}".lstrip(".")
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                owners |= dict.fromkeys(range(child.body[0].lineno, (child.end_lineno or 0) + 1), inner)
            todo.append((child, inner))
    return owners


def missing(theirs: Reached, ours: Reached) -> tuple[list[str], list[str]]:
    """The functions that only conformance enters, and the other lines that only it runs, each with its text."""
    entered: list[str] = []
    lines: list[str] = []
    for file in sorted(theirs):
        owners, texts = functions(file), Path(file).read_text(encoding="utf-8").splitlines()
        known = {owners[line] for line in ours.get(file, ()) if line in owners}
        name = file[len(PACKAGE) :]
        gap = [line for line in sorted(theirs[file] - ours.get(file, set())) if line in owners]
        entered += dict.fromkeys(f"{name}:{owners[line]}" for line in gap if owners[line] not in known)
        lines += [f"{name}:{line} ({owners[line]}): {texts[line - 1].strip()}" for line in gap if owners[line] in known]
    return entered, lines


def run_case(path: Path) -> None:
    """The commands of a case in this process; what they print is compared elsewhere."""
    case = Case(path)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        folder.mkdir()
        for file, text in case.files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes(decoded(text))
        for step in case.steps:
            _step(step.command, folder)


def _step(command: str, folder: Path) -> None:
    words = shlex.split(command)
    given = dict(word.split("=", 1) for word in takewhile(lambda word: "=" in word, words))
    if " | " in command or "SCENE" in given:
        return
    if words[len(given)] != "plait":
        printed(command, folder)  # what it does to the files counts for the commands after it
        return
    before, here = dict(os.environ), os.getcwd()
    try:
        os.environ.clear()
        os.environ.update({**environment(folder), **given})
        os.chdir(folder)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            plait(words[len(given) + 1 :])
    except (Exception, SystemExit):
        return
    finally:
        os.chdir(here)
        os.environ.clear()
        os.environ.update(before)


def run_tests(folders: Iterable[str]) -> None:
    names = (f"tests/{name}" for name in folders)
    skipped = [
        f"--ignore-glob=*/{name}" for name in ("test_laws.py", "test_fuzz.py", "test_scale.py", "test_growth.py")
    ]
    pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", *skipped, *names])


def main(folders: list[str]) -> int:
    if not SHARED.is_dir():
        print(f"nothing to compare with: {MISSING}")
        return 0
    theirs: Reached = {}
    ours: Reached = {}
    with recorded(ours):  # first, so that what runs when a module is imported counts as ours
        for path in sorted((ROOT / "tests" / "cases").rglob("*.case")):
            run_case(path)
        run_tests(folders or FOLDERS)
    with recorded(theirs):
        for kind, file in case_files(SHARED, None):
            run_kind(adapters()[kind], file)
    entered, lines = missing(theirs, ours)
    print(f"conformance runs {sum(map(len, theirs.values())):,} lines. Nothing of our own runs:")
    print(*(f"  {row}" for row in (*entered, *lines)), sep="\n")
    print(f"functions: {len(entered)} (at most {ALLOWED}), other lines: {len(lines)} (at most {LINES})")
    if len(entered) > ALLOWED or len(lines) > LINES:
        print("write cases of our own for the new ones")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
