"""`make reach`: the functions of plait that only the conformance cases reach: nobody without the cases can test them.

Own are the `.case` files, run in this process, and the folders of tests that are named (all that need no server by
default). Which functions are called is recorded, not which lines: it is enough to see which capabilities lack a case.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType

import pytest

from plait.apps.cli import main as plait
from tests.cases import Case, decoded, environment
from tests.conformance.runner import MISSING, SHARED, adapters, case_files, run_kind

ROOT = Path(__file__).parents[1]
PACKAGE = str(ROOT / "src" / "plait") + os.sep
FOLDERS = ("spiff", "unfurl", "gotemplate", "test_functions.py", "test_library.py", "test_docs.py")
"""Tests whose functions are not all in cases. Properties are left out: they take long here, and add nothing."""
ALLOWED = 44
"""How many functions may be without a case of our own; measured, so lower it when there are fewer."""
DECLARATIONS = (
    "YamlFunction.__init__",
    "YamlFunction.variant",
    "DynamlFunction.__init__",
    "QueryFunction.__init__",
    "YqFunction.__init__",
    "rules.py:Form.__init__",
    "rules.py:Profile.__init__",
    "Code.__init__",
    "Fetcher.__init__",
    "Schema.__init__",
    "listing.py:Kind.__init__",
    "Strategy.__init__",
    "DecisionRow.__init__",
    "functions.py:Type.__init__",
    "FunctionGroup.function",
    "LatePattern.__init__",
    "DataMarker.__init__",
    "Listed.__init__",
    "NotFollowed.__init__",
    "Setting.__init__",
    "rules.py:Tag.__init__",
    "gomplate.py:_aliases",
    "gomplate_more.py:_declare",
    "patterns.py:_both",
    "versions.py:_declared",
    "tables.py:_sprig",
    "tables.py:builtins",
    "tables.py:sprig",
    "clock.py:_methods",
    "jinja.py:lists",
    "jinja.py:texts",
    ":_table",
)


class Recorder:
    """The functions of ours that are called while it is on."""

    def __init__(self) -> None:
        self.seen: dict[object, str] = {}

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Be on for every test, whatever an earlier one did with the profile function."""
        with self.on():
            return (yield)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code not in self.seen and code.co_flags & CO_OPTIMIZED:
            name = code.co_filename
            self.seen[code] = f"{name[len(PACKAGE) :]}:{code.co_qualname}" if name.startswith(PACKAGE) else ""

    @property
    def names(self) -> set[str]:
        return {name for name in self.seen.values() if name and "<" not in name}


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
    if " | " in command or not command.startswith("plait "):
        return
    before, here = dict(os.environ), os.getcwd()
    try:
        os.environ.clear()
        os.environ.update(environment(folder))
        os.chdir(folder)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            plait(shlex.split(command)[1:])
    except (Exception, SystemExit):
        return
    finally:
        os.chdir(here)
        os.environ.clear()
        os.environ.update(before)


def run_tests(recorder: Recorder, folders: Iterable[str]) -> None:
    names = (f"tests/{name}" for name in folders)
    skipped = [
        f"--ignore-glob=*/{name}" for name in ("test_laws.py", "test_fuzz.py", "test_scale.py", "test_growth.py")
    ]
    pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", *skipped, *names], plugins=[recorder])


def is_declaration(name: str) -> bool:
    """Whether a function runs when its module is imported, which happens once: what makes the rows of a table."""
    return name.endswith(DECLARATIONS)


def main(folders: list[str]) -> int:
    if not SHARED.is_dir():
        print(f"nothing to compare with: {MISSING}")
        return 0
    theirs, ours = Recorder(), Recorder()
    with theirs.on():
        for kind, file in case_files(SHARED, None):
            run_kind(adapters()[kind], file)
    with ours.on():
        for path in sorted((ROOT / "tests" / "cases").rglob("*.case")):
            run_case(path)
    run_tests(ours, folders or FOLDERS)
    only = sorted(name for name in theirs.names - ours.names if not is_declaration(name))
    print(f"{len(theirs.names)} functions are reached by conformance, {len(only)} of them by nothing of our own:")
    for room, count in Counter(name.rpartition("/")[0] for name in only).most_common():
        print(f"  {room}: {count}")
    print("\n".join(only))
    if len(only) > ALLOWED:
        print(f"more than {ALLOWED}: write cases of our own for the new ones")
    return 1 if len(only) > ALLOWED else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
