"""Looking, editing and saving as a library: what was read is never overwritten blindly."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.node import MapNode, text
from plait.core.path import format_path
from plait.fronts.project import Project
from plait.fronts.unfurl.edit import ValueEdit
from plait.fronts.unfurl.working import Working
from plait.notations.query.data import plain
from plait.yaml import writer

MAIN = "base: {x: 1, y: {p: 1}}  # all\nt: {+/base: , z: 9}\nu: {+include: inc.yaml}\n"


@pytest.fixture
def working(tmp_path: Path) -> Working:
    (tmp_path / "main.yaml").write_text(MAIN)
    (tmp_path / "inc.yaml").write_text("k: old  # theirs\n")
    return Working(Project(str(tmp_path)), str(tmp_path / "main.yaml"))


def saved(working: Working) -> str:
    working.save()
    return Path(working.name).read_text()


def test_look_edit_save(working: Working) -> None:
    assert plain(working.value(("t",))) == {"z": 9, "x": 1, "y": {"p": 1}}
    working.change([ValueEdit(("t", "x"), text("new")), ValueEdit(("t", "z"), None)])
    assert plain(working.value(("t", "x"))) == "new"
    assert saved(working) == MAIN.replace("z: 9", "x: new")


def test_nothing_is_written_without_an_edit(working: Working) -> None:
    working.change([])
    assert working.save() == []


def test_an_override_here_or_an_edit_in_the_source(working: Working, tmp_path: Path) -> None:
    working.change([ValueEdit(("u", "k"), text("here"))])
    assert [touched.line for touched in working.touched()] == [3]
    other = Working(Project(str(tmp_path)), working.name)
    other.change_in_source([ValueEdit(("u", "k"), text("there"))])
    assert [Path(touched.name).name for touched in other.touched()] == ["inc.yaml"]
    other.save()
    assert (tmp_path / "inc.yaml").read_text() == "k: there  # theirs\n"
    assert Path(working.name).read_text() == MAIN


def test_an_edit_in_the_source_tells_who_else_changes(working: Working) -> None:
    working.change_in_source([ValueEdit(("t", "y", "p"), text("2"))])
    assert [format_path(path) for path in working.moved()] == ["base.y.p", "t.y.p"]


def test_edits_here_and_in_the_source_go_together(working: Working, tmp_path: Path) -> None:
    working.change([ValueEdit(("t", "x"), text("new"))])
    working.change_in_source([ValueEdit(("u", "k"), text("there")), ValueEdit(("t", "y", "p"), text("deep"))])
    working.change([ValueEdit(("t", "z"), None)])
    assert plain(working.value(("t",))) == {"x": "new", "y": {"p": "deep"}}
    assert saved(working) == "base: {x: 1, y: {p: deep}}  # all\nt: {+/base: , x: new}\nu: {+include: inc.yaml}\n"
    assert (tmp_path / "inc.yaml").read_text() == "k: there  # theirs\n"
    assert plain(Working(Project(str(tmp_path)), working.name).value()) == plain(working.value())


def test_an_edit_in_the_source_that_would_show_something_else_is_refused(tmp_path: Path) -> None:
    text_before = "base: {x: 1, y: {p: 1}}\nt: {+/base: , x: 2}\ns: abc\nu: {+/s/1: }\nl: [1, 2]\nm: {+/l: }\n"
    (tmp_path / "main.yaml").write_text(text_before)
    working = Working(Project(str(tmp_path)), str(tmp_path / "main.yaml"))
    for path in (
        ("t", "x"),
        ("t",),
        ("u",),
    ):  # base.x would show; a part of it comes from elsewhere; a letter of a text
        with pytest.raises(PlaitError, match="cannot write"):
            working.change_in_source([ValueEdit(path, None)])
    with pytest.raises(PlaitError, match="read as a directive"):
        working.change_in_source([ValueEdit(("t", "x"), MapNode({"+/s": text("")}))])
    working.change_in_source(
        [ValueEdit(("m", 0), None), ValueEdit(("base", "z"), text("new")), ValueEdit(("t", "y", "q"), text("more"))]
    )
    assert saved(working) == text_before.replace("{p: 1}", "{p: 1, q: more}, z: new").replace("[1, 2]", "[2]")


def test_an_included_file_that_changed_meanwhile_is_not_overwritten(working: Working, tmp_path: Path) -> None:
    (tmp_path / "inc.yaml").write_text("k: theirs\n")
    with pytest.raises(PlaitError, match="changed since it was read"):
        working.change_in_source([ValueEdit(("u", "k"), text("there"))])
    assert (tmp_path / "inc.yaml").read_text() == "k: theirs\n"


def test_a_file_that_changed_meanwhile_is_not_overwritten(working: Working) -> None:
    working.change([ValueEdit(("t", "x"), text("new"))])
    Path(working.name).write_text("somebody: else\n")
    with pytest.raises(PlaitError, match="changed since it was read"):
        working.save()
    assert Path(working.name).read_text() == "somebody: else\n"


def test_a_folder_that_cannot_be_written_leaves_everything_as_it_was(
    working: Working, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    working.change([ValueEdit(("t", "x"), text("new"))])
    monkeypatch.setattr(writer.Writer, "_commit", refuse)
    with pytest.raises(PlaitError, match="cannot write"):
        working.save()
    assert Path(working.name).read_text() == MAIN


def test_a_new_key_that_reads_as_a_directive_is_refused(working: Working) -> None:
    for path, value in (("+/x",), text("1")), (("+%",), text("1")), (("new",), MapNode({"+*a": text("1")})):
        with pytest.raises(PlaitError, match="read as a directive"):
            working.change([ValueEdit(path, value)])


def test_a_path_that_is_not_there_is_told(working: Working) -> None:
    with pytest.raises(PlaitError, match="no value at"):
        working.change([ValueEdit(("nowhere", "x"), text("1"), create=False)])
    with pytest.raises(PlaitError, match="no value at"):
        working.change([ValueEdit(("t", "z", "x"), text("1"))])
    with pytest.raises(PlaitError, match="no value at"):
        working.value(("nowhere",))


def test_other_encodings_stay(tmp_path: Path) -> None:
    name = tmp_path / "wide.yaml"
    name.write_bytes("b: {x: ü}\na: {+/b: }\n".encode("utf-16"))
    working = Working(Project(str(tmp_path)), str(name))
    working.change([ValueEdit(("a", "x"), text("ö"))])
    working.save()
    assert name.read_bytes().decode("utf-16") == "b: {x: ü}\na: {+/b: , x: ö}\n"


def test_expressions_are_evaluated_again_after_an_edit(tmp_path: Path) -> None:
    from plait.fronts.unfurl.asking import ask
    from plait.fronts.unfurl.expressions import Expressions
    from plait.fronts.unfurl.loading import DirectiveDocument

    name = tmp_path / "main.yaml"
    name.write_text("c: 5\nb: {eval: .::c}\n")
    document = DirectiveDocument(Project(str(tmp_path)), str(name), Expressions())
    assert plain(ask(document, "b", (), "one", ())) == 5
    assert plain(ask(document.with_text("c: 6\nb: {eval: .::c}\n"), "b", (), "one", ())) == 6
