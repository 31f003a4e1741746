"""What all tests are asked about a mutant that lives after those of its row: a test far away may notice it.

Of many that run its statement, those are asked that run different statements around it, the quickest of each kind: two
that run the same statements of a file mostly notice the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Container, Iterable
from itertools import zip_longest

from tests.mutants.probes import Spot
from tests.mutants.reach import Look, Unit, Witness

MOST = 30.0
"""So many CPU seconds of tests are asked about one mutant, as they take without it."""
Looking = Callable[[Unit, list[Spot]], Look | None]
"""What is known of a unit, or seen now; the statements are those that must be known. None where nobody can tell."""


def further(spot: Spot, asked: Container[str], units: Iterable[Unit], looking: Looking) -> list[Witness]:
    """The tests of units to ask about a statement, without those that were asked already."""
    file = spot[0].partition(" ")[0]
    kinds: dict[bytes, list[Witness]] = {}
    for unit in units:
        look = looking(unit, [])
        if look is not None and not look.knows(spot):
            look = looking(unit, [spot])
        if look is None:
            continue
        around = look.notes_of(file)
        for test in look.running([spot])[0]:
            if test.passes and test.name not in asked:
                kinds.setdefault(zlib.decompress(test.notes)[around], []).append(test)
    return affordable(_spread(kinds.values()))


def _spread(kinds: Iterable[list[Witness]]) -> list[Witness]:
    """The quickest of each kind, then the next of each."""
    rounds = zip_longest(*(sorted(kind, key=lambda test: test.seconds) for kind in kinds))
    return [test for some in rounds for test in sorted(filter(None, some), key=lambda test: test.seconds)]


def affordable(tests: list[Witness]) -> list[Witness]:
    """The first of them that take no longer together than is asked about one mutant."""
    chosen: list[Witness] = []
    left = MOST
    for test in tests:
        if test.seconds <= left:
            chosen.append(test)
            left -= test.seconds
    return chosen
