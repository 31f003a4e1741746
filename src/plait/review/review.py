"""A review: every difference between the results of two trees, grouped by the changed lines that cause it."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import cached_property

from plait.access.process import EarlyRelease
from plait.core.diagnostic import Fault
from plait.core.node import ListNode, Node, Scalar, Unknown, secrets_in
from plait.core.path import Path, format_path
from plait.core.protection import Guards
from plait.core.source import NOT_IN_COMMIT
from plait.core.struct import struct
from plait.core.unknown import unknown_values
from plait.core.visible import counted
from plait.fronts.catalog import decides, is_root, world_of
from plait.fronts.deployed import is_deployed_object
from plait.fronts.front import Changes, Targets, changes_of, label
from plait.report.catalog import BAD_OPTION, BROKEN_BASE
from plait.review.causes import (
    BROKEN,
    FIXED,
    NO_CAUSE,
    ProofBudget,
    TargetCauses,
    TargetResult,
    investigate,
    is_unknown,
)
from plait.review.checking import unexplained
from plait.review.compared import ComparedTargets
from plait.review.fallbacks import changed_fallbacks
from plait.review.fates import NO_FATE
from plait.review.finding import Effect, TargetFinding
from plait.review.guards import by_position
from plait.review.messages import ErrorLine, in_any_tree, messages, say_the_same
from plait.review.objects import ObjectReview
from plait.review.states import SideAnswers, States

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.fronts.front import DocumentId, DocumentsReached, Target
    from plait.fronts.origins import Share
    from plait.fronts.project import Project
    from plait.merging.diff import ValueDifference
    from plait.review.causes import Cause, Uncompared
    from plait.review.fates import LineFate
    from plait.review.hunks import Hunk
    from plait.review.kept import KeptReview
    from plait.review.sides import Side, TreeChange

    Open = Callable[[str, dict[str, bytes | None] | None, Project | None], Project]
    """Opens the project in a folder, with other content for some files, and reuses the files that another project has
    read."""
    Look = Callable[[Target], list[Share]]
    """What each file contributes to a target."""

BOTH_SIDES = "errors on both sides"
CANCELLED = "cancelled by other lines of this change"
NEEDED = "needed by other lines of this change"
NOT_KNOWN = ("not known", "missing", "not compared")
"""The words of which one is in every reason why nobody knows the effect of a line."""
UNTRIED = "not known: the proofs ended before it was undone (--proofs)"
NOTHING = "there is nothing to compare: no targets are declared"
DECLARE = "declare what you deploy under `targets` in plait.yaml (plait help targets)"
PICTURED = 6
"""Of how many targets a review says what each file contributes."""
PROOFS = 2_000
"""How many evaluations of a target the proofs may take by default."""


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
    """The complete review of a change."""

    def __init__(self, label: str, kind: str, total: int, hunks: list[Hunk], only: bool = False) -> None:
        self.label = label
        self.only = only
        """Whether only some targets were asked about."""
        self.kind = kind
        """The word for a target in reports: `stack` or `target`."""
        self.total = total
        self.hunks = hunks
        self.effects: list[Effect] = []
        self.cancelling: list[Hunk] = []
        """The changed lines that change no value because others undo what they do."""
        self.needed: dict[Hunk, int] = {}
        """Those that change no value, but without which others give errors, with in how many targets."""
        self.guards = Guards()
        self.notes: list[str] = []
        """Notes for the reader on how the sides were chosen."""
        self.withheld: list[str] = []
        """The files that the commit does not have, and that are masked because of that."""
        self.read: frozenset[str] = frozenset()
        """The changed files that some target reads."""
        self.looked_at = 0
        """How many documents were evaluated on either side."""
        self.files_read = 0
        """How many files were read on either side."""
        self.code: dict[str, tuple[list[str], int]] = {}
        """The changed files that are code of documents, with the names of these and in how many targets they are."""
        self.fates: dict[Hunk, LineFate] = {}
        """Why the values of lines without effect are not in the results."""
        self.all_traced = True
        """Whether every document was searched for values that override these lines."""
        self.by_expression: list[tuple[str, str, str, str, str]] = []
        """The values of the documents that were compared which are not known, so that they were compared by their
        expressions and inputs: target, document, path, expression and reason of each."""
        self.not_compared: list[tuple[str, str, str, str]] = []
        """The targets and documents that could not be compared, because they fail on both sides or are not known as a
        whole: the reason that many share, and the message with its place."""
        self.layers: dict[str, list[Share]] = {}
        """What each file contributes to the targets that change most, where that was asked for."""
        self.incomplete: list[str] = []
        """Documents in which something differs that no difference accounts for: a bug of the review itself."""
        self.hidden: frozenset[Hunk] = frozenset()
        """Changed lines that a target reads, or may read, which has errors now."""
        self.lost: frozenset[Hunk] = frozenset()
        """Those of a target that has errors as a whole on both sides."""
        self.beside_errors: frozenset[Hunk] = frozenset()
        """Changed lines that a target reads in which something could not be compared."""
        self.trees: tuple[str, ...] = ()
        """The folders of both sides, which reasons do not name."""
        self.unevaluated: list[tuple[Hunk, str]] = []
        """Changed lines of which it is not known what they change, because objects of deployers are not evaluated, each
        with the reason."""
        self.untried: frozenset[Hunk] = frozenset()
        """Changed lines that no proof tried, because the proofs ended before."""

    @cached_property
    def values(self) -> list[Effect]:
        return [effect for effect in self.effects if effect.kind not in (BROKEN, FIXED)]

    @cached_property
    def masked(self) -> int:
        """How many of the values are made of files that the commit does not have."""
        return sum(any(map(_is_withheld, (one.before, one.after))) for one in self.values)

    @cached_property
    def unknown(self) -> Counter[str]:
        """How many values were compared by their expressions and inputs, by the reason."""
        return Counter(row[-1] for row in self.by_expression)

    @cached_property
    def uncertain(self) -> list[Effect]:
        """The changes of values that are not known, so that nobody knows how they change."""
        return [effect for effect in self.values if is_unknown(effect.difference)]

    @cached_property
    def broken(self) -> list[Effect]:
        return _each_once([effect for effect in self.effects if effect.kind == BROKEN])

    @cached_property
    def fixed(self) -> list[Effect]:
        return _each_once([effect for effect in self.effects if effect.kind == FIXED])

    @cached_property
    def groups(self) -> list[CauseGroup]:
        """The values that change by cause: those that violate a guard first, then the widest first."""
        groups: dict[tuple[tuple[Hunk, ...], str], CauseGroup] = {}
        for effect in self.values:
            key = (effect.cause.hunks, effect.cause.proof)
            groups.setdefault(key, CauseGroup(effect.cause)).effects.append(effect)
        return sorted(
            groups.values(),
            key=lambda group: (not self.protected(group), -len(group.effects), [hunk.place for hunk in group.hunks]),
        )

    @cached_property
    def targets(self) -> list[str]:
        return list(dict.fromkeys(effect.target for effect in self.values))

    @cached_property
    def quiet(self) -> list[Hunk]:
        """The changed lines that change nothing."""
        named = {hunk for effect in self.effects for hunk in effect.cause.hunks} | {hunk for hunk, _ in self.tied}
        named.update(hunk for hunk, _ in self.unevaluated)
        return [hunk for hunk in self.hunks if hunk not in named]

    @cached_property
    def tied(self) -> list[tuple[Hunk, str]]:
        """The changed lines that change no value beside the others, though they do without them, each with the
        reason."""
        found = [(hunk, CANCELLED) for hunk in self.cancelling]
        for hunk, targets in self.needed.items():
            have = "has" if targets == 1 else "have"
            found.append((hunk, f"{NEEDED}: if it alone is undone, {counted(targets, self.kind)} {have} errors"))
        return found

    @cached_property
    def idle(self) -> list[tuple[Hunk, str]]:
        """The changed lines that change nothing, each with the reason."""
        return [(hunk, self._why_idle(hunk)) for hunk in self.quiet if not self._is_unseen(hunk)]

    @cached_property
    def unseen(self) -> list[tuple[Hunk, str]]:
        """The changed lines of which nobody knows what they change, each with the reason. They may also change
        something that is known."""
        reasons: dict[Hunk, dict[str, None]] = {}
        for effect in self.uncertain:
            for hunk in effect.cause.hunks:
                reasons.setdefault(hunk, {})[self._why_unknown(effect.difference)] = None
        for hunk, why in self.unevaluated:
            reasons.setdefault(hunk, {})[why] = None
        for hunk in self.lost:
            reasons.setdefault(hunk, {})[self._why_unseen(hunk)] = None
        for hunk in self.quiet:
            if self._is_unseen(hunk) and hunk not in self.lost:
                reasons[hunk] = {self._why_unseen(hunk): None}
        return [(hunk, "; ".join(reasons[hunk])) for hunk in self.hunks if hunk in reasons]

    def _why_unknown(self, difference: ValueDifference) -> str:
        """Why nobody knows how a value changes."""
        value = next(side for side in (difference.after, difference.before) if isinstance(side, Unknown))
        why, said = value.why, value.diagnostics[0] if value.diagnostics else None
        if said is not None and said.hint and why.startswith(said.message):
            why = f"{why}; {said.hint}"
        for tree in self.trees:
            why = in_any_tree(why, tree)
        return why if any(words in why for words in NOT_KNOWN) else f"not known: {why}"

    def _is_unseen(self, hunk: Hunk) -> bool:
        """Whether a target that cannot be computed reads a line, or no proof tried it."""
        if hunk.is_blank or hunk.file in self.code:
            return False
        if hunk in self.untried or hunk in self.hidden:
            return True
        fate = self.fates.get(hunk, NO_FATE)
        is_explained = bool(fate.text) and self.all_traced
        return fate.has_errors or (hunk in self.beside_errors and not is_explained)

    def _why_unseen(self, hunk: Hunk) -> str:
        if hunk in self.untried:
            return UNTRIED
        fate = self.fates.get(hunk, NO_FATE)
        if fate.has_errors:
            return fate.text
        where = f"; elsewhere it is overridden by {fate.places}" if fate.by else ""
        return f"read by a {self.kind} that has errors or is not known{where}"

    def _why_idle(self, hunk: Hunk) -> str:
        if hunk.file in self.code:
            names, targets = self.code[hunk.file]
            return f"code of {', '.join(f'`{name}`' for name in names)} in {counted(targets, self.kind)}"
        if hunk.file not in self.read:
            return self.unread
        if hunk.is_blank:
            return "a comment or an empty line"
        fate = self.fates.get(hunk, NO_FATE)
        if fate.text and self.all_traced:
            return fate.text
        where = f", for example by {fate.places}" if fate.by else ""
        return f"overridden or unused in every {self.kind} that reads it{where}"

    @property
    def unread(self) -> str:
        """The reason of lines in files that no target reads."""
        return f"no {self.kind} reads this file" if not self.only else f"none of these {self.kind}s reads this file"

    def protected(self, group: CauseGroup) -> list[str]:
        """The guards that a cause violates."""
        hit = [
            protection.text
            for protection in self.guards.protect
            if any(protection.covers(_own_name(effect), effect.path, effect.place) for effect in group.effects)
        ]
        if self.guards.widest and len(group.effects) > self.guards.widest:
            hit.append(f"more than {self.guards.widest} values")
        return hit

    @cached_property
    def guarded(self) -> bool:
        return any(self.protected(group) for group in self.groups)

    @cached_property
    def unsure(self) -> bool:
        """Whether something changed that could not be compared."""
        return bool(self.unseen or self.uncertain or self.not_compared)

    @cached_property
    def failed(self) -> bool:
        """Whether a person must look at it: a guard is violated, or the change brings new errors."""
        return self.guarded or bool(self.broken)


@struct
class ComparedTarget:
    """A target with what differs in it between both sides."""

    name: str
    seen: list[Hunk]
    """The hunks that can affect it."""
    causes: TargetCauses


def review(
    change: TreeChange,
    open_project: Open,
    only: Iterable[str] = (),
    proofs: int = PROOFS,
    ways: int = 0,
    look: Look | None = None,
    kept: KeptReview | None = None,
) -> Review:
    """Evaluate everything that the change may affect on both sides, compare the results, and find the cause of each
    difference; of as many changed values as `ways` also what they came through. `look` says what each file contributes
    to a target, where the review is to have that of those that change most; `kept` has findings of an earlier one."""
    return Reviewer(change, open_project, set(only), ProofBudget(proofs), ways, look, kept).review()


class Reviewer:
    """One review under way."""

    def __init__(
        self,
        change: TreeChange,
        open_project: Open,
        only: set[str],
        budget: ProofBudget,
        ways: int = 0,
        look: Look | None = None,
        kept: KeptReview | None = None,
    ) -> None:
        self.ways = ways
        self.look = look
        self.kept = kept
        self.change = change
        self.open = open_project
        self.only = only
        self.budget = budget
        self.changed = changes_of({file.name: (file.before, file.after) for file in change.files})
        self.after = self.side(change.after)
        self.parts: dict[str, DocumentsReached] = {}
        self.everywhere: set[str] = set()
        """The targets of either side."""
        self.hiding: dict[Hunk, int] = {}
        """Hunks without which there would be other targets than on either side, and how many of these have errors."""
        self.known: dict[tuple[frozenset[Hunk], str], TargetResult] = {}
        self.following: dict[tuple[frozenset[Hunk], str], TargetResult | None] = {}
        self.states = States(change.files)
        self.new: frozenset[Hunk] = frozenset()
        self.old = frozenset(change.hunks)
        """The states of both sides: nothing is undone, and everything."""
        self.answers: dict[str, SideAnswers] = {}
        """What both sides say about the other states, of the targets that both have."""
        self.unsure: set[Hunk] = set()
        """Hunks without which a target may not be there, or one that neither side has may be; as far as targets were
        compared."""
        self.reached: set[str] | None = None
        """The targets that may differ, once these are known."""
        self.all_compared = False
        """Whether all of them were compared here, and not some by other processes."""
        self._base: ComparedTargets | None = None
        self.released: EarlyRelease | None = None
        """Frees the worlds of proofs that nobody needs any more."""

    @property
    def before(self) -> ComparedTargets:
        if self._base is None:
            self._base = self.base()
            old, new = self._base.targets, self.after.targets
            self._base.targets, self.after.targets = old.beside(new), new.beside(old)
        return self._base

    def side(
        self,
        side: Side,
        beside: ComparedTargets | None = None,
        changes: Changes | None = None,
        wanted: frozenset[str] | None = None,
    ) -> ComparedTargets:
        """The targets of a side. `beside` are those of the new one, which differ from it in the changes alone; `wanted`
        are the names of some that are known to be there, if no others are asked about."""
        folder = f"{side.folder}/{self.change.within}" if self.change.within else side.folder
        shared = beside.project if beside is not None and side.altered is not None else None
        project = self.open(folder, side.altered, shared)
        alike = side.altered is not None and side.folder == self.change.after.folder
        world = world_of(
            project, side.folder, None, beside.world if beside is not None else None, changes if alike else None
        )
        world.shown, world.wanted = self.change.after.folder, wanted
        found = ComparedTargets(world)
        if beside is not None:
            found.targets = found.targets.beside(beside.targets)
        return found

    def review(self) -> Review:
        after, changed = self.after, self.changed
        gone = self.before.targets.names() if not self.is_sure else ()
        everything = list(dict.fromkeys([*after.targets.names(), *gone]))
        names = self.selected(everything)
        if not names:
            raise BAD_OPTION.error(why=NOTHING, notes=tuple(self.change.notes), hint=DECLARE)
        self.everywhere = set(everything)
        report = Review(self.change.label, after.targets.kind, len(names), self.change.hunks, bool(self.only))
        report.guards = after.project.settings.review
        found = self.all_findings(names) if changed else []
        cancelling = {hunk for finding in found for hunk in finding.cancelling}
        report.read = frozenset(hunk.file for finding in found for hunk in finding.opened)
        report.effects = [effect for finding in found for effect in finding.effects]
        report.effects += self.by_code(names, {hunk.file for hunk in self.change.hunks} - report.read, found)
        _hide_secrets(report.effects)
        named = {hunk for effect in report.effects for hunk in effect.cause.hunks}
        needed = Counter(hunk for finding in found for hunk in finding.needed) | Counter(self.hiding)
        renamed = {
            hunk for hunk, failing in self.hiding.items() if not failing
        }  # a target that is gone has another name
        report.needed = {hunk: needed[hunk] for hunk in self.change.hunks if hunk in needed.keys() - named - renamed}
        cancelling = (cancelling | renamed) - named - report.needed.keys()
        report.cancelling = [hunk for hunk in self.change.hunks if hunk in cancelling]
        report.notes = self.change.notes
        report.trees = (self.change.after.folder, self.change.before.folder)
        report.withheld = self.change.withheld()
        for finding in found:
            report.by_expression += [(finding.name, *row) for row in finding.unknown]
            report.incomplete += finding.incomplete
            report.not_compared += [(finding.name, *row) for row in finding.not_compared]
        report.looked_at = sum(finding.looked_at for finding in found)
        sides = (after, self._base) if self._base is not None else (after,)
        report.files_read = sum(side.project.counters.files for side in sides)
        report.hidden = frozenset(hunk for finding in found for hunk in finding.hidden)
        report.lost = frozenset(hunk for finding in found if finding.is_broken for hunk in finding.hidden)
        report.beside_errors = frozenset(hunk for one in found if one.not_compared for hunk in one.opened)
        report.untried = frozenset(hunk for finding in found for hunk in finding.untried)
        objects = ObjectReview(lambda: self.before.world, after.world, self.change.hunks, self.changed)
        report.unevaluated = list(dict.fromkeys((*objects.of_objects(), *objects.of_effects(report.effects))))
        report.code = self.code(names, {hunk.file for hunk in report.quiet} - report.read)
        self.trace(report, found)
        if self.ways:
            self.follow(report.effects)
        if self.look is not None:
            report.layers = dict(self.layers(report.effects, self.look))
        return report

    def layers(self, effects: list[Effect], look: Look) -> Iterator[tuple[str, list[Share]]]:
        """What each file contributes to the targets in which the most values change."""
        for name, _ in Counter(effect.target for effect in effects).most_common(PICTURED):
            target = self.after.targets.get(name)
            self.after.project.meter.next_part()
            with suppress(Fault):  # told as one of its errors
                shares = look(target) if target is not None else []
                for share in shares:
                    share.name = in_any_tree(share.name, self.change.after.folder)
                    share.over = {in_any_tree(file, self.change.after.folder): n for file, n in share.over.items()}
                yield name, shares

    def follow(self, effects: list[Effect]) -> None:
        """Find what changed values came through; of equal ones the first, and no more than asked."""
        from plait.review.ways import way_of  # most forms of a review do not show it

        first: dict[tuple[str, Path], Effect] = {}
        for effect in effects:
            if effect.kind in ("added", "removed", "changed"):
                first.setdefault((effect.document, effect.path), effect)
        for effect in list(first.values())[: self.ways]:
            side = self.before if effect.kind == "removed" else self.after
            effect.way = way_of(side, effect.target, effect.id, effect.place)

    def by_code(self, names: list[str], files: set[str], found: list[TargetFinding]) -> Iterator[Effect]:
        """What changes because code has other defaults in some files; not what differs already. A target that was not
        compared is the same on the old side but for its code."""
        effects = (effect for finding in found for effect in finding.effects) if files else ()
        known = {(effect.target, effect.id, effect.path) for effect in effects}
        compared = {finding.name for finding in found}
        in_place = not files or self.before.project.root == self.after.project.root  # not two folders
        for file in sorted(files):
            hunks = [hunk for hunk in self.change.hunks if hunk.file == file]
            for name in names:
                after = self.after.targets.get(name)
                old = self.before.targets.get(name)
                before = self.before.project if in_place and name not in compared else old
                changes = changed_fallbacks(before, after, file, hunks) if before and after else ()
                for document, path, difference, cause in changes:
                    if (name, document, path) not in known:
                        yield Effect(name, self.label(name, document), document, path, path, difference, cause)

    def code(self, names: list[str], files: set[str]) -> dict[str, tuple[list[str], int]]:
        """Those of some files that are code of documents, with these and the number of targets."""
        found: dict[str, tuple[list[str], int]] = {}
        targets = [target for name in names if (target := self.after.targets.get(name)) is not None]
        for file in sorted(files):
            users = [runs for target in targets if (runs := target.runs(file))]
            if users:
                found[file] = (sorted({name for one in users for name in one}), len(users))
        return found

    def selected(self, names: list[str]) -> list[str]:
        """The targets of either side that are asked about."""
        if not self.only:
            return names
        known = {one.declaration.address: one for side in (self.after, self.before) for one in side.targets}
        everything = Targets(list(known.values()), self.after.targets.shared)
        wanted = {everything[name].declaration.address for name in everything.selected(self.only)}
        sides = (self.after.targets, self.before.targets)
        mine = {name for side in sides for name in side.names() if side[name].declaration.address in wanted}
        return [name for name in names if name in mine]

    def touched(self, names: list[str]) -> list[str]:
        """The targets that may differ, among them those of one side alone. Where nothing goes, a file that a target of
        the new side does not read is not read by the old side either."""
        after, changed = self.after, self.changed
        same = set(after.targets.names()) if self.change.keeps else set()
        return [
            name
            for name in names
            if not self.on_both(name)
            or after.touches(name, changed)
            or (name not in same and self.before.touches(name, changed))
            or (after.is_broken(name) and after.may_read(name, changed))
        ]

    def on_both(self, name: str) -> bool:
        """Whether both sides have a target, as far as its own files do not say so."""
        target = self.target(name)
        if target.stands_alone:
            return True
        if self.is_sure:
            assert self.kept is not None
            return target.declaration.address in (self.kept.base or ())
        return all(side.targets.get(name) is not None for side in (self.after, self.before))

    def all_findings(self, names: list[str]) -> list[TargetFinding]:
        """The effect of the change on each of these targets that it may affect; what an earlier review found, where
        that is still true."""
        kept = self.kept
        if kept is not None:
            kept.recall(*self.asked)
        touched = self.touched(names)
        self.reached = {*touched}
        known = kept.find(touched, *self.asked) if kept is not None else {}
        missing = [name for name in touched if name not in known]
        if self.is_sure and all(self.after.targets[name].stays(self.changes) for name in missing):
            self._base = self.base(frozenset(self.after.targets[name].name for name in missing))
        known |= {one.name: one for one in self.findings(missing)}
        found = [known[name] for name in touched if name in known]
        if kept is not None:
            kept.leave(found, self.after, self.before)
        return found

    @cached_property
    def is_sure(self) -> bool:
        """Whether the old side is that of an earlier review, and has no target that the new one has not: only targets
        that are compared again are asked of it."""
        if self.kept is None or self.kept.base is None or self.only or self.ways or not self.change.keeps:
            return False
        after = self.after.targets
        is_read = all(any(target.opens(file.name) for target in after) for file in self.change.files)
        return is_read and self.kept.base <= {target.declaration.address for target in after}

    @cached_property
    def changes(self) -> Changes:
        """The files that differ, each with its text on the new side and on the old one."""
        return self.states.difference(self.new, self.old)

    @property
    def asked(self) -> tuple[ComparedTargets, ...]:
        """The sides that have to be asked what is known."""
        return (self.after,) if self.is_sure else (self.after, self.before)

    def findings(self, names: list[str]) -> list[TargetFinding]:
        """The effect of the change on each of these targets."""
        found = {row.name: self.finding(row) for row in self.compared(names)}
        return [found[name] for name in names]

    def compared(self, names: list[str]) -> Iterator[ComparedTarget]:
        """Each of these targets with its results on both sides and the hunks that can affect it. What follows from both
        sides comes first, and nothing of it is kept; then what has to be proved."""
        waiting: list[ComparedTarget] = []
        for count, name in enumerate(names):
            self.tell(f"comparing {count} of {len(names)} targets")
            row = self.both(name)
            if row.causes.open:
                waiting.append(row)
            else:
                yield row
                self.release(name)
        self.all_compared = self.reached is not None and self.reached.issubset(names)
        with EarlyRelease() as self.released:
            self.prove_singles({row.name: row.causes.open for row in waiting})
            while waiting:
                yield waiting[0]
                self.release(waiting.pop(0).name)

    def release(self, name: str) -> None:
        """Forget what is known about a target: it was reviewed."""
        self.answers.pop(name, None)
        for table in (self.known, self.following):
            for key in [key for key in table if key[1] == name]:
                del table[key]

    def finding(self, row: ComparedTarget) -> TargetFinding:
        left = self.budget.left
        name, seen, before, after = row.name, row.seen, row.causes.before, row.causes.after
        causes = self.investigate(row)
        opened = [hunk for hunk in seen if self.after.opens(name, hunk) or self.before.opens(name, hunk)]
        found = TargetFinding(name, seen, opened)
        found.effects = self.effects(name, causes)
        found.incomplete = [self.label(name, document) or name for document in _incomplete(before, after, causes)]
        found.is_broken = before.is_broken and after.is_broken
        found.hidden = self.hidden_by_errors(row, opened)
        if found.is_broken and not found.hidden and not found.effects:
            return found  # the change does not meet what it reads
        if not found.is_broken:
            found.cancelling = [hunk for hunk in self.change.hunks if hunk in causes.cancelling]
            found.needed = [hunk for hunk in self.change.hunks if hunk in causes.needed]
        found.untried = [hunk for hunk in causes.untried if hunk not in (*found.cancelling, *found.needed)]
        found.failed = bool(before.errors or before.unknown), bool(after.errors or after.unknown)
        found.unknown = [
            (self.label(name, document), format_path(path), value.expression, in_any_tree(value.why, after.tree))
            for document, node in after.failing().items()
            for path, value in unknown_values(node)
        ]
        found.not_compared = [(self.label(name, one), *row) for one, row in _uncompared(before, after).items()]
        for document, path, message in sorted(before.same_errors(after, causes.differences), key=str):
            place = " ".join(filter(None, (self.label(name, document), format_path(path))))
            found.not_compared.append((place, BOTH_SIDES, message))
        found.looked_at = sum(len(side.documents) + len(side.errors) + len(side.unknown) for side in (before, after))
        found.proofs = left - self.budget.left
        return found

    def hidden_by_errors(self, row: ComparedTarget, opened: list[Hunk]) -> list[Hunk]:
        """The hunks whose effect nobody knows because a target has errors on the new side. Where it has them as a
        whole, what it did not come to read is among them."""
        after = row.causes.after
        if not after.errors and not after.unknown:
            return []
        if not after.is_broken:
            return opened
        reached = {file for side in (self.before, self.after) for file in side.may_read(row.name, self.changed)}
        hunks = [hunk for hunk in self.change.hunks if not hunk.is_blank]
        return [hunk for hunk in hunks if hunk.file in reached or hunk.is_link or is_root(hunk.file)]

    def trace(self, report: Review, findings: list[TargetFinding]) -> None:
        """Find what overrides the lines without effect, in the targets that have no errors."""
        quiet = [hunk for hunk in report.quiet if hunk.file in report.read and not hunk.is_blank]
        if not quiet:
            return
        from plait.review.idle import LineFates  # most lines of most changes have an effect

        for side, old in ((self.after, False), (self.before, True)):
            hunks = [hunk for hunk in quiet if old is not bool(hunk.new)]
            changed = self.changed.only(hunk.file for hunk in hunks)
            fates = LineFates(hunks, old, side)
            for finding in findings:
                if not finding.failed[not old] and not set(hunks).isdisjoint(finding.seen):
                    fates.look(finding.name, changed)
            report.fates |= fates.known
            report.all_traced = report.all_traced and fates.complete

    def base(self, wanted: frozenset[str] | None = None) -> ComparedTargets:
        """The old side, or some targets of it. Where its own settings are broken, nothing can be compared with it."""
        try:
            return self.side(self.change.before, self.after, self.changed, wanted)
        except Fault as error:
            notes = messages(error, self.change.before.folder)
            hint = "name a revision whose settings can be read"
            raise BROKEN_BASE.error(name=self.change.label, notes=notes, hint=hint) from None

    def both(self, name: str) -> ComparedTarget:
        """A target on both sides, restricted to the parts that may differ."""
        before = self.before
        gone, come = before.reached_by(name, self.changed), self.after.reached_by(name, self.changed)
        self.parts[name] = parts = None if gone is None or come is None else gone | come
        result, old, new = self.after.result(name, parts), before.targets.get(name), self.after.targets.get(name)
        earlier = before.result(name, parts)
        if new is not None and old is not None:
            self.answers[name] = SideAnswers(self.states, [(self.new, new, result), (self.old, old, earlier)])
        causes = TargetCauses(earlier, result, lambda file, old: (before if old else self.after).path(name, file))
        comes = not self.on_both(name)
        seen = [hunk for hunk in self.change.hunks if self.is_seen(name, hunk) or (comes and self.decides(hunk))]
        if len(seen) > 1 and name in self.answers:
            answers, without = self.answers[name], {hunk: frozenset((hunk,)) for hunk in seen}
            alike = answers.alike([*without.values()])
            firsts = dict.fromkeys(alike.values())
            causes.follow(seen, lambda hunk: answers.places(without[hunk], firsts), alike)
        elif len(seen) > 1:
            causes.open = seen
        self.unsure.update(hunk for hunk in seen if not self.surely_there(name, frozenset((hunk,))))
        return ComparedTarget(name, seen, causes)

    def surely_there(self, name: str, reverted: frozenset[Hunk]) -> bool:
        """Whether a target stays with some hunks undone, and none is there that neither side has."""
        return name in self.answers and self.answers[name].stays(reverted)

    def is_seen(self, name: str, hunk: Hunk) -> bool:
        """Whether a target could notice a hunk, on either side."""
        return self.after.sees(name, hunk) or self.before.sees(name, hunk)

    def decides(self, hunk: Hunk) -> bool:
        """Whether which targets there are may follow from a hunk, on either side."""
        return any(decides(side.world, hunk.file) for side in (self.after, self.before))

    def investigate(self, row: ComparedTarget) -> TargetCauses:
        name = row.name

        def evaluate(reverted: frozenset[Hunk]) -> TargetResult | None:
            known = self.followed(reverted, name)
            if known is not None:
                return known
            return self.reverted(reverted, [name])[name] if self.budget.take() else None

        if not row.causes.differences and len(row.seen) < 2:
            return row.causes
        return investigate(row.causes, row.seen or self.change.hunks, evaluate, self.budget)

    def prove_singles(self, seen: dict[str, list[Hunk]]) -> None:
        """Evaluate with each hunk alone reverted, all targets of a hunk in one go: the tree is made once for them."""
        todo: dict[Hunk, list[str]] = {}
        left = self.budget.left
        for name, hunks in seen.items():
            needed = [hunk for hunk in hunks if self.followed(frozenset((hunk,)), name) is None]
            left -= len(needed)
            if left < 0:
                break
            for hunk in needed:
                todo.setdefault(hunk, []).append(name)
        for count, (hunk, names) in enumerate(todo.items()):
            self.tell(f"proving {count} of {len(todo)} causes")
            self.reverted(frozenset((hunk,)), names)

    def followed(self, reverted: frozenset[Hunk], name: str) -> TargetResult | None:
        """A target with some hunks undone, where that follows from both sides; None where it has to be evaluated."""
        key = (reverted, name)
        if key not in self.following:
            known = self.answers[name].known(reverted) if name in self.answers else None
            self.following[key] = known.result if known is not None and not known.missing else None
        return self.following[key]

    def tell(self, text: str) -> None:
        """Report the progress of the review."""
        if self.after.project.progress is not None:
            self.after.project.progress(text)

    def reverted(self, reverted: frozenset[Hunk], names: list[str]) -> dict[str, TargetResult]:
        missing = [name for name in names if (reverted, name) not in self.known]
        if missing:
            self.known.update({(reverted, name): result for name, result in self.partly(reverted, missing).items()})
        return {name: self.known[reverted, name] for name in names}

    def partly(self, reverted: frozenset[Hunk], names: list[str]) -> dict[str, TargetResult]:
        """Targets with some hunks undone."""
        side = self.change.partly(reverted)
        if self.released is not None:
            self.released.free()
        try:
            changes = self.states.difference(self.new, reverted)
            compared = self.side(side, self.after, changes, self.staying(names, reverted))
            present = set(compared.targets.names())
            if len(reverted) == 1 and not self.everywhere.issuperset(present):
                failing = [name for name in present - self.everywhere if compared.result(name).errors]
                self.hiding |= dict.fromkeys(reverted, len(failing))
        except Fault as error:
            failed = messages(error, side.folder)
            return {name: _failing(self.target(name), failed) for name in names}
        found = {name: self.result(compared, name, reverted) for name in names}
        if not self.everywhere.issuperset(present):
            # a target that cannot be read has the name of its file: one that is gone may be it
            found |= {name: _failing(self.target(name)) for name in names if name not in present}
        return found

    def staying(self, names: list[str], reverted: frozenset[Hunk]) -> frozenset[str] | None:
        """The names of some targets, if all of them are surely there with some hunks undone; else None. Without one
        hunk, all other targets are looked at, too, unless every one was compared and is known to stay."""
        is_asked = len(reverted) == 1 and (self.only or not self.all_compared or not self.unsure.isdisjoint(reverted))
        if is_asked or not all(self.surely_there(name, reverted) for name in names):
            return None
        return frozenset(self.target(name).name for name in names)

    def result(self, compared: ComparedTargets, name: str, reverted: frozenset[Hunk]) -> TargetResult:
        """A target with some hunks undone; evaluated there as far as it does not follow from both sides."""
        known = self.answers[name].known(reverted) if name in self.answers else None
        if known is None:
            return compared.result(name, self.parts[name])
        return known.completed(compared.result(name, known.missing))

    def target(self, name: str) -> Target:
        """A target of the new side or, where that does not have it, of the old one."""
        return self.after.targets.get(name) or self.before.targets[name]

    def label(self, name: str, document: DocumentId) -> str:
        """What a document of a target is called in the report."""
        return label(document, *self.sides_of(name))

    def sides_of(self, name: str) -> list[Target]:
        """A target on both sides, as far as it is there."""
        sides = (side.targets.get(name) for side in (self.before, self.after))
        return [target for target in sides if target is not None]

    def effects(self, name: str, causes: TargetCauses) -> list[Effect]:
        """The differences of a target, each with its cause."""
        sides = self.sides_of(name)
        labels = {one: label(one, *sides) for one in {document: None for document, _ in causes.differences}}
        found = [
            Effect(
                name,
                labels[document],
                document,
                path,
                by_position(path, causes.after.documents.get(document), causes.before.documents.get(document)),
                difference,
                causes.causes.get((document, path), NO_CAUSE),
            )
            for (document, path), difference in causes.differences.items()
        ]
        objects = {one for one in labels if any(_is_object(one, side) for side in (causes.before, causes.after))}
        for effect in found:
            effect.is_of_object = effect.id in objects
        return found


def _each_once(effects: list[Effect]) -> list[Effect]:
    """The errors of documents without those that other values have only because they read a value with the same one."""
    found: dict[tuple[object, ...], Effect] = {}
    for effect in effects:
        sides = [side.items if isinstance(side, ListNode) else () for side in (effect.before, effect.after)]
        said = [tuple(line.text for line in lines if isinstance(line, Scalar)) for lines in sides]
        found.setdefault((effect.target, effect.id, *said, effect.cause.hunks), effect)
    return list(found.values())


def _is_object(document: DocumentId, side: TargetResult) -> bool:
    node = side.documents.get(document)
    return node is not None and bool(document.type) and is_deployed_object(node)


def _failing(target: Target, errors: tuple[ErrorLine, ...] = (ErrorLine("it cannot be read"),)) -> TargetResult:
    return TargetResult({}, {target.id(): errors})


def _uncompared(before: TargetResult, after: TargetResult) -> dict[DocumentId, Uncompared]:
    """The documents of a target that could not be compared, and why."""
    found: dict[DocumentId, Uncompared] = {**before.unknown, **after.unknown}
    for document, errors in after.errors.items():
        if say_the_same(before.errors.get(document, ()), errors) and document not in found:
            found[document] = (BOTH_SIDES, errors[0])
    return found


def _incomplete(before: TargetResult, after: TargetResult, causes: TargetCauses) -> Iterator[DocumentId]:
    """The documents whose differences do not account for all that differs."""
    rows: dict[DocumentId, list[ValueDifference]] = {}
    for (document, _), difference in causes.differences.items():
        rows.setdefault(document, []).append(difference)
    failed = {*before.errors, *after.errors, *before.unknown, *after.unknown}
    checked = set[tuple[object, ...]]()
    for document in dict.fromkeys([*before.documents, *after.documents]):
        sides = before.documents.get(document), after.documents.get(document)
        if document not in failed and unexplained(*sides, rows.get(document, ()), checked) is not None:
            yield document


def _own_name(effect: Effect) -> str:
    """The name of the target of an effect, without its kind."""
    return effect.id.target.partition(":")[2]


def _is_withheld(node: Node | None) -> bool:
    return node is not None and any(secret.secret == NOT_IN_COMMIT for secret in secrets_in(node))


def _hide_secrets(effects: list[Effect]) -> None:
    """Mask the lines that change a secret: a file that overrides a secret does not have to mark it."""
    clean: dict[int, Node] = {}
    for effect in {(id(one.difference), one.cause.hunks): one for one in effects}.values():
        sides = [side for side in (effect.before, effect.after) if side is not None]
        texts = [one.text for side in sides for one in secrets_in(side, clean) if one.secret != NOT_IN_COMMIT]
        for hunk in effect.cause.hunks if texts else ():
            hunk.hide(texts)
