"""Random histories of files as people write them: lists without keys, comments, and files that are not YAML.

In each round the author of a pattern changes what it generates, somebody edits the files, and the pattern is created
again. What must come of it is told by git, which knows nothing of plait: a text is what `git merge-file --ours` gives,
and a conflict is reported where git finds one; a YAML file has the data that git gives wherever git merges cleanly.
What nobody touched keeps its bytes. A conflict is reported until it is decided: with `--keep` nothing changes,
with `--take` a text is what `git merge-file --theirs` gives, if no line of it is there twice: else it is open which of
them a side changed, and the run that decides may see it otherwise than the run that found the conflict.

`python -m tests.patterns.written 10000` runs that many histories; `--first N` begins at another seed.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from plait.workspace import Workspace
from tests.patterns.seeds import Broken, own_folder, run_seeds
from tests.patterns.triples import data_of, edited, item

ROUNDS = 4
HEAD, TAIL = "kind: Conf\nmetadata:\n  name: conf\nlist:\n", "tail: 1\n"
NOTES, CONF = "notes.txt", "conf.yaml"
FILES = "files: {notes.txt: resources/notes.txt, conf.yaml: resources/conf.yaml}\n"
SEEN: Counter[str] = Counter()
"""How often each law was asked for."""

Items = list[list[str]]


def conf_of(items: Items) -> str:
    return HEAD + "".join(f"{line}\n" for one in items for line in one) + TAIL


def items_of(text: str) -> Items:
    """The items of the list of a file, each as its lines, with the comments above it."""
    items: Items = [[]]
    for line in text.removeprefix(HEAD).removesuffix(TAIL).splitlines():
        if items[-1] and not items[-1][-1].startswith("#") and line.startswith(("- ", "#")):
            items.append([])
        items[-1].append(line)
    return [one for one in items if one]


def other_items(chance: random.Random, items: Items) -> Items:
    """The same items with some edits that leave the file YAML."""
    for _ in range(20):
        made = edited(chance, items)
        if made and data_of(conf_of(made)) is not None:
            return made
    return items


def line(chance: random.Random) -> str:
    return " ".join(chance.choice(["run", "stop", "set", "x"]) for _ in range(chance.randint(1, 3)))


def other_lines(chance: random.Random, lines: list[str]) -> list[str]:
    made = list(lines)
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(0, len(made))
        made[at : at + chance.randint(0, 1)] = [line(chance) for _ in range(chance.choice([0, 1, 1, 2]))]
    return made or ["end"]


def distinct(text: str) -> bool:
    lines = text.splitlines()
    return len(set(lines)) == len(lines)


def text_of(lines: list[str]) -> str:
    return "".join(f"{one}\n" for one in lines)


def same_but_for_new(found: Any, wanted: Any, *sides: Any) -> bool:
    """Whether two results differ only in which of two new items at one place comes first, that of here or that of the
    pattern: git goes by lines, and a comment between them decides."""
    lists = [list(map(repr, data[0].pop("list"))) for data in (found, wanted, *sides)]
    kept = [[[one for one in made if one in side] for made in lists[:2]] for side in lists[2:]]
    return found == wanted and sorted(lists[0]) == sorted(lists[1]) and all(a == b for a, b in kept)


def neighbours(items: Items) -> dict[tuple[str, ...], tuple[list[str], list[str]]]:
    """Each item with the ones before and after it."""
    around = zip([[], *items], items, [*items[1:], []], strict=False)
    return {tuple(one): (before, after) for before, one, after in around}


class WrittenHistory:
    """Some rounds of a pattern with a YAML file and a text."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = chance = random.Random(seed)
        self.folder = folder
        self.items: Items = []
        while not self.items or data_of(conf_of(self.items)) is None:
            self.items = [item(chance) for _ in range(chance.randint(2, 9))]
        self.lines = [line(chance) for _ in range(chance.randint(2, 9))]
        self.version = 0
        self.round = 0

    @property
    def fresh(self) -> dict[str, str]:
        return {CONF: conf_of(self.items), NOTES: text_of(self.lines)}

    def run(self) -> None:
        base = self.fresh
        self.create()
        if self.files() != base:
            raise Broken("the first run did not write what is generated")
        for self.round in range(1, ROUNDS + 1):
            if self.chance.random() < 0.75:
                self.items = other_items(self.chance, self.items)
                self.lines = other_lines(self.chance, self.lines)
            if self.chance.random() < 0.75:
                self.edit()
            here = self.files()
            self.check(base, here, self.create())
            base = self.fresh

    def edit(self) -> None:
        """What somebody does to the files."""
        here = self.files()
        items = items_of(here[CONF])
        self.write("out", CONF, conf_of(other_items(self.chance, items)) if items else here[CONF])
        self.write("out", NOTES, text_of(other_lines(self.chance, here[NOTES].splitlines())))

    def files(self) -> dict[str, str]:
        return {name: (self.folder / "out" / name).read_text() for name in (CONF, NOTES)}

    def write(self, where: str, name: str, text: str) -> None:
        path = self.folder / where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def create(self, **decided: list[str]) -> set[str]:
        """One run; the names of the conflicts that it reports."""
        self.version += 1
        self.write("patterns/app", "pattern.yaml", f"name: app\nversion: {self.version}.0.0\n{FILES}")
        for name, text in self.fresh.items():
            self.write("patterns/app/resources", name, text)
        patterns = Workspace().patterns
        declared = patterns.pattern("app", [str(self.folder / "patterns")])
        planned = patterns.create(declared, type("Options", (), decided)(), {}, str(self.folder / "out"))
        planned.write()
        return {one.name for one in planned.plan.lines if one.conflict}

    # The laws

    def check(self, base: dict[str, str], here: dict[str, str], conflicts: set[str]) -> None:
        after, fresh = self.files(), self.fresh
        sides = {name: (base[name], here[name], fresh[name]) for name in here}
        self.check_text(sides[NOTES], after[NOTES], {name for name in conflicts if name.startswith(NOTES)})
        self.check_yaml(sides[CONF], after[CONF], {name for name in conflicts if not name.startswith(NOTES)})
        if conflicts:
            SEEN["conflicts that are reported until they are decided"] += 1
            again = self.create()
            self.equal(again, conflicts, "the conflicts of the second run")
            self.equal(self.files(), after, "the files after the second run")
            self.decide(sides[NOTES], after, again)

    def decide(self, notes: tuple[str, str, str], before: dict[str, str], conflicts: set[str]) -> None:
        """Every conflict one way or the other; then there is none."""
        action = self.chance.choice(["take", "keep"])
        SEEN[f"conflicts decided with --{action}"] += 1
        self.equal(self.create(**{action: sorted(conflicts)}), set(), f"the conflicts after --{action}")
        after = self.files()
        if action == "keep":
            self.equal(after, before, "the files after --keep")
        elif any(name.startswith(NOTES) for name in conflicts) and all(map(distinct, notes)):
            SEEN["texts in conflict that are taken"] += 1
            self.equal(after[NOTES], self.of_git(notes, "--theirs")[0], "the text after --take")
        self.equal(self.create(), set(), "the conflicts of the run after the decision")
        self.equal(self.files(), after, "the files of the run after the decision")

    def check_text(self, sides: tuple[str, str, str], after: str, conflicts: set[str]) -> None:
        wanted, clean = self.of_git(sides, "--ours")
        SEEN["texts that git merges" if clean else "texts in conflict"] += 1
        self.equal(after, wanted, "the text")
        self.equal(bool(conflicts), not clean, "whether a conflict of the text is reported")

    def check_yaml(self, sides: tuple[str, str, str], after: str, conflicts: set[str]) -> None:
        base, here, fresh = sides
        found = data_of(after)
        if found is None:
            raise Broken(f"no YAML:\n{after}")
        merged, clean = self.of_git(sides, "--ours")
        if fresh == base or here == fresh:
            SEEN["files that stay as they are"] += 1
            self.equal((after, conflicts), (here, set()), "a file that the pattern did not change")
        elif clean and data_of(merged) is not None:
            SEEN["files that git merges"] += 1
            wanted = data_of(merged)
            self.equal(conflicts, set(), "the conflicts of a file that git merges")
            if found != wanted and not same_but_for_new(found, wanted, data_of(here), data_of(fresh)):
                self.equal(found, wanted, f"the data of {after}")
        else:
            SEEN["files that git does not merge"] += 1
        self.check_untouched(sides, after)

    def check_untouched(self, sides: tuple[str, str, str], after: str) -> None:
        """Items that are on all sides, between the same ones, with no other that has the same data: with every byte,
        comments included."""
        items = [items_of(side) for side in sides]
        between = [neighbours(side) for side in items]
        counts = [Counter(map(tuple, side)) for side in items]
        alike = [Counter(repr(data_of(text_of(one))) for one in side) for side in items]
        for one in counts[0]:
            data = repr(data_of(text_of(list(one))))
            once = all(count[one] == known[data] == 1 for count, known in zip(counts, alike, strict=True))
            if once and all(side[one] == between[0][one] for side in between):
                SEEN["items that nobody touched"] += 1
                if f"\n{text_of(list(one))}" not in f"\n{after}":
                    raise Broken(f"an item that nobody touched was changed: {one}\nin\n{after}")

    def of_git(self, sides: tuple[str, str, str], favour: str) -> tuple[str, bool]:
        """The merged text, and whether there was no conflict."""
        for name, text in zip(("base", "ours", "theirs"), sides, strict=True):
            (self.folder / name).write_text(text)
        argv = ["git", "merge-file", "-p", "-q", "ours", "base", "theirs"]
        clean = subprocess.run(argv, cwd=self.folder, capture_output=True, text=True, check=False)
        if clean.returncode == 0:
            return clean.stdout, True
        argv.insert(2, favour)
        return subprocess.run(argv, cwd=self.folder, capture_output=True, text=True, check=True).stdout, False

    def equal(self, found: object, wanted: object, what: str) -> None:
        if found != wanted:
            raise Broken(f"{what}:\n{found}\nshould be\n{wanted}")


def run_history(seed: int) -> None:
    """One history; the seed is in the error."""
    with own_folder() as folder:
        history = WrittenHistory(seed, folder)
        try:
            history.run()
        except Exception as error:
            raise Broken(f"seed {seed}, round {history.round}: {error}") from error


def main() -> int:
    status = run_seeds(f"histories of texts with {ROUNDS} rounds", run_history)
    for what, times in SEEN.most_common():
        print(f"  {times:>8,}  {what}")
    return status


if __name__ == "__main__":
    sys.exit(main())
