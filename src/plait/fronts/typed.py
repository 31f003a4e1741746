"""Paths as people type them on the command line and in a program: `.a.b`, `a.0.b`, `a[name=web]`, and patterns with
`*` and `**`."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import entry_key, item_index, without_marks
from plait.core.node import ListNode, MapNode, Node, children
from plait.core.path import ANY, DEEP, Path, PathError, Step, Wildcard, parse_path
from plait.core.source import Source
from plait.report.catalog import BAD_PATH
from plait.report.foreign import ROOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


DOTS = "write one dot between two keys; `**` stands for any number of steps, as in a.**.b"
QUOTED = 'a path has keys, dots and brackets, as in a.b[0], a[name=web] or a["x.y"]'


def typed_path(text: str, *, pattern: bool = False) -> Path:
    """A path that the user typed; a dot at its beginning is the document itself, as in jq and yq."""
    body = text[1:] if text.startswith(".") and text[:2] != ".." else text
    try:
        return parse_path(body, pattern=pattern)
    except PathError as trouble:
        label = Label.at(Source("the path", text, given=True), trouble.at + len(text) - len(body))
        hint = DOTS if ".." in text else QUOTED
        raise BAD_PATH.error(label, path=text, why=trouble.message, hint=hint) from None


def is_foreign(root: Node | None, path: Path) -> bool:
    """Whether a path that leads nowhere is one of another tool, so that no key of that name is to be made: `$.a`, or
    `/a/b` where no key begins with a slash."""
    first = path[0] if path else None
    if first == ROOT or not isinstance(first, str) or not first.startswith("/"):
        return first == ROOT
    keys = root.entries if isinstance(root, MapNode) else ()
    return not any(isinstance(key, str) and key.startswith("/") for key in keys)


def has_wildcards(text: str) -> bool:
    """Whether a path that the user typed is a pattern for several."""
    return "*" in text and any(isinstance(step, Wildcard) for step in typed_path(text, pattern=True))


def matching(root: Node, pattern: Path) -> Iterator[tuple[Path, Node]]:
    """Every place of a tree that a pattern matches, once, in the order of the tree."""
    stack: list[tuple[Path, Node, tuple[Path, ...]]] = [((), root, _states(pattern))]
    while stack:
        path, node, states = stack.pop()
        if () in states:
            yield path, node
        inner = without_marks(node)
        below = [
            ((*path, key), child, states_after)
            for key, child in children(inner)
            if (states_after := _after(states, inner, key))
        ]
        stack.extend(reversed(below))


def _states(pattern: Path) -> tuple[Path, ...]:
    """A pattern, and what it is with a leading `**` that stands for nothing."""
    return (pattern, *_states(pattern[1:])) if pattern and pattern[0] is DEEP else (pattern,)


def _after(states: tuple[Path, ...], node: Node, key: Step) -> tuple[Path, ...]:
    """What is left of patterns one step further down."""
    left: dict[Path, None] = {}
    for state in states:
        if state and state[0] is DEEP:
            left.update(dict.fromkeys(_states(state)))
        elif state and (state[0] is ANY or _means(node, state[0]) == key):
            left.update(dict.fromkeys(_states(state[1:])))
    return tuple(left)


def _means(node: Node, step: Step) -> Step | None:
    """The key or index that a step means in a container."""
    if isinstance(node, MapNode):
        return entry_key(node, step)
    return item_index(node, step) if isinstance(node, ListNode) else None
