"""A document as a flat program of steps: what the scanner makes, the parse cache keeps and the builder runs."""

from __future__ import annotations

from plait.core import native
from plait.core.source import SENSITIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import overload

READER = 2
"""The version of what is read: another number makes every parse cache useless, so give it one when programs change."""
PLAIN, TEXT, MAP, SEQ, END, ALIAS = range(6)
PROPS = 8
"""Added to a step whose node has a tag or an anchor: see `Program.props`."""


ODD = 2
"""Marks a step whose text is not just what is written at its places: it has escapes, several lines or a tag."""


class SpannedTexts:
    """The column of the texts of a document, cut out of the whole text when they are asked for: most never are."""

    __slots__ = ("ats", "ends", "kinds", "marks", "odd", "pairs", "shared", "text")

    def __init__(
        self,
        text: str,
        kinds: bytes,
        places: Iterable[bytes],
        marks: bytes,
        odd: dict[int, str],
        shared: dict[str, str] | None = None,
    ) -> None:
        """As the native scanner gives them: `places` are where each step begins, where it ends, and the step that
        closes or opens it; `odd` has the texts of the steps that are marked so."""
        self.text = text
        self.kinds = kinds
        self.ats, self.ends, self.pairs = [memoryview(column).cast("i") for column in places]
        self.marks = marks
        self.odd = odd
        self.shared: dict[str, str] = {} if shared is None else shared
        """The short texts that the builder has cut out; documents of one text may have them together."""

    def __len__(self) -> int:
        return len(self.kinds)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, step: int) -> str | None: ...
        @overload
        def __getitem__(self, step: slice) -> list[str | None]: ...

    def __getitem__(self, step: int | slice) -> str | list[str | None] | None:
        if isinstance(step, slice):
            first, last, _ = step.indices(len(self.kinds))
            assert native.cut is not None
            return native.cut(self.kinds, self.ats, self.columns(), first, max(first, last))
        if self.marks[step] & ODD:
            return self.odd[step if step >= 0 else len(self.kinds) + step]
        kind = self.kinds[step]
        if kind > TEXT:
            return None
        return self.text[self.ats[step] + kind : self.ends[step] - kind]  # TEXT is 1, as many as a quote has

    def __iter__(self) -> Iterator[str | None]:
        return iter(self[:])

    def columns(self) -> tuple[object, ...]:
        """The same as the native builder takes it."""
        return self.text, self.odd, self.shared, self.ends, self.pairs, self.marks


class Program:
    """One document: parallel columns of steps, their offsets and their texts.

    `props` has, for the steps that are marked so, the tag and the anchor.
    """

    __slots__ = ("ats", "depths", "kinds", "props", "secret", "texts")

    def __init__(
        self,
        kinds: Sequence[int],
        ats: Sequence[int],
        texts: Sequence[str | None] | SpannedTexts,
        props: dict[int, tuple[str | None, str | None]],
    ) -> None:
        self.kinds = kinds
        self.ats = ats
        self.texts = texts
        self.props = props
        self.secret = bool(props) and any(SENSITIVE in properties for properties in props.values())
        """Whether it holds a value that is marked as sensitive."""
        self.depths: list[int] | None = None
        """How many containers are open after each step, once it was asked for: see `outline.depths_of`."""
