"""Texts of YAML 1.2 as plain Python values, with what is left to do as objects: `!ref`, `!unset`, tags on lists.

Maps and lists are `Map` and `List`; scalars are None, bool, int, float and str.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

INTEGER = re.compile(r"[-+]?[0-9]+\Z")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
WORDS = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"]),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}
STR = "tag:yaml.org,2002:str"


@dataclass(eq=False)
class Map:
    """A map. `alone`: it is tagged `!replace`."""

    entries: dict[Any, Any] = field(default_factory=dict)
    tag: str = ""
    alone: bool = False


@dataclass(eq=False)
class List:
    """A list, and how it says itself that it is merged: `append`, `key:name`, ..., or nothing."""

    items: list[Any] = field(default_factory=list)
    tag: str = ""
    rule: str = ""


@dataclass(frozen=True)
class Ref:
    """`!ref PATH`."""

    path: str


@dataclass(frozen=True)
class Tagged:
    """A scalar with a tag that plait does not know: it is a value of its own."""

    tag: str
    text: str


class Unset:
    """`!unset`."""


UNSET = Unset()


def documents(text: str) -> list[Any]:
    """The documents of a file that are not empty."""
    nodes = yaml.compose_all(text, Loader=yaml.BaseLoader)
    return [value(node) for node in nodes if not is_empty(node)]


def is_empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.value and not node.tag.startswith("!")


def value(node: yaml.Node) -> Any:
    tag = node.tag if node.tag.startswith("!") else ""
    if isinstance(node, yaml.MappingNode):
        entries = {value(key): value(child) for key, child in node.value}
        return Map(entries, "" if tag == "!replace" else tag, alone=tag == "!replace")
    if isinstance(node, yaml.SequenceNode):
        rule = rule_of(tag)
        items = [value(child) for child in node.value if child.tag != "!merge-by"]
        if len(items) < len(node.value):
            rule = f"key:{node.value[0].value}"
        return List(items, "" if rule_of(tag) else tag, rule)
    if tag == "!ref":
        return Ref(node.value)
    if tag == "!unset":
        return UNSET
    if tag:
        return Tagged(tag, node.value)
    return scalar(node.value) if node.style is None else node.value


def rule_of(tag: str) -> str:
    """What a tag on a list asks for."""
    if tag.startswith("!merge-by:"):
        return "key:" + tag.removeprefix("!merge-by:")
    return tag.removeprefix("!") if tag in ("!append", "!prepend", "!replace") else ""


def scalar(text: str) -> Any:
    """What a plain scalar means."""
    if text in WORDS:
        return WORDS[text]
    if INTEGER.match(text):
        return int(text)
    return float(text) if FLOAT.match(text) else text


def plain(data: Any) -> Any:
    """Values without classes of their own, to compare: key order and types count."""
    if isinstance(data, Map):
        return (data.tag, "map", [(key, plain(child)) for key, child in data.entries.items()])
    if isinstance(data, List):
        return (data.tag, "list", [plain(item) for item in data.items])
    return (type(data).__name__, str(data))
