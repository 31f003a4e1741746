"""Templates in YAML: a text with `{{ }}` is an expression over the document that contains it.

Dot is the root of the merged document. Only what the template looks at is evaluated; what is not known yet makes it
wait. A template that is one plain reference gives the value itself; any other gives text, whose origin names the
template and the values that it read. A key that is not there is an error.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.expression import Expression as Evaluated
from plait.core.node import Inherited, MapNode, Node, Scalar, Suspension, text, unbound
from plait.core.scope import Blocked
from plait.core.source import Computed
from plait.notations.gotemplate import refs, tables
from plait.notations.gotemplate.errors import TemplateError, TemplateFault
from plait.notations.gotemplate.host import ScopeHost
from plait.notations.gotemplate.parse import parse as parse_tree
from plait.notations.gotemplate.public import parse
from plait.notations.gotemplate.template import single_reference
from plait.notations.gotemplate.values import TYPE_NAMES, LazyList, LazyMap, Reader, is_lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.scope import Place, Scope
    from plait.notations.gotemplate.function import Table


class TemplateExpression(Evaluated):
    """One template, as it was written in a scalar."""

    __slots__ = ("functions", "scalar", "text")
    way = "template"

    def __init__(self, scalar: Scalar, functions: Table | None = None) -> None:
        self.scalar = scalar
        self.text = scalar.text
        self.functions = functions

    def evaluate(self, scope: Scope) -> Node:
        try:
            template = parse(self.text, functions=self.functions)
            path = single_reference(template.tree)
            if path and _leads_somewhere(path, scope):
                return scope.find(path)
            reader = DocumentReader(scope)
            made = template.render_read(scope.place.root.node, reader, missing="error", host=ScopeHost(scope))
        except Blocked as blocked:
            raise Blocked(*blocked.wanted, *_also_wanted(refs.certain(template.tree), scope)) from None
        except TemplateError as trouble:
            raise trouble.placed(label(self.scalar, trouble)) from None
        scope.reads[:] = reader.leaves
        origin = Computed(self.text, self.scalar.source, self.scalar.at)
        return text(made.text, origin, self.scalar.at)

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        """All that it may read, in any of its branches."""
        try:
            paths = refs.references(parse(self.text, functions=self.functions).tree).paths
        except TemplateFault:
            return []
        found: list[tuple[Node, Place]] = []
        for path in paths:
            try:
                reached = _reached(path, scope)
            except Inherited:
                continue  # something on the way is not known, and so it is among the inputs
            found += [reached] if reached is not None else []
        return found


def _also_wanted(paths: list[tuple[str, ...]], scope: Scope) -> list[tuple[Node, Place]]:
    """What else a template will ask for and is not known yet: asked for together, it starts again once and not for
    each."""
    wanted: list[tuple[Node, Place]] = []
    for path in paths:
        try:
            found = _reached(path, scope)
            if found is not None:
                scope.known(*found)
        except Blocked as blocked:
            wanted += blocked.wanted
        except Inherited:
            continue  # the template itself finds it
    return wanted


def _leads_somewhere(path: tuple[str, ...], scope: Scope) -> bool:
    """Whether there is a value at a path; where there is none, the template itself says what is wrong."""
    found = _reached(path, scope) is not None
    scope.reads.clear()
    return found


def _reached(path: tuple[str, ...], scope: Scope) -> tuple[Node, Place] | None:
    """The node at a path from the root, maybe not known yet; None where there is none."""
    place = scope.place.root
    node = place.node
    for name in path:
        assert node is not None
        here = scope.known(node, place)
        if not isinstance(here, MapNode) or name not in here.entries:
            return None
        node, place = unbound(here.entries[name], place.child(name))
    assert node is not None
    return node, place


class DocumentReader(Reader):
    """Opens the document around a template, and records the place of everything that is read."""

    __slots__ = ("_places", "_scope", "leaves")

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self._scope = scope
        self._places: dict[int, Place] = {}
        self.leaves: list[tuple[Node, Place]] = []

    def open(self, value: Any) -> Any:
        if value.__class__ in TYPE_NAMES or not isinstance(value, Node):
            return super().open(value)
        return self._at(value, self._scope.place.root)

    def child(self, parent: LazyMap | LazyList, step: str | int, node: Node) -> Any:
        return self._at(node, self._places[id(parent)].child(step))

    def _at(self, node: Node, place: Place) -> Any:
        node, place = unbound(node, place)
        found = self.seen(self._scope.known(node, place))
        if is_lazy(found):
            self._places[id(found)] = place
        else:
            self.leaves.append((node, place))
        return found


def label(scalar: Scalar, trouble: TemplateError) -> Label:
    """Where in its file a template goes wrong, as closely as its quoting allows."""
    at = place_in_file(scalar, trouble.text, trouble.at)
    if at is None:
        line = f"line {trouble.line} of the template: " if "\n" in trouble.text else ""
        return Label(scalar.origin, f"{line}{trouble.source_line.strip()}")
    return Label.at(scalar.source, at, length=len(trouble.culprit))


def place_in_file(scalar: Scalar, written: str, at: int) -> int | None:
    """The offset in the file of an offset in a scalar's text; None where the text is not in the file as it is."""
    origin = scalar.origin
    file = origin.source.text
    for start in (origin.at, origin.at + 1):
        if file.startswith(written, start):
            return start + at
    before = written.count("\n", 0, at)
    column = at - (written.rfind("\n", 0, at) + 1)
    line = written.split("\n")[before]
    start = origin.at
    for _ in range(before + 1):  # the text of a block begins on the line after its sign
        start = file.find("\n", start) + 1
        if start == 0:
            return None
    end = file.find("\n", start)
    found = file.find(line, start, len(file) if end < 0 else end)
    return found + column if found >= 0 and line else None


def recognise(scalar: Scalar, written: object) -> Node:
    """A suspension for a text that holds actions; the scalar itself where it is only text."""
    try:
        is_template = refs.has_actions(parse_tree(scalar.text))
    except TemplateFault:
        is_template = True  # it means to be one; evaluating it reports what is wrong
    if not is_template:
        return scalar
    return Suspension(TemplateExpression(scalar), scalar.source, scalar.at, written)


def listing() -> list[dict[str, str]]:
    """The functions there are, for people."""
    functions = sorted(tables.sprig().functions.values(), key=lambda item: item.name)
    return [
        {
            "signature": f"{item.name} {item.signature.text.removeprefix('func')}",
            "about": item.description,
            "example": f"{item.example} -> {item.output}" if item.example else "",
        }
        for item in functions
    ]
