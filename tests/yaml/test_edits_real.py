"""Random edits on real files: no wrong byte; thousands with `make laws`.

Files come from the shared folder and from PLAIT_CORPUS.
"""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path

import pytest
import yaml

from plait.core.diagnostic import PlaitError
from plait.core.source import Source
from plait.yaml.files import read_source
from plait.yaml.layout import lay_out
from plait.yaml.patch import apply
from tests.examples import examples
from tests.yaml.editing import check, edits_of, reverse

SHARED = Path(__file__).parents[3] / "shared"
FOLDERS = [SHARED, *filter(None, os.environ.get("PLAIT_CORPUS", "").split(os.pathsep))]
VARIANTS = {
    "as it is": lambda text: text,
    "CRLF": lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"),
    "no final line end": lambda text: text.rstrip("\r\n"),
}

EDITS = min(examples(1), 20)
"""Edits of each text in each variant."""


@cache
def real_texts() -> list[str]:
    """The texts of all files that are YAML and not huge, and of the documents that the conformance cases hold."""
    texts = []
    for folder in FOLDERS:
        for path in sorted(Path(folder).rglob("*.y*ml")):
            try:
                source = read_source(str(path), size_limit=60_000)
                lay_out(source)
            except PlaitError:
                continue
            texts.append(source.text)
    return [*texts, *embedded()]


def embedded(most: int = 250) -> list[str]:
    """Documents that people wrote into the conformance cases: templates, stubs, manifests."""
    found: list[str] = []
    for path in sorted(SHARED.glob("conformance/*/cases-*.yaml")):
        stack: list[object] = [yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)]
        mine: list[str] = []
        while stack:
            value = stack.pop()
            if isinstance(value, dict | list):
                stack.extend(value.values() if isinstance(value, dict) else value)
            elif isinstance(value, str) and value.count("\n") > 4 and is_document(value):
                mine.append(value)
        found += mine[:: max(1, len(mine) // (most // 4))]
    return found[:most]


def is_document(text: str) -> bool:
    try:
        return any(layout.kinds and layout.is_container(0) for layout in lay_out(Source("x", text)))
    except PlaitError:
        return False


@pytest.mark.long
@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not here")
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_edits(variant: str) -> None:
    made = back = 0
    for original in real_texts():
        rng = random.Random(variant + original)  # the same edits of a text, whatever other files there are
        text = VARIANTS[variant](original)
        for edit, layout in edits_of(text, rng, EDITS):
            new = check(text, edit, layout)
            if new is None:
                continue
            made += 1
            undo = reverse(text, edit, layout)
            if undo is not None and new.endswith(("\n", "\r")) == text.endswith(("\n", "\r")):
                undo.document = edit.document
                assert apply(new, [undo]) == text
                back += 1
    assert len(real_texts()) > 300
    assert made > 280 * EDITS
    assert back > 110 * EDITS


@pytest.mark.long
@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not here")
def test_random_edits_together() -> None:
    made = 0
    for text in real_texts():
        rng = random.Random(text)
        for count in (3, 5):
            edits = [edit for edit, _ in edits_of(text, rng, count)]
            try:
                apply(Source("x", text), edits)
            except PlaitError as trouble:
                if trouble.diagnostics[0].code not in ("PL1301", "PL1302", "PL1304"):
                    raise
            else:
                made += len(edits)
    assert made > 200
