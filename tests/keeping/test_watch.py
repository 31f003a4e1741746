"""`plait watch`: a command runs again when something changes that it read, and ends when it is interrupted."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.apps.cli.watch import difference, once_quiet

SECONDS = 600
"""How long a test waits for what must come: longer than any machine needs."""


def save(path: Path, text: str) -> None:
    """Give a file another text at once, as editors do: nobody sees it empty."""
    beside = path.parent / "beside"
    beside.mkdir(exist_ok=True)
    fresh = beside / path.name
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


class Watching:
    """A `plait watch` on a terminal of its own."""

    def __init__(self, folder: Path, *words: str, extra: bool = True) -> None:
        self.screen, inner = pty.openpty()
        code = "import sys; sys.modules['watchfiles'] = None; " if not extra else ""
        code += "from plait.__main__ import run; run()"
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "TERM": "dumb", "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "watch", *words],
            cwd=folder,
            env=environment,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        self.seen = ""

    def until(self, text: str) -> str:
        """What is on the screen up to a text, since the last one."""
        end = time.monotonic() + SECONDS
        while text not in self.seen and time.monotonic() < end:
            if select.select([self.screen], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.screen, 65536).decode().replace("\r\n", "\n")
                except OSError:
                    break
        before, found, self.seen = self.seen.partition(text)
        assert found, f"{text!r} did not come after {before!r}"
        return before

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        self.until("stopped")
        return self.process.wait(SECONDS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.yaml").write_text("a: 1\nb: {c: 2}\n", encoding="utf-8")
    (tmp_path / "other.yaml").write_text("x: 1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("extra", [True, False], ids=["told", "polling"])
def test_a_change_runs_the_command_again(folder: Path, extra: bool) -> None:
    watching = Watching(folder, "merge", "a.yaml", extra=extra)
    try:
        assert watching.until("b:\n  c: 2\n").endswith("a: 1\n")
        save(folder / "other.yaml", "x: 2\n")  # nobody read it: it is not among the changes that are named below
        save(folder / "a.yaml", "a: 5\nb: {c: 2}\n")
        assert watching.until("changed: a.yaml\n") == ""
        assert watching.until("b:\n  c: 2\n") == "a: 5\n"
        save(folder / "a.yaml", "a: [\n")
        watching.until("1 error")
        save(folder / "a.yaml", "a: 6\n")
        watching.until("a: 6\n")
        assert watching.interrupt() == 0
    finally:
        watching.process.kill()
        os.close(watching.screen)


def test_only_what_changed_is_printed(folder: Path) -> None:
    watching = Watching(folder, "--diff", "merge", "a.yaml")
    try:
        watching.until("b:\n  c: 2\n")
        save(folder / "a.yaml", "a: 1\nb: {c: 3}\n")
        watching.until("changed: a.yaml\n")
        assert watching.until("+  c: 3\n").endswith("-  c: 2\n")
        assert watching.interrupt() == 0
    finally:
        watching.process.kill()
        os.close(watching.screen)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["set", "a", "1"], "cannot be watched"),
        (["watch", "merge", "a.yaml"], "cannot be watched"),
        (["nonsense"], "unknown command `nonsense`"),
    ],
)
def test_a_command_that_cannot_be_watched_is_refused(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", *words]) == 2
    assert why in capsys.readouterr().err


def test_wrong_words_of_the_command_end_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "merge", "--nonsense"]) == 2
    assert "--nonsense" in capsys.readouterr().err


def test_it_waits_until_nothing_changes_any_more() -> None:
    answers = iter([[], ["a"], ["a", "b"], ["a", "b"]])
    assert once_quiet(lambda: next(answers), iter(range(9))) == ["a", "b"]


def test_the_difference_of_two_answers() -> None:
    before = "".join(f"line {number}\n" for number in range(50))
    after = before.replace("line 20\n", "other\n").replace("line 40\n", "")
    assert difference(before, before) == ""
    shown = difference(before, after).splitlines()
    assert [line for line in shown if line[0] in "+-"] == ["-line 20", "+other", "-line 40"]
    assert difference("a\n", "") == "@@\n-a\n"
