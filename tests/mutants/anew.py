"""A mutant from the start: a process that loads plait with the changed code, and tests that are asked there.

What a function did while plait was loaded, as making a table, is done again only so. Where loading does not run the
statement of the mutant, nothing is asked: a function that gets other code is as good there, and quicker.
"""

from __future__ import annotations

import builtins
import marshal
import os
import pickle
import subprocess
import sys
import traceback
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import TYPE_CHECKING

from tests.mutants.changes import Mutant
from tests.mutants.probes import ROOT, probe_of, whole_code

if TYPE_CHECKING:
    from tests.mutants.reach import Witness

LOADING = 60
"""So many seconds of CPU time loading may take."""
NOT_LOADED, NOT_RUN = "plait cannot be loaded", "loading plait does not run it"


def failing_anew(tests: list[Witness], mutant: Mutant, is_changed: bool) -> str | None:
    """The first of some tests that fails where plait is loaded with the mutant, or as it is; None where the process
    ends before."""
    code = whole_code(mutant) if is_changed else None
    given = pickle.dumps((mutant.file, marshal.dumps(code), tests))
    done = subprocess.run([sys.executable, "-m", __name__], input=given, stdout=subprocess.PIPE, cwd=ROOT)
    return None if done.returncode else done.stdout.decode()


def _main() -> None:
    """The process: what is asked on standard input, the answer on standard output."""
    file, code, tests = pickle.load(sys.stdin.buffer)
    answers = os.dup(1)
    os.dup2(2, 1)
    told = _told(file, marshal.loads(code), tests)
    os.write(answers, told.encode())
    os._exit(0)


def _told(file: str, code: CodeType | None, tests: list[Witness]) -> str:
    run = bytearray(1)
    if code is not None:
        setattr(builtins, probe_of(file), run)
        _instead(file, code)
    from tests.mutants.asking import failing, loaded  # from here on, plait may be loaded
    from tests.mutants.forked import bounded

    bounded(LOADING)
    try:
        loaded([file])
    except Exception:
        traceback.print_exc()
        return NOT_LOADED
    return failing(tests) if code is None or run[0] else NOT_RUN


def _instead(file: str, code: CodeType) -> None:
    """A file has other code, whoever loads it."""
    of_file = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, name: str) -> CodeType | None:
        return code if self.path == file else of_file(self, name)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment]


if __name__ == "__main__":
    _main()
