"""A review: every difference between the results of two trees, grouped by the changed lines that cause it."""

from __future__ import annotations

from functools import cached_property

from plait.core.node import Node
from plait.core.path import Path
from plait.review.causes import ALONE, BROKEN, FIXED, Cause, ProofBudget, TargetCauses, TargetResult, investigate
from plait.review.guards import Guards
from plait.review.suites import suites

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.fronts.project import Project
    from plait.merging.diff import ValueDifference
    from plait.review.hunks import Hunk
    from plait.review.sides import TreeChange
    from plait.review.suites import Suite

    Open = Callable[[str], Project]
    """Opens the project in a tree."""

PROOFS = 2_000
"""How many evaluations of a target the proofs may take by default."""
EVERYWHERE = ("plait.yaml", "atmos.yaml")
"""Settings that any target may depend on, by the name of their file."""


class Effect:
    """One difference of one target, with its cause."""

    __slots__ = ("cause", "difference", "document", "path", "target")

    def __init__(self, target: str, document: str, path: Path, difference: ValueDifference, cause: Cause) -> None:
        self.target = target
        self.document = document
        self.path = path
        self.difference = difference
        self.cause = cause

    @property
    def before(self) -> Node | None:
        return self.difference.before

    @property
    def after(self) -> Node | None:
        return self.difference.after

    @property
    def kind(self) -> str:
        return self.difference.kind


class CauseGroup:
    """The effects of one cause: a hunk, or several that only together make the difference."""

    __slots__ = ("effects", "hunks", "proof")

    def __init__(self, cause: Cause) -> None:
        self.hunks = cause.hunks
        self.proof = cause.proof
        self.effects: list[Effect] = []

    @property
    def targets(self) -> list[str]:
        return list(dict.fromkeys(effect.target for effect in self.effects))


class Review:
    """Everything there is to say about a change."""

    def __init__(self, label: str, kind: str, total: int, hunks: list[Hunk]) -> None:
        self.label = label
        self.kind = kind
        """What the targets are called: `stack` or `target`."""
        self.total = total
        self.hunks = hunks
        self.effects: list[Effect] = []
        self.cancelling: list[Hunk] = []
        self.guards = Guards()
        self.read: frozenset[str] = frozenset()

    @cached_property
    def values(self) -> list[Effect]:
        return [effect for effect in self.effects if effect.kind not in (BROKEN, FIXED)]

    @cached_property
    def broken(self) -> list[Effect]:
        return [effect for effect in self.effects if effect.kind == BROKEN]

    @cached_property
    def fixed(self) -> list[Effect]:
        return [effect for effect in self.effects if effect.kind == FIXED]

    @cached_property
    def groups(self) -> list[CauseGroup]:
        """The values that change by cause, widest first."""
        found: dict[tuple[tuple[Hunk, ...], str], CauseGroup] = {}
        for effect in self.values:
            key = (effect.cause.hunks, effect.cause.proof)
            found.setdefault(key, CauseGroup(effect.cause)).effects.append(effect)
        return sorted(found.values(), key=lambda group: (-len(group.effects), [hunk.place for hunk in group.hunks]))

    @cached_property
    def targets(self) -> list[str]:
        return list(dict.fromkeys(effect.target for effect in self.values))

    @cached_property
    def idle(self) -> list[tuple[Hunk, str]]:
        """The changed lines that change nothing, each with the reason."""
        named = {hunk for effect in self.effects for hunk in effect.cause.hunks} | set(self.cancelling)
        return [(hunk, self._why_idle(hunk)) for hunk in self.hunks if hunk not in named]

    def _why_idle(self, hunk: Hunk) -> str:
        if hunk.file not in self.read:
            return f"no {self.kind} reads this file"
        lines = [line.strip() for line in (*hunk.old, *hunk.new)]
        if all(not line or line.startswith("#") for line in lines):
            return "a comment or an empty line"
        return f"overridden or unused in every {self.kind} that reads it"

    def protected(self, group: CauseGroup) -> list[str]:
        """The guards that a cause violates."""
        hit = [
            protection.text
            for protection in self.guards.protect
            if any(protection.covers(effect.target, effect.path) for effect in group.effects)
        ]
        if self.guards.widest and len(group.effects) > self.guards.widest:
            hit.append(f"more than {self.guards.widest} values")
        return hit

    @cached_property
    def guarded(self) -> bool:
        return any(self.protected(group) for group in self.groups)

    @cached_property
    def failed(self) -> bool:
        """Whether somebody must look: a guard is violated, or the change brings new errors."""
        return self.guarded or bool(self.broken)


def review(change: TreeChange, open_project: Open, only: Iterable[str] = (), proofs: int = PROOFS) -> Review:
    """Evaluate what the change may affect on both sides, compare, and find the cause of each difference."""
    return _Reviewer(change, open_project, set(only), ProofBudget(proofs)).run()


class _Reviewer:
    def __init__(self, change: TreeChange, open_project: Open, only: set[str], budget: ProofBudget) -> None:
        self.change = change
        self.open = open_project
        self.only = only
        self.budget = budget
        self.only_documents: dict[str, frozenset[str]] = {}
        self.known: dict[tuple[frozenset[Hunk], str], TargetResult] = {}

    def suite(self, tree: str) -> tuple[Suite, Project]:
        folder = f"{tree}/{self.change.within}" if self.change.within else tree
        project = self.open(folder)
        return suites(project, tree, folder), project

    def run(self) -> Review:
        (after, project), (before, _) = self.suite(self.change.after), self.suite(self.change.before)
        changed = {file.name for file in self.change.files}
        names = [
            name for name in dict.fromkeys([*after.names(), *before.names()]) if not self.only or name in self.only
        ]
        report = Review(self.change.label, after.kind, len(names), self.change.hunks)
        report.guards = Guards(project.settings.review)
        results = {}
        for name in names if changed else []:
            if after.may_read(name, changed) or before.may_read(name, changed):
                results[name] = self.both(name, before, after, changed)
        seen = {name: self.seen(before.reads(name) | after.reads(name)) for name in results}
        self.prove_singles({name: hunks for name, hunks in seen.items() if len(hunks) > 1}, results)
        cancelling: set[Hunk] = set()
        for name, (old, new) in results.items():
            found = self.investigate(name, old, new, seen[name])
            cancelling |= found.cancelling
            report.effects += _effects(name, found)
        named = {hunk for effect in report.effects for hunk in effect.cause.hunks}
        report.cancelling = [hunk for hunk in self.change.hunks if hunk in cancelling - named]
        report.read = frozenset(file for name in results for file in before.reads(name) | after.reads(name))
        return report

    def both(self, name: str, before: Suite, after: Suite, changed: set[str]) -> tuple[TargetResult, TargetResult]:
        """A target on both sides: only the documents that may differ."""
        files = changed if before.imports(name) == after.imports(name) else changed | after.imports(name)
        self.only_documents[name] = only = before.documents(name, files) | after.documents(name, files)
        return before.result(name, only), after.result(name, only)

    def seen(self, reads: frozenset[str]) -> list[Hunk]:
        """The hunks that a target could notice."""
        return [h for h in self.change.hunks if h.file in reads or h.file.rsplit("/", 1)[-1] in EVERYWHERE]

    def investigate(self, name: str, before: TargetResult, after: TargetResult, hunks: list[Hunk]) -> TargetCauses:
        def evaluate(reverted: frozenset[Hunk]) -> TargetResult:
            return self.reverted(reverted, [name])[name]

        found = TargetCauses(before, after)
        if not found.differences and len(hunks) < 2:
            return found
        return investigate(before, after, hunks or self.change.hunks, evaluate, self.budget)

    def prove_singles(self, seen: dict[str, list[Hunk]], results: dict[str, tuple[TargetResult, TargetResult]]) -> None:
        """Evaluate with each hunk alone reverted, all targets of a hunk in one go: the tree is made once for them."""
        if sum(map(len, seen.values())) > self.budget.left:
            return
        for hunk in self.change.hunks:
            self.reverted(frozenset((hunk,)), [name for name, hunks in seen.items() if hunk in hunks])

    def reverted(self, reverted: frozenset[Hunk], names: list[str]) -> dict[str, TargetResult]:
        missing = [name for name in names if (reverted, name) not in self.known]
        if missing:
            suite, _ = self.suite(self.change.partly(reverted))
            present = set(suite.names())
            for name in missing:
                self.known[reverted, name] = (
                    suite.result(name, self.only_documents[name]) if name in present else TargetResult({})
                )
        return {name: self.known[reverted, name] for name in names}


def _effects(name: str, found: TargetCauses) -> list[Effect]:
    return [
        Effect(name, document, path, difference, found.causes.get((document, path), Cause((), ALONE)))
        for (document, path), difference in found.differences.items()
    ]
