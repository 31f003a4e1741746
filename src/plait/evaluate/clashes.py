"""Parts that must not be merged, as they are met: where that is, and by what way each part came there.

A merge knows no paths. Whoever first meets its failure at a place says which place that is.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label
from plait.core.node import Clash, Failure, Node, Suspension, children
from plait.core.path import format_path
from plait.core.scope import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.merging.account import Account


class Clashes:
    """The clashes of one run. Most runs have none, and make nothing here."""

    _met: dict[int, tuple[Node, Failure]] | None = None
    _places: dict[int, tuple[Diagnostic, Place]]

    def met(self, failure: Failure, place: Place) -> Failure:
        """A failure as it is reported: of a clash, the place where it was first met is named."""
        if not isinstance(failure, Clash):
            return failure
        if self._met is None:
            self._met, self._places = {}, {}
        if id(failure) not in self._met:
            found = failure.seen_at(format_path(place.path))
            self._met[id(failure)] = (failure, found)
            self._places[id(found.diagnostics[0])] = (found.diagnostics[0], place)
        return self._met[id(failure)][1]

    def met_below(self, root: Node, place: Place) -> None:
        """Everything in a merge that failed is met where it was merged, whatever refers to it."""
        stack = [(root, place)]
        while stack:
            node, here = stack.pop()
            if isinstance(node, Clash):
                self.met(node, here)
            stack.extend((child, here.child(step)) for step, child in children(node) if child.live)

    def told(self, failures: Iterable[Failure], account: Callable[[], Account]) -> list[Failure]:
        """Failures with everything that the parts of a clash came through."""
        return [self._told(failure, account) for failure in failures]

    def _told(self, failure: Failure, account: Callable[[], Account]) -> Failure:
        if self._met is None:
            return failure
        places = [self._places.get(id(diagnostic)) for diagnostic in failure.diagnostics]
        if not any(places):
            return failure
        found = tuple(
            _with_ways(diagnostic, place[1], account()) if place is not None else diagnostic
            for diagnostic, place in zip(failure.diagnostics, places, strict=True)
        )
        return Failure(found, failure.source, failure.at, failure.inherited)


def _with_ways(diagnostic: Diagnostic, place: Place, root: Account) -> Diagnostic:
    from plait.evaluate.hops import passed

    account = root.find(place.path)
    ways: dict[str, Label] = {}
    for part in account.parts if account is not None else ():
        node = part.winner.node
        told = [(step.hop.origin, step.hop.text) for step in passed(part)]
        told += [(node.origin, node.told)] if isinstance(node, Suspension) and node.expression.way else []
        ways.update((str(origin), Label(origin, f"through `{text}`")) for origin, text in told if origin is not None)
    named = {str(label.origin) for label in diagnostic.labels}
    for label in [label for where, label in ways.items() if where not in named]:
        diagnostic = diagnostic.also_at(label)
    return diagnostic
