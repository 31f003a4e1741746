"""Answers about many stacks, computed by several processes if that saves time.

A worker does not compute a stack that needs external data, or has errors or warnings: the process that started it does.
"""

from __future__ import annotations

from plait.access.workers import forked
from plait.fronts.stacks.ask.outside import MARKS
from plait.fronts.stacks.read.imports import files_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from plait.fronts.stacks.answers.repository import Repository

    T = TypeVar("T")

PAYS = 300
"""A worker with fewer components than this, abstract ones among them, costs about as much as it saves: see
docs/large.md."""


def spread(
    repository: Repository,
    names: list[str],
    compute: Callable[[list[str], bool], Iterator[T]],
    question: dict[str, object],
) -> Iterator[T]:
    """The answers about some stacks, in order.

    `compute` gives them, as plain data, for any number of names; its argument says whether they ask the outside.
    `question` says the same to another machine: see `StackQuestions.part`.
    """
    project = repository.session.project
    asking = asking_outside(repository, names)
    quiet = [name for name in names if name not in asking]
    jobs = _workers(repository, quiet, project.jobs) if project.jobs > 1 else 1
    if jobs < 2 and project.elsewhere is None:
        yield from compute(names, bool(asking))
        return
    worker = Worker(repository, lambda name: next(compute([name], False)))
    project.trace.is_shared = True
    made = (
        project.elsewhere.answers(project, question, quiet)
        if project.elsewhere
        else forked(worker.answer, quiet, jobs, project.guard, 2, project.trace)
    )
    here = compute([name for name in names if name in asking], True)
    for name in names:
        result = None if name in asking else next(made)
        if result is not None:
            worker.charge(result[1])
            yield result[0]
        else:
            yield next(here if name in asking else compute([name], True))


def _workers(repository: Repository, names: list[str], most: int) -> int:
    """How many workers save time: as many as have enough to do, and at most so many."""
    count = 0
    for manifest in (one for name in names for one in repository.manifests_of(name)):
        count += sum(len(manifest.names(type)) for type in manifest.types())
        if count >= most * PAYS:
            return most
    return count // PAYS


def asking_outside(repository: Repository, names: list[str]) -> set[str]:
    """The stacks whose files may need external data."""
    sources = repository.session.project.sources.items()
    loud = {path for path, source in sources if any(word in source.text for word in MARKS)}
    if not loud:
        return set()
    files = {name: [file for one in repository.manifests_of(name) for file in files_of(one)] for name in names}
    return {name for name, members in files.items() if any(file.path in loud for file in members)}


class Worker:
    """The answer about one stack, for another process."""

    def __init__(self, repository: Repository, compute: Callable[[str], object]) -> None:
        self.repository = repository
        self.compute = compute

    def answer(self, name: str) -> tuple[object, list[int]] | None:
        """The answer and the work it took; None if the other process must compute it itself."""
        reports, used = self._reports(), self._used()
        found = self.compute(name)
        done = [now - before for now, before in zip(self._used(), used, strict=True)]
        return (found, done) if self._reports() == reports else None

    def charge(self, done: list[int]) -> None:
        """Count the work of a worker here: budgets are for all processes together."""
        project = self.repository.session.project
        project.meter.step(done[0])
        project.counters.steps += done[1]
        project.counters.forced += done[2]

    def _used(self) -> list[int]:
        project = self.repository.session.project
        return [project.meter.steps, project.counters.steps, project.counters.forced]

    def _reports(self) -> int:
        return len(self.repository.broken) + self.repository.session.trace.reports
