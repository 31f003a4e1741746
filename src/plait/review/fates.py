"""Why a changed line has no effect: what became of the values that it writes."""

from __future__ import annotations

SHOWN = 3
"""How many places one reason names."""
ERROR = "its value is not compared: it is an error on both sides"
"""What is said of a value that is in a result: two equal errors are not two equal values."""


class LineFate:
    """Why the values that a hunk writes have no effect."""

    __slots__ = ("by", "kept", "reasons")

    def __init__(self) -> None:
        self.by: dict[str, None] = {}
        """The places that override a value of the hunk, in order."""
        self.reasons: dict[str, None] = {}
        """Why values are left out that nothing overrides."""
        self.kept: dict[str, None] = {}
        """What is to be said of values that are in a result."""

    @property
    def places(self) -> str:
        """The places that override it, the first few."""
        places = list(self.by)
        more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
        return ", ".join(places[:SHOWN]) + more

    @property
    def has_errors(self) -> bool:
        """Whether a value of the hunk is an error on both sides, so that nobody knows whether it changes."""
        return ERROR in self.kept

    @property
    def text(self) -> str:
        """The reason in words; empty where nothing was found."""
        if not self.by:
            return "; elsewhere ".join(self.kept) or "; ".join(self.reasons)
        return "; elsewhere ".join((f"overridden {'' if self.kept else 'everywhere '}by {self.places}", *self.kept))


NO_FATE = LineFate()
"""That of a hunk in a file which no target reads."""
