"""Folded texts (`key: >`) as kustomize prints them: it writes each resource once and reads it again, and its library
(go-yaml) writes an empty line too many before an indented line, so that the text has a line break more."""

from __future__ import annotations

from functools import lru_cache

from plait.core.lazy import LazyPattern
from plait.core.node import Node, Scalar, rewrite
from plait.core.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDED = LazyPattern(r"\s>[-+0-9]{0,2}[ \t]*(?:#[^\n]*)?\r?\n")
BLANKS = (" ", "\t")
PLAIN = ((" ", "~"), ("\xa0", "\ufefe"), ("\uff00", "\ufffd"))
"""What go-yaml writes as it is, besides tabs and line breaks."""


def refolded(node: Node) -> Node:
    """A resource, or a part of a patch, with its folded texts as kustomize prints them."""
    source = node.source
    return rewrite(node, _leaf) if isinstance(source, Source) and _has_folded(source) else node


@lru_cache(maxsize=4)
def _has_folded(source: Source) -> bool:
    """Whether there may be such texts: a file has many resources, one after the other."""
    return FOLDED.search(source.text) is not None


def _leaf(node: Node) -> Node:
    return refolded_as(node, node) if isinstance(node, Scalar) else node


def refolded_as(node: Scalar, written: Node | None) -> Scalar:
    """A single value in the place of another one, which says how it is written."""
    value = node.value
    if not isinstance(value, str) or "\n" not in value or not is_folded(written):
        return node
    made = read_again(value)
    return node if made == value else Scalar(made, made, node.source, node.at, node.tag, node.secret)


def is_folded(node: Node | None) -> bool:
    """Whether a value is written as `>`."""
    if not isinstance(node, Scalar) or not isinstance(node.source, Source):
        return False
    text, at = node.source.text, node.at
    while text[at : at + 1] in ("!", "&"):  # a tag or an anchor
        at = next((place for place in range(at, len(text)) if text[place].isspace()), len(text))
        at = next((place for place in range(at, len(text)) if not text[place].isspace()), len(text))
    return text.startswith(">", at)


def read_again(value: str) -> str:
    """A folded text after it was written and read once. What has no block style is written in quotes, and stays."""
    body = value.lstrip("\n")
    in_quotes = value.endswith(" ") or " \n" in value or not all(map(_is_plain, body))
    if not body or in_quotes:
        return value
    return value[: len(value) - len(body)] + "".join(_parts(body))


def _is_plain(sign: str) -> bool:
    return sign in "\n\t" or any(first <= sign <= last for first, last in PLAIN)


def _parts(body: str) -> Iterator[str]:
    lines = body.split("\n")
    extra = not body.startswith(BLANKS)
    before, breaks = "", 0
    for line in lines:
        if breaks and line:
            written = breaks + (extra and not before.startswith(BLANKS))
            if before.startswith(BLANKS) or line.startswith(BLANKS):
                yield "\n" * written
            else:
                yield "\n" * (written - 1) or " "
        if line:
            yield line
            before, breaks = line, 0
        breaks += 1
    last = breaks - 1
    yield "\n" * (last + (last > 1 and extra and not before.startswith(BLANKS)))
