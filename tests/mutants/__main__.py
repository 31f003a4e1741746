"""`python -m tests.mutants`: change the code, and see whether a test notices.

    python -m tests.mutants --room merging --sample 30 --seed 7
    python -m tests.mutants --module merging/combine.py
    python -m tests.mutants --changed origin/main --seconds 120

The score of a room is kept in tests/mutants.json (`--keep`). Survivors are printed; they do not fail the run.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest
import yaml

import tests.cases
from tests.cases import Case
from tests.cases.preloaded import load
from tests.mutants.changes import Mutant, code_of, mutants
from tests.mutants.forked import Forks, folder_of_its_own, forked
from tests.mutants.reach import ROOT, reached
from tests.mutants.rooms import named_tests

PACKAGE = ROOT / "src" / "plait"
SCORE = ROOT / "tests" / "mutants.json"
EQUIVALENT = yaml.safe_load((Path(__file__).parent / "equivalent.yaml").read_text(encoding="utf-8")) or {}
EACH = 60.0
"""Seconds that the tests of one mutant may take: those of what hangs end then."""
MOST = 600.0
"""Seconds to find out which tests run which lines of one module."""
WORDS = ("killed", "survived", "equivalent", "undecided")


class Judge:
    """Runs the tests that reach a mutant's line, in a process that has the mutant."""

    def __init__(self, seconds: float) -> None:
        self.ends = time.monotonic() + seconds
        self.reach: dict[str, dict[str, list[int]]] = {}
        self.partly: set[str] = set()
        """Modules for which there was no time to try all tests: what survives there is not decided."""
        self.live: dict[tuple[str, str, int], list[types.FunctionType]] = {}
        gc.unfreeze()  # what is frozen is not listed
        for each in gc.get_objects():
            if isinstance(each, types.FunctionType):
                code = each.__code__
                self.live.setdefault((code.co_filename, code.co_name, code.co_firstlineno), []).append(each)

    def tests(self, mutant: Mutant) -> list[str]:
        if mutant.file not in self.reach:
            cases, files = named_tests(str(Path(mutant.file).relative_to(PACKAGE)))
            self.reach[mutant.file], whole = reached(cases, files, mutant.file, min(self.ends - time.monotonic(), MOST))
            if not whole:
                self.partly.add(mutant.file)
        found = [name for name, lines in self.reach[mutant.file].items() if mutant.line in lines]
        return sorted(found, key=lambda name: (not name.endswith(".case"), len(self.reach[mutant.file][name])))

    def judged(self, mutant: Mutant) -> str:
        names = self.tests(mutant)
        if mutant.name in EQUIVALENT:
            return "equivalent"
        code = code_of(mutant)
        functions = self.live.get((mutant.file, code.co_name, code.co_firstlineno), [])
        if not functions:
            return "undecided"
        noticed = forked(lambda: _noticed(names, functions, code), EACH) if names else False
        survived = "undecided" if mutant.file in self.partly else "survived"
        return "killed" if noticed or noticed is None else survived


def _noticed(names: list[str], functions: list[types.FunctionType], code: types.CodeType) -> bool:
    """Whether a test fails with the changed code; the quick ones first."""
    for function in functions:
        function.__code__ = code
    tests.cases.preloaded = Forks  # type: ignore[assignment]
    cases = [name for name in names if name.endswith(".case")]
    others = [name for name in names if not name.endswith(".case")]
    if any(_fails(Case(ROOT / name)) for name in cases):
        return True
    return bool(others) and pytest.main(["-q", "-x", "-n", "0", "-p", "no:cacheprovider", *others]) != 0


def _fails(case: Case) -> bool:
    with folder_of_its_own() as name:
        folder = Path(name, "project")
        folder.mkdir()
        outputs = case.run(folder)
    return any(
        output.rstrip("\n") != "".join(step.expected).rstrip("\n")
        for step, output in zip(case.steps, outputs, strict=True)
    )


def changed_lines(base: str) -> dict[str, set[int]]:
    """The lines of plait that differ from a revision."""
    diff = subprocess.run(
        ["git", "diff", "-U0", base, "--", "src/plait"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    found: dict[str, set[int]] = {}
    file = ""
    for line in diff.splitlines():
        if line.startswith("+++ "):
            file = str(ROOT / line[6:])
        elif line.startswith("@@"):
            start, _, count = line.split("+")[1].split()[0].partition(",")
            found.setdefault(file, set()).update(range(int(start), int(start) + int(count or 1)))
    return found


def chosen(args: argparse.Namespace) -> list[Mutant]:
    if args.changed:
        lines = changed_lines(args.changed)
        files = [file for file in lines if file.endswith(".py") and Path(file).exists()]
        found = [mutant for file in files for mutant in mutants(file) if mutant.line in lines[file]]
    elif args.module:
        found = mutants(str(PACKAGE / args.module))
    else:
        files = sorted(str(path) for path in PACKAGE.rglob("*.py"))
        rooms = [file for file in files if str(Path(file).relative_to(PACKAGE)).startswith(args.room)]
        found = [mutant for file in rooms for mutant in mutants(file)]
    order = random.Random(args.seed)
    picked = order.sample(found, min(args.sample or len(found), len(found)))
    return sorted(picked, key=lambda mutant: (mutant.file, mutant.line))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--room", default="", help="a package or folder of plait, as merging or fronts/stacks")
    parser.add_argument("--module", help="all mutants of a module, as merging/combine.py")
    parser.add_argument("--changed", metavar="REVISION", help="only mutants of lines that differ from this revision")
    parser.add_argument("--sample", type=int, default=0, help="so many of them, chosen by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this time")
    parser.add_argument("--keep", action="store_true", help="write the score to tests/mutants.json")
    args = parser.parse_args()
    load()
    judge = Judge(args.seconds)
    rooms: dict[str, dict[str, int]] = {}
    picked = chosen(args)
    done = 0
    for mutant in picked:
        if time.monotonic() > judge.ends:
            break
        word = judge.judged(mutant)
        room = str(Path(mutant.file).relative_to(PACKAGE)).partition("/")[0]
        rooms.setdefault(room, dict.fromkeys(WORDS, 0))[word] += 1
        done += 1
        if word in ("survived", "undecided"):
            print(
                f"{word} {Path(mutant.file).relative_to(ROOT)}:{mutant.line}  {mutant.was}  ->  {mutant.becomes}",
                flush=True,
            )
    for room, counts in rooms.items():
        print(f"{room}: " + ", ".join(f"{count} {word}" for word, count in counts.items()))
    print(f"{done} of {len(picked)} mutants, seed {args.seed}")
    if args.keep:
        keep(rooms, args.seed)
    return 0


def keep(rooms: dict[str, dict[str, int]], seed: int) -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    known = json.loads(SCORE.read_text(encoding="utf-8")) if SCORE.exists() else {}
    told = {room: {**counts, "seed": seed, "commit": commit.strip()} for room, counts in rooms.items()}
    SCORE.write_text(json.dumps({**known, **told}, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
