"""Which item of one list is which item of another: by the fields that identify it."""

from __future__ import annotations

from plait.core.node import Mapping, Node, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def key_of(
    item: Node, names: tuple[str, ...], reveal: Callable[[Node], Node]
) -> tuple[tuple[type, object], ...] | None:
    """What identifies an item: the types and values of its key fields; None where one is missing."""
    item = reveal(item)
    if not isinstance(item, Mapping):
        return None
    key = []
    for name in names:
        field = item.entries.get(name)
        field = None if field is None else reveal(field)
        if not isinstance(field, Scalar):
            return None
        key.append((field.value.__class__, field.value))
    return tuple(key)
