"""One manifest file as one import sees it: read once, taken apart by section and by component, built when asked for.

A file that is rendered before it is YAML (`.tmpl`, or imported with a context) keeps the lines that people wrote as
origins.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.node import MapNode, Node, Scalar, Suspension
from plait.fronts.stacks.config.sections import TYPES
from plait.fronts.stacks.language.keys import scoped
from plait.fronts.stacks.language.scope import CONTEXT, FileScope
from plait.fronts.stacks.read.locals import (
    context_of,
    is_of_component,
    locals_of,
    name_errors,
    scope_errors,
    without_keys,
)
from plait.fronts.stacks.read.mentions import ESCAPED_KEY
from plait.fronts.stacks.read.raw import versions_for_locals
from plait.fronts.stacks.read.text import PLAIN, ImportContext, ManifestText
from plait.report.catalog import BAD_MANIFEST
from plait.yaml.outline import Outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from plait.core.source import Source
    from plait.fronts.stacks.language.scope import Language
    from plait.fronts.stacks.read.mentions import Mentions

NOTHING = MapNode({})
FEW = 2
"""How many components of a file are built one by one."""
SCOPED = ("locals", "overrides")
"""Parts of a section that are not inherited."""
DECIDING = ("import", "overrides", "metadata", "name")
"""Sections that decide how stacks are assembled: they are computed before any value is requested."""


class ManifestFile:
    """A manifest's own text, without its imports. `open` comes first: it reads the file and checks its locals."""

    __slots__ = (
        "_language",
        "_opened",
        "_outline",
        "_scoped",
        "_sections",
        "_text",
        "components",
        "keys",
        "name",
        "path",
        "scope",
        "types",
    )

    def __init__(self, language: Language, path: str, name: str, context: ImportContext = PLAIN) -> None:
        self._language = language
        self.path = path
        self.name = name
        """The path below the stacks folder, without its extension."""
        self.scope = FileScope(language, language.session.shown(path), path)
        self.scope.ignore_missing = context.ignore_missing or language.settings.ignore_missing
        self.types: dict[str, FileScope] = {}
        """The scopes that sections of a type open, where they have locals."""
        self._text = ManifestText(self.scope, context)
        self.components = WrittenComponents(self.scope, self.types, self._forced)
        self._outline: Outline | MapNode = NOTHING
        self.keys: tuple[str, ...] = ()
        """The names of its sections."""
        self._opened = False
        self._scoped = False
        """Whether the scopes of its locals are open."""
        self._sections: dict[str, Node | None] = {}

    @property
    def source(self) -> Source:
        """The file as it is written."""
        return self._text.source

    @property
    def text(self) -> ManifestText:
        """Its text, and how that is rendered."""
        return self._text

    @property
    def is_rendered(self) -> bool:
        """Whether the file is rendered before it is read as YAML."""
        return self._text.is_rendered

    @property
    def is_plain(self) -> bool:
        """Whether the file is the same for all that import it, and its sections are known without computing them."""
        return self._text.is_plain and isinstance(self._outline, Outline)

    def open(self) -> None:
        """Read the file, create the scopes of its locals, and check everything that is known now.

        Raises `Blocked` if a value is needed first.
        """
        if self._opened:
            return
        outline = self._outline = self._text.outline
        self.keys = tuple(outline.places) if isinstance(outline, Outline) else tuple(map(str, outline.entries))
        has_locals = not isinstance(outline, Outline) or _may_have_locals(outline.source.text)
        if has_locals:
            self._open_scopes()
        self.components.list(outline)
        if has_locals:
            self._check_locals()
        self._opened = True

    # Locals

    def _open_scopes(self) -> None:
        """The scopes of a file: the global one, and one for each type whose section has locals."""
        if self._scoped:
            return
        typed = {type: own for type in TYPES if type in self.keys and (own := self.part(type, "locals")) is not None}
        node = self._get("locals")
        context = self._file_context()
        self.scope.open(locals_of(node, self.scope.file, self.scope) if node is not None else None, context)
        for type, own in typed.items():
            scope = FileScope(self._language, self.scope.file, self.path, self.scope, type)
            scope.open(locals_of(own, self.scope.file, scope), context_of(self._known(type), context))
            self.types[type] = scope
        self._scoped = self._text.scope_open = True

    def _known(self, section: str) -> Node:
        node = self._get(section)
        assert node is not None
        return self._forced(node)

    def _file_context(self) -> dict[str, Node]:
        """The settings, vars and env of the file, for the templates of its own scope."""
        context = {name: node for name in CONTEXT if (node := self.section(name)) is not None}
        text = self._text.source.text
        if ".version" in text and "{{" in text:
            context.update(versions_for_locals(text, self._get("version"), self.scope))
        return context

    def _check_locals(self) -> None:
        """Names and cycles of a whole file, all errors at once. A file without templates has nothing to check."""
        if "{{" not in self._text.source.text:
            return
        errors = [error for scope in (self.scope, *self.types.values()) for error in scope_errors(scope)]
        for key in self.keys:
            node = self._get(key) if key not in ("components", "locals", "import") else None
            if node is not None:
                errors += name_errors(node, self.types.get(key, self.scope), skip="locals" if key in self.types else "")
        for type, names in self.components.listed.items():
            for name in names:
                whole, scope = self.components.looked_at(type, name)
                if is_of_component(scope):
                    errors += scope_errors(scope)
                errors += name_errors(whole, scope, skip="locals")
        if errors:
            raise Fault(*errors)

    def _forced(self, node: Node) -> Node:
        """A node that the structure of the file depends on, or `Blocked`."""
        if not isinstance(node, Suspension):
            return node
        if not self._text.scope_open and self._language.has_template(node.expression.text):
            self.scope.open(self.scope.own, self._file_context())
            self._text.scope_open = True
        return self._language.session.known(node, self.scope.place)

    # Taking apart

    def _get(self, key: str) -> Node | None:
        if key not in self.keys:
            return None
        outline = self._outline
        return outline.get(key) if isinstance(outline, Outline) else outline.entries.get(key)

    def whole(self) -> MapNode:
        """All of the file, built."""
        return self._outline.whole() if isinstance(self._outline, Outline) else self._outline

    def section(self, name: str) -> Node | None:
        """A section at the root, as it is inherited: without locals and overrides."""
        if name not in self._sections:
            node = self._get(name)
            if node is not None and name in self.types:
                node = scoped(node, self.types[name])
            if node is not None and (name in TYPES or name in DECIDING):
                node = self._forced(node)
            if isinstance(node, MapNode) and name in TYPES:
                node = without_keys(node, SCOPED)
            if isinstance(node, Scalar) and node.value is None and name != "name":
                node = None  # an empty section says nothing
            self._sections[name] = node
        return self._sections[name]

    def import_paths(self) -> list[str] | None:
        """The imports of the file, if they are a list of strings; None if they need a closer look."""
        if "import" not in self.keys:
            return []
        return self._outline.words("import") if isinstance(self._outline, Outline) else None

    def part(self, section: str, key: str) -> Node | None:
        """A part of a type's section that is not inherited: its overrides, its locals."""
        outline = self._outline
        if isinstance(outline, Outline) and (below := outline.below(section)) is not None:
            return below.get(key)
        node = self._get(section)
        node = self._forced(node) if node is not None else None
        found = node.entries.get(key) if isinstance(node, MapNode) else None
        scope = self.types.get(section)
        return scoped(found, scope) if found is not None and scope is not None and key != "locals" else found

    def may_set(self, mentions: Mentions) -> bool:
        """Whether a component, a type's section or an override of this file may say something about certain values."""
        keys = [key for key in self.keys if key in ("components", "overrides", *TYPES)]
        outline = self._outline
        if not isinstance(outline, Outline):
            return bool(keys)
        return any(mentions.found_in(outline.text(key)) for key in keys)


def _may_have_locals(text: str) -> bool:
    """Whether a text may contain locals; there may be false positives."""
    return "locals" in text or ESCAPED_KEY.search(text) is not None


class WrittenComponents:
    """The components of one file. `forced` computes a node that decides what there is, or raises `Blocked`."""

    __slots__ = ("_built", "_forced", "_scope", "_scopes", "_typed", "_wholes", "listed")

    def __init__(self, scope: FileScope, scopes: dict[str, FileScope], forced: Callable[[Node], Node]) -> None:
        self._scope = scope
        self._scopes = scopes
        self._forced = forced
        self._typed: dict[str, Outline | MapNode] = {}
        self.listed: dict[str, tuple[str, ...]] = {}
        """The names of the components, by type, once `list` was called."""
        self._wholes: dict[tuple[str, str], tuple[MapNode, FileScope]] = {}
        self._built: dict[tuple[str, str], Node] = {}

    def list(self, sections: Outline | MapNode) -> None:
        """List the components of a file's sections. A file in which they cannot be listed is broken as a whole."""
        typed = self._below(sections, "components", "components")
        for type in map(str, _keys(typed)):
            self._typed[type] = self._below(typed, type, f"components.{type}")
        self.listed = {type: tuple(map(str, _keys(members))) for type, members in self._typed.items()}

    def names(self, type: str) -> tuple[str, ...]:
        return self.listed.get(type, ())

    def node(self, type: str, name: str) -> Node | None:
        """A component as this file alone defines it, without its locals; None if it does not."""
        key = (type, name)
        node = self._built.get(key)
        if node is None and name in self.names(type):
            whole, scope = self.with_scope(type, name)
            own = without_keys(whole, ("locals",)) if "locals" in whole.entries else whole
            node = self._built[key] = scoped(own, scope) if scope is not self._scope else own
        return node

    def with_scope(self, type: str, name: str) -> tuple[MapNode, FileScope]:
        """A component with its locals, and the scope that its texts are written in."""
        return self.looked_at(type, name)

    def looked_at(self, type: str, name: str) -> tuple[MapNode, FileScope]:
        """The same for a check of the whole file, on which no answer depends unless it fails."""
        key = (type, name)
        if key not in self._wholes:
            part = self._typed[type]
            if isinstance(part, Outline) and len(self._wholes) == FEW:
                part.build_all()  # who asks for one more component will ask for the others
            node = part.get(name) if isinstance(part, Outline) else part.entries.get(name)
            whole = self._structure(node, f"components.{type}.{name}")
            metadata = whole.entries.get("metadata")
            if metadata is not None and not isinstance(metadata, MapNode):
                entries = {**whole.entries, "metadata": self._structure(metadata, f"components.{type}.{name}.metadata")}
                whole = MapNode(entries, whole.source, whole.at, None, whole.live, whole.marks)
            self._wholes[key] = (whole, self._inner_scope(type, name, whole))
        return self._wholes[key]

    def _inner_scope(self, type: str, name: str, whole: MapNode) -> FileScope:
        outer = self._scopes.get(type, self._scope)
        own = whole.entries.get("locals")
        if own is None:
            return outer
        inner = FileScope(outer.language, outer.file, outer.path, outer, f"component {name}")
        inner.open(locals_of(own, outer.file, inner), context_of(whole, outer.context))
        return inner

    # Listing

    def _below(self, above: Outline | MapNode, key: str, path: str) -> Outline | MapNode:
        """The value below a key, computed as far as is needed to list it."""
        found: Outline | MapNode | None = above.below(key) if isinstance(above, Outline) else None
        if found is None:
            found = self._structure(above.get(key) if isinstance(above, Outline) else above.entries.get(key), path)
        return found

    def _structure(self, node: Node | None, path: str) -> MapNode:
        """A node that must be a map for the file to make sense."""
        node = self._forced(node) if node is not None else None
        if node is None or (isinstance(node, Scalar) and node.value is None):
            return NOTHING
        if not isinstance(node, MapNode):
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


def _keys(part: Outline | MapNode) -> Collection[str]:
    return part.places if isinstance(part, Outline) else part.entries  # type: ignore[return-value]
