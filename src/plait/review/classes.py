"""The reason for a difference from another tool: a documented decision, an option that makes both equal, or unknown.

An option is named only if it was tried: the target was evaluated with it, and gave the other tool's value.
"""

from __future__ import annotations

from plait.core.find import step_into
from plait.core.node import ListNode, MapNode, Node, Scalar, equal
from plait.core.path import Path, format_path
from plait.core.struct import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.fronts.front import DocumentId
    from plait.review.causes import TargetResult

    Documents = dict[DocumentId, Node]
    Test = Callable[["Node | None", "Node | None"], bool]

DECISION, OPTION, NOBODY_KNOWS = "decision", "option", "unknown"


@struct
class DifferenceClass:
    """The class of a difference, its reason in words, and for a decision the page that describes it."""

    kind: str
    text: str = ""
    see: str = ""


UNKNOWN = DifferenceClass(NOBODY_KNOWS)


@struct
class OptionTrial:
    """A target evaluated with an option. `text` names the option; `{path}` in it is the place of the list."""

    text: str
    result: TargetResult


def _text(node: Node | None) -> str:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else ""


def _is_a(node: Node | None, kind: type) -> bool:
    """Whether it is a text or a number; true and false are none."""
    return isinstance(node, Scalar) and isinstance(node.value, kind) and not isinstance(node.value, bool)


def _appended(theirs: Node | None, ours: Node | None) -> bool:
    """Whether their list is something and then ours."""
    if not isinstance(theirs, ListNode) or not isinstance(ours, ListNode) or len(theirs.items) <= len(ours.items):
        return False
    tail = theirs.items[len(theirs.items) - len(ours.items) :]
    return all(equal(a, b) for a, b in zip(tail, ours.items, strict=True))


SPIFF = "docs/fronts/spiff.md#different-on-purpose"
UNFURL = "docs/fronts/unfurl.md#different-on-purpose"
SPRUCE = "docs/migrate.md#from-spruce"
STACKS = "docs/fronts/stacks.md#where-plait-differs-from-what-a-shared-case-expects"


def _rounded(theirs: Node | None, ours: Node | None) -> bool:
    return _is_a(theirs, float) and _is_a(ours, int)


def _spaced(theirs: Node | None, ours: Node | None) -> bool:
    return _is_a(theirs, str) and _is_a(ours, str) and _text(theirs).strip() == _text(ours).strip()


def _left(mark: str) -> Test:
    """Whether they leave an expression that we evaluate."""
    return lambda theirs, ours: mark in _text(theirs) and mark not in _text(ours)


def _evaluated(mark: str) -> Test:
    """Whether they evaluate an expression that we leave."""
    return lambda theirs, ours: mark in _text(ours) and mark not in _text(theirs)


def _kept(theirs: Node | None, ours: Node | None) -> bool:
    return isinstance(theirs, MapNode) and isinstance(ours, Scalar) and ours.value is None


def _unexpanded(theirs: Node | None, ours: Node | None) -> bool:
    return isinstance(theirs, MapNode) and any(str(key).startswith("+") for key in theirs.entries)


DECISIONS: tuple[tuple[str, str, str, Test], ...] = (
    ("spiff", "a large number keeps its digits", SPIFF, _rounded),
    ("spiff", "a string is read as it was written", SPIFF, _spaced),
    ("spiff", "an expression that spiff leaves has a value", SPIFF, _left("((")),
    ("unfurl", "lists are replaced, not appended", UNFURL, _appended),
    ("unfurl", "null overrides what is included", UNFURL, _kept),
    ("unfurl", "a directive that Unfurl leaves is expanded", UNFURL, _unexpanded),
    ("layers", "in layers an operator of spruce is text; write `!ref` or a tag in its place", SPRUCE, _evaluated("((")),
    ("stacks", "a template is rendered with what functions give", STACKS, _left("{{")),
)
"""Decisions that differ from another tool: the front, the decision, its page, and how such a difference looks."""


def classify(
    document: DocumentId, place: Path, theirs: Documents, ours: Documents, front: str, options: Iterable[OptionTrial]
) -> DifferenceClass:
    """The class of the difference at a place of a document."""
    whole = list_above(place)
    wanted = _at(theirs.get(document), whole)
    for option in options:
        if document in option.result.documents and equal(wanted, _at(option.result.documents[document], whole)):
            return DifferenceClass(OPTION, option.text.format(path=format_path(whole)))
    mine = _at(ours.get(document), whole)
    for name, text, see, test in DECISIONS:
        if name == front and test(wanted, mine):
            return DifferenceClass(DECISION, text, see)
    return UNKNOWN


def list_above(place: Path) -> Path:
    """The outermost list that a place is in, else the place itself."""
    return next((place[:depth] for depth, step in enumerate(place) if not isinstance(step, str)), place)


def _at(node: Node | None, path: Path) -> Node | None:
    for step in path:
        node = step_into(node, step) if node is not None else None
    return node
