"""Values as people type them: YAML on the command line, where quotes are often forgotten.

A number, or true or false, typed over a quoted string stays a string: the quotes mean that the reader of the file
expects a string. A tag makes it a number again: `!!int 8080`.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.lazy import LazyPattern
from plait.core.node import Node, Scalar
from plait.core.path import Path, format_path
from plait.core.source import Source
from plait.report.catalog import BAD_VALUE
from plait.yaml.build import Reading
from plait.yaml.load import load
from plait.yaml.schema import CORE, YAML11

_PROPERTIES = LazyPattern(r"(?:[&!]\S*[ \t]+)*")
"""The anchor and the tag before a value."""
KINDS = {bool: ("true or false", "!!bool"), int: ("a number", "!!int"), float: ("a number", "!!float")}
"""The name of each kind of value that is not text, and its tag."""


class TypedScalar(Scalar):
    """A number, true or false that was typed without quotes and without a tag."""

    __slots__ = ()


def typed_value(text: str, as_string: bool, path: str) -> Node:
    """A value that the user typed: YAML, or just text."""
    source = Source(f"the value of {path}", text, given=True)
    if as_string:
        return Scalar(text, text, source, 0)
    try:
        trees = load(source, Reading(merge_keys=False))
    except Fault as trouble:
        first = trouble.diagnostics[0]
        raise BAD_VALUE.error(*first.labels, text=text, why=first.message, hint="--string takes it as text") from None
    if len(trees) > 1:
        raise BAD_VALUE.error(
            Label.at(source, 0), text=text, why="it contains several documents", hint="--string takes it as text"
        )
    return _noted(trees[0], text) if trees else Scalar(None, "", source, 0)


def _noted(node: Node, text: str) -> Node:
    if not isinstance(node, Scalar) or node.value.__class__ not in KINDS or node.text != text.strip():
        return node
    return TypedScalar(node.value, node.text, node.source, node.at)


def settled(value: Node, before: Node | None) -> Node:
    """A value for a place that has another one now: what was typed over a quoted string is a string."""
    if not isinstance(value, TypedScalar):
        return value
    return Scalar(value.text if is_quoted(before) else value.value, value.text, value.source, value.at)


def is_quoted(node: Node | None) -> bool:
    """Whether a value is a string that is written so that it cannot be anything else."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or not isinstance(node.source, Source):
        return False
    start = _PROPERTIES.match(node.source.text, node.at)
    sign = node.source.text[start.end() : start.end() + 1] if start is not None else ""
    return sign in ("'", '"', "|", ">") or not isinstance(CORE.resolve(node.text), str)


def as_typed(value: Node, before: Node | None, text: str) -> str:
    """How a value is typed over another so that it stays what it is; `text` is how it is written."""
    if not isinstance(value, Scalar) or value.tag is not None or not is_quoted(before):
        return text
    _, tag = KINDS.get(value.value.__class__, ("", ""))
    return f"{tag} {text}" if tag else text


def type_note(path: Path, value: Node, before: Node) -> str:
    """What there is to say about the type of a value that was typed over another; empty where it is clear."""
    if not isinstance(before, Scalar) or not isinstance(value, Scalar):
        return ""
    name = f"`{format_path(path)}`"
    if isinstance(value, TypedScalar) and isinstance(before.value, str):
        kind, tag = KINDS[value.value.__class__]
        if is_quoted(before):
            how = "" if before.secret else f"; write `{tag} {value.text}` to make it {kind}"
            return f"{name} stays a string{how}"
        return f"{name} was a string and is {kind} now; --string keeps it a string"
    meant = YAML11.resolve(value.text) if isinstance(value.value, str) else None
    if isinstance(before.value, bool) and isinstance(meant, bool):
        return f"{name} was true or false and is a string now; write `{'true' if meant else 'false'}`"
    return ""
