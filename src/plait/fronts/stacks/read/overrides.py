"""`overrides`: values that a file lays over everything that comes with it, and over nothing else."""

from __future__ import annotations

from plait.core.node import MapNode, Node
from plait.fronts.stacks.config.sections import TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.session.policies import SectionPolicies


class Overrides:
    """The overrides of a file and of those that it imports."""

    __slots__ = ("_all", "_any", "_file", "_imports", "_names", "_of", "_policies")

    def __init__(self, file: ManifestFile, imports: tuple[Overrides, ...], policies: SectionPolicies) -> None:
        self._file = file
        self._imports = imports
        self._policies = policies
        self._any: bool | None = None
        self._of: dict[tuple[str, str], Node | None] = {}
        self._all: dict[str, Node | None] = {}
        self._names: dict[str, frozenset[str]] = {}

    def of(self, type: str, name: str) -> Node | None:
        """The overrides of a component: those of every file through which it comes, the outer ones above; the file that
        has it lays everything over it that it imports, too. Each file is there once, so no list is appended twice."""
        if not self.exist():
            return None
        key = (type, name)
        if key not in self._of:
            if name in self._file.components.names(type):
                return self.all(type)
            parts = [one.of(type, name) for one in self._imports if name in one.names(type)]
            self._of[key] = self._merged([*parts, self._own(type)])
        return self._of[key]

    def exist(self) -> bool:
        """Whether this file or an imported one has overrides."""
        if self._any is None:
            keys = self._file.keys
            typed = any(type in keys and self._file.part(type, "overrides") is not None for type in TYPES)
            self._any = "overrides" in keys or typed or any(one.exist() for one in self._imports)
        return self._any

    def names(self, type: str) -> frozenset[str]:
        """The components of a type that this file or an imported one has."""
        found = self._names.get(type)
        if found is None:
            found = frozenset(self._file.components.names(type)).union(*(one.names(type) for one in self._imports))
            self._names[type] = found
        return found

    def all(self, type: str) -> Node | None:
        """The overrides of this file and of those it imports."""
        if type not in self._all:
            self._all[type] = self._merged([*(one.all(type) for one in self._imports), self._own(type)])
        return self._all[type]

    def _own(self, type: str) -> Node | None:
        keys = self._file.keys
        parts = [self._file.section("overrides")] if "overrides" in keys else []
        if type in keys and type in TYPES:
            parts.append(self._file.part(type, "overrides"))
        return self._merged([part for part in parts if isinstance(part, MapNode) and part.entries])

    def _merged(self, parts: list[Node | None]) -> Node | None:
        return self._policies.merge([part for part in parts if part is not None])
