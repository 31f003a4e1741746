"""What a step of a path leads to in a known container."""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node, Scalar, Sequence, key_text
from plait.core.path import Keyed, Step, Wildcard


def step_into(node: Node, step: Step) -> Node | None:
    """The child that a step leads to in a known container, or None."""
    if isinstance(node, Mapping):
        key = entry_key(node, step)
        return None if key is None else node.entries[key]
    if isinstance(node, Sequence):
        index = item_index(node, step)
        return None if index is None else node.items[index]
    return None


def entry_key(node: Mapping, step: Step) -> Key | None:
    """The key of a mapping that a step means: the text itself, else a key of another type written that way, or a
    number written otherwise."""
    if isinstance(step, Node):
        return step if step in node.entries else None
    if isinstance(step, Keyed | Wildcard):
        return None
    name = str(step)
    if name in node.entries:
        return name
    for key in node.entries:
        if not isinstance(key, str) and (key_text(key) == name or is_number(key, name)):
            return key
    return None


def is_number(key: Node, name: str) -> bool:
    """Whether a key is a whole number: `+1`, `0x1` and `1` are one key."""
    return isinstance(key, Scalar) and key.value.__class__ is int and str(key.value) == name


def item_index(node: Sequence, step: Step) -> int | None:
    """The index of a list that a step means."""
    if isinstance(step, Keyed):
        return next((index for index, item in enumerate(node.items) if is_meant(item, step)), None)
    if isinstance(step, str) and step.lstrip("-").isdigit():
        step = int(step)
    if isinstance(step, int) and -len(node.items) <= step < len(node.items):
        return step % len(node.items)
    return None


def is_meant(item: Node, step: Keyed) -> bool:
    """Whether a list item is the one that a step means."""
    if step.names == ("",):
        return isinstance(item, Scalar) and item.text == step.values[0]
    if not isinstance(item, Mapping):
        return False
    fields = zip(map(item.entries.get, step.names), step.values, strict=True)
    return all(isinstance(field, Scalar) and field.text == value for field, value in fields)
