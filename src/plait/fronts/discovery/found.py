"""What was found: targets with the line that says so, and questions that a person has to answer."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.node import Node


class FoundTarget:
    """A target: its kind, what people would call it, its files from the root of the repository, lowest first, and the
    node that says so; None where only names do. The first file of a chart or a kustomization is its folder."""

    __slots__ = ("files", "inline", "kind", "name", "node", "packages", "profile", "release", "sets")

    def __init__(
        self,
        kind: str,
        name: str,
        files: list[str],
        node: Node | None = None,
        *,
        profile: str = "",
        packages: list[str] | None = None,
        inline: list[Node] | None = None,
        sets: list[tuple[str, str, bool]] | None = None,
        release: dict[str, Any] | None = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.files = files
        self.node = node
        self.profile = profile
        self.packages = packages or []
        """Where each file is in the result, as a dotted path; empty where all are at the top."""
        self.inline = inline or []
        """Values that are written in the manifest itself, lowest first; they lie above the files."""
        self.sets = sets or []
        """Values that the manifest sets by path, each with whether it is a text."""
        self.release = release or {}

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two of them the same target."""
        places = tuple((node.origin.file, node.origin.line) for node in self.inline)
        return (self.kind, tuple(self.files), places, tuple(self.sets), tuple(sorted(self.release.items())))


class TargetQuestion:
    """Files that could be read in two ways."""

    __slots__ = ("files", "kind", "name", "why")

    def __init__(self, kind: str, name: str, files: list[str], why: str) -> None:
        self.kind = kind
        self.name = name
        self.files = files
        self.why = why
