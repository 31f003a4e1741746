"""Output of commands: data to standard output, everything else to standard error."""

from __future__ import annotations

import atexit
import sys
from itertools import compress, repeat
from operator import contains
from time import monotonic

from plait.access.environment import variable
from plait.access.sinks import OUTPUT, TERMINAL, is_escaped
from plait.core.source import MASK
from plait.core.visible import on_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from plait.core.diagnostic import Diagnostic
    from plait.report.render import Paint

CLEAR = "\r\x1b[K"
OK, FAILED, USAGE, UNSURE, BUG = 0, 1, 2, 5, 70
"""Exit statuses: success; errors in the input, or differences found; wrong usage, or nothing to compare; not
everything could be compared; a bug in plait."""


class NotPrinted(Exception):
    """Standard output cannot be written, and why."""


class Console:
    """Two streams, and whether they are coloured."""

    def __init__(self, out: TextIO, err: TextIO, color: str = "auto") -> None:
        self.out = out
        self.err = err
        self.color = color
        self.masked = False
        """Whether something printed contains a mask instead of a secret."""
        self.quiet = False
        """Whether notes and warnings are left out."""
        self.progress = Progress(sys.stderr) if sys.stderr.isatty() else None

    def paint(self, stream: TextIO) -> Paint:
        from plait.report.render import Paint

        return Paint(coloured(self.color, stream.isatty()), width_of(stream))

    def terminals(self) -> tuple[int, int]:
        """How wide the terminals are, 0 for other streams: with the options and the environment, this decides the
        colours and where lines of a report are broken."""
        return width_of(self.out), width_of(self.err)

    def print(self, text: str) -> None:
        self.print_all([text])

    def print_all(self, pieces: list[str]) -> None:
        """Print texts in order. A text that occurs several times is checked for masks once."""
        once = dict(zip(map(id, pieces), pieces, strict=True)).values()
        self.masked = self.masked or any(MASK in text for text in compress(once, map(contains, once, repeat(MASK[0]))))
        if self.progress is not None:
            self.progress.stop()
        if is_escaped(_sink(self.out)):
            pieces = [for_terminal(text) for text in pieces]
        try:
            self.out.writelines(pieces)
        except BrokenPipeError:
            raise
        except OSError as trouble:
            raise NotPrinted(trouble.strerror or str(trouble)) from None

    def flush(self) -> None:
        try:
            self.out.flush()
        except BrokenPipeError:
            raise
        except OSError as trouble:
            raise NotPrinted(trouble.strerror or str(trouble)) from None

    def say(self, text: str) -> None:
        """A text for people, broken between words where the terminal is too narrow for it."""
        if width_of(self.err):
            from plait.report.wrap import sentence

            text = "\n".join(part for line in text.split("\n") for part in sentence(line, width_of(self.err)))
        self._tell(text + "\n")

    def note(self, text: str) -> None:
        """Something to know beside the answer; nothing with `--quiet`."""
        self.confirm(f"note: {text}")

    def confirm(self, text: str) -> None:
        """What a command did; nothing with `--quiet`."""
        if not self.quiet:
            self.say(text)

    def _tell(self, text: str) -> None:
        if self.progress is not None:
            self.progress.clear()
        self.err.write(for_terminal(text) if is_escaped(_sink(self.err)) else text)

    def can_ask(self) -> bool:
        """Whether somebody sees a question and can answer it."""
        return can_answer() and self.err.isatty()

    def ask(self, question: str) -> str:
        """What the person at the terminal answers."""
        self._tell(f"{question} ")
        self.err.flush()
        return sys.stdin.readline().strip()

    def agrees(self, question: str) -> bool:
        return self.ask(f"{question} [y/N]").lower() in ("y", "yes")

    def report(self, diagnostics: Iterable[Diagnostic], form: str = "yaml", writes: bool = False) -> None:
        """Findings, as text for people or as JSON."""
        diagnostics = [one for one in diagnostics if not self.quiet or one.severity == "error"]
        if not diagnostics:
            return
        from plait.report.render import render, to_data

        if form == "json":
            from plait.report.data import json_text

            self._tell(json_text({"diagnostics": to_data(diagnostics)}))
        else:
            self._tell(render(diagnostics, self.paint(self.err), writes) + self._more(diagnostics))

    def _more(self, diagnostics: list[Diagnostic]) -> str:
        """Where a person at a terminal finds more about the findings."""
        codes = list(dict.fromkeys(one.code for one in diagnostics))
        return f"more: plait help {codes[0]}\n" if self.err.isatty() and codes else ""


def can_answer() -> bool:
    """Whether somebody types what this program reads."""
    return sys.stdin.isatty()


def _sink(stream: TextIO) -> str:
    return TERMINAL if stream.isatty() else OUTPUT


def for_terminal(text: str) -> str:
    """Everything that is printed on a terminal: only colours of ours are not escaped."""
    from plait.report.render import CODES

    return on_terminal(text, CODES)


def coloured(choice: str, terminal: bool) -> bool:
    """Whether output is coloured: as the option says, else as the environment says, else on a terminal that can."""
    if choice != "auto":
        return choice == "always"
    if variable("NO_COLOR"):
        return False
    if variable("CLICOLOR_FORCE") not in ("", "0"):
        return True
    return terminal and variable("TERM") != "dumb" and variable("CLICOLOR") != "0"


class Progress:
    """What a command is doing, on a terminal, once it takes longer than a second; cleared when it is done."""

    PATIENCE, PAUSE = 1.0, 0.1

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.began = monotonic()
        self.next = self.began + self.PATIENCE
        self.shown = False
        self.step = ""
        """What is being counted; a new step has a time of its own."""

    def tell(self, text: str) -> None:
        now = monotonic()
        if now < self.next:
            return
        self.next = now + self.PAUSE
        if not self.shown:
            self.shown = True
            atexit.register(self.clear)
        text = f"{text}{self._left(text, now)}"
        self.stream.write(f"{CLEAR}{text[: columns(self.stream) - 1]}")
        self.stream.flush()

    def _left(self, text: str, now: float) -> str:
        """How long the rest takes, if it goes on as before; empty where that is not known yet."""
        step = text.translate(DIGITS)
        if step != self.step:
            self.step, self.began = step, now
        words = text.split()
        at = next((n for n in range(1, len(words) - 1) if words[n] == "of" and words[n + 1].strip("()").isdigit()), 0)
        done = words[at - 1].strip("()")
        if not at or not done.isdigit() or not int(done) or now - self.began < self.PATIENCE:
            return ""
        seconds = (now - self.began) / int(done) * (int(words[at + 1].strip("()")) - int(done))
        return f", about {duration(seconds)} left"

    def stop(self) -> None:
        """The answer is being printed: show no more progress."""
        self.clear()
        self.next = float("inf")

    def clear(self) -> None:
        if self.shown:
            self.stream.write(CLEAR)
            self.stream.flush()


DIGITS = str.maketrans("", "", "0123456789")


def duration(seconds: float) -> str:
    """A time for people: 5 s, 3 min."""
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"


def width_of(stream: TextIO) -> int:
    """How wide a stream is that is a terminal; 0 for any other."""
    return columns(stream) if stream.isatty() else 0


def columns(stream: TextIO) -> int:
    """How wide a terminal is."""
    from plait.access.pager import terminal_size

    try:
        return terminal_size(stream.fileno())[0]
    except (OSError, ValueError, AttributeError):  # a stream of a test
        return 80


def standard_console(color: str = "auto") -> Console:
    return Console(sys.stdout, sys.stderr, color)
