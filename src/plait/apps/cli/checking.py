"""`plait doctor --check`: the same questions asked in several ways, and whether the answers are the same.

Each question is a command as a user would run it, in a process of its own; the library is asked in this one. So it is
the repository of whoever asks that is tried, with everything that is special about it.
"""

from __future__ import annotations

from plait.access.ourselves import own_command
from plait.core.diagnostic import Fault
from plait.core.path import format_path
from plait.core.struct import struct
from plait.core.visible import counted
from plait.core.walk import leaves_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from plait.workspace import Workspace

    Question = tuple[str, ...]
    Answer = tuple[int, str, str]

MOST = 8
"""Targets, and components, of which each is asked for in every way."""
LEAVES = 25
"""Values of a target that are explained."""
WAYS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "with what is kept": ((), {}),
    "with what the run before kept": ((), {}),
    "without the native reader": (("--no-cache",), {"PLAIT_NATIVE": "0"}),
    "in two processes": (("--no-cache", "--jobs", "2"), {}),
}
"""Words and variables of each way; each answer must be the one that a run without anything kept gives."""
STACKS = ("describe", "stacks", "--format", "json")


@struct
class AskedTwice:
    """One question asked in two ways."""

    way: str
    question: str
    difference: str
    """Where the answers differ; empty where they do not."""

    def __repr__(self) -> str:
        return f"AskedTwice({self.way}: {self.question} {self.difference or 'the same'})"


class Check:
    """The questions about one folder. What they found is in `made`, in the order in which it was compared."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.made: list[AskedTwice] = []
        self.unsteady: dict[str, None] = {}
        """Questions whose answer is another one each time: with the time or random values in it."""
        self.targets: list[tuple[str, str]] = []
        """The kind and the name of each target that is asked for, a sample."""
        self.of = 0
        """How many targets there are."""

    def find(self) -> Answer:
        """Look for targets; the answer is that of `plait targets`."""
        import json

        status, text, _ = self._run(("targets", "--format", "json"), (), {})
        if status:
            return self._run(("targets",), (), {})
        rows = [(row["kind"], row["name"]) for row in json.loads(text) if "ambiguous" not in row]
        self.of = len(rows)
        self.targets = sample(rows, MOST)
        return status, text, ""

    def ask(self) -> None:
        """Every question in every way of the command line."""
        alone = {target: self._in_all_ways(_render(target), by_jobs=False) for target in self.targets}
        if 1 < len(self.targets) == self.of and not any(status for status, _, _ in alone.values()):
            self._together({target: text for target, (_, text, _) in alone.items() if self._is_steady(_render(target))})
        if any(kind == "stack" for kind, _ in self.targets):
            self._components(self._in_all_ways(STACKS, by_jobs=True))

    def _in_all_ways(self, question: Question, by_jobs: bool) -> Answer:
        """The answer without anything kept, which the answers of all other ways are compared with."""
        plain = self._run(question, ("--no-cache",), {})
        for way, (words, variables) in WAYS.items():
            if by_jobs or "--jobs" not in words:
                self._compare(way, question, plain, self._run(question, words, variables))
        return plain

    def _together(self, alone: dict[tuple[str, str], str]) -> None:
        """All targets in one run, beside each alone."""
        import json

        question = ("render", "--format", "json")
        status, text, error = self._run(question, ("--no-cache",), {})
        answer: dict[str, Any] = json.loads(text) if status == 0 else {}
        for (kind, name), one in alone.items():
            documents = answer.get(name, answer.get(f"{kind}:{name}"))
            both = documents[0] if documents is not None and len(documents) == 1 else documents
            self._add("all targets in one run", question, difference(json.loads(one), error or both, name))

    def _components(self, together: Answer) -> None:
        """Some components alone, beside what all stacks together say of them."""
        import json

        if together[0] != 0 or not self._is_steady(STACKS):
            return
        stacks = json.loads(together[1])
        rows = [
            (stack, name, sections)
            for stack, found in stacks.items()
            for components in found.get("components", {}).values()
            for name, sections in components.items()
            if sum(name in others for others in found["components"].values()) == 1
        ]
        for stack, name, sections in sample(rows, MOST):
            question = ("describe", "component", name, "-s", stack, "--format", "json")
            status, text, error = self._run(question, ("--no-cache",), {})
            alone = json.loads(text) if status == 0 else {}
            both = {key: value for key, value in alone.items() if key in sections}
            of = {key: sections[key] for key in both}
            self._add("one component alone", question, difference(of, both) if both else error or "all of it")

    def library(self, workspace: Workspace) -> None:
        """Values of the targets as the library gives them, beside what it explains about each."""
        targets = workspace.targets()
        for kind, name in self.targets:
            try:
                trees = targets.find(f"{kind}:{name}").labelled()
            except Fault:
                continue  # the command line has told the error, in every way
            for label, tree in sample(list(trees.items()), MOST):
                try:
                    leaves = sample(list(leaves_of(tree.value())), LEAVES)
                except Fault:
                    continue
                for path, value in leaves:
                    place = format_path(path)
                    said = workspace.explain(tree, place).value
                    same = said is not None and repr(said) == repr(value)
                    address = f"{label}:{place}" if label else place
                    self._add("explained", ("explain", address, "--target", name), "" if same else place)

    def _run(self, question: Question, words: Sequence[str], variables: dict[str, str]) -> Answer:
        return own_command((*question, *words), self.folder, variables)

    def _compare(self, way: str, question: Question, plain: Answer, other: Answer) -> None:
        if plain != other and self._run(question, ("--no-cache",), {}) != plain:
            self.unsteady[" ".join(question)] = None
        else:
            self._add(way, question, text_difference(plain, other))

    def _is_steady(self, question: Question) -> bool:
        return " ".join(question) not in self.unsteady

    def _add(self, way: str, question: Iterable[str], difference: str) -> None:
        self.made.append(AskedTwice(way, " ".join(question), difference))

    def lines(self) -> Iterator[str]:
        """What was compared, and what differs."""
        targets = counted(self.of, "target")
        yield f"asked about {targets if self.of == len(self.targets) else f'{len(self.targets)} of {targets}'}"
        ways = list(dict.fromkeys(one.way for one in self.made))
        width = max(map(len, ways), default=0)
        for way in ways:
            answers = [one for one in self.made if one.way == way]
            wrong = [one for one in answers if one.difference]
            how = f"{len(wrong)} not the same" if wrong else "the same"
            yield f"  {way.ljust(width)}  {counted(len(answers), 'answer')}: {how}"
            for one in wrong:
                yield f"    plait {one.question}"
                yield f"      differs at {one.difference}"
        for question in self.unsteady:
            yield f"  not compared, another answer each time (the time, random values): plait {question}"
        differ = sum(bool(one.difference) for one in self.made)
        yield f"{counted(len(self.made), 'answer')} compared, {f'{differ} of them not' if differ else 'all'} the same"

    def data(self) -> dict[str, object]:
        """The same for programs."""
        return {
            "targets": [":".join(target) for target in self.targets],
            "of": self.of,
            "compared": len(self.made),
            "differ": [
                {"way": one.way, "question": one.question, "at": one.difference} for one in self.made if one.difference
            ],
            "unsteady": list(self.unsteady),
        }


def _render(target: tuple[str, str]) -> Question:
    return ("render", ":".join(target), "--format", "json")


def sample(rows: list[Any], most: int) -> list[Any]:
    """Some of many, from the first to the last of them."""
    if len(rows) <= most:
        return rows
    return [rows[at * (len(rows) - 1) // (most - 1)] for at in range(most)]


def text_difference(before: Answer, after: Answer) -> str:
    """Where two answers differ: the first line that does, or how they ended."""
    if before[0] != after[0]:
        return f"the exit status: {before[0]} and {after[0]}"
    for old, new in zip(before[1:], after[1:], strict=True):
        if old != new:
            pairs = enumerate(zip((*old.split("\n"), ""), (*new.split("\n"), ""), strict=False), 1)
            rows = (f"line {at}: {a.strip()} and {b.strip()}" for at, (a, b) in pairs if a != b)
            return next(rows, "the last line")
    return ""


def difference(before: Any, after: Any, path: str = "") -> str:
    """The first path at which two plain values differ; empty where none does."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*before, *(key for key in after if key not in before)]
        found = (difference(before.get(key, ...), after.get(key, ...), f"{path}.{key}".strip(".")) for key in keys)
        return next(filter(None, found), "")
    return "" if before == after and type(before) is type(after) else path or "all of it"
