"""Text to a flat program of steps, in document order: what the parse cache keeps and what the builder runs.

The scanner itself is in `events`, which is loaded when the first text is scanned: what the cache knows needs none.
"""

from __future__ import annotations

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from plait.core.source import Source

READER = 1
"""The version of what is read: another number makes every parse cache useless, so give it one when programs change."""
PLAIN, TEXT, MAP, SEQ, END, ALIAS = range(6)
PROPS = 8
"""Added to a step whose node has a tag or an anchor: see `Program.props`."""


class Program:
    """One document: parallel columns of steps, their offsets and their texts.

    `props` has, for the steps that are marked so, the tag and the anchor.
    """

    __slots__ = ("ats", "kinds", "props", "texts")

    def __init__(
        self,
        kinds: Sequence[int],
        ats: Sequence[int],
        texts: Sequence[str | None],
        props: dict[int, tuple[str | None, str | None]],
    ) -> None:
        self.kinds = kinds
        self.ats = ats
        self.texts = texts
        self.props = props


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
