"""The cells of the map: which documents each target has. They are kept between runs, with what they depended on."""

from __future__ import annotations

from plait.access.trace import AccessTrace
from plait.keeping.keeper import Keeper
from plait.report.render import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.workspace import StackQuestions, Survey, Workspace

RECORD = "cells"


class Cells:
    """All cells: the documents of each target, where each target begins, and what could not be read."""

    __slots__ = ("places", "problems", "rows")

    def __init__(self, rows: dict[str, list[str]], places: dict[str, list[str]], problems: str) -> None:
        self.rows = rows
        self.places = places
        self.problems = problems


def cells_of(survey: Survey, stacks: StackQuestions | None) -> Cells:
    """The cells as the repository has them now."""
    rows = {target: survey.documents(target) for target in survey.targets()}
    problems = render(stacks.problems()) if stacks is not None else ""
    return Cells(rows, {} if problems else {target: survey.of.places(target) for target in rows}, problems)


class KeptCells:
    """The cells of an earlier run. Without a question nothing is kept."""

    def __init__(self, question: bytes = b"") -> None:
        self._question = question

    def find(self, workspace: Workspace) -> Cells | None:
        """The cells that were kept, where nothing that they depend on has changed. The workspace then depends on it."""
        keeper = Keeper(self._question) if self._question else None
        if keeper is None or keeper.earlier is None:
            return None
        record = keeper.earlier.record
        keeper.close()
        trace = AccessTrace.of(record["trace"])  # type: ignore[arg-type]
        if RECORD not in record or not trace.surroundings_hold() or any(trace.changed_files()):
            return None
        workspace.project.trace.add(trace)
        return Cells(*record[RECORD])  # type: ignore[misc]

    def keep(self, cells: Cells, workspace: Workspace) -> Cells:
        """Keep cells for the next run, unless they depend on something that cannot be checked then."""
        if self._question:
            keeper = Keeper(self._question)
            keeper.keep(0, workspace.followed(), {RECORD: (cells.rows, cells.places, cells.problems)})
            keeper.close()
        return cells
