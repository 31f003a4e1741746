"""Scalars as they were written: what was not changed is printed as it is written in its file.

`no` is text in YAML 1.2 and false in YAML 1.1. Quotes around a plain `no` would change what a reader of YAML 1.1
sees, so a plain scalar that still means what it meant in its file stays plain.
"""

from __future__ import annotations

from plait.core import native
from plait.core.lazy import LazyPattern
from plait.core.node import Key, MapNode, Node, Scalar
from plait.core.source import Source
from plait.yaml.schema import CORE
from plait.yaml.words import can_be_plain, is_plain, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.yaml.schema import Schema

_END = LazyPattern(r"[ \t]*(?:\r?\n|\r|\Z)|[ \t]+#|[ \t]*:(?:\s|\Z)|[ \t]*[,\]}]")
_ends_at: Callable[[str, int], object] = native.ends_at or _END.compiled().match
"""What follows a plain scalar on its line."""
_COLON = LazyPattern(r"[ \t]*:(?:\s|\Z)")


def plain_text(node: Scalar, schema: Schema) -> str | None:
    """The text of an untouched plain scalar; None where it was quoted, made up, or means something else now."""
    text, source = node.text, node.source
    if not text or node.tag is not None or source.__class__ is not Source or not is_plain_at(source, node.at, text):
        return None
    meant, value = schema.resolve(text), node.value
    same = meant.__class__ is value.__class__ and (meant == value or (meant != meant and value != value))
    return text if same else None


def shown_scalar(node: Scalar) -> str:
    """A scalar beside others in a report: a string has quotes only where its text alone would mean something else."""
    value = node.value
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str) or not can_be_plain(value) or is_plain(value) or plain_text(node, CORE) is not None:
        return node.text
    return quoted(value)


def plain_key(holder: Node, key: Key) -> str | None:
    """The text of a key that was written plain in its mapping; None where it was not, or where that is not known."""
    if not isinstance(holder, MapNode) or not isinstance(key, str):
        return None
    origin = holder.key_origin(key)
    source = origin.source
    plain = source.__class__ is Source and is_plain_at(source, origin.at, key)
    return key if plain and _COLON.match(source.text, origin.at + len(key)) else None


def is_plain_at(source: Source, at: int, text: str) -> bool:
    """Whether exactly this text is at an offset as a plain scalar."""
    return source.text.startswith(text, at) and can_be_plain(text) and bool(_ends_at(source.text, at + len(text)))
