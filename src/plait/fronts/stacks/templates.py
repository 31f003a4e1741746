"""Go templates in manifests: a text that is rendered when somebody asks for it, seen from the component that asks.

A template reads the component's sections and the locals of the file it was written in. One that is exactly a reference to a
local gives the value itself. A reference to a local that does not exist is found when its file is read.
"""

from __future__ import annotations

from plait.core.diagnostic import Label, PlaitError
from plait.core.expression import Expression
from plait.core.node import Bound, Key, Mapping, Mark, Node, Scalar, Sequence, Suspension, text
from plait.core.scope import Place, unbound
from plait.core.source import MASK, Computed, Source
from plait.evaluate.engine import bound, exposed
from plait.fronts.stacks.atmos import STACK_FUNCTIONS, StackHost
from plait.fronts.stacks.functions import Call, function_in
from plait.fronts.stacks.hush import secret_name
from plait.fronts.stacks.scope import CONTEXT, FileScope
from plait.notations.gotemplate import tree
from plait.notations.gotemplate.errors import TemplateError
from plait.notations.gotemplate.refs import references
from plait.notations.gotemplate.tables import stacks
from plait.notations.gotemplate.template import Template, make, single_reference
from plait.report.catalog import KEYS_COLLIDE, LOCAL_FAILED, STACK_TEMPLATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.scope import Scope

DELIMITERS = ("{{", "}}")
NO_VALUE = "<no value>"


class Parsed:
    """A template, and what can be known of it before it runs."""

    __slots__ = ("locals", "names", "needs", "paths", "single", "template", "tops")

    def __init__(self, template: Template) -> None:
        self.template = template
        self.single = single_reference(template.tree)
        self.tops = tops_of(template.tree)
        """The names that it may read from its data; None where it may read all of it."""
        self.locals = local_names(template.tree)
        found = references(template.tree)
        self.names = tuple(path for path in found.paths if path)
        self.paths = tuple(found.paths) if self.tops is not None and pure(template.tree) else None
        """All that it reads, where nothing but that decides what comes out; None otherwise."""
        self.needs = found.below("locals")
        """The locals that it may read, however it gets at them."""

    def used(self, section: Node, name: str) -> Node:
        """A section of its data without the keys that it cannot read."""
        paths = fields_of(self.template.tree)
        if self.tops is None or (name,) in paths or not isinstance(section, Mapping):
            return section
        kept: dict[Key, Node] = {
            path[1]: section.entries[path[1]] for path in paths if path[0] == name and path[1] in section.entries
        }
        return Mapping(kept, section.source, section.at, None, any(child.live for child in kept.values()))


def fields_of(parsed: tree.Tree) -> list[tuple[str, ...]]:
    """Every chain of names that a template looks up, wherever it begins."""
    found: list[tuple[str, ...]] = []
    for block in (parsed.root, *parsed.defined.values()):
        for node in block.walk():
            if isinstance(node, tree.Field):
                found.append(node.names)
            elif isinstance(node, tree.Variable) and len(node.names) > 1 and node.names[0] == "$":
                found.append(node.names[1:])
            elif isinstance(node, tree.Chain):
                found.append(node.names)
    return found


def pure(parsed: tree.Tree) -> bool:
    """Whether a template's text depends on its data alone: no function in it asks for anything else."""
    for block in (parsed.root, *parsed.defined.values()):
        for node in block.walk():
            if isinstance(node, tree.Identifier) and node.text not in PURE:
                return False
    return True


PURE = frozenset(
    [
        "toJson",
        "toPrettyJson",
        "toRawJson",
        "quote",
        "squote",
        "upper",
        "lower",
        "title",
        "trim",
        "trimSuffix",
        "trimPrefix",
        "replace",
        "default",
        "ternary",
        "join",
        "split",
        "list",
        "dict",
        "merge",
        "index",
        "printf",
        "print",
        "eq",
        "ne",
        "and",
        "or",
        "not",
        "len",
        "toString",
        "int",
        "add",
        "sub",
        "mul",
        "div",
        "b64enc",
        "b64dec",
        "sha256sum",
        "kebabcase",
        "snakecase",
        "camelcase",
        "first",
        "last",
    ]
)
"""Functions that templates use most, and that look at nothing but their arguments."""


def tops_of(parsed: tree.Tree) -> frozenset[str] | None:
    for block in (parsed.root, *parsed.defined.values()):
        for node in block.walk():
            if isinstance(node, tree.Dot) or (isinstance(node, tree.Variable) and node.names == ("$",)):
                return None
    return frozenset(names[0] for names in fields_of(parsed))


def local_names(parsed: tree.Tree) -> tuple[str, ...]:
    """The locals that a template reads by name."""
    names = [names[1] for names in fields_of(parsed) if names[0] == "locals" and len(names) > 1]
    return tuple(dict.fromkeys(names))


class Templates:
    """Parses each text once, and renders."""

    def __init__(self, delimiters: tuple[str, str] = DELIMITERS) -> None:
        self.delimiters = delimiters
        self.table = stacks().with_functions(*STACK_FUNCTIONS.functions.values())
        self._known: dict[tuple[str, tuple[str, str]], Parsed | TemplateError] = {}

    def parse(self, value: str, delimiters: tuple[str, str] = DELIMITERS) -> Parsed:
        """The template of a text, or TemplateError."""
        key = (value, delimiters)
        found = self._known.get(key)
        if found is None:
            try:
                found = Parsed(make(value, self.table, "template", delimiters if delimiters != DELIMITERS else None))
            except TemplateError as error:
                found = error
            self._known[key] = found
        if isinstance(found, TemplateError):
            raise found
        return found

    def names(self, value: str) -> tuple[str, ...]:
        """The locals that a text reads; none for one that is no template."""
        try:
            return self.parse(value).locals
        except TemplateError:
            return ()

    def needs(self, value: str) -> tuple[str, ...]:
        """The locals that a text may need before it can be rendered; none for one that is no template."""
        try:
            return self.parse(value).needs
        except TemplateError:
            return ()

    def rendered(self, value: str, scope: Scope, node: Node) -> str:
        """A text as it is seen from where an expression stands."""
        return View(scope, node).rendered(value)

    def render(
        self, value: str, data: object, *, missing: str = "default", host: StackHost | None = None, name: str = ""
    ) -> str:
        """A text with plain data."""
        return self.parse(value).template.render(data, missing=missing, host=host)


class Rendering(Expression):
    """A text that is a template: an expression."""

    __slots__ = ("_local", "_template", "node", "settled", "text")

    def __init__(self, node: Scalar) -> None:
        self.node = node
        self.settled: tuple[FileScope, Node] | None = None
        """Where it is a plain reference to a local: the scope it was written in, and its value, which is the same for whoever asks."""
        self._template = node.text if isinstance(node.value, str) and node.value == node.text else str(node.value)
        self.text = MASK if node.secret else self._template
        self._local: str | None = None
        """The local that it is a plain reference to; empty for any other template; None before anybody looked."""

    def evaluate(self, scope: Scope) -> Node:
        written = scope.written
        assert isinstance(written, FileScope)
        if self._local is None:
            self._local = self._plain_local(written)
        if self.node.secret:
            scope.known(self.node, scope.place)  # what comes of it is one as well
        local = written.visible().get(self._local) if self._local else None
        if local is None:
            return View(scope, self.node).value(self._template)
        inner, place = unbound(local, scope.place)
        value = scope.known(inner, place)
        if value.__class__ is Scalar and not value.secret:
            self.settled = (written, value)
        return Bound(value, place) if value.live else value

    def _plain_local(self, written: FileScope) -> str:
        try:
            path = written.run.templates.parse(self._template).single
        except TemplateError:
            return ""
        return path[1] if path is not None and len(path) == 2 and path[0] == "locals" else ""


class View:
    """What a template sees, from one place."""

    __slots__ = ("local", "node", "root", "run", "scope", "written")

    def __init__(self, scope: Scope, node: Node) -> None:
        written = scope.written
        assert isinstance(written, FileScope)
        self.scope = scope
        self.node = node
        self.written = written
        self.run = written.run
        self.root: Place = scope.place.root
        self.local = self.root is written.place

    def value(self, value: str) -> Node:
        """A text scalar's value: typed where it is one plain reference, else what it renders to."""
        parsed = self._parsed(value)
        if parsed is None:
            return text(value, self.node.source, self.node.at)
        if parsed.single is not None:
            found = self.reference(parsed.single)
            if found is not None:
                return found
        made = self.rendered(value)
        call = function_in(made)
        if call is not None:
            return Call(call[0], self.node, call[1]).evaluate(self.scope)
        return text(made, Computed(value, self.node.source, self.node.at), self.node.at)

    def _parsed(self, value: str) -> Parsed | None:
        """The template, or None where it is not to be rendered here."""
        delimiters = self._delimiters(value)
        if delimiters is None:
            return None
        try:
            return self.run.templates.parse(value, delimiters)
        except TemplateError as error:
            raise self.failed(error, value) from None

    def _delimiters(self, value: str) -> tuple[str, str] | None:
        late = self.run.templates.delimiters if self.run.options.templates else None
        if late != DELIMITERS and DELIMITERS[0] in value and (self.local or self.run.templates.names(value)):
            return DELIMITERS  # locals are rendered whatever the switches and delimiters of the late pass say
        return late if late is not None and late[0] in value else None

    def reference(self, path: tuple[str, ...]) -> Node | None:
        """The value itself of a plain reference to a local, or to a map or list; None where it is to be text."""
        since = len(self.scope.reads)
        node, place = self.walk(path)
        if node is None:
            return None
        self.scope.reads[since:] = self._ends([path])
        typed = self.local or path[0] == "locals" or self._in_file(path) or not isinstance(node, Scalar)
        return (Bound(node, place) if node.live else node) if typed else None

    def _in_file(self, path: tuple[str, ...]) -> bool:
        """Whether a path leads to something that the same file says, in a file that has locals."""
        scope = self.written
        while scope.outer is not None:
            scope = scope.outer
        node: Node | None = (
            Mapping(dict(scope.context.items())) if scope.own is not None and path[0] in CONTEXT else None
        )
        for step in path:
            node = node.entries.get(step) if isinstance(node, Mapping) else None
        return node is not None

    def walk(self, path: tuple[str, ...]) -> tuple[Node | None, Place]:
        """The node at a path of the data, and its place; None where there is none."""
        place = self.root
        node: Node | None = self.data(frozenset(path[:1]))
        for step in path:
            node = self.reveal(Bound(node, place)) if node is not None else None
            node = node.entries.get(step) if isinstance(node, Mapping) else None
            place = place.child(step)
            if node is not None:
                node, place = unbound(node, place)
        if node is not None:
            node = self.reveal(Bound(node, place))
        return node, place

    def data(self, names: frozenset[str] | None) -> Mapping:
        """The component's sections (or the file's, in a local) and the locals; only those named."""
        root = self.root.node
        assert isinstance(root, Mapping)
        known = root.entries
        wanted = known if names is None else [name for name in names if name in known]
        entries: dict[Key, Node] = {name: bound(known[name], self.root, name) for name in wanted}
        if not self.local and (names is None or "locals" in names) and self.written.visible():
            entries["locals"] = Mapping(self.written.visible(), live=True)
        return Mapping(entries, live=True)

    def reveal(self, node: Node) -> Node:
        """A node that the template looks at, known at its outermost."""
        inner, place = unbound(node, self.root)
        own = place.root is self.root and not self.local  # where it may look at the section it stands in
        value = self.scope.glimpse(inner, place) if own else self.scope.known(inner, place)
        value = exposed(value, place)
        return without_marks(value) if value.live else value

    def rendered(self, value: str) -> str:
        """The text that a template makes, as often as `evaluations` says."""
        templates = self.run.templates
        for _ in range(self._evaluations()):
            delimiters = self._delimiters(value)
            if delimiters is None:
                break
            try:
                value = self._once(templates.parse(value, delimiters), value)
            except TemplateError as error:
                raise self.failed(error, value) from None
        return value

    def _evaluations(self) -> int:
        root = self.root.node
        settings = root.entries.get("settings") if isinstance(root, Mapping) else None
        if not isinstance(settings, Mapping) or "templates" not in settings.entries:
            return self.run.evaluations
        said = self.run.template_setting(self.scope, "evaluations")
        return said if isinstance(said, int) and said > 1 else 1

    def _once(self, parsed: Parsed, value: str) -> str:
        known = self._identity(parsed, value)
        if known is not None and known in self.run.rendered_texts:
            text = self.run.rendered_texts[known][0]
            self.scope.reads += self._reads(parsed)
            return text
        since = len(self.scope.reads)
        text = self._render(parsed)
        self.scope.reads[since:] = self._reads(parsed)
        if known is not None:
            self.run.rendered_texts[known] = (text, self.root.node)
        return text

    def _reads(self, parsed: Parsed) -> list[tuple[Node, Place]]:
        """The values that a template names, each at its place."""
        return self._ends(parsed.names)

    def _ends(self, paths: Iterable[tuple[str, ...]]) -> list[tuple[Node, Place]]:
        found: list[tuple[Node, Place]] = []
        for path in paths:
            node, place = self._named(path)
            if node is not None:
                found.append((node, place))
        return found

    def _named(self, path: tuple[str, ...]) -> tuple[Node | None, Place]:
        """The node at a path as far as it can be seen without asking, and its place."""
        root = self.root.node
        place, start = self.root, 0
        node: Node | None = root
        if path[0] == "locals" and not self.local and len(path) > 1:
            node, start = self.written.visible().get(path[1]), 2
            if node is not None:
                node, place = unbound(node, self.written.place.child("locals").child(path[1]))
        for step in path[start:]:
            if not isinstance(node, Mapping):
                break
            node, place = node.entries.get(step), place.child(step)
            node, place = unbound(node, place) if node is not None else (None, place)
        return node, place

    def _identity(self, parsed: Parsed, value: str) -> tuple[object, ...] | None:
        """What decides the text: the template and the nodes it reads, where those are finished and may be shared."""
        root = self.root.node
        if parsed.paths is None or self.local or not isinstance(root, Mapping):
            return None
        nodes: list[int] = []
        for path in parsed.paths:
            node: Node | None = root
            for step in path:
                node = node.entries.get(step) if isinstance(node, Mapping) else None
            if node is None or node.live or path[0] == "locals":
                return None
            nodes.append(id(node))
        return (value, *nodes)

    def _render(self, parsed: Parsed) -> str:
        missing = "error" if self.local and not self.written.ignore_missing else "default"
        host = StackHost(self.scope, self.run, self.node)
        return parsed.template.render(self.data(parsed.tops), missing=missing, host=host, reveal=self.reveal)

    def failed(self, error: TemplateError, value: str) -> PlaitError:
        """A template's error at the line that people wrote."""
        label = place_of(error, value, self.node)
        if self.local and len(self.scope.place.path) > 1:
            name = str(self.scope.place.path[1])
            return LOCAL_FAILED.error(
                label, name=name, file=self.written.file, why=error.message, notes=self.notes(), hint=error.hint
            )
        return STACK_TEMPLATE.error(label, why=error.message, hint=error.hint)

    def notes(self) -> tuple[str, ...]:
        """What there is to read where a local fails."""
        names = sorted(str(name) for name in self.written.visible())
        context = [f"  .{name}" for name in CONTEXT if name in self.written.context]
        notes = ["Available locals at this scope:", *(f"  - {name}" for name in names)]
        return (*notes, "Available context:", *context) if context else tuple(notes)


def without_marks(value: Node) -> Node:
    """A node as a template sees it: what is unset is not there."""
    if isinstance(value, Mark):
        return Scalar(None, "null", value.source, value.at)
    if isinstance(value, Mapping) and any(isinstance(child, Mark) for child in value.entries.values()):
        entries = {key: child for key, child in value.entries.items() if not isinstance(child, Mark)}
        return Mapping(entries, value.source, value.at, None, True)
    if isinstance(value, Sequence) and any(isinstance(item, Mark) for item in value.items):
        return Sequence(
            [item for item in value.items if not isinstance(item, Mark)], value.source, value.at, None, True
        )
    return value


def place_of(error: TemplateError, value: str, node: Node) -> Label:
    """Where an error in a template stands in the file that holds it."""
    origin = node.origin
    source = origin.source
    line = error.source_line.strip() if error.text == value else ""
    found = source.text.find(line, origin.at) if line else -1
    if found < 0:
        return Label.of(node)
    indent = len(error.source_line) - len(error.source_line.lstrip())
    return Label.at(source, found + max(0, error.column - 1 - indent), length=len(error.culprit))


class TemplatedKeys(Expression):
    """A mapping with keys that are templates: an expression whose value is the mapping with its keys rendered."""

    __slots__ = ("early", "mapping", "text")

    def __init__(self, mapping: Mapping) -> None:
        self.mapping = mapping
        self.early = mapping
        """What its own keys see of it."""
        self.text = ", ".join(str(key) for key in mapping.entries if DELIMITERS[0] in str(key))

    def evaluate(self, scope: Scope) -> Node:
        entries: dict[Key, Node] = {}
        for key, child in self.mapping.entries.items():
            asker = text(str(key), self.mapping.source, self.mapping.key_origin(key).at)
            name = View(scope, asker).rendered(str(key))
            if scope.secrets:
                raise secret_name("a key", Label.of(asker))
            if name in entries:
                raise KEYS_COLLIDE.error(Label.of(asker), key=name, hint="rename one of them")
            entries[name] = child
        made = self.mapping
        return Mapping(entries, made.source, made.at, None, made.live, made.marks)


def with_templated_keys(root: Node, written: FileScope) -> Node:
    """The same tree with every mapping that has a templated key made a suspension. Without recursion."""
    order: list[Node] = [root]
    for node in order:  # grows while it is walked: parents before children
        order.extend(_below(node))
    made: dict[int, Node] = {}
    for node in reversed(order):
        made[id(node)] = _keyed(_renewed(node, made), written)
    return made[id(root)]


def _below(node: Node) -> list[Node]:
    if isinstance(node, Mapping):
        return list(node.entries.values())
    return list(getattr(node, "items", ())) if node.kind == "sequence" else []


def _renewed(node: Node, made: dict[int, Node]) -> Node:
    if isinstance(node, Mapping):
        entries = {key: made[id(child)] for key, child in node.entries.items()}
        live = any(child.live for child in entries.values())
        return Mapping(entries, node.source, node.at, node.tag, live, node.marks, node.parts, node.alone)
    if isinstance(node, Sequence):
        items = [made[id(child)] for child in node.items]
        return Sequence(items, node.source, node.at, node.tag, any(item.live for item in items), node.parts, node.rule)
    return node


def _keyed(node: Node, written: FileScope) -> Node:
    if isinstance(node, Mapping) and any(DELIMITERS[0] in str(key) for key in node.entries):
        return Suspension(TemplatedKeys(node), node.source, node.at, written)
    return node


def rendered_source(written: Source, line_text: str, line_map: list[int]) -> Source:
    """A file's text after rendering, which still knows the lines that people wrote."""
    return Source(written.name, line_text, written=written, line_map=line_map)
