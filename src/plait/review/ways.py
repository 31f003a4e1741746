"""What changed values came through: asked only where a review shows it."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.evaluate.explain import explain
from plait.evaluate.hops import READS, WRITTEN
from plait.evaluate.nowhere import NotThere

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path
    from plait.fronts.front import DocumentId
    from plait.review.compared import ComparedTargets


def way_of(side: ComparedTargets, name: str, document: DocumentId, path: Path) -> tuple[str, ...]:
    """What one value of a target came through, a line for each step."""
    target = side.targets[name]
    try:
        leaves = explain(target.tree(document), path).leaves
    except (Fault, NotThere):  # made by the front itself
        return ()
    if len(leaves) != 1:
        return ()
    hops = [hop for hop in leaves[0].way if hop.word not in (WRITTEN, READS) and hop.text]
    places = [f" ({target.path(hop.origin.file)}:{hop.origin.line})" if hop.origin is not None else "" for hop in hops]
    return tuple(f"{hop.word} {leaves[0].told(hop)}{place}" for hop, place in zip(hops, places, strict=True))
