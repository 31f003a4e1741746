"""What becomes of a finished document: marked nodes are left out, functions become texts, escapes are taken off."""

from __future__ import annotations

from plait.core.find import step_into
from plait.core.node import Failure, Key, ListNode, MapNode, Mark, Node, Scalar, Suspension, children, rewrite, tag_of
from plait.core.walk import nodes_of, nothing_known, remade
from plait.fronts.spiff.address import is_put_in
from plait.fronts.spiff.stage import as_written
from plait.notations.dynaml.lookup import marked, marks_of, unmarked
from plait.notations.dynaml.values import TemplateBody

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path, Step

ESCAPED_KEYS = ("<<!", "<<<!")


def pruned(root: Node, marks: frozenset[str]) -> Node:
    """A finished tree without the nodes that carry one of the marks."""

    def kept(node: Node, _: None) -> tuple[Node, bool]:
        if isinstance(node, MapNode):
            entries = {name: child for name, child in node.entries.items() if marks.isdisjoint(marks_of(child))}
            return node.but(entries=entries, live=False, marks=()), True
        if isinstance(node, ListNode):
            items = [item for item in node.items if marks.isdisjoint(marks_of(item))]
            return node.but(items=items, live=False), True
        return node, False

    return remade(root, kept, None, nothing_known)


def written_out(root: Node, unescape: bool, inside: bool = False) -> Node:
    """A finished tree as it is printed: no marks, functions and templates as texts, one `!` less in escaped texts.

    `inside` says that texts may have escapes inside too.
    """
    made = rewrite(root, lambda node: _printed(node, unescape, inside))
    for node in nodes_of(made):
        if isinstance(node, MapNode | ListNode):
            node.tag = None if marks_of(node) else node.tag
        if isinstance(node, MapNode) and unescape and any(str(key).startswith(ESCAPED_KEYS) for key in node.entries):
            node.entries = {_unescaped_key(key): child for key, child in node.entries.items()}
    return made


LEFT_OUT = frozenset({"temporary", "local"})


def as_printed(root: Node, unescape: bool) -> Node:
    """A tree as it is printed, with what is left out of the result: the same object where nothing in it changes."""
    made: dict[int, Node] = {}
    for node in reversed(list(nodes_of(root))):
        kept = bool(marks_of(node)) and not LEFT_OUT.isdisjoint(marks_of(node))
        if isinstance(node, Scalar):
            left_out = kept and isinstance(node, TemplateBody)
            printed = node if kept else _printed(node, unescape, False)
            made[id(node)] = Mark(node.source, node.at) if left_out else printed
            continue
        tag = tag_of(node) if kept or not marks_of(node) else None
        changed = tag != tag_of(node) or any(made[id(child)] is not child for _, child in children(node))
        if isinstance(node, MapNode) and (changed or any(_unescaped_key(key) != key for key in node.entries)):
            entries = {_unescaped_key(key) if unescape else key: made[id(child)] for key, child in node.entries.items()}
            made[id(node)] = node.but(entries=entries, tag=tag)
        elif isinstance(node, ListNode) and changed:
            items = [made[id(item)] for item in node.items]
            made[id(node)] = node.but(items=items, tag=tag)
        else:
            made[id(node)] = node
    return made[id(root)]


def _printed(node: Node, unescape: bool, inside: bool) -> Node:
    if isinstance(node, TemplateBody):
        return node.printed
    plain = unmarked(node)
    text = plain.value if unescape and isinstance(plain, Scalar) else None
    if not isinstance(text, str) or "((!" not in text:
        return plain
    assert isinstance(plain, Scalar)
    if inside:
        shorter = text.replace("((!", "((")
    elif text.startswith("((!") and text.endswith("))"):
        shorter = f"(({text[3:]}"
    else:
        return plain
    return plain.but(value=shorter, text=shorter)


def _unescaped_key(key: Key) -> Key:
    if isinstance(key, str) and key.startswith(ESCAPED_KEYS):
        at = key.index("!")
        return key[:at] + key[at + 1 :]
    return key


def with_failures(root: Node, document: Node) -> Node:
    """A result in which what failed is the text that was written."""
    written: dict[tuple[int, int], Node] = {}
    for node in nodes_of(document):
        if isinstance(node, Suspension | MapNode | ListNode):
            written.setdefault((id(node.source), node.at), node)

    def leaf(node: Node) -> Node:
        if not isinstance(node, Failure):
            return node
        found = written.get((id(node.source), node.at))
        return Scalar(None, "null") if found is None else as_written(found)

    return as_written(rewrite(root, leaf))


def replaced(root: Node, values: dict[Path, Node]) -> Node:
    """A tree with other values at some paths. Each container on the way is copied once."""
    if not values or () in values:
        return values.get((), root)
    copies: dict[Path, Node] = {(): _copy(root)}
    for path, value in values.items():
        for depth in range(1, len(path)):
            above, here = path[: depth - 1], path[:depth]
            child = step_into(copies[above], here[-1])
            if child is None:
                break
            if here not in copies:
                copies[here] = _copy(child)
                _put(copies[above], here[-1], copies[here])
        else:
            _put(copies[path[:-1]], path[-1], value)
    return copies[()]


def _copy(node: Node) -> Node:
    if isinstance(node, MapNode):
        return node.but(entries=dict(node.entries))
    if isinstance(node, ListNode):
        return node.but(items=list(node.items))
    return node


def _put(node: Node, step: Step, value: Node) -> None:
    if isinstance(node, MapNode):
        node.entries[step] = value  # type: ignore[index]
    elif isinstance(node, ListNode) and isinstance(step, int) and step < len(node.items):
        node.items[step] = value


def puts_in(root: Node) -> bool:
    """Whether a stub has nodes that it puts into documents by itself."""
    return any(map(is_put_in, nodes_of(root)))


def state_of(root: Node) -> Node | None:
    """The parts of a result that are marked as `&state`; None where there are none. Without recursion."""
    if "state" in marks_of(root):
        return root
    found: dict[int, Node] = {}
    for node in reversed(list(nodes_of(root, lambda node: () if "state" in marks_of(node) else children(node)))):
        if "state" in marks_of(node):
            found[id(node)] = marked(node, None)
        elif isinstance(node, MapNode):
            entries = {key: found[id(child)] for key, child in node.entries.items() if id(child) in found}
            if entries:
                found[id(node)] = MapNode(entries, node.source, node.at)
    return found.get(id(root))
