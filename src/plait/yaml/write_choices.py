"""What a user decides about writing. It is apart from the writer, which only commands that write load."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.diagnostic import Diagnostic


class WriteChoices:
    """What the user says about writing: overwrite files with several links, keep journals in a folder; and what is
    called with notices."""

    __slots__ = ("in_place", "journal", "tell")

    def __init__(
        self, in_place: bool = False, journal: str = "", tell: Callable[[Diagnostic], None] | None = None
    ) -> None:
        self.in_place = in_place
        self.journal = journal
        self.tell = tell or (lambda diagnostic: None)
