"""The cases of spiff++: `merge` with its dialect."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError
from plait.core.node import plain_value
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.fronts.spiff.options import SpiffOptions, dialect_of
from plait.notations.dynaml.functions import UNWANTED
from tests.conformance import Skip
from tests.conformance.spiff import same

CALL = re.compile(r"\b(" + "|".join(UNWANTED) + r")\*?\(")


@contextmanager
def folder_of(names: list[str], texts: list[str]) -> Iterator[None]:
    """The texts as files of a folder of their own, from within that folder."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in zip(names, texts, strict=True):
            Path(folder, name).write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def documents(text: str) -> list[Any]:
    """The documents of a text as spiff reads them, without evaluating anything."""
    with folder_of(["expected"], [text.replace("\t", "    ")]):
        front = Spiff(Project("."))
        found = front.project.read("expected", lambda source: front.how(expressions=False))
        return [plain_value(node) for node in found]


def freed(data: Any, places: list[str]) -> Any:
    """Data without what may differ at some places."""
    for place in places:
        at = data
        *steps, last = re.findall(r"[^.\[\]]+", place)
        for step in steps:
            at = at[int(step)] if isinstance(at, list) else at.get(step, {})
        if isinstance(at, dict) and last in at:
            at[last] = "free"
        elif isinstance(at, list) and last.isdecimal() and int(last) < len(at):
            at[int(last)] = "free"
    return data


def merge(case: dict[str, Any], folder: str) -> None:
    texts = [case["template"], *case["stubs"]]
    if any(CALL.search(text) for text in texts):
        raise Skip("a function that plait does not have")
    names = case.get("names") or ["test", *(f"stub{number}.yml" for number in range(1, len(texts)))]
    bindings = [case["bindings"]] if case.get("bindings") else []
    options = SpiffOptions(dialect_of("spiff++", case.get("features") or []))
    said = None
    with folder_of([*names, *(["bindings.yml"] if bindings else [])], [*texts, *bindings]):
        try:
            project = Project(".", guard=Guard(frozenset({"exec"})))
            front = Spiff(project, (), ["bindings.yml"] if bindings else [], options=options)
            found = [plain_value(node) for node in front.merge(names)]
        except PlaitError as trouble:
            said = str(trouble)
    if said is not None:
        assert case.get("error"), f"it fails: {said}"
        return
    assert not case.get("error"), f"it gives {found}"
    expected = documents(case["expected"])
    free = case.get("free") or []
    found, expected = [freed(each, free) for each in found], [freed(each, free) for each in expected]
    found, expected = [each for each in found if each is not None], [each for each in expected if each is not None]
    assert same(found, expected), f"it gives {found}, not {expected}"


KINDS = {"spiffpp/merge": merge}
