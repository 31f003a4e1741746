"""Paths that people write, resolved against several versions of one tree: by key or by index, in all of them.

An index means the item at that place in the first version that has one; where the items of the list have a key, the
resolved path names the item by its key, as the three-way merge and its report do.
"""

from __future__ import annotations

from plait.core.find import entry_key, item_index, step_into
from plait.core.node import ListNode, MapNode
from plait.core.path import Wildcard
from plait.merging.align import pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Node
    from plait.core.path import Path, Step
    from plait.core.policy import MergePolicy

    Sides = tuple[Node | None, ...]


def located(path: Path, sides: Sides, policy: MergePolicy) -> Path | None:
    """The path as the merge spells it; None where no version has anything there."""
    steps: list[Step] = []
    for step in path:
        taken = _step(step, sides, policy)
        if taken is None:
            return None
        steps.append(taken[0])
        sides = taken[1]
        policy = policy.child(taken[0], step if isinstance(step, int) else None)
    return tuple(steps)


def _step(step: Step, sides: Sides, policy: MergePolicy) -> tuple[Step, Sides] | None:
    """One step further: how the merge spells it, and what each version has there."""
    for side in sides:
        if isinstance(side, MapNode) and (key := entry_key(side, step)) is not None:
            return key, tuple(step_into(one, key) if isinstance(one, MapNode) else None for one in sides)
        if isinstance(side, ListNode) and (index := item_index(side, step)) is not None:
            return _item(index, side, sides, policy)
    return None


def _item(index: int, chosen: ListNode, sides: Sides, policy: MergePolicy) -> tuple[Step, Sides]:
    lists = tuple(side if isinstance(side, ListNode) else None for side in sides)
    number = next(at for at, side in enumerate(sides) if side is chosen)
    for spelled, places in pair(lists, policy.lists) or ():
        if places[number] == index:
            return spelled, tuple(
                side.items[at] if side is not None and at is not None else None
                for side, at in zip(lists, places, strict=True)
            )
    return index, tuple(side.items[index] if side is chosen else None for side in lists)


def can_hold(path: Path, sides: Sides, policy: MergePolicy) -> Path | None:
    """The path spelled for the merge if a value can be put there: as far as it exists, and through new maps from
    then on."""
    steps: list[Step] = []
    for depth, step in enumerate(path):
        taken = _step(step, sides, policy)
        if taken is None:
            there = [side for side in sides if side is not None]
            plain = all(isinstance(rest, str) for rest in path[depth:])
            return (*steps, *path[depth:]) if plain and not any(isinstance(side, ListNode) for side in there) else None
        steps.append(taken[0])
        sides = taken[1]
        policy = policy.child(taken[0], step if isinstance(step, int) else None)
    return tuple(steps)


def has_wildcard(path: Path) -> bool:
    return any(isinstance(step, Wildcard) for step in path)
