"""Which item of one list is which item of another, under every strategy: one table for merging, three-way and diff.

A strategy has an *identity* (what makes two items the same item, if anything does) and an *arrangement* (which items
the merge of two lists has, in which order). The merge and its account ask for the arrangement; three-way and `plait
diff` only for the identity, so that no two of them ever pair the same lists differently.
"""

from __future__ import annotations

from plait.core.node import Failure, ListNode, MapNode, Mark, Node, Scalar
from plait.core.path import Keyed
from plait.core.policy import ListRule
from plait.merging.identities import IDENTITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from typing import Protocol, TypeVar

    S = TypeVar("S")
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


SETS = ("set", "patch-set")
"""The strategies that tell items apart by their whole value."""
INFER = ListRule("infer")
"""No declared rule: by `name` where every item has one of its own, by position where each side is one map, else
whole."""
BY_NAME = ListRule("key", ("name",))


class KeyMissing(Exception):
    """An item without the fields that identify it, or with one that could not be computed."""

    def __init__(self, item: Node, failure: Failure | None = None) -> None:
        self.item = item
        self.failure = failure


class KeyTwice(Exception):
    """Two items of one list that are identified by the same values."""

    def __init__(self, first: Node, second: Node, key: ItemKey) -> None:
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
    if not isinstance(item, MapNode):
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
    fields = [item.entries[name] for name in rule.keys if name in item.entries] if isinstance(item, MapNode) else []
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
    identity = ARRANGEMENTS[rule.strategy].identity
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
    field = item.entries.get("subnet") if isinstance(item, MapNode) else None
    return reveal.known(field) if field is not None else None


def _patched(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    """kubectl's way with a list that is merged: see `PatchedList`."""
    return PatchedList(low, high, rule, reveal).rows()


def patch_name(item: Node, rule: ListRule, reveal: Reveal) -> Hashable:
    """What identifies an item of a list that is patched, or of a mark that removes one."""
    if rule.keyed:
        key = key_of(item, rule, reveal)
        if key is None and not (isinstance(item, Mark) and item.item is None):
            raise KeyMissing(item, _failed_key(item, rule, reveal))
        return key
    return reveal.whole(item.item if isinstance(item, Mark) and item.item is not None else item)


class PatchedList:
    """A list of a resource and that of a patch, as kubectl merges them.

    Marks in the patch remove the items that they name. Then come the items of the patch in its order, and the others
    between them where the order of the resource lets them: one is before an item of the patch if both are of the
    resource and it is first there. What `$setElementOrder` names is put into that order in the same way.
    """

    __slots__ = ("_gone", "_high", "_low", "_names", "_new", "_rule", "_there", "_wanted")

    def __init__(self, low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> None:
        self._low = low
        self._high = high
        self._rule = rule
        self._names = [patch_name(item, rule, reveal) for item in low]
        self._wanted = [patch_name(item, rule, reveal) for item in high]
        self._gone = {name for name, item in zip(self._wanted, high, strict=True) if isinstance(item, Mark)}
        there = [at for at, item in enumerate(low) if not isinstance(item, Mark)]
        self._there: dict[Hashable, int] = {}
        for at in there:
            self._there.setdefault(self._names[at], at)
        self._new = self._asked()

    def _asked(self) -> dict[Hashable, int]:
        """The items of the patch that are values."""
        found: dict[Hashable, int] = {}
        for at, item in enumerate(self._high):
            name = self._wanted[at]
            if isinstance(item, Mark):
                continue
            if name in found and self._rule.keyed:
                raise KeyTwice(self._high[found[name]], item, name)  # type: ignore[arg-type]
            found.setdefault(name, at)
        return found

    def rows(self) -> list[Pair]:
        kept = [at for at in self._live() if not self._rule.keyed or self._names[at] not in self._gone]
        made: list[Pair] = [(at, self._over(at)) for at in kept]
        fresh = [at for name, at in self._new.items() if name not in self._there or name in self._gone]
        made += [(self._removed_before(self._wanted[at]), at) for at in fresh]
        server = [self._names[at] for at in kept]
        made = self._sorted(made, list(self._new), server)
        if self._rule.order:
            room = len(self._live()) - len(kept)  # where items went, kubectl puts the first new ones
            server += [self._wanted[at] for at in fresh[:room]]
            made = self._sorted(made, list(self._rule.order), server)
        return [
            *(row for row in made if row[1] is not None or self._names[row[0] or 0] not in self._gone),
            *self._without(made),
        ]

    def _live(self) -> list[int]:
        """The items of the resource; plain values once."""
        live = [at for at, item in enumerate(self._low) if not isinstance(item, Mark)]
        return live if self._rule.keyed else [at for at in live if self._there[self._names[at]] == at]

    def _over(self, at: int) -> int | None:
        """The item of the patch that is over one of the resource: the first of those with its name."""
        name = self._names[at]
        return self._new.get(name) if self._rule.keyed and self._there[name] == at else None

    def _removed_before(self, name: Hashable) -> int | None:
        """The mark by which a lower patch removed an item that comes back."""
        removed = (at for at, item in enumerate(self._low) if isinstance(item, Mark) and self._names[at] == name)
        return next(removed, None) if self._rule.keyed else None

    def _sorted(self, rows: list[Pair], order: list[Hashable], server: list[Hashable]) -> list[Pair]:
        named = [(self._names[low] if low is not None else self._wanted[high or 0], (low, high)) for low, high in rows]
        first = sorted((row for row in named if row[0] in order), key=lambda row: order.index(row[0]))
        others = [row for row in named if row[0] not in order]
        made: list[Pair] = []
        while first and others:
            one, other = first[0][0], others[0][0]
            before = one in server and other in server and server.index(other) < server.index(one)
            made.append((others if before else first).pop(0)[1])
        return [*made, *(row for _, row in (*first, *others))]

    def _without(self, made: list[Pair]) -> list[Pair]:
        """What is not in the result: marks of lower patches, and those of this one over what they remove."""
        seen = {low for low, _ in made}
        rows: list[Pair] = [
            (at, None) for at, item in enumerate(self._low) if isinstance(item, Mark) and at not in seen
        ]
        for at, item in enumerate(self._high):
            if isinstance(item, Mark):
                removed = [low for low in self._live() if self._names[low] == self._wanted[at]]
                rows += [(low, at) for low in removed] or [(None, at)]
        return rows


def _where_asked(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    """The higher list; its items that ask to be merged (under the key that the rule names) are over those at the
    same position."""
    asking = [word_of(item, rule.keys[0]) == "merge" for item in high]
    return [(index if asks and index < len(low) else None, index) for index, asks in enumerate(asking)]


def word_of(node: Node, word: str) -> str | None:
    """How a mapping itself asks to be merged, under a key that is reserved for it."""
    value = node.entries.get(word) if isinstance(node, MapNode) else None
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


ARRANGEMENTS = {
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
    "patch": Strategy(_patched, _by_fields),
    "patch-set": Strategy(_patched, _by_value),
    "patch-whole": Strategy(_only_high),
}


def arranged(low: list[Node], high: list[Node], rule: ListRule, reveal: Reveal) -> list[Pair]:
    """The items of two lists merged. Raises `KeyMissing` and `KeyTwice`, and what `reveal` raises."""
    return ARRANGEMENTS[rule.strategy].arrange(low, high, rule, reveal)


# Pairing several lists of known values


def pair(sides: tuple[ListNode | None, ...], rule: ListRule) -> list[Row] | None:
    """The items of several lists, each once, in the order of the first side that has them; None where a list is one
    value."""
    if rule.strategy == INFER.strategy:
        return _inferred(sides)
    identity = ARRANGEMENTS[rule.strategy].identity
    if identity is None or (rule.strategy in SETS and not _all_scalars(sides)):
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


def _all_scalars(sides: tuple[ListNode | None, ...]) -> bool:
    return all(isinstance(item, Scalar) for side in sides if side is not None for item in side.items)


def _inferred(sides: tuple[ListNode | None, ...]) -> list[Row] | None:
    lists = [side.items for side in sides if side is not None]
    if len(lists) > 1 and all(len(items) == 1 and isinstance(items[0], MapNode) for items in lists):
        return pair(sides, BY_NAME) or pair(sides, ListRule("index"))
    return pair(sides, BY_NAME) if any(lists) else None


def _step(item: Node, index: int, rule: ListRule) -> Step:
    """The step that names an item in a path."""
    if rule.strategy in SETS:
        return Keyed(("",), (item.text,)) if isinstance(item, Scalar) and not item.secret else index
    return shown_step(item, rule.keys, index) if rule.keys and isinstance(item, MapNode) else index


def shown_step(item: MapNode, names: tuple[str, ...], otherwise: S) -> Keyed | S:
    """The step to an item in a path that people read: by its key fields, unless one of them is secret."""
    fields = (item.entries.get(name) for name in names)
    return otherwise if any(isinstance(one, Scalar) and one.secret for one in fields) else item_step(item, names)


def item_name(item: Node, index: int, rule: ListRule, reveal: Reveal) -> Keyed | int:
    """What a pattern calls an item of a merged list: by its key where items are merged by one, else by its position."""
    known = reveal.known(item) if rule.keyed else item
    return item_step(known, rule.keys, reveal) if rule.keyed and isinstance(known, MapNode) else index


def own_names(names: Iterable[Node | None]) -> list[Keyed]:
    """The steps to the items of a list that no rule tells apart, by the values of their `name`: none where an item has
    no name of its own, or one that nobody may see."""
    texts: dict[str, None] = {}
    for name in names:
        if not isinstance(name, Scalar) or name.value is None or name.secret or name.text in texts:
            return []
        texts[name.text] = None
    return [Keyed(BY_NAME.keys, (text,)) for text in texts]


def names_in(items: list[Node]) -> list[Keyed]:
    """The same for items that are known."""
    return own_names(item.entries.get("name") if isinstance(item, MapNode) else None for item in items)


def item_step(item: MapNode, names: tuple[str, ...], reveal: Reveal = AS_IT_IS) -> Keyed:
    """The step to an item by those of its key fields that it has."""
    fields = [(name, reveal.known(item.entries[name])) for name in names if name in item.entries]
    known = [(name, field.text) for name, field in fields if isinstance(field, Scalar)]
    return Keyed(tuple(name for name, _ in known), tuple(text for _, text in known))
