"""Tells open pages that files have changed: a stream of events for each, and one look at the disk for all of them."""

from __future__ import annotations

import asyncio
import json

from starlette.responses import StreamingResponse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from plait.apps.web.explorer import Explorer, State

PAUSE = 0.7
"""Seconds between two looks at the disk, while a client listens."""
SIGN_OF_LIFE = 20
"""Looks after which a quiet stream says that it is still there."""
MOST = 100
"""How many pages may listen at a time."""


class Live:
    """The streams of all open pages."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.listening = 0
        self._watching: asyncio.Task[None] | None = None
        self._ended = False

    def stream(self) -> StreamingResponse:
        return StreamingResponse(self._events(), media_type="text/event-stream", headers={"cache-control": "no-store"})

    def end(self) -> None:
        """Let all streams end, so that the server can."""
        self._ended = True

    async def _events(self) -> AsyncIterator[str]:
        if self.listening >= MOST:
            return
        self.listening += 1
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())
        try:
            yield _event(self.explorer)
            sent, quiet = self.explorer.state.number, 0
            while not self._ended:
                await asyncio.sleep(PAUSE / 2)
                quiet += 1
                if self.explorer.state.number != sent:
                    sent, quiet = self.explorer.state.number, 0
                    yield _event(self.explorer)
                elif quiet >= SIGN_OF_LIFE:
                    quiet = 0
                    yield ": still here\n\n"
        finally:
            self.listening -= 1

    async def _watch(self) -> None:
        while self.listening and not self._ended:
            await asyncio.sleep(PAUSE)
            await asyncio.wrap_future(self.explorer.ask(_nothing))


def _nothing(state: State) -> None:
    """Asking anything looks at the disk first."""


def _event(explorer: Explorer) -> str:
    return f"data: {json.dumps({'state': explorer.state.number, 'files': explorer.changed[:20]})}\n\n"
