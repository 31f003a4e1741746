"""What can be changed in a text.

An edit names its place by a path in the document as it is before any edit; several edits are made together. A value
is a `Node`, written in the style of its surroundings, or `Raw` text, which goes in as it is.

    text = apply(source, [
        Replace(("jobs", 0, "port"), node),
        Insert(("labels", "tier"), node, after="app", comment="set by hand", above="which tier"),
        Insert(("ports", 2), node),            # a new third item; END for a new last one
        Delete(("jobs", Keyed(("name",), ("web",)))),
        Rename(("labels", "zone"), "region"),
        Move(("a", "b"), to=("c", "d")),       # or within its container: before="x", after="y"
    ])
"""

from __future__ import annotations

from plait.core.node import Key, Node
from plait.core.path import Path, Step


class Raw:
    """A value as text: one line, or the lines of a block with its first at column 0; comments and all."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"Raw({self.text!r})"


Value = Node | Raw
END = 1 << 60
"""The place after the last item of a list."""


class Edit:
    """A change at a path of one of the text's documents."""

    __slots__ = ("document", "path")

    def __init__(self, path: Path, document: int = 0) -> None:
        self.path = path
        self.document = document

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}{self.path!r}"


class Replace(Edit):
    """Give a place another value. A comment beside it stays, unless there is a new one."""

    __slots__ = ("comment", "value")

    def __init__(self, path: Path, value: Value, *, comment: str | None = None, document: int = 0) -> None:
        super().__init__(path, document)
        self.value = value
        self.comment = comment


class Insert(Edit):
    """Add a key to a mapping (at its end, or beside another key) or an item to a list (at an index)."""

    __slots__ = ("above", "after", "before", "comment", "value")

    def __init__(
        self,
        path: Path,
        value: Value,
        *,
        before: Step | None = None,
        after: Step | None = None,
        comment: str | None = None,
        above: str | None = None,
        document: int = 0,
    ) -> None:
        super().__init__(path, document)
        self.value = value
        self.before = before
        self.after = after
        self.comment = comment
        self.above = above


class Delete(Edit):
    """Remove a key or an item, with the comment beside it and the one right above it."""

    __slots__ = ()


class Rename(Edit):
    """Give a key another name."""

    __slots__ = ("name",)

    def __init__(self, path: Path, name: Key, *, document: int = 0) -> None:
        super().__init__(path, document)
        self.name = name


class Move(Edit):
    """Take a key or an item elsewhere, comments and all: to another path, or to another place in its container."""

    __slots__ = ("after", "before", "to")

    def __init__(
        self,
        path: Path,
        to: Path | None = None,
        *,
        before: Step | None = None,
        after: Step | None = None,
        document: int = 0,
    ) -> None:
        super().__init__(path, document)
        self.to = path if to is None else to
        self.before = before
        self.after = after
