"""Filters on lists and maps."""

from __future__ import annotations

from itertools import combinations, permutations, product, zip_longest
from math import comb, perm, prod

from plait.core.meter import ITEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.core.meter import Meter

NULLS = (None, "None", "null")
"""What counts as nothing where a list is flattened."""


def combine(meter: Meter, *given: Any, recursive: bool = False, list_merge: str = "replace") -> object:
    """Several maps as one: later ones win. Maps inside are merged where it is recursive, lists as `list_merge` says."""
    if list_merge not in LISTS:
        raise ValueError(f"combine: there is no `list_merge` {list_merge!r}; available: {', '.join(LISTS)}")
    maps = [one for value in given for one in (value if isinstance(value, list) else [value])]
    for one in maps:
        if not isinstance(one, dict):
            raise TypeError(f"combine: it takes maps, and this is {type_debug(meter, one)}")
    made: dict[Any, Any] = {}
    for one in maps:
        made = _combined(made, one, recursive, LISTS[list_merge])
    return made


def _combined(low: dict[Any, Any], high: dict[Any, Any], recursive: bool, lists: Callable[..., Any]) -> dict[Any, Any]:
    made = dict(low)
    for key, value in high.items():
        below = made.get(key)
        if recursive and isinstance(value, dict) and isinstance(below, dict):
            value = _combined(below, value, recursive, lists)
        elif isinstance(value, list) and isinstance(below, list):
            value = lists(below, value)
        made[key] = value
    return made


def _others(items: list[Any], besides: list[Any]) -> list[Any]:
    return [item for item in items if item not in besides]


LISTS: dict[str, Callable[[list[Any], list[Any]], list[Any]]] = {
    "replace": lambda low, high: high,
    "keep": lambda low, high: low,
    "append": lambda low, high: low + high,
    "prepend": lambda low, high: high + low,
    "append_rp": lambda low, high: _others(low, high) + high,
    "prepend_rp": lambda low, high: high + _others(low, high),
}
"""What becomes of two lists under one key."""


def dict2items(meter: Meter, value: Any, key_name: str = "key", value_name: str = "value") -> object:
    if not isinstance(value, dict):
        raise TypeError("dict2items: it takes a map")
    return [{key_name: key, value_name: child} for key, child in value.items()]


def items2dict(meter: Meter, value: Any, key_name: str = "key", value_name: str = "value") -> object:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise TypeError("items2dict: it takes a list of maps")
    return {item[key_name]: item[value_name] for item in value}


def flatten(meter: Meter, value: Any, levels: int | None = None, skip_nulls: bool = True) -> object:
    """The items of lists inside a list, down to a level."""
    made: list[Any] = []
    waiting = [(item, levels) for item in reversed(_listed("flatten", value))]
    while waiting:
        item, left = waiting.pop()
        if isinstance(item, list) and (left is None or left > 0):
            waiting += ((child, None if left is None else left - 1) for child in reversed(item))
        elif not skip_nulls or isinstance(item, bool) or item not in NULLS:
            made.append(item)
    return made


def _listed(name: str, *values: Any) -> list[Any]:
    for value in values:
        if not isinstance(value, list):
            raise TypeError(f"{name}: it takes lists")
    found: list[Any] = values[0]
    return found


class Distinct:
    """Values that were met, found again by themselves where they can be, and by looking through the others."""

    __slots__ = ("_others", "_plain")

    def __init__(self, items: list[Any] | None = None) -> None:
        self._plain: set[Any] = set()
        self._others: list[Any] = []
        for item in items or ():
            self.add(item)

    def add(self, item: Any) -> bool:
        """Whether it is new."""
        if item in self:
            return False
        self._others.append(item) if isinstance(item, list | dict) else self._plain.add(item)
        return True

    def __contains__(self, item: Any) -> bool:
        return item in (self._others if isinstance(item, list | dict) else self._plain)


def _once(items: list[Any], wanted: Callable[[Any], bool] = lambda item: True) -> list[Any]:
    met = Distinct()
    return [item for item in items if wanted(item) and met.add(item)]


def union(meter: Meter, value: Any, other: Any) -> object:
    _listed("union", value, other)
    _compared(meter, value, other)
    return _once(value + other)


def intersect(meter: Meter, value: Any, other: Any) -> object:
    _listed("intersect", value, other)
    _compared(meter, value, other)
    return _once(value, Distinct(other).__contains__)


def difference(meter: Meter, value: Any, other: Any) -> object:
    _listed("difference", value, other)
    _compared(meter, value, other)
    others = Distinct(other)
    return _once(value, lambda item: item not in others)


def symmetric_difference(meter: Meter, value: Any, other: Any) -> object:
    _listed("symmetric_difference", value, other)
    _compared(meter, value, other)
    sides = Distinct(value), Distinct(other)
    return _once(value + other, lambda item: (item in sides[0]) is not (item in sides[1]))


def _compared(meter: Meter, *lists: list[Any]) -> None:
    """Charge for lists and maps among the items: each is compared with all others."""
    meter.step(sum(isinstance(item, list | dict) for one in lists for item in one) ** 2 // 8)


def subset(meter: Meter, value: Any, other: Any) -> bool:
    known = Distinct(_listed("subset", other, value))
    return all(item in known for item in value)


def superset(meter: Meter, value: Any, other: Any) -> bool:
    return subset(meter, other, value)


def contains(meter: Meter, value: Any, item: Any) -> bool:
    return item in value


def zipped(meter: Meter, *lists: Any) -> object:
    return [list(row) for row in zip(*lists, strict=False)]


def zipped_longest(meter: Meter, *lists: Any, fillvalue: Any = None) -> object:
    meter.make(max(map(len, lists), default=0) * len(lists) * ITEM)
    return [list(row) for row in zip_longest(*lists, fillvalue=fillvalue)]


def products(meter: Meter, *lists: Any, repeat: int = 1) -> object:
    meter.make(min(prod(map(len, lists)) ** min(repeat, 64), LARGE) * len(lists) * repeat * ITEM)
    return [list(row) for row in product(*lists, repeat=repeat)]


def permuted(meter: Meter, value: Any, r: int | None = None) -> object:
    length = len(value) if r is None else r
    meter.make(min(perm(len(value), length), LARGE) * length * ITEM)
    return [list(row) for row in permutations(value, length)]


def combined(meter: Meter, value: Any, r: int) -> object:
    meter.make(min(comb(len(value), r), LARGE) * r * ITEM)
    return [list(row) for row in combinations(value, r)]


LARGE = 10**12
"""More rows than anybody can have."""


def subelements(meter: Meter, value: Any, path: Any, skip_missing: bool = False) -> object:
    """Each item with each item of a list in it."""
    items = list(value.values()) if isinstance(value, dict) else _listed("subelements", value)
    steps = path if isinstance(path, list) else str(path).split(".")
    made: list[Any] = []
    for item in items:
        found = item
        for step in steps:
            if not isinstance(found, dict):
                raise TypeError(f"subelements: the value before `{step}` is no map")
            if step not in found and not skip_missing:
                raise KeyError(f"subelements: an item has no `{step}`")
            found = found.get(step, [])
        if not isinstance(found, list):
            raise TypeError(f"subelements: the value at `{steps[-1]}` is no list")
        made += ([item, child] for child in found)
    return made


def extract(meter: Meter, key: Any, container: Any, morekeys: Any = None) -> object:
    """The value of a key in a container, and of further keys in that."""
    found = container
    for step in [key, *(morekeys if isinstance(morekeys, list) else [] if morekeys is None else [morekeys])]:
        found = found[step]
    return found


def rekey_on_member(meter: Meter, value: Any, key: Any, duplicates: str = "error") -> object:
    """Maps by the value of a key in each."""
    if duplicates not in ("error", "overwrite"):
        raise ValueError(f"rekey_on_member: `duplicates` is error or overwrite, not {duplicates!r}")
    made: dict[Any, Any] = {}
    for item in value.values() if isinstance(value, dict) else _listed("rekey_on_member", value):
        if not isinstance(item, dict) or key not in item:
            raise KeyError(f"rekey_on_member: an item has no `{key}`")
        if item[key] in made and duplicates == "error":
            raise ValueError(f"rekey_on_member: two items have the {key} `{item[key]}`")
        made[item[key]] = item
    return made


# Single values


def as_bool(meter: Meter, value: Any) -> object:
    if value is None or isinstance(value, bool):
        return value
    return (value.lower() if isinstance(value, str) else value) in ("yes", "on", "1", "true", 1)


WORDS = {
    **dict.fromkeys(("y", "yes", "on", "1", "true", "t", "1.0"), True),
    **dict.fromkeys(("n", "no", "off", "0", "false", "f", "0.0"), False),
}
"""Words for yes and no."""


def truthy(meter: Meter, value: Any, convert_bool: bool = False) -> bool:
    return bool(WORDS.get(str(value).lower(), value) if convert_bool else value)


def ternary(meter: Meter, value: Any, yes: Any, no: Any, none_val: Any = None) -> object:
    if value is None and none_val is not None:
        return none_val
    return yes if value else no


def type_debug(meter: Meter, value: Any) -> str:
    return type(value).__name__


FILTERS: dict[str, Callable[..., object]] = {
    "combine": combine,
    "dict2items": dict2items,
    "items2dict": items2dict,
    "flatten": flatten,
    "union": union,
    "intersect": intersect,
    "difference": difference,
    "symmetric_difference": symmetric_difference,
    "zip": zipped,
    "zip_longest": zipped_longest,
    "product": products,
    "permutations": permuted,
    "combinations": combined,
    "subelements": subelements,
    "extract": extract,
    "rekey_on_member": rekey_on_member,
    "bool": as_bool,
    "ternary": ternary,
    "type_debug": type_debug,
}
TESTS: dict[str, Callable[..., bool]] = {
    **dict.fromkeys(("subset", "issubset"), subset),
    **dict.fromkeys(("superset", "issuperset"), superset),
    "contains": contains,
    "any": lambda meter, value: any(value),
    "all": lambda meter, value: all(value),
    "truthy": truthy,
    "falsy": lambda meter, value, convert_bool=False: not truthy(meter, value, convert_bool),
}
