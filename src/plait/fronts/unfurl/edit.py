"""Edits of an expanded document: what it is to be, sharing everything that stays with what it was."""

from __future__ import annotations

from plait.core.diagnostic import Label, PlaitError
from plait.core.find import entry_key, item_index, step_into
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, equal, key_text
from plait.core.path import Path, Step, format_path
from plait.core.struct import struct
from plait.core.visible import counted
from plait.core.walk import pairs_of
from plait.notations.directives.grammar import reads_as_directive
from plait.report.catalog import READS_AS_DIRECTIVE, UNKNOWN_PATH
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


@struct
class ValueEdit:
    """One edit: a value at a path, or, without one, its removal. `create`: whether the path may be a new one."""

    path: Path
    value: Node | None
    create: bool = True

    def __repr__(self) -> str:
        return f"ValueEdit({format_path(self.path)}: {self.value!r})"


def edited(root: Node, changes: Iterable[ValueEdit]) -> Node:
    """The document with all changes made, one after the other."""
    for change in changes:
        refuse_directives_in(change)
        root = _changed(root, change)
    return root


def refuse_directives_in(change: ValueEdit) -> None:
    """A new key that would read as a directive cannot be written as data."""
    if change.value is None:
        return
    for step in change.path:
        if isinstance(step, str) and reads_as_directive(step):
            raise _refused(step, change.value)
    refuse_directives(change.value)


def refuse_directives(value: Node) -> None:
    refuse_new_directives(None, value)


def _refused(key: str, node: Node) -> PlaitError:
    hint = "to write a directive, use `plait set` without --expanded"
    return READS_AS_DIRECTIVE.error(Label(node.origin), key=key, hint=hint)


def _changed(root: Node, change: ValueEdit) -> Node:
    spine: list[tuple[Node, Step]] = []
    node, made = root, change.value
    for depth, step in enumerate(change.path):
        child = step_into(node, step)
        spine.append((node, step))
        if child is None:
            if made is None or not change.create or not isinstance(node, MapNode | ListNode):
                raise nowhere(node, step, change.path, change.value is not None)
            made = _nested(change.path[depth + 1 :], made)
            break
        node = child
    for container, step in reversed(spine):
        made = _with(container, step, made)
    return made if made is not None else root


def _nested(path: Path, node: Node) -> Node:
    for step in reversed(path):
        node = MapNode({step if isinstance(step, str) else format_path((step,)): node})
    return node


def nowhere(node: Node, step: Step, path: Path, may_be_new: bool = False) -> PlaitError:
    """The error for a path that ends in a node without such a step."""
    names = [key_text(key) for key in node.entries] if isinstance(node, MapNode) else []
    near = did_you_mean(str(step), names) or (
        f"available: {', '.join(names[:8])}" if names else "it is empty" if isinstance(node, MapNode) else ""
    )
    if isinstance(node, ListNode):
        near = f"the list has {counted(len(node.items), 'item')}"
    create = "--create adds missing parts of the path" if may_be_new and isinstance(node, MapNode | ListNode) else ""
    return UNKNOWN_PATH.error(
        path=format_path(path),
        hint="\n".join(filter(None, (near, create)))
        or f"the path goes through a {node.kind}, which has no values inside",
    )


def _with(container: Node, step: Step, child: Node | None) -> Node:
    """A container with one member given, or taken away."""
    if isinstance(container, MapNode):
        key = entry_key(container, step)
        name: Key = key if key is not None else step if isinstance(step, str | Node) else str(step)
        entries = dict(container.entries)
        if child is None:
            del entries[name]
        else:
            entries[name] = child
        return MapNode(entries, container.source, container.at, container.tag)
    assert isinstance(container, ListNode)
    index = item_index(container, step)
    items = list(container.items)
    if index is None:
        assert child is not None
        items.append(child)
    else:
        items[index : index + 1] = [] if child is None else [child]
    return ListNode(items, container.source, container.at, container.tag)


def reconciled(old: Node, new: Node) -> Node:
    """The new tree with every part that is equal to what stood at its place exchanged for the old one.

    Without recursion.
    """
    holder: list[Node] = [new]
    work: list[tuple[Node, list[Node] | dict[Key, Node], Key | int, bool]] = [(old, holder, 0, False)]
    while work:
        before, target, key, visited = work.pop()
        node = target[key]  # type: ignore[index]
        if node is before:
            continue
        if visited:
            if _same_parts(before, node):
                target[key] = before  # type: ignore[index]
            continue
        if isinstance(node, MapNode) and isinstance(before, MapNode):
            entries = dict(node.entries)
            target[key] = MapNode(entries, node.source, node.at, node.tag)  # type: ignore[index]
            work.append((before, target, key, True))
            work.extend((child, entries, name, False) for name, child in before.entries.items() if name in entries)
        elif isinstance(node, ListNode) and isinstance(before, ListNode):
            items = list(node.items)
            target[key] = ListNode(items, node.source, node.at, node.tag)  # type: ignore[index]
            work.append((before, target, key, True))
            work.extend((child, items, index, False) for index, child in enumerate(before.items[: len(items)]))
        elif isinstance(node, Scalar) and equal(before, node):
            target[key] = before  # type: ignore[index]
    return holder[0]


def _same_parts(a: Node, b: Node) -> bool:
    """Whether two containers hold the very same parts."""
    if isinstance(a, MapNode) and isinstance(b, MapNode):
        return (
            a.tag == b.tag
            and len(a.entries) == len(b.entries)
            and all(b.entries.get(k) is v for k, v in a.entries.items())
        )
    if isinstance(a, ListNode) and isinstance(b, ListNode):
        same = len(a.items) == len(b.items) and a.tag == b.tag
        return same and all(x is y for x, y in zip(a.items, b.items, strict=True))
    return False


def refuse_new_directives(old: Node | None, new: Node) -> None:
    """The same for a whole document: keys that were there before may stay."""
    for path, node, before in pairs_of(new, old):
        if path and before is None and isinstance(key := path[-1], str) and reads_as_directive(key):
            raise _refused(key, node)
