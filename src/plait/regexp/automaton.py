"""Whether and where a pattern matches, in one reading of the text.

The ways in which a program can go on from a place are a state; what a character makes of a state is worked out once
and remembered. A state is a dictionary from characters to states, so that reading a text is looking up one character
after the other.
"""

from __future__ import annotations

from plait.regexp.program import CHECK, DONE, SAVE, TAKE, PatternProgram, holds, kind_of, targets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.meter import Meter

MOST = 4000
"""So many states are remembered; then the automaton starts over."""
CHUNK = 512
DEAD, ENDED = 1, 2


class ThreadSet(dict[str, "ThreadSet"]):
    """Where the threads of a program are before they look at the next character."""

    __slots__ = ("automaton", "before", "places", "searching", "sign")

    def __init__(
        self, automaton: Automaton, places: tuple[int, ...], before: int, searching: bool, ended: bool
    ) -> None:
        super().__init__()
        self.automaton = automaton
        self.places = places
        self.before = before
        self.searching = searching
        """Whether a match may still begin."""
        self.sign = (ENDED if ended else 0) | (DEAD if not places and not searching else 0)
        """What the reader of a text must notice: a match ended before the last character, or none can follow."""

    def __missing__(self, character: str) -> ThreadSet:
        found = self[character] = self.automaton.after(self, character)
        return found


class Automaton:
    """A program as states. Forwards, it finds where the preferred match ends; backwards, where the longest begins."""

    def __init__(self, program: PatternProgram) -> None:
        self.program = program
        self.code = program.code
        self.longest = program.backwards
        self.states: dict[tuple[tuple[int, ...], int, bool, bool], ThreadSet] = {}
        self.spent = 0
        """The work that new states have cost: the meter is charged for it."""

    def start(self, before: int) -> ThreadSet:
        fixed = self.longest or self.program.anchored
        return self.state((0,) if fixed else (), before if self.program.asserts else 0, not fixed, False)

    def state(self, places: tuple[int, ...], before: int, searching: bool, ended: bool) -> ThreadSet:
        key = (places, before, searching, ended)
        found = self.states.get(key)
        if found is None:
            if len(self.states) >= MOST:
                for old in self.states.values():
                    old.clear()
                self.states.clear()
            found = self.states[key] = ThreadSet(self, places, before, searching, ended)
        return found

    def after(self, state: ThreadSet, character: str) -> ThreadSet:
        """What a character makes of a state; the empty text stands for the end."""
        neighbour = kind_of(character) if self.program.asserts else 0
        waiting, ended = self._closure(state, neighbour)
        moved = tuple(place + 1 for place in waiting if character and self.code[place][1].holds(character))
        return self.state(moved, neighbour, state.searching and not ended, ended)

    def _closure(self, state: ThreadSet, neighbour: int) -> tuple[list[int], bool]:
        """The places that wait for a character, in order of preference, and whether a match ends here."""
        before, after = (neighbour, state.before) if self.program.backwards else (state.before, neighbour)
        waiting: list[int] = []
        ended = False
        seen: set[int] = set()
        stack = [0, *reversed(state.places)] if state.searching else list(reversed(state.places))
        while stack:
            place = stack.pop()
            if place in seen:
                continue
            seen.add(place)
            kind, what, other = self.code[place]
            if kind == TAKE:
                waiting.append(place)
            elif kind == DONE:
                ended = True
                if not self.longest:
                    break
            elif kind == SAVE:
                stack.append(place + 1)
            elif kind == CHECK:
                if holds(what, before, after):
                    stack.append(place + 1)
            else:
                stack.extend(reversed(targets(kind, what, other, place)))
        self.spent += len(seen) + 1
        return waiting, ended

    def ends(self, text: str, start: int, meter: Meter, *, first: bool = False) -> int:
        """Where the preferred match from a place on ends, or -1. `first`: any end will do."""
        state = self.start(kind_of(text[start - 1 : start] if start else ""))
        best = -1
        chunk = self._chunk()
        for begin in range(start, len(text), chunk):
            spent = self.spent
            for at, character in enumerate(text[begin : begin + chunk], begin):
                state = state[character]
                if state.sign:
                    if state.sign & ENDED:
                        best = at
                        if first:
                            return best
                    if state.sign & DEAD:
                        meter.step((at - begin >> 2) + self.spent - spent)
                        return best
            meter.step((chunk >> 2) + self.spent - spent)
        return len(text) if state[""].sign & ENDED else best

    def begins(self, text: str, end: int, meter: Meter, least: int) -> int:
        """Where the longest match that ends at a place begins, not before `least`."""
        state = self.start(kind_of(text[end : end + 1]))
        best, spent = end, self.spent
        for at in range(end, least - 1, -1):
            state = state[text[at - 1] if at else ""]
            if state.sign & ENDED:
                best = at
            if state.sign & DEAD:
                break
        meter.step((end - at >> 2) + self.spent - spent)
        return best

    def _chunk(self) -> int:
        """How many characters are read before the meter is charged: fewer where one may cost much."""
        return max(1, CHUNK * 64 // max(64, len(self.code)))
