"""What a review finds about one target."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.front import DocumentId
    from plait.merging.diff import ValueDifference
    from plait.review.causes import Cause
    from plait.review.hunks import Hunk


class Effect:
    """One difference of one target, with its cause."""

    __slots__ = ("cause", "difference", "document", "id", "is_of_object", "path", "place", "target", "way")

    def __init__(
        self,
        target: str,
        document: str,
        id: DocumentId,
        path: Path,
        place: Path,
        difference: ValueDifference,
        cause: Cause,
    ) -> None:
        """`place` is the path with positions instead of the keys of items."""
        self.target = target
        self.document = document
        """What the document is called in the report."""
        self.id = id
        self.path = path
        self.place = place
        self.difference = difference
        self.cause = cause
        self.is_of_object = False
        """Whether the document is an object of a deployer that is not evaluated."""
        self.way: tuple[str, ...] = ()
        """What the value came through, one line for each step, where that was asked."""

    @property
    def before(self) -> Node | None:
        return self.difference.before

    @property
    def after(self) -> Node | None:
        return self.difference.after

    @property
    def kind(self) -> str:
        return self.difference.kind


class TargetFinding:
    """The effect of a change on one target."""

    __slots__ = (
        "cancelling",
        "effects",
        "failed",
        "hidden",
        "incomplete",
        "is_broken",
        "looked_at",
        "name",
        "needed",
        "not_compared",
        "opened",
        "proofs",
        "seen",
        "unknown",
        "untried",
    )

    def __init__(self, name: str, seen: list[Hunk], opened: list[Hunk]) -> None:
        self.name = name
        self.seen = seen
        """The hunks that the target could notice."""
        self.opened = opened
        """Those whose files it reads."""
        self.effects: list[Effect] = []
        self.cancelling: list[Hunk] = []
        self.needed: list[Hunk] = []
        self.untried: list[Hunk] = []
        """The hunks that no proof tried, because the budget was used up."""
        self.hidden: list[Hunk] = []
        """The hunks of which nobody knows what they do: errors hide it."""
        self.is_broken = False
        """Whether the target has errors as a whole on both sides."""
        self.failed = (False, False)
        """Whether it has errors on the old side, and on the new one."""
        self.looked_at = 0
        self.proofs = 0
        """How many evaluations the proofs took."""
        self.incomplete: list[str] = []
        """Its documents in which something differs that no difference accounts for."""
        self.unknown: list[tuple[str, str, str, str]] = []
        """Its values that are not known: document, path, expression and reason of each."""
        self.not_compared: list[tuple[str, str, str]] = []
        """The documents that fail on both sides with the same errors, and the first of these; and those that are not
        known as a whole, with the reason."""
