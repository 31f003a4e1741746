"""What a change of plain values reaches: keys of sections of components.

A line under `settings:` or `vars:` of a shared file is read by every component of every stack that imports it. But in a
component that names its key in no template everything else stays as it was. One that writes nothing under the key has
there what all components of its type have.
"""

from __future__ import annotations

import re
from functools import cached_property, partial

from plait.core.node import MapNode, Mark
from plait.core.path import is_near
from plait.fronts.stacks.answers.reached import is_simple, names_read
from plait.fronts.stacks.assemble.section_layers import PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.source import Source
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.reached import ByEntry
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.manifest import Manifest

    Keys = tuple[tuple[str, str], ...]
    """Keys of sections, each with its section."""
    Values = dict[str, dict[str, Node | None]]
    """Values by section and key; None where there is none any more."""

WIDE = re.compile(r"list_merge_strategy|templates|_workspace|spacelift|atlantis|\\[xuU]")
"""Words with which a value may decide how others are merged, computed or named, or with which they may be written in
another way."""


class ChangedKeys:
    """The keys that changes of plain values reach, in the stacks of one repository."""

    def __init__(
        self, repository: Repository, places: Mapping[str, ByEntry | None], texts: Mapping[str, Source]
    ) -> None:
        """`places` are those at which files differ, by their paths; None where they may reach anything. `texts` are all
        files that show what is computed in them."""
        self._repository = repository
        self._places = places
        self._texts = texts
        self._reads = repository.index.namer.reads
        self._is_simple = is_simple(repository.index.shared.language)
        known = [(entry, path) for found in places.values() for entry, some in (found or {}).items() for path in some]
        self._root = [_of_component(path) for entry, path in known if entry is None]
        self._all = [*self._root, *(path for entry, path in known if entry is not None)]
        self._is_naming = self._names(self._root)

    def _names(self, places: Iterable[Path]) -> bool:
        """Whether the name of a stack may be made of one of some places."""
        return self._reads is None or any(is_near(tuple(self._reads), path) for path in places)

    def by_type(self, paths: Iterable[str], types: Iterable[str]) -> dict[str, Keys] | None:
        """The keys that lines outside the entries of some files reach in components of some types; None where they may
        reach anything."""
        if not self._is_simple or self._is_naming:
            return None
        places: list[Path] = []
        for path in paths:
            found = self._places.get(path, {})
            if found is None:
                return None
            places += found.get(None, ())
        return {
            type: tuple(dict.fromkeys(_of_component(path)[:2] for path in places if path[0] in (*PLAIN, type)))  # type: ignore[misc]
            for type in types
        }

    def by_entry(self, paths: Iterable[str]) -> dict[Entry, Keys | None]:
        """The keys in which the entries of some files differ; None for an entry that a name of a stack may be made
        of."""
        found: dict[Entry, list[Path]] = {}
        for path in paths:
            for entry, places in (self._places.get(path) or {}).items():
                if entry is not None:
                    found.setdefault(entry, []).extend(places)
        return {
            entry: None if self._names(places) else tuple(dict.fromkeys(place[:2] for place in places))  # type: ignore[misc]
            for entry, places in found.items()
        }

    @cached_property
    def naming(self) -> dict[str, set[Entry | None]]:
        """The files with templates that name one of the places, by their paths: the entries that do, and None if others
        may."""
        found = {path: self._naming(source) for path, source in self._texts.items()}
        return {path: entries for path, entries in found.items() if entries}

    def _naming(self, source: Source) -> set[Entry | None]:
        is_wide = WIDE.search(source.text) is not None
        names = names_read(source, self._repository.session.project.budgets.depth) if not is_wide else None
        if names is None:
            return {None}
        return {entry for entry, read in names.items() if any(is_near(read, path) for path in self._all)}

    def knows(self, paths: Iterable[str]) -> bool:
        """Whether some files show what is computed in them."""
        return self._texts.keys() >= {*paths}

    @property
    def reach_values_only(self) -> bool:
        """Whether nothing that is computed reads one of the places."""
        is_known = self._is_simple and None not in self._places.values()
        return is_known and not self._names(self._all) and not self.naming

    def values(self, manifest: Manifest, type: str, keys: Keys) -> Values | None:
        """What the components of a type have under some keys that they do not write; None where that is computed."""
        siblings = self._repository.index.siblings(manifest, type)
        return self._found(keys, lambda name: siblings.sections([name])[name])

    def own_values(self, component: Component, keys: Keys) -> Values | None:
        """The same of a component that writes some of them."""
        return self._found(keys, component.section)

    def _found(self, keys: Keys, section: Callable[[str], Node]) -> Values | None:
        found: Values = {}
        for name, key in keys:
            node = self._repository.session.answer(partial(section, name))
            value = node.entries.get(key) if isinstance(node, MapNode) else None
            if not isinstance(node, MapNode) or (value is not None and (value.live or isinstance(value, Mark))):
                return None
            found.setdefault(name, {})[key] = value
        return found


def _of_component(path: Path) -> Path:
    """A place of a manifest as a place of its components."""
    return path if path[0] in PLAIN else path[1:]
