"""Where a document inherits a value from: the places of other files that could have it instead."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.node import MapNode
from plait.tidy.layering import EXPRESSIONS, written_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.path import Path
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.front import Target
    from plait.tidy.layering import Looked
    from plait.tidy.looking import ValueUse
    from plait.tidy.written import WrittenFile

COMPUTED = ("!", *EXPRESSIONS)
"""What values have that may mean something else at another place."""


def equal_texts(looked: Looked) -> dict[Path, list[WrittenFile]]:
    """The files that have a value at a path whose first line is the same in two of them, as far as targets inherit.
    What a document says about itself is its own: no other one could give it."""
    targets = looked.uses.world.targets
    own = {address: found for address in targets.names() if (found := targets[address].own_sections)}
    texts: dict[Path, dict[str, list[WrittenFile]]] = {}
    for file in looked.files.values() if own else ():
        uses, text = looked.uses.uses.get(file.path, {}), file.source.text
        needed = [at for at, use in uses.items() if use.needed and not use.repeats and use.first_in(own) is False]
        lines = {at: line for at in needed if not _is_computed(line := _first_line(text, at))}
        for at, steps in file.paths(lines).items() if lines else ():
            texts.setdefault(steps, {}).setdefault(lines[at], []).append(file)
    counts = ((steps, [len(files) for files in rows.values()]) for steps, rows in texts.items())
    enough = [steps for steps, some in counts if max(some) > 1 and looked.suffices(max(some), sum(some))]
    return {steps: [file for files in texts[steps].values() for file in files] for steps in enough}


def _first_line(text: str, at: int) -> str:
    """What a text has from a place to the end of the line, without a comment."""
    end = text.find("\n", at)
    return text[at : end if end >= 0 else None].partition(" #")[0].strip()


def _is_computed(line: str) -> bool:
    return any(mark in line for mark in COMPUTED)


def bases_of(looked: Looked, use: ValueUse, steps: Path) -> Iterator[tuple[WrittenFile, Path]]:
    """The layers that a document inherits the map of a value from, each with the path that the value has there; the
    nearest first."""
    target, path = use.places[0]
    for place in _places(looked.uses.world.targets[target], steps, path):
        layer = looked.files.get(os.path.realpath(place.path))
        if layer is None or layer not in looked.layers or not is_beside(place.steps, steps):
            continue
        above = written_at(layer, place.steps[:-1])
        if above is not None and isinstance(above.node, MapNode) and len(layer.roots) == 1:
            yield layer, place.steps


def own_place(looked: Looked, target: str, file: WrittenFile, steps: Path, path: Path) -> Path | None:
    """Where a file has, or could have, the value of a document that another file has for it at some steps."""
    for place in _places(looked.uses.world.targets[target], steps, path):
        if os.path.realpath(place.path) == file.path and is_beside(place.steps, steps):
            return place.steps
    return None


def is_beside(one: Path, other: Path) -> bool:
    """Whether two paths differ in one name: that of what inherits."""
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) == 1


def _places(target: Target, steps: Path, path: Path) -> list[WrittenPlace]:
    """Where the value at a path of a document can be written, which a file has at some steps."""
    try:
        documents = list(target.documents())
    except Fault:
        return []
    for document in sorted(documents, key=lambda one: not set(one.names).intersection(steps)):
        try:
            found = [place for place in target.places(document, path) if place.within is None]
        except Fault:
            continue
        if any(place.steps == steps and place.written is not None for place in found):
            return found
    return []
