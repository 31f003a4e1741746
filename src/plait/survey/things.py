"""Documents of several targets that are the same thing, whatever each target calls it: overlays have namespaces of
their own, releases put their names before those of their resources."""

from __future__ import annotations

from collections import Counter

from plait.core.diagnostic import Fault
from plait.fronts.counterparts import counterparts
from plait.fronts.front import label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.front import DocumentId, Target


class SameThings:
    """The documents of targets that are rendered, each with the first one that is the same thing."""

    def __init__(self) -> None:
        self._places: dict[DocumentId, str] = {}
        """The things, called as if there were one target, each with the place that the first one is made from."""
        self._first: dict[str, dict[str, DocumentId]] = {}
        """By target and label."""
        self._labels: dict[str, dict[DocumentId, str]] = {}
        """By target and thing."""

    def add(self, name: str, target: Target, documents: dict[str, DocumentId]) -> None:
        """Look at the documents of a target, by their labels, once."""
        if name in self._first:
            return
        own = {type(one)("", *one[1:]): text for text, one in documents.items()} if target.is_rendered else {}
        made = {key: _made_at(target, documents[text]) for key, text in own.items()}
        known = {other: key for key, other in counterparts(self._places, made).items()}
        for key, place in made.items():
            self._places.setdefault(known.setdefault(key, key), place)
        self._first[name] = {text: known[key] for key, text in own.items()}
        self._labels[name] = {known[key]: text for key, text in own.items()}

    def titles(self) -> dict[str, dict[str, str]]:
        """One title for everything that is the same thing, by target and label, where a label is another one: its type
        and its name without the namespace, where no other thing has them."""
        labels: dict[DocumentId, set[str]] = {}
        for own in self._labels.values():
            for thing, text in own.items():
                labels.setdefault(thing, set()).add(text)
        short = {thing: "/".join(filter(None, (thing.type, thing.name))) for thing in labels}
        used = Counter([*short.values(), *(text for texts in labels.values() for text in texts)])
        title = {thing: short[thing] if used[short[thing]] - (short[thing] in texts) == 1 else label(thing)
                 for thing, texts in labels.items() if len(texts) > 1}  # fmt: skip
        return {
            target: {text: title[thing] for text, thing in first.items() if title.get(thing, text) != text}
            for target, first in self._first.items()
        }

    def within(self, target: str, text: str) -> str:
        """What a target calls that which some other one calls so; empty where it has no such thing."""
        things = {labels[text] for labels in self._first.values() if text in labels}
        return self._labels[target].get(things.pop(), "") if len(things) == 1 else ""


def _made_at(target: Target, document: DocumentId) -> str:
    """The place that a document is made from; empty where that is not known."""
    try:
        origin = target.tree(document).root.origin
    except Fault:
        return ""
    return "" if origin.source.given else str(origin)
