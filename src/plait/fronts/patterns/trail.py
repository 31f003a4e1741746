"""What git knows: the files as a run of the pattern left them (tracker `git`), and who last changed a line.

The commit of a run carries the trailer `Plait-Pattern: NAME`. Plain HEAD would not do: it already holds other people's changes.
"""

from __future__ import annotations

import os
import subprocess

from plait.core.source import Source
from plait.fronts.patterns.disk import Folder
from plait.fronts.patterns.record import Record
from plait.fronts.patterns.resources import Text
from plait.report.catalog import BAD_TRACKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

TRAILER = "Plait-Pattern"


def git(folder: str, *words: str) -> str | None:
    """What git says; None where it fails, or is not there."""
    try:
        done = subprocess.run(["git", *words], cwd=folder or ".", capture_output=True, timeout=30, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def generated_by_commit(folder: Folder, pattern: str, names: Iterable[str]) -> Record:
    """The record as the last commit that says it is a run of this pattern has it."""
    commit = (git(folder.path, "log", "-1", "--format=%H", f"--grep=^{TRAILER}: {pattern}$", "--", ".") or "").strip()
    if not commit:
        hint = f"commit the output of a run with the trailer `{TRAILER}: {pattern}`"
        raise BAD_TRACKER.error(why=f"no commit here says that it is a run of `{pattern}`", hint=hint)
    texts = []
    listed = git(folder.path, "ls-tree", "--name-only", commit, "./") or ""
    for name in dict.fromkeys([*(line for line in listed.splitlines() if line.endswith((".yaml", ".yml"))), *names]):
        text = git(folder.path, "show", f"{commit}:./{name}") if not name.startswith(".") else None
        if text is not None:
            texts.append(Text(name, Source(f"{name} ({commit[:10]})", text)))
    record = Record.of_texts(texts)
    record.pattern = pattern
    return record


def last_change(path: str, line: int) -> str:
    """Who last changed a line, and when: `Ann, 2026-01-31 (abc1234)`; nothing where git does not know."""
    folder, name = os.path.split(path)
    told = git(folder, "blame", "--porcelain", f"-L{line},{line}", "--", name)
    if not told:
        return ""
    fields = dict(row.partition(" ")[::2] for row in told.splitlines()[1:])
    commit = told.split(" ", 1)[0]
    if not commit.strip("0"):
        return "not committed yet"
    return f"{fields.get('author', 'somebody')}, {_day(fields.get('author-time', '0'))} ({commit[:7]})"


def _day(seconds: str) -> str:
    import time

    return time.strftime("%Y-%m-%d", time.gmtime(int(seconds)))
