"""YAML texts inside templates, read: `fromYaml`, `data.YAML`. `goyaml.py` writes.

The text is read by PyYAML's Python code, which is slow but cannot crash: templates hold snippets.
"""

from __future__ import annotations

import re
from functools import cache

from plait.core.quoting import from_bytes
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.format import display
from plait.notations.gotemplate.literals import INT_MIN, UINT_MAX, parse_float, parse_int
from plait.notations.gotemplate.values import MAX_PARTS, endless, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def decode(text: str) -> Any:
    """The first document of a YAML text as data."""
    return next(_documents(text), None)


def first_document(text: str) -> Any:
    """The first document of a YAML text that is not empty."""
    return next((found for found in _documents(text) if found is not None), None)


def _documents(text: str) -> Iterator[Any]:
    import yaml

    try:
        for found in yaml.load_all(text, _loader()):
            yield plain(found)
    except yaml.YAMLError as problem:
        raise CallError(f"yaml: {' '.join(str(problem).split())}") from None
    except RecursionError:
        raise CallError("yaml: exceeded max depth") from None


_KINDS = (
    ("bool", re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), "tTfF"),
    ("int", re.compile(r"[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)\Z"), "-+0123456789"),
    (
        "float",
        re.compile(
            r"(?:[-+]?(?:\.[0-9][0-9_]*|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?"
            r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
        ),
        "-+0123456789.",
    ),
    ("null", re.compile(r"(?:~|null|Null|NULL|)\Z"), ("~", "n", "N", "")),
    ("merge", re.compile(r"<<\Z"), "<"),
)
"""What plain scalars are, as go-yaml decides it where nothing says which type is wanted: `yes` and `12:30` are texts. A
time is a text here, too, as it is in files."""


@cache
def _loader() -> Any:
    """The class of PyYAML that reads scalars as go-yaml does, and takes no key twice."""
    import yaml

    class GoLoader(yaml.SafeLoader):
        yaml_implicit_resolvers = {}  # noqa: RUF012

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen: set[tuple[str, str]] = set()
            for key, _ in node.value:
                name = (key.tag, key.value) if key.id == "scalar" else None
                if name in seen and name is not None and not name[0].endswith(":merge"):
                    raise yaml.constructor.ConstructorError(
                        None, None, f'mapping key "{key.value}" already defined', key.start_mark
                    )
                seen |= {name} if name is not None else set()
            return super().construct_mapping(node, deep)

    for name, pattern, first in _KINDS:
        GoLoader.add_implicit_resolver(f"tag:yaml.org,2002:{name}", pattern, list(first))
    for name in ("int", "float"):
        GoLoader.add_constructor(f"tag:yaml.org,2002:{name}", _number)
    GoLoader.add_constructor("tag:yaml.org,2002:binary", lambda loader, node: _text_of(loader, node))
    return GoLoader


def _text_of(loader: Any, node: Any) -> str:
    return from_bytes(loader.construct_yaml_binary(node))


def _number(loader: Any, node: Any) -> int | float:
    """The number of a scalar: an integer of 64 bits, or else a float."""
    text = str(loader.construct_scalar(node))
    digits = text.replace("_", "")
    found = parse_int(digits)
    if found is not None and INT_MIN <= found <= UINT_MAX:
        return found
    special = digits.lower().lstrip("+-")
    if special in (".inf", ".nan"):
        return float(digits.lower().replace(".", ""))
    real = parse_float(digits)
    if real is None:
        raise CallError(f"yaml: cannot decode `{text}` as a number")
    return real


def with_text_keys(value: Any) -> Any:
    """The same data, in which every key is a text."""
    holder: list[Any] = [value]
    todo: list[Any] = [holder]
    left = MAX_PARTS
    while todo:
        into = todo.pop()
        for step, item in list(into.items()) if isinstance(into, dict) else enumerate(into):
            left -= 1
            if left < 0:
                raise endless()
            if isinstance(item, dict):
                item = {key if key.__class__ is str else display(key): child for key, child in item.items()}
            if isinstance(item, dict | list):
                into[step] = item = item if isinstance(item, dict) else list(item)
                todo.append(item)
    return holder[0]
