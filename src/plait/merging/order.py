"""The order of what two sides of a merge have: items with a key, and documents of a file.

What is here keeps its order; what the generator adds goes after what precedes it there, and before what people added
at the same place. If only the generator reordered, its order arrives; if people did too, theirs stays.
"""

from __future__ import annotations

from plait.core.node import Key

TYPE_CHECKING = False
if TYPE_CHECKING:
    Place = tuple[str, Key | None]
    """A place in a map: `after` or `before` a key, or at its `end`."""
    Member = tuple[int | None, int | None, int | None]
    """Where a member of the result is here, in what is generated now, and in what was generated last."""

HERE, FRESH, BASE = 0, 1, 2
AT_END: Place = ("end", None)


class Arrangement:
    """The numbers of members in the order of the result.

    `followed`: the generator's new order replaces the one here. `disputed`: both sides reordered; the order here stays.
    """

    __slots__ = ("disputed", "followed", "numbers")

    def __init__(self, members: list[Member], overwrite: bool = False) -> None:
        here = _ordered(members, HERE)
        shared = [number for number in here if members[number][FRESH] is not None]
        fresh = _sorted(shared, members, FRESH)
        known = [number for number in shared if members[number][BASE] is not None]
        before = _sorted(known, members, BASE)
        based = set(known)
        moved, moved_here = before != [one for one in fresh if one in based], before != known
        differs = shared != fresh
        self.followed = differs and (overwrite or (moved and not moved_here))
        self.disputed = differs and not overwrite and moved and moved_here
        order = _with_others(fresh, here) if self.followed else here
        placed = _with_new(order, _ordered(members, FRESH))
        self.numbers = [*placed, *sorted(set(range(len(members))).difference(placed))]


def _ordered(members: list[Member], side: int) -> list[int]:
    return _sorted([number for number, member in enumerate(members) if member[side] is not None], members, side)


def _sorted(numbers: list[int], members: list[Member], side: int) -> list[int]:
    return sorted(numbers, key=lambda number: members[number][side] or 0)


def _with_others(fresh: list[int], here: list[int]) -> list[int]:
    """The members of both sides in the generator's order, each followed by those that only people have after it."""
    shared = set(fresh)
    after: dict[int, list[int]] = {}
    last = -1
    for number in here:
        if number in shared:
            last = number
        else:
            after.setdefault(last, []).append(number)
    return after.get(-1, []) + [one for number in fresh for one in (number, *after.get(number, ()))]


def _with_new(order: list[int], fresh: list[int]) -> list[int]:
    """What is here, with each new member after the one that precedes it in what is generated; at the end where nothing
    else of that is here."""
    there = set(order)
    if there.isdisjoint(fresh):
        return order + fresh
    after: dict[int, list[int]] = {}
    last = -1
    for number in fresh:
        if number in there:
            last = number
        else:
            after.setdefault(last, []).append(number)
    rest = [one for number in order for one in (number, *after.get(number, ()))]
    return after.get(-1, []) + rest


def places_of_keys(new: set[Key], here: list[Key], fresh: list[Key]) -> dict[Key, Place]:
    """Where new keys go in a map that has the keys `here`, as they are generated in the order `fresh`.

    A key goes after its predecessor if the keys around it are here in the generator's order, otherwise to the end.
    """
    there = {key: number for number, key in enumerate(here)}
    shared = sorted((key for key in fresh if key in there), key=there.__getitem__)
    if not shared:
        return dict.fromkeys(new, AT_END)
    follows: dict[Key, Key | None] = {}
    after: Key | None = None
    for key in reversed(fresh):
        follows[key] = after
        after = key if key in there else after
    places: dict[Key, Place] = {}
    before: Key | None = None
    for key in fresh:
        if key in new:
            places[key] = _place(before, follows[key], shared, there, here[0])
        before = key if key in there else before
    return places


def _place(before: Key | None, after: Key | None, shared: list[Key], there: dict[Key, int], first: Key) -> Place:
    if before is None:
        return ("before", first) if shared[0] == after else AT_END
    in_order = shared[-1] == before if after is None else there[before] < there[after]
    return ("after", before) if in_order else AT_END


def same_items(here: list[int], wanted: list[int]) -> list[int]:
    """Where the items of a list are here, in the order in which they are wanted; equal ones in order."""
    places: dict[int, list[int]] = {}
    for at, number in reversed([*enumerate(here)]):
        places.setdefault(number, []).append(at)
    return [places[number].pop() for number in wanted if places.get(number)]
