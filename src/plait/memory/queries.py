"""The questions of a program that runs for long: each answer is kept with the inputs that were read while it was found.

A state is a moment. From one moment to the next some inputs change, and an answer that read one of them is found again
when it is asked for. What is read is noted by whoever gives it out, so that no question has to say what it depends on.
"""

from __future__ import annotations

from weakref import WeakSet

from plait.memory.memory import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable
    from typing import Any, Protocol, TypeVar

    from plait.memory.memory import RememberedAnswer

    T = TypeVar("T")
    Input = tuple[str, str] | None
    """The kind and the name of something that was read; None for what cannot be compared later."""

    class Recorder(Protocol):
        """Whoever gives out inputs; it adds each one to `reads` where there is such a set."""

        reads: set[Input] | None


LATELY = 1_000
"""For how many changes an answer is kept that nobody asks for."""


def always(answer: object) -> bool:
    """An answer that can be used as long as its inputs are the same."""
    return True


class ReadInputs(set["Input"]):
    """The inputs that were read. Of some kinds every input counts as read."""

    def __init__(self, kinds: Collection[str] = ()) -> None:
        self.kinds = kinds

    def __call__(self, difference: set[Input]) -> bool:
        """Whether one of them is among those that differ."""
        kinds = self.kinds
        return not self.isdisjoint(difference) or (
            bool(kinds) and any(one is not None and one[0] in kinds for one in difference)
        )


class RecordedReads:
    """The inputs that are read inside a `with` block. Who records around it gets them, too, if they are passed on."""

    __slots__ = ("_outer", "_passes", "_reads", "_recorder")

    def __init__(self, recorder: Recorder, passes: bool = True, kinds: Collection[str] = ()) -> None:
        self._recorder = recorder
        self._passes = passes
        self._reads = ReadInputs(kinds)

    def __enter__(self) -> ReadInputs:
        self._outer, self._recorder.reads = self._recorder.reads, self._reads
        return self._reads

    def __exit__(self, *_: object) -> None:
        if self._outer is not None and self._passes:
            self._outer |= self._reads
        self._recorder.reads = self._outer


class Moment:
    """A state between two changes."""

    __slots__ = ("_changed", "number")

    def __init__(self, number: int, changed: dict[Input, int]) -> None:
        self.number = number
        self._changed = changed
        """The inputs that ever changed, each with the moment in which it did last."""

    def difference(self, other: Moment) -> set[Input]:
        """The inputs that changed after an earlier moment."""
        return {one for one, number in self._changed.items() if number > other.number}


class ComparedAnswer:
    """An answer that is itself an input of others."""

    __slots__ = ("answer", "asked", "reads", "work")

    def __init__(self, answer: object, work: Callable[[], object], reads: ReadInputs, asked: int) -> None:
        self.answer = answer
        self.work = work
        self.reads = reads
        self.asked = asked
        """The moment in which it was asked for last."""

    @property
    def is_sure(self) -> bool:
        """Whether everything that it read can be compared later."""
        return None not in self.reads


class Queries:
    """The answers that are known, as long as nothing changes that they read. One that read what cannot be compared is
    found again each time. One that nobody asked for lately is let go."""

    def __init__(self, recorder: Recorder, lately: int = LATELY) -> None:
        self._recorder = recorder
        self._memory = Memory(1)
        self._lately = lately
        self._asked: dict[Hashable, int] = {}
        """The questions with known answers, each with the moment in which it was asked last."""
        self._changed: dict[Input, int] = {}
        self._now = Moment(0, self._changed)
        self._compared: dict[Input, ComparedAnswer] = {}
        self._readers: dict[Input, set[Input]] = {}
        """The compared answers that read an input."""
        self._doubtful: set[Input] = set()
        """The compared answers that may be others now."""
        self._parts: WeakSet[Queries] = WeakSet()

    def part(self) -> Queries:
        """Questions that belong to one of these answers: what they know is let go with it."""
        part = Queries(self._recorder, self._lately)
        self._parts.add(part)
        return part

    def changed(self, inputs: Iterable[Input]) -> None:
        """Some inputs are others from now on."""
        inputs = frozenset(inputs)
        self._now = Moment(self._now.number + 1, self._changed)
        waiting = list(inputs)
        self._changed.update(dict.fromkeys(waiting, self._now.number))
        while waiting:
            readers = self._readers.get(waiting.pop(), set()) - self._doubtful
            self._doubtful |= readers
            waiting += readers
        if self._now.number % (self._lately // 10 + 1) == 0:
            self._release()
        for part in self._parts:
            part.changed(inputs)

    def __len__(self) -> int:
        """How many answers and inputs are remembered."""
        return len(self._asked) + len(self._compared) + len(self._readers) + len(self._changed)

    def _release(self) -> None:
        """Let go of the answers that nobody asked for lately, and of what only they read."""
        since = self._now.number - self._lately
        for question in [one for one, asked in self._asked.items() if asked < since]:
            self._memory.release(question)
            del self._asked[question]
        read: set[Input] = set()
        read.update(*(known.reads for question in self._asked for known in self._memory.known(question)))
        kept: dict[Input, ComparedAnswer] = {}
        waiting = [name for name, one in self._compared.items() if name in read or one.asked >= since]
        while waiting:
            name = waiting.pop()
            if name not in kept:
                kept[name] = self._compared[name]
                read |= kept[name].reads
                waiting += kept[name].reads & self._compared.keys()
        self._compared = kept
        self._readers = {one: names & kept.keys() for one, names in self._readers.items() if one in read}
        self._doubtful &= kept.keys()
        for one in self._changed.keys() - read:
            del self._changed[one]

    def compare(self, name: Input, work: Callable[[], T]) -> T:
        """The answer to a small question, which becomes an input of this name for whoever asks: as long as it is equal,
        it does not matter that something changed which it read. The work must not fail."""
        known = self._compared.get(name)
        if known is None or name in self._doubtful or not known.is_sure:
            with RecordedReads(self._recorder, passes=False) as reads:
                answer = work()
            for one in reads:
                self._readers.setdefault(one, set()).add(name)
            if known is not None and (known.answer != answer or None in reads):
                self._changed[name] = self._now.number
            self._doubtful.discard(name)
            known = self._compared[name] = ComparedAnswer(answer, work, reads, self._now.number)
        known.asked = self._now.number
        if self._recorder.reads is not None:
            self._recorder.reads.add(name if known.is_sure else None)
        return known.answer  # type: ignore[return-value]

    def ask(
        self,
        question: Hashable,
        work: Callable[[], object],
        holds: Callable[[Any], bool] = always,
        kinds: Collection[str] = (),
    ) -> RememberedAnswer:
        """The answer to a question: the one that is known, or what some work gives. Where the work fails there is
        none.

        `holds` says of an answer whether it can be used once more, besides; `kinds` are kinds of inputs that it depends
        on, whoever reads them.
        """
        self._settle(question)
        self._asked[question] = self._now.number
        known = self._memory.recall(question, self._now)
        if known is None or None in known.reads or not holds(known.answer):
            state = self._now
            with RecordedReads(self._recorder, kinds=kinds) as reads:
                answer = work()
            return self._memory.keep(question, answer, state, reads)
        known.state = self._now  # so that it is not compared again before the next change
        self._passed_on(known)
        return known

    def recall(
        self,
        question: Hashable,
        work: Callable[[], T],
        holds: Callable[[T], bool] = always,
        kinds: Collection[str] = (),
    ) -> T:
        """The same, and nothing but the answer."""
        found: T = self.ask(question, work, holds, kinds).answer
        return found

    def go_on(self, known: RememberedAnswer, work: Callable[[], T]) -> T:
        """More work on an answer that is found bit by bit: what it reads, the answer has read."""
        try:
            with RecordedReads(self._recorder) as reads:
                return work()
        finally:
            known.reads |= reads
            self._passed_on(known)

    def _settle(self, question: Hashable) -> None:
        """Find the compared answers again that a known one read, where they may be others now."""
        for known in self._memory.known(question) if self._doubtful else ():
            for name in known.reads & self._doubtful:
                self.compare(name, self._compared[name].work)

    def _passed_on(self, known: RememberedAnswer) -> None:
        """Whoever records gets what a known answer read."""
        if self._recorder.reads is not None:
            self._recorder.reads |= known.reads
