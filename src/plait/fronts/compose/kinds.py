"""Whether the values of a Compose file are of the kinds that Compose takes: it refuses a file otherwise."""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.node import ListNode, MapNode, Node, Scalar, children, key_text
from plait.fronts.checks import OWN_KEYS, maps_at
from plait.fronts.compose.nodes import entries
from plait.fronts.compose.numbers import whole
from plait.fronts.forms import written
from plait.profiles.keys import (
    COMPOSE_BOUNDS,
    COMPOSE_CHOICES,
    COMPOSE_KINDS,
    COMPOSE_NAMED,
    COMPOSE_ONCE,
    COMPOSE_REQUIRED,
)
from plait.report.catalog import COMPOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeVar

    from plait.core.diagnostic import Diagnostic

    T = TypeVar("T")

WORDS = {"text": "text", "number": "a number", "boolean": "true or false", "list": "a list", "map": "a map"}
"""The kinds of values, as they are named to people."""
REFUSED = "docker compose refuses this as well"
NAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def check_kinds(document: Node) -> None:
    """All mistakes of a document come at once."""
    wrong = [
        *_wrong_kinds(document),
        *_missing(document),
        *_repeated(document),
        *_wrong_words(document),
        *_out_of_bounds(document),
        *_wrong_names(document),
    ]
    if wrong:
        raise Fault(*wrong)


def _wrong_kinds(document: Node) -> Iterator[Diagnostic]:
    for pattern, kinds in COMPOSE_KINDS.items():
        for node in maps_at(document, pattern):
            for key, child in node.entries.items():
                name = key_text(key)
                if name in kinds:
                    yield from _wrong(name, child, *kinds[name].split(":"))


def _wrong(name: str, node: Node, own: str, items: str = "", values: str = "") -> Iterator[Diagnostic]:
    """What is wrong with a value, or with what is directly in it."""
    kind = kind_of(node)
    if kind and kind not in own.split(","):
        yield _refused(f"`{name}` must be {_listed(own)}, not {WORDS.get(kind, kind)}", node)
        return
    inside = {"list": items, "map": values}.get(kind, "")
    for step, child in children(node) if inside else ():
        found = kind_of(child)
        if found and found not in inside.split(",") and not str(step).startswith(OWN_KEYS):
            part = f"`{name}.{step}`" if kind == "map" else f"an item of `{name}`"
            yield _refused(f"{part} must be {_listed(inside)}, not {WORDS.get(found, found)}", child)


def _refused(why: str, node: Node) -> Diagnostic:
    hint = "give it a value, or remove the key" if kind_of(node) == "null" else REFUSED
    if why.endswith(("a number", "true or false")):
        hint = "put it in quotes"
    return COMPOSE(Label(node.origin), why=why, hint=hint)


def _listed(kinds: str) -> str:
    return " or ".join(WORDS[one] for one in kinds.split(",") if one in WORDS)


def kind_of(node: Node) -> str:
    """`text`, `number`, `boolean`, `null`, `list` or `map`; nothing for what is not known yet."""
    if isinstance(node, MapNode):
        return "map"
    if isinstance(node, ListNode):
        return "list"
    if not isinstance(node, Scalar):
        return ""
    value = node.value
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    return "number" if isinstance(value, int | float) else "text"


def _missing(document: Node) -> Iterator[Diagnostic]:
    for pattern, keys in COMPOSE_REQUIRED.items():
        for node in maps_at(document, pattern):
            for key in keys:
                if key not in entries(node):
                    place = next(step for step in reversed(pattern) if step != "*")
                    yield COMPOSE(Label(node.origin), why=f"`{key}` is missing in `{place}`", hint=f"add `{key}`")


def _repeated(document: Node) -> Iterator[Diagnostic]:
    for pattern, keys in COMPOSE_ONCE.items():
        for node in maps_at(document, pattern):
            for key in keys:
                yield from _twice(key, node.entries.get(key))


def _twice(key: str, node: Node | None) -> Iterator[Diagnostic]:
    seen: dict[str, Node] = {}
    for item in node.items if isinstance(node, ListNode) else ():
        words = written(item) if isinstance(item, Scalar) else ""
        if words and words in seen:
            why = f"`{key}` has the same item twice"
            yield COMPOSE(
                Label(item.origin),
                Label(seen[words].origin),
                why=why,
                hint=f"{REFUSED}: remove one of them",
            )
        seen.setdefault(words, item)


def _wrong_words(document: Node) -> Iterator[Diagnostic]:
    for key, node, words in _values(document, COMPOSE_CHOICES):
        text = node.value if isinstance(node, Scalar) else None
        shown = not (isinstance(node, Scalar) and node.secret)
        if isinstance(text, str) and "$" not in text and text not in words and not _is_every(text, words):
            listed = ", ".join(f"`{one}`" for one in words[:-1])
            why = f"`{key}` must be {listed} or `{words[-1]}`" if listed else f"`{key}` must be `{words[-1]}`"
            yield COMPOSE(Label(node.origin), why=f"{why}, not `{text}`" if shown else why, hint=REFUSED)


def _is_every(text: str, words: list[str]) -> bool:
    """Whether a text is `every_` and a time, such as `every_12h`, where that may be."""
    time = text.removeprefix("every_")
    return "every_TIME" in words and time != text and time[:1].isdigit() and time[-1:] in "wdhms"


def _out_of_bounds(document: Node) -> Iterator[Diagnostic]:
    for key, node, (lowest, highest) in _values(document, COMPOSE_BOUNDS):
        number = whole(node.value, cut=True) if isinstance(node, Scalar) and kind_of(node) != "boolean" else None
        if number is not None and not lowest <= number <= (number if highest is None else highest):
            most = "" if highest is None else f", and at most {highest}"
            yield COMPOSE(Label(node.origin), why=f"`{key}` must be at least {lowest}{most}", hint=REFUSED)


def _values(document: Node, table: dict[tuple[str, ...], dict[str, T]]) -> Iterator[tuple[str, Node, T]]:
    """The values that rows of a table are about: key, value, and what the row says."""
    for pattern, rows in table.items():
        for node in maps_at(document, pattern):
            for key, said in rows.items():
                if key in node.entries:
                    yield key, node.entries[key], said


def _wrong_names(document: Node) -> Iterator[Diagnostic]:
    for pattern in COMPOSE_NAMED:
        for node in maps_at(document, pattern):
            for key in node.entries:
                name = key_text(key)
                if not name.startswith(OWN_KEYS) and (not name or set(name) - NAME_LETTERS):
                    why = f"`{name}` is no name for one of `{pattern[-1]}`"
                    hint = "use letters, digits and `.`, `_`, `-`"
                    yield COMPOSE(Label(node.key_origin(key)), why=why, hint=hint)
