"""What a change of plain values reaches, seen from the texts of files alone: no manifest is put together for that.

A line under `settings:` or `vars:` of a shared file is read by every component of every stack that imports it. But in a
component that names its key in no template everything else stays as it was, and which value it has there is seen from
the texts, too: see `written_values`.
"""

from __future__ import annotations

from functools import cached_property

from plait.core.path import is_near
from plait.core.struct import struct
from plait.fronts.stacks.answers.merged_values import MergedValues
from plait.fronts.stacks.answers.reach import changed_entries
from plait.fronts.stacks.answers.reached import differences, is_simple, may_name, names_read, places_naming
from plait.fronts.stacks.answers.written_values import ROOT, UNSURE, WrittenValues, is_wide, ranks_of
from plait.fronts.stacks.assemble.section_layers import PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from plait.core.node import Node
    from plait.core.path import Path, Places
    from plait.core.source import Source
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.reached import Differences
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.answers.written_values import Layer, Stacks, Unsure

    Bases = tuple[str, ...] | None
    """The bases of a component, the lowest first; None where they are not known."""
    Values = tuple[tuple[Path, "Node | None"], ...]
    """Places of a component with what is there now; None where there is nothing."""
    Found = tuple[tuple[Path, "Node | Unsure | None"], ...]
    """The same where some values have to be computed."""
    Sides = tuple[Source, Source] | None
    """The two texts of a changed file; None where one cannot be read."""

NONE: frozenset[str] = frozenset()
FACTS, PLACES, ALL = "facts", "places", "all"
"""What an answer about a component reads of its plain values: none, some that can be put where they are, or any."""


@struct
class StackReach:
    """What changes reach in one stack."""

    touched: frozenset[Entry]
    """The components to ask about again."""
    values: dict[Entry | str, Values]
    """What differs in the others: in single ones, and by type in those that are not among them."""
    places: dict[Entry, Places]
    """Of those to ask about again, the ones that differ at some places alone; for answers that read any value."""


NOTHING = StackReach(frozenset(), {}, {})


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
        self._repository = repository
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
        self._places = dict.fromkeys(
            path if entry is not None else _of_component(path) for entry, some in known for path in some or ()
        )

    @cached_property
    def written(self) -> WrittenValues:
        """What all of these files write."""
        return WrittenValues(self._repository, self._texts, ranks_of(self._stacks))

    @cached_property
    def merged(self) -> MergedValues:
        """What comes of it where several layers write at a place, or a template does."""
        return MergedValues(self._repository, self.written)

    def written_in(self, stacks: Iterable[str]) -> WrittenValues:
        """What the files of some stacks write, all of which show what is computed in them."""
        among = {stack: self._stacks[stack] for stack in stacks}
        texts = {path: self._texts[path] for paths in among.values() for path in paths}
        return WrittenValues(self._repository, texts, ranks_of(among))

    def is_quiet(self, path: str) -> bool:
        """Whether nothing outside entries differs in a changed file but plain values that no name is made of."""
        places = self._differences[path].get(None, ())
        return places is not None and not self._makes_names(map(_of_component, places))

    def _makes_names(self, places: Iterable[Path]) -> bool:
        """Whether the name of a stack may be made of one of some places."""
        return self._names is None or any(is_near(tuple(self._names), place) for place in places)

    @cached_property
    def _naming(self) -> dict[str, dict[Entry | None, Places | None]]:
        """The files with templates that name one of the places, by their paths: the entries that do, each with the
        places of these templates; None where they may decide more than their own places."""
        named = {path: may_name(source) for path, source in self._texts.items()}
        naming = {path: self._entries_naming(source, named[path]) for path, source in self._texts.items()}
        made = {place for entries in naming.values() for places in entries.values() for place in places or ()}
        again = {one for one in made if any(is_near(names, one) for names in named.values())}
        return {
            path: {entry: some if again.isdisjoint(some or ()) else None for entry, some in entries.items()}
            for path, entries in naming.items()
            if entries
        }

    def _entries_naming(self, source: Source, named: Places) -> dict[Entry | None, Places | None]:
        if is_wide(source.text):
            return {None: None}
        may_differ = any(is_near(named, place) for place in self._places)
        names = names_read(source, self._depth) if may_differ else {}
        if names is None:
            return {None: None}
        return {
            entry: places_naming(source, entry, self._places, self._depth) if entry is not None else None
            for entry, read in names.items()
            if any(is_near(read, place) for place in self._places)
        }

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
        for path in self._naming.keys() & among if places else ():
            for entry, made in self._naming[path].items():
                if made is None:
                    whole.add(entry)
                else:
                    places.setdefault(entry, {}).update(dict.fromkeys(made))
        if None in whole or (places and not (self._is_simple and self._texts.keys() >= among)):
            return None
        return _StackChanges(self, stack, whole, places).reach(rows, self._reads)


class _StackChanges:
    """What differs in the files of one stack: whole entries, and places in entries and outside."""

    def __init__(
        self,
        changed: ChangedValues,
        stack: str,
        whole: set[Entry | None],
        places: dict[Entry | None, dict[Path, None]],
    ) -> None:
        self._changed = changed
        self._stack = stack
        self._whole = whole
        self._root = tuple(places.pop(None, ()))
        self._by_entry: dict[Entry, dict[Path, None]] = places  # type: ignore[assignment]
        """The places at which the components of an entry may have other values than all of their type."""

    def reach(self, rows: Sequence[tuple[str, str, Bases]], reads: str) -> StackReach:
        by_type = {type: self._of_type(type) for type in {row[0] for row in rows}} if reads != FACTS else {}
        for place in dict.fromkeys(one for found in by_type.values() for one, _ in found):
            for entry in self._changed.written.entries(place) if reads == PLACES else ():
                if self._stack in self._changed.written.at(place, entry):
                    self._by_entry.setdefault(entry, {})[place] = None
        unsure = {type for type, found in by_type.items() if any(value is UNSURE for _, value in found)}
        places: dict[Entry, Places] = {}
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
                if by_type[type] or not is_far:
                    own = self._places(by_type[type], [(type, one) for one in (*bases, name)])
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

    def _places(self, shared: Found, entries: list[Entry]) -> Places:
        """The places at which a component of some entries may differ."""
        own = [place for entry in entries for place in self._by_entry.get(entry, ())]
        return tuple(dict.fromkeys((*(one for one, _ in shared), *own)))

    def _of_type(self, type: str) -> Found:
        """What components of a type have at the places that differ outside entries, unless an entry says more."""
        places = [_of_component(path) for path in self._root if path[0] in (*PLAIN, type)]
        layers = (ROOT, type)
        return tuple([(place, self._value(place, layers)) for place in dict.fromkeys(places)])

    def _value(self, place: Path, layers: tuple[Layer, ...]) -> Node | Unsure | None:
        value = self._changed.written.value(place, layers, self._stack)
        return self._changed.merged.value(place, layers, self._stack) if value is UNSURE else value

    def _own(self, shared: Found, entries: list[Entry]) -> Found:
        """The same for one component of some entries, which say more about it."""
        own = dict.fromkeys(place for entry in entries for place in self._by_entry.get(entry, ()))
        layers: tuple[Layer, ...] = (ROOT, entries[0][0], *entries)
        return tuple({**dict(shared), **{one: self._value(one, layers) for one in own}}.items())


def _of_component(path: Path) -> Path:
    """A place of a manifest as a place of its components."""
    return path if path[0] in PLAIN else path[1:]
