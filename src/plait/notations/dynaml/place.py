"""Where an expression is, for a front that has stubs: its address in them, and what surrounds it.

Such a front hands a `StagedPlace` to `Dynaml.value_and_effects`. What an expression does beside giving a value,
`Effects`, the front reads when it has run: a value that came by `merge` is not overridden again, a redirecting one
moves the address.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from plait.core.node import MapNode, Node
    from plait.core.scope import Place, Scope
    from plait.notations.dynaml.dialect import Dialect
    from plait.notations.dynaml.items import Items
    from plait.notations.dynaml.tree import Term

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

        def asked(self) -> Node | None:
            """What an expression gets that asks for it: a default too, where nothing else is there."""
            ...

        def elsewhere(self, path: tuple[str, ...]) -> Address:
            """Another path in the same stubs, from their root."""
            ...

        def unmerged(self) -> Address:
            """The address as `merge none` leaves it: only `merge` finds what stubs have there."""
            ...

    class Host(Protocol):
        """What a front with stubs does for expressions: templates, nested merges, tags, facts about the run."""

        dialect: Dialect

        def instance(
            self, key: tuple[object, ...], body: Node, place: Place, staged: StagedPlace, names: dict[str, Node]
        ) -> tuple[Node, Place]:
            """A template's body as part of the document, with a place of its own; the same for the same key."""
            ...

        def nested(
            self,
            key: tuple[object, ...],
            documents: list[Node],
            scope: Scope,
            place: Place,
            staged: StagedPlace,
            names: dict[str, Node],
        ) -> Node:
            """The first of some maps, merged with the others as stubs; or `Blocked`."""
            ...

        def tagged(self, tag: str, scope: Scope) -> list[tuple[str, Node, Place]]:
            """The values that a tag names, and those of the tags below it: each with its tag and its place."""
            ...

        def define(self, tag: str, node: Node, place: Place) -> None:
            """Give a value a name."""
            ...

        def context(self, place: Place, staged: StagedPlace) -> dict[str, Node]:
            """Facts about the file that is processed."""
            ...

        def term(self, text: str) -> Term:
            """The tree of a text; the same object for the same text. Raises `NotDynaml`."""
            ...


class NameFrame:
    """Names that a template sees around its own nodes: parameters and scopes of the place where it is used.

    `base` is the place of its outermost node.
    """

    __slots__ = ("base", "names", "outer")

    def __init__(self, names: dict[str, Node], base: Place, outer: NameFrame | None) -> None:
        self.names = names
        self.base = base
        self.outer = outer

    def all_names(self) -> dict[str, Node]:
        """The names of this frame and of those around it."""
        frames = [self]
        while frames[-1].outer is not None:
            frames.append(frames[-1].outer)
        names: dict[str, Node] = {}
        for frame in reversed(frames):
            names.update(frame.names)
        return names


class StagedPlace:
    """Where an expression is. `around` is the map that holds a `<<` which is not known yet, as it was written.

    The search for names begins `up` places above the expression. `given` is what was defined on the command line; it is
    visible to every document. `items` are the lists of the document by name.
    """

    __slots__ = ("address", "around", "frame", "given", "host", "items", "up")

    def __init__(
        self,
        address: Address,
        given: dict[str, Node],
        items: Items,
        around: MapNode | None = None,
        up: int = 1,
        host: Host | None = None,
        frame: NameFrame | None = None,
    ) -> None:
        self.address = address
        self.items = items
        self.given = given
        self.around = around
        self.up = up
        self.host = host
        self.frame = frame


class Effects:
    """What an expression did beside giving a value."""

    __slots__ = ("key", "marks", "merged", "redirect", "replace", "undefined")

    def __init__(self) -> None:
        self.merged = False
        self.replace = False
        self.redirect: Address | None = None
        self.key = ""
        self.marks: tuple[str, ...] = ()
        self.undefined = False
        """Whether something undefined was used as a value: what is made of it is undefined too."""
