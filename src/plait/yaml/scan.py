"""Text to a flat program of steps, in document order: what the parse cache keeps and what the builder runs.

The native reader scans nearly every text, where it was built. The scanner in Python is in `events`, which is loaded
when the first text needs it: what the cache knows needs neither.
"""

from __future__ import annotations

import gc

from plait.core import native
from plait.yaml.program import Program, SpannedTexts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.source import Source

AREA = 32_000
"""A document of this many characters may be as deep as any; a larger one less, because each value has a path and an
indentation."""
HONEST = 100
"""Levels that a document of any size may have."""


class no_garbage_collection:
    """Reading makes many objects and no garbage; the collector would walk them all, again and again."""

    __slots__ = ("on",)

    def __enter__(self) -> None:
        self.on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self.on:
            gc.enable()


def depth_for(source: Source, depth: int) -> int:
    """How deep a text may be, of its size."""
    return min(depth, max(HONEST, depth * AREA // (len(source.text) + 1)))


def scan_once(source: Source, depth: int = 1000) -> list[Program]:
    """The same for a text whose trees are built once: its columns are arrays, and its texts are cut out of the whole
    while they are built, which takes a fifth of the memory."""
    with no_garbage_collection():
        found = native.places(source.text, depth_for(source, depth)) if native.places is not None else None
    if found is None:
        return scan(source, depth)
    shared: dict[str, str] = {}
    return [spanned(source.text, columns, shared) for columns in found]


def spanned(text: str, columns: tuple[Any, ...], shared: dict[str, str]) -> Program:
    """A document as the native scanner gives it with its places."""
    kinds, *numbers, marks, odd, props, _, _ = columns
    texts = SpannedTexts(text, kinds, numbers, marks, odd, shared)
    return Program(kinds, texts.ats, texts, props)


def scan(source: Source, depth: int = 1000) -> list[Program]:
    """The documents of a text."""
    depth = depth_for(source, depth)
    with no_garbage_collection():
        found = native.scan(source.text, depth) if native.scan is not None else None
        if found is not None:
            return [Program(*columns) for columns in found]
        from plait.yaml.events import documents, reading_events

        return reading_events(source, depth, documents)
