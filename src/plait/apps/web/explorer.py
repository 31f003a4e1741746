"""What the pages of the explorer ask: one state of the repository at a time, and one question at a time.

Evaluating is not made for several threads. Every question runs on the one thread of `Explorer.run`, with budgets of its
own, and is answered from the newest state.
"""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from time import monotonic

from plait.apps.web.all_values import Gathered
from plait.apps.web.cells import KeptCells, cells_of
from plait.apps.web.earlier import EarlierValues, text_changes
from plait.apps.web.simpler import SimplerSearch
from plait.core.diagnostic import PlaitError
from plait.fronts.catalog import stacks_folder
from plait.fronts.front import NAMED, VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol, TypeVar

    from plait.apps.web.cells import Cells, Texts
    from plait.edits.value import ResultEdit
    from plait.evaluate.tree import Tree
    from plait.fronts.front import Given
    from plait.fronts.questions import StackQuestions
    from plait.review.review import Review
    from plait.survey.survey import Survey
    from plait.workspace import Workspace

    class LongWork(Protocol):
        """Something that takes long: whether somebody asked for it, and what is left of it, in small steps."""

        @property
        def wanted(self) -> bool: ...

        def rest(self) -> Iterator[None]: ...

    class WantedChange(Protocol):
        """A proposed value."""

        @property
        def words(self) -> dict[str, str]: ...

        def edit(self, state: State) -> ResultEdit: ...

    T = TypeVar("T")

PAUSE = 0.5
"""Seconds for which the disk is not looked at again."""
MOST_PREPARED = 1000
"""How many targets are read before they are asked for."""


class Choices:
    """What the command line says about the explorer."""

    __slots__ = ("base", "edit", "files", "folder", "reveal", "targets")

    def __init__(
        self,
        folder: str = ".",
        reveal: bool = False,
        edit: bool = False,
        base: str = "",
        targets: Iterable[str] = (),
        files: Iterable[str] = (),
    ) -> None:
        self.files = tuple(files)
        """Layers that are shown instead of what the folder declares."""
        self.folder = folder
        self.reveal = reveal
        self.edit = edit
        self.base = base
        self.targets = tuple(targets)


class State:
    """The repository as it was when it was last looked at. `number` counts the states."""

    def __init__(
        self,
        workspace: Workspace,
        stacks: StackQuestions | None,
        survey: Survey,
        choices: Choices,
        number: int,
        kept: KeptCells | None = None,
    ) -> None:
        self._kept = kept or KeptCells()
        self.workspace = workspace
        self.stacks = stacks
        self.survey = survey
        self.choices = choices
        self.number = number
        self.patient = False
        """Whether an answer may take as long as it takes: no client waits for the rest of it."""
        self.gathered = Gathered(survey, choices.reveal)
        """What the search looks through."""
        self.simpler = SimplerSearch(workspace)
        """What could be simpler, as far as it is known."""
        self._reviews: dict[str, Review] = {}
        self._edit: tuple[tuple[str, ...], ResultEdit] | None = None

    @property
    def repository(self) -> str:
        """What the repository is called: its folder."""
        return os.path.basename(os.path.realpath(self.choices.folder))

    @property
    def kind(self) -> str:
        """What a target is called: stack or target."""
        return self.survey.kind

    @property
    def part(self) -> str:
        """What a document of a target is called: component or document."""
        return self.survey.part

    def recall(self) -> Cells | None:
        """The cells that an earlier run left, where they are still the same."""
        found = self._kept.find(self.workspace)
        if found is not None:
            self.survey.world.recall(found.found)
            self.cells = found
        return found

    @cached_property
    def cells(self) -> Cells:
        """The documents of all targets: as an earlier run left them, where they are still the same."""
        return self.recall() or self._kept.keep(cells_of(self.survey, self.stacks), self.workspace)

    def tree(self, target: str, document: str) -> Tree:
        """One document. The cells say where its target begins: no other target is looked at to find it."""
        assert self.cells
        return self.survey.tree(target, document)

    def kept_page(self, name: str, made: Callable[[], Texts]) -> Texts:
        """A page of one document: as an earlier run left it, where it is still the same. Secrets are not kept."""
        return made() if self.choices.reveal else self._kept.page(name, self.cells, self.workspace, made)

    def prepared(self) -> Iterator[None]:
        """Find the documents of one target after the other: a page of one of them then has no file to read."""
        for target in self.targets[:MOST_PREPARED]:
            yield
            self.survey.documents(target)

    @cached_property
    def instances(self) -> list[tuple[str, str]]:
        """Every document of every target that is shown: the names of both."""
        return [(target, document) for target in self.targets for document in self.cells.rows[target]]

    @cached_property
    def searched(self) -> list[tuple[str, str]]:
        """The same, and what templates see: people look for the values that they write, too."""
        given = [(target, VALUES) for target in self.targets if self.survey.document(target, VALUES) is not None]
        return [*self.instances, *(one for one in given if VALUES not in self.cells.rows[one[0]])]

    @cached_property
    def targets(self) -> list[str]:
        """The targets that are shown, those of `--target` where it is given."""
        return self.survey.of.selected(self.choices.targets) if self.choices.targets else list(self.cells.rows)

    def review(self, base: str) -> Review:
        """What changed since a revision; worked out once for each state."""
        if base not in self._reviews:
            self._reviews[base] = self.workspace.review(base, None, self.choices.targets)
        return self._reviews[base]

    def edit_of(self, asked: WantedChange) -> ResultEdit:
        """The edit that a wish means; of the last one, what was tried is kept."""
        key = tuple(asked.words.values())
        if self._edit is None or self._edit[0] != key:
            self._edit = (key, asked.edit(self))
        return self._edit[1]


class Explorer:
    """The repository over time. `opened` makes the workspace; `asking` the question about the stacks of a folder."""

    def __init__(
        self,
        opened: Callable[[], Workspace],
        asking: Callable[[Workspace, str], StackQuestions],
        choices: Choices | None = None,
        question: bytes = b"",
    ) -> None:
        self.choices = choices or Choices()
        self._kept = KeptCells(question)
        self._asking = asking
        self._thread = ThreadPoolExecutor(1, "plait-explorer")
        self._workspace = self._thread.submit(opened).result()
        self._looked = monotonic()
        self.changed: list[str] = []
        """The files that the newest state differs in from the one before."""
        self._begun: list[LongWork] = []
        """What was begun for the newest state and goes on between the questions."""
        self._prepares = False
        """Whether each state is prepared in advance."""
        self.state = self._thread.submit(self._fresh, 1).result()
        self._thread.submit(self.state.recall).result()

    def _fresh(self, number: int) -> State:
        folder = "" if self.choices.files else stacks_folder(self._workspace.world())
        stacks = self._asking(self._workspace, folder) if folder else None
        given: Given | None = {"stack": {"asked": stacks}} if stacks is not None else None
        if self.choices.files:
            given = {NAMED: {self._workspace.project.admit(name): True for name in self.choices.files}}
        survey = self._workspace.survey(given)
        return State(self._workspace, stacks, survey, self.choices, number, self._kept)

    def ask(self, question: Callable[[State], T]) -> Future[T]:
        """The answer to a question about the newest state, worked out after those that were asked before."""
        return self._thread.submit(self._asked, question)

    def _asked(self, question: Callable[[State], T]) -> T:
        if monotonic() - self._looked > PAUSE:
            self.refresh()
        self._workspace.meter.restart()
        try:
            return question(self.state)
        finally:
            self._go_on()

    def _go_on(self) -> None:
        """Go on with what pages have asked for, in steps between the questions: nobody waits for more than a step."""
        state = self.state
        works: tuple[LongWork, ...] = (state.gathered, state.simpler)
        for work in works:
            if work.wanted and work not in self._begun:
                self._begun.append(work)
                with suppress(RuntimeError):  # the explorer was closed meanwhile
                    self._thread.submit(self._step, state, work.rest())

    def prepare(self) -> None:
        """Read in advance what pages will need, in steps between the questions."""
        self._prepares = True
        self._thread.submit(self._step, self.state, self.state.prepared())

    def _step(self, state: State, steps: Iterator[None]) -> None:
        if state is not self.state:
            return  # it has begun again with the newest state
        self._workspace.meter.restart()
        with suppress(StopIteration, RuntimeError):  # the last one where the explorer was closed meanwhile
            try:
                next(steps)
            except PlaitError:  # its page tells it; the next question goes on behind it
                self._begun.clear()
            else:
                self._thread.submit(self._step, state, steps)

    def refresh(self) -> None:
        """Look at the disk again; where files have changed, the state is another one."""
        changed = self._workspace.refresh()
        self._looked = monotonic()
        if changed:
            self.changed = sorted(os.path.relpath(name) for name in changed)
            earlier, project = self._earlier(changed), self.state.workspace.project_before
            self.state = self._fresh(self.state.number + 1)
            if self._workspace.project is project:
                self.state.gathered.earlier = earlier
            self._begun.clear()
            if self._prepares:
                self.prepare()

    def _earlier(self, changed: list[str]) -> EarlierValues | None:
        """What was gathered, for the next state; None where more has changed than texts."""
        gathered, living = self.state.gathered, self._workspace
        if not gathered.held or not living.has_other_texts_only:
            return None
        changes = text_changes(living.project_before, self.state.survey.world, changed)
        return EarlierValues(gathered.held, gathered.read, changes) if changes is not None else None

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
        self._workspace.close()
