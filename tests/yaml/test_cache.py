"""The parse cache: never wrong, never in the way, bounded, and safe to delete."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.access.environment import cache_folder
from plait.core.node import MapNode, Node
from plait.core.source import Source
from plait.yaml import cache as cache_module
from plait.yaml.build import Reading, build
from plait.yaml.cache import ParseCache
from plait.yaml.emit import emit
from plait.yaml.outline import Outline, Pack, columns
from plait.yaml.program import Program
from plait.yaml.scan import scan
from tests.examples import examples
from tests.yaml.nodes import trees

BIG = "# " + "x" * cache_module.WORTHWHILE + "\n"
TEXTS = [BIG + "a: &x [1, !t b, 'c']\nd: *x\n---\ne: |\n  f\n", BIG + "g: {h: 2}\n"]


def read(cache: ParseCache, source: Source) -> list[Node]:
    """The documents of a text, from the cache where it has them."""
    programs = cache.get(source)
    if programs is None:
        programs = scan(source)
        cache.put(source, programs)
    return [build(program, source, Reading()) for program in programs]


def run(folder: Path, texts: list[str] = TEXTS, root: str = "project") -> tuple[list[str], int]:
    """One run that reads texts: what it read, and how often the cache knew."""
    cache = ParseCache(root, folder=str(folder))
    printed = [emit(node) for text in texts for node in read(cache, Source("x", text))]
    cache.save()
    return printed, cache.hits


def test_the_second_run_reads_the_same_from_the_pack(tmp_path: Path) -> None:
    first, hits = run(tmp_path)
    assert hits == 0
    assert run(tmp_path) == (first, 2)


@given(st.lists(trees, min_size=1, max_size=3))
@settings(max_examples=examples(30))
def test_what_comes_from_the_pack_is_what_was_read(tmp_path_factory: pytest.TempPathFactory, nodes: list[Node]) -> None:
    texts = [BIG + emit(node) for node in nodes]
    folder = tmp_path_factory.mktemp("cache")
    first, _ = run(folder, texts)
    again, hits = run(folder, texts)
    assert again == first
    assert hits == len(texts)


def test_places_are_the_same(tmp_path: Path) -> None:
    run(tmp_path)
    cache = ParseCache("project", folder=str(tmp_path))
    node = read(cache, Source("other name", TEXTS[1]))[0]
    assert cache.hits == 1
    assert str(node.origin) == "other name:2:1"


@given(trees)
@settings(max_examples=examples(30))
def test_a_document_that_is_kept_by_its_parts_is_the_same(tmp_path_factory: pytest.TempPathFactory, node: Node) -> None:
    texts = [
        BIG + text
        for text in (
            emit(MapNode({"a": MapNode({"b": MapNode({"c": node}), "d": MapNode({})}), "e": node})),
            emit(node),
        )
    ]
    folder, how = str(tmp_path_factory.mktemp("cache")), Reading(text_keys=True, duplicates="last")
    cache = ParseCache("project", folder=folder)
    scanned = {text: scan(Source("x", text)) for text in texts}
    for text, programs in scanned.items():
        assert cache.in_parts(Source("x", text)) is None
        cache.put(Source("x", text), programs, apart=True)
    cache.save()
    for text, programs in scanned.items():
        again = ParseCache("project", folder=folder).get(Source("x", text))
        assert again is not None
        assert [columns(program) for program in again] == [columns(program) for program in programs]
        parts = ParseCache("project", folder=folder).in_parts(Source("x", text))
        assert parts is not None
        outlines = [Outline.of(part, Source("x", text), how) for part in parts]
        wholes = [outline.whole() if isinstance(outline, Outline) else outline for outline in outlines]
        assert [emit(whole) for whole in wholes] == [
            emit(build(program, Source("x", text), how)) for program in programs
        ]


def test_a_deep_document_is_kept_by_its_first_levels(tmp_path: Path) -> None:
    source = Source("x", f"{BIG}deep: {'{a: ' * 990}1{'}' * 990}\n")
    cache = ParseCache("project", folder=str(tmp_path))
    programs = scan(source)
    assert cache.in_parts(source) is None
    cache.put(source, programs, apart=True)
    cache.save()
    again = ParseCache("project", folder=str(tmp_path)).get(source)
    assert again is not None
    assert [columns(program) for program in again] == [columns(program) for program in programs]
    parts = ParseCache("project", folder=str(tmp_path)).in_parts(source)
    assert [type(part) for part in parts or ()] == [Pack]
    run(tmp_path, TEXTS)
    parts = ParseCache("project", folder=str(tmp_path)).in_parts(Source("x", TEXTS[1]))
    assert [type(part) for part in parts or ()] == [Program], "it was not asked for by its parts"


def test_runs_that_read_enough_leave_a_pack(tmp_path: Path) -> None:
    enough = "a: " + "x" * (cache_module.WORTHWHILE - 4) + "\n"
    run(tmp_path, [enough.replace("x", "", 1)])
    assert not os.listdir(tmp_path)
    run(tmp_path, [enough])
    assert len(os.listdir(tmp_path)) == 1


def test_little_runs_leave_no_pack(tmp_path: Path) -> None:
    assert run(tmp_path, ["a: 1\n", "b: 2\n"]) == (["a: 1\n", "b: 2\n"], 0)
    assert not os.listdir(tmp_path)


def test_what_is_known_needs_no_scanner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path, [*TEXTS, "a: 1\n"])
    monkeypatch.delattr("plait.yaml.events.documents")
    assert run(tmp_path, ["a: 1\n"]) == (["a: 1\n"], 1)


def test_another_text_is_another_entry(tmp_path: Path) -> None:
    run(tmp_path)
    changed = [TEXTS[0], TEXTS[1].replace("2", "3")]
    assert run(tmp_path, changed) == (
        ["a:\n- 1\n- !t b\n- c\nd:\n- 1\n- !t b\n- c\n", "e: |\n  f\n", "g:\n  h: 3\n"],
        1,
    )
    assert run(tmp_path, changed)[1] == 2
    assert run(tmp_path)[1] == 2, "what a run did not use is kept"


@pytest.mark.parametrize("at", range(0, 340, 13))
def test_what_is_damaged_is_not_there(tmp_path: Path, at: int) -> None:
    first, _ = run(tmp_path)
    pack = next(tmp_path.iterdir())
    data = pack.read_bytes()
    pack.write_bytes(data[:at])
    read, hits = run(tmp_path)
    assert (read, hits < 2) == (first, True), "truncated"
    pack.write_bytes(data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :])
    read, hits = run(tmp_path)
    assert (read, hits < 2) == (first, True), "one wrong byte"
    assert run(tmp_path) == (first, 2), "and written anew"


def test_another_version_is_another_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path)
    monkeypatch.setattr(cache_module, "READER", 0)
    assert run(tmp_path)[1] == 0
    assert len(os.listdir(tmp_path)) == 2


def test_another_depth_is_another_pack(tmp_path: Path) -> None:
    assert ParseCache("a", depth=5, folder=str(tmp_path)).path != ParseCache("a", folder=str(tmp_path)).path


def test_what_cannot_be_written_is_not(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    first, _ = run(tmp_path / "file" / "below")
    assert first == run(tmp_path)[0]


def test_deleting_is_safe(tmp_path: Path) -> None:
    cache = ParseCache("project", folder=str(tmp_path))
    read(cache, Source("x", TEXTS[0]))
    cache.save()
    next(tmp_path.iterdir()).unlink()
    assert run(tmp_path)[1] == 0


def test_two_runs_at_once(tmp_path: Path) -> None:
    children = []
    for number in range(4):
        if (child := os.fork()) == 0:
            for _ in range(20):
                run(tmp_path, [TEXTS[number % 2], BIG + f"k: {number}\n"])
            os._exit(0)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
    assert len(os.listdir(tmp_path)) == 1
    run(tmp_path)
    assert run(tmp_path)[1] == 2


def test_a_pack_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "PACK_LIMIT", 2000)
    for number in range(40):
        run(tmp_path, [BIG + f"k{number}: {'v' * 100}\n"])
    assert 1000 < next(tmp_path.iterdir()).stat().st_size < 3000


def test_what_runs_use_stays_where_there_is_no_room_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "PACK_LIMIT", 2000)
    for number in range(20):
        _, hits = run(tmp_path, [BIG + f"k{number}: {'v' * 100}\n", BIG + f"used: {'v' * 100}\n"])
        assert hits == (1 if number else 0)


def test_a_text_that_was_read_under_another_name_is_known(tmp_path: Path) -> None:
    cache = ParseCache("project", folder=str(tmp_path))
    programs = scan(Source("x", TEXTS[0]))
    cache.put(Source("x", TEXTS[0]), programs)
    assert cache.get(Source("y", TEXTS[0])) == programs
    assert cache.get(Source("y", TEXTS[1])) is None


def test_the_folder_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plait.yaml.folder.FOLDER_LIMIT", 2000)
    for number in range(20):
        run(tmp_path, [BIG + f"k: {'v' * 400}\n"], root=f"project {number}")
    assert 1 < len(os.listdir(tmp_path)) < 6
    assert run(tmp_path, [BIG + f"k: {'v' * 400}\n"], root="project 19")[1] == 1


def test_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == "/somewhere/plait"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert cache_folder() == "/home/me/.cache/plait"


def test_only_its_user_can_read_it(tmp_path: Path) -> None:
    run(tmp_path / "cache")
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700
    assert [file.stat().st_mode & 0o777 for file in (tmp_path / "cache").iterdir()] == [0o600]


def test_a_pack_of_somebody_else_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever can write to the folder, but does not have the key, can make no run unpack anything."""
    first, _ = run(tmp_path)
    monkeypatch.setenv("PLAIT_STATE", str(tmp_path / "theirs"))
    assert run(tmp_path) == (first, 0)


def test_entries_cannot_be_exchanged(tmp_path: Path) -> None:
    texts = [BIG + f"a: {number}\n" for number in (1, 2)]
    first, _ = run(tmp_path, texts)
    (pack,) = tmp_path.iterdir()
    lengths = [length for _, length, _ in ParseCache("project", folder=str(tmp_path))._open().values()]
    assert lengths[0] == lengths[1]
    data = pack.read_bytes()
    pack.write_bytes(data[: -2 * lengths[0]] + data[-lengths[0] :] + data[-2 * lengths[0] : -lengths[0]])
    assert run(tmp_path, texts) == (first, 0)


def test_without_a_state_folder_there_is_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_STATE", "relative")
    first, _ = run(tmp_path)
    assert run(tmp_path) == (first, 0)
    assert list(tmp_path.iterdir()) == []
