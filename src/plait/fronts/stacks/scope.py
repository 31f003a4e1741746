"""What `.locals` means where a text was written: ordinary lexical scope.

A file has a global scope; a section of a type (`terraform:`) and a component may open an inner one. An inner scope sees the
locals of the outer ones. A local is evaluated in its own scope, seen from its own file, so it has one value however many
components use it, and a function in it is called once.
"""

from __future__ import annotations

from plait.core.node import Bound, Key, Mapping, Node
from plait.core.scope import Place
from plait.core.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.run import Run

TYPES = ("terraform", "helmfile", "packer", "ansible", "kubernetes", "helm")
"""The types of components that there are; a repository may have others."""
CONTEXT = ("settings", "vars", "env")
"""The sections of the same file that templates in locals may read."""
DERIVED = Source("plait", given=True)
"""The origin of facts that no file holds: the name of the stack, the component's folder."""


class FileScope:
    """One scope of one file. `own` are the locals it defines, `context` the sections its templates may read."""

    __slots__ = (
        "_place",
        "_visible",
        "context",
        "file",
        "ignore_missing",
        "label",
        "outer",
        "own",
        "path",
        "run",
        "stack",
    )

    def __init__(self, run: Run, file: str, path: str, outer: FileScope | None = None, label: str = "global") -> None:
        self.run = run
        self.file = file
        """What reports call the file."""
        self.path = path
        """Where the file is."""
        self.outer = outer
        self.label = label
        self.own: Mapping | None = None
        self.context: dict[str, Node] = {}
        self.ignore_missing: bool = outer.ignore_missing if outer is not None else False
        self.stack = ""
        self._place: Place | None = None
        self._visible: dict[Key, Node] | None = None

    @property
    def place(self) -> Place:
        """Where the locals of this scope are seen from."""
        if self._place is None:
            self.visible()
        assert self._place is not None
        return self._place

    def visible(self) -> dict[Key, Node]:
        """Every local that can be read here, each bound to the scope that defines it; the inner ones win."""
        if self._visible is None:
            self._visible = found = dict(self.outer.visible()) if self.outer is not None else {}
            entries: dict[Key, Node] = dict(self.context.items())
            entries["locals"] = Mapping(found, live=True)
            self._place = Place(node=Mapping(entries, live=True))
            here = self._place.child("locals")
            for name, node in self.own.entries.items() if self.own is not None else ():
                found[name] = Bound(node, here.child(name)) if node.live else node
        return self._visible

    def defining(self, name: str) -> FileScope | None:
        """The scope that a name is defined in, as seen from here."""
        scope: FileScope | None = self
        while scope is not None:
            if scope.own is not None and name in scope.own.entries:
                return scope
            scope = scope.outer
        return None

    def chain(self) -> list[FileScope]:
        """This scope and those around it, the outermost first."""
        scopes: list[FileScope] = []
        scope: FileScope | None = self
        while scope is not None:
            scopes.append(scope)
            scope = scope.outer
        return scopes[::-1]
