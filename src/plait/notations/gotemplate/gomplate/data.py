"""`data`: JSON, YAML, TOML and CSV, read and written."""

from __future__ import annotations

from plait.notations.gotemplate import goyaml, json, toml, yamltext
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.gomplate import csvtext
from plait.notations.gotemplate.gomplate.casts import text, wrong_count
from plait.notations.gotemplate.values import Lists, StringLists, StringMap, Strings, is_list, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DATA = FunctionGroup("gomplate data", "gomplate: data")
function = DATA.function
_MAP = "map[string]interface {}"


# -- reading: gomplate reads JSON as YAML, so whole numbers are integers


def _object(given: str, found: Any) -> dict[str, Any]:
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise CallError(f"Unable to unmarshal object {given}: it is no map")
    return yamltext.with_text_keys(found)  # type: ignore[no-any-return]


def _array(given: str, found: Any) -> list[Any]:
    if found is None:
        return [None]
    if not isinstance(found, list):
        raise CallError(f"Unable to unmarshal array {given}: it is no list")
    return yamltext.with_text_keys(found)  # type: ignore[no-any-return]


@function("data.JSON json", f"func(interface {{}}) ({_MAP}, error)", "The map that a JSON text says.",
          '{{ (data.JSON "{\\"a\\":123456789}").a }}', "123456789")  # fmt: skip
def read_json(value: Any) -> dict[str, Any]:
    return _object(text(value), yamltext.decode(text(value)))


@function("data.JSONArray jsonArray", "func(interface {}) ([]interface {}, error)", "The list that a JSON text says.",
          '{{ data.JSONArray "[1, 2.5]" }}', "[1 2.5]")  # fmt: skip
def read_json_array(value: Any) -> list[Any]:
    return _array(text(value), yamltext.decode(text(value)))


@function("data.YAML yaml", f"func(interface {{}}) ({_MAP}, error)",
          "The map that a YAML text says: the first document with something in it.",
          '{{ (data.YAML "a: on").a }}', "on")  # fmt: skip
def read_yaml(value: Any) -> dict[str, Any]:
    return _object(text(value), yamltext.first_document(text(value)))


@function("data.YAMLArray yamlArray", "func(interface {}) ([]interface {}, error)", "The list that a YAML text says.",
          '{{ data.YAMLArray "[a, 12:30]" }}', "[a 12:30]")  # fmt: skip
def read_yaml_array(value: Any) -> list[Any]:
    return _array(text(value), yamltext.first_document(text(value)))


@function("data.TOML toml", "func(interface {}) (interface {}, error)", "What a TOML text says.",
          '{{ (data.TOML "a = 1").a }}', "1")  # fmt: skip
def read_toml(value: Any) -> Any:
    import tomllib

    try:
        return tomllib.loads(text(value))
    except (ValueError, RecursionError) as trouble:
        raise CallError(f"Unable to unmarshal object {text(value)}: {trouble}") from None


# -- CSV


def _records(words: tuple[str, ...]) -> tuple[list[list[str]], list[str]]:
    """The records of a CSV text and the names of their fields: [DELIMITER] [NAMES] TEXT."""
    if not 1 <= len(words) <= 3:
        raise wrong_count("1 to 3", words)
    comma, header = ",", None
    if len(words) == 3:
        comma = csvtext.comma_of(words[0])
        header = words[1].split(words[0])
    elif len(words) == 2 and len(words[0]) == 1:
        comma = csvtext.comma_of(words[0])
    elif len(words) == 2:
        header = words[0].split(comma) if words[0] else []
    records = csvtext.read(words[-1], comma)
    if header is None:
        header, records = (records[0], records[1:]) if records else ([], [])
    elif not header and records:
        header = [chr(65 + at % 26) * (at // 26 + 1) for at in range(len(records[0]))]
    if any(len(record) > len(header) for record in records):
        raise CallError(f"the records have more fields than the {len(header)} that are named")
    return records, header


@function("data.CSV csv", "func(...string) ([][]string, error)",
          "The rows of a CSV text, the names of the fields first: [DELIMITER] [NAMES] TEXT.",
          '{{ data.CSV "" "a,b\\n1,2" }}', "[[A B] [a b] [1 2]]")  # fmt: skip
def read_csv(*words: str) -> StringLists:
    records, header = _records(words)
    return StringLists([Strings(header), *map(Strings, records)])


@function("data.CSVByRow csvByRow", "func(...string) ([]map[string]string, error)",
          "The rows of a CSV text, each as a map of its fields: [DELIMITER] [NAMES] TEXT.",
          '{{ range data.CSVByRow ";" "n;m\\n1;2\\n3;4" }}{{ .m }},{{ end }}', "2,4,")  # fmt: skip
def read_csv_by_row(*words: str) -> list[StringMap]:
    records, header = _records(words)
    return [StringMap(zip(header, record, strict=False)) for record in records]


@function("data.CSVByColumn csvByColumn", "func(...string) (map[string][]string, error)",
          "The columns of a CSV text by name: [DELIMITER] [NAMES] TEXT.",
          '{{ data.CSVByColumn "n,m\\n1,2\\n3,4" }}', "map[m:[2 4] n:[1 3]]")  # fmt: skip
def read_csv_by_column(*words: str) -> dict[str, Strings]:
    records, header = _records(words)
    columns: dict[str, Strings] = {}
    for record in records:
        for name, field in zip(header, record, strict=False):
            columns.setdefault(name, Strings()).append(field)
    return columns


@function("data.ToCSV toCSV", "func(...interface {}) (string, error)", "A list of lists as CSV: [DELIMITER] ROWS.",
          '{{ data.ToCSV ";" (list (list "a" 1) (list "b;" nil)) }}', 'a;1\r\n"b;";nil\r\n')  # fmt: skip
def write_csv(*values: Any) -> str:
    if not 1 <= len(values) <= 2:
        raise wrong_count("1 or 2", values)
    delimiter = values[0] if len(values) == 2 else ","
    if delimiter.__class__ is not str:
        raise CallError(
            f"Can't parse ToCSV delimiter ({text(delimiter)}) - must be string (is a {type_name(delimiter)})"
        )
    rows = values[-1]
    if rows.__class__ not in (list, Lists, StringLists) or not all(is_list(row) for row in rows):
        raise CallError(
            "Can't parse ToCSV input - must be a two-dimensional array (like [][]string or [][]interface{}) "
            f"(was {type_name(rows)})"
        )
    return csvtext.write(([text(field) for field in row] for row in rows), csvtext.comma_of(delimiter))


# -- writing


def _float(value: float) -> str:
    """A float as gomplate's JSON has it: never without a point or an exponent."""
    written = json.float_text(value)
    return f"{written}.0" if written.lstrip("-").isdecimal() and abs(value) < 2**52 else written


@function("data.ToJSON toJSON", "func(interface {}) (string, error)", "A value as JSON.",
          '{{ data.ToJSON (dict "a" 1 "b" 2.0 "c" "<") }}', '{"a":1,"b":2.0,"c":"\\u003c"}')  # fmt: skip
def write_json(value: Any) -> str:
    return json.encode(value, floats=_float)


@function("data.ToJSONPretty toJSONPretty", "func(string, interface {}) (string, error)", "A value as JSON, indented.",
          '{{ data.ToJSONPretty " " (list 1) }}', "[\n 1\n]", context=True)  # fmt: skip
def write_json_pretty(frame: Any, indent: str, value: Any) -> str:
    return json.encode(value, indent, floats=_float, make=frame.make)


@function("data.ToYAML toYAML", "func(interface {}) (string, error)", "A value as YAML.",
          '{{ data.ToYAML (dict "a" (list "1" "x\\ny")) }}', 'a:\n  - "1"\n  - |-\n    x\n    y\n')  # fmt: skip
def write_yaml(value: Any) -> str:
    return goyaml.encode(value, set_off=True, folds=False) + "\n"


@function("data.ToTOML toTOML", "func(interface {}) (string, error)", "A map as TOML.",
          '{{ data.ToTOML (dict "a" (dict "c" 1.0) "b" (list 1 "x")) }}',
          'b = [1, "x"]\n\n[a]\n  c = 1.0\n')  # fmt: skip
def write_toml(value: Any) -> str:
    if not isinstance(value, dict):
        raise CallError("toml: top-level values must be Go maps or structs")
    return toml.encode(value)
