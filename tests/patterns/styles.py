"""The same documents in another style, as formatters and other tools write them."""

from __future__ import annotations

import json
import random
from typing import Any

import yaml


class Indented(yaml.SafeDumper):
    """Writes lists further in than their keys."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)


def _dumped(**options: Any) -> Any:
    return lambda text: _each(text, lambda data: yaml.safe_dump(data, width=10**6, **options))


def _each(text: str, write: Any) -> str:
    return "---\n".join(write(data) for data in yaml.safe_load_all(text))


def _flow_below(data: dict[str, Any]) -> str:
    """The top as a block, all that is below it between brackets."""
    values = {key: yaml.safe_dump(value, default_flow_style=True, width=10**6, sort_keys=False)
              for key, value in data.items()}  # fmt: skip
    return "".join(f"{key}: {value.removesuffix('...' + chr(10)).strip()}\n" for key, value in values.items())


STYLES: dict[str, Any] = {
    "leaves between brackets": _dumped(default_flow_style=None, sort_keys=False),
    "all between brackets": _dumped(default_flow_style=True, sort_keys=False),
    "below the top between brackets": lambda text: _each(text, _flow_below),
    "JSON": lambda text: _each(text, lambda data: json.dumps(data, indent=2) + "\n"),
    "JSON on one line": lambda text: _each(text, lambda data: json.dumps(data) + "\n"),
    "single quotes": lambda text: text.replace('"', "'"),
    "indented": lambda text: _each(text, lambda data: yaml.dump(data, Dumper=Indented, sort_keys=False, indent=4)),
    "sorted keys": _dumped(),
    "a byte order mark": lambda text: "\ufeff" + text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
}


def restyled(chance: random.Random, text: str) -> tuple[str, str]:
    """The name of a style, and the text in it."""
    name = chance.choice([*STYLES])
    return name, STYLES[name](text)
