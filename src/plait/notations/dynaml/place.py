"""Where an expression is, for a front that has stubs: its address in them, and what surrounds it.

Such a front hands a `StagedPlace` to `Dynaml.run`. What an expression does beside giving a value, `Effects`, the front
reads when it has run: a value that came by `merge` is not overridden again, a redirecting one moves the address.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from plait.core.node import Mapping, Node
    from plait.notations.dynaml.items import Items

    class Address(Protocol):
        """A path in the stubs."""

        @property
        def moved(self) -> bool:
            """Whether a redirecting merge led here."""
            ...

        @property
        def path(self) -> tuple[str, ...]: ...

        def found(self) -> Node | None:
            """What the first stub has there that has anything."""
            ...

        def elsewhere(self, path: tuple[str, ...]) -> Address:
            """Another path in the same stubs, from their root."""
            ...


class StagedPlace:
    """Where an expression is. `around` is the map that holds a `<<` which is not known yet, as it was written.

    The search for names begins `up` places above the expression. `given` is what was defined on the command line; it is
    visible to every document. `items` are the lists of the document by name.
    """

    __slots__ = ("address", "around", "given", "items", "up")

    def __init__(
        self, address: Address, given: dict[str, Node], items: Items, around: Mapping | None = None, up: int = 1
    ) -> None:
        self.address = address
        self.items = items
        self.given = given
        self.around = around
        self.up = up


class Effects:
    """What an expression did beside giving a value."""

    __slots__ = ("key", "marks", "merged", "redirect", "replace")

    def __init__(self) -> None:
        self.merged = False
        self.replace = False
        self.redirect: Address | None = None
        self.key = ""
        self.marks: tuple[str, ...] = ()
