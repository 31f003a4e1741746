"""Results about many stacks from the workers of an engine; each is checked against this machine before it is used."""

from __future__ import annotations

from plait.access.workers import Elsewhere
from plait.core.meter import BUDGETS
from plait.distributed.engines import reason_of
from plait.distributed.evidence import Evidence
from plait.distributed.parcel import Parcel
from plait.distributed.plain import unpacked
from plait.distributed.worker import answer
from plait.report.catalog import NOT_DISTRIBUTED
from plait.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from plait.core.diagnostic import Diagnostic
    from plait.distributed.engines import Answer, Engine
    from plait.fronts.project import Project

TASKS = 4
"""How many tasks there are for each worker."""
WORK = 3
"""How many numbers say what work an answer took: see `spread`."""
TRIES = 3
"""How often a task is sent: what a parcel lacks is known only when it is looked for."""


class RemoteWorkers(Elsewhere):
    """The workers of an engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.problems: list[Diagnostic] = []

    def answers(self, project: Project, question: dict[str, object], names: list[str]) -> Iterator[Any]:
        parcel = Parcel(project, {**question, **limits(project), "version": __version__})
        workers = self._workers() if parcel.complete else 0
        if not workers:
            if not parcel.complete:
                why = "the configuration is made of files outside the repository"
                self.problems.append(NOT_DISTRIBUTED(targets="all stacks", why=why))
            yield from (None for _ in names)
            return
        size = max(1, len(names) // (workers * TASKS))
        chunks = [names[at : at + size] for at in range(0, len(names), size)]
        errand = Errand(self, project, parcel, chunks)
        for number, chunk in enumerate(chunks):
            yield from errand.result(number) or [None] * len(chunk)

    def _workers(self) -> int:
        """About how many tasks run at the same time; none where the engine is gone, which is reported."""
        try:
            return self.engine.workers()
        except Exception as trouble:  # whatever the engine raises
            self.problems.append(NOT_DISTRIBUTED(targets="all stacks", why=reason_of(trouble)))
            return 0

    def close(self) -> None:
        self.engine.close()


def limits(project: Project) -> dict[str, object]:
    """What the workers may do and use: what is allowed here."""
    guard = project.guard
    workspace = {
        "folder": ".",
        "allow": sorted(guard.allowed),
        "deny": sorted(guard.denied),
        "hermetic": guard.hermetic,
        "budgets": {name: getattr(project.budgets, name) for name in BUDGETS},
    }
    return {"workspace": workspace, "seconds": project.budgets.seconds}


class Errand:
    """Tasks that are under way, one for each chunk of names."""

    def __init__(self, owner: RemoteWorkers, project: Project, parcel: Parcel, chunks: list[list[str]]) -> None:
        self.owner = owner
        self.project = project
        self.parcel = parcel
        self.chunks = chunks
        self._waiting: dict[int, Answer] = {}
        self._send(range(len(chunks)))

    def _send(self, numbers: range) -> None:
        """Send the tasks of some chunks, again where they were sent with a smaller parcel."""
        engine = self.owner.engine
        try:
            shared = engine.share(self.parcel.sealed())
            for number in numbers:
                self._waiting[number] = engine.start(answer, shared, self.chunks[number])
        except Exception as trouble:  # whatever the engine raises
            self._refuse([name for number in numbers for name in self.chunks[number]], trouble)
            self._waiting.clear()

    def _refuse(self, targets: list[str], trouble: Exception) -> None:
        why = reason_of(trouble)
        if NO_PLAIT in why:
            why = f"the workers cannot load plait: install plait {__version__} where they run ({why})"
        self.owner.problems.append(NOT_DISTRIBUTED(targets=", ".join(targets), why=why))

    def result(self, number: int) -> list[object] | None:
        """The answers of a chunk; None where they cannot come from a worker."""
        for left in reversed(range(TRIES)):
            if number not in self._waiting:
                return None  # it could not be sent, which has been reported
            try:
                found, plain = parts_of(self._waiting.pop(number)())
                if not are_answers(found, len(self.chunks[number])):
                    raise ValueError(BAD_FORM)
                evidence = Evidence.read(plain)
                if evidence.holds(self.project):
                    return list(found)
                if not left or not self._enlarge(evidence):
                    return None
            except Exception as trouble:  # whatever the engine raises or a worker sends: none of its kinds is ours
                self._refuse(self.chunks[number], trouble)
                return None
            self._send(range(number, len(self.chunks)))
        return None

    def _enlarge(self, evidence: Evidence) -> bool:
        """Add what a worker missed to the parcel; False where nothing that can travel is missing.

        Variables travel only where files may ask for them.
        """
        before = len(self.parcel.files), dict(self.parcel.variables)
        self.parcel.add_files(evidence.missing_files(self.project))
        if "env" not in self.project.guard.denied:
            self.parcel.add_variables(evidence.missing_variables(self.project))
        return before != (len(self.parcel.files), self.parcel.variables)


NO_PLAIT = "No module named 'plait"
"""What Python says where there is no plait; an engine may wrap it in an error of its own."""
BAD_FORM = "the worker sent something else than an answer"


def parts_of(answer: object) -> tuple[Any, Any]:
    """The answers that a worker sent, and the evidence."""
    data = unpacked(answer)
    if not isinstance(data, tuple) or len(data) != 2:
        raise ValueError(BAD_FORM)
    return data


def are_answers(data: object, count: int) -> bool:
    """Whether a worker sent as many answers as were asked for, each with the work that it took, or None."""
    return (
        isinstance(data, list)
        and len(data) == count
        and all(one is None or (isinstance(one, tuple) and len(one) == 2 and _is_work(one[1])) for one in data)
    )


def _is_work(done: object) -> bool:
    return isinstance(done, list) and len(done) == WORK and all(isinstance(one, int) and one >= 0 for one in done)
