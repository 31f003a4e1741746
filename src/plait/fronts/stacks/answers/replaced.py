"""A finished component as it is in a world where some files write other scalars, found from its layers.

A plain scalar is that of the highest layer that writes one, whatever it says. So where files differ in plain scalars
alone, the layers of a finished section say what it is there: no component is put together for that, and none is
evaluated.
"""

from __future__ import annotations

from plait.core.node import MapNode, Node, Parts, Scalar
from plait.fronts.stacks.assemble.section_layers import PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plait.core.path import Path
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.reached import ByEntry
    from plait.fronts.stacks.read.file import ManifestFile

    Found = dict[tuple[ManifestFile, ManifestFile, Entry | None, Path], "WrittenOtherwise | None"]


class WrittenOtherwise:
    """A place of components at which a file writes another scalar in the other world, or none in one of both."""

    __slots__ = ("other", "parent", "place")

    def __init__(self, place: Path, parent: MapNode, other: Scalar | None) -> None:
        self.place = place
        self.parent = parent
        """The map that has the place in this world, as the file writes it."""
        self.other = other
        """What the other world has there."""

    def is_in(self, node: MapNode) -> bool:
        """Whether a map of a layer is the one that the file writes."""
        return node.source is self.parent.source and node.at == self.parent.at


class ReplacedValues:
    """The finished components of one stack, as another world has them."""

    def __init__(
        self,
        files: Mapping[str, ManifestFile],
        others: Mapping[str, ManifestFile],
        changed: Mapping[str, ByEntry],
        known: Found,
    ) -> None:
        """`files` are those of the stack that differ, by their names, and `others` the same ones of the other world.
        `known` has what other stacks found about them."""
        self._files = [(files[name], others[name], places) for name, places in changed.items() if name in files]
        self._known = known
        self._by_entries: dict[tuple[str, frozenset[Entry]], dict[str, tuple[WrittenOtherwise, ...]] | None] = {}
        self._sections: dict[tuple[int, tuple[WrittenOtherwise, ...]], tuple[MapNode, MapNode | None]] = {}
        """What became of each section; the section itself is kept so that its identity is its own."""

    def document(self, node: Node, type: str, entries: frozenset[Entry]) -> MapNode | None:
        """A component of some entries in the other world; None where it has to be evaluated."""
        key = (type, entries)
        if key not in self._by_entries:
            self._by_entries[key] = self._by_section(type, entries)
        sections = self._by_entries[key]
        if sections is None or not isinstance(node, MapNode):
            return None
        made = dict(node.entries)
        for name, changes in sections.items():
            other = self._section(made.get(name), changes)
            if other is None:
                return None
            made[name] = other
        return node.but(entries=made)

    def _by_section(self, type: str, entries: frozenset[Entry]) -> dict[str, tuple[WrittenOtherwise, ...]] | None:
        """What is written otherwise about components of some entries; None where more than scalars is."""
        found: dict[str, tuple[WrittenOtherwise, ...]] = {}
        for here, there, by_entry in self._files:
            for entry, places in by_entry.items():
                for path in places if entry is None or entry in entries else ():
                    if entry is None and path[0] not in (*PLAIN, type):
                        continue
                    key = (here, there, entry, path)
                    if key not in self._known:
                        self._known[key] = _written_otherwise(*key)
                    change = self._known[key]
                    if change is None:
                        return None
                    section = str(change.place[0])
                    found[section] = (*found.get(section, ()), change)
        return found

    def _section(self, section: Node | None, changes: tuple[WrittenOtherwise, ...]) -> MapNode | None:
        if not isinstance(section, MapNode):
            return None
        key = (id(section), changes)
        if key not in self._sections:
            self._sections[key] = (section, _replaced(section, changes))
        return self._sections[key][1]


def _written_otherwise(
    here: ManifestFile, there: ManifestFile, entry: Entry | None, path: Path
) -> WrittenOtherwise | None:
    """What two texts of a file say at a place; None where one of them has something else than a plain scalar there."""
    if not here.is_plain or not there.is_plain:
        return None
    place = path if entry is not None or path[0] in PLAIN else path[1:]
    own, other = (_parents([_written(file, entry, path)], path[1:-1]) for file in (here, there))
    if not own or not other:
        return None
    values = [one.entries.get(str(path[-1])) for one in (*own, *other)]
    if not all(map(_is_plain, values)):
        return None
    return WrittenOtherwise(place, own[0], values[1])  # type: ignore[arg-type]


def _written(file: ManifestFile, entry: Entry | None, path: Path) -> Node | None:
    """What a file writes under the first key of a path, in an entry or outside."""
    if entry is None:
        return file.section(str(path[0]))
    node = file.components.node(*entry)
    return node.entries.get(str(path[0])) if isinstance(node, MapNode) else None


def _parents(layers: Sequence[Node | None], path: Path) -> list[MapNode] | None:
    """The maps at a path in some layers, of those that have one; None where something else is on the way."""
    found = [one for one in layers if one is not None]
    for step in (*path, None):
        maps = [one for one in found if isinstance(one, MapNode) and one.tag is None and not one.alone]
        if len(maps) < len(found):
            return None
        if step is not None:
            found = [child for one in maps if (child := one.entries.get(str(step))) is not None]
    return maps


def _is_plain(node: Node | None) -> bool:
    """Whether a layer has nothing at a place, or a scalar that takes the place of what lower layers have."""
    if node is None:
        return True
    return isinstance(node, Scalar) and node.value is not None and node.tag is None and not node.secret


def _replaced(section: MapNode, changes: tuple[WrittenOtherwise, ...]) -> MapNode | None:
    """A finished section with what the other world has at some places; None where that does not follow."""
    layers, made = _layers(section), section
    if layers is None:
        return None
    for place in dict.fromkeys(change.place for change in changes):
        found = _highest(section, layers, place, [change for change in changes if change.place == place])
        if found is None:
            return None
        made = _with(made, place[1:], found[0])
    return made


def _layers(section: MapNode) -> list[MapNode] | None:
    """The maps that a section was merged from, the lowest first, as files write them; None where it was not merged as
    usual."""
    found: list[MapNode] = []
    work: list[Node] = [section]
    while work:
        node = work.pop()
        if not isinstance(node, MapNode):
            return None
        if not node.parts:
            found.append(node)
        elif isinstance(node.parts, Parts) and not node.parts.policy.strict:
            work += reversed(node.parts)
        else:
            return None
    return found


def _highest(
    section: MapNode, layers: list[MapNode], place: Path, changes: list[WrittenOtherwise]
) -> tuple[Scalar | None] | None:
    """What the other world has at a place of a section, in a tuple; None where it does not follow. It does if the
    layers say what this world has there, and each of the changes is among them."""
    key, parents, shown = str(place[-1]), _parents(layers, place[1:-1]), _parents([section], place[1:-1])
    if parents is None or not shown:
        return None
    now: list[Node] = []
    other: list[Node] = []
    left = list(changes)
    for parent in parents:
        value = written = parent.entries.get(key)
        for change in changes:
            if change.is_in(parent):
                written = change.other
                left = [one for one in left if one is not change]
        now += [value] if value is not None else []
        other += [written] if written is not None else []
    if left or not all(map(_is_plain, (*now, *other))) or shown[0].entries.get(key) is not (now[-1] if now else None):
        return None
    return (other[-1] if other else None,)  # type: ignore[return-value]


def _with(node: MapNode, path: Path, value: Scalar | None) -> MapNode:
    """A map with another scalar at a path, or without any."""
    above = [node]
    for step in path[:-1]:
        above.append(above[-1].entries[str(step)])  # type: ignore[arg-type]
    made: Node | None = value
    for at, step in zip(reversed(above), reversed(path), strict=True):
        entries = dict(at.entries)
        if made is None:
            entries.pop(str(step), None)
        else:
            entries[str(step)] = made
        made = at.but(entries=entries, marks=())
    assert isinstance(made, MapNode)
    return made
