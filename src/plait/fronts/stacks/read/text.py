"""The text of a manifest file and the sections it consists of: rendered first, where it is a template of a file.

Each step is kept: code that has to wait for a value of the file asks again.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label, PlaitError
from plait.core.meter import like
from plait.core.node import MapNode, Node, Scalar, Suspension, plain_value
from plait.core.source import Source
from plait.fronts.stacks.config.dotted import expanded
from plait.fronts.stacks.language.atmos import StackHost
from plait.fronts.stacks.language.keys import TemplatedKeys, with_templated_keys
from plait.fronts.stacks.language.scope import CONTEXT, FileScope
from plait.fronts.stacks.language.versions import READ, locked_versions
from plait.fronts.stacks.language.view import place_of
from plait.fronts.stacks.read.quoted import actions_read
from plait.fronts.stacks.read.raw import RawSections, sections_for_templates
from plait.fronts.stacks.session.secrets import seal, secret_steps
from plait.notations.gotemplate.errors import TemplateError, TemplateFault
from plait.report.catalog import BAD_MANIFEST, SECRET_NAME, STACK_TEMPLATE
from plait.yaml.build import build
from plait.yaml.outline import Outline, has_braces, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.language.templates import Parsed
    from plait.yaml.program import Program


class ImportContext:
    """The options of an import: values for the templates of the imported file, and how to render it."""

    __slots__ = ("ignore_missing", "key", "skip", "values")

    def __init__(
        self, values: dict[str, object] | None = None, skip: bool = False, ignore_missing: bool = False
    ) -> None:
        self.values = {key: value for key, value in (values or {}).items() if key != "locals"}
        self.skip = skip
        self.ignore_missing = ignore_missing
        self.key = repr((self.values, skip, ignore_missing)) if self.values or skip or ignore_missing else ""


PLAIN = ImportContext()


class RenderedFile:
    """A file's text as it is read.

    Where secrets went into it, also the text with masks instead of them; empty where that cannot be rendered.
    """

    __slots__ = ("masked", "source")

    def __init__(self, source: Source, masked: str | None = None) -> None:
        self.source = source
        self.masked = masked


class ManifestText:
    """The text of one file as one import sees it."""

    __slots__ = (
        "_context",
        "_language",
        "_outline",
        "_path",
        "_raw",
        "_rendering",
        "_scope",
        "_tree",
        "data",
        "is_rendered",
        "scope_open",
        "source",
    )

    def __init__(self, scope: FileScope, context: ImportContext) -> None:
        self._language = scope.language
        self._path = scope.path
        self._scope = scope
        self._context = context
        self.source = self._language.session.project.source(scope.path, scope.file)
        wanted = not context.skip and (scope.path.endswith(".tmpl") or bool(context.values))
        self.is_rendered = wanted and "{{" in self.source.text
        """Whether the text is rendered before it is read as YAML."""
        self.data: dict[str, object] = {}
        """What it was rendered with: the context of the import over what the raw text says."""
        self.scope_open = False
        """Whether the templates of the file's global scope can read its sections."""
        self._raw: RawSections | None = None
        self._rendering: RenderedFile | None = None
        self._tree: Outline | Node | None = None
        self._outline: Outline | MapNode | None = None

    @property
    def outline(self) -> Outline | MapNode:
        """The sections of the file."""
        if self._outline is None:
            self._outline = self._read()
        return self._outline

    def _read(self) -> Outline | MapNode:
        if self._rendering is None:
            self._rendering = self._rendered()
        if self._tree is None:
            self._tree = self._document(self._rendering)
        if isinstance(self._tree, Outline):
            return self._tree
        return self._sections_in(self._with_root_keys(self._tree))

    def _document(self, text: RenderedFile) -> Outline | Node:
        session = self._language.session
        try:
            documents = session.project.in_parts(text.source)
        except PlaitError as error:
            raise session.secrets.masking(error) from None
        if not documents:
            return MapNode({}, text.source)
        reading = self._language.reading(self._scope)
        if text.masked is not None:
            program = whole(documents[0])
            masked = self._scanned(Source(self.source.name, text.masked, written=self.source))
            seal(reading, program, secret_steps(program, masked, session.secrets), text.source)
        if "{{" in text.source.text and has_braces(documents[0]):
            return with_templated_keys(build(whole(documents[0]), text.source, reading), self._scope)
        sign = self._language.settings.key_delimiter
        if sign and sign in text.source.text:
            return expanded(build(whole(documents[0]), text.source, reading), sign, quotes=True)
        return Outline.of(documents[0], text.source, reading)

    def _sections_in(self, node: Node) -> MapNode:
        """The content of a file, if it is a map of sections, or empty."""
        if isinstance(node, MapNode):
            return node
        if isinstance(node, Scalar) and node.value is None:
            return MapNode({}, node.source)
        raise BAD_MANIFEST.error(
            Label(node.origin),
            why=f"{self._scope.file} contains a {node.kind}, not a map of sections",
            hint="write sections: `import:`, `vars:`, `components:`, ...",
        )

    def _with_root_keys(self, node: Node) -> Node:
        """A file some of whose sections have names that are templates: they may read its other sections, and its
        locals."""
        if not isinstance(node, Suspension):
            return node
        if isinstance(node.expression, TemplatedKeys) and not self.scope_open:
            self._scope.open(*sections_for_templates(node.expression.mapping, self._scope))
            self.scope_open = True
        return self._language.session.known(node, self._scope.place)

    # Rendering

    @property
    def is_plain(self) -> bool:
        """Whether no import gives the file a context."""
        return self._context is PLAIN

    @property
    def rendered(self) -> Source:
        """The text that its values are read from, once they are."""
        return self._rendering.source if self._rendering is not None else self.source

    @property
    def missing(self) -> str:
        """What a missing key gives."""
        return "default" if self._scope.ignore_missing else "error"

    def own_nodes(self) -> dict[str, Node]:
        """What the raw text says that its template can read and no context has, as it is written; nothing where that is
        no YAML."""
        try:
            nodes = self._sections().nodes()
        except Fault:
            return {}
        return {name: node for name, node in nodes.items() if name not in self._context.values}

    def _rendered(self) -> RenderedFile:
        """The text after rendering, with the context and with what the raw text says, where that is YAML."""
        if not self.is_rendered:
            return RenderedFile(self.source)
        session = self._language.session
        missing = self.missing
        host = StackHost(None, self._language)
        try:
            parsed = self._language.templates.parse(self._template())
            data: dict[str, object] = {**self._versions(), **self._own_values(parsed), **self._context.values}
            made = parsed.template.render_lines(data, missing=missing, host=host)
        except TemplateError as error:
            label = place_of(error, self.source.text, Scalar("", "", self.source, 0))
            hint = (
                error.hint
                or "the context of an import, and the file's own locals, settings, vars and env can be read here"
            )
            raise session.secrets.masking(like(error, STACK_TEMPLATE(label, why=error.message, hint=hint))) from None
        source = Source(self.source.name, made.text, written=self.source, line_map=made.line_map)
        self.data = data
        other = session.secrets.masked(data)
        if other is data and not host.is_secret:
            return RenderedFile(source)
        host.masking = True
        try:
            return RenderedFile(source, parsed.template.render(other, missing=missing, host=host))
        except TemplateFault:
            return RenderedFile(source, "")

    def _template(self) -> str:
        """The text as a template. Where it is YAML, and there is something to render it with, Atmos takes what quotes
        mean."""
        text = self.source.text
        if ('\\"' in text or "''" in text) and (self._context.values or self.own_nodes()):
            program = self._scanned(self.source)
            return actions_read(text, program) if program is not None else text
        return text

    def _scanned(self, source: Source) -> Program | None:
        """A text as a document; None if it cannot be parsed."""
        try:
            return next(iter(self._language.session.documents(source)), None)
        except Fault:
            return None

    def _versions(self) -> dict[str, object]:
        """The locked versions, where the text reads them: from the track that it asks for, as far as it is YAML."""
        if not READ.search(self.source.text):
            return {}
        try:
            track = self._sections().track
        except Fault:
            track = ""
        session = self._language.session
        found = locked_versions(session, self._language.config, track, self._scope.place)
        return {"version": plain_value(found)}

    def _sections(self) -> RawSections:
        """The sections of the text before it is rendered; PlaitError where it is not YAML."""
        if self._raw is None:
            self._raw = RawSections(self._language, self.source, self._path, self._scope.ignore_missing)
        return self._raw

    def _own_values(self, parsed: Parsed) -> dict[str, object]:
        """The values of the raw text that its own templates can read; none if the text is not YAML before it is
        rendered."""
        if not any(name in self.source.text for name in ("locals", *CONTEXT)):
            return {}
        try:
            return self._sections().values(parsed)
        except Fault as error:
            if any(d.code == SECRET_NAME.code for d in error.diagnostics):
                raise
            return {}
