"""What may be read of files beside their values: which keys and items there are, and whole texts. A proof changes that,
too, where an expression decides a value: functions look at maps, lists, names that are not there, and files."""

from __future__ import annotations

import os
import re

from plait.core.node import Scalar
from plait.core.source import Origin, Source
from plait.core.struct import struct
from plait.yaml.edits import END, Delete, Edit, Insert
from plait.yaml.patch import apply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from plait.yaml.spots import TextSpot

    Regions = set[tuple[str, int, int]]
    Spots = Mapping[str, list[tuple[int, TextSpot]]]

ADDED = "plait_added"
"""The key, the item or the line that is added."""
MOST_WORDS = 40
"""How many names that expressions say are tried as keys of one map."""
WORD = re.compile(r"[A-Za-z_][\w-]*")
ACTION = re.compile(r"\{\{.*?\}\}")
UNTRIED = (
    (re.compile(r"\.Files\b"), "it may read files by a pattern, or one that is not there"),
    (re.compile(r"\blookup\b"), "it asks a cluster"),
    (re.compile(r"\b(hasKey|dig|pluck)\b"), "a key that another map has was not added to this one"),
)
"""What an expression may read that no change of the files tries."""


@struct
class StructureChange:
    """One change: of the text of a file by an edit, or of a whole text that is no YAML."""

    file: str
    at: int
    edit: Edit | None


def structure_changes(
    sources: Mapping[str, Source], spots: Spots, named: Regions, words: Iterable[str]
) -> Iterator[list[StructureChange]]:
    """Changes of keys and items, in groups that can be made together: what is added to maps and lists, then what is
    taken out of maps. What is named is left as it is. A key that some map has is added to no other: it might lie over
    that one, or below it."""
    known = {spot.path[-1] for found in spots.values() for _, spot in found if spot.path}
    names = [ADDED, *[word for word in words if word not in known][:MOST_WORDS]]
    for file, found in spots.items():
        free = [(number, spot) for number, spot in found if not _is_within(named, file, spot)]
        lists = {(number, spot.path[:-1]) for number, spot in found if spot.path and isinstance(spot.path[-1], int)}
        added = []
        for number, spot in free:
            is_list = (number, spot.path) in lists or sources[file].text.startswith("[", spot.start)
            steps = [END] if is_list else names
            edits = (Insert((*spot.path, step), Scalar(ADDED, ADDED), document=number) for step in steps)
            added += [StructureChange(file, spot.start, edit) for edit in edits] if spot.holds else []
        yield added
        yield [
            StructureChange(file, spot.start, Delete(spot.path, number))
            for number, spot in free
            if spot.path and isinstance(spot.path[-1], str) and not spot.holds
        ]


def changed_texts(
    changes: list[StructureChange], sources: Mapping[str, Source], text: Callable[[str], str]
) -> dict[str, str]:
    """The texts with some changes; Fault where they cannot be made. `text` gives that of a file which is no YAML."""
    edits: dict[str, list[Edit]] = {}
    texts: dict[str, str] = {}
    for change in changes:
        if change.edit is None:
            texts[change.file] = f"{text(change.file)}\n{ADDED}\n"
        else:
            edits.setdefault(change.file, []).append(change.edit)
    return texts | {file: apply(sources[file], several) for file, several in edits.items()}


def place_of(change: StructureChange, sources: Mapping[str, Source]) -> Origin:
    """Where a change is made."""
    return Origin(sources.get(change.file) or Source(os.path.relpath(change.file), ""), change.at)


def words_in(lines: Iterable[str]) -> list[str]:
    """The names that the actions of templates say."""
    actions = (action for line in lines for action in ACTION.findall(line))
    return list(dict.fromkeys(word for action in actions for word in WORD.findall(action)))


def reasons_untried(line: str) -> list[str]:
    """Why what an expression reads cannot all be tried."""
    return [why for pattern, why in UNTRIED if pattern.search(line)]


def _is_within(named: Regions, file: str, spot: TextSpot) -> bool:
    return any(file == name and start <= spot.start and spot.end <= end for name, start, end in named)
