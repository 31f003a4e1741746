"""Random triples of YAML files with block sequences, merged by `plait.merge3` and by `git merge-file`.

Wherever git merges cleanly and gives YAML without duplicate keys, plait must give the same data and no conflict.

`python -m tests.patterns.triples 10000` compares that many clean merges; `--first N` begins at another seed.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

import plait

WORDS = ["alpha", "beta", "gamma", "delta", "one", "two", "'2'", "true", "[a, b]"]


class Unique(yaml.CSafeLoader):
    """Reads YAML and refuses a key that is there twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]  # type: ignore[no-untyped-call]
        if len(set(map(repr, keys))) < len(keys):
            raise yaml.YAMLError("duplicate key")
        return super().construct_mapping(node, deep)


def item(chance: random.Random) -> list[str]:
    """An item as its lines: a word, or a map of several fields, some with comments."""
    if chance.random() < 0.4:
        return [f"- {chance.choice(WORDS)}" + chance.choice(["", "", "   # why"])]
    names = chance.sample(["host", "port", "path", "image", "size"], chance.randint(1, 4))
    fields = [f"{name}: {chance.choice([*WORDS, str(chance.randint(0, 9))])}" for name in names]
    lines = [f"- {fields[0]}", *(f"  {field}" for field in fields[1:])]
    if chance.random() < 0.2:
        lines += ["  more:", f"  - {chance.choice(WORDS)}", f"  - {chance.choice(WORDS)}"]
    return ["# about it", *lines] if chance.random() < 0.15 else lines


def edited(chance: random.Random, items: list[list[str]]) -> list[list[str]]:
    """The same list with a few edits: items inserted, removed, exchanged, or changed in one line."""
    made = [list(one) for one in items]
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(0, len(made))
        what = chance.random()
        if what < 0.35 or not made:
            made.insert(at, item(chance))
        elif what < 0.55:
            made.pop(at - 1)
        elif what < 0.7:
            made[at - 1] = item(chance)
        else:
            lines = made[at - 1]
            line = chance.randrange(len(lines))
            head, colon, _ = lines[line].partition(": ")
            lines[line] = f"{head}: {chance.choice(WORDS)}" if colon else lines[line].rstrip() + "x"
    return made


def triple(seed: int) -> tuple[str, str, str]:
    chance = random.Random(seed)
    items = [item(chance) for _ in range(chance.randint(2, 12))]
    sides = (items, edited(chance, items), edited(chance, items))
    head, tail = chance.choice([("", ""), ("head: 1\nlist:\n", "tail: 2\n")])
    written = ["\n".join(line for one in side for line in one) for side in sides]
    base, ours, theirs = (f"{head}{text}\n{tail}" if text else f"{head}{tail}" for text in written)
    return base, ours, theirs


def of_git(sides: tuple[str, str, str], folder: Path) -> str | None:
    """What git makes of it; None where it finds a conflict."""
    for name, text in zip(("base", "ours", "theirs"), sides, strict=True):
        (folder / name).write_text(text)
    argv = ["git", "merge-file", "-p", "ours", "base", "theirs"]
    run = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else None


def data_of(text: str) -> object:
    """The data of a text; None where it is not YAML, or has a key twice."""
    try:
        return [yaml.load(text, Unique)]
    except yaml.YAMLError:
        return None


def compared(seed: int, folder: Path) -> bool:
    """Whether git merged the triple cleanly; then plait must give the same."""
    sides = triple(seed)
    if any(data_of(side) is None for side in sides):
        return False
    git = of_git(sides, folder)
    wanted = None if git is None else data_of(git)
    merged = plait.merge3(*sides)
    if wanted is None:
        assert merged.conflicts or data_of(merged.text) is not None, f"seed {seed}: no YAML"
        return False
    assert not merged.conflicts, f"seed {seed}: {merged.conflicts}"
    assert data_of(merged.text) == wanted, f"seed {seed}:\n{merged.text}\nis not\n{git}"
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare merges with those of git.")
    parser.add_argument("count", type=int, help="how many clean merges")
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    clean, seed = 0, args.first
    with tempfile.TemporaryDirectory() as folder:
        while clean < args.count:
            clean += compared(seed, Path(folder))
            seed += 1
    print(f"{clean} clean merges of {seed - args.first} triples: the same data as git, and no conflict")
    return 0


if __name__ == "__main__":
    sys.exit(main())
