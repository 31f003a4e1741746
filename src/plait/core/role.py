"""The role in which a part takes part in a merge: a layer, an import, a base component, an override, a flag, ...

A front knows the roles; a merge does not care. They are looked up by node or by source when an account is asked
for.
"""

from __future__ import annotations

from plait.core.source import Computed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.base import Node
    from plait.core.source import Origin, Source

LAYER, IMPORT, BASE, OVERRIDE, FLAG = "layer", "import", "base component", "override", "flag"
ENVIRONMENT, DEFAULT, PATTERN, EDIT, DIRECTIVE = "environment", "default", "pattern", "edit", "directive"
CONFIG, STUB, TEMPLATE, FACT = "configuration", "stub", "template", "fact"
MAIN = (LAYER, IMPORT)
"""The roles that a file has by itself; any other role is one that a part of the file has."""

GIVEN = (FLAG, ENVIRONMENT, DEFAULT)
"""The roles of parts that were written in no file."""


class Role:
    """What a part is to the merge.

    `name` says which one; `chain` are the files that led to it, the first importer first; `origin` is where it is
    written that something gets this role, where one place says so.
    """

    __slots__ = ("chain", "kind", "name", "origin")

    def __init__(
        self, kind: str = LAYER, name: str = "", chain: tuple[str, ...] = (), origin: Origin | None = None
    ) -> None:
        self.kind = kind
        self.name = name
        self.chain = chain
        self.origin = origin

    def inside(self, outer: Role) -> Role:
        """The role of a part of this role inside one of another: a file keeps its chain, whatever it is used as."""
        if self.kind not in MAIN or outer.kind in MAIN:
            return self
        return Role(outer.kind, outer.name, self.chain or outer.chain, outer.origin)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Role) and (self.kind, self.name, self.chain) == (other.kind, other.name, other.chain)

    def __hash__(self) -> int:
        return hash((self.kind, self.name, self.chain))

    def __repr__(self) -> str:
        return f"Role({self.kind} {self.name!r} {' -> '.join(self.chain)})"


ANY_LAYER = Role()


class Roles:
    """The roles of the parts of one tree: of nodes that were handed to a merge, and of the files they were written
    in."""

    __slots__ = ("_nodes", "_sources")

    def __init__(self, nodes: Iterable[tuple[Node, Role]] = (), sources: Iterable[tuple[Source, Role]] = ()) -> None:
        self._nodes = {id(node): (node, role) for node, role in nodes}
        self._sources = dict(sources)

    def of(self, node: Node, outer: Role) -> Role:
        """The role of a part inside another part."""
        found = self._nodes.get(id(node))
        if found is not None:
            outer = found[1].inside(outer)
        source = node.source
        while isinstance(source, Computed):
            source = source.source
        if outer.kind in GIVEN and not source.given:
            outer = ANY_LAYER  # what a flag or a variable sets is among what files say
        written = self._sources.get(source) or self._sources.get(source.written or source)
        if written is None and source.given:
            return Role(source.role or FLAG, source.name)
        return written.inside(outer) if written is not None else outer


NO_ROLES = Roles()
