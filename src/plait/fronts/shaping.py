"""Documents made ready for a merge as a profile says: short forms made long, nulls that remove, words that ask for
something."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import entry
from plait.core.node import (
    Clash,
    Container,
    Deferred,
    Key,
    ListNode,
    MapNode,
    Mark,
    Node,
    Scalar,
    is_null,
    remade_list,
    with_entries,
    with_items,
)
from plait.core.path import ANY, parse_path
from plait.core.policy import MergePolicy
from plait.fronts.forms import FORMS
from plait.fronts.patches import as_patches
from plait.merging.align import KeyMissing, arranged
from plait.merging.combine import AT_REST, Wait, asks_to_replace, combine, list_rule, replacing
from plait.report.catalog import KINDS_DIFFER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.path import Path
    from plait.profiles import Profile
    from plait.profiles.rules import Whole

    Change = Callable[[Node, list[Node], MergePolicy], Node | None]
    """What becomes of a value of a map, given what lower layers have there and the policy of the place; None removes
    it."""
    Found = list[tuple[int, Node]]
    """The documents that have a value at a place, by their number, lowest first."""

ITEM_BY_ITEM = ("key", "index")
"""The strategies under which items of two lists are merged with each other."""
DROPS_NULLS = ("delete", "defaults")


def shaped(documents: list[Node], profile: Profile | None, nulls: str, policy: MergePolicy) -> list[Node]:
    """The documents of one group, lowest first, as the merge is to see them."""
    if profile is not None:
        documents = _in_one_form(documents, profile)
        documents = _marked(documents, profile)
        documents = [each_once(document, policy) for document in documents] if profile.unique else documents
        if profile.word("patch"):
            return as_patches(documents, policy, nulls)
    changes = [change for change in (_NULLS.get(nulls), _missing(profile), _kinds(profile)) if change]
    if changes:
        below = slice(1) if nulls == "defaults" else slice(None)
        changed = documents[:1]
        for document in documents[1:]:
            changed.append(_changed(document, changed[below], changes, policy))
        documents = changed
    if profile is not None and profile.setting("layers") == "overrides first" and len(documents) > 2:
        return [documents[0], combine(documents[1:], policy)]
    return documents


def as_override(node: Node, nulls: str) -> Node:
    """What a layer above the lowest one includes, as the merge is to see it."""
    return _changed(node, [], [_null_deletes], MergePolicy()) if nulls in DROPS_NULLS else node


# Places that patterns name


def _at(node: Node, path: Path, make: Callable[[Node], Node]) -> Node:
    """A tree with the nodes at a pattern exchanged. It goes as deep as the pattern is long."""
    if not path:
        return make(node)
    if not isinstance(node, MapNode):
        return node
    keys = list(node.entries) if path[0] is ANY else [path[0]] if path[0] in node.entries else []
    made = {key: _at(node.entries[key], path[1:], make) for key in keys}  # type: ignore[index]
    if all(child is node.entries[key] for key, child in made.items()):  # type: ignore[index]
        return node
    return with_entries(node, {**node.entries, **made})  # type: ignore[dict-item]


def _places(node: Node, pattern: Path, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """The places of a document on the way along a pattern that have a value, and those values."""
    yield path, node
    if pattern and isinstance(node, MapNode):
        keys = list(node.entries) if pattern[0] is ANY else [pattern[0]] if pattern[0] in node.entries else []
        for key in keys:
            yield from _places(node.entries[key], pattern[1:], (*path, key))  # type: ignore[index]


def _meeting(documents: list[Node], pattern: Path) -> list[tuple[Path, Found]]:
    """The places of a pattern at which values of several documents meet, and these values."""
    found: dict[Path, Found] = {}
    for number, document in enumerate(documents):
        for path, node in _places(document, pattern):
            if isinstance(node, Mark) or asks_to_replace(node):
                found = {place: nodes for place, nodes in found.items() if place[: len(path)] != path}
            if len(path) == len(pattern) and not isinstance(node, Mark):
                found.setdefault(path, []).append((number, node))
    return [(path, nodes) for path, nodes in found.items() if len(nodes) > 1]


# Several forms of the same


def _in_one_form(documents: list[Node], profile: Profile) -> list[Node]:
    documents = list(documents)
    for form in profile.forms:
        make = FORMS[form.form]
        for path, nodes in _meeting(documents, parse_path(form.path, pattern=True)):
            if form.field and not _is_mixed([entry(node, form.field) for _, node in nodes]):
                continue
            if not any(isinstance(node, Deferred) for _, node in nodes):
                for number, node in _without_marks(nodes):
                    documents[number] = _at(documents[number], path, _constantly(_made(make, node)))
    return documents


def _is_mixed(nodes: list[Node | None]) -> bool:
    """Whether a single value is above a map."""
    first = next((at for at, node in enumerate(nodes) if isinstance(node, MapNode)), len(nodes))
    return any(isinstance(node, Scalar) and not is_null(node) for node in nodes[first:])


def _without_marks(nodes: Found) -> Found:
    """The same maps without the keys that a higher one removes: lists that are made of them have no keys."""
    kept: Found = []
    gone: set[Key] = set()
    for number, node in reversed(nodes):
        if isinstance(node, MapNode):
            gone.update(key for key, child in node.entries.items() if isinstance(child, Mark))
            if not gone.isdisjoint(node.entries):
                node = with_entries(node, {key: child for key, child in node.entries.items() if key not in gone})
        kept.append((number, node))
    return kept[::-1]


def _made(make: Callable[[Node], Node], node: Node) -> Node:
    """A value in another form; it asks to replace what is below as before."""
    made = make(node)
    return replacing(made) if made is not node and asks_to_replace(node) else made


def _constantly(node: Node) -> Callable[[Node], Node]:
    return lambda before: node


# Values that replace


def _marked(documents: list[Node], profile: Profile) -> list[Node]:
    """The documents, with the maps above the lowest one marked that replace what is below."""
    documents = list(documents)
    if profile.setting("maps") == "top":
        documents[1:] = [_at(document, (ANY,), _alone) for document in documents[1:]]
    for whole in profile.whole:
        pattern = parse_path(whole.path, pattern=True)
        if whole.field:
            _mark_other(documents, pattern, whole)
        else:
            documents[1:] = [_at(document, pattern, _alone) for document in documents[1:]]
    return documents


def _mark_other(documents: list[Node], pattern: Path, whole: Whole) -> None:
    """Mark the maps whose field is another one than that of the maps below."""
    for path, nodes in _meeting(documents, pattern):
        known: Node | None = None
        for number, node in nodes:
            field = node.entries.get(whole.field) if isinstance(node, MapNode) else None
            field = None if isinstance(field, Mark) else field
            if known is not None and field is not None and field != known:
                documents[number] = _at(documents[number], path, _alone)
            known = field or known


def _alone(node: Node) -> Node:
    return with_entries(node, node.entries, alone=True) if isinstance(node, MapNode) else node


# Lists that have each item once


def each_once(document: Node, policy: MergePolicy) -> Node:
    """A document in which the lists of unique items have each of them once: the last one, where the first one was."""
    made = [document]
    opened: list[tuple[list[Node] | dict[Key, Node], int | Key, dict[Key, Node]]] = []
    work: list[tuple[list[Node] | dict[Key, Node], int | Key, MergePolicy]] = [(made, 0, policy)]
    while work:
        target, key, here = work.pop()
        node = target[key]  # type: ignore[index]
        if isinstance(node, MapNode):
            entries = dict(node.entries)
            opened.append((target, key, entries))
            work.extend((entries, name, here.child(name)) for name in entries)
        elif isinstance(node, ListNode) and here.lists.strategy == "unique":
            target[key] = _unique(node, here)  # type: ignore[index]
    for target, key, entries in reversed(opened):  # the inner ones first
        target[key] = _remade(target[key], entries)  # type: ignore[index]
    return made[0]


def _unique(node: ListNode, here: MergePolicy) -> Node:
    try:
        rows = arranged(node.items, [], here.lists, AT_REST)
    except (KeyMissing, Wait):
        return node
    if len(rows) == len(node.items):
        return node
    return remade_list(node, [(node.items[index or 0], index, None) for index, _ in rows])


# Values that ask for something


def _null_deletes(node: Node, below: list[Node], here: MergePolicy) -> Node | None:
    return Mark(node.source, node.at) if is_null(node) else node


def _null_deletes_defaults(node: Node, below: list[Node], here: MergePolicy) -> Node | None:
    return Mark(node.source, node.at) if is_null(node) and below else node


def _null_is_ignored(node: Node, below: list[Node], here: MergePolicy) -> Node | None:
    return None if is_null(node) and here.lists.strategy != "replace" and _lower(below) is not None else node


def _lower(below: list[Node]) -> Node | None:
    """The highest value below that is not null; None where there is none, or where it was removed."""
    found = next((node for node in reversed(below) if not is_null(node)), None)
    return None if isinstance(found, Mark) else found


_NULLS: dict[str, Change] = {
    "delete": _null_deletes,
    "defaults": _null_deletes_defaults,
    "ignore": _null_is_ignored,
}


def _kinds(profile: Profile | None) -> Change | None:
    return _keeps_kind if profile is not None and profile.setting("kinds") == "containers" else None


def _keeps_kind(node: Node, below: list[Node], here: MergePolicy) -> Node | None:
    """A map or a list is overridden by its like, unless the value at this place is replaced whole; what is refused
    stays so whatever comes later."""
    lower = _lower(below)
    if here.lists.strategy == "replace" or asks_to_replace(node):
        return node
    if isinstance(lower, Clash):
        return lower
    if not isinstance(lower, Container) or isinstance(node, Deferred) or lower.kind == node.kind or is_null(node):
        return node
    labels = (Label(lower.origin, f"a {lower.kind}"), Label(node.origin, f"a {node.kind}"))
    hint = "docker compose refuses this as well; `!override` in front of the value replaces what is below"
    low, high = lower.kind, node.kind
    return Clash(lambda at: KINDS_DIFFER(*labels, high=high, low=low, at=at, hint=hint), node.source, node.at)


def _missing(profile: Profile | None) -> Change | None:
    word = profile.word("missing") if profile is not None else ""

    def change(node: Node, below: list[Node], here: MergePolicy) -> Node | None:
        return None if below and isinstance(node, Scalar) and node.value == word else node

    return change if word else None


def _changed(document: Node, lower: list[Node], changes: list[Change], policy: MergePolicy) -> Node:
    """A document with its values changed where they ask for it, in maps and in lists that are merged item by item.

    What asks for nothing is shared.
    """
    made: list[Node] = [document]
    opened: list[tuple[dict[Key, Node] | list[Node], Key | int, dict[Key, Node] | list[Node]]] = []
    work: list[tuple[dict[Key, Node] | list[Node], Key | int, list[Node], MergePolicy]] = [(made, 0, lower, policy)]
    while work:
        target, key, below, here = work.pop()
        node = target[key]  # type: ignore[index]
        below = [] if asks_to_replace(node) else below
        if isinstance(node, MapNode):
            entries = _entries(node, below, changes, here)
            opened.append((target, key, entries))
            work.extend((entries, name, _under(below, name), here.child(name)) for name in entries)
        elif isinstance(node, ListNode) and list_rule(node, here).strategy in ITEM_BY_ITEM:
            items = list(node.items)
            opened.append((target, key, items))
            work.extend((items, index, [], here.child(index)) for index in range(len(items)))
    for target, key, members in reversed(opened):  # the inner ones first
        target[key] = _remade(target[key], members)  # type: ignore[index]
    return made[0]


def _remade(node: Node, members: dict[Key, Node] | list[Node]) -> Node:
    """A container with new members; itself, where they are the same."""
    if isinstance(node, MapNode):
        assert isinstance(members, dict)
        same = len(members) == len(node.entries) and all(members[key] is child for key, child in node.entries.items())
        return node if same else with_entries(node, members)
    assert isinstance(node, ListNode)
    assert isinstance(members, list)
    same = all(item is other for item, other in zip(members, node.items, strict=True))
    return node if same else with_items(node, members)


def _entries(node: MapNode, below: list[Node], changes: list[Change], here: MergePolicy) -> dict[Key, Node]:
    entries: dict[Key, Node] = {}
    for key, child in node.entries.items():
        lower = _under(below, key)
        made: Node | None = child
        for change in changes:
            made = change(made, lower, here.child(key)) if made is not None else None
        if made is not None:
            entries[key] = made
    return entries


def _under(below: list[Node], key: Key) -> list[Node]:
    return [node.entries[key] for node in below if isinstance(node, MapNode) and key in node.entries]
