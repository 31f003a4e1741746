"""Documents made ready for a merge as a profile says: short forms made long, nulls that remove, words that ask for
something."""

from __future__ import annotations

from plait.core.node import Key, Mapping, Mark, Node, Scalar, Sequence, rewrite
from plait.core.path import ANY, parse_path
from plait.core.policy import MergePolicy
from plait.fronts.forms import FORMS
from plait.merging.combine import list_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.path import Path
    from plait.profiles import Profile

    Change = Callable[[Node, list[Node]], Node | None]
    """What becomes of a value of a map, given what lower layers have there; None removes it."""

ITEM_BY_ITEM = ("key", "index")
"""The strategies under which items of two lists are merged with each other."""


def shaped(documents: list[Node], profile: Profile | None, nulls: str, policy: MergePolicy) -> list[Node]:
    """The documents of one group, lowest first, as the merge is to see them."""
    if profile is not None:
        documents = [_in_long_form(document, profile) for document in documents]
        documents = [documents[0], *(_marked(document, profile) for document in documents[1:])] if documents else []
    changes = [change for change in (_NULLS.get(nulls), _missing(profile), _patches(profile)) if change is not None]
    if not changes:
        return documents
    return [
        _changed(document, documents[:at], changes, policy) if at else document for at, document in enumerate(documents)
    ]


def as_override(node: Node, nulls: str) -> Node:
    """What a layer above the lowest one includes, as the merge is to see it."""
    change = _NULLS.get(nulls)
    return _changed(node, [], [change], MergePolicy()) if change is not None else node


# Short forms


def _in_long_form(document: Node, profile: Profile) -> Node:
    for form in profile.forms:
        document = _at(document, parse_path(form.path, pattern=True), FORMS[form.form])
    return document


def _at(node: Node, path: Path, make: Callable[[Node], Node]) -> Node:
    """A tree with the nodes at a pattern exchanged. It goes as deep as the pattern is long."""
    if not path:
        return make(node)
    if not isinstance(node, Mapping):
        return node
    keys = list(node.entries) if path[0] is ANY else [path[0]] if path[0] in node.entries else []
    made = {key: _at(node.entries[key], path[1:], make) for key in keys}  # type: ignore[index]
    if all(child is node.entries[key] for key, child in made.items()):  # type: ignore[index]
        return node
    return _with_entries(node, {**node.entries, **made})  # type: ignore[dict-item]


def _with_entries(node: Mapping, entries: dict[Key, Node], alone: bool | None = None) -> Mapping:
    live = any(child.live for child in entries.values())
    marks = node.marks if len(entries) == len(node.entries) else ()
    return Mapping(
        entries, node.source, node.at, node.tag, live, marks, node.parts, node.alone if alone is None else alone
    )


# Maps that replace


def _marked(document: Node, profile: Profile) -> Node:
    """A document above the lowest one, with the maps marked that replace what is below."""
    if profile.setting("maps") == "top" and isinstance(document, Mapping):
        return _with_entries(document, {key: _alone(child) for key, child in document.entries.items()})
    return document


def _alone(node: Node) -> Node:
    return _with_entries(node, node.entries, alone=True) if isinstance(node, Mapping) else node


# Values that ask for something


def _null_deletes(node: Node, below: list[Node]) -> Node | None:
    return Mark(node.source, node.at) if _is_null(node) else node


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


_NULLS: dict[str, Change] = {"delete": _null_deletes}


def _missing(profile: Profile | None) -> Change | None:
    word = profile.word("missing") if profile is not None else ""

    def change(node: Node, below: list[Node]) -> Node | None:
        return None if below and isinstance(node, Scalar) and node.value == word else node

    return change if word else None


def _patches(profile: Profile | None) -> Change | None:
    """`$patch: delete` removes a map, `$patch: replace` lets it replace the one below."""
    word = profile.word("patch") if profile is not None else ""

    def change(node: Node, below: list[Node]) -> Node | None:
        asked = _asked(node, word)
        if asked == "delete":
            return Mark(node.source, node.at)
        return _without(node, word, asked == "replace") if asked else node

    return change if word else None


def _asked(node: Node, word: str) -> str:
    value = node.entries.get(word) if isinstance(node, Mapping) else None
    return value.text if isinstance(value, Scalar) else ""


def _without(node: Node, word: str, alone: bool) -> Node:
    assert isinstance(node, Mapping)
    return _with_entries(node, {key: child for key, child in node.entries.items() if key != word}, alone)


def swept(root: Node, profile: Profile | None) -> Node:
    """The merged tree without the list items that ask to be removed: they had to find their partner first."""
    word = profile.word("patch") if profile is not None else ""
    if not word:
        return root
    return rewrite(root, lambda leaf: leaf, lambda items: [item for item in items if _asked(item, word) != "delete"])


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
        if isinstance(node, Mapping):
            entries = _entries(node, below, changes)
            opened.append((target, key, entries))
            work.extend((entries, name, _under(below, name), here.child(name)) for name in entries)
        elif isinstance(node, Sequence) and list_rule(node, here).strategy in ITEM_BY_ITEM:
            items = list(node.items)
            opened.append((target, key, items))
            work.extend((items, index, [], here.child(index)) for index in range(len(items)))
    for target, key, members in reversed(opened):  # the inner ones first
        target[key] = _remade(target[key], members)  # type: ignore[index]
    return made[0]


def _remade(node: Node, members: dict[Key, Node] | list[Node]) -> Node:
    """A container with new members; itself, where they are the same."""
    if isinstance(node, Mapping):
        assert isinstance(members, dict)
        same = len(members) == len(node.entries) and all(members[key] is child for key, child in node.entries.items())
        return node if same else _with_entries(node, members)
    assert isinstance(node, Sequence)
    assert isinstance(members, list)
    if all(item is other for item, other in zip(members, node.items, strict=True)):
        return node
    live = any(item.live for item in members)
    return Sequence(members, node.source, node.at, node.tag, live, node.parts, node.rule)


def _entries(node: Mapping, below: list[Node], changes: list[Change]) -> dict[Key, Node]:
    entries: dict[Key, Node] = {}
    for key, child in node.entries.items():
        lower = _under(below, key)
        made: Node | None = child
        for change in changes:
            made = change(made, lower) if made is not None else None
        if made is not None:
            entries[key] = made
    return entries


def _under(below: list[Node], key: Key) -> list[Node]:
    return [node.entries[key] for node in below if isinstance(node, Mapping) and key in node.entries]
