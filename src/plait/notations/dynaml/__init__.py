"""dynaml, the language of spiff: `(( a.b "-" 1 + 2 ))` as the value of a key or an item of a list, never inside a text.

recognise(scalar, written)      a suspension, where the scalar is one expression as a whole
Dynaml.value_and_effects(scope) its value and its effects
"""

from __future__ import annotations

from plait.core.node import Node, Scalar, Suspension
from plait.notations.dynaml.expression import BrokenExpression
from plait.notations.dynaml.expression import Dynaml as Dynaml
from plait.notations.dynaml.functions import all_functions
from plait.notations.dynaml.parse import NotDynaml, reference
from plait.notations.dynaml.shapes import ExpressionShape, shape_of
from plait.notations.dynaml.tree import Reference

Recognised = Dynaml | BrokenExpression


def looks_like(text: str, lines: bool = False) -> bool:
    """Whether a text is one expression as a whole. `((!name))` is none: it is left to the reader of the manifest.

    With `lines`, one may go over several of them.
    """
    return text[:2] == "((" and text[2:3] != "!" and text[-2:] == "))" and len(text) > 3 and (lines or "\n" not in text)


def read(text: str, successor: bool = False) -> Recognised:
    """The expression that a text is."""
    try:
        simple = reference_in(text)
        if simple is not None:
            return Dynaml(text, ExpressionShape(simple, False))
        return Dynaml(text, *shape_of(text[2:-2], successor), successor)
    except NotDynaml as trouble:
        return BrokenExpression(text, trouble)


def reference_in(text: str) -> Reference | None:
    """The reference that an expression is as a whole, for a text that looks like one."""
    return reference(text, 2, len(text) - 2)


def recognise(scalar: Scalar, written: object) -> Node:
    """A suspension for a scalar that is an expression, else the scalar."""
    text = scalar.text
    if not looks_like(text):
        return scalar
    return Suspension(read(text), scalar.source, scalar.at, written)


def listing() -> list[dict[str, str]]:
    """The functions, for `plait functions` and the reference page."""
    return [
        {"signature": f"{each.name}({each.arguments})", "about": each.about, "example": f"(( {each.example} ))"}
        for each in all_functions().values()
    ]
