"""Go templates in manifests: a text that is rendered when it is asked for, seen from the component that asks.

A template reads the component's sections and the locals of the file it was written in. One that is exactly a
reference to a local gives the value itself. A reference to a local that does not exist is found when its file is
read.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label, PlaitError
from plait.core.expression import Expression
from plait.core.meter import like
from plait.core.node import Bound, Failure, Key, ListNode, MapNode, Mark, Node, Scalar, text, unbound
from plait.core.scope import Place
from plait.core.source import MASK, Computed
from plait.evaluate.engine import bound, exposed
from plait.fronts.stacks.language.atmos import StackHost
from plait.fronts.stacks.language.manifest_functions import ManifestCall, function_in
from plait.fronts.stacks.language.scope import CONTEXT, FileScope
from plait.fronts.stacks.language.templates import DELIMITERS, FACTS, Parsed
from plait.notations.gotemplate.errors import TemplateError, TemplateFault
from plait.report.catalog import LOCAL_FAILED, NOT_FOUND, STACK_TEMPLATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.scope import Scope

AGAIN = 256
"""Steps for reading a template that a template made, besides one for each of its characters."""
LARGE = 32
"""Containers with more parts are opened once, for the last `LARGE` of them."""


class Rendering(Expression):
    """A text that is a template: an expression."""

    __slots__ = ("_fixed", "_local", "_template", "node", "text")
    way = "template"

    def __init__(self, node: Scalar) -> None:
        self.node = node
        self._fixed: tuple[FileScope, Node] | None = None
        """Where it is a plain reference to a local: the scope it was written in, and its value, which is the
        same from every place."""
        self._template = node.text if isinstance(node.value, str) and node.value == node.text else str(node.value)
        self.text = MASK if node.secret else self._template
        self._local: str | None = None
        """The local that it is a plain reference to; empty for any other template; None before it was computed."""

    def evaluate(self, scope: Scope) -> Node:
        written = scope.written
        assert isinstance(written, FileScope)
        if self._local is None:
            self._local = self._plain_local(written)
        if self.node.secret:
            scope.known(self.node, scope.place)  # what comes of it is one as well
        local = written.visible().get(self._local) if self._local else None
        if local is None:
            return TemplateView(scope, self.node).value(self._template)
        inner, place = unbound(local, written.place.child("locals").child(self._local))
        value = scope.known(inner, place)
        if value.__class__ is Scalar and not value.secret and not self.node.secret:
            self._fixed = (written, value)
        return Bound(value, place) if value.live else value

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        return TemplateView(scope, self.node).named(self._template)

    def value_from(self, root: Node | None, written: object) -> Node | None:
        """The value for all components, if it is known and is the value of a local; otherwise None."""
        return self._fixed[1] if self._fixed is not None and self._fixed[0] is written else None

    def _plain_local(self, written: FileScope) -> str:
        try:
            path = written.language.templates.parse(self._template).single
        except TemplateFault:
            return ""
        return path[1] if path is not None and len(path) == 2 and path[0] == "locals" else ""


class TemplateView:
    """What a template sees, from one place."""

    __slots__ = ("language", "local", "node", "root", "scope", "written")

    def __init__(self, scope: Scope, node: Node) -> None:
        written = scope.written
        assert isinstance(written, FileScope)
        self.scope = scope
        self.node = node
        self.written = written
        self.language = written.language
        self.root: Place = scope.place.root
        self.local = self.root is written.place

    def value(self, value: str) -> Node:
        """The value of a text scalar: typed if it is a single plain reference, otherwise the rendered text."""
        parsed = self._parsed(value)
        if parsed is None:
            return text(value, self.node.source, self.node.at)
        if parsed.single is not None:
            node = self.reference(parsed.single)
            if node is not None:
                return node
        made = self.rendered(value)
        call = function_in(made)
        if call is not None:
            return ManifestCall(call[0], self.node, call[1]).evaluate(self.scope)
        return text(made, Computed(value, self.node.source, self.node.at), self.node.at)

    def _parsed(self, value: str) -> Parsed | None:
        """The template, or None if it is not rendered here."""
        delimiters = self._delimiters(value)
        if delimiters is None:
            return None
        try:
            return self.language.templates.parse(value, delimiters)
        except TemplateError as error:
            raise self.failed(error, value) from None

    def _delimiters(self, value: str) -> tuple[str, str] | None:
        late = self.language.templates.delimiters if self.language.session.options.templates else None
        if late != DELIMITERS and DELIMITERS[0] in value and (self.local or self.language.templates.names(value)):
            return DELIMITERS  # locals are rendered whatever the switches and delimiters of the late pass say
        return late if late is not None and late[0] in value else None

    def reference(self, path: tuple[str, ...]) -> Node | None:
        """The value of a plain reference to a local, or to a map or list; None if the result is text."""
        since = len(self.scope.reads)
        node, place = self.walk(path)
        if node is None or (path[0] in FACTS and isinstance(node, Scalar)):
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
            MapNode(dict(scope.context.items())) if scope.own is not None and path[0] in CONTEXT else None
        )
        for step in path:
            node = node.entries.get(step) if isinstance(node, MapNode) else None
        return node is not None

    def walk(self, path: tuple[str, ...]) -> tuple[Node | None, Place]:
        """The node at a path of the data, and its place; None if there is none."""
        place = self.root
        node: Node | None = self.data(frozenset(path[:1]))
        for step in path:
            node = self.reveal(Bound(node, place)) if node is not None else None
            node = node.entries.get(step) if isinstance(node, MapNode) else None
            place = place.child(step)
            if node is not None:
                node, place = unbound(node, place)
        if node is not None:
            node = self.reveal(Bound(node, place))
        return node, place

    def data(self, names: frozenset[str] | None, facts: frozenset[str] = FACTS) -> MapNode:
        """The component's sections (or the file's, in a local) and the locals; only those named. Of what there is
        beside sections, only what `facts` has as well."""
        root = self.root.node
        assert isinstance(root, MapNode)
        known = root.entries
        wanted = known if names is None else [name for name in names if name in known]
        entries: dict[Key, Node] = {name: bound(known[name], self.root, name) for name in wanted}
        for name in facts & (FACTS if names is None else names) if not self.local else ():
            if name not in known:
                entries[name] = self._fact(name)
        if not self.local and (names is None or "locals" in names) and self.written.visible():
            entries["locals"] = MapNode(self.written.visible(), live=True)
        return MapNode(entries, live=True)

    def _fact(self, name: str) -> Node:
        """The data of the component in addition to its sections."""
        return Bound(self.scope.service("fact")(self.root.node, name), self.root.child(name))

    def reveal(self, node: Node) -> Node:
        """A node that the template looks at, known at its outermost."""
        inner, place = unbound(node, self.root)
        around = not self.local and contains(place, self.scope.place)
        value = self.scope.peek(inner, place) if around else self.scope.known(inner, place)
        return self._opened(value, place) if value.live else value

    def _opened(self, value: Node, place: Place) -> Node:
        """A container that can be seen from anywhere; a large one is made once for all the templates that look at
        it."""
        size = value.size if isinstance(value, MapNode | ListNode) else 0
        if size <= LARGE:
            return without_marks(exposed(value, place))
        large = self.language.templates.large
        known = large.get((id(value), place))
        if known is None:
            self.scope.meter.step(size)
            if len(large) >= LARGE:
                large.clear()
            known = large[id(value), place] = (value, without_marks(exposed(value, place)))
        return known[1]

    def rendered(self, value: str) -> str:
        """The text that a template renders to, after the number of passes in `evaluations`."""
        templates = self.language.templates
        for turn in range(self._evaluations()):
            delimiters = self._delimiters(value)
            self.scope.meter.step(turn and AGAIN + len(value))
            if delimiters is None:
                break
            try:
                value = self._once(templates.parse(value, delimiters), value)
            except TemplateError as error:
                raise self.failed(error, value) from None
        return value

    def _evaluations(self) -> int:
        root = self.root.node
        settings = root.entries.get("settings") if isinstance(root, MapNode) else None
        if not isinstance(settings, MapNode) or "templates" not in settings.entries:
            return self.language.settings.evaluations
        given = self.language.setting(self.scope, "evaluations")
        return given if isinstance(given, int) and given > 1 else 1

    def _once(self, parsed: Parsed, value: str) -> str:
        known = self._identity(parsed, value)
        if known is not None and known in self.language.templates.rendered_before:
            text = self.language.templates.rendered_before[known][0]
            self.scope.reads += self._reads(parsed)
            return text
        since = len(self.scope.reads)
        host = StackHost(self.scope, self.language, self.node)
        text = self._render(parsed, host)
        self.scope.reads[since:] = [*self._reads(parsed), *host.read_elsewhere]
        if known is not None:
            self.language.templates.rendered_before[known] = (text, self.root.node)
        return text

    def _reads(self, parsed: Parsed) -> list[tuple[Node, Place]]:
        """The values that a template names, each at its place."""
        return self._ends(parsed.names)

    def named(self, value: str) -> list[tuple[Node, Place]]:
        """The values that a template names; none where it is no template here."""
        try:
            parsed = self._parsed(value)
        except Fault:
            return []
        return self._reads(parsed) if parsed is not None else []

    def _ends(self, paths: Iterable[tuple[str, ...]]) -> list[tuple[Node, Place]]:
        return [self._end(path) for path in paths]

    def _end(self, path: tuple[str, ...]) -> tuple[Node, Place]:
        """The node at a path and its place; for a path that leads nowhere, what an explanation says of it."""
        node, place = self._named(path)
        if node is not None:
            return node, place
        place = self.root
        for step in path:
            place = place.child(step)
        missing = NOT_FOUND(Label(self.node.origin), name=".".join(path))
        return Failure((missing,), self.node.source, self.node.at), place

    def _named(self, path: tuple[str, ...]) -> tuple[Node | None, Place]:
        """The node at a path as far as it can be seen without asking, and its place."""
        root = self.root.node
        place, start = self.root, 0
        node: Node | None = root
        if path[0] in FACTS and not self.local and isinstance(root, MapNode) and path[0] not in root.entries:
            node, place = unbound(self._fact(path[0]), place)
            start = 1
        if path[0] == "locals" and not self.local and len(path) > 1:
            node, start = self.written.visible().get(path[1]), 2
            if node is not None:
                node, place = unbound(node, self.written.place.child("locals").child(path[1]))
        for step in path[start:]:
            if not isinstance(node, MapNode):
                break
            node, place = node.entries.get(step), place.child(step)
            node, place = unbound(node, place) if node is not None else (None, place)
        return node, place

    def _identity(self, parsed: Parsed, value: str) -> tuple[object, ...] | None:
        """What decides the text: the template and the nodes it reads, where those are finished and may be shared."""
        root = self.root.node
        if parsed.paths is None or self.local or not isinstance(root, MapNode):
            return None
        nodes: list[int] = []
        for path in parsed.paths:
            node: Node | None = root
            for step in path:
                node = node.entries.get(step) if isinstance(node, MapNode) else None
            if node is None or node.live or path[0] == "locals":
                return None
            nodes.append(id(node))
        return (value, *nodes)

    def _render(self, parsed: Parsed, host: StackHost) -> str:
        missing = "error" if self.local and not self.written.ignore_missing else "default"
        data = self.data(parsed.tops, parsed.facts)
        return parsed.template.render(data, missing=missing, host=host, reveal=self.reveal)

    def failed(self, error: TemplateError, value: str) -> PlaitError:
        """A template's error at the line that people wrote."""
        label = place_of(error, value, self.node)
        if self.local and len(self.scope.place.path) > 1:
            name = str(self.scope.place.path[1])
            why = f"failed to parse template: {error.message}" if error.kind == "parse" else error.message
            found = LOCAL_FAILED(label, name=name, file=self.written.file, why=why, notes=self.notes(), hint=error.hint)
        else:
            found = STACK_TEMPLATE(label, why=error.message, hint=error.hint)
        return like(error, found)

    def notes(self) -> tuple[str, ...]:
        """The notes of an error in a local: the available locals and context."""
        names = sorted(str(name) for name in self.written.visible())
        context = [f"  .{name}" for name in CONTEXT if name in self.written.context]
        notes = ["Available locals at this scope:", *(f"  - {name}" for name in names)]
        return (*notes, "Available context:", *context) if context else tuple(notes)


def contains(place: Place, asker: Place) -> bool:
    """Whether a place is the place of the reader, or a container around it."""
    at: Place | None = asker
    while at is not None:
        if at is place:
            return True
        at = at.parent
    return False


def without_marks(value: Node) -> Node:
    """A node as a template sees it: values that are unset do not exist."""
    if isinstance(value, Mark):
        return Scalar(None, "null", value.source, value.at)
    if isinstance(value, MapNode) and any(isinstance(child, Mark) for child in value.entries.values()):
        entries = {key: child for key, child in value.entries.items() if not isinstance(child, Mark)}
        return MapNode(entries, value.source, value.at, None, True)
    if isinstance(value, ListNode) and any(isinstance(item, Mark) for item in value.items):
        return ListNode(
            [item for item in value.items if not isinstance(item, Mark)], value.source, value.at, None, True
        )
    return value


def place_of(error: TemplateError, value: str, node: Node) -> Label:
    """Where an error in a template is in the file that holds it."""
    origin = node.origin
    source = origin.source
    line = error.source_line.strip() if error.text == value else ""
    found = source.text.find(line, origin.at) if line else -1
    if found < 0:
        return Label(node.origin)
    indent = len(error.source_line) - len(error.source_line.lstrip())
    return Label.at(source, found + max(0, error.column - 1 - indent), length=len(error.culprit))
