"""Answers about layers, templates, documents and targets: when they are kept, and when not."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import plait.apps.cli.command
import plait.workspace
from plait.workspace import Workspace
from tests.keeping.commands import Outcome, answers, run_here

FILES = {
    "base.yaml": "a: 1\nb: {x: 1}\n",
    "prod.yaml": "b: {y: !env WHERE nowhere}\nc: !include part.yaml\n",
    "part.yaml": "p: 1\n",
    "template.yml": "a: (( merge ))\nb: (( a ))\n",
    "stub.yml": "a: 3\n",
    "main.yaml": "+include: part.yaml\nq: {+/r: }\nr: {s: 1}\n",
    "plait.yaml": "targets:\n- {name: all, layers: ['*od.yaml', base.yaml]}\n- {name: made, pattern: queue}\n",
    "patterns/queue/pattern.yaml": "name: queue\nversion: 1.0.0\ninputs: {size: {type: integer, default: 2}}\n",
    "patterns/queue/resources/queue.yaml": "kind: Queue\nmetadata: {name: q}\nspec: {size: {{ .size }}}\n",
}
LAYERS = ("base.yaml", "prod.yaml")
MERGE = ("merge", *LAYERS)
COMMANDS = [
    MERGE,
    ("merge", "--target", "all"),
    ("merge", "--target", "made"),
    ("explain", "b.y", *LAYERS),
    ("blame", *LAYERS),
    ("layers", *LAYERS),
    ("why-not", "a", "base.yaml", *LAYERS),
    ("lint", *LAYERS),
    ("get", "base.yaml", "b"),
    ("diff", *LAYERS),
    ("spiff", "merge", "template.yml", "stub.yml"),
    ("spiff", "diff", "template.yml", "stub.yml"),
    ("expand", "main.yaml"),
    ("query", "r::s", "main.yaml"),
    ("merge", "base.yaml", "prodd.yaml"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(plait.apps.cli.command, "TINY", -1)
    monkeypatch.setattr(plait.workspace, "WORTHWHILE", 0)
    place = tmp_path / "project"
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[Workspace]:
    """The workspaces that something was computed in."""
    found: list[Workspace] = []
    close = Workspace.close

    def counted(self: Workspace) -> None:
        found.append(self)
        close(self)

    monkeypatch.setattr(Workspace, "close", counted)
    return found


def is_computed(computed: list[Workspace], *words: str) -> bool:
    """Whether a command computes; in any case it prints what a fresh run prints."""
    before = len(computed)
    found = run_here(*words)
    again = len(computed) > before
    assert found == run_here(*words, "--no-cache")
    return again


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_an_answer_is_computed_once(folder: Path, computed: list[Workspace], words: tuple[str, ...]) -> None:
    first = run_here(*words)
    assert len(computed) == 1
    assert run_here(*words) == first == run_here(*words)
    assert len(computed) == 1
    assert run_here(*words, "--no-cache") == first


@pytest.fixture
def opened() -> Iterator[set[str]]:
    """The names of the files that this process opens."""
    found: set[str] = set()
    watching = True

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event == "open" and isinstance(arguments[0], str):
            found.add(os.path.basename(arguments[0]))

    sys.addaudithook(hook)
    yield found
    watching = False


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_whatever_is_opened_is_in_the_trace(
    folder: Path, computed: list[Workspace], opened: set[str], words: tuple[str, ...]
) -> None:
    files = {os.path.basename(name) for name in FILES}
    run_here(*words)
    trace = computed[0].project.trace
    assert opened & files <= {os.path.basename(name) for name in trace.files}
    assert opened & files


def test_whatever_an_answer_was_made_of_makes_it_compute_again(
    folder: Path, computed: list[Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("merge", "--target", "all")
    assert is_computed(computed, *words)
    assert not is_computed(computed, *words)
    (folder / "prod.yaml").touch()
    (folder / "unrelated.txt").write_text("x", encoding="utf-8")
    run_here(*words)  # the folder that the glob lists has changed
    assert not is_computed(computed, *words)
    for name, text in (("part.yaml", "p: 2\n"), ("mod.yaml", "m: 1\n"), ("plait.yaml", FILES["plait.yaml"] + "\n")):
        (folder / name).write_text(text, encoding="utf-8")
        assert is_computed(computed, *words), name
    monkeypatch.setenv("WHERE", "here")
    assert is_computed(computed, *words)
    (folder / "mod.yaml").unlink()
    assert is_computed(computed, *words)
    assert not is_computed(computed, *words)


def fed(monkeypatch: pytest.MonkeyPatch, text: str) -> Outcome:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return run_here("merge", "base.yaml", "-")


def test_standard_input_is_read_each_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "z: 1" in fed(monkeypatch, "z: 1\n")[1]
    assert "z: 2" in fed(monkeypatch, "z: 2\n")[1]
    assert answers() == []


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("s: !sensitive hush\n", []),
        ("s: !sensitive hush\n", ["--reveal"]),
        ("s: !sensitive hush\n", ["--path", "a"]),
        ("s: !env DB_PASSWORD none\n", []),
        ("s: !exec echo 1\n", ["--allow", "exec"]),
        ("s: !exec echo 1\n", []),
        ("s: '{{ now | date \"2006\" }}'\n", ["--notation", "gotemplate"]),
        ("s: '{{ randAlpha 3 | len }}'\n", ["--notation", "gotemplate"]),
        ("s: ENC[x]\nsops: {mac: m}\n", []),
        ("s: !include ../outside.yaml\n", []),
        ("s: 1\n", ["--no-cache"]),
        ("s: 1\n", ["-o", "out.yaml"]),
    ],
)
def test_what_cannot_be_checked_or_is_secret_is_not_kept(folder: Path, text: str, more: list[str]) -> None:
    (folder / "prod.yaml").write_text(text, encoding="utf-8")
    run_here(*MERGE, *more)
    assert answers() == []


def test_a_damaged_answer_is_as_if_it_were_not_there(folder: Path, computed: list[Workspace]) -> None:
    first = run_here(*MERGE)
    (name,) = answers()
    assert stat.S_IMODE(os.stat(name).st_mode) == 0o600
    data = Path(name).read_bytes()
    for at in range(0, len(data), 37):
        Path(name).write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert run_here(*MERGE) == first
    Path(name).write_bytes(data[: len(data) // 2])
    before = len(computed)
    assert run_here(*MERGE) == first
    assert len(computed) == before + 1


def test_an_answer_for_another_question_is_not_taken(folder: Path) -> None:
    """A repository that can write to the cache cannot let one answer stand for another."""
    run_here(*MERGE)
    (other,) = answers()
    first = run_here("merge", "base.yaml")
    name = next(name for name in answers() if name != other)
    os.replace(other, name)
    assert run_here("merge", "base.yaml") == first


def test_small_inputs_are_neither_kept_nor_looked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plait.workspace, "WORTHWHILE", 1000)
    run_here(*MERGE)
    assert answers() == []
    monkeypatch.setattr(plait.workspace, "WORTHWHILE", 0)
    monkeypatch.setattr(plait.apps.cli.command, "TINY", 1000)
    run_here(*MERGE)
    assert answers() == []
    run_here("merge", "--target", "all")
    assert len(answers()) == 1


def test_much_work_on_little_text_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plait.workspace, "WORTHWHILE", 3000)
    (folder / "prod.yaml").write_text("n: '{{ range until 2000 }}{{ if . }}x{{ end }}{{ end }}'\n", encoding="utf-8")
    run_here(*MERGE)
    assert answers() == []
    run_here(*MERGE, "--notation", "gotemplate")
    assert len(answers()) == 1


def test_a_pattern_sees_no_clock(folder: Path) -> None:
    path = folder / "patterns/queue/resources/queue.yaml"
    path.write_text("kind: Queue\nmetadata: {name: q}\nspec: {at: {{ now }}}\n", encoding="utf-8")
    status, out, err = run_here("merge", "--target", "made")
    assert (status, out) == (1, "")
    assert "a pattern sees no clock" in err


def test_the_files_beside_the_lowest_layer_are_part_of_the_question(folder: Path, computed: list[Workspace]) -> None:
    (folder / "values.yaml").write_text("a: {b: 1}\n", encoding="utf-8")
    (folder / "over.yaml").write_text("a: null\n", encoding="utf-8")
    words = ("merge", "values.yaml", "over.yaml")
    assert is_computed(computed, *words)
    assert not is_computed(computed, *words)
    (folder / "Chart.yaml").write_text("name: x\n", encoding="utf-8")
    assert is_computed(computed, *words)
    assert run_here(*words)[1] == "{}\n"
    assert "merging as helm does" in run_here(*words)[2]
    assert not is_computed(computed, *words)
    (folder / "Chart.yaml").unlink()
    assert is_computed(computed, *words)
    assert run_here(*words)[1] == "a: null\n"
