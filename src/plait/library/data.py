"""Plain values of a document, as types for programs."""

from __future__ import annotations

from typing import TypeAlias, cast

from plait.core.node import Node, plain_value
from plait.yaml.emit import plain_data

Value: TypeAlias = "str | int | float | bool | bytes | None"
"""A value that has nothing below it."""
Data: TypeAlias = "Value | list[Data] | dict[str, Data]"
"""Everything that a document can have, as dicts, lists and values."""


def data_of(node: Node | None) -> Data:
    """A finished node as plain data, secrets shown; None for nothing."""
    return None if node is None else cast(Data, plain_data(node))


def shown_data(node: Node | None) -> Data:
    """The same with secrets masked, and words for what could not be computed."""
    return None if node is None else cast(Data, plain_value(node))
