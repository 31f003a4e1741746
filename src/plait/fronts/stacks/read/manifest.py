"""A manifest and all that it imports: sections and components merged when somebody asks for them, and nothing else.

Imports are merged in the order of the list, each with its own imports below it, then the file itself. A file that many import is
read once and its own merge is made once. Each section and each component is merged on its own, so a question about names
merges no components, and a question about one component merges that one.
"""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node
from plait.core.scope import Place
from plait.fronts.stacks.config.keys import TYPES
from plait.fronts.stacks.ground.nodes import entry, items_of, merged
from plait.fronts.stacks.language.scope import CONTEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.read.file import File
    from plait.fronts.stacks.read.mentions import Mentions


class Manifest:
    """A file with its imports. `dynamic`: what it imports depends on who imports it."""

    __slots__ = (
        "_all_overrides",
        "_components",
        "_lines",
        "_names",
        "_overrides",
        "_owners",
        "_place",
        "_section_names",
        "_sections",
        "_sets",
        "_types",
        "_with_overrides",
        "asked",
        "chains",
        "dynamic",
        "file",
        "imports",
        "policies",
    )

    def __init__(self, file: File, imports: tuple[Manifest, ...], asked: tuple[int, ...], dynamic: bool) -> None:
        self.file = file
        self.policies = file.policies
        self.imports = imports
        self.asked = asked
        """For each import, which item of the file's list asks for it."""
        self.dynamic = dynamic
        self._sections: dict[tuple[str, str], Node | None] = {}
        self._components: dict[tuple[str, str, str], Node | None] = {}
        self._names: dict[str, dict[str, None]] = {}
        self._overrides: dict[tuple[str, str], Node | None] = {}
        self._all_overrides: dict[str, Node | None] = {}
        self._with_overrides: bool | None = None
        self._sets: dict[Mentions, bool] = {}
        self._lines: list[Node] | None = None
        self._types: dict[str, None] | None = None
        self._section_names: dict[str, None] | None = None
        self._owners: dict[str, dict[str, list[Manifest]]] = {}
        self._place: Place | None = None
        self.chains: dict[tuple[str, str], list[str]] = {}
        """What one inherits with a component as its base: the bases of that, the lowest first, and itself."""

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def place(self) -> Place:
        """Where words are seen from that decide how components are put together, before any of them is."""
        if self._place is None:
            entries: dict[Key, Node] = {name: node for name in CONTEXT if (node := self.section(name)) is not None}
            self._place = Place(node=Mapping(entries, live=True))
        return self._place

    def section(self, name: str, strategy: str = "") -> Node | None:
        """A section at the root, merged; None where no file has it."""
        key = (name, strategy)
        if key not in self._sections:
            parts = [part for one in self.imports if (part := one.section(name, strategy)) is not None]
            own = self.file.section(name)
            parts += [own] if own is not None else []
            self._sections[key] = merged(parts, self.policies.policy(strategy, name))
        return self._sections[key]

    def component(self, type: str, name: str, strategy: str = "") -> Node | None:
        """A component as the files write it, merged; None where none has it."""
        key = (type, name, strategy)
        found = self._components.get(key)
        if found is None and name in self.names(type):
            parts = [
                part for one in self._bringing(type, name) if (part := one.component(type, name, strategy)) is not None
            ]
            own = self.file.component(type, name)
            parts += [own] if own is not None else []
            found = self._components[key] = merged(parts, self.policies.policy(strategy, ""))
        return found

    def _bringing(self, type: str, name: str) -> list[Manifest]:
        """The imports that a component comes with."""
        found = self._owners.get(type)
        if found is None:
            found = {}
            for one in self.imports:
                for known in one.names(type):
                    found.setdefault(known, []).append(one)
            self._owners[type] = found
        return found.get(name, [])

    def section_names(self) -> dict[str, None]:
        """The sections that this file or an imported one has."""
        if self._section_names is None:
            found = dict.fromkeys(name for one in self.imports for name in one.section_names())
            found.update(dict.fromkeys(self.file.keys()))
            self._section_names = found
        return self._section_names

    def names(self, type: str) -> dict[str, None]:
        """The components of a type, in the order in which the files name them."""
        found = self._names.get(type)
        if found is None:
            found = {}
            for one in self.imports:
                found.update(one.names(type))
            found.update(dict.fromkeys(self.file.component_names(type)))
            self._names[type] = found
        return found

    def types(self) -> list[str]:
        """The types that have components here."""
        if self._types is None:
            found = dict.fromkeys(type for one in self.imports for type in one.types())
            found.update(dict.fromkeys(type for type in self.file.component_types() if self.file.component_names(type)))
            self._types = found
        return list(self._types)

    def files(self) -> list[File]:
        """This file and all that it imports, each once, nearest first."""
        seen: dict[File, None] = {}
        queue: list[Manifest] = [self]
        for manifest in queue:
            if manifest.file not in seen:
                seen[manifest.file] = None
                queue.extend(manifest.imports)
        return list(seen)

    def may_set(self, mentions: Mentions) -> bool:
        """Whether a component or an override may say something about certain values."""
        if mentions not in self._sets:
            self._sets[mentions] = self.file.may_set(mentions) or any(one.may_set(mentions) for one in self.imports)
        return self._sets[mentions]

    # Overrides: a file's own are laid over everything that comes with it

    def overrides(self, type: str, name: str) -> Node | None:
        """The overrides of a component: those of every file through which it comes, the outer ones above."""
        if not self.has_overrides():
            return None
        key = (type, name)
        if key not in self._overrides:
            parts = [one.overrides(type, name) for one in self.imports if name in one.names(type)]
            if name in self.file.component_names(type):
                parts += [one.all_overrides(type) for one in self.imports]
            self._overrides[key] = self._merged_overrides([*parts, self.own_overrides(type)])
        return self._overrides[key]

    def has_overrides(self) -> bool:
        """Whether this file or an imported one has overrides."""
        if self._with_overrides is None:
            self._with_overrides = self.file.has_overrides() or any(one.has_overrides() for one in self.imports)
        return self._with_overrides

    def all_overrides(self, type: str) -> Node | None:
        """The overrides of this file and of those it imports."""
        if type not in self._all_overrides:
            parts = [one.all_overrides(type) for one in self.imports]
            self._all_overrides[type] = self._merged_overrides([*parts, self.own_overrides(type)])
        return self._all_overrides[type]

    def _merged_overrides(self, parts: list[Node | None]) -> Node | None:
        return merged([part for part in parts if part is not None], self.policies.policy())

    def own_overrides(self, type: str) -> Node | None:
        keys = self.file.keys()
        parts = [self.file.section("overrides")] if "overrides" in keys else []
        if type in keys and type in TYPES:
            parts.append(self.file.part(type, "overrides"))
        found: list[Node] = [part for part in parts if isinstance(part, Mapping) and part.entries]
        return merged(found, self.policies.policy())

    # What the imports look like from outside

    def import_lines(self) -> dict[str, Node]:
        """All imported files by name, each with the line that asks for it; the nearest one."""
        found: dict[str, Node] = {}
        queue: list[Manifest] = [self]
        seen: set[Manifest] = set()
        for manifest in queue:  # grows while it is walked
            if manifest not in seen:
                seen.add(manifest)
                lines = manifest.lines()
                for one, at in zip(manifest.imports, manifest.asked, strict=True):
                    found.setdefault(one.name, lines[at])
                    queue.append(one)
        found.pop(self.name, None)
        return found

    def lines(self) -> list[Node]:
        """The nodes that ask for imports: paths, also those in a map."""
        if self._lines is None:
            self._lines = [entry(item, "path") or item for item in items_of(self.file.section("import"))]
        return self._lines

    def depths(self) -> dict[str, int]:
        """For each file, how many imports away it is; the manifest itself is 1."""
        depths: dict[str, int] = {}
        level, queue = 1, [self]
        while queue:
            below: list[Manifest] = []
            for manifest in queue:
                if manifest.file.scope.file not in depths:
                    depths[manifest.file.scope.file] = level
                    below.extend(manifest.imports)
            level, queue = level + 1, below
        return depths
