"""Overrides that repeat what they override, and that somebody seems to have meant: no proposals are made of them.

A version that is set again stays when the one below it moves; so does a guard against deletion. A comment of its own
says why a value is there. And what a document says about itself is not left to another one that it inherits from.
"""

from __future__ import annotations

import re

from plait.core.node import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.tidy.layering import Looked
    from plait.tidy.looking import ValueUse
    from plait.tidy.written import WrittenFile, WrittenValue

PINS = {
    *("version", "tag", "digest", "revision", "ref", "sha", "commit", "checksum", "release"),
    *("protection", "protected", "destroy"),
}
"""The last or the first words of keys whose values people pin."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
VERSION = re.compile(r"(?:^|[:=@/-])v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?\Z")
"""A text that is a version, or ends with one."""
IMAGE = re.compile(r"[^\s:]+:[\w][\w.-]*(?:@sha256:[0-9a-f]+)?\Z|\S+@sha256:[0-9a-f]+\Z")
"""The name of an image with its tag."""


def is_meant(looked: Looked, file: WrittenFile, value: WrittenValue, use: ValueUse) -> bool:
    """Whether somebody seems to have meant a value to be there, though it repeats what is below it."""
    own = looked.is_its_own(file.path, value.node.at, use)
    return own or is_pin(value) or is_explained(looked, file, value, use)


def is_pin(value: WrittenValue) -> bool:
    """Whether a value is a version, or one of those that people set once more to be sure."""
    if not isinstance(value.node, Scalar):
        return False
    key = next((step for step in reversed(value.steps) if isinstance(step, str)), "")
    words = [word.lower() for word in WORD.findall(key)]
    named = bool(words) and not PINS.isdisjoint((words[0], words[-1]))
    text = value.node.text
    return named or VERSION.search(text) is not None or ("image" in words and IMAGE.match(text) is not None)


def is_explained(looked: Looked, file: WrittenFile, value: WrittenValue, use: ValueUse) -> bool:
    """Whether a value, or what it is in, has a comment that the value below it does not have as well."""
    if "#" not in file.source.text:
        return False
    below = list(_below(looked, use))
    one: WrittenValue | None = value
    while one is not None and one.steps:
        said = _comments(file, one)
        if said and not all(said <= _comments(*there) for there in below):
            return True
        one = one.above
        below = [(other, there.above) for other, there in below if there.above is not None]
    return False


def _below(looked: Looked, use: ValueUse) -> Iterator[tuple[WrittenFile, WrittenValue]]:
    for origin in use.below:
        found = looked.written(origin)
        if found is not None:
            yield found


def has_comment(file: WrittenFile, value: WrittenValue) -> bool:
    """Whether somebody says something of a value."""
    return bool(_comments(file, value))


def _comments(file: WrittenFile, value: WrittenValue) -> set[str]:
    """The comments beside a value and right above it: at the head of a file, they may be about its first value."""
    if not file.has_comment_near(value):
        return set()
    return {file.comment(value), file.comment_above(value, at_head=True)} - {""}
