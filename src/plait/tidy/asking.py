"""What a surface asks of `plait tidy`."""

from __future__ import annotations

from plait.core.steps import outcome
from plait.fronts.catalog import world_of
from plait.report.catalog import BAD_OPTION
from plait.report.near import did_you_mean
from plait.review.compared import comparing
from plait.tidy.kinds import KINDS, OLD_NAMES
from plait.tidy.move import Moving
from plait.tidy.tidy import Tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.fronts.project import Project
    from plait.tidy.tidy import ProvedChanges


class TidySearch:
    """What could be simpler in all files, looked for in small steps: other questions can be asked between them."""

    def __init__(self, project: Project) -> None:
        self._project = project
        with comparing(project):
            self.first = Tidy(world_of(project))
        self.rounds: list[ProvedChanges] | None = None
        """What was found, when all is."""

    def steps(self) -> Iterator[None]:
        """Each step is a target, a file or a proposal."""
        steps = self._whole()
        while True:
            with comparing(self._project):
                if next(steps, self) is self:
                    return
            yield

    def _whole(self) -> Iterator[None]:
        yield from self.first.find()
        self.rounds = yield from self.first.find_rounds()


class TidyQuestions:
    """Changes of files that leave every result as it is."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def proposals(self, paths: Iterable[str] = (), only: Iterable[str] = (), share: int = 100) -> Tidy:
        """What could be simpler in the files."""
        only = [OLD_NAMES.get(kind, kind) for kind in only]
        for kind in only:
            if kind not in KINDS:
                hint = did_you_mean(kind, KINDS) or f"available: {', '.join(KINDS)}"
                raise BAD_OPTION.error(why=f"unknown kind `{kind}`", hint=hint)
        with comparing(self._project):
            found = Tidy(world_of(self._project), paths, only, share)
            outcome(found.find())
            return found

    def search(self) -> TidySearch:
        """The same for all files, in small steps."""
        return TidySearch(self._project)

    def moving(self, paths: Iterable[str], path: str, to: str) -> Moving:
        """The value at a path, moved into another file: out of certain files, or all."""
        with comparing(self._project):
            return Moving(world_of(self._project), paths, path, to)
