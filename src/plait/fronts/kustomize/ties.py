"""Labels and annotations that are added at several places of a resource at once.

kustomize has one value for all of these places: what changes it at one of them changes it at all. A JSON patch ends
that, because the resource is written as text and read again for it.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Scalar
from plait.fronts.kustomize.history import string
from plait.fronts.kustomize.resource import Tie
from plait.report.catalog import KUSTOMIZE_MORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import MapNode
    from plait.fronts.kustomize.history import History
    from plait.fronts.kustomize.resource import BuiltResource


def tie(resource: BuiltResource, key: str, maps: list[MapNode]) -> None:
    """Note that a key was added to some maps of a resource at once."""
    if len(maps) > 1:
        resource.ties.append(Tie(key, [(one, one.entries[key]) for one in maps]))


def follow(resources: Iterable[BuiltResource], history: History) -> Iterator[Diagnostic]:
    """Change what is tied to values that a step has changed; what that does is said."""
    for resource in resources:
        for one in resource.ties:
            now = [(holder, holder.entries.get(one.key), before) for holder, before in one.places]
            changed = [node for _, node, before in now if node is not before and isinstance(node, Scalar)]
            others = [holder for holder, node, before in now if node is before]
            if changed and others:
                yield from _follow(resource, one.key, changed[-1], others, history)
            one.places = [(holder, holder.entries[one.key]) for holder, node, _ in now if isinstance(node, Scalar)]


def _follow(
    resource: BuiltResource, key: str, new: Scalar, others: list[MapNode], history: History
) -> Iterator[Diagnostic]:
    change, before = history.changes[id(new)], others[0].entries[key]
    for holder in others:
        history.put(holder, key, string(new.text, new), change.word, change.asked, change.wrote)
    if isinstance(before, Scalar) and before.text != new.text:
        places = "another place" if len(others) == 1 else f"{len(others)} other places"
        where = f"{places} of {resource.kind}/{resource.name}"
        why = f"this changes `{key}` at {where}, too: it was added at all of them at once"
        labels = (Label((change.wrote or new).origin), Label(before.origin, "added here"))
        yield KUSTOMIZE_MORE(*labels, why=why, hint="a JSON patch changes one place alone")
