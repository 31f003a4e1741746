"""What a change of plain values reaches, seen from the texts of files alone: no manifest is put together for that.

A line under `settings:` or `vars:` of a shared file is read by every component of every stack that imports it. But in a
component that names its key in no template everything else stays as it was, and a plain value is that of the highest
layer that writes one: the root of the manifests, the section of the type, the bases, the component's own entry.
"""

from __future__ import annotations

import re
from functools import cached_property

from plait.core.diagnostic import Fault
from plait.core.node import MapNode, Scalar
from plait.core.path import is_near
from plait.core.struct import struct
from plait.fronts.stacks.answers.reach import BRACES, changed_entries, outline_of
from plait.fronts.stacks.answers.reached import differences, is_simple, names_read
from plait.fronts.stacks.assemble.section_layers import PLAIN
from plait.fronts.stacks.config.sections import TYPES
from plait.yaml.build import Reading
from plait.yaml.outline import Outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.source import Source
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.reached import Differences
    from plait.fronts.stacks.answers.repository import Repository

    Bases = tuple[str, ...] | None
    """The bases of a component, the lowest first; None where they are not known."""
    Layer = Entry | str
    """A part of files that components get values from: an entry, the section of a type, or `ROOT`."""
    Values = tuple[tuple[Path, "Node | None"], ...]
    """Places of a component with what is there now; None where there is nothing."""
    Keys = frozenset[tuple[str, str]]
    """Keys of sections."""
    Found = tuple[tuple[Path, "Node | Unsure | None"], ...]
    """The same where some values have to be computed."""
    Stacks = Mapping[str, Sequence[str]]
    """The files of each stack."""
    Sides = tuple[Source, Source] | None
    """The two texts of a changed file; None where one cannot be read."""

ROOT = ""
NONE: frozenset[str] = frozenset()
WIDE = ("list_merge_strategy", "templates", "_workspace", "spacelift", "atlantis", "overrides", "\\x", "\\u", "\\U")
"""Words with which a value may decide how others are merged, computed or named, or with which they may be written in
another way."""
COMPUTED = re.compile(r"\{\{|\\|!(?!env[ \n])")
"""What a whole section or entry may be made by, so that its keys are not in the text."""
FACTS, PLACES, ALL = "facts", "places", "all"
"""What an answer about a component reads of its plain values: none, some that can be put where they are, or any."""


class Unsure:
    """Says that a value has to be computed."""


UNSURE = Unsure()


@struct
class StackReach:
    """What changes reach in one stack."""

    touched: frozenset[Entry]
    """The components to ask about again."""
    values: dict[Entry | str, Values]
    """What differs in the others: in single ones, and by type in those that are not among them."""
    places: dict[Entry, Keys]
    """Of those to ask about again, the ones that differ at some places alone; for answers that read any value."""


NOTHING = StackReach(frozenset(), {}, {})


class WrittenValues:
    """What the texts of files write at places of components."""

    def __init__(self, repository: Repository, texts: Mapping[str, Source], stacks: Stacks) -> None:
        self._project = repository.session.project
        self._configured = repository.index.shared.configured
        self._texts = texts
        self._reading = Reading(text_keys=True)
        self._tops: dict[str, Outline | None] = {}
        self._paths: dict[Path, dict[Layer, list[str]]] = {}
        self._written: dict[tuple[Path, Layer], dict[str, list[Node | Unsure]]] = {}
        self._entries: dict[Path, list[Entry]] = {}
        self._stacks: dict[str, list[str]] = {}
        """The stacks that each file is in."""
        for stack, paths in stacks.items():
            for path in dict.fromkeys(paths):
                self._stacks.setdefault(path, []).append(stack)

    def entries(self, place: Path) -> list[Entry]:
        """The entries in which some file writes near a place."""
        if place not in self._entries:
            self._entries[place] = [
                layer for layer in self._near(place[:2]) if isinstance(layer, tuple) and self.at(place, layer)
            ]
        return self._entries[place]

    def at(self, place: Path, layer: Layer) -> dict[str, list[Node | Unsure]]:
        """What files write at a place in one of their parts, by the stacks that they are in."""
        key = (place, layer)
        if key not in self._written:
            found = self._written[key] = {}
            for path in self._near(place[:2]).get(layer, ()):
                value = _written(self._part(path, layer), place)
                if value is not None:
                    for stack in self._stacks.get(path, ()):
                        found.setdefault(stack, []).append(value)
        return self._written[key]

    def value(self, place: Path, layers: Iterable[Layer], stack: str) -> Node | Unsure | None:
        """What a component of a stack has at a place that gets its values from some layers, the lowest first."""
        found: list[Node | Unsure] = []
        highest = 0
        for layer in layers:
            here = self.at(place, layer).get(stack)
            if here:
                found += here
                highest = len(here)
        if not found:
            return None
        if len(found) == 1:
            return UNSURE if _is_null(found[0]) else found[0]
        scalars = [one for one in found if isinstance(one, Scalar) and not _is_null(one)]
        same = {(one.value.__class__, one.text) for one in scalars[-highest:]}
        return scalars[-1] if len(scalars) == len(found) and len(same) == 1 else UNSURE

    def is_configured(self, place: Path) -> bool:
        """Whether atmos.yaml may give every component a value near a place."""
        nodes = self._configured(str(place[0]))
        return any(not isinstance(node, MapNode) or place[1] in node.entries for node in nodes)

    @cached_property
    def _computing(self) -> set[str]:
        """The files in which whole sections may be computed."""
        return {path for path, source in self._texts.items() if COMPUTED.search(source.text)}

    def _near(self, place: Path) -> dict[Layer, list[str]]:
        """The files that may write something near a place of a section, by the parts that they have."""
        if place not in self._paths:
            section, key = map(str, place)
            found: dict[Layer, list[str]] = {}
            for path, source in self._texts.items():
                if (key in source.text and section in source.text) or path in self._computing:
                    for layer in _layers_of(self._top(path)):
                        found.setdefault(layer, []).append(path)
            self._paths[place] = found
        return self._paths[place]

    def _part(self, path: str, layer: Layer) -> Outline | None:
        """A part of a file; None for one that does not show its keys."""
        outline = self._top(path)
        steps = ("components", *layer) if isinstance(layer, tuple) else (layer,) if layer != ROOT else ()
        for step in steps:
            outline = outline.below(step) if outline is not None else None
        return outline

    def _top(self, path: str) -> Outline | None:
        """A file by its parts; None where it does not show its entries."""
        if path not in self._tops:
            source = self._texts[path]
            try:
                documents = self._project.in_parts(source)
                top = Outline.of(documents[0], source, self._reading) if documents else None
            except Fault:
                top = None
            self._tops[path] = top if isinstance(top, Outline) and _members(top) is not None else None
        return self._tops[path]


def _members(top: Outline) -> dict[str, Outline] | None:
    """The entries of a file, by type; None where it does not show them."""
    if "components" not in top:
        return {}
    types = top.below("components")
    found = {type: types.below(type) for type in types.places} if types is not None else {}
    members = {type: below for type, below in found.items() if below is not None}
    return members if types is not None and len(members) == len(found) else None


def _layers_of(top: Outline | None) -> list[Layer]:
    """The parts of a file that components get values from."""
    members = (_members(top) or {}) if top is not None else {}
    types = [type for type in TYPES if type in top] if top is not None else []
    return [ROOT, *types, *((type, name) for type, below in members.items() for name in below.places)]


def _written(outline: Outline | None, place: Path) -> Node | Unsure | None:
    """What a part of a file writes at a place; unsure where it writes something above, or computes it."""
    for step in map(str, place[:-1]):
        if outline is None or step not in outline:
            break
        outline = outline.below(step)
    else:
        key = str(place[-1])
        if outline is not None and key in outline:
            part = outline.part(key)
            is_plain = not part.props and not any(text and ("{{" in text or text[:1] == "!") for text in part.texts)
            return outline.get(key) if is_plain else UNSURE
    return UNSURE if outline is None else None


def _is_null(node: Node | Unsure) -> bool:
    return isinstance(node, Scalar) and node.value is None


class ChangedValues:
    """What differs in changed files, and what that reaches in the stacks of one repository."""

    def __init__(
        self,
        repository: Repository,
        sides: Mapping[str, Sides],
        texts: Mapping[str, Source],
        stacks: Stacks,
        reads: str,
        by_text: bool,
    ) -> None:
        """`sides` are the texts of the changed files, `texts` all files that show what is computed in them. `by_text`:
        answers tell what is wrong with every component that a changed line may reach, also if it is a comment."""
        self._depth = repository.session.project.budgets.depth
        self._texts = texts
        self._reads = reads
        self._names = repository.index.namer.reads
        self._is_simple = is_simple(repository.index.shared.language)
        self._written = WrittenValues(repository, texts, stacks)
        self._stacks = stacks
        found = {path: differences(*both, self._depth) if both is not None else None for path, both in sides.items()}
        self._differences: dict[str, Differences] = {
            path: parts if parts is not None else {None: None} for path, parts in found.items()
        }
        for path, both in sides.items() if by_text else ():
            entries = changed_entries(*both, self._depth) if both is not None else None
            own: tuple[Entry | None, ...] = tuple(entries) if entries is not None else (None,)
            known_ones = self._differences[path]
            known_ones.update(dict.fromkeys(one for one in own if one is None or one not in known_ones))
        known = [one for found in self._differences.values() for one in found.items()]
        self._places = [
            path if entry is not None else _of_component(path) for entry, some in known for path in some or ()
        ]

    def is_quiet(self, path: str) -> bool:
        """Whether nothing outside entries differs in a changed file but plain values that no name is made of."""
        places = self._differences[path].get(None, ())
        return places is not None and not self._makes_names(map(_of_component, places))

    def _makes_names(self, places: Iterable[Path]) -> bool:
        """Whether the name of a stack may be made of one of some places."""
        return self._names is None or any(is_near(tuple(self._names), place) for place in places)

    @cached_property
    def _naming(self) -> dict[str, set[Entry | None]]:
        """The files with templates that name one of the places, by their paths: the entries that do, and None if others
        may."""
        found = {path: self._entries_naming(source) for path, source in self._texts.items()}
        return {path: entries for path, entries in found.items() if entries}

    def _entries_naming(self, source: Source) -> set[Entry | None]:
        is_wide = any(word in source.text for word in WIDE)
        names = names_read(source, self._depth) if not is_wide else None
        if names is None:
            return {None}
        return {entry for entry, read in names.items() if any(is_near(read, place) for place in self._places)}

    @cached_property
    def _deciding(self) -> set[str]:
        """The files with templates in entries that may decide more than plain values."""
        return {path for path, source in self._texts.items() if self._decides(source)}

    def _decides(self, source: Source) -> bool:
        outline = outline_of(source, self._depth) if BRACES in source.text else None
        types = outline.below("components") if outline is not None else None
        parts = [types.below(type) for type in types.places] if types is not None else []
        entries = [one.below(name) for one in parts if one is not None for name in one.places]
        return (outline is None and BRACES in source.text) or any(
            text and BRACES in text
            for entry in entries
            if entry is not None
            for key in entry.places
            if key not in PLAIN
            for text in entry.part(key).texts
        )

    def reach(self, stack: str, rows: Sequence[tuple[str, str, Bases]]) -> StackReach | None:
        """What differs in the components of a stack; None where everything may."""
        among = frozenset(self._stacks[stack])
        whole: set[Entry | None] = set()
        places: dict[Entry | None, dict[Path, None]] = {}
        for path in self._differences.keys() & among:
            for entry, some in self._differences[path].items():
                if some is None or self._makes_names(some if entry is not None else map(_of_component, some)):
                    whole.add(entry)
                else:
                    places.setdefault(entry, {}).update(dict.fromkeys(some))
        if places:
            whole.update(*(self._naming[path] for path in self._naming.keys() & among))
            if self._reads == FACTS and self._deciding.isdisjoint(among):
                whole &= {None}
        if None in whole or (places and not (self._is_simple and self._texts.keys() >= among)):
            return None
        return _StackChanges(self._written, stack, whole, places).reach(rows, self._reads)


class _StackChanges:
    """What differs in the files of one stack: whole entries, and places in entries and outside."""

    def __init__(
        self,
        written: WrittenValues,
        stack: str,
        whole: set[Entry | None],
        places: dict[Entry | None, dict[Path, None]],
    ) -> None:
        self._written = written
        self._stack = stack
        self._whole = whole
        self._root = tuple(places.pop(None, ()))
        self._by_entry: dict[Entry, dict[Path, None]] = places  # type: ignore[assignment]
        """The places at which the components of an entry may have other values than all of their type."""

    def reach(self, rows: Sequence[tuple[str, str, Bases]], reads: str) -> StackReach:
        by_type = {type: self._of_type(type) for type in {row[0] for row in rows}} if reads != FACTS else {}
        for place in dict.fromkeys(one for found in by_type.values() for one, _ in found):
            for entry in self._written.entries(place) if reads == PLACES else ():
                if self._stack in self._written.at(place, entry):
                    self._by_entry.setdefault(entry, {})[place] = None
        unsure = {type for type, found in by_type.items() if any(value is UNSURE for _, value in found)}
        places: dict[Entry, Keys] = {}
        touched: set[Entry] = {entry for entry in self._whole if entry is not None}
        names: dict[str, set[str]] = {}
        for type, name in (*touched, *self._by_entry):
            names.setdefault(type, set()).add(name)
        values: dict[Entry | str, Values] = dict.fromkeys(by_type, ())
        values |= {type: found for type, found in by_type.items() if type not in unsure}  # type: ignore[misc]
        for type, name, bases in rows:
            near = names.get(type, NONE)
            is_far = bases is not None and name not in near and near.isdisjoint(bases)
            if bases is None or not (is_far or self._whole.isdisjoint([(type, one) for one in (*bases, name)])):
                touched.add((type, name))
            elif reads == ALL:
                own = self._keys(by_type[type], [(type, one) for one in (*bases, name)])
                places.update({(type, name): own} if own else {})
            elif is_far:
                touched.update([(type, name)] if type in unsure else ())
            elif reads != FACTS:
                found = self._own(by_type[type], [(type, one) for one in (*bases, name)])
                if any(value is UNSURE for _, value in found):
                    touched.add((type, name))
                else:
                    values[type, name] = found  # type: ignore[assignment]
        return StackReach(frozenset(touched.union(places)), values, places)

    def _keys(self, shared: Found, entries: list[Entry]) -> Keys:
        """The keys of sections at which a component of some entries may differ."""
        own = [place for entry in entries for place in self._by_entry.get(entry, ())]
        return frozenset((str(place[0]), str(place[1])) for place in (*(one for one, _ in shared), *own))

    def _of_type(self, type: str) -> Found:
        """What components of a type have at the places that differ outside entries, unless an entry says more."""
        places = [_of_component(path) for path in self._root if path[0] in (*PLAIN, type)]
        return tuple([(place, self._value(place, (ROOT, type))) for place in dict.fromkeys(places)])

    def _own(self, shared: Found, entries: list[Entry]) -> Found:
        """The same for one component of some entries, which say more about it."""
        own = dict.fromkeys(place for entry in entries for place in self._by_entry.get(entry, ()))
        layers: tuple[Layer, ...] = (ROOT, entries[0][0], *entries)
        return tuple({**dict(shared), **{place: self._value(place, layers) for place in own}}.items())

    def _value(self, place: Path, layers: tuple[Layer, ...]) -> Node | Unsure | None:
        is_configured = self._written.is_configured(place)
        return UNSURE if is_configured else self._written.value(place, layers, self._stack)


def _of_component(path: Path) -> Path:
    """A place of a manifest as a place of its components."""
    return path if path[0] in PLAIN else path[1:]
