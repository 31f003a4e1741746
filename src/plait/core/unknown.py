"""Values that are not known, in a finished tree: where they are, and how the tree is shown around them."""

from __future__ import annotations

from plait.core.diagnostic import Fault, NotKnown
from plait.core.node import (
    COMPUTED,
    FAILED,
    Failure,
    ListNode,
    MapNode,
    Node,
    Scalar,
    Unknown,
    children,
    rewrite,
    text,
)
from plait.core.source import UNKNOWN
from plait.core.walk import places_of, text_steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Key
    from plait.core.path import Path


MAYBE = "not known whether it is merged"
"""What becomes of a map or list below a value that is not known."""
OVERRIDES = "overrides"


def overriding(why: str) -> str:
    """What a value does to one that lost for a reason: of what is below an unknown value, nobody can tell."""
    return "may override" if why == MAYBE else OVERRIDES


def overridden(why: str) -> str:
    """The same, said of the value that lost."""
    return "may be overridden" if why == MAYBE else "overridden"


def unknown_values(root: Node) -> Iterator[tuple[Path, Unknown]]:
    """Every value of a finished tree that is not known, with its path."""
    return ((path, value) for path, value in failed_values(root) if isinstance(value, Unknown))


def failed_values(root: Node) -> Iterator[tuple[Path, Failure]]:
    """Every value of a finished tree that could not be computed, with its path."""
    for path, node in places_of(root, _known_children) if has_failures(root) else ():
        if isinstance(node, Failure):
            yield text_steps(path), node


def has_failures(root: Node, clean: set[int] | None = None) -> bool:
    """Whether a value of a finished tree could not be computed. Most trees have none: paths are made for no others.

    `clean` are the identities of nodes that have none, for several trees that live at the same time.
    """
    known = clean or ()
    stack, seen = [root], {id(root)}
    while stack:
        node = stack.pop()
        if isinstance(node, MapNode):
            below: Iterable[Node] = node.entries.values()
        elif isinstance(node, ListNode):
            below = node.items
        elif isinstance(node, Failure):
            return True
        else:
            continue
        for child in below:
            if child.__class__ is not Scalar and (identity := id(child)) not in known and identity not in seen:
                seen.add(identity)
                stack.append(child)
    if clean is not None:
        clean |= seen
    return False


def _known_children(node: Node) -> list[tuple[Key | int, Node]]:
    """What is in a node and may have failed; of one that is partly known, what is in its known part."""
    known = node.known if isinstance(node, Unknown) and node.known is not None else node
    return [(step, child) for step, child in children(known) if child.__class__ is not Scalar]


def presented(root: Node) -> Node:
    """A finished tree as it is shown: of what is partly known the known part, and words for the rest."""
    return rewrite(root, _leaf)


def _leaf(node: Node) -> Node:
    if not isinstance(node, Failure):
        return node
    if not isinstance(node, Unknown):
        return text(FAILED, node.source, node.at)
    return presented(node.known) if node.known is not None else text(COMPUTED, node.source, node.at)


def failures_in(root: Node) -> list[Failure]:
    """The values of a finished tree that could not be computed."""
    found = places_of(root, _known_children, once=True) if has_failures(root) else ()
    return [node for _, node in found if isinstance(node, Failure)]


def mistakes_in(root: Node | None) -> list[Diagnostic]:
    """What is wrong with the values of a finished tree that could not be computed because of mistakes in the files."""
    wrong = mistakes(failures_in(root)) if root is not None else []
    return list(dict.fromkeys(finding for failure in wrong for finding in failure.diagnostics))


def fault_of(failures: Iterable[Failure]) -> Fault:
    """The error of something that needs values which could not be computed. Where none of them is a mistake in the
    files, it is not known either."""
    found = list(failures)
    diagnostics = dict.fromkeys(diagnostic for failure in found for diagnostic in failure.diagnostics)
    if mistakes(found):
        return Fault(*diagnostics)
    error, first = NotKnown(*diagnostics), next((one for one in found if isinstance(one, Unknown)), None)
    error.value, error.why = first, first.why if first is not None else ""
    return error


def unknown_of(error: NotKnown, expression: str = "") -> Unknown:
    """What is not known because of an error: the value that it needs, or else a value at its place."""
    if isinstance(error.value, Unknown):
        return error.value
    first = error.diagnostics[0]
    source, at = (first.labels[0].origin.source, first.labels[0].origin.at) if first.labels else (UNKNOWN, 0)
    return Unknown(error.diagnostics, source, at, why=error.why or first.message, expression=expression)


def mistakes(failures: Iterable[Failure]) -> list[Failure]:
    """Those of some failures that are mistakes in the files."""
    return [failure for failure in failures if not isinstance(failure, Unknown)]
