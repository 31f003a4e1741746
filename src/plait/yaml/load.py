"""From a source to its documents: scan, then build."""

from __future__ import annotations

from plait.core.diagnostic import PlaitError, for_each
from plait.core.source import SENSITIVE, Source
from plait.yaml.build import Reading, build
from plait.yaml.scan import no_garbage_collection, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Node
    from plait.yaml.program import Program


def load(source: Source, reading: Reading, depth: int = 1000) -> list[Node]:
    """The trees of all documents of a source."""
    return built(scan(source, depth), source, reading)


def built(programs: list[Program], source: Source, reading: Reading, by_parts: bool = False) -> list[Node]:
    """The trees of the documents of a source that was scanned; `by_parts` as for `build`."""
    with no_garbage_collection():
        return for_each(lambda program: build(program, source, reading, by_parts), programs)


def shown_text(name: str, text: str) -> str:
    """A YAML text as it may be shown to people: the values that are marked as secret are masked."""
    if SENSITIVE not in text:
        return text
    source = Source(name, text)
    try:
        load(source, Reading(duplicates="last"))
    except PlaitError:  # not valid YAML: hide every value that is marked
        at = text.find(SENSITIVE)
        while at >= 0:
            source.conceal(at)
            at = text.find(SENSITIVE, at + 1)
    return source.shown()
