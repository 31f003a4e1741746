"""Functions on lists and maps."""

from __future__ import annotations

from plait.core.node import Key, ListNode, MapNode, Node, Scalar, is_null, sorted_keys
from plait.notations.dynaml.declared import (
    FunctionTable,
    entries_in,
    function_in,
    integer_in,
    items_in,
    piece,
    text_in,
    wrong,
)
from plait.notations.dynaml.env import PART, apply
from plait.notations.dynaml.items import key_field, text_of
from plait.notations.dynaml.operators import integer, orderable, same, simple
from plait.notations.dynaml.values import LambdaValue, TemplateBody
from plait.report.catalog import WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import CallTerm

TABLE = FunctionTable("Lists and maps")
function = TABLE.function


@function("length", "value", "How many items, entries or letters.", "length([1, 2])", 1, 1)
def length(tree: CallTerm, env: Env, value: Node) -> Node:
    if isinstance(value, ListNode | MapNode):
        return env.made(value.size)
    return env.made(len(text_in(tree, env, value, "argument of length")))


@function("sort", "list [, lambda]", "A list in order.", "sort([3, 1, 2])", 1, 2)
def sort(tree: CallTerm, env: Env, value: Node, by: Node | None = None) -> Node:
    items = list(items_in(tree, env, value, "first argument of sort"))
    if by is not None:
        return env.made_list(_sorted_by(tree, env, items, function_in(tree, env, by, "second argument of sort")))
    if len(items) < 2:
        return env.made_list(items)
    keys = [orderable(item) for item in items]
    if None in keys or len({isinstance(key, str) for key in keys}) > 1:
        raise env.failure(WRONG_ARGUMENT, tree, issue="list elements must be only strings or only numbers to be sorted")
    order: list[int] = sorted(range(len(items)), key=lambda index: keys[index])  # type: ignore[arg-type, return-value]
    return env.made_list([items[index] for index in order])


def _sorted_by(tree: CallTerm, env: Env, items: list[Node], by: LambdaValue) -> list[Node]:
    from functools import cmp_to_key

    turn = 0

    def compare(a: Node, b: Node) -> int:
        nonlocal turn
        turn += 1
        answer = apply(tree, env, by, [a, b], turn=turn)
        number = integer(answer)
        if isinstance(answer, Scalar) and isinstance(answer.value, bool):
            return -1 if answer.value else 1
        if number is None:
            raise wrong(tree, env, "the lambda of sort must give a boolean or an integer", answer)
        return number

    return sorted(items, key=cmp_to_key(compare))


@function("reverse", "list", "A list from its end.", "reverse([1, 2])", 1, 1)
def reverse(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.made_list(items_in(tree, env, value, "argument of reverse")[::-1])


@function("uniq", "list", "A list with each item once.", "uniq([1, 2, 1])", 1, 1)
def uniq(tree: CallTerm, env: Env, value: Node) -> Node:
    """Items that `==` takes for equal count as one: 0 and "0"."""
    items = items_in(tree, env, value, "argument of uniq")
    found: dict[object, Node] = {}
    for item in items:
        found.setdefault(simple(item) or item, item)
    return env.made_list(list(found.values()))


@function("compact", "list", "A list without nil and empty items.", 'compact([1, nil, "", []])', 1, 1)
def compact(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.made_list([item for item in items_in(tree, env, value, "argument of compact") if not _empty(item)])


def _empty(node: Node) -> bool:
    if isinstance(node, ListNode | MapNode):
        return not node.size
    return isinstance(node, Scalar) and (node.value is None or node.value == "")


@function("intersect", "lists...", "The items of the first list that all others have.", "intersect([1, 2], [2, 3])", 0)
def intersect(tree: CallTerm, env: Env, *lists: Node) -> Node:
    listed = [items_in(tree, env, each, "every argument of intersect") for each in lists if not is_null(each)]
    if not listed:
        return env.made_list([])
    first, *others = listed
    known = [{simple(item) or item for item in other} for other in others]
    return env.made_list([item for item in first if all((simple(item) or item) in other for other in known)])


@function(
    "contains",
    "value, part",
    "Whether a list has an item, a map a key, or a text a part.",
    'contains(["a"], "a")',
    2,
    2,
)
def contains(tree: CallTerm, env: Env, value: Node, part: Node) -> Node:
    if isinstance(value, ListNode):
        return env.made(next(_places(tree, env, value, part), None) is not None)
    if isinstance(value, MapNode):
        return env.made(text_of(part) in value.entries)
    sought = piece(tree, env, part, "second argument of contains must be a simple value")
    return env.made(sought in text_in(tree, env, value, "first argument of contains"))


def _places(tree: CallTerm, env: Env, value: ListNode, part: Node) -> Iterator[int]:
    """Where a list has an item; nil is nowhere."""
    items = items_in(tree, env, value, f"first argument of {tree.name}")
    return (at for at, item in enumerate(items) if not is_null(part) and same(item, part))


@function(
    "index", "value, part", "Where a list has an item or a text a part; -1 if nowhere.", 'index("abc", "c")', 2, 2
)
def index(tree: CallTerm, env: Env, value: Node, part: Node) -> Node:
    if isinstance(value, ListNode):
        return env.made(next(_places(tree, env, value, part), -1))
    sought = piece(tree, env, part, "second argument of index must be a simple value")
    return env.made(text_in(tree, env, value, "first argument of index").find(sought))


@function(
    "lastindex", "value, part", "The last place of an item or a part; -1 if nowhere.", 'lastindex("aba", "a")', 2, 2
)
def lastindex(tree: CallTerm, env: Env, value: Node, part: Node) -> Node:
    if isinstance(value, ListNode):
        return env.made(max(_places(tree, env, value, part), default=-1))
    sought = piece(tree, env, part, "second argument of lastindex must be a simple value")
    return env.made(text_in(tree, env, value, "first argument of lastindex").rfind(sought))


@function("element", "value, place", "An item of a list, or an entry of a map by its key.", "element([1, 2], 0)", 2, 2)
def element(tree: CallTerm, env: Env, value: Node, place: Node) -> Node:
    if isinstance(value, MapNode):
        key = piece(tree, env, place, "second argument of element must be a key")
        if key not in value.entries:
            raise env.failure(WRONG_ARGUMENT, tree, issue=f"map has no entry '{key}'")
        return value.entries[key]
    items = items_in(tree, env, value, "first argument of element")
    digits = text_of(place)
    whole = digits is not None and digits.isascii() and digits.isdecimal() and len(digits) < 9
    at = int(digits or 0) if whole else integer_in(tree, env, place, "second argument of element")
    if not 0 <= at < len(items):
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"index {at} is out of range: the list has {len(items)} items")
    return items[at]


@function("keys", "map", "The keys of a map, in order.", "keys(meta)", 1, 1)
def keys(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.made_list([env.made(key) for key in sorted(entries_in(tree, env, value, "argument of keys"))])


@function(
    "makemap",
    "key, value, ... or list",
    "A map of keys and values, or of a list of maps with `key` and `value`.",
    'makemap("a", 1)',
    0,
)
def makemap(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    pairs = _listed(tree, env, arguments[0]) if len(arguments) == 1 else list(arguments)
    if len(pairs) % 2:
        raise env.failure(WRONG_ARGUMENT, tree, issue="makemap takes a value for every key")
    made: dict[str, Node] = {}
    for key, value in zip(pairs[::2], pairs[1::2], strict=True):
        made[piece(tree, env, key, "a key of makemap must be a simple value")] = value
    return env.made_map(made)


def _listed(tree: CallTerm, env: Env, node: Node) -> list[Node]:
    pairs: list[Node] = []
    for item in items_in(tree, env, node, "the only argument of makemap"):
        entries = item.entries if isinstance(item, MapNode) else {}
        if "key" not in entries or "value" not in entries:
            raise wrong(tree, env, "each item of the list for makemap must have `key` and `value`", item)
        pairs += [entries["key"], entries["value"]]
    return pairs


@function(
    "list_to_map",
    "list [, key]",
    "A map of the items of a list, by their `name` or another field.",
    'list_to_map([{ "name" = "a", "v" = 1 }])',
    1,
    2,
)
def list_to_map(tree: CallTerm, env: Env, value: Node, key: Node | None = None) -> Node:
    items = items_in(tree, env, value, "first argument of list_to_map")
    assert isinstance(value, ListNode)
    field = key_field(value) if key is None else text_in(tree, env, key, "second argument of list_to_map")
    made: dict[str, Node] = {}
    for item in items:
        name = text_of(item.entries.get(field)) if isinstance(item, MapNode) else None
        if name is None or not isinstance(item, MapNode):
            raise wrong(tree, env, f"each item of the list must be a map with a text `{field}`", item)
        rest: dict[Key, Node] = {each: child for each, child in item.entries.items() if each != field}
        env.meter.step(PART * len(rest))
        made[name] = MapNode(rest, item.source, item.at)
    return env.made_map(made)


@function(
    "deepmerge",
    "maps...",
    "All entries of some maps, of inner maps too; the last one wins.",
    'deepmerge({ "a" = 1 }, { "b" = 2 })',
    1,
)
def deepmerge(tree: CallTerm, env: Env, *maps: Node) -> Node:
    made: Node = env.made_map({})
    if len(maps) == 1 and isinstance(maps[0], ListNode):
        maps = tuple(items_in(tree, env, maps[0], "the only argument of deepmerge"))
    for each in maps:
        entries_in(tree, env, each, "every argument of deepmerge")
        made = _merged(env, made, each)
    return made


def _merged(env: Env, low: Node, high: Node) -> Node:
    """The union of two maps. Without recursion."""
    holder: list[Node] = [low]
    work: list[tuple[list[Node] | dict[Key, Node], int | Key, Node, Node]] = [(holder, 0, low, high)]
    while work:
        target, key, below, above = work.pop()
        if not isinstance(below, MapNode) or not isinstance(above, MapNode):
            target[key] = above  # type: ignore[index]
            continue
        env.meter.step(PART * (below.size + above.size))
        entries = {**below.entries, **above.entries}
        target[key] = MapNode(entries, env.origin, env.origin.at)  # type: ignore[index]
        both = [name for name in above.entries if name in below.entries]
        work.extend((entries, name, below.entries[name], above.entries[name]) for name in both)
    return holder[0]


@function(
    "merge",
    "maps...",
    "A map, or a template, with the others as its stubs: they override what it has.",
    'merge({ "a" = 1 }, { "a" = 2, "b" = 3 })',
    1,
)
def merge(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    documents = list(arguments)
    if len(documents) == 1 and isinstance(documents[0], ListNode):
        documents = list(items_in(tree, env, documents[0], "the only argument of merge"))
    for each in documents:
        if not isinstance(each, MapNode) and not (isinstance(each, TemplateBody) and each.body is not None):
            raise wrong(tree, env, "every argument of merge must be a map or a template", each)
    if not documents:
        raise env.failure(WRONG_ARGUMENT, tree, issue="merge needs a map")
    host, staged = env.host(tree)
    return host.nested(env.key(tree), documents, env.scope, env.place, staged, env.visible())


def in_order(node: MapNode) -> list[tuple[str, Node]]:
    """The entries of a map in the order of their keys."""
    return [(key, node.entries[key]) for key in sorted_keys(node) if isinstance(key, str)]
