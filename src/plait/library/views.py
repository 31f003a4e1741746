"""Maps and lists of a document, computed when they are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from threading import RLock
from typing import TypeAlias, cast, overload

from plait.core.diagnostic import Fault
from plait.core.find import entry_key
from plait.core.node import Failure, Key, ListNode, MapNode, Node, Scalar
from plait.core.scope import Place
from plait.evaluate.tree import Tree
from plait.library.data import Data, Value
from plait.yaml.emit import plain_data, text_key, text_keys


class LockedTree:
    """A tree, and the lock that one thread at a time evaluates under."""

    __slots__ = ("lock", "tree")

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.lock = RLock()

    def __enter__(self) -> None:
        """Begin a question. A document may live for hours: budgets are for each question."""
        self.lock.acquire()
        self.tree.evaluator.meter.restart()

    def __exit__(self, *raised: object) -> None:
        self.lock.release()

    def force(self, node: Node, place: Place) -> Node:
        with self:
            known = self.tree.evaluator.read(node, place)
            if isinstance(known, Failure):
                raise Fault(*known.diagnostics)
            if place.node is None:
                place.node = known
            return known


class Pickled:
    """A part of a document, pickled or copied, is plain data: what it refers to is worked out."""

    _run: LockedTree
    _place: Place

    def __reduce__(self) -> tuple[object, ...]:
        data = self._plain()
        return type(data), (data,)

    def _plain(self) -> object:
        with self._run:
            return plain_data(self._run.tree.value(self._place.path))


class DocumentMap(Pickled, Mapping[str, "View"]):
    """A mapping of a document. Its values are computed when they are looked at; a value that fails raises then."""

    def __init__(self, run: LockedTree, node: MapNode, place: Place) -> None:
        self._run = run
        self._node = node
        self._place = place
        self._names: dict[str, Key] | None = None

    def _keys(self) -> dict[str, Key]:
        """The keys by their texts; two keys of one text are an error."""
        if self._names is None:
            self._names = text_keys(self._node)
        return self._names

    def __getitem__(self, key: str) -> View:
        name = self._keys().get(key) or entry_key(self._node, key)
        if name is None:
            raise KeyError(key)
        return view(self._run, self._node.entries[name], self._place.child(name))

    def plain(self) -> dict[str, Data]:
        """Return the mapping, with all that is in it, as a real dict. All errors come at once, in one `PlaitError`."""
        return cast("dict[str, Data]", self._plain())

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys())

    def __len__(self) -> int:
        return len(self._node.entries)

    def __repr__(self) -> str:
        return f"<plait map: {', '.join(map(text_key, self._node.entries))}>"


class DocumentList(Pickled, Sequence["View"]):
    """A list of a document, computed item by item."""

    def __init__(self, run: LockedTree, node: ListNode, place: Place) -> None:
        self._run = run
        self._place = place
        self._items = list(enumerate(node.items))

    def plain(self) -> list[Data]:
        """Return the list, with all that is in it, as a real list. All errors come at once, in one `PlaitError`."""
        return cast("list[Data]", self._plain())

    @overload
    def __getitem__(self, index: int) -> View: ...

    @overload
    def __getitem__(self, index: slice) -> list[View]: ...

    def __getitem__(self, index: int | slice) -> View | list[View]:
        if isinstance(index, slice):
            return [self._view(*pair) for pair in self._items[index]]
        return self._view(*self._items[index])

    def _view(self, step: int, item: Node) -> View:
        return view(self._run, item, self._place.child(step))

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, list | DocumentList) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<plait list of {len(self)}>"


View: TypeAlias = "DocumentMap | DocumentList | Value"
"""What is at a place of a document: a map, a list or a value."""


def view(run: LockedTree, node: Node, place: Place) -> View:
    """A node as people use it in Python."""
    known = run.force(node, place)
    if isinstance(known, MapNode):
        return DocumentMap(run, known, place)
    if isinstance(known, ListNode):
        return DocumentList(run, known, place)
    assert isinstance(known, Scalar)
    return known.value
