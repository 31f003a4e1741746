"""Pattern and inputs to resources: the template's own text with every value filled in, comments and style included.

A template is a Go template over the inputs (`{{ .env }}`); what it writes is read as YAML, in which plait's tags work
(`!ref inputs.env`). The layers of an environment are merged over the resources they name.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Label, for_each
from plait.core.node import Key, MapNode, Node, Scalar, plain_value, secrets_in, text
from plait.core.policy import REPLACE, MergePolicy
from plait.core.resource import Identity
from plait.core.scope import Place
from plait.core.source import Source
from plait.core.unknown import fault_of
from plait.fronts.layers import LayerReader, LayerScope
from plait.fronts.masks import marked
from plait.fronts.patterns.inputs import Values
from plait.fronts.patterns.pattern import Pattern
from plait.fronts.patterns.record import digest_of
from plait.fronts.patterns.resources import ResourceDocument, TextFile, held
from plait.fronts.patterns.texts import edited
from plait.fronts.project import Project
from plait.fronts.settings import SETTINGS_FILE, list_pattern
from plait.merging.combine import combine
from plait.merging.threeway import MergeSettings, threeway
from plait.notations.gotemplate import tables
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.host import Host
from plait.notations.gotemplate.template import Cache
from plait.report.catalog import NOT_GENERATED
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from plait.core.meter import Meter
    from plait.notations.gotemplate.template import Template


class PatternRenderer:
    """Renders one pattern, as often as it is asked, for different inputs. Templates are read and parsed once."""

    def __init__(self, project: Project, pattern: Pattern) -> None:
        self.project = project
        self.pattern = pattern
        rules = [list_pattern(path, rule, SETTINGS_FILE, at) for at, (path, rule) in enumerate(pattern.lists.items())]
        self.policy = MergePolicy(patterns=rules)
        self.layers = LayerReader(project)
        self._sources: dict[str, Source] = {}
        self._templates = Cache()
        self._host = Nobody(project.meter)

    def generate(self, values: Values, here: Mapping[str, Source] | None = None) -> list[TextFile]:
        """Every file that the pattern makes. One that is here with the same text lets go of its trees, and so do those
        after the first ones where much is here."""
        data = context(self.pattern, values)
        over = self._environment(values, data)
        used: set[int] = set()
        files = self.pattern.files
        known = here or {}
        kept = held(known)
        made = for_each(
            lambda file: self._file(*file, data, values, over, used, known.get(file[0]), kept),
            self.project.each(files.items(), len(files), "generating files"),
        )
        for layer in over:
            if id(layer) not in used:
                hint = "a layer needs the `kind`, and may have the name, of a resource that the pattern generates"
                raise NOT_GENERATED.error(
                    Label(layer.node.origin), why="this layer does not name a resource", hint=hint
                )
        return made

    def digest(self) -> str:
        """A hash of the pattern's own files: the same as long as the pattern does not change."""
        return digest_of(self._source(os.path.join(self.pattern.folder, name)).text for name in self.pattern.own_files)

    def _source(self, path: str) -> Source:
        if path not in self._sources:
            self._sources[path] = self.project.source(path)
        return self._sources[path]

    def renamed(self, values: Values) -> dict[str, str]:
        """The pattern's `renamed-from`, with the inputs filled in."""
        data = context(self.pattern, values)
        pairs = self.pattern.renamed.items()
        return {self._filled(new, data): self._filled(old, data) for new, old in pairs}

    def _filled(self, template: str, data: dict[str, Any]) -> str:
        return self._parsed(Source(self.pattern.name, template)).render(data, missing="error", host=self._host)

    def _file(
        self,
        name: str,
        template: str,
        data: dict[str, Any],
        values: Values,
        over: list[ResourceDocument],
        used: set[int],
        here: Source | None,
        kept: set[str],
    ) -> TextFile:
        path = os.path.join(self.pattern.folder, template)
        source = self._rendered(path, data)
        made = TextFile(name, source, self.project.budgets.depth, self._reading(path))
        plain = not made.lines and not any(_computes_or_hides(one, made.has_tags) for one in made.documents)
        for document in () if plain else made.documents:
            document.node = document.node if document.node.live else marked(document.node)
        nodes = [self._finished(document, values, over, used) for document in made.documents]
        if all(node is document.node for node, document in zip(nodes, made.documents, strict=True)):
            if plain and here is not None and (name not in kept or here.text == source.text):
                made.let_go()
            return made
        return _filled_in(made, nodes)

    def _rendered(self, path: str, data: dict[str, Any]) -> Source:
        """A template's text with the inputs filled in, each line with the line it came from."""
        source = self._source(path)
        if "{{" not in source.text:
            return source
        rendered = self._parsed(source).render_lines(data, missing="error", host=self._host)
        return Source(source.name, rendered.text, written=source, line_map=rendered.line_map)

    def _parsed(self, source: Source) -> Template:
        return self._templates.parse(source.text, tables.sprig(), source.name)

    def _reading(self, path: str) -> Reading:
        return self.layers.reading(LayerScope(path))

    def _environment(self, values: Values, data: dict[str, Any]) -> list[ResourceDocument]:
        """The layers of the environment that was chosen."""
        chosen = values.nodes.get(self.pattern.environment)
        path = self.pattern.layer(str(chosen.value)) if isinstance(chosen, Scalar) else None
        if path is None:
            return []
        return TextFile(os.path.basename(path), self._rendered(path, data), reading=self._reading(path)).documents

    def _finished(
        self, document: ResourceDocument, values: Values, over: list[ResourceDocument], used: set[int]
    ) -> Node:
        """A resource with its layers merged, everything computed and its secrets marked: in the document they are."""
        above = [layer for layer in over if _meant(layer.node, document.identity)]
        used.update(map(id, above))
        node = (
            combine([document.node, *(_without_names(layer.node) for layer in above)], self.policy)
            if above
            else document.node
        )
        if not node.live:
            return node if node is document.node else marked(node)
        root = MapNode({**_input_nodes(self.pattern, values), "resource": node}, live=True)
        top = Place(node=root)
        finished, failures = self.layers.evaluator().finish(node, top.child("resource"))
        if failures:
            raise fault_of(failures)
        return marked(finished)


def _computes_or_hides(document: ResourceDocument, has_tags: bool) -> bool:
    """Whether a resource has something to compute, or a secret, for which it needs a tag."""
    return document.node.live or (has_tags and any(secrets_in(document.node)))


def _filled_in(made: TextFile, nodes: list[Node]) -> TextFile:
    """The text of a file with what was merged and computed written into it."""
    out, at, source = [], 0, made.source.text
    for document, node in zip(made.documents, nodes, strict=True):
        outcome = threeway(None, document.node, node, MergeSettings(overwrite=True, policy=MergePolicy(REPLACE)))
        if outcome.edits:
            out += [source[at : document.start], edited(document, outcome.edits, node)]
            at = document.end
    filled = TextFile(made.name, Source(made.name, "".join([*out, source[at:]])))
    for document, node in zip(filled.documents, nodes, strict=True):
        document.node = node  # its origins are the template's
    return filled


def _meant(layer: Node, identity: Identity | None) -> bool:
    """Whether a layer is about a resource: it names the kind, and the name unless it is for all of the kind."""
    if not isinstance(layer, MapNode) or identity is None:
        return False
    metadata = layer.entries.get("metadata")
    name = metadata.entries.get("name") if isinstance(metadata, MapNode) else None
    kind = layer.entries.get("kind")
    same = isinstance(kind, Scalar) and kind.value == identity.kind
    return same and (name is None or (isinstance(name, Scalar) and name.value == identity.name))


def _without_names(layer: Node) -> Node:
    """A layer without the words that only say what it is about."""
    assert isinstance(layer, MapNode)
    entries = {key: node for key, node in layer.entries.items() if key not in ("apiVersion", "kind")}
    return MapNode(entries, layer.source, layer.at, layer.tag, layer.live, alone=layer.alone)


def context(pattern: Pattern, values: Values) -> dict[str, Any]:
    """What a template sees: every input by its name (`a.b` as a map in a map), and the pattern itself."""
    data: dict[str, Any] = {}
    for name, node in values.nodes.items():
        *outer, last = name.split(".")
        at = data
        for step in outer:
            at = at.setdefault(step, {})
        at[last] = plain_value(node, reveal=True)
    about = {"name": pattern.name, "version": pattern.version, "description": pattern.description}
    return {**data, "inputs": dict(data), "pattern": about}


def _input_nodes(pattern: Pattern, values: Values) -> dict[Key, Node]:
    """The same for references: `!ref inputs.env`, `!ref pattern.version`."""
    about: dict[Key, Node] = {"name": text(pattern.name), "version": text(pattern.version)}
    return {"inputs": MapNode(dict(values.nodes.items())), "pattern": MapNode(about)}


class Nobody(Host):
    """The same inputs always give the same text: templates cannot read the time, the environment or random values."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(frozenset())
        self.meter = meter

    def now(self) -> float:
        raise CallError("a pattern sees no clock, so that the same inputs give the same text; make the time an input")

    def zone(self) -> str:
        return "UTC"
