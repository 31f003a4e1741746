"""A change of files that keeps every result: what it is, why, and the edits that make it."""

from __future__ import annotations

from plait.core.path import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.tidy.written import WrittenFile, WrittenValue
    from plait.yaml.edits import Edit


class Proposal:
    """One proposal. It is written only if nothing stands in its way: see `obstacle`."""

    __slots__ = ("edits", "file", "kind", "line", "obstacle", "places", "reason", "steps", "value")

    def __init__(self, kind: str, file: WrittenFile, value: WrittenValue, reason: str) -> None:
        self.kind = kind
        self.file = file
        self.value: Node = value.node
        self.line = value.line
        self.steps = value.steps
        self.reason = reason
        self.edits: list[tuple[str, Edit]] = []
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
