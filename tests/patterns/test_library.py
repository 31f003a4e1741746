"""The library does what the command does: decisions, strictness, questions, byte order marks and broken texts."""

from __future__ import annotations

from pathlib import Path

import pytest

import plait
from plait import PlaitError

BASE, FRESH, HERE = "size: 1\nlog: info\n", "size: 2\nlog: warn\n", "size: 3\nlog: info\nmine: 1\n"


def told(made: plait.Regenerated) -> list[tuple[object, ...]]:
    return [(line.path, line.kind, line.old, line.new) for line in made.report]


def test_the_report_is_data() -> None:
    made = plait.regenerate(HERE, FRESH, BASE)
    assert told(made) == [("size", "both", 3, 2), ("log", "updated", "info", "warn"), ("mine", "extra", 1, None)]
    assert [line["who"] for line in made.report] == [None, None, None]


def test_lines_are_decided() -> None:
    assert plait.regenerate(HERE, FRESH, BASE, take=["size", "mine"]).text == "size: 2\nlog: warn\n"
    kept = plait.regenerate(HERE, FRESH, BASE, keep=["size"], accept=["mine"])
    assert [line.kind for line in kept.report] == ["accepted", "updated", "accepted"]
    assert not kept.conflicts


def test_values_are_set_by_path() -> None:
    made = plait.regenerate(HERE, FRESH, BASE, set={"size": 5, "log": "trace"})
    assert made.text == "size: 5\nlog: trace\nmine: 1\n"


def test_strict_raises() -> None:
    with pytest.raises(PlaitError, match="1 conflict; nothing was written"):
        plait.regenerate(HERE, FRESH, BASE, strict=True)
    assert plait.regenerate(HERE, FRESH, BASE, strict=True, keep=["size"]).text.startswith("size: 3\n")


def test_a_record_keeps_decisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = plait.regenerate(HERE, FRESH, BASE, keep=["size"], record="decided.yaml")
    again = plait.regenerate(first.text, FRESH, FRESH, record="decided.yaml")
    assert [(line.path, line.kind) for line in again.report] == [("size", "accepted"), ("mine", "extra")]
    moved = plait.regenerate(first.text, "size: 9\nlog: warn\n", FRESH, record="decided.yaml")
    assert [(line.path, line.kind) for line in moved.report] == [("size", "both"), ("mine", "extra")]


def test_a_byte_order_mark_is_no_content() -> None:
    mark = "\ufeff"
    for sides in ((mark + HERE, FRESH, BASE), (HERE, mark + FRESH, mark + BASE)):
        made = plait.regenerate(*sides)
        assert made.text.removeprefix(mark) == plait.regenerate(HERE, FRESH, BASE).text
        assert made.text.startswith(mark) == sides[0].startswith(mark)
    assert plait.merge3(BASE, mark + HERE, FRESH.replace("2", "1")).text == mark + HERE.replace("info", "warn")


@pytest.mark.parametrize("side", range(3))
def test_broken_yaml_is_an_error(side: int) -> None:
    sides = [HERE, FRESH, BASE]
    sides[side] = "a: [1\nb: }\n"
    with pytest.raises(PlaitError):
        plait.regenerate(*sides)


def test_create_asks_and_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = Path("patterns/app/resources")
    home.mkdir(parents=True)
    (home.parent / "pattern.yaml").write_text(
        "name: app\nversion: 1.0.0\ninputs: {size: {type: integer, default: 1}}\n"
    )
    (home / "app.yaml").write_text("kind: App\nmetadata: {name: one}\nsize: {{ .size }}\nlog: info\n")
    plait.create("app", output="out", record="kept.yaml")
    assert Path("kept.yaml").exists()
    assert not Path("out/.plait-meta.yaml").exists()
    plait.create("app", output="out")
    file = Path("out/app.yaml")
    file.write_text(file.read_text().replace("info", "debug"))
    with pytest.raises(PlaitError, match="--overwrite would discard 1 change"):
        plait.create("app", output="out", overwrite=True)
    assert "debug" in file.read_text()
    kept = plait.create("app", output="out", keep=["log"], set={"size": 4})
    told = [(line.path, line.kind, line.new) for line in kept.report]
    assert told == [("size", "set", 4), ("log", "accepted", "info")]
    made = plait.create("app", output="out", overwrite=True, yes=True)
    assert made["replaced"] == 1
    assert "info" in file.read_text()
