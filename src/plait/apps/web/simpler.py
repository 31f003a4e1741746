"""What could be simpler, looked for between the questions once somebody has asked for it."""

from __future__ import annotations

from time import monotonic

from plait.core.diagnostic import PlaitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.tidy.asking import TidySearch
    from plait.workspace import Workspace


class SimplerSearch:
    """The search of one state of the repository. It begins with the first question."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.search: TidySearch | None = None
        self._steps: Iterator[None] = iter(())
        self.error: PlaitError | None = None
        """What ended it."""

    @property
    def wanted(self) -> bool:
        return self.search is not None

    def look(self, seconds: float) -> TidySearch:
        """Go on for a moment, and say what is known then."""
        until = monotonic() + seconds
        if self.search is None and self.error is None:
            self.search = self._workspace.tidying.search()
            self._steps = self._guarded(self.search.steps())
        while self.error is None and monotonic() < until and next(self._steps, self) is not self:
            pass
        if self.error is not None:
            raise self.error
        assert self.search is not None
        return self.search

    def rest(self) -> Iterator[None]:
        """Go on, a step at a time."""
        yield from self._steps

    def _guarded(self, steps: Iterator[None]) -> Iterator[None]:
        """The same steps; an error is kept, too: the next page tells it again."""
        try:
            yield from steps
        except PlaitError as error:
            self.error = error
            raise
