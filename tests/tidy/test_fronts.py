"""What `plait tidy` promises, for every front: any part of its plan keeps every result, a second run finds nothing, and
no line goes but those of what was proposed."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from plait.library.data import Data
from plait.tidy.looking import INSIDE
from plait.tidy.proposal import Proposal
from plait.tidy.tidy import ProvedChanges
from plait.workspace import Workspace
from plait.yaml.edits import Delete
from tests.examples import examples
from tests.tidy.repositories import FRONTS

EXAMPLES = examples(2)
INDENT = re.compile(r"[ ]*(?:- )*")


def results(folder: str) -> dict[tuple[str, str], Data | str]:
    """What every target makes, or says instead."""
    found: dict[tuple[str, str], Data | str] = {}
    repository = plait.open(folder)
    for name in repository.targets():
        try:
            for document, one in repository.target(name).documents().items():
                found[name, document] = one.value("")
        except plait.PlaitError as error:
            found[name, ""] = "\n".join(sorted(one.message for one in error.diagnostics))
    return found


def extent(lines: list[str], first: int) -> set[int]:
    """The lines of what begins on a line: those below it that are further to the right, or are its items."""
    item = lines[first].lstrip().startswith("- ")
    depth = spaces(lines[first]) if item else indent(lines[first])
    found = {first}
    for number in range(first + 1, len(lines)):
        line = lines[number]
        is_item = line.lstrip().startswith("- ") and spaces(line) == depth and not item
        if line.strip() and spaces(line) <= depth and not is_item:
            break
        found.add(number)
    return found


def spaces(line: str) -> int:
    return len(line) - len(line.lstrip())


def indent(line: str) -> int:
    found = INDENT.match(line)
    return len(found[0]) if found is not None else 0


def around(lines: list[str], first: int) -> set[int]:
    """The lines of the keys that a line is in, and comments right above it."""
    found, depth = set(), indent(lines[first])
    for number in range(first - 1, -1, -1):
        line = lines[number]
        if line.strip() and (indent(line) < depth or (line.lstrip()[:1] == "-" and indent(line) <= depth)):
            found.add(number)
            depth = indent(line)
    return found | {number for number in range(first) if lines[number].lstrip()[:1] in ("#", "")}


def check_lines(before: str, after: str, proposals: list[Proposal], path: str) -> None:
    """Every line that is gone belongs to a proposal, or to a map of which nothing is left; all others are there, in
    their order. A file of which nothing is left may be an empty map."""
    old, new = before.splitlines(), [line for line in after.splitlines() if line != "{}"]
    allowed: set[int] = set()
    for one in proposals:
        for file, edit in one.edits:
            if file.partition(INSIDE)[0] == path and isinstance(edit, Delete):
                first = line_of(one, edit)
                allowed |= extent(old, first) | around(old, first)
    kept = iter(enumerate(old))
    for line in new:
        for number, text in kept:
            if text == line or took_the_dash(text, line) or (number in allowed and is_shrunk(text, line)):
                break
            assert number in allowed, f"{path}: line {number + 1} is gone: {text!r}\n{before}\n=>\n{after}"
        else:
            raise AssertionError(f"{path}: {line!r} is new\n{before}\n=>\n{after}")
    assert all(number in allowed for number, _ in kept), f"{path}\n{before}\n=>\n{after}"


def took_the_dash(before: str, after: str) -> bool:
    """Whether a key of an item became the first one: the line before it is gone, and has to be allowed to."""
    return after.lstrip().startswith("- ") and after.replace("- ", "  ", 1) == before


def is_shrunk(before: str, after: str) -> bool:
    """Whether a list on one line lost an item."""
    first, last = before.partition("["), after.partition("[")
    items = [one.strip() for one in first[2].rpartition("]")[0].split(",")]
    rest = [one.strip() for one in last[2].rpartition("]")[0].split(",") if one.strip()]
    return first[0] == last[0] and bool(last[1]) and all(one in items for one in rest)


def line_of(one: Proposal, edit: Delete) -> int:
    file = one.file
    value = next(value for value in file.at.values() if (value.number, value.steps) == (edit.document, edit.path))
    spot = file.spot(value)
    assert spot is not None
    return file.source.position(spot.key_span[0] if spot.key_span else spot.value_span[0])[0] - 1


def written(folder: str, found: ProvedChanges, chosen: list[Proposal]) -> None:
    """Write some proposals, and look at every line of every file."""
    before = {path: path.read_text() for path in Path(folder).rglob("*.y*ml")}
    found.write(chosen)
    moving = any(one.kind in ("hoist", "push-down") or "adds the rest" in one.reason for one in chosen)
    for path, text in before.items():
        if path.read_text() != text and not moving:
            check_lines(text, path.read_text(), chosen, os.path.realpath(path))


@pytest.mark.long
@pytest.mark.parametrize("front", FRONTS)
@settings(max_examples=EXAMPLES)
@given(data=st.data(), random=st.randoms(use_true_random=False))
def test_any_part_of_the_plan_keeps_every_result(front: str, data: Any, random: Any) -> None:
    files = data.draw(FRONTS[front])
    with tempfile.TemporaryDirectory() as name:
        for file, text in files.items():
            (Path(name) / file).parent.mkdir(parents=True, exist_ok=True)
            (Path(name) / file).write_text(text)
        before = results(name)
        found = Workspace(name, cache=False).tidying.proposals()
        some = [one for one in found.proposals if random.random() < 0.5]
        if some:
            written(name, found, some)
            assert results(name) == before
        rest = Workspace(name, cache=False).tidying.proposals()
        written(name, rest, rest.proposals)
        assert results(name) == before
        left = Workspace(name, cache=False).tidying.proposals()
        left.write_rounds(left.rounds())
        assert results(name) == before
        assert Workspace(name, cache=False).tidying.proposals().proposals == []
