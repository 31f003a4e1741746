"""Finished components as they are in another state of some files, which write other plain scalars there.

Which scalars these are, the texts say: see `written_values`. So no component is put together in the other state, and no
file is read there. It counts only if the texts also say what the finished component has, at the same line.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from plait.core.node import MapNode, Node, Scalar
from plait.core.source import Source
from plait.fronts.stacks.answers.written_values import ROOT, WrittenValues, is_wide, ranks_of
from plait.fronts.stacks.read.imports import merged_files, showing_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard

    from plait.core.path import Path, Places
    from plait.fronts.front import Changes
    from plait.fronts.stacks.answers.reach import ChangeReach
    from plait.fronts.stacks.answers.written_values import Layer, Unsure

    Layered = tuple[tuple[Path, tuple[Layer, ...]], ...]
    """Places, each with the layers that write near to it."""
    Layers = dict[tuple[Places, str, tuple[str, ...]], Layered]
    """The same for the places of a component, by its type and the names of its bases and its own."""

    Replaced = tuple[Path, Scalar | None, Scalar | None]
    """A place, with what is there and what is there in the other state."""
    Sections = dict[str, list[Replaced]]


class OtherStates:
    """Other states of the files of one repository."""

    def __init__(self, reach: ChangeReach) -> None:
        self._reach = reach
        self._repository = reach.repository
        self._others: dict[Changes, tuple[WrittenValues, Layers]] = {}

    def of(self, stack: str, changes: Changes) -> ReplacedValues | None:
        """One of them, for the components of a stack; None where its files do not show what is computed in them."""
        if stack not in self._showing:
            return None
        if changes not in self._others:
            known, texts = self._texts, changes.texts
            others = {name: Source(known[name].name, texts[name][1] or "") for name in texts if name in known}
            self._others[changes] = (WrittenValues(self._repository, others, self._written.ranks), {})
        return ReplacedValues(stack, self._written, *self._others[changes])

    @cached_property
    def _written(self) -> WrittenValues:
        """What the files write now."""
        return WrittenValues(self._repository, self._texts, ranks_of(self._showing))

    @cached_property
    def _showing(self) -> dict[str, list[str]]:
        """The stacks whose files show what is computed in them, with these in the order in which they are merged."""
        found: dict[str, list[str]] = {}
        for manifest in self._repository.manifests():
            files = [self._reach.name_of(file) for file in merged_files(manifest)]
            for name in self._repository.names_of(manifest) if self._texts.keys() >= {*files} else ():
                if len(self._repository.manifests_of(name)) == 1:
                    found[name] = files
        return found

    @cached_property
    def _texts(self) -> dict[str, Source]:
        """The files that are the same for all that import them, and in which no value decides more than itself."""
        found = showing_files(self._repository.manifests())
        names = Counter(
            self._reach.path(path) if file is None else self._reach.name_of(file) for path, file in found.items()
        )
        files = {self._reach.name_of(file): file.source for file in found.values() if file is not None}
        return {name: source for name, source in files.items() if names[name] == 1 and not is_wide(source.text)}


class ReplacedValues:
    """The finished components of one stack, as another state of some files has them."""

    def __init__(self, stack: str, written: WrittenValues, other: WrittenValues, layers: Layers) -> None:
        """`layers` are known of other stacks."""
        self._stack = stack
        self._written = written
        self._other = other
        self._layers = layers
        self._replaced: dict[Layered, Sections | None] = {}
        """What differs where certain layers write; None where it has to be computed."""
        self._sections: dict[tuple[object, ...], tuple[MapNode, MapNode | None]] = {}
        """What became of each section; the section itself is kept so that its identity is its own."""

    def document(self, node: Node, type: str, names: tuple[str, ...], places: Places) -> MapNode | None:
        """A component of which nothing but some places differs; None where it has to be evaluated. `names` are those of
        its bases, the lowest first, and its own."""
        layered = self._layers.get((places, type, names))
        if layered is None:
            layered = self._layers[places, type, names] = self._layered(places, type, names)
        if layered not in self._replaced:
            self._replaced[layered] = self._differing(layered)
        sections = self._replaced[layered]
        if sections is None or not isinstance(node, MapNode):
            return None
        made = dict(node.entries)
        for name, changes in sections.items():
            other = self._section(made.get(name), changes)
            if other is None:
                return None
            made[name] = other
        return node.but(entries=made) if sections else node

    def _layered(self, places: Places, type: str, names: tuple[str, ...]) -> Layered:
        """Some places, each with the layers that write near to it in components of some names."""
        now, other, entries = self._written.at, self._other.at, [(type, name) for name in names]
        return tuple(
            (place, (ROOT, type, *(entry for entry in entries if now(place, entry) or other(place, entry))))
            for place in dict.fromkeys(places)
        )

    def _differing(self, layered: Layered) -> Sections | None:
        """What there is at some places in both states, by section."""
        sections: Sections = {}
        for place, layers in layered:
            states = (None, self._other)
            now, other = [self._written.value(place, layers, self._stack, state) for state in states]
            if not _is_plain(now) or not _is_plain(other):
                return None
            sections.setdefault(str(place[0]), []).append((place, now, other))
        return sections

    def _section(self, section: Node | None, changes: list[Replaced]) -> MapNode | None:
        if not isinstance(section, MapNode):
            return None
        key = (id(section), *((place, id(now), id(other)) for place, now, other in changes))
        if key not in self._sections:
            made: MapNode | None = section
            for place, now, other in changes:
                made = _with(made, place[1:], now, other) if made is not None else None
            self._sections[key] = (section, made)
        return self._sections[key][1]


def _is_plain(value: Node | Unsure | None) -> TypeGuard[Scalar | None]:
    """Whether there is nothing at a place, or a scalar that takes the place of what lower layers have."""
    return value is None or (isinstance(value, Scalar) and value.tag is None and not value.secret)


def _with(node: MapNode, path: Path, now: Scalar | None, other: Scalar | None) -> MapNode | None:
    """A map with another scalar at a path, or without any; None where it has not there what it should have now."""
    above: list[MapNode] = [node]
    for step in path[:-1]:
        child = above[-1].entries.get(str(step))
        if not isinstance(child, MapNode):
            return None
        above.append(child)
    shown = above[-1].entries.get(str(path[-1]))
    if (shown is None) is not (now is None):
        return None
    if shown is not None and now is not None and (shown.source is not now.source or shown.at != now.at):
        return None
    made: Node | None = other
    for at, step in zip(reversed(above), reversed(path), strict=True):
        entries = dict(at.entries)
        if made is None:
            entries.pop(str(step), None)
        else:
            entries[str(step)] = made
        made = at.but(entries=entries, marks=())
    assert isinstance(made, MapNode)
    return made
