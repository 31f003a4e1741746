"""Values that all users of a shared layer set alike: they move into that layer."""

from __future__ import annotations

import os

from plait.core.node import Mapping, Scalar
from plait.core.visible import counted
from plait.core.walk import leaves_of
from plait.fronts.editing import Editor
from plait.tidy.proposal import Proposal
from plait.yaml.edits import Delete, Insert
from plait.yaml.emit import emit_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.path import Path
    from plait.fronts.front import World
    from plait.tidy.looking import ValueUse, ValueUses
    from plait.tidy.written import WrittenFile, WrittenValue

HOIST = "hoist"
EXPRESSIONS = ("{{", "((")
"""What begins an expression in a text: it may mean something else in another file."""


class Candidate:
    """A value that decides something, and in which targets."""

    __slots__ = ("decides", "file", "value")

    def __init__(self, file: WrittenFile, value: WrittenValue, use: ValueUse) -> None:
        self.file = file
        self.value = value
        self.decides = set(use.targets) - use.under.keys()


class LayerOrder:
    """Which targets read a file, and which files lie below it."""

    def __init__(self, world: World) -> None:
        self.readers: dict[str, set[str]] = {}
        self._below: dict[str, set[str]] = {}
        for address in world.targets.names():
            target = world.targets[address]
            for file, rows in target.links():
                path = os.path.realpath(target.place_of(file))
                self.readers.setdefault(path, set()).add(address)
                self._below.setdefault(path, set()).update(os.path.realpath(target.place_of(row)) for row in rows)

    def below(self, path: str) -> set[str]:
        """The files that lie below a file in every merge."""
        found: set[str] = set()
        stack = [path]
        while stack:
            fresh = self._below.get(stack.pop(), set()) - found
            found |= fresh
            stack.extend(fresh)
        return found


def hoist(files: dict[str, WrittenFile], uses: ValueUses) -> Iterator[Proposal]:
    """The values of one path that are equal in all users of a layer, which has the map that they are in."""
    order = LayerOrder(uses.world)
    layers = [file for path, file in files.items() if len(order.readers.get(path, ())) > 1 and path not in uses.shared]
    for steps, several in _candidates(files, uses).items():
        for layer in layers:
            meant = _meant(several, layer, steps, order)
            if meant:
                yield _proposal(uses, layer, meant, len(order.readers[layer.path]))
                break


def _candidates(files: dict[str, WrittenFile], uses: ValueUses) -> dict[Path, list[Candidate]]:
    """The values that are needed, by their paths."""
    found: dict[Path, list[Candidate]] = {}
    for file in files.values():
        for value in file.at.values():
            use = uses.uses.get((file.path, value.node.at))
            if use is None or not use.needed or use.over or value.number or not _is_plain(value):
                continue
            found.setdefault(value.steps, []).append(Candidate(file, value, use))
    return {steps: several for steps, several in found.items() if len(several) > 1}


def _is_plain(value: WrittenValue) -> bool:
    """Whether a value means the same in every file, and every map on its way is a map of names."""
    if not value.steps or not all(isinstance(step, str) for step in value.steps):
        return False
    scalars = [node for _, node in leaves_of(value.node) if isinstance(node, Scalar)]
    return not any(node.tag or any(mark in node.text for mark in EXPRESSIONS) for node in scalars)


def _meant(several: list[Candidate], layer: WrittenFile, steps: Path, order: LayerOrder) -> list[Candidate]:
    """Those of some values that a layer could have instead; none where a target that reads it would differ."""
    users = order.readers[layer.path]
    meant = [one for one in several if one.file is not layer and one.decides & users]
    texts = {emit_json(one.value.node, reveal=True) for one in meant}
    is_below = all(layer.path in order.below(one.file.path) and one.decides <= users for one in meant)
    covered = set().union(*(one.decides for one in meant)) == users
    return meant if len(meant) > 1 and len(texts) == 1 and is_below and covered and _has_map(layer, steps) else []


def _has_map(layer: WrittenFile, steps: Path) -> bool:
    """Whether a layer has the map that a path leads into."""
    return len(layer.roots) == 1 and any(
        one.steps == steps[:-1] and isinstance(one.node, Mapping) for one in (layer.roots[0], *layer.at.values())
    )


def _proposal(uses: ValueUses, layer: WrittenFile, meant: list[Candidate], count: int) -> Proposal:
    first = meant[0]
    files, targets = counted(len(meant), "file"), counted(count, "target")
    made = Proposal(HOIST, first.file, first.value, f"to {layer.name}: all {targets} have it from {files} alike")
    made.edits = [(one.file.path, Delete(one.value.steps)) for one in meant]
    edit = Editor(uses.world.project).edit_for(layer.roots[0].node, first.value.steps, first.value.node, True, 0)
    if isinstance(edit, Insert):
        edit.comment = next(filter(None, (one.file.comment(one.value) for one in meant)), None)
    made.edits.append((layer.path, edit))
    for one in meant:
        made.places += uses.uses[one.file.path, one.value.node.at].places
    return made
