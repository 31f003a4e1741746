"""What Atmos adds for every template: YAML in and out, and the keys of maps. Its own lookups (`atmos.Component`) are
added by the stacks front to its own table."""

from __future__ import annotations

from plait.notations.gotemplate import goyaml, yamltext
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.values import Strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ATMOS = FunctionGroup("atmos", "Added for stacks")
function = ATMOS.function


@function(
    "toYaml",
    "func(interface {}) (string, error)",
    "A value as YAML.",
    '{{ dict "a" (list 1) | toYaml }}',
    "a:\n  - 1\n",
)
def to_yaml(value: Any) -> str:
    return goyaml.encode(value, set_off=True, folds=False) + "\n"


@function("fromYaml", "func(string) (interface {}, error)", "A YAML text as data.", '{{ (fromYaml "a: 1").a }}', "1")
def from_yaml(text: str) -> Any:
    return yamltext.decode(text)


@function("collectKeys", "func(map[string]interface {}, ...bool) []string",
          "The keys of a map in order; with true, those of all maps below it too, each once.",
          '{{ collectKeys (dict "b" (dict "c" 1) "a" 2) true }}', "[a b c]")  # fmt: skip
def collect_keys(mapping: dict[str, Any], *nested: bool) -> Strings:
    keys: set[str] = set()
    seen: set[int] = set()
    todo: list[Any] = [mapping]
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, dict):
            keys.update(map(str, item))
        if any(nested) and isinstance(item, dict | list):
            todo.extend(item.values() if isinstance(item, dict) else item)
    return Strings(sorted(keys))
