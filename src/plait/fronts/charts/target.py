"""A chart with its values as a target: what `helm template` prints, and the values themselves."""

from __future__ import annotations

import os
from functools import partial

from plait.access.guard import CHANCE, meaning
from plait.core.diagnostic import Fault, Label
from plait.core.find import entry
from plait.core.node import MapNode, Scalar, Unknown, rewrite
from plait.core.path import format_path
from plait.core.resource import Identity
from plait.core.unknown import failures_in, fault_of
from plait.evaluate.tree import Tree
from plait.fronts.charts.chart import DECLARES, READER, SCHEMA, YAML, ChartReader, reading
from plait.fronts.charts.chart import VALUES as OWN_VALUES
from plait.fronts.charts.installation import Installation, ReleaseOptions
from plait.fronts.charts.places import computed_value_places, value_places
from plait.fronts.charts.rendering import ALLOWED
from plait.fronts.charts.tree import ChartTree
from plait.fronts.charts.uses import reads_in, templates
from plait.fronts.charts.values import GLOBAL, POLICY, merged, not_there, shared_layers
from plait.fronts.front import VALUES, DocumentId, NamedWord, Target, at
from plait.fronts.helm_set import with_flags
from plait.fronts.inline import with_inline, with_unknown
from plait.fronts.places import check
from plait.fronts.template_reads import is_read, key_label, unread, values_read, written_paths
from plait.fronts.typed import typed_path
from plait.merging.compare import by_position, differences
from plait.notations.gotemplate.host import FixedHost
from plait.report.catalog import CHART_UNSET, DENIED, UNREAD
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Key, Node
    from plait.core.path import Path
    from plait.fronts.charts.chart import Chart, Dependency
    from plait.fronts.charts.manifests import RenderedResource
    from plait.fronts.charts.values import Family
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.front import TemplateRead, World
    from plait.notations.gotemplate.host import Host


class ChartTarget(Target):
    """The resources that a chart renders to, each a document."""

    front = "charts"
    is_rendered = True
    schema = YAML
    reader = READER

    def installation(self, host: Host | None = None, partly: bool = False) -> Installation:
        """The chart with the values of this target."""
        reader, path = ChartReader(self.project), self.admitted(self.folder, "either")
        words: dict[str, Any] = {**self.declaration.parameters.get("release", {}), **self.world.given.get("chart", {})}
        flags = words.pop("flags", {})
        read = (reader.values(name) for name in self.readable)
        files: list[Node] = [node for node in read if node is not None]
        layers = with_inline(files, self.declaration.parameters.get("inline", ()), reading())
        layers = with_flags(layers, **flags, read=self._text) if any(flags.values()) else layers
        made = Installation(self.project, path, layers, ReleaseOptions(**words), host, partly)
        self.named_at(path, lambda: made.chart)
        return made

    def commands(self) -> list[list[str]]:
        if self.declaration.parameters.get("inline"):
            return []  # these values are in no file that helm could read
        words = {**self.declaration.parameters.get("release", {}), **self.world.given.get("chart", {})}
        release = str(words.pop("release", "") or self.installation().chart.name)
        given = [word for name, value in words.items() if name != "flags" for word in _option(name, value)]
        return [["helm", "template", NamedWord(release), NamedWord(self.folder), *self._named_files(), *given]]

    def _text(self, name: str) -> str:
        return self.project.source(self.project.admit(name)).text

    def trees(self) -> dict[DocumentId, Tree]:
        made = self.installation()
        return {document: ChartTree(made, one, self.evaluator) for document, one in self._named(made).items()}

    def values(self) -> dict[DocumentId, Callable[[], Node]]:
        """Where results are compared, what a template makes of chance or of the time is not known: it is found by
        rendering twice."""
        if not self.project.guard.comparing:
            return super().values()
        first, second = (FixedHost(ALLOWED, high) for high in (False, True))
        made = self.installation(first, partly=True)
        found = self._nodes(made)
        if not first.asked:
            return {document: partial(_same, node) for document, node in found.items()}
        again = self._nodes(self.installation(second, partly=True))
        return {document: partial(steady, node, again.get(document)) for document, node in found.items()}

    def _nodes(self, made: Installation) -> dict[DocumentId, Node]:
        named = {document: one.node for document, one in self._named(made).items()}
        return {**named, **self._not_there(made)}

    def _not_there(self, made: Installation) -> dict[DocumentId, Node]:
        """The subcharts that are not in `charts/`: none is known. What they render to is the same where what is said of
        them is, and the values that they see."""
        missed: dict[DocumentId, Node] = {}
        for path, chart, declared in made.family.missed():
            above = path[:-1]
            seen = [path, (GLOBAL,), *((*above, *names) for names in declared.reads)]
            values: dict[Key, Node] = {
                format_path(one): node for one in seen if (node := entry(made.values, *one)) is not None
            }
            missed[self.id(type="Chart", name="/".join(path))] = _missing(chart, declared, MapNode(values))
        return missed

    def values_tree(self) -> Tree:
        """The computed values, with the layers that they are merged from."""
        made = self.installation()
        return Tree(with_unknown(made.values), self.evaluator, made.layers, POLICY)

    def renders(self, file: str) -> bool:
        inside = os.path.relpath(file, os.path.realpath(self.folder))
        return not inside.startswith("..") and "templates" in inside.split(os.sep)[:-1]

    def template_reads(self) -> Iterator[tuple[str, list[TemplateRead]]]:
        made = self.installation()
        for file, source, path in templates(made.family):
            yield file, list(reads_in(source, path, made.values))

    def values_schema(self, file: str) -> str:
        folder = os.path.realpath(self.folder)
        name = os.path.join(folder, SCHEMA)
        values = [os.path.join(folder, OWN_VALUES), *(os.path.realpath(one) for one in self.files)]
        return name if file in values and self.project.door.is_file(name) else ""

    def prefixes(self, file: str) -> list[Path]:
        return [path for name, _, path in templates(self.installation().family) if name == os.path.realpath(file)]

    def computed_from(self) -> Iterator[tuple[Tree, Callable[[Path], bool]]]:
        made = self.installation()
        reads = reads_of(made.family)
        yield self.values_tree(), lambda path: is_read(path, reads)
        shared = shared_layers(made.family, made.layers)
        if shared:
            whole = Tree(merged(shared), self.evaluator, shared, POLICY)
            yield whole, lambda path: is_read((GLOBAL, *path), reads)

    def steers(self, file: str) -> bool:
        """What says what the chart is, and files that are in it for its templates, or for an option."""
        inside = os.path.relpath(file, self.folder)
        packed = inside in self.installation().chart.files and file not in self.files
        return packed or os.path.basename(file) in DECLARES or super().steers(file)

    def addressed(self, address: str) -> tuple[DocumentId, str]:
        """A path without a resource is one of the values, unless the only resource has it."""
        name, colon, path = address.partition(":")
        if colon and name == VALUES:
            return self._values, path
        if colon or not address:
            return super().addressed(address)
        return super().addressed(address) if self._is_of_document(typed_path(address)) else (self._values, address)

    def _is_of_document(self, path: Path) -> bool:
        try:
            several = self.documents()
            return len(several) == 1 and at(self.tree(several[0]).partial(), path[:1]) is not None
        except Fault:  # a chart that cannot be rendered has values
            return False

    @property
    def _values(self) -> DocumentId:
        return self.id(name=VALUES)

    def beside(self, text: str) -> DocumentId | None:
        return self._values if text == VALUES else None

    def named(self, text: str) -> DocumentId:
        return self.beside(text) or super().named(text)

    def holding(self, file: str, is_root: Callable[[Node], bool]) -> Iterator[tuple[str, Tree]]:
        made = self.installation()
        if any(map(is_root, (*made.family.defaults, *made.given))):
            yield VALUES, self.values_tree()

    def tree(self, document: DocumentId) -> Tree:
        return self.values_tree() if document == self._values else super().tree(document)

    def value_in(self, world: World, document: DocumentId, path: Path) -> Node | None:
        there = world.targets.at(self.declaration.address)
        if document == self._values and isinstance(there, ChartTarget):
            return at(there.values_tree().partial(), path)
        return super().value_in(world, document, path)

    def rendered(self) -> list[Node]:
        return [one.node for one in self._complete() if one.node is not None]

    def _complete(self) -> list[RenderedResource]:
        """What the templates wrote, where each document has all of its values."""
        manifests = self.installation().manifests
        nodes = [one.node for one in manifests if one.node is not None and one.node.live]
        missing = [failure for node in nodes for failure in failures_in(node)]
        if missing:
            raise fault_of(missing)
        return manifests

    def findings(self) -> list[Diagnostic]:
        found = super().findings()
        if found:
            return found
        made = self.installation()
        found += self.unused()
        found += [CHART_UNSET(Label(place), hint="set it, or give it a `default`") for place in made.holes()]
        return found

    def unused(self) -> list[Diagnostic]:
        made = self.installation()
        reads, found = reads_of(made.family), []
        for label, path in _unread(made.layers, reads):
            hint = did_you_mean(format_path(path), written_paths(reads)) or "remove it, or read it in a template"
            found.append(UNREAD(label, name=format_path(path), hint=hint))
        return found

    def printed(self) -> list[tuple[str, Node | None]]:
        return [(f"Source: {one.written_by}", one.node) for one in self._complete()]

    def places(self, document: DocumentId, path: Path) -> Iterable[WrittenPlace]:
        made = self.installation()
        if document == self._values:
            return computed_value_places(self.project, made, path, self.files)
        check(self, document, path)
        return value_places(self.project, made, self._named(made)[document], path, self.files)

    def _named(self, made: Installation) -> dict[DocumentId, Any]:
        return self.by_id((Identity.of(one.node), f"document {number}", one) for number, one in _documents(made))

    def published(self, files: Iterable[str]) -> set[str]:
        """The defaults of the chart, and of the charts inside it."""
        defaults = os.path.join(os.path.realpath(self.folder), OWN_VALUES)
        own = {os.path.realpath(file) for file in self.files} - {defaults}
        read = {os.path.realpath(os.path.join(self.world.tree, name)) for name in self.read} - own
        return {file for file in files if file in read and os.path.basename(file) == OWN_VALUES}

    @property
    def remover(self) -> Scalar:
        return Scalar(None, "null")


def _option(name: str, value: object) -> list[str]:
    """A word of a release as helm's command line has it."""
    flag = f"--{name.replace('_', '-')}"
    if isinstance(value, list):
        return [word for one in value for word in (flag, NamedWord(one))]
    return ([flag] if value else []) if isinstance(value, bool) else [flag, NamedWord(value)]


def _same(node: Node) -> Node:
    return node


def _missing(chart: Chart, declared: Dependency, values: Node) -> Unknown:
    """What a subchart renders to that is not there, given all the values that it sees."""
    node, error = declared.node, not_there(chart, declared)
    (found,) = error.diagnostics
    why = f"{found.message}: it is missing"
    return Unknown((found,), node.source, node.at, why=why, expression=declared.name, inputs=(node, values))


def steady(node: Node, again: Node | None) -> Node:
    """A resource in which values that another rendering gives otherwise are not known."""
    changing = {id(a) for _, a, _ in differences(node, again, by_position) if a is not None}

    def leaf(at: Node) -> Node:
        if id(at) not in changing:
            return at
        template = at.origin.source.written or at.origin.source
        line = template.text.splitlines()[at.origin.line - 1 :][:1]
        why = CHANCE["random"]
        reason = DENIED(Label(at.origin), what=meaning("random"), hint="it is compared by its expression")
        return Unknown((reason,), at.source, at.at, why=why, expression=(line or [""])[0].strip())

    return rewrite(node, leaf)


def _documents(made: Installation) -> list[tuple[int, Any]]:
    return [(number, one) for number, one in enumerate(made.manifests, 1) if one.node is not None]


def _unread(layers: list[Node], reads: set[tuple[str, ...]]) -> Iterator[tuple[Label, Path]]:
    """The values that nothing reads: of a chart that takes part several times, those that nothing reads in any."""
    rows: dict[str, list[dict[str, tuple[Label, Path]]]] = {}
    for layer in layers:
        labels = ((key_label(layer, path), path) for path in unread(layer, reads))
        rows.setdefault(str(layer.origin), []).append({str(label.origin): (label, path) for label, path in labels})
    for first, *others in rows.values():
        yield from (row for place, row in first.items() if all(place in other for other in others))


def reads_of(family: Family, path: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    """The same for a chart and its subcharts, from the root of the values. A chart also reads what its library
    charts read; and `global` of a subchart is its own one below that of the root."""
    texts = [source.text for source in family.chart.templates.values()]
    texts += [
        source.text for child in family.children if child.chart.is_library for source in child.chart.templates.values()
    ]
    read = values_read(texts)
    found = {(*path, *names) for names in read} | {names for names in read if names[:1] == (GLOBAL,)}
    found |= {(*path, one.called) for one in family.missing}  # nobody knows what these read
    found |= {(*path, *names) for one in family.chart.dependencies for names in one.reads}
    for child in family.children:
        found |= reads_of(child, (*path, child.name))
    return found
