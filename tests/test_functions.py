"""Every example of plait's own tags does what its declaration says: it can be read, and its function is known. Every
function of dynaml is there in layers, too."""

from __future__ import annotations

from pathlib import Path

import pytest

import plait
from plait.notations.dynaml import listing
from plait.notations.tags import FUNCTIONS, WORDS

SETTING = {"ports.yaml": "web: 80\n", "motd.txt": "hello\n"}
EXPECTED: dict[str, object] = {
    "!ref": "eu",
    "!env": "/srv",
    "!include": 80,
    "!include.raw": "hello\n",
    "!append": [1, "c"],
    "!prepend": ["a", 1],
    "!replace": {"only": "this"},
    "!merge-by": [{"name": "web", "n": 1}],
    "!sensitive": "hunter2",
}
BELOW = {"!append": "[1]", "!prepend": "[1]", "!replace": "{a: 1}", "!merge-by": "[{name: web, n: 1}]", "!unset": "1"}


@pytest.mark.parametrize("tag", [*FUNCTIONS, *WORDS])
def test_example(tag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = (FUNCTIONS.get(tag) or WORDS[tag]).example
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/srv")
    for name, text in SETTING.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "low.yaml").write_text(f"settings: {{region: eu}}\nx: {BELOW.get(tag, 'null')}\n")
    (tmp_path / "high.yaml").write_text(f"x: {example}\n")
    document = plait.merge(["low.yaml", "high.yaml"], allow=["exec"])
    if tag == "!unset":
        assert "x" not in document
    elif tag == "!exec":
        with pytest.raises(plait.PlaitError, match="the command failed"):  # this folder is no repository
            document.value()
    else:
        assert document.value("x") == EXPECTED[tag]


def test_every_function_of_dynaml_has_what_it_asks_for_in_layers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some examples name what is not there: that is an error of theirs, at their line."""
    monkeypatch.chdir(tmp_path)
    examples = [row["example"] for row in listing()]
    (tmp_path / "x.yaml").write_text("".join(f"x{at}: |-\n  {text}\n" for at, text in enumerate(examples)))
    document = plait.merge(["x.yaml"], notations=["dynaml"])
    with pytest.raises(plait.PlaitError) as found:
        document.value()
    codes = {diagnostic.code for diagnostic in found.value.diagnostics}
    assert all(diagnostic.labels for diagnostic in found.value.diagnostics)
    assert "PL3102" in codes, "a reference to nothing"
    assert "PL3108" not in codes, "an unknown function"
