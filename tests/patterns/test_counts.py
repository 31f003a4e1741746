"""Counts, exit statuses and names are the same in every combination of `--check`, `--dry-run`, `--drift` and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plait.apps.cli import main

PATTERN = """\
name: app
version: 1.0.0
files: {notes.txt: resources/notes.txt, conf.yaml: resources/conf.yaml, plain.yaml: resources/plain.yaml}
"""
FILES = {
    "notes.txt": "one\ntwo\nthree\n",
    "conf.yaml": "kind: Conf\nmetadata: {name: conf}\n# why\nmode: a\nsize: 1\nlist:\n- x\n- y\n",
    "plain.yaml": "v: 1\n---\nw: 1\n",
}
READ_ONLY = (["--check"], ["--dry-run"], ["--check", "--dry-run"])

Edits = list[tuple[str, str, str]]
SITUATIONS: dict[str, tuple[Edits, Edits, dict[str, int], list[str], list[str]]] = {
    # what people edit, what the pattern changes; counts; files that change; what --drift names
    "nothing": ([], [], {}, [], []),
    "an edit": ([("conf.yaml", "size: 1", "size: 2")], [], {}, [], ["size"]),
    "a change": ([], [("plain.yaml", "v: 1", "v: 2")], {"updated": 1}, ["plain.yaml"], []),
    "both, in different places": (
        [("conf.yaml", "- x", "- x1"), ("notes.txt", "one", "ONE")],
        [("conf.yaml", "- y", "- y\n- z"), ("notes.txt", "three", "3")],
        {"updated": 2}, ["conf.yaml", "notes.txt"], ["notes.txt", "list[0]"],
    ),
    "a conflict that leaves the file": (
        [("conf.yaml", "mode: a", "mode: b")], [("conf.yaml", "mode: a", "mode: c")], {"conflicts": 1}, [], ["mode"],
    ),
    "a conflict of lines that leaves the file": (
        [("notes.txt", "two", "TWO")], [("notes.txt", "two", "2")], {"conflicts": 1}, [], ["notes.txt"],
    ),
    "a conflict of items, and a change": (
        [("conf.yaml", "- x", "- x1")], [("conf.yaml", "- x", "- x2"), ("conf.yaml", "size: 1", "size: 3")],
        {"conflicts": 1, "updated": 1}, ["conf.yaml"], ["list[0]"],
    ),
    "a comment": ([], [("conf.yaml", "# why", "# because")], {"updated": 1}, ["conf.yaml"], []),
    "a text for a number": (
        [("plain.yaml", "v: 1", 'v: "1"')], [("plain.yaml", "v: 1", "v: 2")], {"conflicts": 1}, [], ["v"],
    ),
    "a document in the middle": (
        [], [("plain.yaml", "v: 1\n---\n", "v: 1\n---\nm: 1\n---\n")], {"created": 1}, ["plain.yaml"], [],
    ),
}  # fmt: skip


def edit(folder: Path, edits: Edits) -> None:
    for name, old, new in edits:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("name", SITUATIONS)
def test_counts_and_statuses(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    edits, changes, counts, changed, drift = SITUATIONS[name]
    home = tmp_path / "patterns" / "app"
    (home / "resources").mkdir(parents=True)
    (home / "pattern.yaml").write_text(PATTERN)
    for file, text in FILES.items():
        (home / "resources" / file).write_text(text)
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        status = main(["create", "app", *words])
        return status, *capsys.readouterr()

    assert run() == (0, "Created 4 resources in 3 files.\n", "")
    edit(tmp_path, edits)
    edit(home / "resources", changes)
    before, total = files(tmp_path), 4 + counts.get("created", 0)
    wanted = {"totalResources": total, "created": 0, "updated": 0, "deleted": 0, "conflicts": 0, **counts}
    for flags in READ_ONLY:
        status = 3 if changed and "--check" in flags else 0
        found, out, errors = run(*flags)
        assert found == status
        told = out + errors
        if status == 3:
            assert f"not up to date: {', '.join(sorted(changed))}; nothing was written (" in told
        else:
            assert "Nothing was written (" in told
        for form in ("--output", "--format"):
            found, out, _ = run(*flags, form, "json")
            data = json.loads(out)
            assert (found, data["status"]) == (status, "not up to date" if status else "success")
            assert {key: data[key] for key in wanted} == wanted
        assert files(tmp_path) == before
    status, out, _ = run("--drift", "--format", "json")
    assert status == 0
    (one,) = json.loads(out)
    assert [entry["path"] or entry["resource"] for entry in one["changes"]] == drift
    assert files(tmp_path) == before
    status, out, _ = run()
    assert status == 0
    made = counts.get("created", 0) + counts.get("updated", 0)
    assert f"Updated {made} of {total} resources in 3 files." in out or "created" in counts
    after = files(tmp_path)
    assert sorted(file for file in FILES if after[file] != before[file]) == sorted(changed)
    conflicts = json.loads(run("--format", "json")[1])["conflicts"]
    assert conflicts == counts.get("conflicts", 0), "a conflict is reported until it is decided"
    assert files(tmp_path) == after
