"""What a template sees: plain data, views of data that is not known yet, and functions made for templates.

A view hands out its children by item only. Neither a view nor a function has an attribute that a template can reach:
the names that it can use, for each type, are the allow-list in `jinja.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plait.core.node import ListNode, MapNode, Node, Scalar, mask_of
from plait.core.visible import counted
from plait.notations.query.bounds import printed
from plait.notations.query.data import TemplateValue, Value, bound, plain_key
from plait.notations.query.units import computable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from plait.core.meter import Meter
    from plait.notations.query.context import Context


class ContainerView:
    """A container as a template sees it: a child is computed when the template reads it."""

    __slots__ = ("_context", "_value")

    def __init__(self, value: Value, context: Context) -> None:
        self._value = value
        self._context = context

    def _child(self, node: Node, step: Any) -> object:
        place = self._value[1]
        return seen(self._context.known(node, place.child(step) if place is not None else None), self._context)

    def __str__(self) -> str:
        value, context = self._value, self._context
        if context.tree.is_resource(*value) and not context.tree.star:
            assert value[1] is not None
            return f"NodeInstance('{context.tree.name(value[1])}')"
        data = context.plain(value)
        context.meter.make(printed(data))
        return str(data)

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return bool(as_plain(self) == (as_plain(other) if isinstance(other, ContainerView) else other))

    def __hash__(self) -> int:
        return id(self._value[0])


class MapView(ContainerView, Mapping):  # type: ignore[type-arg]
    __slots__ = ()

    @property
    def _entries(self) -> dict[Any, Node]:
        node = self._value[0]
        assert isinstance(node, MapNode)
        return node.entries

    def __getitem__(self, key: object) -> object:
        entries = self._entries
        if isinstance(key, str) and key in entries:
            return self._child(entries[key], key)
        for name, child in entries.items():
            if not isinstance(name, str) and plain_key(name) == key:
                return self._child(child, name)
        raise KeyError(key)

    def __iter__(self) -> Iterator[object]:
        return iter([plain_key(key) for key in self._entries])

    def __len__(self) -> int:
        return len(self._entries)


class ListView(ContainerView, Sequence):  # type: ignore[type-arg]
    __slots__ = ()

    @property
    def _items(self) -> list[Node]:
        node = self._value[0]
        assert isinstance(node, ListNode)
        return node.items

    def __getitem__(self, index: Any) -> Any:
        items = self._items
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(items)))]
        at = index + len(items) if index < 0 else index
        if not 0 <= at < len(items):
            raise IndexError(f"the list has {counted(len(items), 'item')}; there is no item {index}")
        return self._child(items[at], at)

    def __len__(self) -> int:
        return len(self._items)


class JinjaFunction:
    """A function made for templates. They can call it; nothing can be read from it."""

    __slots__ = ("_name", "_work")

    def __init__(self, name: str, work: Callable[..., object]) -> None:
        self._name = name
        self._work = work

    def __call__(self, *arguments: object, **options: object) -> object:
        return self._work(*arguments, **options)

    def __repr__(self) -> str:
        return f"the function {self._name}"


class Functions:
    """Functions by name: `__unfurl.to_label(...)`."""

    __slots__ = ("_functions",)

    def __init__(self, functions: dict[str, JinjaFunction]) -> None:
        self._functions = functions

    def __getitem__(self, name: str) -> JinjaFunction:
        return self._functions[name]

    def __repr__(self) -> str:
        return "the functions of the query language"


def seen(value: Value, context: Context) -> object:
    """A value as a template sees it."""
    node = value[0]
    if isinstance(node, MapNode):
        return MapView(value, context)
    if isinstance(node, ListNode):
        return ListView(value, context)
    if isinstance(node, Scalar):
        context.run.secret = mask_of(context.run.secret, node.secret)
        return computable(node)
    return context.plain(value)


def given_back(value: object, context: Context) -> Value:
    """The result of a template as a value of the tree."""
    if isinstance(value, ContainerView):
        return value._value
    data = _as_data(value, _at_home)
    context.check_keys(data)
    return context.made(data)


def as_plain(value: object) -> object:
    """What a template passes on, as Python's own data. TypeError for what is not data."""
    return _as_data(value, lambda view: view._context.plain(view._value))


def on_data(work: Callable[..., object]) -> Callable[..., object]:
    """A filter or test that gets Python's own data."""

    def run(*arguments: object, **options: object) -> object:
        return work(*map(as_plain, arguments), **{name: as_plain(option) for name, option in options.items()})

    return run


def as_text(value: object, meter: Meter) -> str:
    """A value as the text that it is written as."""
    if isinstance(value, str | ContainerView):
        return str(value)
    data = as_plain(value)
    meter.make(printed(data))
    return str(data)


def _at_home(view: ContainerView) -> object:
    """What a view shows, as seen from its own place: a resource inside a list or a map stays a resource."""
    return bound(*view._value)


SCALARS = (str, int, float, bool, bytes, type(None))


def _as_data(value: object, opened: Callable[[ContainerView], object]) -> object:
    """A value in which every view is opened. Without recursion; parts that are shared stay shared."""
    if type(value) in SCALARS:
        return value
    holder: list[Any] = [None]
    made: dict[int, object] = {}
    work: list[tuple[object, Any, Any]] = [(value, holder, 0)]
    while work:
        value, target, key = work.pop()
        if isinstance(value, SCALARS):
            target[key] = str(value) if isinstance(value, str) else value
        elif id(value) in made:
            target[key] = made[id(value)]
        elif isinstance(value, dict):
            entries: dict[Any, Any] = dict.fromkeys(value)
            target[key] = made[id(value)] = entries
            work.extend((child, entries, name) for name, child in value.items())
        elif isinstance(value, list | tuple | range):
            items: list[Any] = [None] * len(value)
            target[key] = made[id(value)] = items
            work.extend((child, items, index) for index, child in enumerate(value))
        else:
            target[key] = made[id(value)] = opened(value) if isinstance(value, ContainerView) else _textual(value)
    return holder[0]


def _textual(value: object) -> object:
    """What is not data but has a text of its own: an amount with a unit."""
    if isinstance(value, TemplateValue):
        return value
    raise TypeError(f"{value!r} is not data: a template gives strings, numbers, lists and mappings")
