"""The places of values that plait.yaml protects."""

from __future__ import annotations

from plait.core.find import item_index, step_into
from plait.core.node import ListNode, Node
from plait.core.path import Keyed, Path, Step


def by_position(path: Path, *sides: Node | None) -> Path:
    """A path with positions instead of the keys of items, those of the first side that has the item."""
    if Keyed not in map(type, path):
        return path
    steps: list[Step] = []
    nodes = [side for side in sides if side is not None]
    for step in path:
        found = [item_index(node, step) for node in nodes if isinstance(node, ListNode)]
        steps.append(next((index for index in found if index is not None), step) if isinstance(step, Keyed) else step)
        nodes = [child for node in nodes if (child := step_into(node, step)) is not None]
    return tuple(steps)
