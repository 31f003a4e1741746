"""Which notations `plait merge` can be told to understand, beside the tags it always does: one line each.

A notation is imported when a project names it, so that nobody pays for a language they do not use.
"""

from __future__ import annotations

from importlib import import_module

from plait.core.node import Node, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MARKERS = {
    "dynaml": ("((", "plait.notations.dynaml"),
    "gotemplate": ("{{", "plait.notations.gotemplate"),
}
"""The sign that a text holds the notation, and the module whose `recognise(scalar, written)` makes a suspension of it."""


def recogniser(names: tuple[str, ...], written: object) -> tuple[tuple[str, ...], Callable[[Scalar], Node] | None]:
    """The markers of the notations named, and what a text scalar becomes under them."""
    chosen = [(MARKERS[name][0], import_module(MARKERS[name][1]).recognise) for name in names if name in MARKERS]
    if not chosen:
        return (), None

    def recognise(scalar: Scalar) -> Node:
        for marker, notation in chosen:
            if marker in scalar.text:
                node: Node = notation(scalar, written)
                if node is not scalar:
                    return node
        return scalar

    return tuple(marker for marker, _ in chosen), recognise
