"""Random documents with directives, beside Unfurl itself: what it can expand, plait expands to the same."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError
from plait.fronts.project import Project
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.notations.query.data import plain
from tests.judges import judge, seeds
from tests.judges.drawn_directives import DrawnDocument

SAYS = Path(__file__).with_name("unfurl_says.py")
CYCLE = "PL2104"
"""Unfurl finds only some cycles, and brings in a part of what is named while it is in itself."""


def expanded() -> object:
    """What plait makes of the document; the codes of the errors where it refuses it."""
    try:
        return plain(DirectiveDocument(Project(".", guard=Guard()), "main.yaml").expanded())
    except PlaitError as error:
        return {diagnostic.code for diagnostic in error.diagnostics}


@pytest.fixture(scope="module")
def unfurl() -> Iterator[subprocess.Popen[str]]:
    words = [judge("unfurl/bin/python"), str(SAYS)]
    with subprocess.Popen(words, stdin=-1, stdout=-1, stderr=-3, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.mark.parametrize("first", seeds(20))
def test_documents(first: int, unfurl: subprocess.Popen[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert unfurl.stdin is not None
    assert unfurl.stdout is not None
    for seed in range(first * 25, first * 25 + 25):
        document = DrawnDocument(seed)
        files = document.files
        unfurl.stdin.write(f"{json.dumps(files)}\n")
        unfurl.stdin.flush()
        wanted = json.loads(unfurl.stdout.readline())
        for name, text in files.items():
            Path(name).write_text(text, encoding="utf-8")
        if "refused" in wanted or (wanted["again"] and document.is_relative):
            continue  # what a relative path means changes when Unfurl reads the document again
        assert expanded() in (wanted["found"], {CYCLE}), f"{seed}: {files}"
