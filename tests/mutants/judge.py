"""What becomes of a mutant: the tests that run its statement are run, in a process that has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import yaml

from tests.mutants.anew import NOT_RUN, failing_anew
from tests.mutants.asking import PACKAGE, failing
from tests.mutants.changes import Mutant, code_of
from tests.mutants.everywhere import affordable, further
from tests.mutants.forked import forked
from tests.mutants.kept import Kept
from tests.mutants.limits import Budget, Limit, Overdue
from tests.mutants.live import Functions
from tests.mutants.probes import Spot
from tests.mutants.reach import Look, Probed, Unit, Witness, all_units, units
from tests.mutants.rooms import more_tests, named_tests

EQUIVALENT: dict[str, str] = (
    yaml.safe_load((Path(__file__).parent / "equivalent.yaml").read_text(encoding="utf-8")) or {}
)
PATIENCE, BUSY = 100, 30
"""A mutant that waits for ever is noticed: all tests of a file together may take so many seconds, and so many times
what they take: a busy machine decides nothing."""
LOOKING = 1200
"""So many seconds of the clock may be spent on seeing what the tests of a file run: one may wait for ever."""
ENOUGH = 8
"""So many cases of a folder are asked about a mutant that they all run: what they do not notice, others mostly do not.
Those that run other statements around it are asked in the end."""
SHARES = 4
"""A row may take one of so many parts of the time that is left."""
HANGS = "it does not end, or ends the process"
WORDS = ("killed", "survived", "equivalent", "undecided")


Row = tuple[str, ...]
"""Folders of cases, and test files or folders."""


class Verdict(NamedTuple):
    """A word of WORDS, and the test that noticed it or why none did."""

    word: str
    why: str


class Trial:
    """One mutant of a row while its tests are run, one unit after the other."""

    def __init__(self, spot: Spot, mutant: Mutant) -> None:
        self.spot = spot
        self.mutant = mutant
        self.code = code_of(mutant)
        self.ran: set[str] = set()
        """The tests that ran it and noticed nothing."""
        self.asked: Counter[str] = Counter()
        """How many of them are in each folder of cases."""
        self.silent: list[str] = []
        """Tests that cannot tell: what survives beside them is not decided."""

    def survived(self) -> Verdict:
        if self.silent:
            return Verdict("undecided", f"no time, or they fail as it is: {_some(self.silent)}")
        if self.mutant.name in EQUIVALENT:
            return Verdict("equivalent", EQUIVALENT[self.mutant.name])
        return Verdict("survived", f"tests that run it: {len(self.ran)}" if self.ran else "no test runs it")


Ask = Callable[[list[Witness], Trial, bool], str | None]
"""The first of some tests that fails with a mutant, or without it."""


class Judge:
    def __init__(self, mutants: Sequence[Mutant], budget: Budget, kept: Kept, *, everywhere: bool = False) -> None:
        self.budget = budget
        self.everywhere = everywhere
        """Whether all tests are asked about what lives after those of its row."""
        self.functions = Functions()
        self.kept = kept
        self.probed = Probed(kept.probes, self.functions)
        self.looks: dict[str, Look] = {}
        """What is known of each unit: rows share many."""
        self.fair: dict[tuple[Ask, str], bool] = {}
        """Whether tests that noticed something pass without it, too, where they are asked in the same way."""
        self.rows: dict[Row, list[Trial]] = {}
        """The mutants that have the same tests, in the order in which they are tried."""
        for mutant in mutants:
            self.rows.setdefault(_row(mutant), []).append(Trial(kept.probes.spot(mutant), mutant))

    def verdicts(self) -> Iterator[tuple[Mutant, Verdict]]:
        """What becomes of each; rows share the time that is left: some are decided rather than all half looked at."""
        for before, (row, own) in enumerate(self.rows.items()):
            if self.budget.left.is_over:
                yield from ((trial.mutant, Verdict("undecided", "no time")) for trial in own)
                continue
            yield from self._row(row, own, self.budget.share(min(len(self.rows) - before, SHARES)))

    def _row(self, row: Row, own: list[Trial], budget: Budget) -> Iterator[tuple[Mutant, Verdict]]:
        """Unit by unit: which of the mutants that still live does it run, and does it notice them?"""
        asked = [(unit, own) for unit in units(row)]
        for file in dict.fromkeys(trial.mutant.file for trial in own):
            about = [trial for trial in own if trial.mutant.file == file]
            asked += [(unit, about) for unit in units(more_tests(_module(file)))]
        dead: set[Trial] = set()
        for unit, about in asked:
            left = [trial for trial in about if trial not in dead and trial.asked[unit.folder] < ENOUGH]
            killed = self._killed(unit, left, budget) if left else {}
            yield from ((trial.mutant, verdict) for trial, verdict in killed.items())
            dead |= killed.keys()
        for trial in (trial for trial in own if trial not in dead):
            tests = [test for unit, about in asked if trial in about for test in self._known(unit)]
            yield trial.mutant, self._told_anew(trial, tests, budget) or self._told_everywhere(trial, budget)

    def _known(self, unit: Unit) -> list[Witness]:
        return self.looks[unit.name].tests if unit.name in self.looks else []

    def _told_anew(self, trial: Trial, tests: list[Witness], budget: Budget) -> Verdict | None:
        """What becomes of a mutant that plait has from its start; None where no test of its row notices it."""
        silent = list(trial.silent)
        try:
            is_run = self._failing([], trial, _anew, budget) != NOT_RUN
            told = self.noticed(affordable(tests), trial, budget, _anew) if is_run else ""
        except (Overdue, RuntimeError):
            return Verdict("undecided", "no time")
        trial.silent = silent  # one of many that cannot tell decides nothing
        return Verdict("killed", told) if told else None

    def _told_everywhere(self, trial: Trial, budget: Budget) -> Verdict:
        """What becomes of a mutant that the tests of its row did not notice."""
        if not self.functions.knows(trial.code):
            return Verdict("undecided", "its function is not loaded")
        if self.everywhere:
            silent = list(trial.silent)
            try:
                tests = further(trial.spot, trial.ran, all_units(), lambda unit, spots: self._seen(unit, spots, budget))
                told = self.noticed(tests, trial, budget)
            except (Overdue, RuntimeError):
                return Verdict("undecided", "no time")
            if told:
                return Verdict("killed", told)
            trial.silent = silent  # one of many that cannot tell decides nothing
        return trial.survived()

    def _seen(self, unit: Unit, spots: list[Spot], budget: Budget) -> Look | None:
        """What the tests of a unit run, where that can be seen: of a file of tests, where it was looked at before,
        because that may take minutes."""
        if not unit.folder and not spots and unit.name not in self.looks and self.kept.look(unit) is None:
            return None
        try:
            return self._look(unit, spots, budget)
        except (Overdue, RuntimeError):
            self.looks[unit.name] = Look([], {})
            return None

    def look_at_all(self) -> None:
        """See what all tests run, for this run and for later ones."""
        for unit in all_units():
            with suppress(Overdue, RuntimeError):
                self._look(unit, [], self.budget)

    def _killed(self, unit: Unit, living: list[Trial], budget: Budget) -> dict[Trial, Verdict]:
        """The mutants that a unit notices; and what it cannot tell is noted."""
        killed: dict[Trial, Verdict] = {}
        unasked = list(living)
        try:
            spots = [trial.spot for trial in living]
            for trial, found in zip(living, self._look(unit, spots, budget).running(spots), strict=True):
                told = self.noticed(found, trial, budget)
                trial.asked[unit.folder] += len(found) if unit.folder else 0
                if told:
                    killed[trial] = Verdict("killed", told)
                unasked.remove(trial)
        except (Overdue, RuntimeError):
            for trial in unasked:
                trial.silent.append(unit.name)
        return killed

    def _look(self, unit: Unit, spots: list[Spot], budget: Budget) -> Look:
        """What the tests of a unit run, as it is known or seen now."""
        known = self.looks.get(unit.name) or self.kept.look(unit)
        if known is None or not all(known.knows(spot) for spot in spots):
            known = self.probed.look(unit, Limit(clock=LOOKING).cut(budget.left))
            if known is None:
                raise Overdue
            self.kept.keep(unit, known)
        self.looks[unit.name] = known
        return known

    def noticed(self, found: list[Witness], trial: Trial, budget: Budget, ask: Ask | None = None) -> str:
        """The test that notices a mutant, or nothing. One that fails without it, too, is asked no more."""
        ask = ask or self._in_place
        while True:
            asked = [each for each in found if each.passes and self.fair.get((ask, each.name), True)]
            told = self._failing(asked, trial, ask, budget) if asked else ""
            noticing = [each for each in asked if each.name == told] or asked
            if not told or self._are_fair(noticing, trial, ask, budget):
                trial.silent += [each.name for each in found if each not in asked]
                trial.ran |= {each.name for each in asked}
                return told

    def _are_fair(self, tests: list[Witness], trial: Trial, ask: Ask, budget: Budget) -> bool:
        """Whether tests pass without any mutant; each is asked once."""
        new = [test for test in tests if (ask, test.name) not in self.fair]
        if new:
            passes = not self._failing(new, trial, ask, budget, is_changed=False)
            self.fair |= {(ask, test.name): passes for test in new}
        return all(self.fair[ask, test.name] for test in tests)

    def _failing(self, asked: list[Witness], trial: Trial, ask: Ask, budget: Budget, *, is_changed: bool = True) -> str:
        """The first of some tests that fails with the changed code, or as it is."""
        patience = PATIENCE + BUSY * sum(each.seconds for each in asked)
        own = Limit(patience, patience)
        left = budget.left
        try:
            told: str | None = forked(lambda: ask(asked, trial, is_changed), own.cut(left))
        except Overdue:
            if not own.within(left):
                raise
            return HANGS
        return HANGS if told is None else told

    def _in_place(self, asked: list[Witness], trial: Trial, is_changed: bool) -> str:
        """The functions of this process have the changed code."""
        if is_changed:
            self.functions.change(trial.code)
        return failing(asked)


def _anew(asked: list[Witness], trial: Trial, is_changed: bool) -> str | None:
    return failing_anew(asked, trial.mutant, is_changed)


def _row(mutant: Mutant) -> Row:
    return named_tests(_module(mutant.file))


def _module(file: str) -> str:
    return str(Path(file).relative_to(PACKAGE))


def _some(names: list[str]) -> str:
    return " ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
