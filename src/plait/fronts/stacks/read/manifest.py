"""A manifest with its imports: sections and components are merged when they are needed.

Imports are merged in the order of the list, each over its own imports, and then the file over all of them. A file that
many files import is read and merged once. Each section and each component is merged on its own, so a question about
names merges no components, and a question about one component merges only that one.
"""

from __future__ import annotations

from plait.core.node import Key, MapNode, Node
from plait.core.scope import Place
from plait.fronts.stacks.language.scope import CONTEXT
from plait.fronts.stacks.read.overrides import Overrides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.mentions import Mentions
    from plait.fronts.stacks.session.policies import SectionPolicies


class Imported:
    """Facts about the imports of a manifest, which `imports` computes when they are needed."""

    __slots__ = ("closure", "lines", "listed")

    def __init__(self) -> None:
        self.closure: list[Manifest] | None = None
        """The manifest and everything that it imports."""
        self.lines: list[tuple[str, Node]] | None = None
        """The files that it imports itself, by name, each as its name at the line that asks for it."""
        self.listed: Node | None = None
        """The names of everything that it imports."""


class ImportList:
    """Manifests that a file imports, in order, with what they bring together: once for all files that import the same
    ones."""

    __slots__ = ("_brought", "_names", "_sets", "_types", "manifests", "overrides")

    def __init__(self, manifests: tuple[Manifest, ...]) -> None:
        self.manifests = manifests
        self.overrides: tuple[Overrides, ...] = tuple([one.overrides for one in manifests])
        self._brought: dict[str, list[Manifest]] | None = None
        self._names: dict[str, tuple[dict[str, Manifest], frozenset[str]]] = {}
        self._types: dict[str, None] | None = None
        self._sets: dict[Mentions, bool] = {}

    def brought(self) -> dict[str, list[Manifest]]:
        """The sections that they have, each with the manifests that do, in order."""
        if self._brought is None:
            found: dict[str, list[Manifest]] = {}
            for one in self.manifests:
                for name in one.section_names():
                    found.setdefault(name, []).append(one)
            self._brought = found
        return self._brought

    def names(self, type: str) -> tuple[dict[str, Manifest], frozenset[str]]:
        """The components of a type with who puts each together, and those that come with several of them."""
        known = self._names.get(type)
        if known is None:
            found: dict[str, Manifest] = {}
            several: set[str] = set()
            for one in self.manifests:
                owners = one.names(type)
                several |= found.keys() & owners.keys()
                found.update(owners)
            known = self._names[type] = (found, frozenset(several))
        return known

    def types(self) -> dict[str, None]:
        """The types that have components there."""
        if self._types is None:
            self._types = dict.fromkeys(type for one in self.manifests for type in one.types())
        return self._types

    def may_set(self, mentions: Mentions) -> bool:
        """Whether a component or an override in them may say something about certain values."""
        if mentions not in self._sets:
            self._sets[mentions] = any(one.may_set(mentions) for one in self.manifests)
        return self._sets[mentions]


NO_IMPORTS = ImportList(())


class Manifest:
    """A file with its imports. `dynamic`: its imports depend on the file that imports it."""

    __slots__ = (
        "_components",
        "_imported",
        "_joined",
        "_owners",
        "_place",
        "_policies",
        "_sections",
        "_sets",
        "_types",
        "asked",
        "dynamic",
        "file",
        "imported",
        "imports",
        "name",
        "overrides",
    )

    def __init__(
        self,
        file: ManifestFile,
        imports: ImportList,
        asked: tuple[int, ...],
        dynamic: bool,
        policies: SectionPolicies,
    ) -> None:
        self.file = file
        self.name = file.name
        self.imports = imports.manifests
        self._imported = imports
        self._policies = policies
        self.overrides = Overrides(file, imports.overrides, policies)
        self.asked = asked
        """For each import, which item of the file's list asks for it."""
        self.dynamic = dynamic
        self._sections: dict[str, Node | None] = {}
        self._components: dict[tuple[str, str], Node | None] = {}
        self._sets: dict[Mentions, bool] = {}
        self._types: dict[str, None] | None = None
        self._owners: dict[str, dict[str, Manifest]] = {}
        self._joined: dict[str, set[str]] = {}
        """The components, by type, that are put together of what imports bring."""
        self._place: Place | None = None
        self.imported = Imported()

    @property
    def place(self) -> Place:
        """Where words are seen from that decide how components are put together, before any of them is."""
        if self._place is None:
            entries: dict[Key, Node] = {name: node for name in CONTEXT if (node := self.section(name)) is not None}
            self._place = Place(node=MapNode(entries, live=True))
        return self._place

    def section(self, name: str) -> Node | None:
        """A section at the root, merged; None if no file has it."""
        if name not in self._sections:
            bringing = self._imported.brought().get(name, ())
            parts = [part for one in bringing if (part := one.section(name)) is not None]
            own = self.file.section(name) if name in self.file.keys else None
            parts += [own] if own is not None else []
            several = len(parts) > 1
            self._sections[name] = self._policies.merge(parts, name) if several else parts[0] if parts else None
        return self._sections[name]

    def component(self, type: str, name: str) -> Node | None:
        """A component as the files define it, merged; None if none does."""
        owner = self.names(type).get(name)
        return owner._put_together(type, name) if owner is not None else None

    def _put_together(self, type: str, name: str) -> Node | None:
        """A component that this file writes, or that several of its imports bring."""
        key = (type, name)
        node = self._components.get(key)
        if node is None:
            own = self.file.components.node(type, name)
            parts = [one.component(type, name) for one in self.imports] if name in self._joined[type] else []
            found = [part for part in (*parts, own) if part is not None]
            node = self._components[key] = self._policies.merge(found)
        return node

    def section_names(self) -> list[str]:
        """The sections that this file or an imported one has, in the order in which the files name them."""
        brought = self._imported.brought()
        return [*brought, *(name for name in self.file.keys if name not in brought)]

    def names(self, type: str) -> dict[str, Manifest]:
        """The components of a type, in the order in which the files name them; each with the manifest that puts it
        together: one that only passes it on does not."""
        found = self._owners.get(type)
        if found is None:
            brought, several = self._imported.names(type)
            found, joined = dict(brought), set(several)
            written = self.file.components.listed.get(type, ())
            joined.update([name for name in written if name in found])
            found.update(dict.fromkeys((*joined, *written), self))
            self._joined[type] = joined
            self._owners[type] = found
        return found

    def types(self) -> list[str]:
        """The types that have components here."""
        if self._types is None:
            own = [type for type, names in self.file.components.listed.items() if names]
            self._types = {**self._imported.types(), **dict.fromkeys(own)}
        return list(self._types)

    def may_set(self, mentions: Mentions) -> bool:
        """Whether a component or an override may say something about certain values."""
        if mentions not in self._sets:
            self._sets[mentions] = self.file.may_set(mentions) or self._imported.may_set(mentions)
        return self._sets[mentions]
