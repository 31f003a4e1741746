"""How spiff's users write YAML: the words of YAML 1.1 as values, text for keys, `<<` as an ordinary key.

What looks like an expression becomes a suspension that a stage seats; the same text is parsed once.
"""

from __future__ import annotations

from itertools import product

from plait.core.diagnostic import Label
from plait.core.node import Key, Node, Scalar, Suspension, untagged
from plait.fronts.spiff.positions import StagedExpression
from plait.notations.dynaml import Dynaml, looks_like, read
from plait.notations.dynaml.dialect import CLASSIC, Dialect
from plait.notations.dynaml.interpolate import interpolated
from plait.report.catalog import TEXT_KEYS
from plait.yaml.build import Reading
from plait.yaml.schema import YAML11, Schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MARKER = "(("


def _any_case(*words: str) -> list[str]:
    return ["".join(letters) for word in words for letters in product(*({c, c.upper()} for c in word))]


SPIFF = Schema(
    "spiff",
    {
        **YAML11.words,
        **dict.fromkeys(_any_case("y", "yes", "true", "on"), True),
        **dict.fromkeys(_any_case("n", "no", "false", "off"), False),
        **{sign + word: float(sign + "inf") for sign in ("", "+", "-") for word in _any_case(".inf")},
        **dict.fromkeys(_any_case(".nan"), float("nan")),
    },
    YAML11.number,
)


def reading(
    nodes: int,
    expressions: bool = True,
    repeated: Callable[[Key, Label, Label], None] | None = None,
    dialect: Dialect = CLASSIC,
    left: Callable[[Scalar], None] | None = None,
) -> Reading:
    """How a template or stub is read; a manifest that is only compared keeps its expressions as text. `left` is told
    of texts with an expression that is not computed."""
    seen: dict[str, StagedExpression | None] = {}
    successor = dialect.successor

    def as_text(scalar: Scalar) -> Node:
        if left is not None and "(( " in scalar.text and " ))" in scalar.text:
            left(scalar)
        return scalar

    def marked(scalar: Scalar) -> Node:
        text = scalar.text
        if text not in seen:
            seen[text] = _expression(text, dialect)
        expression = seen[text]
        return as_text(scalar) if expression is None else Suspension(expression, scalar.source, scalar.at)

    def classic(scalar: Scalar) -> Node:
        text = scalar.text
        expression = seen.get(text)
        if expression is None:
            if text[:2] != MARKER and left is None:
                return scalar
            if not looks_like(text):
                return as_text(scalar)
            expression = seen[text] = StagedExpression.written(text)
        return Suspension(expression, scalar.source, scalar.at)

    return Reading(
        schema=SPIFF,
        merge_keys=False,
        tagged=_untagged,
        markers=(MARKER,) if expressions else (),
        marked=(marked if successor or dialect.interpolation else classic) if expressions else None,
        nodes=nodes,
        keys=text_key,
        repeated=repeated,
        signs=(MARKER,),
    )


def _expression(text: str, dialect: Dialect) -> StagedExpression | None:
    """The expression that a text is, or that the expressions inside a text make."""
    whole = read(text, dialect.successor) if looks_like(text, dialect.successor) else None
    if isinstance(whole, Dynaml) or not dialect.interpolation:
        return None if whole is None else StagedExpression.of(whole)
    found = interpolated(text, dialect.successor) or whole
    return None if found is None else StagedExpression.of(found)


def _untagged(tag: str, node: Node) -> Node:
    """spiff has no tags."""
    return untagged(node)


def text_key(node: Node) -> Key:
    """A key that was not plain text: `on` and its like stay text, numbers are refused."""
    if isinstance(node, Suspension):
        return node.expression.text
    if isinstance(node, Scalar) and isinstance(node.value, str | bool):
        return node.text
    length = len(node.text) if isinstance(node, Scalar) else 1
    raise TEXT_KEYS.error(
        Label(node.origin, length=length), hint=f'put it in quotes: "{node.text}"' if isinstance(node, Scalar) else ""
    )
