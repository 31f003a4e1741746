"""The questions of a program that runs for long: each answer is kept with the inputs that were read while it was found.

From one moment to the next some inputs change, and an answer that read one of them is found again when it is asked for.
What is read is noted by whoever gives it out, so that no question has to say what it depends on.
"""

from __future__ import annotations

from weakref import WeakSet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Hashable, Iterable
    from typing import Any, Protocol, TypeVar

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


class RememberedAnswer:
    """An answer, what it read, and the last moment in which it was asked for and true."""

    __slots__ = ("answer", "moment", "reads")

    def __init__(self, answer: Any, reads: ReadInputs, moment: int) -> None:
        self.answer = answer
        self.reads = reads
        self.moment = moment


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
        self._lately = lately
        self._known: dict[Hashable, RememberedAnswer] = {}
        self._changed: dict[Input, int] = {}
        """The inputs that ever changed, each with the moment in which it did last."""
        self._now = 0
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
        self._now += 1
        waiting = list(inputs)
        self._changed.update(dict.fromkeys(waiting, self._now))
        while waiting:
            readers = self._readers.get(waiting.pop(), set()) - self._doubtful
            self._doubtful |= readers
            waiting += readers
        if self._now % (self._lately // 10 + 1) == 0:
            self._release()
        for part in self._parts:
            part.changed(inputs)

    def __len__(self) -> int:
        """How many answers and inputs are remembered."""
        return len(self._known) + len(self._compared) + len(self._readers) + len(self._changed)

    def _release(self) -> None:
        """Let go of the answers that nobody asked for lately, and of what only they read."""
        since = self._now - self._lately
        self._known = {question: known for question, known in self._known.items() if known.moment >= since}
        read: set[Input] = set()
        read.update(*(known.reads for known in self._known.values()))
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
            for one in known.reads - reads if known is not None else ():
                self._readers[one].discard(name)
            for one in reads:
                self._readers.setdefault(one, set()).add(name)
            if known is not None and (known.answer != answer or None in reads):
                self._changed[name] = self._now
            self._doubtful.discard(name)
            known = self._compared[name] = ComparedAnswer(answer, work, reads, self._now)
        known.asked = self._now
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
        known = self._known.get(question)
        if known is None or not self._is_true(known) or not holds(known.answer):
            moment = self._now
            with RecordedReads(self._recorder, kinds=kinds) as reads:
                answer = work()
            known = self._known[question] = RememberedAnswer(answer, reads, moment)
        else:
            known.moment = self._now  # so that it is not compared again before the next change
            self._passed_on(known)
        return known

    def _is_true(self, known: RememberedAnswer) -> bool:
        """Whether nothing changed that an answer read."""
        return None not in known.reads and not self.differing(known)

    def differing(self, known: RememberedAnswer) -> set[Input]:
        """What an answer read and has changed since. Compared answers that it read are found again, where they may be
        others now. What cannot be compared differs as soon as anything has changed."""
        for name in known.reads & self._doubtful if self._doubtful else ():
            self.compare(name, self._compared[name].work)
        reads, since = known.reads, known.moment
        if since == self._now:
            return set()
        if None in reads:
            return {None}
        changed = [one for one, moment in self._changed.items() if moment > since]
        return {one for one in changed if one in reads or (one is not None and one[0] in reads.kinds)}

    def last(self, question: Hashable) -> RememberedAnswer | None:
        """The last answer to a question, which may not be true any more."""
        return self._known.get(question)

    def in_steps(
        self, question: Hashable, steps: Generator[None, None, T], kinds: Collection[str] = ()
    ) -> Generator[None, None, T]:
        """The answer to a question that is found in small steps, between which others ask. One that read what cannot be
        compared is kept until anything changes."""
        known = self._known.get(question)
        if known is None or self.differing(known):
            moment, recorded = self._now, RecordedReads(self._recorder, kinds=kinds)
            while True:
                with recorded as reads:
                    try:
                        next(steps)
                    except StopIteration as done:
                        known = self._known[question] = RememberedAnswer(done.value, reads, moment)
                        break
                yield
        else:
            known.moment = self._now
        found: T = known.answer
        return found

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

    def _passed_on(self, known: RememberedAnswer) -> None:
        """Whoever records gets what a known answer read."""
        if self._recorder.reads is not None:
            self._recorder.reads |= known.reads
