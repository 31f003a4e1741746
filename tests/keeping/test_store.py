"""The file of an answer: whatever a run printed is printed again, in the same order, in segments of any size."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plait.access.trace import AccessTrace
from plait.keeping import keeper, store
from plait.keeping import question as recording
from plait.keeping.keeper import Keeper
from plait.keeping.question import Recording, has_answer
from plait.keeping.store import AnswerFile, KeptAnswer
from tests.examples import examples

ASKED = b"a question"
TEXTS = st.sampled_from(["a\n", "bb\n", "a longer line\n", ""])
STEPS = st.lists(st.tuples(st.sampled_from(["out", "out", "err"]), st.lists(TEXTS, min_size=1, max_size=4)), max_size=8)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments of a few lines; and plait's own modules, which do not change meanwhile, are not looked at."""
    monkeypatch.setattr(keeper, "code", list)
    monkeypatch.setattr(store, "SEGMENT", 20)
    monkeypatch.setattr(recording, "HELD", 30)


class Screen:
    """Both streams of a run, with the order in which texts came."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []

    def stream(self, name: str) -> Stream:
        return Stream(self, name)

    def joined(self) -> list[tuple[str, str]]:
        """What is seen: texts that follow each other on one stream are one."""
        found: list[tuple[str, str]] = []
        for name, text in self.shown:
            if found and found[-1][0] == name:
                found[-1] = (name, found[-1][1] + text)
            elif text:
                found.append((name, text))
        return found


class Stream:
    def __init__(self, screen: Screen, name: str) -> None:
        self.screen, self.name = screen, name

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return 1

    def flush(self) -> None: ...

    def write(self, text: str) -> int:
        self.screen.shown.append((self.name, text))
        return len(text)

    def writelines(self, texts: list[str]) -> None:
        self.screen.shown += [(self.name, text) for text in texts]


def ran(steps: list[tuple[str, list[str]]], status: int = 0) -> Screen:
    """A run that prints some texts and is kept."""
    screen, run = Screen(), Recording(lambda: Keeper(ASKED))
    out, err = run.streams(screen.stream("out"), screen.stream("err"))  # type: ignore[arg-type]
    streams = {"out": out, "err": err}
    for name, texts in steps:
        streams[name].write(texts[0])
        streams[name].writelines(texts[1:])
    run.keep(status, AccessTrace(), {})
    run.close()
    return screen


def replayed() -> tuple[int | None, Screen]:
    screen, one = Screen(), Keeper(ASKED)
    status = one.replay(screen.stream("out"), screen.stream("err"))  # type: ignore[arg-type]
    one.close()
    return status, screen


@given(STEPS, st.integers(0, 3))
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_was_printed_is_printed_again(small: None, steps: list[tuple[str, list[str]]], status: int) -> None:
    first = ran(steps, status)
    assert has_answer(ASKED)
    assert not has_answer(ASKED + b"?")
    again, screen = replayed()
    assert (again, screen.joined()) == (status, first.joined())


def lines(count: int, **changed: str) -> list[str]:
    return [changed.get(f"n{number}", f"line {number}\n") for number in range(count)]


def kept(pieces: list[str], earlier: KeptAnswer | None = None, at_once: int = 3) -> KeptAnswer:
    """An answer of some pieces, written after an earlier one of which everything was read."""
    if earlier is not None:
        list(earlier.batches())
    writer = store.AnswerWriter(AnswerFile(ASKED), earlier)
    for start in range(0, len(pieces), at_once):
        writer.extend(pieces[start : start + at_once])
    writer.finish({"status": 0})
    found = KeptAnswer.find(AnswerFile(ASKED))
    assert found is not None
    return found


def all_of(answer: KeptAnswer) -> list[str]:
    return [piece for _, pieces in answer.batches() for piece in pieces]


def test_any_part_of_an_answer_is_found_by_its_numbers(small: None) -> None:
    pieces = lines(12)
    answer = kept(pieces)
    assert len(answer.segments) > 2
    for start in range(13):
        for end in range(start, 13):
            assert answer.slice(start, end) == pieces[start:end]
    with pytest.raises(ValueError, match=r"^$"):
        answer.slice(11, 13)


def test_more_segments_than_stay_in_memory(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LOADED", 2)
    pieces = lines(30)
    answer = kept(pieces)
    assert answer.slice(0, 30) == answer.slice(0, 30) == pieces
    assert len(answer._loaded) == 2


@pytest.mark.parametrize(
    ("changed", "rewritten"),
    [
        ({}, 0),
        ({"n1": "other \n"}, 0),  # one of the lines of a segment: it is noted beside the segment
        ({"n1": "other \n", "n12": "more ..\n"}, 0),
        ({f"n{number}": "other \n" for number in range(4)}, 0),  # one text, however often it is there
        ({f"n{number}": f"new {number} \n" for number in range(4)}, 1),  # too many: the segment is written again
    ],
)
def test_segments_that_hardly_differ_are_taken_from_the_earlier_answer(
    changed: dict[str, str], rewritten: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SEGMENT", 60)
    first = kept(lines(27), at_once=1)
    packed: list[object] = []
    compressor = store.zlib.compressobj
    monkeypatch.setattr(store.zlib, "compressobj", lambda *given: packed.append(given) or compressor(*given))
    second = kept(lines(27, **changed), first, at_once=1)
    assert all_of(second) == lines(27, **changed)
    assert len(packed) == rewritten + 1  # and the record
    third = kept(lines(27), second, at_once=1)
    assert all_of(third) == lines(27)
    first.close()
    second.close()


@pytest.mark.parametrize("count", [20, 26, 28])
def test_an_answer_of_another_length_is_written_anew(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SEGMENT", 60)
    first = kept(lines(27), at_once=1)
    assert all_of(kept(lines(count, n2="new\n")[1:], first, at_once=1)) == lines(count, n2="new\n")[1:]


@pytest.mark.parametrize(
    "damaged",
    [
        lambda data: data.replace(b"plait answer", b"other answer", 1),  # another program, or another version
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data[:10],
        lambda data: b"",
        lambda data: data[:20] + bytes([data[20] ^ 1]) + data[21:],  # a segment: it is noticed when it is read
    ],
    ids=["magic", "shorter", "longer", "ten bytes", "empty", "a bit"],
)
def test_a_file_that_is_not_as_it_was_written_is_no_answer(damaged: Callable[[bytes], bytes]) -> None:
    kept(lines(5)).close()
    place = Path(AnswerFile(ASKED).path)
    place.write_bytes(damaged(place.read_bytes()))
    found = KeptAnswer.find(AnswerFile(ASKED))
    assert found is None or not found.check()


def files(cache: Path) -> Iterator[str]:
    for _, _, names in os.walk(cache):
        yield from names


def test_an_answer_that_is_not_kept_leaves_no_file(cache: Path, small: None) -> None:
    one = Keeper(ASKED)
    one.writer.extend(lines(9))
    assert [name for name in files(cache) if name.endswith(".new")]
    one.close()
    assert not list(files(cache))
    unfollowed = AccessTrace()
    unfollowed.unfollowed.add("the network")
    run = Recording(lambda: Keeper(ASKED))
    out, _ = run.streams(Screen().stream("out"), Screen().stream("err"))  # type: ignore[arg-type]
    out.writelines(lines(9))
    run.keep(0, unfollowed, {})
    run.close()
    assert not list(files(cache))
    assert replayed()[0] is None


def test_after_a_change_of_files_the_earlier_answer_is_outdated(tmp_path: Path) -> None:
    names = [tmp_path / f"{number}.yaml" for number in range(5)]

    def keep() -> Keeper:
        trace, first = AccessTrace(), Keeper(ASKED)
        for name in names:
            name.write_text("a: 1\n")
            trace.read(str(name), name.stat(), b"a: 1\n")
        first.writer.extend(lines(2))
        first.keep(0, trace, {})
        first.close()
        return Keeper(ASKED)

    def why(changed: int) -> tuple[str | None, int]:
        next_one = keep()
        for name in names[:changed]:
            name.write_text("a: 22\n")
        screen = Screen()
        next_one.replay(screen.stream("out"), screen.stream("err"))  # type: ignore[arg-type]
        outdated = next_one.outdated()
        next_one.close()
        return next_one.why, 0 if outdated is None else len(outdated.changed)

    shown = [os.path.relpath(name) for name in names]
    assert why(0) == (None, 0)
    assert why(1) == (f"{shown[0]} has changed", 1)
    assert why(3) == (f"3 files have changed: {shown[0]}, {shown[1]}, {shown[2]}", 3)
    assert why(5) == (f"5 files have changed: {shown[0]}, {shown[1]}, {shown[2]} and 2 more", 5)
    last = keep()
    names[0].unlink()
    assert last.replay(Screen().stream("out"), Screen().stream("err")) is None  # type: ignore[arg-type]
    assert last.why == f"{shown[0]} was deleted"
