"""Maps. `set`, `unset` and the merges change the map they are given, as in Go; the caller's data stay as they are."""

from __future__ import annotations

from plait.notations.gotemplate.casts import is_empty, to_text
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import MAP, FunctionGroup
from plait.notations.gotemplate.values import (
    MISSING,
    Strings,
    is_nil,
    lookup,
    plain,
    type_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DICTS = FunctionGroup("dicts", "Maps")
function = DICTS.function


@function("dict", "func(...interface {}) map[string]interface {}", "A map of keys and values.",
          '{{ dict "a" 1 "b" 2 }}', "map[a:1 b:2]", lazy=True)  # fmt: skip
def make_dict(*values: Any) -> dict[str, Any]:
    padded = (*values, "") if len(values) % 2 else values
    return {to_text(key): value for key, value in zip(padded[::2], padded[1::2], strict=True)}


@function(
    "get",
    "func(map[string]interface {}, string) interface {}",
    "The value of a key; empty text where there is none.",
    '{{ get (dict "a" 1) "a" }}',
    "1",
    lazy=True,
)
def get(mapping: Any, key: str) -> Any:
    found = lookup(mapping, key)
    return "" if found is MISSING else found


@function("set", "func(map[string]interface {}, string, interface {}) map[string]interface {}", "Give a key a value.",
          '{{ set (dict "a" 1) "b" 2 }}', "map[a:1 b:2]", changes=True)  # fmt: skip
def set_key(mapping: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    if is_nil(mapping):
        raise CallError("assignment to entry in nil map")
    mapping[key] = value
    return mapping


@function("unset", "func(map[string]interface {}, string) map[string]interface {}", "Take a key away.",
          '{{ unset (dict "a" 1 "b" 2) "b" }}', "map[a:1]", changes=True)  # fmt: skip
def unset(mapping: dict[str, Any], key: str) -> dict[str, Any]:
    mapping.pop(key, None)
    return mapping


@function("hasKey", "func(map[string]interface {}, string) bool", "Whether a map has a key.",
          '{{ hasKey (dict "a" 1) "a" }}', "true", lazy=True)  # fmt: skip
def has_key(mapping: Any, key: str) -> bool:
    return key in mapping


@function("pluck", "func(string, ...map[string]interface {}) []interface {}", "The values of a key in several maps.",
          '{{ pluck "a" (dict "a" 1) (dict "a" 2) }}', "[1 2]", lazy=True)  # fmt: skip
def pluck(key: str, *mappings: Any) -> list[Any]:
    return [lookup(mapping, key) for mapping in mappings if key in mapping]


@function(
    "keys",
    "func(...map[string]interface {}) []string",
    "The keys of maps.",
    '{{ keys (dict "a" 1) }}',
    "[a]",
    lazy=True,
)
def keys(*mappings: Any) -> Strings:
    return Strings(key for mapping in mappings for key in mapping.keys())  # noqa: SIM118


@function(
    "values", "func(map[string]interface {}) []interface {}", "The values of a map.", '{{ values (dict "a" 1) }}', "[1]"
)
def values(mapping: dict[str, Any]) -> list[Any]:
    return list(mapping.values())


@function("pick", "func(map[string]interface {}, ...string) map[string]interface {}", "Only these keys.",
          '{{ pick (dict "a" 1 "b" 2) "b" }}', "map[b:2]", lazy=True)  # fmt: skip
def pick(mapping: Any, *wanted: str) -> dict[str, Any]:
    return {key: lookup(mapping, key) for key in wanted if key in mapping}


@function("omit", "func(map[string]interface {}, ...string) map[string]interface {}", "All but these keys.",
          '{{ omit (dict "a" 1 "b" 2) "b" }}', "map[a:1]", lazy=True)  # fmt: skip
def omit(mapping: Any, *unwanted: str) -> dict[str, Any]:
    return {key: lookup(mapping, key) for key in mapping.keys() if key not in unwanted}  # noqa: SIM118


def merge_into(target: dict[str, Any], source: dict[str, Any], overwrite: bool) -> None:
    """Merge maps as mergo does: what is empty in the target counts as absent; nested maps are merged."""
    todo = [(target, source)]
    seen: set[tuple[int, int]] = set()
    while todo:
        into, other = todo.pop()
        if (id(into), id(other)) in seen:
            continue
        seen.add((id(into), id(other)))
        for key, value in list(other.items()):
            old = into.get(key)
            if value is None:
                if overwrite:
                    into[key] = None
            elif isinstance(value, dict) and isinstance(old, dict) and old:
                if old is not value:
                    todo.append((old, value))
            elif overwrite or is_empty(old):
                into[key] = value


def _made(target: dict[str, Any], sources: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """The map to merge into: one that nobody made is made when there is something to put in it."""
    return {} if is_nil(target) and not all(map(is_nil, sources)) else target


@function("merge mustMerge", "func(map[string]interface {}, ...map[string]interface {}) interface {}",
          "Merge maps into the first; what it has stays.",
          '{{ merge (dict "a" 1) (dict "a" 2 "b" 3) }}', "map[a:1 b:3]", changes=True)  # fmt: skip
def merge(target: dict[str, Any], *sources: dict[str, Any]) -> dict[str, Any]:
    target = _made(target, sources)
    for source in sources:
        merge_into(target, source, overwrite=False)
    return target


@function("mergeOverwrite mustMergeOverwrite", "func(map[string]interface {}, ...map[string]interface {}) interface {}",
          "Merge maps into the first; later ones win.",
          '{{ mergeOverwrite (dict "a" 1) (dict "a" 2) }}', "map[a:2]", changes=True)  # fmt: skip
def merge_overwrite(target: dict[str, Any], *sources: dict[str, Any]) -> dict[str, Any]:
    target = _made(target, sources)
    for source in sources:
        merge_into(target, source, overwrite=True)
    return target


@function("deepCopy mustDeepCopy", "func(interface {}) interface {}", "A copy that shares nothing with the original.",
          '{{ deepCopy (dict "a" 1) }}', "map[a:1]")  # fmt: skip
def deep_copy(value: Any) -> Any:
    if value is None:
        raise CallError("reflect: call of reflect.Value.Type on zero Value")
    return plain(value)


@function("dig", "func(...interface {}) (interface {}, error)", "A value deep in a map, by its keys; else a default.",
          '{{ dig "a" "b" "none" (dict "a" (dict "b" 1)) }}', "1", lazy=True)  # fmt: skip
def dig(*values: Any) -> Any:
    if len(values) < 3:
        raise CallError("dig needs at least three arguments")
    *path, default, found = values
    _expect(type_name(found) == MAP, found, MAP)
    for key in path:
        _expect(isinstance(key, str), key, "string")
    for key in path:
        _expect(type_name(found) == MAP, found, MAP)
        found = lookup(found, key)
        if found is MISSING:
            return default
    return found


def _expect(fits: bool, value: Any, wanted: str) -> None:
    if not fits:
        got = "nil" if value is None else type_name(value)
        raise CallError(f"interface conversion: interface {{}} is {got}, not {wanted}")
