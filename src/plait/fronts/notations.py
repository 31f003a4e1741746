"""Which notations there are: what `plait merge` can read beside its own tags, and who lists its
functions.

A notation is imported when a project names it, so that a language that is not used costs nothing.
"""

from __future__ import annotations

from plait.core.node import Node, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MARKERS = {
    "dynaml": ("((", "plait.notations.dynaml"),
    "gotemplate": ("{{", "plait.notations.gotemplate"),
}
"""The sign that a text holds the notation, and the module whose `recognise(scalar, written)` makes a suspension of
it."""

FUNCTIONS = {
    "tags": "plait.notations.tags",
    "dynaml": "plait.notations.dynaml",
    "gotemplate": "plait.notations.gotemplate",
    "query": "plait.notations.query.functions",
}
"""Modules whose `listing()` gives the functions they declare: what `plait functions` and the reference page show."""

WORDS = {
    "dynaml": ("plait.notations.dynaml", "plait.notations.dynaml.marks", "plait.fronts.spiff.control"),
    "gotemplate": ("plait.notations.gotemplate",),
    "tags": ("plait.notations.tags",),
    "stacks": ("plait.fronts.stacks.language.manifest_functions",),
}
"""Modules whose `listing()` gives words of a notation: its functions, marks and keys."""


def words_of(notation: str) -> list[dict[str, str]]:
    """Everything in a notation that has a name and a meaning: how it is written, what it does, an example."""

    from importlib import import_module

    return [row for module in WORDS[notation] for row in import_module(module).listing()]


def function_listings() -> dict[str, Callable[[], list[dict[str, str]]]]:
    """For each notation with functions, a way to list them; nothing is loaded before it is asked for."""

    from importlib import import_module

    def lister(module: str) -> Callable[[], list[dict[str, str]]]:
        return lambda: import_module(module).listing()

    return {name: lister(module) for name, module in FUNCTIONS.items()}


def recogniser(names: tuple[str, ...], written: object) -> tuple[tuple[str, ...], Callable[[Scalar], Node] | None]:
    """The markers of the notations named, and what a text scalar becomes under them."""
    wanted = [name for name in names if name in MARKERS]
    if not wanted:
        return (), None
    from importlib import import_module  # nearly every merge is without

    chosen = [(MARKERS[name][0], import_module(MARKERS[name][1]).recognise) for name in wanted]

    def recognise(scalar: Scalar) -> Node:
        for marker, notation in chosen:
            if marker in scalar.text:
                node: Node = notation(scalar, written)
                if node is not scalar:
                    return node
        return scalar

    return tuple(marker for marker, _ in chosen), recognise
