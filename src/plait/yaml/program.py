"""A document as a flat program of steps: what the scanner makes, the parse cache keeps and the builder runs."""

from __future__ import annotations

from plait.core.source import SENSITIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

READER = 2
"""The version of what is read: another number makes every parse cache useless, so give it one when programs change."""
PLAIN, TEXT, MAP, SEQ, END, ALIAS = range(6)
PROPS = 8
"""Added to a step whose node has a tag or an anchor: see `Program.props`."""


class Program:
    """One document: parallel columns of steps, their offsets and their texts.

    `props` has, for the steps that are marked so, the tag and the anchor.
    """

    __slots__ = ("ats", "depths", "kinds", "props", "secret", "texts")

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
        self.secret = bool(props) and any(SENSITIVE in properties for properties in props.values())
        """Whether it holds a value that is marked as sensitive."""
        self.depths: list[int] | None = None
        """How many containers are open after each step, once it was asked for: see `outline.depths_of`."""
