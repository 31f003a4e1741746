"""The process that a command runs in: its three streams, a timer and a memory limit that back up the meter, and the
report of a bug."""

from __future__ import annotations

import gc
import os
import sys

from plait.access.environment import cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Iterator
    from types import FrameType
else:
    try:
        import _signal as signal  # what `signal` adds, its enums, takes a tenth of a small merge to load
    except ImportError:
        import signal

STREAMS = (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w"))
"""What takes the place of a stream that is closed. Reading the first and writing the second fail, as they should."""
PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
"""The folder of our own code."""
SHARE = 0.75
"""How much of the machine's memory one command may use, independent of the meter."""


MANY = 300_000
"""How many objects are worth a search for those that nobody needs."""


class EarlyRelease:
    """Frees what was made since and is only needed by itself: the collector of a command is off. What was there before
    is not searched, which would take longer than it is worth."""

    __slots__ = ("_is_off",)

    def __enter__(self) -> EarlyRelease:
        self._is_off = not gc.isenabled()
        if self._is_off:
            gc.freeze()
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_off:
            gc.unfreeze()

    def free(self) -> None:
        if self._is_off and gc.get_count()[0] > MANY:
            gc.collect()


class OutOfTime(BaseException):
    """The timer that backs up the meter went off. No `except Exception` stops it."""


def mend_streams() -> None:
    """Give the process three streams, and let standard output say every character.

    A closed stream would leave its number to the next file that is opened. YAML and JSON are UTF-8, whatever the
    terminal is.
    """
    for number, (name, flags, mode) in enumerate(STREAMS):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, flags)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", errors="surrogateescape"))
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8" and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")


def silence(number: int) -> None:
    """Nothing reads the rest of the output: discard the interpreter's last flush."""
    handle = os.open(os.devnull, os.O_WRONLY)
    os.dup2(handle, number)
    os.close(handle)


def limit_memory() -> None:
    """Let the system refuse memory before the machine has none left; the refusal is a MemoryError."""
    try:
        import resource

        most = int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * SHARE)
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if soft == resource.RLIM_INFINITY or soft > most:
            resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    except (ImportError, AttributeError, OSError, ValueError):
        return  # this system has no such limit


class Timer:
    """Raises `OutOfTime` in a command that has computed for longer than it may. Waiting for others does not count."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._before: object = None
        self._runs = False

    def __enter__(self) -> Timer:
        self._set(self.seconds)
        return self

    def __exit__(self, *_: object) -> None:
        self._set(0)

    def stop(self) -> None:
        """Remove the time limit, for a command that runs until it is interrupted."""
        self._runs = False
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)

    def extend(self, seconds: float) -> None:
        """Let the command compute for so long in all, where that is longer: the user's own configuration says so."""
        if seconds > self.seconds and self._before is not None:
            self.seconds = seconds
            self.restart()

    def restart(self) -> None:
        """Begin to count again: a part of the command begins that has time of its own."""
        if self._runs:
            signal.setitimer(signal.ITIMER_PROF, self.seconds)

    def _set(self, seconds: float) -> None:
        if not hasattr(signal, "setitimer"):
            return
        self._runs = False
        try:
            if seconds:
                self._before = signal.signal(signal.SIGPROF, _out_of_time)
                signal.setitimer(signal.ITIMER_PROF, seconds)
                self._runs = True
            elif self._before is not None:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.signal(signal.SIGPROF, self._before)  # type: ignore[arg-type]
        except ValueError:
            return  # only the first thread of a process has signals


class Interrupts:
    """Remembers that the user interrupted the program: Python drops the exception where an object is being freed."""

    def __init__(self) -> None:
        self.seen = False
        self._before: object = None

    def __enter__(self) -> Interrupts:
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """End what is being done if the user wants that."""
        if self.seen:
            raise KeyboardInterrupt


def _out_of_time(number: int, frame: FrameType | None) -> None:
    raise OutOfTime


def bug_report(error: BaseException, command: str, version: str) -> tuple[str, str]:
    """Where a bug showed, in a few words, and the file with the details; empty where none can be written.

    The file names places in our own code only: no value, no message, no argument, because any of them may be a secret.
    """
    import platform
    import tempfile
    import traceback

    frames = [(frame.filename, frame.lineno, frame.name) for frame in traceback.extract_tb(error.__traceback__)]
    ours = [(_inner(name), line, function) for name, line, function in frames]
    kind = type(error).__name__
    where = next((f"{name}:{line}" for name, line, _ in reversed(ours) if not name.startswith("<")), "unknown place")
    lines = [f"plait {version}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"]
    lines += [f"command: {command}", f"error: {kind}", "", *_folded(ours)]
    try:
        try:
            handle, name = tempfile.mkstemp(prefix="plait-report-", suffix=".txt")
        except PermissionError:  # the kernel lets this process write only where the command writes
            handle, name = tempfile.mkstemp(prefix="plait-report-", suffix=".txt", dir=cache_folder())
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write("\n".join(lines) + "\n")
    except OSError:
        name = ""
    return f"{kind} in {where}", name


def _inner(name: str) -> str:
    """A file of ours, from the folder of the package; other files only by their last name."""
    if not name.startswith(PACKAGE):
        return f"<{os.path.basename(name)}>"
    return name.removeprefix(PACKAGE).replace(os.sep, "/")


def _folded(frames: list[tuple[str, int | None, str]]) -> Iterator[str]:
    """A line for each call; of a long chain, its beginning and its end."""
    shown = frames if len(frames) <= 60 else [*frames[:20], ("...", None, f"{len(frames) - 50} more"), *frames[-30:]]
    for name, line, function in shown:
        yield f"  {name}:{line or ''} {function}"
