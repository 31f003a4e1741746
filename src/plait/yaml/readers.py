"""YAML as each tool reads it: one row for each reader, tested against the reader itself where it can be had.

A row says what plain scalars mean (`schema`), what becomes of a key that is no text, whether `<<` merges, and what a
duplicate key does. plait follows the first three; a duplicate key is an error here whatever the reader would do.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.lazy import LazyPattern
from plait.core.node import Key, ListNode, MapNode, Node, Scalar
from plait.report.catalog import BAD_KEY
from plait.yaml.schema import CORE, SIXTIES, YAML11, Number, Schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


_GO_FLOAT = LazyPattern(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_BASES = {"0b": 2, "0o": 8, "0x": 16}
_INT64, _UINT64 = 1 << 63, 1 << 64
_LONGEST_INT = 80
"""More digits than 64 bits have in any base, signs and prefixes counted: such a number is a float, if it is one."""


def _go_number(text: str) -> Number | None:
    """As go-yaml resolves it: underscores anywhere, octal with `0` or `0o`, integers of 64 bits, else a float."""
    if text[0] == ".":
        plain = text
    else:
        plain = text.replace("_", "")
        whole = _go_int(plain) if len(plain) <= _LONGEST_INT else None
        if whole is not None:
            return whole
    value = float(plain) if _GO_FLOAT.match(plain) else None
    return None if value in (float("inf"), float("-inf")) else value


def _go_int(plain: str) -> int | None:
    sign, digits = (plain[0], plain[1:]) if plain[:1] in ("+", "-") else ("", plain)
    base = _BASES.get(digits[:2].lower(), 8 if digits[:1] == "0" else 10)
    digits = digits[2:] if digits[:2].lower() in _BASES else digits
    if not digits.isalnum() or not digits.isascii():
        return None
    try:
        value = int(digits, base)
    except ValueError:
        return None
    limit = _INT64 + 1 if sign == "-" else _INT64 if sign else _UINT64
    return (-value if sign == "-" else value) if value < limit else None


_PY_INTS = (
    (LazyPattern(r"[-+]?0b[0-1_]+\Z"), 2),
    (LazyPattern(r"[-+]?0[0-7_]+\Z"), 8),
    (LazyPattern(r"[-+]?(?:0|[1-9][0-9_]*)\Z"), 10),
    (LazyPattern(r"[-+]?0x[0-9a-fA-F_]+\Z"), 16),
)
_PY_SIXTIES = LazyPattern(r"[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+\Z|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*\Z")
_PY_FLOAT = LazyPattern(r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?\Z|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?\Z")
_OMEGA_FLOAT = LazyPattern(
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?\Z|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+\Z"
    r"|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?\Z"
)
_RUAMEL_INTS = (
    (LazyPattern(r"[-+]?0b[0-1_]+\Z"), 2),
    (LazyPattern(r"[-+]?0o[0-7_]+\Z"), 8),
    (LazyPattern(r"[-+]?[0-9_]+\Z"), 10),
    (LazyPattern(r"[-+]?0x[0-9a-fA-F_]+\Z"), 16),
)
_RUAMEL_FLOAT = LazyPattern(
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?\Z|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+\Z"
    r"|[-+]?\.[0-9_]+(?:[eE][-+][0-9]+)?\Z"
)
_LONGEST = 4000
"""Python reads no longer integer at once; a longer one stays text here."""


def _python_number(
    ints: tuple[tuple[LazyPattern, int], ...], floats: LazyPattern, sixties: bool
) -> Callable[[str], Number | None]:
    """A reader of numbers of the family of PyYAML: patterns for integers in each base, and one for floats."""

    def number(text: str) -> Number | None:
        if len(text) > _LONGEST:
            return None
        if sixties and ":" in text:
            return SIXTIES.number(text) if _PY_SIXTIES.match(text) else None
        digits = text.replace("_", "")
        try:
            for pattern, base in ints:
                if pattern.match(text):
                    return int(digits, base)
            return float(digits) if floats.match(text) else None
        except ValueError:  # underscores and signs, but no digit
            return None

    return number


_PY_WORDS = {word: value for word, value in YAML11.words.items() if word.lower() not in ("y", "n")}


def go_key(node: Node) -> Key:
    """A key as sigs.k8s.io/yaml writes it into JSON: `yes` is `true`, `010` is `8`; what it refuses stays a node."""
    from plait.core.floats import shortest

    if not isinstance(node, Scalar) or node.tag is not None or node.value is None:
        return node
    value = node.value
    if isinstance(value, bool):
        return "true" if value else "false"
    return shortest(value) if isinstance(value, float) else str(value)


def go_json_key(node: Node) -> Key:
    """The same; what sigs.k8s.io/yaml refuses is an error."""
    key = go_key(node)
    return key if isinstance(key, str) or not _is_refused(node) else _refuse(node)


def text_key(node: Node) -> Key:
    """A key that must be a text."""
    is_text = isinstance(node, Scalar) and isinstance(node.value, str) and node.tag is None
    return go_key(node) if is_text else _refuse(node)


def _is_refused(node: Node) -> bool:
    return isinstance(node, MapNode | ListNode) or (isinstance(node, Scalar) and node.value is None)


def _refuse(node: Node) -> Key:
    what = f"`{node.text}`" if isinstance(node, Scalar) else "a map" if isinstance(node, MapNode) else "a list"
    hint = "put what begins with `{{` in quotes" if isinstance(node, MapNode) else "put the key in quotes"
    raise BAD_KEY.error(Label(node.origin), what=what, hint=hint)


class YamlReader:
    """How one reader understands YAML: who uses it, and where that is written down."""

    __slots__ = ("cites", "duplicates", "keys", "name", "schema", "times", "used_by")

    def __init__(
        self,
        name: str,
        used_by: str,
        cites: str,
        schema: Schema,
        keys: Callable[[Node], Key] | None = None,
        duplicates: str = "last",
        times: str = "text",
    ) -> None:
        self.name = name
        self.used_by = used_by
        self.cites = cites
        self.schema = schema
        self.keys = keys
        self.duplicates = duplicates
        """What the reader does with a duplicate key: the `last` one counts, or it is an `error`."""
        self.times = times
        """What the reader makes of `2001-12-14`: `text`, or a `time`. It is text here, as it is written."""


READERS = {
    reader.name: reader
    for reader in (
        YamlReader("1.2", "plait", "YAML 1.2.2, 10.3 Core Schema", CORE, duplicates="error"),
        YamlReader(
            "1.1", "programs that follow YAML 1.1 to the letter", "YAML 1.1, Language-Independent Types", SIXTIES
        ),
        YamlReader(
            "go-yaml-2",
            "helm and kubectl, through sigs.k8s.io/yaml",
            "sigs.k8s.io/yaml, goyaml.v2, resolve.go and yaml.go",
            Schema("go-yaml-2", YAML11.words, _go_number),
            go_key,
        ),
        YamlReader(
            "go-yaml-3",
            "Atmos",
            "go.yaml.in/yaml/v3, resolve.go",
            Schema("go-yaml-3", CORE.words, _go_number),
            duplicates="error",
            times="time",
        ),
        YamlReader(
            "compose-go",
            "docker compose",
            "compose-go, loader/loader.go, formatInvalidKeyError; the rest as go.yaml.in/yaml/v3",
            Schema("compose-go", CORE.words, _go_number),
            text_key,
            duplicates="error",
            times="time",
        ),
        YamlReader(
            "pyyaml",
            "ansible",
            "PyYAML, resolver.py",
            Schema("pyyaml", _PY_WORDS, _python_number(_PY_INTS, _PY_FLOAT, sixties=True)),
            times="time",
        ),
        YamlReader(
            "omegaconf",
            "hydra and OmegaConf",
            "omegaconf, _utils.py, get_yaml_loader",
            Schema("omegaconf", _PY_WORDS, _python_number(_PY_INTS, _OMEGA_FLOAT, sixties=True)),
            duplicates="error",
        ),
        YamlReader(
            "ruamel",
            "programs that use ruamel.yaml",
            "ruamel.yaml, resolver.py, YAML 1.2",
            Schema("ruamel", CORE.words, _python_number(_RUAMEL_INTS, _RUAMEL_FLOAT, sixties=False)),
            duplicates="error",
            times="time",
        ),
    )
}
"""The readers by name: what `--yaml` and the setting `yaml` of a profile choose from."""
