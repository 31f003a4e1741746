"""Which item of one list is which item of another, under every strategy: one table for merging, three-way and diff.

A strategy has an *identity* (what makes two items the same item, if anything does) and an *arrangement* (which items
the merge of two lists has, in which order). The merge and its account ask for the arrangement; three-way and `plait
diff` only for the identity, so that no two of them ever pair the same lists differently.
"""

from __future__ import annotations

from plait.core.node import Failure, Mapping, Mark, Node, Scalar, Sequence
from plait.core.path import Keyed
from plait.core.policy import ListRule
from plait.merging.identities import IDENTITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Protocol

    ItemKey = tuple[tuple[type, object], ...]
    Step = Keyed | int
    Row = tuple[Step, list[int | None]]
    """One item: the step that names it, and its index on each side."""
    Pair = tuple[int | None, int | None]
    """One item of a merged list: its index in the lower and in the higher list."""
    Identity = Callable[[list[Node], ListRule, "Reveal"], list[Hashable]]
    Arrangement = Callable[[list[Node], list[Node], ListRule, "Reveal"], list[Pair]]

    class Reveal(Protocol):
        """How a merge looks at nodes that may not be known yet. Both may raise."""

        def known(self, node: Node) -> Node:
            """The node with its outermost kind known."""
            ...

        def whole(self, node: Node) -> Node:
            """The node with everything below it known."""
            ...


INFER = ListRule("infer")
"""No declared rule: by `name` where every item has one of its own, by position where each side is one map, else
whole."""
BY_NAME = ListRule("key", ("name",))


class KeyMissing(Exception):
    """An item without the fields that identify it, or with one that could not be computed."""

    def __init__(self, item: Node, failure: Failure | None = None) -> None:
        super().__init__()
        self.item = item
        self.failure = failure


class KeyTwice(Exception):
    """Two items of one list that are identified by the same values."""

    def __init__(self, first: Node, second: Node, key: ItemKey) -> None:
        super().__init__()
        self.first = first
        self.second = second
        self.key = key


class AsItIs:
    """For trees in which everything is known."""

    def known(self, node: Node) -> Node:
        return node

    def whole(self, node: Node) -> Node:
        return node


AS_IT_IS = AsItIs()


# Identities


def key_of(item: Node, rule: ListRule, reveal: Reveal) -> ItemKey | None:
    """What identifies an item: the types and values of its key fields; None where one is missing."""
    item = reveal.known(item)
    if isinstance(item, Mark) and item.item is not None:
        item = item.item
    if not isinstance(item, Mapping):
        return None
    key: list[tuple[type, object]] = []
    for name in rule.keys:
        field = item.entries.get(name)
        field = None if field is None else reveal.known(field)
        if isinstance(field, Scalar):
            key.append((field.value.__class__, field.value))
        elif field is None and rule.defaults and name in dict(rule.defaults):
            key.append((str, dict(rule.defaults)[name]))
        else:
            return None
    return tuple(key)


def _by_fields(items: list[Node], rule: ListRule, reveal: Reveal) -> list[Hashable]:
    seen: dict[Hashable, Node] = {}
    for item in items:
        key = key_of(item, rule, reveal)
        if key is None:
            raise KeyMissing(item, _failed_key(item, rule, reveal))
        if key in seen:
            raise KeyTwice(seen[key], item, key)
        seen[key] = item
    return list(seen)


def _failed_key(item: Node, rule: ListRule, reveal: Reveal) -> Failure | None:
    """What could not be computed of that which identifies an item."""
    item = reveal.known(item)
    fields = [item.entries[name] for name in rule.keys if name in item.entries] if isinstance(item, Mapping) else []
    known = (reveal.known(one) for one in (item, *fields))
    return next((one for one in known if isinstance(one, Failure)), None)


def _by_value(items: list[Node], rule: ListRule, reveal: Reveal) -> list[Hashable]:
    return [reveal.whole(item) for item in items]


def _by_item(items: list[Node], rule: ListRule, reveal: Reveal) -> list[Hashable]:
    """What a tool tells items apart by, which may be written inside a text: `PORT` of `8080:PORT`."""
    identity, default = IDENTITIES[rule.keys[0]], dict(rule.defaults).get(rule.keys[0], "")
    names: list[Hashable] = []
    for item in items:
        whole = reveal.whole(item)
        name = identity(whole, default) if not isinstance(whole, Failure) else None
        if name is None:
            raise KeyMissing(item, whole if isinstance(whole, Failure) else None)
        names.append(name)
    return names


def _by_position(items: list[Node], rule: ListRule, reveal: Reveal) -> list[Hashable]:
    return list(range(len(items)))


# Arrangements


def _only_high(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    return [(None, index) for index in range(len(high))]


def _low_then_high(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    return [*((index, None) for index in range(len(low))), *((None, index) for index in range(len(high)))]


def _high_then_low(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    return [*((None, index) for index in range(len(high))), *((index, None) for index in range(len(low)))]


def _paired(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    """Items that are the same item become one, where the lower one is; new ones follow."""
    identity = STRATEGIES[rule.strategy].identity
    assert identity is not None
    names = identity(low, rule, reveal)
    above = {name: index for index, name in enumerate(identity(high, rule, reveal))}
    rows: list[Pair] = [(index, above.pop(name, None)) for index, name in enumerate(names)]
    rows += [(None, index) for index in above.values()]
    return rows


def _union(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    """The lower items, and those of the higher list that are not among them, each once."""
    seen = set(_by_value(low, rule, reveal))
    rows: list[Pair] = [(index, None) for index in range(len(low))]
    for index, name in enumerate(_by_value(high, rule, reveal)):
        if name not in seen:
            seen.add(name)
            rows.append((None, index))
    return rows


def _latest(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    """Each item once: the last one, where the first one was."""
    below = {name: index for index, name in enumerate(_by_item(low, rule, reveal))}
    rows: dict[Hashable, Pair] = {name: (index, None) for name, index in below.items()}
    rows.update((name, (below.get(name), index)) for index, name in enumerate(_by_item(high, rule, reveal)))
    return list(rows.values())


def _unseen(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    """The lower items, and those of the higher list that are not among them."""
    seen = set(_by_value(low, rule, reveal))
    rows: list[Pair] = [(index, None) for index in range(len(low))]
    rows += [(None, index) for index, name in enumerate(_by_value(high, rule, reveal)) if name not in seen]
    return rows


def _subnets(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    """Compose's way with `ipam.config`: each lower item meets each higher one, in this order.

    One of another subnet joins the result; where it has joined already, or is of the same subnet, the two become one.
    A lower item whose subnet no higher one has is gone.
    """
    above = [_subnet(item, reveal) for item in high]
    rows: dict[Hashable, Pair] = {}
    for i, item in enumerate(low):
        mine = _subnet(item, reveal)
        for j, name in enumerate(above):
            if name != mine and name not in rows:
                rows[name] = (None, j)
            else:
                mine = mine if name is None else name
                rows[mine] = (i, j)
    return list(rows.values())


def _subnet(item: Node, reveal: Reveal) -> Hashable:
    item = reveal.known(item)
    field = item.entries.get("subnet") if isinstance(item, Mapping) else None
    return reveal.known(field) if field is not None else None


def _where_asked(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    """The higher list; its items that ask to be merged (under the key that the rule names) are over those at the
    same position."""
    asking = [word_of(item, rule.keys[0]) == "merge" for item in high]
    return [(index if asks and index < len(low) else None, index) for index, asks in enumerate(asking)]


def word_of(node: Node, word: str) -> str | None:
    """How a mapping itself asks to be merged, under a key that is reserved for it."""
    value = node.entries.get(word) if isinstance(node, Mapping) else None
    return value.text if isinstance(value, Scalar) else None


class Strategy:
    """What happens where two lists are merged. `whole`: of two items that are the same item, the higher one replaces
    the other. `joins`: the items of the higher list are put at this end of the lower one, as they are."""

    __slots__ = ("arrange", "identity", "joins", "whole")

    def __init__(
        self, arrange: Arrangement, identity: Identity | None = None, whole: bool = False, joins: str = ""
    ) -> None:
        self.arrange = arrange
        self.identity = identity
        self.whole = whole
        self.joins = joins


STRATEGIES = {
    "replace": Strategy(_only_high),
    "append": Strategy(_low_then_high, joins="end"),
    "prepend": Strategy(_high_then_low, joins="start"),
    "index": Strategy(_paired, _by_position),
    "key": Strategy(_paired, _by_fields),
    "set": Strategy(_union, _by_value),
    "where asked": Strategy(_where_asked),
    "unique": Strategy(_latest, _by_item, whole=True),
    "unseen": Strategy(_unseen),
    "subnet": Strategy(_subnets),
}


def arranged(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    """The items of two lists merged. Raises `KeyMissing` and `KeyTwice`, and what `reveal` raises."""
    return STRATEGIES[rule.strategy].arrange(low, high, rule, reveal)


# Pairing several lists of known values


def pair(sides: tuple[Sequence | None, ...], rule: ListRule) -> list[Row] | None:
    """The items of several lists, each once, in the order of the first side that has them; None where a list is one
    value."""
    if rule.strategy == INFER.strategy:
        return _inferred(sides)
    identity = STRATEGIES[rule.strategy].identity
    if identity is None or (rule.strategy == "set" and not _all_scalars(sides)):
        return None
    rows: dict[Hashable, Row] = {}
    for number, side in enumerate(sides):
        items = side.items if side is not None else []
        try:
            names = identity(items, rule, AS_IT_IS)
        except (KeyMissing, KeyTwice):
            return None
        if len(set(names)) < len(names):
            return None
        for index, name in enumerate(names):
            if name not in rows:
                rows[name] = (_step(items[index], index, rule), [None] * len(sides))
            rows[name][1][number] = index
    return list(rows.values())


def _all_scalars(sides: tuple[Sequence | None, ...]) -> bool:
    return all(isinstance(item, Scalar) for side in sides if side is not None for item in side.items)


def _inferred(sides: tuple[Sequence | None, ...]) -> list[Row] | None:
    lists = [side.items for side in sides if side is not None]
    if len(lists) > 1 and all(len(items) == 1 and isinstance(items[0], Mapping) for items in lists):
        return pair(sides, BY_NAME) or pair(sides, ListRule("index"))
    return pair(sides, BY_NAME) if any(lists) else None


def named(sides: tuple[Sequence, ...]) -> bool:
    """Whether every item has a name: where names are there twice, such a list is one value."""
    items = [item for side in sides for item in side.items]
    return bool(items) and all(key_of(item, BY_NAME, AS_IT_IS) is not None for item in items)


def _step(item: Node, index: int, rule: ListRule) -> Step:
    """The step that names an item in a path."""
    if rule.strategy == "set":
        return Keyed(("",), (item.text,)) if isinstance(item, Scalar) else index
    return item_step(item, rule.keys) if rule.keys and isinstance(item, Mapping) else index


def item_name(item: Node, index: int, rule: ListRule, reveal: Reveal) -> Keyed | int:
    """What a pattern calls an item of a merged list: by its key where items are merged by one, else by its position."""
    known = reveal.known(item) if rule.strategy == "key" else item
    return item_step(known, rule.keys, reveal) if rule.strategy == "key" and isinstance(known, Mapping) else index


def item_step(item: Mapping, names: tuple[str, ...], reveal: Reveal = AS_IT_IS) -> Keyed:
    """The step to an item by those of its key fields that it has."""
    fields = [(name, reveal.known(item.entries[name])) for name in names if name in item.entries]
    known = [(name, field.text) for name, field in fields if isinstance(field, Scalar)]
    return Keyed(tuple(name for name, _ in known), tuple(text for _, text in known))
