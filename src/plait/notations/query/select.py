"""Selecting: a path expression against the values it starts from.

Each segment turns the values so far into their matches. A list is entered item by item, unless the key is an index.
With `?` only the first match is taken for which the rest of the path finds something. What is not known yet is asked
for together, so that a question over many items waits once and not once for each.
"""

from __future__ import annotations

from plait.core.find import entry_key
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, text
from plait.core.scope import Blocked, Place
from plait.notations.query.data import External, Value, bound
from plait.notations.query.grammar import Filter, Query, Segment, Test
from plait.report.catalog import UNKNOWN_SPECIAL
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.notations.query.context import Context

MANY = 16
"""Lists with so many items get an index; so many of these are kept."""
VISIT, SPECIAL_KEY = 4, 12
"""Steps for looking at an item of a container, and for a key such as `.ancestors`."""


def select(query: Query, context: Context, upwards: bool = True) -> list[Value]:
    """The matches of an expression, from where its first segment says it starts."""
    head = query[0]
    if head.variable is not None:
        return _from_variable(query, context)
    if not head.key and not head.filters and head.test is None and len(query) > 1:
        return _from_everything(query[1:], context)
    if head.special or not upwards:
        return follow([context.current], query, context)
    for start in _starts(context):
        values = follow([start], query, context)
        if values:
            return values
    return []


def _starts(context: Context) -> Iterable[Value]:
    """The current value, then the resources around it, from the inside out."""
    yield context.current
    place: Place | None = context.resource
    if place is context.current[1]:
        place = context.tree.parent(context.scope, context.resource)
    while place is not None:
        yield context.tree.node(context.scope, place), place
        place = context.tree.parent(context.scope, place)


def _from_everything(query: Query, context: Context) -> list[Value]:
    """From all resources: by name, where the next segment is one."""
    head = query[0]
    if head.key and not head.special and head.key != "*" and head.variable is None:
        named = context.tree.named(context.scope, context.place, head.key)
        return (
            []
            if named is None
            else follow([context.known(named, None)], (head.without_key(), *query[1:]), context, flat=False)
        )
    everything: list[Value] = [(context.tree.everything(context.scope, context.place), None)]
    whole = len(query) == 1 and not head.key and not head.filters and head.test is None
    return everything if whole else follow(everything, query, context)


def _from_variable(query: Query, context: Context) -> list[Value]:
    head = query[0]
    value = context.variable(head.variable or "")
    if value is None:
        return []
    return follow([value], (head.without_key(), *query[1:]), context, flat=False)


def follow(values: list[Value], query: Query, context: Context, flat: bool = True) -> list[Value]:
    """The matches of the segments, one after the other. `flat`: whether lists are entered by the first of them."""
    for at, segment in enumerate(query):
        if segment.first:
            return _first(values, segment, query[at + 1 :], context, flat or at > 0)
        enter = flat or at > 0
        values = each(values, lambda value, s=segment, f=enter: matches(value, s, context, f))  # type: ignore[misc]
        if not values:
            break
    return values


def _first(values: list[Value], segment: Segment, rest: Query, context: Context, flat: bool) -> list[Value]:
    """What the rest finds in the first match in which it finds something."""
    for value in values:
        for item in _entered(value, segment, context) if flat else [value]:
            for match in _at(item, segment, context):
                single = _entered(match, rest[0], context) if rest else [match]
                for one in single:
                    found = follow([one], rest, context)
                    if found:
                        return found
    return []


def each(values: Iterable[Value], function: Callable[[Value], list[Value]]) -> list[Value]:
    """The function over all values. Those that must wait, wait together."""
    results: list[Value] = []
    wanted: list[tuple[Node, Place]] = []
    for value in values:
        try:
            results.extend(function(value))
        except Blocked as blocked:
            wanted.extend(blocked.wanted)
    if wanted:
        raise Blocked(*wanted)
    return results


def matches(value: Value, segment: Segment, context: Context, flat: bool = True) -> list[Value]:
    """The matches of one segment in one value; in the items of a list, where it is one and the key is not an index."""
    if not flat or not isinstance(value[0], ListNode) or segment.index is not None:
        return _at(value, segment, context)
    if segment.key == "*":
        return []
    items = _named(value, segment, context)
    entered = _entered(value, segment, context) if items is None else items
    return each(entered, lambda item: _at(item, segment, context))


def _named(value: Value, segment: Segment, context: Context) -> list[Value] | None:
    """The items of a list that `[name=text]` may match, found by an index; None if every item has to be tried."""
    node, place = value
    wanted = segment.equals
    if wanted is None or not isinstance(node, ListNode) or len(node.items) < MANY:
        return None
    key, text = wanted
    known = context.settings.lists
    if (id(node), key) not in known:
        context.meter.step(VISIT * len(node.items))
        if len(known) >= MANY:
            known.clear()
        known[id(node), key] = node, index_of(node, key)
    index = known[id(node), key][1]
    if index is None:
        return None
    found = sorted((*index.get(text, ()), *index.get(None, ())))
    context.meter.step(VISIT * len(found))
    return each([(node.items[at], _below(place, at)) for at in found], lambda pair: [context.known(*pair)])


def index_of(node: ListNode, key: str) -> dict[str | None, list[int]] | None:
    """The items of a list by the text that they have at a key, under None those that have something else there; None
    if not every item is a map."""
    index: dict[str | None, list[int]] = {}
    for at, item in enumerate(node.items):
        if not isinstance(item, MapNode):
            return None
        name = entry_key(item, key)
        if name is not None:
            own = item.entries[name]
            value = own.value if isinstance(own, Scalar) else None
            index.setdefault(value if isinstance(value, str) else None, []).append(at)
    return index


def _entered(value: Value, segment: Segment, context: Context) -> list[Value]:
    """The value itself; for a list its items, those of lists in it too, unless the key is an index."""
    if not isinstance(value[0], ListNode) or segment.index is not None or segment.key == "*":
        return [value]
    values: list[Value] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item[0], ListNode):
            stack.extend(reversed(members(item, context)))
        else:
            values.append(item)
    return values


def members(value: Value, context: Context) -> list[Value]:
    """The children of a container, known at their outermost."""
    node, place = value
    pairs: Iterable[tuple[Key | int, Node]] = ()
    if isinstance(node, MapNode):
        pairs = node.entries.items()
    elif isinstance(node, ListNode):
        pairs = enumerate(node.items)
    context.meter.step(VISIT * node.size if isinstance(node, MapNode | ListNode) else 0)
    return each([(child, _below(place, key)) for key, child in pairs], lambda pair: [context.known(*pair)])


def _below(place: Place | None, key: Key | int) -> Place | None:
    return place.child(key) if place is not None else None


def _at(value: Value, segment: Segment, context: Context) -> list[Value]:
    """The key of a segment in a value, as far as filters and the test let it pass."""
    values = _looked_up(value, segment, context)
    for rule in segment.filters:
        values = each(values, lambda item, r=rule: [item] if _passes(item, r, context) else [])  # type: ignore[misc]
    if segment.test is not None:
        values = [item for item in values if _holds(item, segment.test, context)]
    return values


def _looked_up(value: Value, segment: Segment, context: Context) -> list[Value]:
    key: object = segment.key
    if segment.variable is not None:
        named = context.variable(segment.variable)
        if named is None or not isinstance(named[0], Scalar):
            return []
        key = named[0].value
    elif not key:
        return [value]
    elif segment.special:
        return _special(value, segment.key, context)
    elif key == "*":
        return _values(value, context)
    return _child(value, key, context)


def _values(value: Value, context: Context) -> list[Value]:
    node, place = value
    if not isinstance(node, MapNode) or (not context.tree.star and context.tree.is_resource(node, place)):
        return []
    return members(value, context)


def _child(value: Value, key: object, context: Context) -> list[Value]:
    node, place = value
    index = int(key) if isinstance(key, str) and key.removeprefix("-").isdecimal() else key
    if isinstance(node, MapNode):
        name = entry_key(node, str(key))
        return [] if name is None else [context.known(node.entries[name], _below(place, name))]
    if isinstance(node, External):
        return [(node.parts[str(key)], None)] if str(key) in node.parts else []
    if not isinstance(index, int) or isinstance(index, bool):
        return []
    if isinstance(node, ListNode):
        count = len(node.items)
        inside = -count <= index < count
        return [context.known(node.items[index], _below(place, index % count))] if inside else []
    if isinstance(node, Scalar) and isinstance(node.value, str) and -len(node.value) <= index < len(node.value):
        return [(text(node.value[index], node.source, node.at), None)]
    return []


# Filters and tests


def _passes(value: Value, rule: Filter, context: Context) -> bool:
    inner = context.at(value)
    head = rule.path[0]
    named = head.variable is not None and (head.test is None or len(rule.path) > 1)
    if named or (not head.key and len(rule.path) > 1):
        found = select(rule.path, inner, upwards=False)
    else:
        # the first step of a filter looks into the items of a list; a bare test looks at the value itself
        found = follow([value], rule.path, inner, flat=bool(head.key))
    return bool(found) is not rule.negated


def _holds(value: Value, test: Test, context: Context) -> bool:
    if test.variable is not None:
        other = context.variable(test.variable)
        same = other is not None and context.finished(value) == context.finished(other)
        return same is not test.negated
    same = isinstance(value[0], Scalar) and _reads_as(test.text, value[0].value)
    return same is not test.negated


_TRUTH = {"true": True, "false": False}


def _reads_as(written: str, value: object) -> bool:
    """Whether a text, read as the type of a value, is that value."""
    try:
        if isinstance(value, bool):
            return _TRUTH.get(written.lower()) is value
        if isinstance(value, int):
            return int(written) == value
        if isinstance(value, float):
            return float(written) == value
    except ValueError:
        return False
    return written == value


# Special keys


def _special(value: Value, key: str, context: Context) -> list[Value]:
    function = SPECIAL.get(key)
    if function is None:
        other = f"a key of a document has no dot before it: `{key[1:]}`; available: {', '.join(SPECIAL)}"
        hint = did_you_mean(key, SPECIAL) or other
        raise UNKNOWN_SPECIAL.error(context.label(), key=key, hint=hint)
    if key == ".":
        return [value]
    context.meter.step(SPECIAL_KEY)
    place = value[1]
    if place is None or not (key == ".." or context.tree.is_resource(value[0], place)):
        return []
    return function(place, context)


def _resource(place: Place, context: Context) -> Value:
    return context.tree.node(context.scope, place), place


def _listed(places: Iterable[Place], context: Context) -> list[Value]:
    """Resources as one value, a list."""
    items = [bound(*_resource(place, context)) for place in places]
    return [(ListNode(items, *context.source, live=True), None)]


def _up(place: Place, context: Context) -> list[Place]:
    """The resources around a place, from the inside out."""
    places: list[Place] = []
    above = context.tree.parent(context.scope, place)
    while above is not None:
        places.append(above)
        above = context.tree.parent(context.scope, above)
    return places


def _down(place: Place, context: Context) -> list[Place]:
    """A resource and all below it, depth first."""
    places: list[Place] = []
    stack = [place]
    while stack:
        at = stack.pop()
        places.append(at)
        stack.extend(reversed(context.tree.children(context.scope, at)))
    return places


def _parent(place: Place, context: Context) -> list[Value]:
    above = context.tree.parent(context.scope, place)
    return [] if above is None else [_resource(above, context)]


def _name(place: Place, context: Context) -> list[Value]:
    return [(text(context.tree.name(place), *context.source), None)]


def _root(place: Place, context: Context) -> list[Value]:
    return [_resource((_up(place, context) or [place])[-1], context)]


def _children(place: Place, context: Context) -> list[Value]:
    return _listed(context.tree.children(context.scope, place), context)


def _descendants(place: Place, context: Context) -> list[Value]:
    return _listed(_down(place, context), context)


SPECIAL: dict[str, Callable[[Place, Context], list[Value]]] = {
    ".": lambda place, context: [_resource(place, context)],
    "..": _parent,
    ".name": _name,
    ".parents": lambda place, context: _listed(reversed(_up(place, context)), context),
    ".ancestors": lambda place, context: _listed([place, *_up(place, context)], context),
    ".root": _root,
    ".children": _children,
    ".instances": _children,
    ".descendants": _descendants,
    ".descendents": _descendants,
    ".all": lambda place, context: [(context.tree.everything(context.scope, place), None)],
}
