"""Work between the requests of an editor: step by step, so that a request never waits for more than one step."""

from __future__ import annotations

import asyncio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Background:
    """Work under way. Each piece is told by a key; a new piece takes the place of an older one with the same key."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Future[None]] = {}

    @property
    def busy(self) -> bool:
        return bool(self._tasks)

    def start(self, key: str, steps: Callable[[], Iterator[None]]) -> None:
        """Begin some work; what was begun for this key before is given up."""
        self.cancel(key)
        task = asyncio.ensure_future(_run(steps))
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._done(key, done))

    def cancel(self, key: str) -> None:
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()

    def _done(self, key: str, task: asyncio.Future[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled() and (trouble := task.exception()) is not None:
            asyncio.get_running_loop().call_exception_handler({"message": "background work", "exception": trouble})


async def _run(steps: Callable[[], Iterator[None]]) -> None:
    await asyncio.sleep(0)  # what has already been received comes first
    for _ in steps():
        await asyncio.sleep(0)
