"""Work between the requests of an editor: step by step, so that a request never waits for more than one step; and what
can wait until nothing else is to be done."""

from __future__ import annotations

import asyncio
import gc
from time import process_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


MOMENT = 0.01
"""Seconds before work begins: a question that follows a keystroke is answered first."""
PAUSE = 0.3
"""Seconds without any work after which memory is tidied up."""
OFTEN = 6
"""So many pieces of work are begun without such a pause, before memory is tidied up between two steps."""
QUICK = 0.03
"""Where tidying up takes fewer seconds, it is done in each piece of work."""


class Background:
    """Work under way. Each piece has a key; a new piece takes the place of an older one with the same key."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Future[None]] = {}
        self._tidying: asyncio.TimerHandle | None = None
        self._untidied = 0
        """How many pieces of work were begun since memory was tidied up."""
        self._took = 0.0
        """How many seconds that took."""

    @property
    def busy(self) -> bool:
        return bool(self._tasks)

    def start(self, key: str, steps: Callable[[], Iterator[None]]) -> None:
        """Begin some work; what was begun for this key before is given up."""
        self.cancel(key)
        if self._tidying is not None:
            self._tidying.cancel()
        self._untidied += 1
        task = asyncio.ensure_future(self._run(steps))
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._done(key, done))

    def cancel(self, key: str) -> None:
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()

    def _done(self, key: str, task: asyncio.Future[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        self._tidy_later()
        if not task.cancelled() and (trouble := task.exception()) is not None:
            asyncio.get_running_loop().call_exception_handler({"message": "background work", "exception": trouble})

    def _tidy_later(self) -> None:
        """Look for garbage in a pause: it takes about as long as the answer to a keystroke."""
        if self._tidying is not None:
            self._tidying.cancel()
        self._tidying = None if self.busy else asyncio.get_running_loop().call_later(PAUSE, self._tidy)

    def _tidy(self) -> None:
        """Free what earlier states of the texts leave: it is in circles, and what is old is only found in a look at
        everything."""
        self._untidied = 0
        before = process_time()
        gc.collect()
        self._took = process_time() - before

    async def _run(self, steps: Callable[[], Iterator[None]]) -> None:
        await asyncio.sleep(MOMENT)
        for _ in steps():
            await asyncio.sleep(0)
            often = OFTEN if self._took > QUICK else 0
            if self._untidied > often:  # the first step has told what is wrong around a change
                self._tidy()
                await asyncio.sleep(0)


async def others_first() -> None:
    """Let others have a turn."""
    await asyncio.sleep(0)
