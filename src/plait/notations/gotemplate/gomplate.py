"""The functions of gomplate in common use, in its namespaces: `strings.ToUpper`, `conv.ToInt`, `coll.Has`, ...

Most are functions of Sprig by another name. Those that read datasources belong to the front that has them.
"""

from __future__ import annotations

import math

from plait.notations.gotemplate import json, yamltext
from plait.notations.gotemplate.casts import is_empty, to_float, to_int, to_text, wrap
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import Function, FunctionGroup
from plait.notations.gotemplate.sprig.dicts import merge_into
from plait.notations.gotemplate.sprig.groups import GROUPS
from plait.notations.gotemplate.sprig.paths import clean
from plait.notations.gotemplate.sprig.patterns import compiled
from plait.notations.gotemplate.values import (
    MAX_PARTS,
    Int64,
    Strings,
    endless,
    is_list,
    is_map,
    lookup,
    plain,
    sort_key,
)
from plait.regexp import expand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GOMPLATE = FunctionGroup("gomplate", "gomplate")
function = GOMPLATE.function

_SAME = """
strings.ToUpper upper  strings.ToLower lower  strings.Title title  strings.TrimSpace trim  strings.TrimPrefix trimPrefix
strings.TrimSuffix trimSuffix  strings.Trim trimAll  strings.Trunc trunc  strings.Contains contains
strings.HasPrefix hasPrefix  strings.HasSuffix hasSuffix  strings.ReplaceAll replace  strings.Repeat repeat
strings.Split splitList  strings.Sort sortAlpha  strings.Quote quote  strings.Squote squote  strings.Indent indent
strings.Abbrev abbrev  strings.CamelCase camelcase  strings.SnakeCase snakecase  strings.KebabCase kebabcase
conv.ToString toString  conv.ToStrings toStrings  conv.ToInt int  conv.ToInt64 int64  conv.ToFloat64 float64
conv.Default default
coll.Dict dict  coll.Slice list  coll.Keys keys  coll.Values values  coll.Uniq uniq  coll.Reverse reverse
base64.Encode b64enc  base64.Decode b64dec
crypto.SHA1 sha1sum  crypto.SHA256 sha256sum  crypto.SHA512 sha512sum
path.Base base  path.Clean clean  path.Dir dir  path.Ext ext  path.IsAbs isAbs
filepath.Base base  filepath.Clean clean  filepath.Dir dir  filepath.Ext ext  filepath.IsAbs isAbs
regexp.Match regexMatch  regexp.Find regexFind  regexp.QuoteMeta regexQuoteMeta
time.Now now  uuid.V4 uuidv4  test.Fail fail
toUpper upper  toLower lower  trimSpace trim  replaceAll replace
"""


def _aliases() -> list[Function]:
    known = {name: item for group in GROUPS for name, item in group.functions.items()}
    words = _SAME.split()
    return [known[old].named(new) for new, old in zip(words[::2], words[1::2], strict=True)]


for _item in _aliases():
    _item.group = GOMPLATE.name
    GOMPLATE.functions[_item.name] = _item


# -- conversions and collections


@function("conv.ToBool conv.Bool bool", "func(interface {}) bool", "Whether a value says yes: true, 1, yes, on, t.",
          '{{ conv.ToBool "yes" }}', "true")  # fmt: skip
def to_bool(value: Any) -> bool:
    if isinstance(value, int | float):
        return value == 1
    return to_text(value).lower() in ("1", "t", "true", "yes", "on")


@function(
    "conv.Join",
    "func(interface {}, string) string",
    "The items of a list as one text.",
    '{{ conv.Join (list 1 2) "-" }}',
    "1-2",
)
def conv_join(value: Any, separator: str) -> str:
    if not is_list(value):
        raise CallError("input to Join must be an array")
    return separator.join(map(to_text, value))


@function("coll.Has conv.Has", "func(interface {}, interface {}) bool", "Whether a map has a key, or a list an item.",
          '{{ coll.Has (dict "a" 1) "a" }}', "true", lazy=True)  # fmt: skip
def coll_has(value: Any, key: Any) -> bool:
    return key in (value if is_map(value) else list(value) if is_list(value) else ())


@function("coll.Append", "func(interface {}, interface {}) []interface {}", "A list with an item more at the end.",
          "{{ coll.Append 2 (list 1) }}", "[1 2]")  # fmt: skip
def coll_append(item: Any, value: Any) -> list[Any]:
    return [*_list(value), item]


@function("coll.Prepend", "func(interface {}, interface {}) []interface {}", "A list with an item more at the start.",
          "{{ coll.Prepend 0 (list 1) }}", "[0 1]")  # fmt: skip
def coll_prepend(item: Any, value: Any) -> list[Any]:
    return [item, *_list(value)]


def _list(value: Any) -> list[Any]:
    if not is_list(value):
        raise CallError("must be an array or slice")
    return list(value)


@function(
    "coll.Merge",
    "func(map[string]interface {}, ...map[string]interface {}) map[string]interface {}",
    "Maps merged; earlier ones win.",
    '{{ coll.Merge (dict "a" 1) (dict "a" 2 "b" 3) }}',
    "map[a:1 b:3]",
)
def coll_merge(first: dict[str, Any], *others: dict[str, Any]) -> dict[str, Any]:
    merged: dict[str, Any] = plain(first)
    for other in others:
        merge_into(merged, plain(other), overwrite=False)
    return merged


@function("coll.Pick", "func(...interface {}) map[string]interface {}", "Only these keys; the map comes last.",
          '{{ coll.Pick "a" (dict "a" 1 "b" 2) }}', "map[a:1]")  # fmt: skip
def coll_pick(*values: Any) -> dict[str, Any]:
    *wanted, mapping = values
    return {key: lookup(mapping, key) for key in wanted if key in mapping}


@function("coll.Omit", "func(...interface {}) map[string]interface {}", "All but these keys; the map comes last.",
          '{{ coll.Omit "a" (dict "a" 1 "b" 2) }}', "map[b:2]")  # fmt: skip
def coll_omit(*values: Any) -> dict[str, Any]:
    *unwanted, mapping = values
    return {key: value for key, value in mapping.items() if key not in unwanted}


@function(
    "coll.Sort",
    "func(interface {}) []interface {}",
    "The items of a list in order.",
    "{{ coll.Sort (list 2 1) }}",
    "[1 2]",
)
def coll_sort(value: Any) -> list[Any]:
    return sorted(_list(value), key=sort_key)


@function("coll.Flatten", "func(interface {}) []interface {}", "A list of lists as one list.",
          "{{ coll.Flatten (list 1 (list 2 (list 3))) }}", "[1 2 3]")  # fmt: skip
def coll_flatten(value: Any) -> list[Any]:
    out: list[Any] = []
    todo = list(reversed(_list(value)))
    while todo:
        if len(out) > MAX_PARTS or len(todo) > MAX_PARTS:
            raise endless()
        item = todo.pop()
        if is_list(item):
            todo.extend(reversed(item))
        else:
            out.append(item)
    return out


# -- data


@function("data.JSON json data.JSONArray jsonArray", "func(string) (interface {}, error)", "What a JSON text says.",
          '{{ (data.JSON "{\\"a\\":1}").a }}', "1")  # fmt: skip
def data_json(text: str) -> Any:
    return json.decode(text)


@function(
    "data.ToJSON toJSON",
    "func(interface {}) (string, error)",
    "A value as JSON.",
    '{{ data.ToJSON (dict "a" 1) }}',
    '{"a":1}',
)
def data_to_json(value: Any) -> str:
    return json.encode(value, escape_html=False)


@function("data.ToJSONPretty toJSONPretty", "func(string, interface {}) (string, error)", "A value as JSON, indented.",
          '{{ data.ToJSONPretty " " (list 1) }}', "[\n 1\n]")  # fmt: skip
def data_to_json_pretty(indent: str, value: Any) -> str:
    return json.encode(value, indent, escape_html=False)


@function("data.YAML yaml data.YAMLArray yamlArray", "func(string) (interface {}, error)", "A YAML text as data.",
          '{{ (data.YAML "a: 1").a }}', "1")  # fmt: skip
def data_yaml(text: str) -> Any:
    return yamltext.decode(text)


@function(
    "data.ToYAML toYAML",
    "func(interface {}) (string, error)",
    "A value as YAML.",
    '{{ data.ToYAML (dict "a" 1) }}',
    "a: 1\n",
)
def data_to_yaml(value: Any) -> str:
    return yamltext.encode(value)


# -- patterns, paths, numbers


@function("regexp.Replace", "func(string, string, string) string", "Matches replaced: pattern, replacement, text.",
          '{{ regexp.Replace "(b)" "<$1>" "abc" }}', "a<b>c", context=True)  # fmt: skip
def regexp_replace(frame: Any, pattern: str, replacement: str, text: str) -> str:
    return compiled(pattern).replace(text, lambda found: expand(replacement, found, frame.meter), frame.meter)


@function("regexp.ReplaceLiteral", "func(string, string, string) string", "Matches replaced by a literal string.",
          '{{ regexp.ReplaceLiteral "b" "$" "abc" }}', "a$c", context=True)  # fmt: skip
def regexp_replace_literal(frame: Any, pattern: str, replacement: str, text: str) -> str:
    return compiled(pattern).replace(text, lambda found: replacement, frame.meter)


@function(
    "regexp.Split",
    "func(string, string) []string",
    "The pieces between matches.",
    '{{ regexp.Split ", *" "a, b" }}',
    "[a b]",
    context=True,
)
def regexp_split(frame: Any, pattern: str, text: str) -> Strings:
    return Strings(compiled(pattern).split(text, -1, frame.meter))


@function(
    "path.Join filepath.Join", "func(...string) string", "A path of its parts.", '{{ path.Join "a" "../b" }}', "b"
)
def path_join(*parts: str) -> str:
    joined = "/".join(part for part in parts if part)
    return clean(joined) if joined else ""


def _number(value: float) -> Any:
    return Int64(wrap(int(value))) if math.isfinite(value) and value == int(value) else value


@function("math.Add", "func(...interface {}) interface {}", "The sum.", "{{ math.Add 1 2.5 }}", "3.5")
def math_add(*values: Any) -> Any:
    return _number(math.fsum(map(to_float, values)))


@function("math.Sub", "func(interface {}, interface {}) interface {}", "The difference.", "{{ math.Sub 3 1 }}", "2")
def math_sub(left: Any, right: Any) -> Any:
    return _number(to_float(left) - to_float(right))


@function("math.Mul", "func(...interface {}) interface {}", "The product.", "{{ math.Mul 2 3 }}", "6")
def math_mul(*values: Any) -> Any:
    return _number(math.prod(map(to_float, values)))


@function("math.Div", "func(interface {}, interface {}) interface {}", "The quotient.", "{{ math.Div 7 2 }}", "3.5")
def math_div(left: Any, right: Any) -> Any:
    if to_float(right) == 0:
        raise CallError("error: division by 0")
    return _number(to_float(left) / to_float(right))


@function("math.Rem", "func(interface {}, interface {}) interface {}", "The remainder.", "{{ math.Rem 7 3 }}", "1")
def math_rem(left: Any, right: Any) -> Any:
    number, by = to_int(left), to_int(right)
    if by == 0:
        raise CallError("error: division by 0")
    rest = abs(number) % abs(by)
    return Int64(rest if number > 0 else -rest)


@function(
    "math.Max", "func(interface {}, ...interface {}) interface {}", "The largest number.", "{{ math.Max 1 3 2 }}", "3"
)
def math_max(*values: Any) -> Any:
    return _number(max(map(to_float, values)))


@function(
    "math.Min", "func(interface {}, ...interface {}) interface {}", "The smallest number.", "{{ math.Min 3 1 2 }}", "1"
)
def math_min(*values: Any) -> Any:
    return _number(min(map(to_float, values)))


@function("math.Abs", "func(interface {}) interface {}", "A number without its sign.", "{{ math.Abs -3 }}", "3")
def math_abs(value: Any) -> Any:
    return _number(abs(to_float(value)))


# -- environment and checks


@function("env.Getenv getenv", "func(string, ...string) string", "A variable of the environment, or a default.",
          '{{ env.Getenv "SURELY_NOT_SET" "none" }}', "none", context=True)  # fmt: skip
def getenv(frame: Any, name: str, *default: str) -> str:
    return str(frame.host.env(name)) or (default[0] if default else "")


@function(
    "required test.Required",
    "func(...interface {}) (interface {}, error)",
    "A value that must not be empty; the message comes first.",
    '{{ required "no name" "web" }}',
    "web",
)
def required(*values: Any) -> Any:
    message = values[0] if len(values) > 1 else "can not render template: a required value was not set"
    if not values or values[-1] is None or values[-1] == "":
        raise CallError(to_text(message))
    return values[-1]


@function(
    "assert test.Assert",
    "func(...interface {}) (string, error)",
    "Stop unless a condition holds; the message comes first.",
    '{{ assert "must hold" true }}',
    "",
)
def assert_true(*values: Any) -> str:
    if not values or is_empty(values[-1]):
        raise CallError(f"assertion failed: {to_text(values[0])}" if len(values) > 1 else "assertion failed")
    return ""


@function(
    "test.Ternary",
    "func(interface {}, interface {}, interface {}) interface {}",
    "One value where a condition holds, another where not.",
    '{{ test.Ternary "yes" "no" true }}',
    "yes",
)
def test_ternary(yes: Any, no: Any, condition: Any) -> Any:
    return yes if to_bool(condition) else no
