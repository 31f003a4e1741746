"""Processes that run our own code: on files of another machine, or to ask the same question in another way."""

from __future__ import annotations

import os
import subprocess
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def _python(code: str, *words: str) -> list[str]:
    """The words that run some code of ours; the folder of the process is not a place from which code is loaded."""
    places = [place for place in sys.path if os.path.isabs(place)]
    return [sys.executable, "-I", "-c", f"import sys; sys.path[:] = {places!r}; {code}", *words]


def own_process(module: str, data: bytes, folder: str, environment: Mapping[str, str], seconds: float) -> bytes:
    """What `main()` of one of our modules prints when it is given data, in a process that knows only this
    environment."""
    words = _python(f"from {module} import main; main()")
    done = subprocess.run(
        words, input=data, cwd=folder, env=dict(environment), capture_output=True, timeout=seconds, check=False
    )
    if done.returncode:
        raise OSError(f"it ended with exit status {done.returncode}: {done.stderr.decode(errors='replace')[-1000:]}")
    return done.stdout


def own_command(words: Iterable[str], folder: str, more: Mapping[str, str]) -> tuple[int, str, str]:
    """The exit status of a command of plait, and what it prints on its two streams: as the user would run it in a
    folder, with more variables."""
    argv = _python("from plait.__main__ import run; run()", *words)
    done = subprocess.run(
        argv,
        cwd=folder,
        env={**os.environ, **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def exchange(answer: Callable[[bytes], bytes]) -> None:
    """In the process of its own: what is given becomes what is printed."""
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
