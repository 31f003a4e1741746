"""What was found: targets with the line that says so, and questions that a person has to answer."""

from __future__ import annotations

from plait.core.struct import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.node import Node
    from plait.core.path import Path


class FoundTarget:
    """A target: its kind, what people would call it, its files from the root of the repository, lowest first, and the
    node that says so; None where only names do. The first file of a chart or a kustomization is its folder."""

    __slots__ = ("files", "inline", "kind", "name", "named", "node", "packages", "profile", "release", "told")

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
        release: dict[str, Any] | None = None,
        told: list[str] | None = None,
        named: dict[str, Node] | None = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.files = files
        self.node = node
        self.profile = profile
        self.packages = packages or []
        """Where each file is in the result, as a dotted path; empty where all are at the top."""
        self.inline = inline or []
        """Values that are written in the manifest itself, lowest first; they lie above the files: see `inline.py`."""
        self.release = release or {}
        self.told = told or []
        """The files that say so, without its own."""
        self.named = named or {}
        """The nodes that name its files, where that is known."""

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two of them the same target."""
        inline = tuple((node.origin.file, node.origin.line, node) for node in self.inline)
        return (self.kind, tuple(self.files), inline, tuple(sorted(self.release.items())))


class ObjectParts:
    """What of an object of a deployer is evaluated as a target, and what else it names."""

    __slots__ = ("fields", "files", "folders", "is_changed")

    def __init__(self) -> None:
        self.fields: set[Path] = set()
        """The places of the fields that targets are made of."""
        self.files: list[str] = []
        """The files that it names and no target of it is made of, as paths from the root."""
        self.folders: list[tuple[str, bool]] = []
        """Such folders, each with whether what is below its folders counts, too."""
        self.is_changed = False
        """Whether other fields change what its targets give."""


@struct
class TargetQuestion:
    """Files that could be read in two ways."""

    kind: str
    name: str
    files: list[str]
    why: str
