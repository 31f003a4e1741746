"""What git knows: the files as a run of the pattern left them (tracker `git`), and who last changed a line.

The commit of a run carries the trailer `Plait-Pattern: NAME`. Plain HEAD would not do: it already holds other
people's changes.
"""

from __future__ import annotations

import os

from plait.core.source import YAML_ENDINGS, Source
from plait.fronts.patterns.disk import Folder, asked_git
from plait.fronts.patterns.record import Record
from plait.fronts.patterns.resources import TextFile
from plait.fronts.project import Project
from plait.report.catalog import BAD_TRACKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

TRAILER = "Plait-Pattern"


def generated_by_commit(folder: Folder, pattern: str, names: Iterable[str]) -> Record:
    """The record as the last commit that says it is a run of this pattern (or of any, where none is named) has it."""
    says = f"--grep=^{TRAILER}: {pattern}" + ("$" if pattern else "")
    project, path = folder.project, folder.path
    commit = (asked_git(project, path, "log", "-1", "--format=%H", says, "--", ".") or "").strip()
    if not commit:
        hint = f"commit the output of a run with the trailer `{TRAILER}: {pattern or 'NAME'}`"
        raise BAD_TRACKER.error(why=f"no commit records a run of `{pattern or 'a pattern'}`", hint=hint)
    texts = []
    listed = asked_git(project, path, "ls-tree", "--name-only", commit, "./") or ""
    for name in dict.fromkeys([*(line for line in listed.splitlines() if line.endswith(YAML_ENDINGS)), *names]):
        text = asked_git(project, path, "show", f"{commit}:./{name}") if not name.startswith(".") else None
        if text is not None:
            texts.append(TextFile(name, Source(f"{name} ({commit[:10]})", text)))
    record = Record.of_texts(texts)
    record.pattern = pattern
    return record


def last_commit_with(folder: Folder, name: str) -> str:
    """The last commit in which a file of a folder was written; nothing where git knows none."""
    words = ("log", "-1", "--diff-filter=AM", "--format=%h", "--", name)
    return (asked_git(folder.project, folder.path, *words) or "").strip()


class Trail:
    """Who last changed each line of a file. git is asked once for each file."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._known: dict[str, dict[int, str]] = {}

    def last_change(self, path: str, line: int) -> str:
        """`Ann, 2026-01-31 (abc1234)`; nothing where git does not know."""
        if path not in self._known:
            folder, name = os.path.split(path)
            self._known[path] = _authors(asked_git(self.project, folder, "blame", "--porcelain", "--", name) or "")
        return self._known[path].get(line, "")

    def author(self, path: str, line: int) -> str:
        """The name alone; nothing for a line that is not committed."""
        name, _, day = self.last_change(path, line).rpartition(", ")
        return name if day else ""

    def last_mention(self, path: str, text: str) -> str:
        """The last commit that changed how often a file contains a text: for a field that is gone, the one that
        deleted it."""
        if not text:
            return ""
        folder, name = os.path.split(path)
        words = ("log", "-1", "--format=%an, %as (%h)", "-S", text, "--", name)
        return (asked_git(self.project, folder, *words) or "").strip()


def _authors(porcelain: str) -> dict[int, str]:
    """For each line, from 1, who wrote it. A commit is described where it is first named."""
    authors: dict[int, str] = {}
    commits: dict[str, dict[str, str]] = {}
    commit, number = "", 0
    for row in porcelain.splitlines():
        if row.startswith("\t"):
            authors[number] = _author(commit, commits[commit])
            continue
        word, _, rest = row.partition(" ")
        if len(word) >= 40 and word.isalnum():
            commit, number = word, int(rest.split()[1])
            commits.setdefault(commit, {})
        else:
            commits[commit][word] = rest
    return authors


def _author(commit: str, about: dict[str, str]) -> str:
    import time

    if not commit.strip("0"):
        return "not committed yet"
    day = time.strftime("%Y-%m-%d", time.gmtime(int(about.get("author-time", "0"))))
    return f"{about.get('author', 'unknown')}, {day} ({commit[:7]})"
