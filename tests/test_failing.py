"""What happens when the system refuses: the Nth allocation of memory, and the Nth step of writing.

Every N is one run. It ends with the usual result, or with one clear error; files are as they were or as they should be,
and never anything else.
"""

from __future__ import annotations

import atexit
import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.__main__ import run as program
from plait.apps.cli import main
from tests.yaml.test_writer import STEPS

memory = pytest.importorskip("_testcapi", reason="this Python has no way to refuse memory")

FILES = {
    "a.yaml": "db: {user: me, url: !ref db.user}\na: {b: [1, 2, {c: x}], d: !ref k}\nk: text\n",
    "b.yaml": "a: {b: [3]}\nk: other\n",
    "t.yaml": 't: "{{ range until 3 }}{{ . }}{{ end }}"\n',
    "s.yml": "x: 1\ny: (( x + 1 ))\n",
    "patterns/conf/pattern.yaml": "name: conf\nversion: 1.0.0\ninputs: {}\n",
    "patterns/conf/resources/one.yaml": "kind: ConfigMap\nmetadata: {name: one}\ndata: {a: b}\n",
    "patterns/conf/resources/two.yaml": "kind: ConfigMap\nmetadata: {name: two}\ndata: {a: b}\n",
}
COMMANDS = {
    "merge": (["merge", "a.yaml", "b.yaml", "t.yaml", "--notation", "gotemplate"], 20_000),
    "spiff": (["spiff", "merge", "s.yml"], 20_000),
    "set": (["set", "a.yaml", "k", "new", "a.d", "1"], 30_000),
}
"""Commands, and about how many times each asks for memory when nothing is loaded yet."""
RUNS = 12
"""How many of them are refused, denser at the beginning: a process that has loaded much already asks for less."""
CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
SET = FILES["a.yaml"].replace("k: text", "k: new").replace("d: !ref k", "d: 1")


def lay_out(folder: Path) -> None:
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def forked(folder: Path, words: list[str], prepare: Callable[[], None]) -> tuple[int, str]:
    """How the program ends in a process of its own, and what it says."""
    inlet, outlet = os.pipe()
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        for number in (1, 2):
            os.dup2(outlet, number)
        sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8") for number in (1, 2))  # noqa: SIM115
        sys.argv = ["plait", *words]
        signal.alarm(60)
        sys.unraisablehook = lambda _: None  # pytest keeps what earlier tests left open: that needs memory
        atexit._clear()  # what other tests registered is not plait's
        prepare()
        program()
    os.close(outlet)
    with open(inlet, "rb") as pipe:
        said = pipe.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode(errors="replace")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_nth_allocation_fails(name: str, tmp_path: Path) -> None:
    words, most = COMMANDS[name]
    lay_out(tmp_path / "usual")
    usual = forked(tmp_path / "usual", words, lambda: None)
    assert usual[0] == 0
    refused = 0
    for turn in range(RUNS):
        folder = tmp_path / str(turn)
        lay_out(folder)
        number = round(3 * (most / 3) ** (turn / (RUNS - 1)))
        status, said = forked(folder, words, lambda number=number: memory.set_nomemory(number, number + 1))  # type: ignore[misc]
        if status == 1:
            refused += 1
            assert "not enough memory" in said, f"{number}: {said}"
        else:
            assert (status, said) == usual, f"{number}"
        assert "Traceback" not in said, f"{number}: {said}"
        assert (folder / "a.yaml").read_text() in (FILES["a.yaml"], SET)
        if status == 0 and name == "set":
            assert (folder / "a.yaml").read_text() == SET
    assert refused > RUNS // 4


def steps(monkeypatch: pytest.MonkeyPatch, at: int) -> list[str]:
    """Refuse step number `at` of those that go to the system: the disk is full."""
    taken: list[str] = []

    def watch(name: str) -> None:
        real = getattr(os, name)

        def step(*args: object, **named: object) -> object:
            if name != "open" or int(args[1]) & CHANGES:  # type: ignore[call-overload]
                taken.append(name)
                if len(taken) == at:
                    raise OSError(errno.ENOSPC, "No space left on device")
            return real(*args, **named)

        monkeypatch.setattr(os, name, step)

    for name in (name for name in STEPS if name != "close"):
        watch(name)
    return taken


WRITING = {
    "set": (["set", "a.yaml", "k", "new", "a.d", "1"], True),
    "unset": (["unset", "a.yaml", "k"], True),
    "create": (["create", "conf"], True),
    "tidy": (["tidy", "--write"], True),
    "merge with a cache": (["merge", "big.yaml"], False),
}


UNTOUCHED = ("nothing was written", "nothing was changed", "cannot be written together")
"""How an error says that every file is as it was."""


@pytest.mark.parametrize("name", WRITING)
def test_the_nth_write_fails(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words, writes = WRITING[name]
    big = "".join(f"k{i}: {{a: {i}, b: [x, y, z]}}\n" for i in range(400))
    at, ended = 0, False
    outcomes: set[int] = set()
    while not ended:
        at += 1
        folder = tmp_path / "project"
        lay_out(folder)
        (folder / "big.yaml").write_text(big)
        if name == "tidy":  # two files that are written together
            (folder / "plait.yaml").write_text("targets: [{name: a, layers: [b.yaml, one.yaml, two.yaml]}]\n")
            (folder / "one.yaml").write_text("k: other\nown: 1\n")
            (folder / "two.yaml").write_text("a: {b: [3]}\nown: 1\n")
        before = texts(folder)
        for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
            monkeypatch.setenv(variable, str(tmp_path / variable))
        monkeypatch.chdir(folder)
        monkeypatch.setattr("plait.workspace.LABORIOUS", -1)  # what was parsed is written, whatever it cost
        with monkeypatch.context() as patch:
            taken = steps(patch, at)
            status = main(words)
            ended = len(taken) < at
        said = capsys.readouterr()
        outcomes.add(status)
        assert status in (0, 1), f"{at}: {said.err}"
        if writes and status == 1:
            assert "No space left on device" in said.err, f"{at}: {said.err}"
            written = texts(folder) != before
            assert written == ("PL1214" in said.err), f"step {at}: {said.err}"
            untouched = any(words in said.err for words in UNTOUCHED)
            assert written != untouched, f"step {at}: {said.err}"
        elif writes:
            assert texts(folder) != before
        else:
            assert status == 0, f"{at}: {said.err}"
            assert len(said.out) > 8_000
        monkeypatch.chdir(tmp_path)
        for used in ("project", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            shutil.rmtree(tmp_path / used, ignore_errors=True)
    assert at > 5
    assert outcomes == ({0, 1} if writes else {0})


def texts(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in sorted(folder.rglob("*")) if file.is_file()}
