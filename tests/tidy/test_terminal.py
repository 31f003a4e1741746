"""`plait tidy --interactive` on a terminal: each change is asked for, with an answer that says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal import answering

FILES = {
    "plait.yaml": "targets:\n- {name: dev, layers: [base.yaml, dev.yaml]}\n",
    "base.yaml": "a: 1\nb: 2\nc: 3\n",
    "dev.yaml": "a: 1\nb: 2\nc: 3\nd: 4\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("y\nn\ny\n", "b: 2\nd: 4\n"),
        ("n\na\n", "a: 1\nd: 4\n"),
        ("yes\nq\n", "b: 2\nc: 3\nd: 4\n"),
        ("n\nn\n\n", FILES["dev.yaml"]),
        ("q\n", FILES["dev.yaml"]),
        ("yep\ny\nno\nA\n", "b: 2\nd: 4\n"),
    ],
)
def test_each_change_is_asked_for(folder: Path, typed: str, left: str) -> None:
    status, shown = answering(folder, typed.encode(), "tidy", "--interactive")
    assert status == 0, shown
    assert (folder / "dev.yaml").read_text() == left
    assert (folder / "base.yaml").read_text() == FILES["base.yaml"]
    assert ("nothing was written" in shown) is (left == FILES["dev.yaml"])


def test_what_is_no_answer_is_asked_again(folder: Path) -> None:
    shown = answering(folder, b"ja\nq\n", "tidy", "--interactive")[1]
    assert "`ja` is not an answer: type y, n, a, q or w" in shown
    assert shown.count("dev.yaml:1    a: 1    redundant: base.yaml:1 sets the same") == 3, "listed, and asked twice"


def test_why_shows_the_lines_and_the_targets(folder: Path) -> None:
    shown = answering(folder, b"w\nn\nq\n", "tidy", "--interactive")[1]
    assert "-a: 1" in shown
    assert "proved: every result of 1 target stays: dev" in shown
    assert shown.count("dev.yaml:1    a: 1    redundant: base.yaml:1 sets the same") == 3, "listed, and asked twice"
    assert (folder / "dev.yaml").read_text() == FILES["dev.yaml"]
