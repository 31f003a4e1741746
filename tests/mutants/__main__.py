"""`python -m tests.mutants`: change the code, and see whether a test notices.

    python -m tests.mutants PACKAGE                     the draw of this commit, all tests asked; the score is kept
    python -m tests.mutants PACKAGE --near              only the tests near each module: what they miss is undecided
    python -m tests.mutants --module merging/combine.py:40 merging/align.py
    python -m tests.mutants --changed origin/main --clock 100
    python -m tests.mutants --old                       the packages whose score is too old, or missing

Survivors are printed; they do not fail the run. tests/mutants.json has one draw of a commit: no other one replaces it.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue

import yaml

from tests.mutants.near import PACKAGE, ROOT, files_of, folder_of, near_tests, other_tests
from tests.mutants.operators import Mutant, mutants
from tests.mutants.trial import Sources

SCORE = ROOT / "tests" / "mutants.json"
EQUIVALENT: dict[str, str] = (
    yaml.safe_load((Path(__file__).parent / "equivalent.yaml").read_text(encoding="utf-8")) or {}
)
SAMPLE = 60
NEAR, ALL = 40.0, 600.0
"""Seconds of CPU time for the tests near a module, and for all the others."""
OLD = 200
"""After so many commits that touch a package, its score says nothing of it any more."""
AGAIN = 3
"""How many of those that are listed as equivalent are tried again beside changed lines."""
WORDS = ("killed", "survived", "undecided", "equivalent")


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def seed_of(commit: str) -> int:
    """The seed of a commit's draw, which nobody chose."""
    return int(commit[:12], 16)


def drawn(package: str, seed: int, count: int) -> list[Mutant]:
    """A sample of a package's mutants, so many without those that are listed as equivalent. A large module has more."""
    found = [mutant for file in files_of(package) for mutant in mutants(file)]
    random.Random(seed).shuffle(found)
    ranks = accumulate(mutant.name not in EQUIVALENT for mutant in found)
    return [mutant for mutant, rank in zip(found, ranks, strict=True) if rank <= count]


def changed_since(base: str) -> list[Mutant]:
    """The mutants of the lines that differ from a revision."""
    lines: dict[Path, set[int]] = {}
    file = ROOT
    for line in git("diff", "-U0", base, "--", "src/plait").splitlines():
        if line.startswith("+++ "):
            file = ROOT / line[6:]
        elif line.startswith("@@"):
            start, _, count = line.split("+")[1].split()[0].partition(",")
            lines.setdefault(file, set()).update(range(int(start), int(start) + int(count or 1)))
    files = [one for one in lines if one.suffix == ".py" and one.exists()]
    return [mutant for one in files for mutant in mutants(one) if mutant.line in lines[one]]


def of_modules(names: list[str]) -> list[Mutant]:
    """The mutants of modules, or of one line of each, as `merging/combine.py:40`."""
    pairs = [name.partition(":") for name in names]
    return [
        mutant for file, _, line in pairs for mutant in mutants(PACKAGE / file) if not line or mutant.line == int(line)
    ]


def listed() -> list[Mutant]:
    """The mutants that are listed as equivalent."""
    names = {name.partition(" ")[0] for name in EQUIVALENT}
    files = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name in names]
    return [mutant for path in files for mutant in mutants(path) if mutant.name in EQUIVALENT]


def verdict(sources: SimpleQueue[Sources], ends: float, is_near: bool, mutant: Mutant) -> tuple[str, str, float]:
    """A word of WORDS, the test that noticed the mutant or why none did, and the seconds that the tests took."""
    own, known = sources.get(), EQUIVALENT.get(mutant.name)
    try:
        near = near_tests(mutant.file)
        if time.monotonic() > ends:
            return "undecided", "no time", 0.0
        with own.having(mutant):
            run = own.run(near, NEAR)
            if run.failed:
                return "killed", run.failed, run.seconds
            if is_near:
                why = "the near tests pass" if run.is_complete else "no time"
                return "equivalent" if run.is_complete and known else "undecided", known or why, run.seconds
            more = own.run(other_tests(near), ALL)
        seconds = run.seconds + more.seconds
        if more.failed and own.run([more.failed], NEAR).failed:
            return "undecided", f"fails without the mutant: {more.failed}", seconds
    finally:
        sources.put(own)
    if more.failed:
        return "killed", f"not by near tests: {more.failed}", seconds
    if not (run.is_complete and more.is_complete):
        return "undecided", "no time", seconds
    return ("equivalent", known, seconds) if known else ("survived", "all tests pass", seconds)


def tried(some: list[Mutant], args: argparse.Namespace) -> Counter[str]:
    """What becomes of each; those that no test noticed are printed."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        sources: SimpleQueue[Sources] = SimpleQueue()
        for number in range(args.jobs):
            sources.put(Sources(Path(folder, str(number))))
        near = dict.fromkeys(test for mutant in some for test in near_tests(mutant.file))
        if near and (failed := _asked(sources, list(near))):
            raise SystemExit(f"it fails without any mutant: {failed}")
        look = partial(verdict, sources, time.monotonic() + args.clock, args.near or bool(args.changed))
        with ThreadPoolExecutor(args.jobs) as pool:
            for mutant, (word, why, seconds) in zip(some, pool.map(look, some), strict=True):
                counts[word] += 1
                if args.all or word != "killed" or mutant.name in EQUIVALENT:
                    place = f"{mutant.file.relative_to(ROOT)}:{mutant.line} {mutant.function}"
                    print(f"{word} {place}: {mutant.was}  ->  {mutant.becomes}\n    {why}, {seconds:.0f} s", flush=True)
    return counts


def _asked(sources: SimpleQueue[Sources], tests: list[str]) -> str:
    """The first of some tests that fails without a mutant."""
    own = sources.get()
    try:
        return own.run(tests, ALL).failed
    finally:
        sources.put(own)


def keep(package: str, counts: Counter[str], seed: int, commit: str) -> None:
    """Write down the score of a package."""
    known = json.loads(SCORE.read_text(encoding="utf-8")) if SCORE.exists() else {}
    known[package] = {**{word: counts[word] for word in WORDS}, "seed": seed, "commit": commit[:12]}
    SCORE.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def packages() -> list[str]:
    """The packages of ARCHITECTURE.md."""
    rows = [
        line.split("|")[1].strip(" `")
        for line in (ROOT / "ARCHITECTURE.md").read_text().splitlines()
        if line[:3] == "| `"
    ]
    return [row for row in dict.fromkeys(rows) if (PACKAGE / row).exists()]


def old_scores() -> Iterator[str]:
    """The packages whose score is missing, too small or too old."""
    known = json.loads(SCORE.read_text(encoding="utf-8"))
    for package in packages():
        score = known.get(package)
        if score is None:
            yield f"{package}: no score"
        elif sum(score[word] for word in WORDS[:3]) < SAMPLE:
            yield f"{package}: less than {SAMPLE} mutants"
        else:
            place = str(folder_of(package).relative_to(ROOT))
            count = int(git("rev-list", "--count", f"{score['commit']}..HEAD", "--", place))
            if count > OLD:
                yield f"{package}: {count} commits ago"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("package", nargs="?", help="a folder of plait, as merging or stacks")
    parser.add_argument("--module", nargs="+", help="all mutants of modules or lines, as merging/combine.py:40")
    parser.add_argument("--changed", metavar="REVISION", help="only mutants of lines that differ from this revision")
    parser.add_argument("--old", action="store_true", help="print which scores are older than their packages allow")
    parser.add_argument("--near", action="store_true", help="ask only the tests near each module")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="so many mutants")
    parser.add_argument("--jobs", type=int, default=1, help="so many at a time")
    parser.add_argument("--clock", type=float, default=86_400.0, help="stop after so many seconds of the clock")
    parser.add_argument("--all", action="store_true", help="tell also which test noticed which mutant")
    args = parser.parse_args()
    if args.old:
        print("".join(f"tests/mutants.json: {line}\n" for line in old_scores()), end="")
        return 0
    commit = git("rev-parse", "HEAD")
    seed = seed_of(commit)
    if args.changed:
        found = changed_since(args.changed)
        some = random.Random(seed).sample(found, min(args.sample, len(found)))
        again = [mutant for mutant in listed() if mutant not in some]
        some += random.Random(seed).sample(again, min(AGAIN, len(again)))
    elif args.module:
        some = of_modules(args.module)
    else:
        some = drawn(args.package, seed, args.sample)
    is_kept = args.package and args.sample >= SAMPLE
    if is_kept and json.loads(SCORE.read_text(encoding="utf-8")).get(args.package, {}).get("commit") == commit[:12]:
        print("this commit has its draw already: another one does not replace it")
        return 1
    counts = tried(some, args)
    print(", ".join(f"{counts[word]} {word}" for word in WORDS) + f"; seed {seed}")
    if is_kept:
        keep(args.package, counts, seed, commit)
    return 0


if __name__ == "__main__":
    sys.exit(main())
