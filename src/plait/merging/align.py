"""Which item of one list is which item of another: by the fields that identify it.

The keyed merge, the three-way merge and `plait diff` ask here, so that they never pair the same lists differently.
"""

from __future__ import annotations

from plait.core.node import Mapping, Node, Scalar, Sequence
from plait.core.path import Keyed
from plait.core.policy import ListRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    ItemKey = tuple[tuple[type, object], ...]
    Step = Keyed | int
    Row = tuple[Step, list[int | None]]
    """One item: the step that names it, and its index on each side."""


INFER = ListRule("infer")
"""No declared rule: by `name` where every item has one of its own, by position where each side is one map, else whole."""


def key_of(
    item: Node, names: tuple[str, ...], reveal: Callable[[Node], Node], defaults: tuple[tuple[str, str], ...] = ()
) -> ItemKey | None:
    """What identifies an item: the types and values of its key fields; None where one is missing."""
    item = reveal(item)
    if not isinstance(item, Mapping):
        return None
    key: list[tuple[type, object]] = []
    for name in names:
        field = item.entries.get(name)
        field = None if field is None else reveal(field)
        if isinstance(field, Scalar):
            key.append((field.value.__class__, field.value))
        elif field is None and defaults and name in dict(defaults):
            key.append((str, dict(defaults)[name]))
        else:
            return None
    return tuple(key)


def as_it_is(node: Node) -> Node:
    return node


def pair(sides: tuple[Sequence | None, ...], rule: ListRule) -> list[Row] | None:
    """The items of several lists, each once, in the order of the first side that has them; None where a list is one value."""
    return PAIRINGS[rule.strategy](sides, rule)


def _whole(sides: tuple[Sequence | None, ...], rule: ListRule) -> None:
    return None


def _by_key(sides: tuple[Sequence | None, ...], rule: ListRule) -> list[Row] | None:
    def name(item: Node) -> ItemKey | None:
        return key_of(item, rule.keys, as_it_is, rule.defaults)

    return _rows(sides, name, lambda item, index: item_step(item, rule.keys))


def _by_member(sides: tuple[Sequence | None, ...], rule: ListRule) -> list[Row] | None:
    def name(item: Node) -> ItemKey | None:
        return ((item.value.__class__, item.value),) if isinstance(item, Scalar) else None

    return _rows(sides, name, lambda item, index: Keyed(("",), (item.text,)))  # type: ignore[attr-defined]


def _by_position(sides: tuple[Sequence | None, ...], rule: ListRule) -> list[Row]:
    lengths = [len(side.items) if side is not None else 0 for side in sides]
    return [(at, [at if at < length else None for length in lengths]) for at in range(max(lengths))]


def _inferred(sides: tuple[Sequence | None, ...], rule: ListRule) -> list[Row] | None:
    lists = [side.items for side in sides if side is not None]
    if len(lists) > 1 and all(len(items) == 1 and isinstance(items[0], Mapping) for items in lists):
        return _by_key(sides, BY_NAME) or _by_position(sides, rule)
    return _by_key(sides, BY_NAME) if any(lists) else None


def _rows(
    sides: tuple[Sequence | None, ...],
    name: Callable[[Node], ItemKey | None],
    step: Callable[[Node, int], Step],
) -> list[Row] | None:
    """Items that have the same name are one. None where an item has no name, or two of a side have the same."""
    rows: dict[ItemKey, Row] = {}
    for number, side in enumerate(sides):
        for index, item in enumerate(side.items if side is not None else ()):
            key = name(item)
            if key is None:
                return None
            row = rows.get(key)
            if row is None:
                row = rows[key] = (step(item, index), [None] * len(sides))
            elif row[1][number] is not None:
                return None
            row[1][number] = index
    return list(rows.values())


def item_step(item: Node, names: tuple[str, ...]) -> Keyed:
    """The step to an item by those of its key fields that it has."""
    assert isinstance(item, Mapping)
    fields = [(name, item.entries.get(name)) for name in names]
    known = [(name, field.text) for name, field in fields if isinstance(field, Scalar)]
    return Keyed(tuple(name for name, _ in known), tuple(text for _, text in known))


BY_NAME = ListRule("key", ("name",))

PAIRINGS: dict[str, Callable[[tuple[Sequence | None, ...], ListRule], list[Row] | None]] = {
    "infer": _inferred,
    "key": _by_key,
    "set": _by_member,
    "index": _by_position,
    "replace": _whole,
}
