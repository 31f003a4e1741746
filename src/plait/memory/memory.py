"""Answers with what they read, and the states of the world that they were found in.

A state is one set of inputs: the files of a revision, or those of the disk with some lines undone. The answer to a
question that was found in one state is good in every other state in which nothing differs that it read. So two states
are compared first, from the bottom: which files differ, and which parts of these. A part that is the same in both
stops the wave there, and no answer above it is looked at again.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, Protocol

    Difference = Any
    """The inputs that two states do not have alike, in words of those who made the states."""
    Reads = Callable[[Difference], object]
    """What an answer read of that which differs; nothing that is true where it did not."""

    class State(Protocol):
        """One set of inputs."""

        def difference(self, other: Any) -> Difference:
            """What another state has differently."""


class RememberedAnswer:
    """An answer, the state that it was found in, and what it read there."""

    __slots__ = ("answer", "reads", "state")

    def __init__(self, answer: Any, state: State, reads: Reads) -> None:
        self.answer = answer
        self.state = state
        self.reads: Any = reads

    def is_good(self, state: State) -> bool:
        """Whether it is the answer in another state, too."""
        return state is self.state or not self.reads(state.difference(self.state))


class Memory:
    """The answers that are known, by their questions."""

    def __init__(self, most: int | None = None) -> None:
        """`most` is how many answers to one question are kept, the newest; all of them where it is not given."""
        self._most = most
        self._traces: dict[Hashable, list[RememberedAnswer]] = {}
        self.reused = 0
        """How many answers were found again."""

    def keep(self, question: Hashable, answer: Any, state: State, reads: Reads) -> RememberedAnswer:
        """Remember an answer that was found in a state. One that read what cannot be compared is not for here."""
        traces = self._traces.setdefault(question, [])
        traces.append(RememberedAnswer(answer, state, reads))
        if self._most is not None:
            del traces[: -self._most]
        return traces[-1]

    def known(self, question: Hashable) -> list[RememberedAnswer]:
        """All answers to a question, whether they are good or not."""
        return self._traces.get(question, [])

    def release(self, question: Hashable) -> None:
        """Let go of all answers to a question."""
        self._traces.pop(question, None)

    def recall(self, question: Hashable, state: State) -> RememberedAnswer | None:
        """What is known to be the answer in a state; None where it has to be found."""
        for trace in self.known(question):
            if trace.is_good(state):
                self.reused += 1
                return trace
        return None
