"""Strategic merge patches of Kubernetes, made ready for a merge as kubectl applies them.

A layer above the lowest is a patch of what is below it. What its directives ask for becomes what every merge knows:

* `$patch: replace` a map or a list that replaces, `$patch: delete` an empty map that replaces, or a mark over an item;
* `$retainKeys` and null a mark over each key that goes, `$deleteFromPrimitiveList` a mark over each value;
* `$setElementOrder` the order that the rule of a list has.

Where nothing is below, there is nothing to patch: a map with `$patch` is left out, and so are nulls and directives.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.node import Deferred, Key, ListNode, MapNode, Mark, Node, Scalar, is_null, with_entries, with_items
from plait.core.policy import REPLACE, ListRule, MergePolicy
from plait.merging.align import KeyMissing, patch_name
from plait.merging.combine import AT_REST, Wait, combine, own_rule
from plait.report.catalog import PATCH_DIRECTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from plait.core.diagnostic import Diagnostic

    Members = dict[Key, Node] | list[Node]
    Work = list[tuple[Members, Key | int, "Node | None", MergePolicy, bool]]
    """What is left to do: where a node is, what is below it (None for nothing), the policy of the place, and whether
    nulls go where nothing is below."""

WORD, RETAIN, ORDER, DROP = "$patch", "$retainKeys", "$setElementOrder/", "$deleteFromPrimitiveList/"
DELETE, REPLACES = "delete", "replace"
NOTHING: dict[Key, Node] = {}


def as_patches(documents: list[Node], policy: MergePolicy, nulls: str) -> list[Node]:
    """The documents of a resource, lowest first, with each patch as the merge is to see it."""
    made = documents[:1]
    wrong: list[Diagnostic] = []
    for document in documents[1:]:
        patch = Patch(policy, nulls == "delete")
        made.append(patch.over(document, combine(made, policy)))
        wrong += patch.wrong
    if wrong:
        raise Fault(*wrong)
    return made


class Patch:
    """One patch over what is below it. It does not recurse: containers that are opened are closed inner ones first."""

    def __init__(self, policy: MergePolicy, nulls: bool) -> None:
        self._policy = policy
        self._nulls = nulls
        """Whether null removes."""
        self._work: Work = []
        self.wrong: list[Diagnostic] = []
        """Directives that cannot be followed."""

    def over(self, document: Node, below: Node) -> Node:
        holder: list[Node] = [document]
        self._lay(holder, 0, below, self._policy)
        opened: list[tuple[Members, Key | int, Members]] = []
        while self._work:
            target, key, lower, here, drops = self._work.pop()
            node = target[key]  # type: ignore[index]
            members: Members
            if isinstance(node, MapNode):
                members = self._entries(node, lower, here) if lower is not None else self._new_entries(node, drops)
            else:
                members = self._items(node, lower, here) if lower is not None else self._new_items(node, drops)
            opened.append((target, key, members))
        for target, key, members in reversed(opened):
            target[key] = _remade(target[key], members)  # type: ignore[index]
        return holder[0]

    # Maps

    def _entries(self, node: MapNode, below: Node, here: MergePolicy) -> dict[Key, Node]:
        """The keys of a map that is laid over another one, or over something that is not known yet."""
        lower = below.entries if isinstance(below, MapNode) else NOTHING
        entries = {key: child for key, child in node.entries.items() if not _is_directive(key)}
        entries.update(self._retained(node, entries, lower))
        for key, child in node.entries.items():
            text = str(key)
            if text.startswith(ORDER):
                self._order(entries, text.removeprefix(ORDER), child, lower, here)
            elif text.startswith(DROP):
                self._drop(entries, text.removeprefix(DROP), child, lower)
        for key in list(entries):
            drops = f"{ORDER}{key}" not in node.entries  # kubectl keeps nulls in a new list that has an order
            self._value(entries, key, lower.get(key), here.child(key), drops)
        return entries

    def _value(self, entries: dict[Key, Node], key: Key, below: Node | None, here: MergePolicy, drops: bool) -> None:
        """One value of a map over another one; `drops`: without nulls where nothing is below."""
        node = entries[key]
        if self._nulls and is_null(node):
            entries[key] = Mark(node.source, node.at)
        elif (isinstance(below, Deferred) and not isinstance(below, Mark)) or _same_kind(node, below):
            assert below is not None
            self._lay(entries, key, below, here)
        elif _asks(node):
            del entries[key]
        elif _is_open(node):
            self._work.append((entries, key, None, here, drops))

    def _lay(self, target: Members, key: Key | int, below: Node, here: MergePolicy) -> None:
        """A value over one of its kind."""
        node = target[key]  # type: ignore[index]
        if isinstance(node, ListNode):
            rule = own_rule(node) or here.lists
            if rule.strategy == "patch" and any(_asked(item) == REPLACES for item in node.items):
                self._check_words(node)
                target[key] = self._whole(node)  # type: ignore[index]
                self._work.append((target, key, None, here, False))
            elif rule.strategy == "patch":
                self._work.append((target, key, below, here, False))
            elif rule.strategy == "patch-set":
                self._check_plain(node)
        elif isinstance(node, MapNode):
            asked = _asked(node) or (REPLACES if here.lists.strategy == "patch-whole" else "")
            if not asked:
                self._work.append((target, key, below, here, False))
            elif asked in (DELETE, REPLACES):
                entries = node.entries if asked == REPLACES else NOTHING
                target[key] = with_entries(node, entries, alone=True)  # type: ignore[index]
                self._work.append((target, key, None, here, False))
            else:
                self._refuse_word(node, asked)

    def _new_entries(self, node: MapNode, drops: bool) -> dict[Key, Node]:
        """The keys of a map that nothing is below of."""
        entries = {
            key: child
            for key, child in node.entries.items()
            if not _is_directive(key) and not _asks(child) and not (drops and self._nulls and is_null(child))
        }
        self._work.extend((entries, key, None, self._policy, drops) for key in entries if _is_open(entries[key]))
        return entries

    # Directives beside the keys that they are about

    def _retained(self, node: MapNode, entries: dict[Key, Node], lower: dict[Key, Node]) -> Iterator[tuple[Key, Node]]:
        """A mark for each key below that `$retainKeys` does not name."""
        retain = node.entries.get(RETAIN)
        if retain is None:
            return
        if not isinstance(retain, ListNode):
            self._refuse(retain, "`$retainKeys` must be a list of keys")
            return
        names = {item.text for item in retain.items if isinstance(item, Scalar)}
        for key, child in entries.items():
            if str(key) not in names and not is_null(child):
                why = f"`$retainKeys` does not name `{key}`, which the patch sets"
                self._refuse(child, why, retain, hint=f"add `{key}` to `$retainKeys`, or remove it from the patch")
        yield from ((key, Mark(retain.source, retain.at)) for key in lower if str(key) not in names | set(entries))

    def _order(
        self, entries: dict[Key, Node], name: str, order: Node, lower: dict[Key, Node], here: MergePolicy
    ) -> None:
        """The order of a list as part of its rule; a list that the patch does not have is an empty one."""
        below, given = lower.get(name), entries.get(name)
        if not isinstance(given if below is None else below, ListNode) or not isinstance(given, ListNode | None):
            return
        asked = here.child(name).lists
        if not isinstance(order, ListNode):
            self._refuse(order, f"`{ORDER}{name}` must be a list")
        elif asked.strategy in ("patch", "patch-set") or given is None:
            rule = ListRule("patch" if asked.keyed else "patch-set", asked.keys, origin=order.origin)
            entries[name] = self._in_order(given, order, rule, f"{ORDER}{name}")

    def _drop(self, entries: dict[Key, Node], name: str, values: Node, lower: dict[Key, Node]) -> None:
        """A mark for each value that goes, in a list over the one that is below."""
        if not isinstance(lower.get(name), ListNode):
            return
        if not isinstance(values, ListNode):
            self._refuse(values, f"`{DROP}{name}` must be a list")
            return
        marks: list[Node] = [Mark(item.source, item.at, item=item) for item in values.items]
        given = entries.get(name)
        items = given.items if isinstance(given, ListNode) else []
        rule = own_rule(given) if isinstance(given, ListNode) else None
        entries[name] = ListNode([*marks, *items], values.source, values.at, None, True, (), rule or PLAIN)

    def _in_order(self, given: ListNode | None, order: ListNode, rule: ListRule, word: str) -> Node:
        """The list of a patch, with an order for what is merged of it; the patch must have that order itself."""
        items = given.items if given is not None else []
        source, at = (given.source, given.at) if given is not None else (order.source, order.at)
        names = [_name(item, rule) for item in order.items]
        left = iter(names)
        for item in items:
            name = _name(item, rule)
            if isinstance(item, Mark) or _asks(item) or name is None or not names:
                continue
            if name not in left:  # this goes on from the last one that was found
                why = f"`{word}` does not name this item, or in another order than the list"
                self._refuse(item, why, order, hint="name all items of the list in it, in the order of the list")
        known = tuple(name for name in names if name is not None)
        rule = ListRule(rule.strategy, rule.keys, origin=rule.origin, order=known)
        return ListNode(items, source, at, None, True, (), rule)

    def _refuse(self, node: Node, why: str, beside: Node | None = None, hint: str = "") -> None:
        labels = [Label(node.origin), *([Label(beside.origin)] if beside is not None else [])]
        self.wrong.append(PATCH_DIRECTIVE(*labels, why=why, hint=hint or "kubectl refuses this patch as well"))

    def _refuse_word(self, node: Node, asked: str) -> None:
        assert isinstance(node, MapNode)
        self._refuse(node.entries[WORD], f"`$patch: {asked}` is not known", hint="write delete or replace")

    # Lists

    def _check_words(self, node: ListNode) -> None:
        """That the items of a list that replaces ask for nothing else than kubectl can do."""
        for item in node.items:
            asked = _asked(item)
            if asked not in ("", DELETE, REPLACES):
                self._refuse_word(item, asked)

    def _check_plain(self, node: ListNode) -> None:
        """That a list of plain values is patched with plain values."""
        for item in node.items:
            if _is_open(item):
                hint = "write plain values; $deleteFromPrimitiveList removes some" if _asks(item) else ""
                self._refuse(item, f"this list has plain values, and the patch a {item.kind}", hint=hint)

    def _items(self, node: Node, below: Node, here: MergePolicy) -> list[Node]:
        """The items of a list with a merge key over another list."""
        assert isinstance(node, ListNode)
        rule = own_rule(node) or here.lists
        lower = {name: item for item in reversed(_items(below)) if (name := _name(item, rule)) is not None}
        items: list[Node] = []
        for item in node.items:
            asked = _asked(item)
            partner = lower.get(_name(item, rule))
            if asked and asked != DELETE:
                self._refuse_word(item, asked)
            elif asked:
                assert isinstance(item, MapNode)
                word = item.entries[WORD]
                item = Mark(word.source, word.at, item=item)
            items.append(item)
            if isinstance(item, MapNode):
                work = here.child(len(items) - 1)
                self._work.append((items, len(items) - 1, partner, work, False))
        return items

    def _whole(self, node: ListNode) -> Node:
        """The list that `- $patch: replace` asks for."""
        return with_items(node, [item for item in node.items if not _asks(item)], REPLACE)

    def _new_items(self, node: Node, drops: bool) -> list[Node]:
        assert isinstance(node, ListNode)
        items = [item for item in node.items if not _asks(item)]
        self._work.extend(
            (items, index, None, self._policy, drops) for index, item in enumerate(items) if _is_open(item)
        )
        return items


PLAIN = ListRule("patch-set")


def _name(item: Node, rule: ListRule) -> Hashable:
    """What identifies an item; None where that cannot be said."""
    try:
        return patch_name(item, rule, AT_REST)
    except (KeyMissing, Wait):
        return None


def _items(node: Node) -> list[Node]:
    return [item for item in node.items if not isinstance(item, Mark)] if isinstance(node, ListNode) else []


def _is_directive(key: Key) -> bool:
    text = str(key)
    return text.startswith("$") and (text in (WORD, RETAIN) or text.startswith((ORDER, DROP)))


def _asked(node: Node) -> str:
    """What a map asks for by `$patch`."""
    value = node.entries.get(WORD) if isinstance(node, MapNode) else None
    return (value.text if isinstance(value, Scalar) else value.kind) if value is not None else ""


def _asks(node: Node) -> bool:
    return isinstance(node, MapNode) and WORD in node.entries


def _is_open(node: Node) -> bool:
    return isinstance(node, MapNode | ListNode)


def _same_kind(node: Node, below: Node | None) -> bool:
    return below is not None and node.kind == below.kind


def _remade(node: Node, members: Members) -> Node:
    """A container with new members; itself, where they are the same."""
    if isinstance(node, MapNode):
        assert isinstance(members, dict)
        same = list(members) == list(node.entries) and all(map(_is, members.values(), node.entries.values()))
        return node if same else with_entries(node, members)
    assert isinstance(node, ListNode)
    assert isinstance(members, list)
    same = len(members) == len(node.items) and all(map(_is, members, node.items))
    return node if same else with_items(node, members)


def _is(one: Node, other: Node) -> bool:
    return one is other
