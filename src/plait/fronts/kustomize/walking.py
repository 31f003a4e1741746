"""Fields of a resource by the paths of kustomize's tables."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.fronts.kustomize.history import is_absent
from plait.report.catalog import KUSTOMIZE_FIELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import PlaitError
    from plait.fronts.kustomize.history import Holder


def slots(
    root: Node, steps: tuple[str, ...], creates: bool = False, like: Node | None = None
) -> Iterator[tuple[Holder, str]]:
    """The maps that have, or with `creates` are to get, the last step of a path, each with that key. Lists on the way
    are walked item by item; maps on the way are made where they are wanted and missing."""
    stack = [(root, 0)]
    while stack:
        node, at = stack.pop()
        if isinstance(node, ListNode):
            stack.extend((item, at) for item in reversed(node.items))
            continue
        if not isinstance(node, MapNode):
            if not is_absent(node):
                raise unexpected(node, "a mapping or a list", steps[:at])
            continue
        name = steps[at].removesuffix("[]")
        is_list = name != steps[at]
        if at == len(steps) - 1:
            if creates or name in node.entries:
                yield node, name
            continue
        found = node.entries.get(name)
        if is_absent(found):
            if not creates or is_list:
                continue
            found = node.entries[name] = MapNode({}, like.source if like is not None else node.source)
        assert found is not None
        stack.append((found, at + 1))


def unexpected(node: Node, wanted: str, steps: tuple[str, ...]) -> PlaitError:
    """The error for a value of another kind, on the way to a field that is to be changed or in it."""
    why = f"{wanted} is expected at `{'.'.join(steps)}`"
    return KUSTOMIZE_FIELD.error(Label(node.origin), why=why)


def leaves(holder: Holder, key: str | int) -> Iterator[tuple[Holder, str | int, Scalar]]:
    """The single values of a field: itself, or those of its list or map."""
    node = holder.entries.get(str(key)) if isinstance(holder, MapNode) else holder.items[int(key)]
    if isinstance(node, Scalar):
        yield holder, key, node
    elif isinstance(node, ListNode):
        for number, item in enumerate(node.items):
            if isinstance(item, Scalar):
                yield node, number, item
    elif isinstance(node, MapNode):
        for name, value in list(node.entries.items()):
            if isinstance(value, Scalar):
                yield node, str(name), value
