"""Maps and lists that are built when they are asked for: most questions look at few of them."""

from __future__ import annotations

from plait.core.node import ListNode, MapNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from plait.core.node import Node
    from plait.core.source import Computed, Source

_MARKS: Any = MapNode.__dict__["marks"]
"""The slot for the marks of a map."""
_RULE: Any = ListNode.__dict__["rule"]
"""The slot for the rule of a list."""
_CLASS: Any = object.__dict__["__class__"]


class UnbuiltMap(MapNode):
    """A map that is built when its entries are asked for; from then on it is a map like any other.

    What builds it is where its marks will be: so it has the slots of a map and no others, and can become one.
    """

    __slots__ = ()
    is_unbuilt = True

    def __init__(self, make: Callable[[], MapNode], source: Source | Computed, at: int, live: bool = False) -> None:
        _MARKS.__set__(self, make)
        self.source = source
        self.at = at
        self.tag = None
        self.live = live
        self.parts = ()
        self.alone = False

    def __getattr__(self, name: str) -> object:
        if name != "entries":
            raise AttributeError(name)
        built: MapNode = _MARKS.__get__(self)()
        _MARKS.__set__(self, built.marks)
        self.entries = built.entries
        _CLASS.__set__(self, MapNode)
        return built.entries

    @property
    def maker(self) -> object:
        """What builds it."""
        return _MARKS.__get__(self)

    @property  # type: ignore[misc]
    def __class__(self) -> type[MapNode]:  # type: ignore[override]
        """Nobody has to know the difference."""
        return MapNode

    def for_a_look(self) -> MapNode:
        built: MapNode = _MARKS.__get__(self)()
        return built

    @property
    def marks(self) -> Sequence[int]:  # type: ignore[override]
        """Of the map that it becomes."""
        len(self.entries)
        found: tuple[int, ...] = _MARKS.__get__(self)
        return found


class UnbuiltList(ListNode):
    """A list of known values, built when its items are asked for; from then on it is a list like any other.

    What builds it is where its rule will be, for the same reason as above.
    """

    __slots__ = ()
    rule = None

    def __init__(self, make: Callable[[], list[Node]], source: Source | Computed, at: int = 0) -> None:
        _RULE.__set__(self, make)
        self.source = source
        self.at = at
        self.tag = None
        self.live = False
        self.parts = ()

    def __getattr__(self, name: str) -> object:
        if name != "items":
            raise AttributeError(name)
        self.items = items = _RULE.__get__(self)()
        _RULE.__set__(self, None)
        _CLASS.__set__(self, ListNode)
        return items

    @property  # type: ignore[misc]
    def __class__(self) -> type[ListNode]:  # type: ignore[override]
        """Nobody has to know the difference."""
        return ListNode
