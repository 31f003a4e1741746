"""The law of no silent loss: every scalar in a file that a target reads reaches a result, steers, is overridden at a
place that can be named, or is a finding of lint.

It is tried by changing the text of the scalar: a result that changes with it has it. What changes nothing must be known
to the survey (overridden by a named line, read, steering), or named by a finding at its place or at a key above it. And
a finding which says that nothing reads a value must be true: changing that value changes no result.

The projects are those of the cases and of examples/. The suite takes a sample; `make losses` takes all.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import pytest
import yaml

from plait.core.diagnostic import Fault, PlaitError
from plait.core.node import Node, equal
from plait.fronts.front import World
from plait.report.catalog import NOT_READ_KEY, UNREAD, UNREAD_KEY, UNUSED_LOCAL
from plait.workspace import Workspace
from tests.cases import Case, decoded

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.survey.survey import Fate, Survey

HERE = Path(__file__).parent.parent
ROOTS = ("plait.yaml", "atmos.yaml")
SAMPLE = int(os.environ.get("PLAIT_LOSSES", "40"))
"""One of so many cases, chosen by its name: another case changes nothing for the others."""
FEW = 5
"""How many scalars of a file, in a sample."""
SAYS_UNREAD = {one.code for one in (UNREAD, UNREAD_KEY, NOT_READ_KEY, UNUSED_LOCAL)}
OPEN = {
    "settings: {s: 1}": "a whole section that a stack unsets has no account of what it removed",
    "vars: {stage: section}": "the same, by an override",
    "stated: {or: this}": "what is merged over a function that may not be called, in the example of all functions",
}
"""Lines for which the law does not hold yet, and why."""


class Written(NamedTuple):
    """A scalar in a text, and the places of it and of the keys above it, each a line and a column."""

    start: int
    end: int
    style: str | None
    value: str
    places: tuple[tuple[int, int], ...]

    @property
    def line(self) -> int:
        return self.places[-1][0]


def written(text: str) -> Iterator[Written]:
    """The scalars of a text; empty ones have nothing to lose."""
    documents = [one for one in yaml.compose_all(text, yaml.SafeLoader) if one]
    stack: list[tuple[yaml.Node, tuple[tuple[int, int], ...]]] = [(one, ()) for one in documents]
    seen = set()
    while stack:
        node, above = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode) and (node.value or node.style):
            yield Written(node.start_mark.index, node.end_mark.index, node.style, node.value, (*above, _place(node)))
        elif isinstance(node, yaml.MappingNode):
            stack += [(value, (*above, _place(key))) for key, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            stack += [(item, (*above, _place(item))) for item in node.value]


def _place(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


OTHER = {"true": "false", "false": "true", "null": "other", "~": "other"}


def changed(text: str, one: Written) -> str:
    """The text with another value there."""
    raw = text[one.start : one.end]
    if one.style in ("|", ">"):
        body = raw.rstrip("\n")
        return text[: one.start] + body + "other" + raw[len(body) :] + text[one.end :]
    if one.style is not None:
        return text[: one.end - 1] + "other" + text[one.end - 1 :]
    plain = raw.lower()
    new = OTHER.get(plain) or (str(int(raw) + 1) if raw.isdecimal() and raw[0] != "0" else f"{raw}other")
    return text[: one.start] + new + text[one.end :]


Results = dict[str, dict[object, "Node | tuple[str, ...]"]]


def results(world: World) -> Results:
    """Every document of every target: its value, or what its errors say."""
    found: Results = {}
    for target in world.targets:
        rows = found[target.declaration.address] = {}
        try:
            for document, result in target.results(None, True):
                rows[document] = _result(result)
        except PlaitError as error:
            rows[""] = (str(error),)
    return found


def _result(found: Node | Fault) -> Node | tuple[str, ...]:
    return tuple(one.message for one in found.diagnostics) if isinstance(found, Fault) else found


def are_same(before: Results, after: Results) -> bool:
    if before.keys() != after.keys():
        return False
    for name, documents in before.items():
        if documents.keys() != after[name].keys():
            return False
        for document, one in documents.items():
            other = after[name][document]
            if isinstance(one, tuple) or isinstance(other, tuple):
                if one != other:
                    return False
            elif not equal(one, other):
                return False
    return True


class Project:
    """The targets of a folder, and what is known of the lines of their files."""

    def __init__(self) -> None:
        self.workspace = Workspace(".", cache=False)
        self.workspace.project.guard.comparing = True
        self.survey: Survey = self.workspace.survey()
        self.world = self.survey.world
        self.before = results(self.world)
        self.codes: dict[tuple[str, int, int], set[str]] = {}
        self.files: dict[str, None] = {}
        broken: set[str] = set()
        for target in self.survey.of:
            made = target.made_of()
            found = self.workspace.linted(target)
            for one in found:
                for label in one.labels:
                    place = (os.path.normpath(label.origin.file), label.origin.line, label.origin.column)
                    self.codes.setdefault(place, set()).add(one.code)
            wrong = any(one.severity == "error" for one in found)
            wrong |= any(isinstance(one, tuple) for one in self.before[target.declaration.address].values())
            (broken.update if wrong else self.files.update)(dict.fromkeys(made))  # an error is a finding of its own
        self.files = {name: None for name in self.files if name not in broken and _is_input(name)}

    def losses(self) -> Iterator[str]:
        for file in self.files:
            text = Path(file).read_text(encoding="utf-8")
            try:
                scalars = list(written(text))
            except (yaml.YAMLError, ValueError):
                continue  # a template, which is not YAML yet
            fates = self.survey.fates(file)
            for one in Random(33).sample(scalars, min(FEW, len(scalars))) if SAMPLE > 1 else scalars:
                codes = set().union(*(self.codes.get((os.path.normpath(file), *at), set()) for at in one.places))
                wrong = self._wrong(file, changed(text, one), codes, fates.get(one.line))
                line = text.splitlines()[one.line - 1].strip()
                if wrong and line not in OPEN:
                    yield f"{file}:{one.line}: {line}: {wrong}"

    def _with(self, file: str, text: str) -> World:
        """The same folder with another text, read as if it were the first time: all targets, whatever can differ."""
        project = self.world.project
        other = project.in_tree(project.folder, {os.path.realpath(file): text.encode()}, project)
        return World(other, self.world.catalog, tree=self.world.tree)

    def _wrong(self, file: str, text: str, codes: set[str], fate: Fate | None) -> str:
        try:
            is_lost = are_same(self.before, results(self._with(file, text)))
        except PlaitError:
            is_lost = False
        if not is_lost:
            false = codes & SAYS_UNREAD
            return f"{', '.join(false)} is false: a result changes with it" if false else ""
        named = fate is not None and (fate.wins or fate.read or fate.steers or any(fate.overridden))
        return "" if codes or named else "no result changes with it, and nothing says so"


def _is_input(name: str) -> bool:
    is_yaml = name.endswith((".yaml", ".yml")) and os.path.basename(name) not in ROOTS
    return is_yaml and not name.startswith("..") and os.path.isfile(name)


def folders_of(case: Path, into: Path) -> Iterator[Path]:
    """The projects of a case, or a folder of examples/, below a folder."""
    if case.is_dir():
        files = {str(one.relative_to(case)): one.read_bytes() for one in case.rglob("*") if one.is_file()}
    else:
        files = {name: decoded(text) for name, text in Case(case).files.items()}
    into.mkdir(parents=True)
    for name, data in files.items():
        file = into / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    yield from dict.fromkeys(
        (into, *(into / name for name in {os.path.dirname(n) for n in files if n.endswith(ROOTS)}))
    )


CASES = sorted(HERE.glob("cases/**/*.case"))
EXAMPLES = sorted(one for one in (HERE.parent / "examples").iterdir() if one.is_dir())
CHOSEN = [*EXAMPLES, *(one for one in CASES if crc32(str(one.relative_to(HERE)).encode()) % SAMPLE == 0)]


def test_every_scalar_is_in_a_result_or_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, looked_at = [], 0
    for number, case in enumerate(CHOSEN):
        for folder in folders_of(case, tmp_path / str(number)):
            monkeypatch.chdir(folder)
            try:
                project = Project()
            except PlaitError:
                continue  # it has mistakes in its settings
            looked_at += len(project.files)
            wrong += [f"{case.name} {one}" for one in project.losses()]
    assert looked_at > 10
    assert not wrong, "\n".join(wrong)
