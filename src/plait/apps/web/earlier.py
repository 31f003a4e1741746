"""What was gathered before files changed, as far as it is still true: work is done for what is new.

A document keeps its values where the changes of the texts cannot reach it. That is asked of its target as it is now. A
target that does not read a changed file any more, which it read before, is looked at again as a whole: what it was made
of is not known any more. Lines of a changed file that were not changed themselves may have other numbers now.
"""

from __future__ import annotations

import os

from plait.fronts.front import WHOLE, Changes, label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.front import World
    from plait.fronts.project import Project
    from plait.survey.survey import Survey

    Instance = tuple[str, str]
    """A document of a target: the names of both."""
    Row = tuple[str, str, tuple[str, str]]
    """A path and a value as texts, and where: the target, and the file and line."""


class MovedLines:
    """The lines of a file before and after a change: those above and below everything that differs."""

    __slots__ = ("_above", "_below", "_shift")

    def __init__(self, before: str, after: str) -> None:
        old, new = before.split("\n"), after.split("\n")
        most = min(len(old), len(new))
        above = next((at for at in range(most) if old[at] != new[at]), most)
        left = most - above
        same = next((at for at in range(left) if old[-1 - at] != new[-1 - at]), left)
        self._above, self._below, self._shift = above, len(old) - same, len(new) - len(old)

    def now(self, line: int) -> int | None:
        """The number of a line now; None where it may be another one."""
        if line <= self._above:
            return line
        return line + self._shift if line > self._below else None


class EarlierValues:
    """The values that were gathered before some texts changed."""

    def __init__(
        self, held: dict[Instance, list[list[Row]]], read: dict[str, frozenset[str]], changes: Changes
    ) -> None:
        """`read` are the files of each target then."""
        self._held = held
        self._read = read
        self._changes = changes
        self._lines = {file: MovedLines(old or "", new or "") for file, (old, new) in changes.texts.items()}
        self._reached: dict[str, set[str] | None] = {}
        self._moved: dict[int, tuple[list[Row], list[Row] | None]] = {}

    def rows(self, survey: Survey, target: str, document: str) -> list[list[Row]] | None:
        """The values of a document that it has still; None where they are to be looked at."""
        held = self._held.pop((target, document), None)
        if held is None:
            return None
        reached = self._reached_in(survey, target)
        if reached is None or document in reached:
            return None
        moved = list(map(self._moved_rows, held))
        return None if None in moved else moved  # type: ignore[return-value]

    def _reached_in(self, survey: Survey, name: str) -> set[str] | None:
        """The documents of a target that may differ; None for all."""
        if name not in self._reached:
            target, changes = survey.of[name], self._changes
            if changes.has_settings or not self._read[name].intersection(changes) <= target.read:
                self._reached[name] = None
            elif not target.touches(changes):
                self._reached[name] = set()
            else:
                documents = [one for one, _ in target.each(target.reached_by(changes)) if target.reads(one, changes)]
                self._reached[name] = {label(one, target) or WHOLE for one in documents}
        return self._reached[name]

    def _moved_rows(self, rows: list[Row]) -> list[Row] | None:
        """A section with the lines that its values are on now; None where that is not known of one."""
        key = id(rows)
        if key not in self._moved:
            found = [one for row in rows if (one := self._moved_row(row)) is not None]
            self._moved[key] = (rows, found if len(found) == len(rows) else None)
        return self._moved[key][1]

    def _moved_row(self, row: Row) -> Row | None:
        path, text, (target, where) = row
        file, _, line = where.rpartition(":")
        lines = self._lines.get(file)
        if lines is None:
            return row
        now = lines.now(int(line))
        return row if now == int(line) else None if now is None else (path, text, (target, f"{file}:{now}"))


def text_changes(project: Project, world: World, changed: list[str]) -> Changes | None:
    """The texts of files before and after they changed, before the project reads them again; None where one is not a
    text that it knows."""
    texts: dict[str, tuple[str | None, str | None]] = {}
    names = {os.path.realpath(name): name for name in project.sources}
    for real in changed:
        if real not in names or not os.path.isfile(real):
            return None
        data = project.door.read(names[real], project.budgets.size)
        texts[world.file(names[real])] = (project.sources[names[real]].text, data.decode("utf-8", "surrogateescape"))
    return Changes(texts)
