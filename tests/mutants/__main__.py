"""`python -m tests.mutants`: change the code, and see whether a test notices.

    python -m tests.mutants --room merging --sample 30 --seed 7
    python -m tests.mutants --module merging/combine.py
    python -m tests.mutants --module merging/combine.py:40 merging/align.py:7
    python -m tests.mutants --changed origin/main --clock 100

The score of a room is kept in tests/mutants.json (`--keep`). Survivors are printed; they do not fail the run.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import pytest

from tests.cases.preloaded import folder_of_its_own, warm
from tests.mutants.asking import PACKAGE, loaded
from tests.mutants.changes import Mutant, mutants
from tests.mutants.judge import EQUIVALENT, WORDS, Judge
from tests.mutants.kept import Kept
from tests.mutants.limits import LONG, Budget, Limit
from tests.mutants.probes import ROOT
from tests.mutants.reach import OPTIONS

SCORE = ROOT / "tests" / "mutants.json"
AGAIN = 3
"""How many of those that are listed as equivalent are tried again beside changed lines."""


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


def among(args: argparse.Namespace) -> list[Mutant]:
    """All mutants of what is asked for."""
    if args.changed:
        lines = changed_lines(args.changed)
        files = [file for file in lines if file.endswith(".py") and Path(file).exists()]
        return [mutant for file in files for mutant in mutants(file) if mutant.line in lines[file]]
    if args.module:
        pairs = [one.partition(":") for one in args.module]
        return [
            mutant
            for file, _, line in pairs
            for mutant in mutants(str(PACKAGE / file))
            if not line or mutant.line == int(line)
        ]
    place = PACKAGE / args.room
    paths = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    return [mutant for path in paths for mutant in mutants(str(path))]


def listed() -> list[Mutant]:
    """The mutants that are listed as equivalent."""
    names = {name.partition(" ")[0] for name in EQUIVALENT}
    files = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name in names]
    return [mutant for path in files for mutant in mutants(str(path)) if mutant.name in EQUIVALENT]


def picked(found: list[Mutant], sample: int, seed: int) -> list[Mutant]:
    """Some of them, in a random order: those that a bound of time leaves out are random, too."""
    return random.Random(seed).sample(found, min(sample or len(found), len(found)))


def imported(files: Iterable[str]) -> None:
    """Load modules, and what pytest needs for each test."""
    loaded(files)
    with redirect_stdout(io.StringIO()):
        pytest.main([*OPTIONS, "--collect-only", str(ROOT / "tests" / "test_shown.py")])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--room", default="", help="a package or folder of plait, as merging or fronts/stacks")
    parser.add_argument("--module", nargs="+", help="all mutants of modules or lines, as merging/combine.py:40")
    parser.add_argument("--changed", metavar="REVISION", help="only mutants of lines that differ from this revision")
    parser.add_argument("--sample", type=int, default=0, help="so many of them, chosen by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=LONG, help="stop after so much CPU time")
    parser.add_argument("--clock", type=float, default=LONG, help="stop after so many seconds of the clock")
    parser.add_argument("--all", action="store_true", help="tell also which test noticed which mutant")
    parser.add_argument(
        "--everywhere", action="store_true", help="ask all tests about what those of its row do not notice"
    )
    parser.add_argument(
        "--keep", action="store_true", help="write the score of the room to tests/mutants.json, asking everywhere"
    )
    parser.add_argument("--look", action="store_true", help="see first what all tests run: half an hour, once")
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets its jobs in the background ignore it
    budget = Budget(Limit(args.seconds, args.clock))
    found = among(args)
    some = picked(found, args.sample, args.seed)
    if args.changed:
        some += picked([mutant for mutant in listed() if mutant not in some], AGAIN, args.seed)
    counts = tried(some, args, budget)
    print(", ".join(f"{counts[word]} {word}" for word in WORDS))
    print(f"{counts.total()} of {len(found)} mutants, seed {args.seed}")
    if args.keep:
        keep(args.room or "everything", counts, len(found), args.seed)
    return 0


def tried(some: list[Mutant], args: argparse.Namespace, budget: Budget) -> Counter[str]:
    """What becomes of each; those that need somebody's eyes are printed. Loading is a part of the time."""
    counts: Counter[str] = Counter()
    with known(some, bool(args.changed)) as kept:
        imported(kept.files)
        judge = Judge(some, budget, kept, everywhere=args.everywhere or args.keep)
        warm()  # functions have other code now
        if args.look:
            judge.look_at_all()
        for mutant, (word, why) in judge.verdicts():
            counts[word] += 1
            shown = ("survived",) if args.changed else ("survived", "undecided")  # a bounded run has no time for many
            if args.all or word in shown or (word == "killed" and mutant.name in EQUIVALENT):
                place = f"{Path(mutant.file).relative_to(ROOT)}:{mutant.line}"
                print(f"{word} {place}  {mutant.was}  ->  {mutant.becomes}\n    {why}", flush=True)
    return counts


@contextmanager
def known(some: list[Mutant], is_bounded: bool) -> Iterator[Kept]:
    """What earlier runs saw. A run with little time has no use for it: it looks only at the files of its mutants."""
    if not is_bounded:
        yield Kept(map(str, PACKAGE.rglob("*.py")))
        return
    with folder_of_its_own() as folder:
        yield Kept({mutant.file for mutant in some}, Path(folder))


def keep(room: str, counts: Counter[str], of: int, seed: int) -> None:
    """Write down the score: the counts, of how many mutants the sample is, its seed, and the commit."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    known = json.loads(SCORE.read_text(encoding="utf-8")) if SCORE.exists() else {}
    told = {**{word: counts[word] for word in WORDS}, "of": of, "seed": seed, "commit": commit.strip()}
    SCORE.write_text(json.dumps({**known, room: told}, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # functions with probes cannot clean up where Python has ended already
