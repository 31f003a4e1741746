"""Lists. Nothing here changes a list: every function gives a new one."""

from __future__ import annotations

from plait.notations.gotemplate.casts import is_empty, to_int
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.sprig.equality import deep_equal
from plait.notations.gotemplate.values import Lists, NilList, is_list, kind_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LISTS = FunctionGroup("lists", "Lists")
function = LISTS.function
COMPARING = 2
"""What comparing two values costs, in steps."""


def _items(value: Any, doing: str) -> list[Any]:
    """The items of a list, or Sprig's error for any other value."""
    if value is None:
        raise CallError("runtime error: invalid memory address or nil pointer dereference")
    if not is_list(value):
        raise CallError(f"Cannot {doing} on type {kind_name(value)}")
    return value  # type: ignore[no-any-return]


@function(
    "list tuple",
    "func(...interface {}) []interface {}",
    "A list of the arguments.",
    '{{ list 1 "a" }}',
    "[1 a]",
    lazy=True,
)
def make_list(*values: Any) -> list[Any]:
    return list(values)


@function("first mustFirst", "func(interface {}) interface {}", "The first item.", "{{ list 1 2 3 | first }}", "1")
def first(value: Any) -> Any:
    items = _items(value, "find first")
    return items[0] if items else None


@function("last mustLast", "func(interface {}) interface {}", "The last item.", "{{ list 1 2 3 | last }}", "3")
def last(value: Any) -> Any:
    items = _items(value, "find last")
    return items[-1] if items else None


@function(
    "rest mustRest", "func(interface {}) []interface {}", "All but the first item.", "{{ list 1 2 3 | rest }}", "[2 3]"
)
def rest(value: Any) -> list[Any]:
    items = _items(value, "find rest")
    return list(items[1:]) if items else NilList()


@function(
    "initial mustInitial",
    "func(interface {}) []interface {}",
    "All but the last item.",
    "{{ list 1 2 3 | initial }}",
    "[1 2]",
)
def initial(value: Any) -> list[Any]:
    items = _items(value, "find initial")
    return list(items[:-1]) if items else NilList()


@function(
    "append push mustAppend mustPush",
    "func(interface {}, interface {}) []interface {}",
    "A list with an item more at the end.",
    "{{ append (list 1) 2 }}",
    "[1 2]",
)
def append(value: Any, item: Any) -> list[Any]:
    return [*_items(value, "push"), item]


@function(
    "prepend mustPrepend",
    "func(interface {}, interface {}) []interface {}",
    "A list with an item more at the start.",
    "{{ prepend (list 1) 0 }}",
    "[0 1]",
)
def prepend(value: Any, item: Any) -> list[Any]:
    return [item, *_items(value, "prepend")]


@function(
    "concat",
    "func(...interface {}) interface {}",
    "Lists, one after the other.",
    "{{ concat (list 1) (list 2) }}",
    "[1 2]",
)
def concat(*values: Any) -> list[Any]:
    out: list[Any] = []
    for value in values:
        if not is_list(value):
            raise CallError(f"Cannot concat type {kind_name(value)} as list")
        out.extend(value)
    return out or NilList()


@function("reverse mustReverse", "func(interface {}) []interface {}", "The items from the last to the first.",
          "{{ list 1 2 3 | reverse }}", "[3 2 1]")  # fmt: skip
def reverse(value: Any) -> list[Any]:
    return list(reversed(_items(value, "find reverse")))


@function(
    "uniq mustUniq",
    "func(interface {}) []interface {}",
    "Each item once.",
    "{{ list 1 2 1 | uniq }}",
    "[1 2]",
    context=True,
)
def uniq(frame: Any, value: Any) -> list[Any]:
    return each_once(frame, _items(value, "find uniq"))


def each_once(frame: Any, items: list[Any]) -> list[Any]:
    """The items without those that are equal to an earlier one."""
    kept: list[Any] = []
    simple: set[tuple[type, Any]] = set()
    for item in items:
        if item.__class__ in (str, int, bool):
            if (item.__class__, item) in simple:
                continue
            simple.add((item.__class__, item))
        else:
            frame.meter.step(COMPARING * len(kept))
            if any(deep_equal(item, other) for other in kept):
                continue
        kept.append(item)
    return kept


@function("without mustWithout", "func(interface {}, ...interface {}) []interface {}", "The items without these.",
          "{{ without (list 1 2 3) 2 }}", "[1 3]", context=True)  # fmt: skip
def without(frame: Any, value: Any, *unwanted: Any) -> list[Any]:
    items = _items(value, "find without")
    frame.meter.step(COMPARING * len(items) * len(unwanted))
    return [item for item in items if not any(deep_equal(item, other) for other in unwanted)]


@function(
    "has mustHas",
    "func(interface {}, interface {}) bool",
    "Whether a list contains an item.",
    "{{ has 2 (list 1 2) }}",
    "true",
    context=True,
)
def has(frame: Any, item: Any, value: Any) -> bool:
    if value is None:
        return False
    items = _items(value, "find has")
    frame.meter.step(COMPARING * len(items))
    return any(deep_equal(item, other) for other in items)


@function("compact mustCompact", "func(interface {}) []interface {}", "The items that are not empty.",
          '{{ list 1 0 "" "a" | compact }}', "[1 a]")  # fmt: skip
def compact(value: Any) -> list[Any]:
    return [item for item in _items(value, "compact") if not is_empty(item)]


@function("slice mustSlice", "func(interface {}, ...interface {}) interface {}", "The items from a start up to an end.",
          "{{ slice (list 1 2 3 4) 1 3 }}", "[2 3]")  # fmt: skip
def cut(value: Any, *indexes: Any) -> Any:
    if value is None:
        raise CallError("runtime error: invalid memory address or nil pointer dereference")
    if not is_list(value):
        raise CallError(f"list should be type of slice or array but {kind_name(value)}")
    if not value:
        return None
    start = to_int(indexes[0]) if indexes else 0
    end = to_int(indexes[1]) if len(indexes) > 1 else len(value)
    if not 0 <= start <= end <= len(value):
        raise CallError("reflect.Value.Slice: slice index out of bounds")
    return value.__class__(value[start:end])


@function("chunk mustChunk", "func(int, interface {}) [][]interface {}", "Lists of a certain length.",
          "{{ list 1 2 3 | chunk 2 }}", "[[1 2] [3]]")  # fmt: skip
def chunk(size: int, value: Any) -> Lists:
    if value is None:
        raise CallError("runtime error: invalid memory address or nil pointer dereference")
    if not is_list(value):
        raise CallError(f"Cannot chunk type {kind_name(value)}")
    count = (len(value) - 1) // size + 1 if size else -1
    if count < 0 or (size < 0 and not value):
        raise CallError("runtime error: makeslice: len out of range")
    return Lists(list(value[at * size :][: size if size > 0 else None]) for at in range(count))


@function("all", "func(...interface {}) bool", "Whether no argument is empty.", '{{ all 1 "a" }}', "true", lazy=True)
def all_of(*values: Any) -> bool:
    return not any(map(is_empty, values))


@function(
    "any", "func(...interface {}) bool", "Whether some argument is not empty.", '{{ any 0 "a" }}', "true", lazy=True
)
def any_of(*values: Any) -> bool:
    return not all(map(is_empty, values))
