"""The cells of the map: which documents each target has. They are kept between runs, with what they depended on."""

from __future__ import annotations

from plait.keeping.keeper import Keeper, changed_files, changed_names
from plait.report.render import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.access.trace import AccessTrace
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
        self._trace: dict[str, Any] | None = None
        """What the cells that were found depend on; the workspace has not asked for it itself."""

    def find(self) -> Cells | None:
        """The cells that were kept, where nothing that they depend on has changed."""
        self._trace = None
        keeper = Keeper(self._question) if self._question else None
        if keeper is None or keeper.earlier is None:
            return None
        try:
            record = keeper.earlier.record
            if RECORD not in record or changed_files(record["trace"]) != []:
                return None
            self._trace = record["trace"]  # type: ignore[assignment]
            return Cells(*record[RECORD])  # type: ignore[misc]
        finally:
            keeper.close()

    def keep(self, cells: Cells, workspace: Workspace) -> Cells:
        """Keep cells for the next run, unless they depend on something that cannot be checked then."""
        if self._question:
            keeper = Keeper(self._question)
            keeper.keep(0, workspace.followed(), {RECORD: (cells.rows, cells.places, cells.problems)})
            keeper.close()
        return cells

    def changed(self, workspace: Workspace) -> list[str]:
        """What has changed of all that the cells depend on that were found; the workspace follows what it asked for."""
        if self._trace is not None and _asked_for(self._trace, workspace.project.trace):
            self._trace = None
        return changed_names(self._trace) if self._trace is not None else []


def _asked_for(kept: dict[str, Any], trace: AccessTrace) -> bool:
    """Whether a workspace has asked for everything itself that a kept trace has."""
    return (
        kept["files"].keys() <= trace.files.keys()
        and kept["folders"].keys() <= trace.folders.keys()
        and kept["stamped"].keys() <= trace.stamped.keys()
        and all((question, name) in trace.looked for question, name, _ in kept["looked"])
    )
