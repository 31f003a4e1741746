"""`coll`: maps and lists. Nothing here changes what it is given."""

from __future__ import annotations

from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.gomplate import jsonpath
from plait.notations.gotemplate.gomplate.casts import items, raw, text, whole, wrong_count
from plait.notations.gotemplate.positions import part
from plait.notations.gotemplate.sprig.equality import deep_equal
from plait.notations.gotemplate.sprig.lists import COMPARING, each_once
from plait.notations.gotemplate.values import (
    MAX_PARTS,
    MISSING,
    Strings,
    Uint8,
    endless,
    is_list,
    is_map,
    kind_name,
    lookup,
    plain,
    sorted_keys,
    type_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COLLECTIONS = FunctionGroup("gomplate collections", "gomplate: coll")
function = COLLECTIONS.function
_MAP = "map[string]interface {}"


# -- making


@function("coll.Slice conv.Slice", "func(...interface {}) []interface {}", "A list of the arguments.",
          '{{ coll.Slice 1 "a" }}', "[1 a]", lazy=True)  # fmt: skip
def make_list(*values: Any) -> list[Any]:
    return list(values)


@function("coll.Dict conv.Dict", f"func(...interface {{}}) ({_MAP}, error)",
          "A map of keys and values in turn; a last key alone has an empty text.",
          '{{ coll.Dict "a" 1 2 }}', "map[2: a:1]", lazy=True)  # fmt: skip
def make_map(*values: Any) -> dict[str, Any]:
    return {text(key): values[2 * at + 1] if 2 * at + 1 < len(values) else "" for at, key in enumerate(values[::2])}


# -- looking


@function("coll.Has conv.Has", "func(interface {}, string) bool", "Whether a map has a key, or a list a text.",
          '{{ coll.Has (dict "a" 1) "a" }}', "true", lazy=True)  # fmt: skip
def has(value: Any, key: str) -> bool:
    if is_map(value):
        return key in value
    return is_list(value) and any(item.__class__ is str and item == key for item in value)


@function("coll.Index", "func(...interface {}) (interface {}, error)",
          "What is at some keys, which must be there; the map or list comes last.",
          '{{ coll.Index "a" 1 (dict "a" (list 5 6)) }}', "6")  # fmt: skip
def index(*values: Any) -> Any:
    if len(values) < 2:
        raise wrong_count("2 or more", values)
    *keys, found = values
    if found is None:
        raise CallError("index of untyped nil")
    for key in keys:
        found = _member(found, key)
    return found


def _member(value: Any, key: Any) -> Any:
    """What a map or list has at a key; an error where it has nothing."""
    if is_map(value):
        if key.__class__ is not str:
            raise CallError(f"value has type {type_name(key)}; should be string")
        found = lookup(value, key)
        if found is MISSING:
            raise CallError(f"map has no key {key}")
        return found
    if value.__class__ is str or value.__class__ is bytes:
        letters = raw(value)
        return Uint8(letters[_position(key, len(letters))])
    if not is_list(value):
        raise CallError("index of nil pointer" if value is None else f"can't index item of type {type_name(value)}")
    return value[_position(key, len(value))]


def _position(key: Any, size: int) -> int:
    if not isinstance(key, int) or key.__class__ is bool:
        what = "nil" if key is None else f"type {type_name(key)}"
        raise CallError(f"cannot index slice/array with {what}")
    if not 0 <= key < size:
        raise CallError(f"index out of range: {key}")
    return int(key)


@function("coll.Keys", f"func(...{_MAP}) ([]string, error)", "The keys of maps, those of each in order.",
          '{{ coll.Keys (dict "b" 1 "a" 2) (dict "a" 3) }}', "[a b a]")  # fmt: skip
def keys_of(*maps: dict[str, Any]) -> Strings:
    if not maps:
        raise CallError("need at least one argument")
    return Strings([key for one in maps for key in sorted_keys(one)])


@function("coll.Values", f"func(...{_MAP}) ([]interface {{}}, error)", "The values of maps, in the order of the keys.",
          '{{ coll.Values (dict "b" 1 "a" 2) (dict "a" 3) }}', "[2 1 3]")  # fmt: skip
def values_of(*maps: dict[str, Any]) -> list[Any]:
    if not maps:
        raise CallError("need at least one argument")
    return [one[key] for one in maps for key in sorted_keys(one)]


# -- lists


@function("coll.Append", "func(interface {}, interface {}) ([]interface {}, error)",
          "A list with an item more at the end.", "{{ coll.Append 2 (list 1) }}", "[1 2]")  # fmt: skip
def append(item: Any, value: Any) -> list[Any]:
    return [*items(value), item]


@function("coll.Prepend", "func(interface {}, interface {}) ([]interface {}, error)",
          "A list with an item more at the start.", "{{ coll.Prepend 0 (list 1) }}", "[0 1]")  # fmt: skip
def prepend(item: Any, value: Any) -> list[Any]:
    return [item, *items(value)]


@function("coll.Uniq", "func(interface {}) ([]interface {}, error)", "Each item of a list once.",
          '{{ coll.Uniq (list 1 2 "1" 1) }}', "[1 2 1]", context=True)  # fmt: skip
def uniq(frame: Any, value: Any) -> list[Any]:
    return each_once(frame, items(value))


@function("coll.Reverse", "func(interface {}) ([]interface {}, error)", "The items from the last to the first.",
          "{{ coll.Reverse (list 1 2 3) }}", "[3 2 1]")  # fmt: skip
def reverse(value: Any) -> list[Any]:
    return items(value)[::-1]


@function("coll.Flatten flatten", "func(...interface {}) ([]interface {}, error)",
          "A list of lists as one list, all the way down or to a depth: [DEPTH] LIST.",
          "{{ coll.Flatten 1 (list 1 (list 2 (list 3))) }}", "[1 2 [3]]")  # fmt: skip
def flatten(*values: Any) -> list[Any]:
    if not 1 <= len(values) <= 2:
        raise wrong_count("1 or 2", values)
    depth = whole(values[0]) if len(values) == 2 else -1
    out: list[Any] = []
    todo = [(item, depth) for item in reversed(items(values[-1]))]
    while todo:
        if len(out) > MAX_PARTS or len(todo) > MAX_PARTS:
            raise endless()
        item, left = todo.pop()
        if left and kind_name(item) == "slice":
            todo.extend((inner, left - 1) for inner in reversed(items(item)))
        else:
            out.append(item)
    return out


@function("coll.GoSlice", "func(reflect.Value, ...reflect.Value) (reflect.Value, error)",
          "A part of a list or a string, as Go's own `slice` cuts it.",
          '{{ coll.GoSlice "abcd" 1 3 }}', "bc")  # fmt: skip
def go_slice(value: Any, *indexes: Any) -> Any:
    return part(value, *indexes)


# -- order


class _Ranked:
    """An item of a list that is sorted: by itself, or by one of its keys where it is a map."""

    __slots__ = ("item", "key")

    def __init__(self, item: Any, key: str) -> None:
        self.item = item
        self.key = key

    def __lt__(self, other: _Ranked) -> bool:
        if not is_map(self.item):
            return _before(self.item, other.item)
        if self.key not in self.item:
            return False
        if self.key not in other.item:
            raise CallError(f"a map of the list has no key {self.key}")
        return _before(self.item[self.key], other.item[self.key])


def _before(left: Any, right: Any) -> bool:
    """Whether a text or number comes before another; values of other kinds have no order."""
    if left.__class__ is bool or not isinstance(left, str | int | float):
        return False
    kinds = (str, int, float)
    if [isinstance(left, kind) for kind in kinds] != [isinstance(right, kind) for kind in kinds]:
        raise CallError(f"cannot compare {type_name(left)} with {type_name(right)}")
    return bool(left < right)


@function("coll.Sort sort", "func(...interface {}) ([]interface {}, error)",
          "The items of a list in order, if all are of one kind; maps by a key: [KEY] LIST.",
          '{{ coll.Sort "n" (list (dict "n" 2) (dict "n" 1)) }}', "[map[n:1] map[n:2]]")  # fmt: skip
def sort(*values: Any) -> list[Any]:
    if not 1 <= len(values) <= 2:
        raise wrong_count("1 or 2", values)
    if values[-1] is None:
        return []
    given = items(values[-1])
    kinds = {kind_name(item) for item in given}
    if "invalid" in kinds and kind_name(given[0]) == "invalid":
        raise CallError("a list that begins with nil cannot be sorted")
    if len(kinds) > 1:
        return given
    key = text(values[0]) if len(values) == 2 else ""
    return [ranked.item for ranked in sorted(_Ranked(item, key) for item in given)]


# -- maps


@function("coll.Merge", f"func({_MAP}, ...{_MAP}) ({_MAP}, error)", "Maps merged all the way down; earlier ones win.",
          '{{ coll.Merge (dict "a" (dict "b" nil)) (dict "a" (dict "b" 1 "c" 2)) }}',
          "map[a:map[b:<nil> c:2]]")  # fmt: skip
def merge(first: dict[str, Any], *others: dict[str, Any]) -> dict[str, Any]:
    result = first
    for other in others:
        result = _merged(result, other)
    return result


def _merged(above: dict[str, Any], below: dict[str, Any]) -> dict[str, Any]:
    result = dict(below)
    todo = [(result, above)]
    left = MAX_PARTS
    while todo:
        into, over = todo.pop()
        left -= len(over)
        if left < 0:
            raise endless()
        for key, value in over.items():
            under = into.get(key)
            if value.__class__ is dict and under.__class__ is dict:
                into[key] = {**under}
                todo.append((into[key], value))
            else:
                into[key] = value
    return result


def _chosen(values: tuple[Any, ...]) -> tuple[dict[str, Any], set[str]]:
    """The map that comes last, and the keys before it: one by one, or a list of them."""
    if len(values) < 2:
        raise wrong_count("2 or more", values)
    *keys, mapping = values
    if type_name(mapping) != _MAP:
        raise CallError(f"wrong map type: must be {_MAP}, got {type_name(mapping)}")
    if len(keys) == 1 and is_list(keys[0]):
        keys = list(keys[0])
    for key in keys:
        if key.__class__ is not str:
            raise CallError(f"wrong key type: must be string, got {type_name(key)} ({text(key)})")
    return mapping, set(keys)


@function("coll.Pick", f"func(...interface {{}}) ({_MAP}, error)", "Only these keys; the map comes last.",
          '{{ coll.Pick "a" "c" (dict "a" 1 "b" 2) }}', "map[a:1]")  # fmt: skip
def pick(*values: Any) -> dict[str, Any]:
    mapping, wanted = _chosen(values)
    return {key: value for key, value in mapping.items() if key in wanted}


@function("coll.Omit", "func(...interface {}) (interface {}, error)",
          "All but these keys of a map, or these items of a list, which comes last.",
          '{{ coll.Omit "a" "c" (dict "a" 1 "b" 2) }}', "map[b:2]", context=True)  # fmt: skip
def omit(frame: Any, *values: Any) -> Any:
    if len(values) > 1 and is_list(values[-1]):
        unwanted = list(values[0]) if len(values) == 2 and is_list(values[0]) else values[:-1]
        frame.meter.step(COMPARING * len(unwanted) * len(values[-1]))
        return [item for item in values[-1] if not any(deep_equal(item, other) for other in unwanted)]
    mapping, keys = _chosen(values)
    return {key: value for key, value in mapping.items() if key not in keys}


@function("coll.Set", f"func(string, interface {{}}, {_MAP}) ({_MAP}, error)", "A map with a key set.",
          '{{ coll.Set "b" 2 (dict "a" 1) }}', "map[a:1 b:2]")  # fmt: skip
def set_key(key: str, value: Any, mapping: dict[str, Any]) -> dict[str, Any]:
    return {**mapping, key: value}


@function("coll.Unset", f"func(string, {_MAP}) ({_MAP}, error)", "A map without a key.",
          '{{ coll.Unset "a" (dict "a" 1 "b" 2) }}', "map[b:2]")  # fmt: skip
def unset_key(key: str, mapping: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name != key}


# -- queries


@function("coll.JSONPath jsonpath", "func(string, interface {}) (interface {}, error)",
          "What a JSONPath finds, as Kubernetes has it: one value, or a list of several.",
          '{{ coll.JSONPath "..b" (dict "a" (dict "b" 1) "c" (list (dict "b" 2))) }}', "[1 2]",
          context=True)  # fmt: skip
def json_path(frame: Any, path: str, data: Any) -> Any:
    found = jsonpath.find(path, plain(data, frame.state.reader), frame.meter)
    return found[0] if len(found) == 1 else found


@function("coll.JQ jq", "func(string, interface {}) (interface {}, error)",
          "What an expression finds: the language of `--query`.", "", "", context=True)  # fmt: skip
def jq(frame: Any, expression: str, data: Any) -> Any:
    return frame.host.query(expression, plain(data, frame.state.reader))
