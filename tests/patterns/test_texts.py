"""What happens to the text: line ends, byte order marks, anchors, comments inside new fields, documents in the
middle."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from plait.apps.cli import main
from plait.fronts.patterns.resources import _separators
from plait.yaml.emit import emit
from tests.examples import examples
from tests.patterns.test_threeway import DOCUMENTS, node_of

BOTH = "kind: A\nmetadata: {name: x}\nv: 1\n"


@settings(max_examples=examples(10), deadline=None)
@given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
def test_the_second_run_changes_no_byte(base: object, existing: object, fresh: object) -> None:
    """Whatever the first run made of the text, with a record or without, the next one leaves it alone."""
    here, new = emit(node_of(existing)), emit(node_of(fresh))
    for before in (None, emit(node_of(base))):
        first = plait.regenerate(here, new, before)
        second = plait.regenerate(first.text, new, new)
        assert second.text == first.text
        assert second.conflicts == 0


@settings(max_examples=examples(35), deadline=None)
@given(st.lists(st.sampled_from(["---", "-", "\n", "\n---", "a", " ", "\r", "\t", "----"]), max_size=9).map("".join))
def test_separators_are_found_where_a_pattern_finds_them(text: str) -> None:
    found = re.finditer(r"^---(?=[ \t\r\n]|\Z)", text, re.M)
    assert list(_separators(text)) == [one.start() for one in found]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_new_document_has_the_line_ends_of_the_file(end: str) -> None:
    found = plait.regenerate(BOTH.replace("\n", end), f"{BOTH}w: 2\n---\nkind: B\nmetadata: {{name: y}}\n")
    assert found.text == f"{BOTH}w: 2\n---\nkind: B\nmetadata: {{name: y}}\n".replace("\n", end)


def test_a_file_without_a_last_line_end_gets_one_before_a_new_document() -> None:
    found = plait.regenerate(
        "kind: A\nmetadata: {name: x}", "kind: A\nmetadata: {name: x}\n---\nkind: B\nmetadata: {name: y}\n"
    )
    assert found.text == "kind: A\nmetadata: {name: x}\n---\nkind: B\nmetadata: {name: y}\n"


def test_only_the_document_that_changes_is_touched() -> None:
    before = (
        "# head\n--- # one\nkind: A\nmetadata: {name: x}\nv:   1\n...\n---\n\nkind: B\nmetadata: {name: "
        "y}\nv: 1 # keep\n--- \n# nothing\n"
    )
    found = plait.regenerate(before, "kind: B\nmetadata: {name: y}\nv: 2\n", "kind: B\nmetadata: {name: y}\nv: 1\n")
    assert found.text == before.replace("v: 1 # keep", "v: 2 # keep")


def test_an_alias_is_changed_where_it_is_seen_only() -> None:
    before = "base: &b {x: 1, y: 1}\none: *b\ntwo: *b\n"
    found = plait.regenerate(
        before,
        "base: {x: 1, y: 1}\none: {x: 2, y: 1}\ntwo: {x: 1, y: 1}\n",
        "base: {x: 1, y: 1}\none: {x: 1, y: 1}\ntwo: {x: 1, y: 1}\n",
    )
    assert found.text.splitlines()[0] == "base: &b {x: 1, y: 1}"
    assert found.text.splitlines()[-1] == "two: *b"
    again = plait.regenerate(found.text, "base: {x: 1, y: 1}\none: {x: 2, y: 1}\ntwo: {x: 1, y: 1}\n")
    assert again.entries == []


def test_a_new_map_brings_its_comments_and_its_style() -> None:
    fresh = (
        "a: 1\n# why b\nb: # beside b\n  # why c\n  c: 'x'   # beside c\n  d: {e: [1, 2]}\n  f:\n  - "
        "1\n  # last\nz: |\n  text\n"
    )
    found = plait.regenerate("a: 1\n", fresh)
    assert "# why b\nb:  # beside b\n" in found.text
    assert "  # why c\n  c: 'x'   # beside c\n  d: {e: [1, 2]}\n  f:\n  - 1\n" in found.text
    assert found.text.endswith("z: |\n  text\n")
    assert plait.regenerate(found.text, fresh).entries == []


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_the_encoding_stays(mark: bytes, tmp_path: Path) -> None:
    here, fresh, base = tmp_path / "here.yaml", tmp_path / "fresh.yaml", tmp_path / "base.yaml"
    here.write_bytes(mark + "a: ü\nb: 1\n".encode())
    fresh.write_text("a: ü\nb: 2\n")
    base.write_text("a: ü\nb: 1\n")
    assert main(["regenerate", "--base", str(base), "--fresh", str(fresh), str(here), "--output", "json"]) == 0
    assert here.read_bytes() == mark + "a: ü\nb: 2\n".encode()


def test_utf_16_stays_utf_16(tmp_path: Path) -> None:
    here, fresh = tmp_path / "here.yaml", tmp_path / "fresh.yaml"
    here.write_bytes("a: ü\n".encode("utf-16"))
    fresh.write_text("a: ü\nb: 2\n")
    assert main(["regenerate", "--fresh", str(fresh), str(here), "--output", "json"]) == 0
    assert here.read_bytes().decode("utf-16") == "a: ü\nb: 2\n"


def test_a_folder_is_regenerated_as_a_whole(tmp_path: Path) -> None:
    for side, value in (("old", 1), ("new", 2), ("here", 1)):
        (tmp_path / side).mkdir()
        for name in ("a", "b"):
            (tmp_path / side / f"{name}.yaml").write_text(f"v: {value}\n")
    (tmp_path / "here" / "b.yaml").write_text("v: 9\n")
    (tmp_path / "new" / "c.yaml").write_text("v: 3\n")
    words = [
        "regenerate",
        "--base",
        str(tmp_path / "old"),
        "--fresh",
        str(tmp_path / "new"),
        str(tmp_path / "here"),
        "--output",
        "json",
    ]
    assert main(words) == 0
    assert {path.name: path.read_text() for path in (tmp_path / "here").iterdir()} == {
        "a.yaml": "v: 2\n",
        "b.yaml": "v: 9\n",
        "c.yaml": "v: 3\n",
    }
