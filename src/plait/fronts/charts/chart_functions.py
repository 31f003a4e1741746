"""What templates of a chart can call besides Go's own functions and Sprig's."""

from __future__ import annotations

import tomllib

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, MapNode, Node, Scalar, key_text
from plait.core.source import Source
from plait.fronts.charts.chart import reading
from plait.notations.gotemplate import goyaml, json, toml
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import Function, FunctionGroup, Table
from plait.notations.gotemplate.sets import SETS
from plait.notations.gotemplate.tables import sprig
from plait.notations.gotemplate.values import MISSING, Int64, NilList, NilMap, plain
from plait.notations.gotemplate.ways import reading_text, writing_yaml
from plait.yaml.build import build
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Kind = TypeVar("Kind")

HELM = FunctionGroup("helm", "Helm")
function = HELM.function
GONE = ("env", "expandenv")
"""Functions of Sprig that charts do not have."""
DEPTH = 1_000


def scalar_value(node: Scalar) -> Any:
    """A value as helm's templates see it: numbers of files come through JSON, so that all of them are floats; those of
    flags, and of what stands for one, are whole."""
    value = node.value
    if value.__class__ is int:
        source = node.source
        return Int64(value) if isinstance(source, Source) and (source.given or source.role) else float(value)
    return node.text if isinstance(value, bytes) else value


def as_data(node: Node, leaf: Callable[[Scalar, tuple[str | int, ...]], Any] | None = None) -> Any:
    """A tree as plain data, for templates to read and to change. `leaf` makes the value of a scalar at a path."""
    holder: list[Any] = [None]
    todo: list[tuple[Any, Any, Node, tuple[str | int, ...]]] = [(holder, 0, node, ())]
    while todo:
        into, step, item, path = todo.pop()
        if isinstance(item, MapNode):
            made: Any = dict.fromkeys(key_text(key) for key in item.entries)
            todo += [(made, key_text(key), child, (*path, key_text(key))) for key, child in item.entries.items()]
        elif isinstance(item, ListNode):
            made = [None] * len(item.items)
            todo += [(made, index, child, (*path, index)) for index, child in enumerate(item.items)]
        elif isinstance(item, Scalar):
            made = scalar_value(item) if leaf is None else leaf(item, path)
        else:
            made = None
        into[step] = made
    return holder[0]


def read_yaml(text: str) -> Any:
    """A YAML text as helm reads it. Raises CallError."""
    try:
        node = _document(text)
        return as_data(node) if node is not None else None
    except Fault as error:
        raise CallError(f"error converting YAML to JSON: yaml: {error.diagnostics[0].message}") from None


def _document(text: str) -> Node | None:
    source = Source("text", text)
    source.loose = True
    programs = scan(source, DEPTH)
    return build(programs[0], source, reading()) if programs else None


def _traced_yaml(text: str, leaf: Callable[[Any, int, int], Any]) -> Any:
    """The same, with a leaf for every scalar."""
    node = _document(text)
    if node is None:
        raise CallError("there is no document")
    return as_data(node, lambda scalar, _: leaf(scalar_value(scalar), scalar.at, scalar.at + max(len(scalar.text), 1)))


def _traced_map(text: str, leaf: Callable[[Any, int, int], Any]) -> dict[str, Any]:
    return _of(dict, _traced_yaml(text, leaf))


def _traced_list(text: str, leaf: Callable[[Any, int, int], Any]) -> list[Any]:
    return _of(list, _traced_yaml(text, leaf))


def _of(kind: type[Kind], value: Any) -> Kind:
    if not isinstance(value, kind):
        raise CallError("it is something else")
    return value


@function("toYaml", "func(interface {}) string", "A value as YAML, as Go's programs write it.", "", "")
def to_yaml(value: Any) -> str:
    try:
        return goyaml.encode(value)
    except CallError:
        return ""


@function("toYamlPretty", "func(interface {}) string", "A value as YAML, with lists set off from their keys.", "", "")
def to_yaml_pretty(value: Any) -> str:
    try:
        return goyaml.encode(value, set_off=True)
    except CallError:
        return ""


@function("fromYaml", "func(string) map[string]interface {}", "The map that a YAML text is.", "", "")
def from_yaml(text: str) -> dict[str, Any]:
    try:
        value = read_yaml(text)
    except CallError as trouble:
        return {"Error": str(trouble)}
    if value is None:
        return {}
    return value if isinstance(value, dict) else {"Error": _unfitting(value, "map[string]interface {}")}


@function("fromYamlArray", "func(string) []interface {}", "The list that a YAML text is.", "", "")
def from_yaml_array(text: str) -> list[Any]:
    try:
        value = read_yaml(text)
    except CallError as trouble:
        return [str(trouble)]
    if value is None:
        return []
    return value if isinstance(value, list) else [_unfitting(value, "[]interface {}")]


def _unfitting(value: Any, wanted: str) -> str:
    doing = "error unmarshaling JSON: while decoding JSON"
    return f"{doing}: json: cannot unmarshal {_word(value)} into Go value of type {wanted}"


def _word(value: Any) -> str:
    """What JSON calls the kind of a value."""
    words = {dict: "object", list: "array", str: "string", bool: "bool", float: "number", int: "number"}
    return words.get(value.__class__, "value")


@function("toJson", "func(interface {}) string", "A value as JSON.", "", "")
def to_json(value: Any) -> str:
    try:
        return json.encode(value)
    except CallError:
        return ""


@function("fromJson", "func(string) map[string]interface {}", "The map that a JSON text is.", "", "")
def from_json(text: str) -> dict[str, Any]:
    try:
        value = json.decode(text)
    except CallError as trouble:
        return {"Error": str(trouble)}
    wrong = f"json: cannot unmarshal {_word(value)} into Go value of type map[string]interface {{}}"
    return value if isinstance(value, dict) else NilMap() if value is None else {"Error": wrong}


@function("fromJsonArray", "func(string) []interface {}", "The list that a JSON text is.", "", "")
def from_json_array(text: str) -> list[Any]:
    try:
        value = json.decode(text)
    except CallError as trouble:
        return [str(trouble)]
    wrong = f"json: cannot unmarshal {_word(value)} into Go value of type []interface {{}}"
    return value if isinstance(value, list) else NilList() if value is None else [wrong]


@function("toToml", "func(interface {}) string", "A map as TOML.", "", "")
def to_toml(value: Any) -> str:
    if value is None:
        raise CallError("reflect: call of reflect.Value.Type on zero Value")
    try:
        return toml.encode(plain(value))
    except CallError as trouble:
        return str(trouble)


@function("fromToml", "func(string) map[string]interface {}", "The map that a TOML text is.", "", "")
def from_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as trouble:
        return {"Error": f"toml: {trouble}"}


@function("required", "func(string, interface {}) (interface {}, error)", "A value, or an error with a message.",
          "", "", lazy=True)  # fmt: skip
def required(message: str, value: Any) -> Any:
    if value is None or value is MISSING or value == "":
        raise CallError(message)
    return value


@function("fail", "func(string) (string, error)", "Stop with a message.", "", "")
def fail(message: str) -> str:
    raise CallError(message)


@function("lookup", "func(string, string, string, string) (map[string]interface {}, error)",
          "A resource of the cluster: always empty, because there is none.", "", "")  # fmt: skip
def lookup(api: str, kind: str, namespace: str, name: str) -> dict[str, Any]:
    return {}


@function("getHostByName", "func(string) string", "Always empty: charts do not ask the network.", "", "")
def host_by_name(name: str) -> str:
    return ""


HELM.functions["toYaml"].way = writing_yaml
HELM.functions["fromYaml"].way = reading_text(_traced_map)
HELM.functions["fromYamlArray"].way = reading_text(_traced_list)


def _table() -> Table:
    gone = FunctionGroup("gone", "")
    gone.functions = {name: _refused(name) for name in GONE}
    groups = (gone, SETS, HELM, *sprig()._groups())
    return Table(lambda: groups)


def _refused(name: str) -> Function:
    def refuse(*_: Any) -> str:
        raise CallError("helm does not have this function")

    return Function(name, "func(...interface {}) (string, error)", "Not in charts.", "", "", refuse)


TABLE = _table()
"""The functions of charts."""
