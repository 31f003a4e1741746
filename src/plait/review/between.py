"""What differs between two targets: `plait diff --target prod --target staging`."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.fronts.editing import FileDifference, differences_of
from plait.fronts.front import label
from plait.review.compared import comparing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.policy import MergePolicy
    from plait.fronts.front import DocumentId, Target


def differing(before: Target, after: Target, policy: MergePolicy) -> list[FileDifference]:
    """The differences of the results of two targets, document by document."""
    found = ((name, differences_of(left, right, policy)) for name, left, right in _pairs(before, after))
    with comparing(before.project):
        return [FileDifference("", name, 0, differences) for name, differences in found if differences]


def _pairs(before: Target, after: Target) -> Iterator[tuple[str, Node | None, Node | None]]:
    """Documents by type, namespace and name; the only documents of two targets are a pair whatever they are called.
    Namespaces are often what two targets differ in, so a name that has one document on each side is enough."""
    old, new = _results(before), _results(after)
    if len(old) == len(new) == 1:
        yield "", next(iter(old.values())), next(iter(new.values()))
        return
    others = {key: _only(new, key) or key for key in old if key not in new}
    matched = {others.get(key, key) for key in old}
    for key, node in old.items():
        yield label(key), node, new.get(others.get(key, key))
    for key, node in new.items():
        if key not in matched:
            yield label(key), None, node


def _only(documents: dict[DocumentId, Node], key: DocumentId) -> DocumentId | None:
    alike = [one for one in documents if (one.type, one.name) == (key.type, key.name)]
    return alike[0] if len(alike) == 1 else None


def _results(target: Target) -> dict[DocumentId, Node]:
    """The documents of a target, called as if there were no other target."""
    found: dict[DocumentId, Node] = {}
    for document, result in target.results():
        if isinstance(result, Fault):
            raise result
        found[type(document)("", *document[1:])] = result
    return found
