"""Which documents of two targets are the same thing under two names.

Namespaces are often what targets differ in, so a type and a name that have one document on each side are enough. A name
that each target makes itself, as of its release or with a suffix, is not: then documents are the same that are made
from the same place.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from plait.fronts.front import DocumentId

    Made = Mapping[DocumentId, str]
    """Documents, called as if there were no other target, each with the place that it is made from; empty for one that
    is not made from a place."""


def counterparts(old: Made, new: Made) -> dict[DocumentId, DocumentId]:
    """The documents of the one side, each with the one of the other side that it is; those without one are left out."""
    found = {key: key for key in old if key in new}
    for alike in (_by_name, _by_place):
        taken = set(found.values())
        left = alike({key: place for key, place in old.items() if key not in found})
        right = alike({key: place for key, place in new.items() if key not in taken})
        for same, keys in left.items():
            if len(keys) == len(right.get(same, ())) == 1:
                found[keys[0]] = right[same][0]
    return found


def _by_name(documents: Made) -> dict[tuple[str, str], list[DocumentId]]:
    found: dict[tuple[str, str], list[DocumentId]] = {}
    for key in documents:
        found.setdefault((key.type, key.name), []).append(key)
    return found


def _by_place(documents: Made) -> dict[tuple[str, str], list[DocumentId]]:
    """Documents by their type and the place that they are made from."""
    found: dict[tuple[str, str], list[DocumentId]] = {}
    for key, place in documents.items():
        if place:
            found.setdefault((key.type, place), []).append(key)
    return found
