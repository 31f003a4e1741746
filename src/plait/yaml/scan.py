"""Text to a flat program of steps, in document order: what the parse cache keeps and what the builder runs.

The scanner itself is in `events`, which is loaded when the first text is scanned: what the cache knows needs none.
"""

from __future__ import annotations

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.source import Source
    from plait.yaml.program import Program


class no_garbage_collection:
    """Reading makes many objects and no garbage; the collector would walk them all, again and again."""

    __slots__ = ("on",)

    def __enter__(self) -> None:
        self.on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self.on:
            gc.enable()


def scan(source: Source, depth: int = 1000) -> list[Program]:
    """The documents of a text."""
    from plait.yaml.events import documents, reading_events

    with no_garbage_collection():
        return reading_events(source, depth, documents)
