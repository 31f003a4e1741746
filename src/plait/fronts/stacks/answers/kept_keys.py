"""What a change outside all entries reaches: keys of sections, for which a component has what its type has.

A line under `settings:` or `vars:` of a shared file is read by every component of every stack that imports it. But a
component that writes nothing under that key, and names it in no template, has there what all components of its type
have, and everything else in it stays as it was.
"""

from __future__ import annotations

import re
from functools import cached_property, partial

from plait.core.diagnostic import Fault
from plait.core.node import MapNode, Mark
from plait.core.path import is_near
from plait.fronts.stacks.answers.reached import is_simple, names_read
from plait.fronts.stacks.assemble.section_layers import PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plait.core.node import Node
    from plait.core.path import Path, Places
    from plait.core.source import Source
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.read.manifest import Manifest

    Keys = tuple[tuple[str, str], ...]
    """Keys of sections, each with its section."""
    Values = dict[str, dict[str, Node | None]]
    """Values by section and key; None where there is none any more."""

WIDE = re.compile(r"list_merge_strategy|templates|_workspace|spacelift|atlantis|\\[xuU]")
"""Words with which a value may decide how others are merged, computed or named, or with which they may be written in
another way."""


class ChangedKeys:
    """The keys that changes outside entries reach, in the stacks of one repository."""

    def __init__(
        self, repository: Repository, places: Mapping[str, Places | None], texts: Mapping[str, Source]
    ) -> None:
        """`places` are those at which files differ, by their paths; None where they may reach anything. `texts` are all
        files that show what is computed in them."""
        self._repository = repository
        self._places = places
        self._texts = texts
        reads = repository.index.namer.reads
        self._all = [_of_component(path) for found in places.values() for path in found or ()]
        self._is_sure = is_simple(repository.index.shared.language) and reads is not None
        self._is_sure = self._is_sure and not any(is_near(tuple(reads or ()), path) for path in self._all)

    def by_type(self, paths: Iterable[str], types: Iterable[str]) -> dict[str, Keys] | None:
        """The keys that some of the files reach in components of some types; None where they may reach anything."""
        places: list[Path] = []
        for path in paths:
            found = self._places.get(path, ())
            if found is None or not self._is_sure:
                return None
            places += found
        return {
            type: tuple(dict.fromkeys(_of_component(path)[:2] for path in places if path[0] in (*PLAIN, type)))  # type: ignore[misc]
            for type in types
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
        return self._is_sure and None not in self._places.values() and not self.naming

    def values(self, manifest: Manifest, type: str, keys: Keys) -> Values | None:
        """What the components of a type have under some keys that they do not write; None where that is computed."""
        siblings = self._repository.index.siblings(manifest, type)
        names = list(dict.fromkeys(section for section, _ in keys))
        try:
            sections = self._repository.session.answer(partial(siblings.sections, names))
        except Fault:
            return None
        found: Values = {name: {} for name in names}
        for section, key in keys:
            node = sections[section]
            value = node.entries.get(key) if isinstance(node, MapNode) else None
            if not isinstance(node, MapNode) or (value is not None and (value.live or isinstance(value, Mark))):
                return None
            found[section][key] = value
        return found


def _of_component(path: Path) -> Path:
    """A place of a manifest as a place of its components."""
    return path if path[0] in PLAIN else path[1:]
