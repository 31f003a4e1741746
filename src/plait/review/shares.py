"""A review by several processes: each gets a share of the targets, with all the proofs about them.

The main process reviews the targets that need external data, which workers cannot request. The number of proofs is
limited for the whole review: if it is not enough, the main process does the rest in order, as a single process would.
"""

from __future__ import annotations

from plait.access.guard import LeftUndone
from plait.access.workers import forked
from plait.core.diagnostic import PlaitError
from plait.review.causes import ProofBudget
from plait.review.packing import PackedFindings
from plait.review.review import Reviewer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from plait.review.finding import TargetFinding
    from plait.review.review import Look, Open, Review
    from plait.review.sides import TreeChange

SHARES = 4
"""How many shares there are for each worker, where a share costs nothing beside its targets."""
PAYS = 8
"""With fewer targets that may differ than this, workers cost about as much as they save: see docs/large.md."""


def review_together(
    change: TreeChange,
    open_project: Open,
    only: Iterable[str],
    proofs: int,
    jobs: int,
    ways: int = 0,
    look: Look | None = None,
) -> Review:
    """A review by this number of processes, if there is enough work for them."""
    made = TogetherReviewer(change, open_project, set(only), ProofBudget(proofs), ways, look)
    made.jobs = jobs
    return made.review()


class TogetherReviewer(Reviewer):
    """A review under way, by several processes."""

    jobs = 1

    def findings(self, names: list[str]) -> list[TargetFinding]:
        if len(names) < PAYS:
            return super().findings(names)
        worker = ShareWorker(self, self.jobs)
        asking = self.before.asking(names) | self.after.asking(names)
        found: dict[str, TargetFinding] = {}
        shares = worker.shares([name for name in names if name not in asking])
        for done in forked(worker.share, shares, self.jobs, worker.guard, 2):
            found |= worker.received(done) if done is not None else {}
        for finding in worker.alone([name for name in names if name not in found]):
            found[finding.name] = finding
        return self.within_budget([found[name] for name in names])

    def within_budget(self, findings: list[TargetFinding]) -> list[TargetFinding]:
        """The findings that the limit of proofs allows, and the other targets reviewed again with the proofs that are
        left."""
        for number, finding in enumerate(findings):
            if finding.proofs > self.budget.left:
                return [*findings[:number], *super().findings([one.name for one in findings[number:]])]
            self.budget.left -= finding.proofs
        return findings


class ShareWorker:
    """Computes shares of a review, and reads the findings of other processes."""

    def __init__(self, reviewer: Reviewer, jobs: int) -> None:
        self.reviewer = reviewer
        self.jobs = jobs
        self.hunks = reviewer.change.hunks
        self.packing = PackedFindings(self.hunks)
        self.proofs = reviewer.budget.left
        self.guard = reviewer.after.project.guard
        self.sides = (reviewer.before.project, reviewer.after.project)
        self._read = [len(side.sources) for side in self.sides]

    def shares(self, names: list[str]) -> list[list[str]]:
        """One share for each worker where each makes trees of its own for the proofs; else more, of equal size."""
        if len(self.hunks) > 1 and not self.reviewer.change.views:
            return []  # the trees for the proofs are private copies, which only one process can have
        count = self.jobs * (1 if len(self.hunks) > 1 else SHARES)
        size = max(1, -(-len(names) // count))
        return [names[at : at + size] for at in range(0, len(names), size)]

    def share(self, names: list[str]) -> tuple[object, ...]:
        """The findings about some targets as plain data, with the files that were read and the work that it took.

        Where one of them asks the outside, each is tried by itself.
        """
        steps = [side.meter.steps for side in self.sides]
        try:
            found = self.alone(names)
        except (LeftUndone, PlaitError):
            found = [one for name in names for one in self._tried(name)]
        read = [list(side.sources)[known:] for side, known in zip(self.sides, self._read, strict=True)]
        self._read = [len(side.sources) for side in self.sides]
        taken = [side.meter.steps - before for side, before in zip(self.sides, steps, strict=True)]
        return [self.packing.pack(one) for one in found], self._hiding(), read, taken

    def _tried(self, name: str) -> list[TargetFinding]:
        """The finding about a target; empty if the process that asked must review it itself."""
        try:
            return self.alone([name])
        except (LeftUndone, PlaitError):
            return []

    def alone(self, names: list[str]) -> list[TargetFinding]:
        """The findings about some targets, each with as many proofs as the whole review has."""
        total = self.reviewer.budget
        found = []
        try:
            for row in self.reviewer.compared(names):
                self.reviewer.budget = ProofBudget(self.proofs)
                found.append(self.reviewer.finding(row))
        finally:
            self.reviewer.budget = total
        return found

    def received(self, share: Any) -> dict[str, TargetFinding]:
        """The findings that a worker sent."""
        found, hiding, read, taken = share
        self.reviewer.hiding |= {self.hunks[number]: failing for number, failing in hiding}
        for side, names, steps in zip(self.sides, read, taken, strict=True):
            side.meter.step(steps)  # budgets are for all processes together
            for name in names:
                side.source(name)
        return {row[0]: self.packing.unpack(row) for row in found}

    def _hiding(self) -> list[tuple[int, int]]:
        return [(self.packing.number[hunk], failing) for hunk, failing in self.reviewer.hiding.items()]
