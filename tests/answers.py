"""Commands in this process: what `plait WORDS...` ends with and prints, and folders for them."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

from plait.apps.cli.run import run


@contextlib.contextmanager
def project(files: dict[str, str]) -> Iterator[None]:
    """A folder with these files, as the working folder."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for file, text in files.items():
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(text, encoding="utf-8")
        yield


def answer(words: list[str]) -> tuple[int, str, str]:
    """The exit status of a command, and what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = run([*words, "--no-cache"])
    return status, out.getvalue(), err.getvalue()
