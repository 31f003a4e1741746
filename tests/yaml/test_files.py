"""Files to text: what is read, and what is refused with which words."""

from __future__ import annotations

import io
import os
import sys
from bisect import bisect_right
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.source import Source
from plait.report.render import render_one
from plait.yaml.files import decode, read_source
from tests.examples import examples

TEXT = "name: Zoë\nsign: 🎈\n"
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]


def refusal(path: Path | str, **options: int) -> str:
    with pytest.raises(PlaitError) as caught:
        read_source(str(path), **options)
    return render_one(caught.value.diagnostics[0])


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.yaml").write_bytes(TEXT.encode(encoding))
    assert read_source(str(tmp_path / "a.yaml")).text == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_an_encoding_without_a_mark_is_told_by_the_ascii_letters_among_its_first_sixteen(encoding: str) -> None:
    """More than three of four; what comes later says nothing."""
    width = 2 if "16" in encoding else 4
    most, rest = 64 // width, "é日本" * 30
    written = "a" + "日" * (most // 4 - 1) + "b" * (most - most // 4)
    assert decode("x", (written + rest).encode(encoding)).text == written + rest
    if width == 2:  # a third of the bytes of other letters is filled where there are four
        with pytest.raises(PlaitError):
            decode("x", (written.replace("b", "日", 1) + rest).encode(encoding))


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")))
def test_any_text_is_read_as_it_was_written(text: str) -> None:
    assert decode("x", text.encode()).text == text.removeprefix("\ufeff")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a: 1\n")))
    source = read_source("-")
    assert (source.name, source.text) == ("<stdin>", "a: 1\n")


def test_standard_input_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a: 1\n")))
    assert "`<stdin>` is larger than 3 bytes" in refusal("-", size_limit=3)


def test_missing_file_with_near_names(tmp_path: Path) -> None:
    (tmp_path / "prod.yaml").write_text("")
    assert refusal(tmp_path / "prdo.yaml") == (
        f"error PL1001: file not found: `{tmp_path}/prdo.yaml`\n  did you mean `{tmp_path}/prod.yaml`?\n"
    )
    assert "has a similar name" in refusal(tmp_path / "entirely-different")
    assert f"folder not found: `{tmp_path}/nowhere`" in refusal(tmp_path / "nowhere" / "prod.yaml")


def test_folder(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"error PL1002: `{tmp_path}` is a folder\n  name the files in it\n"


def test_path_through_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    assert "Not a directory" in refusal(tmp_path / "a" / "b")


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)  # root may read everything
    assert "PL1003: cannot read `x.yaml`: no permission" in refusal("x.yaml")


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_a_name_that_no_file_can_have(name: str) -> None:
    assert "no file can have this name" in refusal(name)


def test_large_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(tmp_path / "big.yaml", "wb") as file:
        file.truncate(1 << 40)
    monkeypatch.setattr(os, "read", None)
    assert refusal(tmp_path / "big.yaml") == (
        f"error PL5003: `{tmp_path}/big.yaml` is larger than 64 MB\n  --max-size raises the limit\n"
    )


def test_endless_devices_are_cut() -> None:
    assert "`/dev/zero` is larger than 1 MB" in refusal("/dev/zero", size_limit=1 << 20)


@pytest.mark.parametrize(
    ("data", "place", "what"),
    [
        (b"a: 1\nb: \x00\n", "2:4", "a NUL byte"),
        (b"a: \x07\n", "1:4", "the control character U+0007"),
        (b"a: \x7f\n", "1:4", "the control character U+007F"),
        ("é: \x9b\n".encode(), "1:4", "the control character U+009B"),
        ("a: \uffff\n".encode(), "1:4", "U+FFFF (not a character)"),
        ("a: \x01\n".encode("utf-16"), "1:4", "the control character U+0001"),
        (b"PK\x03\x04\x00\x00", "1:3", "the control character U+0003"),
    ],
)
def test_characters_that_yaml_forbids(data: bytes, place: str, what: str) -> None:
    with pytest.raises(PlaitError) as caught:
        decode("x.yaml", data)
    text = render_one(caught.value.diagnostics[0])
    assert text.startswith(f"error PL1004: `x.yaml` is not a text file: it contains {what}\n  x.yaml:{place}\n")


@pytest.mark.parametrize(
    ("data", "place", "why"),
    [
        ("é: ok\nb: ".encode() + b"caf\xe9\n", "2:7", "byte 0xe9 at offset 13 is not valid UTF-8"),
        (b"\xff\xfea\x00\x00\xd8", "1:2", "byte 0x00 at offset 2 is not valid UTF-16"),
        (b"\xff\xfea", "1:1", "byte 0x61 at offset 0 is not valid UTF-16"),
    ],
)
def test_bad_encoding(data: bytes, place: str, why: str) -> None:
    with pytest.raises(PlaitError) as caught:
        decode("x.yaml", data)
    text = render_one(caught.value.diagnostics[0])
    assert text.startswith(f"error PL1004: `x.yaml` is not a text file: {why}\n  x.yaml:{place}\n")


def grow_while_reading(monkeypatch: pytest.MonkeyPatch, path: Path, times: int) -> list[int]:
    """Somebody appends to the file each of the first `times` times it is read."""
    reads: list[int] = []
    read = os.read

    def reading(handle: int, most: int) -> bytes:
        data = read(handle, most)
        reads.append(len(data))
        if len(reads) <= times:
            with path.open("a") as file:
                file.write("b: 2\n")
        return data

    monkeypatch.setattr(os, "read", reading)
    return reads


def test_a_file_that_changes_once_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    grow_while_reading(monkeypatch, path, 1)
    assert read_source(str(path)).text == "a: 1\nb: 2\n"


def test_a_file_that_keeps_changing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    grow_while_reading(monkeypatch, path, 100)
    assert "changed while it was being read\n  another process is writing to it; try again\n" in refusal(path)


@given(st.text(alphabet="a\r\n ", max_size=30), st.integers(0, 30))
@settings(max_examples=examples(35))
def test_a_line_is_the_same_whether_one_place_or_all_lines_were_looked_for(text: str, at: int) -> None:
    asked, all_lines = Source("x", text), Source("x", text)
    row = bisect_right(all_lines.starts, min(at, len(text)))
    assert asked.position(min(at, len(text)))[0] == row
    assert asked.line(row) == all_lines.line(row)
