"""What an earlier run left for the explorer, with what it depended on: the cells of the map, and pages of documents."""

from __future__ import annotations

from secrets import token_bytes
from typing import cast

from plait.access.trace import AccessTrace, digest_of
from plait.keeping.keeper import Keeper
from plait.report.render import render_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.fronts.questions import StackQuestions
    from plait.survey.survey import Survey
    from plait.workspace import Workspace

    Texts = tuple[str, str]
    """The title and the content of a page."""

RECORD, PAGE = "map", "page"


class Cells:
    """All cells: the documents of each target, where targets are found, and what could not be read."""

    __slots__ = ("found", "mark", "problems", "rows", "titles", "trace")

    def __init__(
        self,
        rows: dict[str, list[str]],
        titles: dict[str, dict[str, str]],
        found: list[tuple[object, ...]],
        problems: str,
        mark: bytes,
    ) -> None:
        self.rows = rows
        self.titles = titles
        """The columns of documents that are the same thing as others with other labels."""
        self.found = found
        """Where targets are that take long to find."""
        self.problems = problems
        self.mark = mark
        """Tells these cells from those of any other state of the repository."""
        self.trace: list[dict[object, object]] = []
        """What they depend on, as data; nothing where they are not kept."""

    def column(self, target: str, document: str) -> str:
        """The column that a document of a target is in."""
        return self.titles.get(target, {}).get(document, document)


def cells_of(survey: Survey, stacks: StackQuestions | None) -> Cells:
    """The cells as the repository has them now."""
    rows = {target: survey.documents(target) for target in survey.targets()}
    problems = "\n".join(map(render_one, stacks.problems())) if stacks is not None else ""
    return Cells(rows, survey.titles(), [] if problems else survey.world.remember(), problems, token_bytes(16))


class KeptCells:
    """The cells of an earlier run. Without a question nothing is kept."""

    def __init__(self, question: bytes = b"") -> None:
        self._question = question

    def find(self, workspace: Workspace) -> Cells | None:
        """The cells that were kept, where nothing that they depend on has changed. The workspace then depends on it."""
        record = _found(self._question, workspace) if self._question else None
        if record is None or RECORD not in record:
            return None
        cells = Cells(*record[RECORD])  # type: ignore[misc]
        cells.trace = record["trace"]  # type: ignore[assignment]
        return cells

    def keep(self, cells: Cells, workspace: Workspace) -> Cells:
        """Keep cells for the next run, unless they depend on something that cannot be checked then."""
        if self._question:
            trace = workspace.followed()
            _keep(self._question, trace, {RECORD: (cells.rows, cells.titles, cells.found, cells.problems, cells.mark)})
            cells.trace = [] if trace.unfollowed else [{**part} for part in trace.data()]  # type: ignore[dict-item]
        return cells

    def page(self, name: str, cells: Cells, workspace: Workspace, made: Callable[[], Texts]) -> Texts:
        """A page that an earlier run made of the same cells; or else a new one, which is then kept."""
        if not cells.trace:
            return made()
        question = digest_of(b"%s%s%s" % (self._question, cells.mark, name.encode("utf-8", "surrogatepass")))
        record = _found(question, workspace)
        if record is not None and PAGE in record:
            return cast("Texts", record[PAGE])
        page = made()
        trace = workspace.followed()
        more = AccessTrace.of(tuple(map(_beyond, trace.data(), cells.trace)))  # type: ignore[arg-type]
        more.unfollowed = trace.unfollowed
        _keep(question, more, {PAGE: page})
        return page


def _found(question: bytes, workspace: Workspace) -> dict[str, object] | None:
    """What was kept for a question, where it is still true."""
    keeper = Keeper(question)
    keeper.close()
    if keeper.earlier is None:
        return None
    record = keeper.earlier.record
    trace = AccessTrace.of(record["trace"])  # type: ignore[arg-type]
    if not trace.surroundings_hold() or any(trace.changed_files()):
        return None
    workspace.project.trace.add(trace)
    return record


def _keep(question: bytes, trace: AccessTrace, more: dict[str, object]) -> None:
    keeper = Keeper(question)
    keeper.keep(0, trace, more)
    keeper.close()


def _beyond(part: dict[object, object], known: dict[object, object]) -> dict[object, object]:
    """What a page depends on and the cells do not: everything that they have no, or another, answer about."""
    return {asked: found for asked, found in part.items() if known.get(asked, part) != found}
