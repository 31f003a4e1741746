"""One manifest file as one import sees it: read once, taken apart by section and by component, built when asked for.

A file that is rendered before it is YAML (`.tmpl`, or imported with a context) keeps the lines that people wrote as origins.
"""

from __future__ import annotations

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Mapping, Node, Scalar, Suspension
from plait.core.source import Source
from plait.fronts.stacks.config.dotted import expanded
from plait.fronts.stacks.config.keys import TYPES
from plait.fronts.stacks.ground.secrets import seal, secret_steps
from plait.fronts.stacks.language.atmos import StackHost
from plait.fronts.stacks.language.keys import TemplatedKeys, scoped, with_templated_keys
from plait.fronts.stacks.language.scope import CONTEXT, FileScope
from plait.fronts.stacks.language.view import place_of
from plait.fronts.stacks.read.locals import check_names, check_scope, context_of, locals_of, without_keys
from plait.fronts.stacks.read.mentions import ESCAPED_KEY
from plait.fronts.stacks.read.raw import RawSections, sections_for_templates
from plait.notations.gotemplate.errors import TemplateError
from plait.report.catalog import BAD_MANIFEST, SECRET_NAME, STACK_TEMPLATE
from plait.yaml.build import build
from plait.yaml.outline import Outline, has_braces, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from plait.fronts.stacks.ground.policies import Policies
    from plait.fronts.stacks.language.scope import Language
    from plait.fronts.stacks.language.templates import Parsed
    from plait.fronts.stacks.read.mentions import Mentions
    from plait.yaml.program import Program

SCOPED = ("locals", "overrides")
"""Parts of a section that are no part of what is inherited."""
DECIDING = ("import", "overrides", "metadata", "name")
"""Sections that decide how stacks are put together: they are computed before anybody asks for a value."""
NOTHING = Mapping({})


class Context:
    """What an import says of the file it imports: values for its templates, and how it is to be rendered."""

    __slots__ = ("ignore_missing", "key", "skip", "values")

    def __init__(
        self, values: dict[str, object] | None = None, skip: bool = False, ignore_missing: bool = False
    ) -> None:
        self.values = {key: value for key, value in (values or {}).items() if key != "locals"}
        self.skip = skip
        self.ignore_missing = ignore_missing
        self.key = repr((self.values, skip, ignore_missing)) if self.values or skip or ignore_missing else ""


PLAIN = Context()


class Rendered:
    """A file's text as it is read. Where secrets went into it, also the text with masks instead of them; empty where there is none."""

    __slots__ = ("masked", "source")

    def __init__(self, source: Source, masked: str | None = None) -> None:
        self.source = source
        self.masked = masked


class File:
    """A manifest's own text, without its imports. `open` comes first: it reads the file and checks its locals."""

    __slots__ = (
        "_components",
        "_context",
        "_language",
        "_named",
        "_opened",
        "_outline",
        "_raw",
        "_readable",
        "_scoped",
        "_sections",
        "_text",
        "_tree",
        "_typed",
        "_wholes",
        "name",
        "path",
        "policies",
        "scope",
        "source",
        "types",
    )

    def __init__(self, language: Language, path: str, name: str, context: Context = PLAIN) -> None:
        self._language = language
        self.policies: Policies = language.config.policies
        self.path = path
        self.name = name
        """The path below the stacks folder, without its extension."""
        self._context = context
        self.scope = FileScope(language, language.ground.shown(path), path)
        missing = language.config.get("templates", "settings", "ignore_missing_template_values") is True
        self.scope.ignore_missing = context.ignore_missing or missing
        self.types: dict[str, FileScope] = {}
        """The scopes that sections of a type open, where they have locals."""
        self.source = language.ground.project.source(path, self.scope.file)
        self._opened = False
        self._scoped = False
        """Whether the scopes of its locals are open."""
        self._readable = False
        """Whether the templates of its global scope can read its sections."""
        self._raw: RawSections | None = None
        self._text: Rendered | None = None
        self._tree: Outline | Node | None = None
        self._outline: Outline | Mapping | None = None
        self._sections: dict[str, Node | None] = {}
        self._components: dict[str, dict[str, Node]] = {}
        self._typed: Outline | Mapping | None = None
        self._named: dict[str, Outline | Mapping] = {}
        self._wholes: dict[tuple[str, str], tuple[Mapping, FileScope]] = {}

    # Reading. Each step is kept: whoever has to wait for a word of the file asks again

    def open(self) -> None:
        """Read the file, open the scopes that its locals make, and check what can be known of them now."""
        if self._opened:
            return
        if self._may_have("locals"):
            self._open_scopes()
            self._check_locals()
        self._opened = True

    @property
    def outline(self) -> Outline | Mapping:
        """The sections of the file."""
        if self._outline is None:
            self._outline = self._read()
        return self._outline

    def _read(self) -> Outline | Mapping:
        if self._text is None:
            self._text = self._rendered()
        if self._tree is None:
            self._tree = self._document(self._text)
        if isinstance(self._tree, Outline):
            return self._tree
        return self._sections_in(self._with_root_keys(self._tree))

    def _document(self, text: Rendered) -> Outline | Node:
        ground = self._language.ground
        try:
            documents = ground.documents.parts(text.source, self.path)
        except PlaitError as error:
            raise ground.secrets.masking(error) from None
        if not documents:
            return Mapping({}, text.source)
        reading = self.scope.reading()
        if text.masked is not None:
            program = whole(documents[0])
            seal(reading, program, secret_steps(program, self._scanned(text.masked), ground.secrets), text.source)
        if "{{" in text.source.text and has_braces(documents[0]):
            return with_templated_keys(build(whole(documents[0]), text.source, reading), self.scope)
        sign = self._language.config.text("settings", "yaml", "key_delimiter")
        if sign and sign in text.source.text:
            return expanded(build(whole(documents[0]), text.source, reading), sign, quotes=True)
        return Outline.of(documents[0], text.source, reading)

    def _sections_in(self, node: Node) -> Mapping:
        """What a file holds, where that is a map of sections, or nothing."""
        if isinstance(node, Mapping):
            return node
        if isinstance(node, Scalar) and node.value is None:
            return Mapping({}, node.source)
        raise BAD_MANIFEST.error(
            Label.of(node),
            why=f"{self.scope.file} holds a {node.kind}, not a map of sections",
            hint="write sections: `import:`, `vars:`, `components:`, ...",
        )

    def _with_root_keys(self, node: Node) -> Node:
        """A file some of whose sections have names that are templates: they may read its other sections, and its locals."""
        if not isinstance(node, Suspension):
            return node
        if isinstance(node.expression, TemplatedKeys) and not self._readable:
            self.scope.open(*sections_for_templates(node.expression.mapping, self.scope))
            self._readable = True
        return self._language.ground.known(node, self.scope.place)

    # Rendering

    def _is_rendered(self) -> bool:
        if self._context.skip or "{{" not in self.source.text:
            return False
        return self.path.endswith(".tmpl") or bool(self._context.values)

    def _rendered(self) -> Rendered:
        """The text after rendering, with the context and with what the raw text says, where that is YAML."""
        if not self._is_rendered():
            return Rendered(self.source)
        ground = self._language.ground
        missing = "default" if self.scope.ignore_missing else "error"
        host = StackHost(None, self._language)
        try:
            parsed = self._language.templates.parse(self.source.text)
            data: dict[str, object] = {**self._own_values(parsed), **self._context.values}
            made = parsed.template.render_lines(data, missing=missing, host=host)
        except TemplateError as error:
            label = place_of(error, self.source.text, Scalar("", "", self.source, 0))
            hint = (
                error.hint
                or "the context of an import, and the file's own locals, settings, vars and env can be read here"
            )
            raise ground.secrets.masking(STACK_TEMPLATE.error(label, why=error.message, hint=hint)) from None
        source = Source(self.source.name, made.text, written=self.source, line_map=made.line_map)
        other = ground.secrets.masked(data)
        if other is data:
            return Rendered(source)
        try:
            return Rendered(source, parsed.template.render(other, missing=missing, host=host))
        except TemplateError:
            return Rendered(source, "")

    def _scanned(self, text: str) -> Program | None:
        """A text as a document; None where it is none."""
        source = Source(self.source.name, text, written=self.source)
        try:
            return next(iter(self._language.ground.documents.parsed(source, self.path)), None)
        except PlaitError:
            return None

    def _own_values(self, parsed: Parsed) -> dict[str, object]:
        """What the raw text says for its own templates, as far as they can read it; nothing where it is no YAML before it is rendered."""
        if not any(name in self.source.text for name in ("locals", *CONTEXT)):
            return {}
        try:
            if self._raw is None:
                self._raw = RawSections(self._language, self.source, self.path, self.scope.ignore_missing)
            return self._raw.values(parsed)
        except PlaitError as error:
            if any(d.code == SECRET_NAME.code for d in error.diagnostics):
                raise
            return {}

    # Locals

    def _may_have(self, key: str) -> bool:
        """Whether a key may stand somewhere in the file. Where its text is not to be trusted, it may."""
        if not isinstance(self.outline, Outline):
            return True
        text = self.outline.source.text
        return key in text or ESCAPED_KEY.search(text) is not None

    def _open_scopes(self) -> None:
        """The scopes of a file: the global one, and one for each type whose section has locals."""
        if self._scoped:
            return
        typed = {type: own for type in TYPES if type in self.keys() and (own := self.part(type, "locals")) is not None}
        node = self._get("locals")
        context = self._file_context()
        self.scope.open(locals_of(node, self.scope.file, self.scope) if node is not None else None, context)
        for type, own in typed.items():
            scope = FileScope(self._language, self.scope.file, self.path, self.scope, type)
            scope.open(locals_of(own, self.scope.file, scope), context_of(self._known(type), context))
            self.types[type] = scope
        self._scoped = self._readable = True

    def _known(self, section: str) -> Node:
        node = self._get(section)
        assert node is not None
        return self._forced(node)

    def _file_context(self) -> dict[str, Node]:
        """The settings, vars and env of the file, for the templates of its own scope."""
        return {name: node for name in CONTEXT if (node := self.section(name)) is not None}

    def _check_locals(self) -> None:
        """Names and cycles of a whole file. A file without templates has nothing to check."""
        if "{{" not in self.source.text:
            return
        for scope in (self.scope, *self.types.values()):
            check_scope(scope)
        for key in self.keys():
            node = self._get(key) if key not in ("components", "locals", "import") else None
            if node is not None:
                check_names(node, self.types.get(key, self.scope), skip="locals" if key in self.types else "")
        for type in self.component_types():
            for name in self.component_names(type):
                whole, scope = self.component_nodes(type, name)
                if scope.of_component:
                    check_scope(scope)
                check_names(whole, scope, skip="locals")

    def _forced(self, node: Node) -> Node:
        """A node that the structure of the file depends on, or `Blocked`."""
        if not isinstance(node, Suspension):
            return node
        if not self._readable and self._language.has_template(node.expression.text):
            self.scope.open(self.scope.own, self._file_context())
            self._readable = True
        return self._language.ground.known(node, self.scope.place)

    # Taking apart

    def keys(self) -> list[str]:
        return [
            str(key) for key in (self.outline.keys() if isinstance(self.outline, Outline) else self.outline.entries)
        ]

    def _get(self, key: str) -> Node | None:
        if isinstance(self.outline, Outline):
            return self.outline.get(key)
        return self.outline.entries.get(key)

    def whole(self) -> Mapping:
        """All of the file, built."""
        return self.outline.whole() if isinstance(self.outline, Outline) else self.outline

    def section(self, name: str) -> Node | None:
        """A section at the root, as it is inherited: without locals and overrides."""
        if name not in self._sections:
            node = self._get(name)
            if node is not None and name in self.types:
                node = scoped(node, self.types[name])
            if node is not None and (name in TYPES or name in DECIDING):
                node = self._forced(node)
            if isinstance(node, Mapping) and name in TYPES:
                node = without_keys(node, SCOPED)
            if isinstance(node, Scalar) and node.value is None and name != "name":
                node = None  # an empty section says nothing
            self._sections[name] = node
        return self._sections[name]

    def import_paths(self) -> list[str] | None:
        """What the file imports, where that is a list of texts; None where it has to be looked at more closely."""
        return self.outline.words("import") if isinstance(self.outline, Outline) else None

    def part(self, section: str, key: str) -> Node | None:
        """A part of a type's section that is not inherited: its overrides, its locals."""
        if isinstance(self.outline, Outline) and (below := self.outline.below(section)) is not None:
            return below.get(key)
        node = self._get(section)
        node = self._forced(node) if node is not None else None
        found = node.entries.get(key) if isinstance(node, Mapping) else None
        scope = self.types.get(section)
        return scoped(found, scope) if found is not None and scope is not None and key != "locals" else found

    def has_overrides(self) -> bool:
        """Whether the file overrides values of what it imports."""
        keys = self.keys()
        return "overrides" in keys or any(type in keys and self.part(type, "overrides") is not None for type in TYPES)

    def component_types(self) -> list[str]:
        return [str(key) for key in _keys(self._typed_part())]

    def component_names(self, type: str) -> list[str]:
        return [str(key) for key in _keys(self._named_part(type))]

    def check_structure(self) -> None:
        """That the components can be listed. A file in which they cannot is broken as a whole, whoever asks first."""
        for type in self.component_types():
            self.component_names(type)

    def _typed_part(self) -> Outline | Mapping:
        """`components`, as far as it must be known to be listed."""
        if self._typed is None:
            self._typed = self._below(self.outline, "components", "components")
        return self._typed

    def _named_part(self, type: str) -> Outline | Mapping:
        """The components of one type, in the same way."""
        found = self._named.get(type)
        if found is None:
            found = self._named[type] = self._below(self._typed_part(), type, f"components.{type}")
        return found

    def _below(self, above: Outline | Mapping, key: str, path: str) -> Outline | Mapping:
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
            raise BAD_MANIFEST.error(Label.of(node), why=f"`{path}` must be a map, not a {node.kind}", hint=hint)
        for key in node.entries:
            if key.__class__ is not str:
                raise BAD_MANIFEST.error(
                    Label(node.key_origin(key)),
                    why=f"`{path}` has a key that is no name",
                    hint="write a text as the key",
                )
        return node

    def component(self, type: str, name: str) -> Node | None:
        """A component as this file alone writes it; None where it does not."""
        known = self._components.get(type)
        if known is None:
            known = self._components[type] = {}
        found = known.get(name)
        if found is None and name in _keys(self._named_part(type)):
            found = known[name] = self._component(type, name)
        return found

    def _component(self, type: str, name: str) -> Node:
        whole, scope = self.component_nodes(type, name)
        own = without_keys(whole, ("locals",))
        return scoped(own, scope) if scope is not self.scope else own

    def component_nodes(self, type: str, name: str) -> tuple[Mapping, FileScope]:
        """A component with its locals, and the scope that its texts are written in."""
        key = (type, name)
        if key not in self._wholes:
            part = self._named_part(type)
            node = part.get(name) if isinstance(part, Outline) else part.entries.get(name)
            whole = self._structure(node, f"components.{type}.{name}")
            metadata = whole.entries.get("metadata")
            if metadata is not None and not isinstance(metadata, Mapping):
                entries = {**whole.entries, "metadata": self._structure(metadata, f"components.{type}.{name}.metadata")}
                whole = Mapping(entries, whole.source, whole.at, None, whole.live, whole.marks)
            self._wholes[key] = (whole, self._scope(type, name, whole))
        return self._wholes[key]

    def _scope(self, type: str, name: str, whole: Mapping) -> FileScope:
        outer = self.types.get(type, self.scope)
        own = whole.entries.get("locals")
        if own is None:
            return outer
        inner = FileScope(self._language, self.scope.file, self.path, outer, f"component {name}")
        inner.open(locals_of(own, self.scope.file, inner), context_of(whole, outer.context))
        return inner

    def may_set(self, mentions: Mentions) -> bool:
        """Whether a component, a type's section or an override of this file may say something about certain values."""
        keys = [key for key in self.keys() if key in ("components", "overrides", *TYPES)]
        if not isinstance(self.outline, Outline):
            return bool(keys)
        outline = self.outline
        return any(mentions.found_in(outline.text(key)) for key in keys)


def _keys(part: Outline | Mapping) -> Collection[str]:
    return part.places if isinstance(part, Outline) else part.entries  # type: ignore[return-value]
