"""What made a value of a manifest that is rendered before it is read: the lines of the template, and the values that
these read from the contexts of the imports that lead there, or from the file's own sections."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from plait.core.find import entry, step_into
from plait.core.node import Node, Suspension, unbound
from plait.core.path import format_path
from plait.core.scope import Place
from plait.core.source import Origin
from plait.evaluate.explain import ends_of
from plait.evaluate.hops import READS, Hop
from plait.fronts.rendered_text import RenderedText
from plait.fronts.stacks.language.atmos import StackHost
from plait.notations.gotemplate.errors import TemplateFault
from plait.notations.gotemplate.ropes import TracingReader
from plait.notations.gotemplate.sets import TemplateSet
from plait.notations.gotemplate.template import make
from plait.notations.gotemplate.tracing import TracingCompiler, traced_text
from plait.notations.gotemplate.values import Traced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from plait.core.path import Path
    from plait.evaluate.engine import Task
    from plait.evaluate.tree import Tree
    from plait.fronts.stacks.read.imports import Way

    Container = tuple[Any, Any, Path, list["NodeOfFile"]]
    """A list or map to be filled, what it is a copy of, where that is in the data, and the nodes that it is from."""


class NodeOfFile(NamedTuple):
    """A node, and the place that it is computed for."""

    node: Node
    place: Place


class ContextRead:
    """A value that the template of a manifest read."""

    __slots__ = ("path", "written")

    def __init__(self, written: NodeOfFile, path: Path) -> None:
        self.written = written
        self.path = path

    def __repr__(self) -> str:
        return f"ContextRead({format_path(self.path)})"


class RenderedManifest:
    """A manifest that is rendered, as a stack imports it."""

    def __init__(self, tree: Tree, way: Way) -> None:
        """`way` leads to it from the manifest that `tree` is a component of, see `ways_from`."""
        self._tree = tree
        self._file = way[-1][0].file
        self._contexts = [
            NodeOfFile(context, importer.file.scope.place)
            for (importer, _), (_, item) in pairwise(way)
            if item is not None and (context := entry(item, "context")) is not None
        ]
        """The contexts of the imports, those that win first."""

    def hops(self, node: Node) -> list[Hop]:
        """What made one of its values; nothing for what the template has as it is."""
        origin = self._written.field(node) if self._written is not None else None
        return origin.hops(self._read) if origin is not None and (origin.reads or origin.conditions) else []

    @cached_property
    def _written(self) -> RenderedText | None:
        """Its text in pieces; None where it is another one each time."""
        text, language = self._file.text, self._file.scope.language
        host, reader = StackHost(None, language), TracingReader()
        try:
            template = make(text.source.text, language.templates.table, "template", None, TracingCompiler)
            member = TemplateSet(language.templates.table).add(template)
            meter = language.session.project.meter
            pieces = traced_text(member, self._marked(text.data), host, meter, reader, text.missing)
        except TemplateFault:
            return None
        found = RenderedText(pieces, lambda _, at: Origin(text.source, at), _in_order)
        return found if found.text == text.rendered.text else None

    def _marked(self, data: dict[str, object]) -> dict[str, Any]:
        """The data of the template, in which each value knows where it is written."""
        own = {
            name: NodeOfFile(*unbound(node, self._file.scope.place))
            for name, node in self._file.text.own_nodes().items()
        }
        marked: dict[str, Any] = {}
        below: list[Container] = []
        for name, value in data.items():
            at = (name,) if name in own else ("context", name)
            written = [own[name]] if name in own else _inside(self._contexts, name)
            marked[name] = _mark(value, at, written, below)
        while below:
            made, given, path, written = below.pop()
            for step, value in given.items() if isinstance(given, dict) else enumerate(given):
                inner = _mark(value, (*path, step), _inside(written, step), below)
                if isinstance(given, dict):
                    made[step] = inner
                else:
                    made.append(inner)
        return marked

    def _read(self, read: ContextRead) -> Hop:
        """A value that was read; of an expression also what that read, and so on."""
        first = _hop(read.path, read.written.node)
        todo: list[tuple[Task, Hop]] = [((read.written.node, read.written.place), first)]
        seen = {todo[0][0]}
        while todo:
            task, hop = todo.pop()
            for end in ends_of(self._tree, task):
                written = self._tree.written(end)
                inner = _hop(end[1].path, written[0])
                hop.hops.append(inner)
                if written not in seen:
                    seen.add(written)
                    todo.append((written, inner))
        return first


def _mark(value: Any, path: Path, written: list[NodeOfFile], below: list[Container]) -> Any:
    """A value that knows the first of some nodes; what is in a list or a map is to be marked, too."""
    if isinstance(value, dict | list):
        made = type(value)()
        below.append((made, value, path, written))
        return made
    return Traced(value, frozenset((ContextRead(written[0], path),))) if written and value is not None else value


def _inside(written: list[NodeOfFile], step: Any) -> list[NodeOfFile]:
    """What some nodes have at a step; an expression has all that it gives."""
    found: list[NodeOfFile] = []
    for one in written:
        inner = one.node if isinstance(one.node, Suspension) else step_into(one.node, step)
        if inner is one.node:
            found.append(one)
        elif inner is not None:
            found.append(NodeOfFile(*unbound(inner, one.place.child(step))))
    return found


def _in_order(reads: Iterable[Any]) -> list[ContextRead]:
    """Each once, in the order of their names."""
    return sorted(dict.fromkeys(reads), key=lambda read: tuple(map(str, read.path)))


def _hop(path: Path, node: Node) -> Hop:
    if isinstance(node, Suspension):
        return Hop(READS, "", path, node.origin, node.told)
    return Hop(READS, "", path, node.origin, "", node)
