"""One manifest file as one import sees it: read once, taken apart by section and by component, built when asked for.

A file that is rendered before it is YAML (`.tmpl`, or imported with a context) keeps the lines that people wrote as origins.
"""

from __future__ import annotations

import re

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Key, Mapping, Node, Scalar, Sequence, Suspension, key_text, rewrite
from plait.core.source import Source
from plait.fronts.stacks.functions import Call, function_in, node_of, recognise
from plait.fronts.stacks.hush import seal, secret_steps
from plait.fronts.stacks.locals import check_file, locals_of, open_scopes
from plait.fronts.stacks.scope import CONTEXT, TYPES, FileScope
from plait.merging.combine import combine
from plait.report.catalog import BAD_MANIFEST, KEYS_COLLIDE, SECRET_NAME, STACK_TEMPLATE
from plait.yaml.build import Reading
from plait.yaml.outline import Outline, has_braces, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from plait.fronts.stacks.run import Run
    from plait.fronts.stacks.templates import Parsed
    from plait.yaml.program import Program

SCOPED = ("locals", "overrides")
"""Parts of a section that are no part of what is inherited."""
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


class File:
    """A manifest's own text, without its imports."""

    __slots__ = (
        "_components",
        "_named",
        "_sections",
        "_typed",
        "_wholes",
        "context",
        "name",
        "outline",
        "path",
        "run",
        "scope",
        "source",
        "types",
    )

    def __init__(self, run: Run, path: str, name: str, context: Context = PLAIN) -> None:
        self.run = run
        self.path = path
        self.name = name
        """The path below the stacks folder, without its extension."""
        self.context = context
        self.scope = FileScope(run, run.shown(path), path)
        self.scope.ignore_missing = context.ignore_missing or run.config.ignore_missing
        self.types: dict[str, FileScope] = {}
        """The scopes that sections of a type open, where they have locals."""
        self._sections: dict[str, Node | None] = {}
        self._components: dict[str, dict[str, Node]] = {}
        self._typed: Outline | Mapping | None = None
        self._named: dict[str, Outline | Mapping] = {}
        self._wholes: dict[tuple[str, str], tuple[Mapping, FileScope]] = {}
        self.source = run.project.source(path, self.scope.file)
        self.outline = self._read()
        self._open()

    # Reading

    def _read(self) -> Outline | Mapping:
        text, masked = self._rendered() if self._is_rendered() else (self.source, None)
        try:
            documents = self.run.parts(text, self.path)
        except PlaitError as error:
            raise self.run.revealed.masking(error) from None
        if not documents:
            return Mapping({}, text)
        reading = self.run.reading(self.scope)
        if masked is not None:
            program = whole(documents[0])
            seal(reading, program, secret_steps(program, self._scanned(masked), self.run.revealed), text)
        if "{{" in text.text and has_braces(documents[0]):
            return self._with_keys(whole(documents[0]), text, reading)
        sign = self.run.key_delimiter
        if sign and sign in text.text:
            return self._with_paths(whole(documents[0]), text, reading)
        outline = Outline.of(documents[0], text, reading)
        return outline if isinstance(outline, Outline) else self._sections_in(outline)

    def _sections_in(self, outline: Node) -> Mapping:
        """What a file holds, where that is a map of sections, or nothing."""
        if isinstance(outline, Mapping):
            return outline
        if isinstance(outline, Scalar) and outline.value is None:
            return Mapping({}, outline.source)
        raise BAD_MANIFEST.error(
            Label.of(outline),
            why=f"{self.scope.file} holds a {outline.kind}, not a map of sections",
            hint="write sections: `import:`, `vars:`, `components:`, ...",
        )

    def _with_keys(self, program: Program, source: Source, reading: Reading) -> Mapping:
        from plait.fronts.stacks.templates import with_templated_keys
        from plait.yaml.build import build

        whole = with_templated_keys(build(program, source, reading), self.scope)
        return self._sections_in(self.force(whole) if isinstance(whole, Suspension) else whole)

    def _with_paths(self, program: Program, source: Source, reading: Reading) -> Mapping:
        """The file with its keys that are paths written out."""
        from plait.fronts.stacks.dotted import expanded
        from plait.yaml.build import build

        return self._sections_in(expanded(build(program, source, reading), self.run.key_delimiter, quotes=True))

    def _is_rendered(self) -> bool:
        if self.context.skip:
            return False
        return self.path.endswith(".tmpl") or bool(self.context.values)

    def _rendered(self) -> tuple[Source, str | None]:
        """The text after rendering, with the context and with what the raw text says, where that is YAML.

        Where secrets are among that, also the text with masks instead of them; empty where there is none.
        """
        from plait.fronts.stacks.atmos import StackHost
        from plait.fronts.stacks.templates import place_of, rendered_source
        from plait.notations.gotemplate.errors import TemplateError

        if "{{" not in self.source.text:
            return self.source, None
        missing = "default" if self.scope.ignore_missing else "error"
        try:
            parsed = self.run.templates.parse(self.source.text)
            template = parsed.template
            data: dict[str, object] = {**self.own_values(parsed), **self.context.values}
            made = template.render_lines(data, missing=missing, host=StackHost(None, self.run))
        except TemplateError as error:
            if not self.context.values and not self.path.endswith(".tmpl"):
                return self.source, None
            label = place_of(error, self.source.text, Scalar("", "", self.source, 0))
            hint = (
                error.hint
                or "the context of an import, and the file's own locals, settings, vars and env can be read here"
            )
            raise self.run.revealed.masking(STACK_TEMPLATE.error(label, why=error.message, hint=hint)) from None
        source = rendered_source(self.source, made.text, made.line_map)
        other = self.run.revealed.masked(data)
        if other is data:
            return source, None
        try:
            return source, template.render(other, missing=missing, host=StackHost(None, self.run))
        except TemplateError:
            return source, ""

    def _scanned(self, text: str) -> Program | None:
        """A text as a document; None where it is none."""
        try:
            return next(iter(self.run.parsed(Source(self.source.name, text, written=self.source), self.path)), None)
        except PlaitError:
            return None

    def own_values(self, parsed: Parsed) -> dict[str, object]:
        """What the raw text says for its own templates, as far as they can read it; nothing where it is no YAML before it is rendered."""
        if not any(f"{name}:" in self.source.text for name in ("locals", *CONTEXT)):
            return {}
        try:
            raw = File(self.run, self.path, self.name, Context(skip=True, ignore_missing=self.context.ignore_missing))
            nodes = {name: raw.section(name) for name in CONTEXT if name in raw.outline_keys()}
            if raw.scope.visible():
                nodes["locals"] = Mapping(raw.scope.visible(), live=True)
            return {
                name: {} if node is None else self.run.plain(parsed.used(node, name), raw.scope.place)
                for name, node in nodes.items()
            }
        except PlaitError as error:
            if any(d.code == SECRET_NAME.code for d in error.diagnostics):
                raise
            return {}

    def _open(self) -> None:
        """Open the scopes that the file's locals make, and check what can be known of them now."""
        if "locals" in self.source.text:
            self._give_context()
            open_scopes(self)
            check_file(self)

    def _give_context(self) -> None:
        """Let the templates of the file's own scope read its settings, vars and env."""
        for name in CONTEXT:
            node = self.section(name)
            if node is not None:
                self.scope.context.setdefault(name, node)

    # Taking apart

    def outline_keys(self) -> list[str]:
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
            if isinstance(node, Suspension) and (name in TYPES or name in ("import", "overrides", "metadata", "name")):
                node = self.force(node)
            if isinstance(node, Mapping) and name in TYPES:
                node = without(node, SCOPED)
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
        if isinstance(node, Suspension):
            node = self.force(node)
        found = node.entries.get(key) if isinstance(node, Mapping) else None
        scope = self.types.get(section)
        return scoped(found, scope) if found is not None and scope is not None and key != "locals" else found

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
        if isinstance(node, Suspension):
            node = self.force(node)
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
        own = without(whole, ("locals",))
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
        inner = FileScope(self.run, self.scope.file, self.path, outer, f"component {name}")
        inner.context = {**outer.context, **context_of(whole, outer.context)}
        inner.own = locals_of(own, self.scope.file, inner)
        return inner

    def force(self, node: Node) -> Node:
        """A node that the structure of the file depends on."""
        if not isinstance(node, Suspension) or self.run.has_template(node.expression.text):
            self._give_context()
        return self.run.settled(node, self.scope.place)

    def may_set(self, mentions: Mentions) -> bool:
        """Whether a component, a type's section or an override of this file may say something about certain values."""
        keys = [key for key in self.outline_keys() if key in ("components", "overrides", *TYPES)]
        if not isinstance(self.outline, Outline):
            return bool(keys)
        outline = self.outline
        return any(mentions.found_in(outline.text(key)) for key in keys)


class Mentions:
    """Values by their sections and keys, and whether a text may say something about one of them. It may say yes too often."""

    __slots__ = ("_hidden", "_keys")

    def __init__(self, paths: list[tuple[str, ...]]) -> None:
        self._keys = sorted({path[1] for path in paths})
        self._hidden = [re.compile(rf"""{section}["']?:\s*[!&*]""") for section in sorted({path[0] for path in paths})]

    def found_in(self, text: str) -> bool:
        for key in self._keys:
            if key in text and re.search(rf"""{re.escape(key)}["']?\s*:""", text):
                return True
        return "<<" in text or any(hidden.search(text) for hidden in self._hidden)


def context_of(section: Mapping, below: dict[str, Node]) -> dict[str, Node]:
    """What templates in the locals of an inner section may read: its own settings, vars and env over the outer ones."""
    found: dict[str, Node] = {}
    for name in CONTEXT:
        own, outer = section.entries.get(name), below.get(name)
        if isinstance(own, Mapping) and isinstance(outer, Mapping):
            found[name] = Mapping({**outer.entries, **own.entries}, own.source, own.at, None, own.live or outer.live)
        elif own is not None:
            found[name] = own
    return found


def without(node: Mapping, keys: tuple[str, ...]) -> Mapping:
    """A mapping without some of its keys."""
    if not any(key in node.entries for key in keys):
        return node
    kept: dict[Key, Node] = {key: child for key, child in node.entries.items() if key not in keys}
    marks = tuple(mark for mark, key in zip(node.marks, node.entries, strict=False) if key not in keys)
    return Mapping(kept, node.source, node.at, node.tag, any(child.live for child in kept.values()), marks)


def scoped(node: Node, scope: FileScope) -> Node:
    """The same tree with its expressions written in an inner scope."""
    if not node.live:
        return node

    def leaf(at: Node) -> Node:
        if isinstance(at, Suspension):
            from plait.fronts.stacks.templates import TemplatedKeys

            if isinstance(at.expression, TemplatedKeys):
                inner = scoped(at.expression.mapping, scope)
                assert isinstance(inner, Mapping)
                return Suspension(TemplatedKeys(inner), at.source, at.at, scope)
            return Suspension(at.expression, at.source, at.at, scope)
        return at

    return rewrite(node, leaf)


def _keys(part: Outline | Mapping) -> Collection[str]:
    return part.places if isinstance(part, Outline) else part.entries  # type: ignore[return-value]


def marked(scalar: Scalar, scope: FileScope) -> Node:
    """What a text scalar of a manifest means: a template, a function in quotes, or itself."""
    value = scalar.value
    if not isinstance(value, str):
        return scalar
    if scope.run.has_template(value):
        from plait.fronts.stacks.templates import Rendering

        return Suspension(Rendering(scalar), scalar.source, scalar.at, scope)
    call = function_in(value) if value[:1] == "!" else None
    return Suspension(Call(call[0], scalar, call[1]), scalar.source, scalar.at, scope) if call is not None else scalar


def reading_of(run: Run, scope: FileScope) -> Reading:
    """How a manifest is read."""
    return Reading(
        tagged=lambda tag, node: recognise(tag, node, scope),
        markers=run.markers,
        marked=lambda scalar: marked(scalar, scope),
        nodes=run.project.budgets.nodes,
        text_keys=True,
        alike=lambda key, low, high, *labels: _alike(run, key, low, high, *labels),
    )


def _alike(run: Run, key: Key, low: Node, high: Node, *labels: Label) -> Node:
    """Two values whose keys are the same as text: maps are merged, of anything else one would be lost."""
    if not isinstance(low, Mapping) or not isinstance(high, Mapping):
        raise KEYS_COLLIDE.error(
            *labels, key=key_text(key), hint="every key is text here: rename or remove one of them"
        )
    return combine([low, high], run.policy("", ""))


def plain_node(value: object, source: Source) -> Node:
    """Plain data as nodes: for values that a flag or an import's context gives."""
    return node_of(value, source, 0)


def sequence_items(node: Node | None) -> list[Node]:
    return list(node.items) if isinstance(node, Sequence) else []
