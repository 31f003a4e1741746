"""No style stops a run: a file that somebody formatted gets the data that the plain one gets, in its own style."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import plait
from plait.apps.cli import main
from tests.examples import every
from tests.patterns.documents import changed, documents, text_of
from tests.patterns.styles import restyled
from tests.patterns.test_order import data_of


@pytest.mark.parametrize("first", range(0, 800, 100))
def test_restyled_files_get_the_same_data(first: int) -> None:
    for seed in range(first, first + 100, every(3)):
        chance = random.Random(seed)
        docs = documents(chance)
        fresh = changed(chance, docs, chance.randint(1, 6), moves=False)
        here = changed(chance, docs, 2, moves=False) if seed % 2 else docs
        style, text = restyled(chance, text_of(here))
        made = plait.regenerate(text, text_of(fresh), text_of(docs))
        plain = plait.regenerate(text_of(here), text_of(fresh), text_of(docs))
        assert data_of(made.text) == data_of(plain.text), (seed, style)
        assert made.conflicts == plain.conflicts, (seed, style)
        if style.startswith("JSON"):
            assert all(json.loads(one) for one in made.text.split("---\n")), (seed, style)
        if style == "CRLF":
            assert "\n" not in made.text.replace("\r\n", ""), seed
        assert made.text.startswith("\ufeff") == (style == "a byte order mark"), seed


SHARED = "defaults: &d {a: 1, b: 1}\nkind: A\nmetadata: {name: x}\nsize: 1\nspec:\n  <<: *d\n"


def test_what_cannot_be_edited_stays_and_the_rest_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    other = "---\nkind: B\nmetadata: {name: y}\nsize: 1\n"
    plain = "defaults: {a: 1, b: 1}\nkind: A\nmetadata: {name: x}\nsize: 1\nspec: {a: 1, b: 1}\n"
    for name, text in {
        "old.yaml": plain + other,
        "new.yaml": plain.replace("spec: {a: 1, b: 1}", "spec: {b: 1}") + other.replace("1", "2"),
        "here.yaml": SHARED + other,
    }.items():
        Path(name).write_text(text)
    words = ["regenerate", "--base", "old.yaml", "--fresh", "new.yaml", "here.yaml"]
    assert main(words) == 3
    assert Path("here.yaml").read_text() == SHARED + other.replace("1", "2")
    out = capsys.readouterr().out
    assert "Not updated, because it cannot be edited here (write it by hand):" in out
    assert "- spec.a: remove it at here.yaml:1:18" in out
    assert main([*words, "--format", "json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["status"] == "incomplete"
    assert [entry["path"] for entry in told["report"] if entry["kind"] == "not written"] == ["spec.a"]
