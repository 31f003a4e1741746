"""What changed values came through: asked only where a review shows it."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.path import format_path
from plait.evaluate.engine import NotThere
from plait.evaluate.explain import explain
from plait.evaluate.hops import READS, THROUGH, WRITTEN, Hop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.review.compared import ComparedTargets
    from plait.review.review import Effect


def follow(effects: list[Effect], before: ComparedTargets, after: ComparedTargets, most: int) -> None:
    """Give effects their ways; of equal ones the first, and no more than some."""
    asked: set[tuple[str, str]] = set()
    for effect in effects:
        row = (effect.document, format_path(effect.path))
        if row in asked or effect.kind not in ("added", "removed", "changed"):
            continue
        if len(asked) == most:
            return
        asked.add(row)
        effect.way = _way(effect, before if effect.kind == "removed" else after)


def _way(effect: Effect, side: ComparedTargets) -> tuple[str, ...]:
    target = side.targets.get(effect.target)
    if target is None:
        return ()
    try:
        leaves = explain(target.tree(effect.id), effect.place).leaves
    except (Fault, NotThere):  # made by the front itself
        return ()
    if len(leaves) != 1:
        return ()
    winner = leaves[0].winner
    own = [Hop(THROUGH, "", (), winner.node.origin, winner.expression)] if winner.expression else []
    hops = own + [hop for hop in leaves[0].hops if hop.word not in (WRITTEN, READS) and hop.text]
    places = [f" ({target.path(hop.origin.file)}:{hop.origin.line})" if hop.origin is not None else "" for hop in hops]
    return tuple(f"{hop.word} {leaves[0].told(hop)}{place}" for hop, place in zip(hops, places, strict=True))
