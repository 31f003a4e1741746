"""The components that one file writes: listed without building them, each built when it is asked for."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Mapping, Node, Scalar
from plait.fronts.stacks.ground.trace import WHOLE
from plait.fronts.stacks.language.keys import scoped
from plait.fronts.stacks.language.scope import FileScope
from plait.fronts.stacks.read.locals import context_of, locals_of, without_keys
from plait.report.catalog import BAD_MANIFEST
from plait.yaml.outline import Outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from plait.fronts.stacks.ground.trace import Part

NOTHING = Mapping({})


class WrittenComponents:
    """The components of one file. `forced` computes a node that decides what there is, or raises `Blocked`."""

    __slots__ = ("_built", "_forced", "_read", "_scope", "_scopes", "_typed", "_wholes", "listed")

    def __init__(
        self, scope: FileScope, scopes: dict[str, FileScope], forced: Callable[[Node], Node], read: set[Part]
    ) -> None:
        """`read` takes the parts of the file that somebody asks for."""
        self._read = read
        self._scope = scope
        self._scopes = scopes
        self._forced = forced
        self._typed: dict[str, Outline | Mapping] = {}
        self.listed: dict[str, tuple[str, ...]] = {}
        """The names of the components, by type, once `list` was called."""
        self._wholes: dict[tuple[str, str], tuple[Mapping, FileScope]] = {}
        self._built: dict[tuple[str, str], Node] = {}

    def list(self, sections: Outline | Mapping) -> None:
        """List the components of a file's sections. A file in which they cannot be listed is broken as a whole."""
        typed = self._below(sections, "components", "components")
        for type in map(str, _keys(typed)):
            self._typed[type] = self._below(typed, type, f"components.{type}")
        if not all(isinstance(part, Outline) or part is NOTHING for part in (typed, *self._typed.values())):
            self._read.add(WHOLE)
        self.listed = {type: tuple(map(str, _keys(members))) for type, members in self._typed.items()}

    def names(self, type: str) -> tuple[str, ...]:
        return self.listed.get(type, ())

    def node(self, type: str, name: str) -> Node | None:
        """A component as this file alone writes it, without its locals; None where it does not."""
        key = (type, name)
        node = self._built.get(key)
        if node is None and name in self.names(type):
            whole, scope = self.with_scope(type, name)
            own = without_keys(whole, ("locals",))
            node = self._built[key] = scoped(own, scope) if scope is not self._scope else own
        return node

    def with_scope(self, type: str, name: str) -> tuple[Mapping, FileScope]:
        """A component with its locals, and the scope that its texts are written in."""
        self._read.add((type, name))
        return self.looked_at(type, name)

    def looked_at(self, type: str, name: str) -> tuple[Mapping, FileScope]:
        """The same for a check of the whole file, on which no answer depends unless it fails."""
        key = (type, name)
        if key not in self._wholes:
            part = self._typed[type]
            node = part.get(name) if isinstance(part, Outline) else part.entries.get(name)
            whole = self._structure(node, f"components.{type}.{name}")
            metadata = whole.entries.get("metadata")
            if metadata is not None and not isinstance(metadata, Mapping):
                entries = {**whole.entries, "metadata": self._structure(metadata, f"components.{type}.{name}.metadata")}
                whole = Mapping(entries, whole.source, whole.at, None, whole.live, whole.marks)
            self._wholes[key] = (whole, self._inner_scope(type, name, whole))
        return self._wholes[key]

    def _inner_scope(self, type: str, name: str, whole: Mapping) -> FileScope:
        outer = self._scopes.get(type, self._scope)
        own = whole.entries.get("locals")
        if own is None:
            return outer
        inner = FileScope(outer.language, outer.file, outer.path, outer, f"component {name}")
        inner.open(locals_of(own, outer.file, inner), context_of(whole, outer.context))
        return inner

    # Listing

    def _below(self, above: Outline | Mapping, key: str, path: str) -> Outline | Mapping:
        """What is below a key, as far as it must be known to be listed."""
        found: Outline | Mapping | None = above.below(key) if isinstance(above, Outline) else None
        if found is None:
            found = self._structure(above.get(key) if isinstance(above, Outline) else above.entries.get(key), path)
        return found

    def _structure(self, node: Node | None, path: str) -> Mapping:
        """A node that must be a map for the file to make sense."""
        node = self._forced(node) if node is not None else None
        if node is None or (isinstance(node, Scalar) and node.value is None):
            return NOTHING
        if not isinstance(node, Mapping):
            hint = f"write `{path.rpartition('.')[2]}:` with `name: value` below it"
            raise BAD_MANIFEST.error(Label(node.origin), why=f"`{path}` must be a map, not a {node.kind}", hint=hint)
        for key in node.entries:
            if key.__class__ is not str:
                raise BAD_MANIFEST.error(
                    Label(node.key_origin(key)),
                    why=f"`{path}` has a key that is not a name",
                    hint="write a string as the key",
                )
        return node


def _keys(part: Outline | Mapping) -> Collection[str]:
    return part.places if isinstance(part, Outline) else part.entries  # type: ignore[return-value]
