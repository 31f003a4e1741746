"""Slow calls run side by side. A call under way is a node whose value is not known yet, like any other.

The calls run in a pool of threads that exists only while there are calls. A call is tried
again when its error may be temporary, and given up after its limit; a thread that hangs is abandoned and replaced.
Answers are taken in the order in which the calls were made, so that nothing a user sees
depends on timing.
"""

from __future__ import annotations

from time import monotonic, sleep

from plait.core.diagnostic import Fault, Passing, PlaitError
from plait.core.node import Deferred, Failure, Node
from plait.core.source import UNKNOWN
from plait.report.catalog import NO_ANSWER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Patience

SIZE = 16
"""How many calls run at a time: 200 calls of 50 ms take 13 rounds."""
TICK = 0.25
"""How often progress is reported, in seconds."""
LONGEST = 60.0
"""How long nothing is looked at where nobody watches, in seconds."""


class Underway(Deferred):
    """A call that was made and has no answer yet."""

    __slots__ = ("answer", "begun", "function", "limit", "patience")
    kind = "call"

    def __init__(self, function: Callable[[], Node], patience: Patience, limit: float) -> None:
        self.function = function
        self.patience = patience
        self.limit = patience.seconds or limit
        self.begun = 0.0
        self.answer: Node | Exception | None = None
        self.source = UNKNOWN
        self.at = 0

    def answered(self) -> Node:
        """What the table of values says about it; the asker gets the error itself when it starts again."""
        return self.answer if isinstance(self.answer, Node) else Failure(())

    def __repr__(self) -> str:
        return f"Underway({self.patience.what!r})"


class Pool:
    """Threads that make calls, at most `size` at a time."""

    def __init__(self, size: int = SIZE) -> None:
        from collections import deque
        from threading import Condition

        self.size = size
        self.made = 0
        self.answered = 0
        self._change = Condition()
        self._queue: deque[Underway] = deque()
        self._running: dict[Underway, None] = {}
        self._workers = 0

    def start(self, call: Underway) -> None:
        with self._change:
            self.made += 1
            self._queue.append(call)
            self._staff()

    def wait(self, call: Underway, deadline: float, watch: Callable[[str], None] | None = None) -> bool:
        """Wait until a call has an answer, be it that it took too long. False where the deadline comes first."""
        with self._change:
            while call.answer is None:
                now = monotonic()
                self._give_up(now)
                if call.answer is not None or now >= deadline:
                    break
                if watch is not None:
                    watch(f"waiting for {call.patience.what} ({self.answered} of {self.made} answers)")
                ends = min(deadline, *(one.begun + one.limit for one in self._running), now + LONGEST)
                self._change.wait(max(0.001, (ends if watch is None else min(ends, now + TICK)) - now))
        return call.answer is not None

    def _give_up(self, now: float) -> None:
        """Calls that took too long get an error; their threads are left behind."""
        for call in [call for call in self._running if now >= call.begun + call.limit]:
            call.answer = Passing(
                NO_ANSWER(what=call.patience.what, limit=_seconds(call.limit), hint="--max-call gives it more time")
            )
            del self._running[call]
            self.answered += 1
            self._workers -= 1
        self._staff()

    def _staff(self) -> None:
        from threading import Thread

        while self._workers < min(self.size, len(self._running) + len(self._queue)):
            self._workers += 1
            Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._change:
                if not self._queue:
                    self._workers -= 1
                    return
                call = self._queue.popleft()
                call.begun = monotonic()
                self._running[call] = None
                self._change.notify_all()
            answer = tried(call)
            with self._change:
                if call not in self._running:  # given up meanwhile; another thread has taken its place
                    return
                del self._running[call]
                call.answer = answer
                self.answered += 1
                self._change.notify_all()


def tried(call: Underway) -> Node | Exception:
    """The answer to a call, tried again with growing pauses while its error may be temporary."""
    patience = call.patience
    for attempt in range(patience.tries):
        try:
            return call.function()
        except Passing as error:
            pause = patience.pause * 2**attempt
            if attempt + 1 == patience.tries or monotonic() + pause >= call.begun + call.limit:
                return error
            sleep(pause)
        except Exception as error:  # raised in the thread that asked
            return error
    raise AssertionError("a call is tried at least once")


def at_once(function: Callable[[], Node]) -> Node | PlaitError:
    """The answer to a fast call, made immediately."""
    try:
        return function()
    except Fault as error:
        return error


def _seconds(count: float) -> str:
    return f"{count:g} second{'' if count == 1 else 's'}"
