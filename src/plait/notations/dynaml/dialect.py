"""What differs between spiff and its successor, where one text means two things, and which features are switched on."""

from __future__ import annotations

FEATURES = ("control", "interpolation")


class Dialect:
    """How expressions are read. `successor` takes the meaning of spiff's successor where the two differ."""

    __slots__ = ("features", "successor")

    def __init__(self, successor: bool = False, features: frozenset[str] = frozenset()) -> None:
        self.successor = successor
        self.features = features

    @property
    def plain(self) -> bool:
        """Whether results are printed as they are."""
        return not self.successor and not self.features

    @property
    def control(self) -> bool:
        """Whether keys as `<<if` are control keys."""
        return "control" in self.features

    @property
    def interpolation(self) -> bool:
        """Whether a text may have expressions inside."""
        return "interpolation" in self.features


CLASSIC = Dialect()
