"""A change of files that keeps every result: what it is, why, and the edits that make it."""

from __future__ import annotations

from plait.core.path import format_path
from plait.yaml.edits import Delete

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.tidy.written import WrittenFile, WrittenValue
    from plait.yaml.edits import Edit

    Found = Iterator["Proposal | None"]
    """What somebody looks for who finds little for long: None where others can be asked meanwhile."""

OVERRIDDEN, NEXT = "overridden in all", "the next one would have it"
"""What is said of a default that all targets override now, and why it stays."""


class SpanEdit:
    """Other text for a span of a file, between two offsets: for what is inside a value, and for what is not YAML."""

    __slots__ = ("end", "start", "text")

    def __init__(self, start: int, end: int, text: str) -> None:
        self.start = start
        self.end = end
        self.text = text

    def __repr__(self) -> str:
        return f"SpanEdit({self.start}, {self.end}, {self.text!r})"


def spliced(text: str, splices: Iterable[SpanEdit]) -> str:
    """A text with some spans replaced; those that are given twice, once."""
    at, pieces = 0, []
    for start, end, new in sorted({(one.start, one.end, one.text) for one in splices}):
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])


class Proposal:
    """One proposal. It is written only if nothing stands in its way: see `obstacle`."""

    __slots__ = (
        "edits",
        "file",
        "kind",
        "line",
        "more",
        "number",
        "obstacle",
        "places",
        "reason",
        "steps",
        "text",
        "value",
    )

    def __init__(self, kind: str, file: WrittenFile, value: WrittenValue, reason: str) -> None:
        self.kind = kind
        self.file = file
        self.value: Node = value.node
        self.line = value.line
        self.number = value.number
        """Which document of the file it is in, from 0."""
        self.steps = value.steps
        self.reason = reason
        self.text = ""
        """What is shown instead of the path and the value."""
        self.more: list[str] = []
        """Lines that are shown below it."""
        self.edits: list[tuple[str, Edit | SpanEdit]] = []
        """Each with the file that it changes."""
        self.places: list[tuple[str, Path]] = []
        """The values of targets that the text has to do with."""
        self.obstacle = ""
        """Why it is shown and not written; empty where it is proved."""

    @property
    def where(self) -> str:
        return f"{self.file.name}:{self.line}"

    @property
    def path(self) -> str:
        return format_path(self.steps)


def removal(
    kind: str, file: WrittenFile, value: WrittenValue, reason: str, whole: WrittenValue | None = None
) -> Proposal:
    """The proposal to remove a value, or with it the whole that it is in."""
    made, gone = Proposal(kind, file, value, reason), whole or value
    made.edits = [(file.path, Delete(gone.steps, gone.number))]
    return made
