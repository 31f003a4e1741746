"""Go templates, parsed once for each text, with the facts that are known before they run."""

from __future__ import annotations

from plait.core.node import Key, MapNode, Node
from plait.notations.gotemplate import tree
from plait.notations.gotemplate.errors import TemplateFault
from plait.notations.gotemplate.refs import references
from plait.notations.gotemplate.template import Template, make, single_reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Place
    from plait.notations.gotemplate.function import Table
    from plait.notations.gotemplate.host import Host

DELIMITERS = ("{{", "}}")
"""The signs around a template that is rendered when its file is read, and around those that read locals."""


FACTS = frozenset(("sources", "deps", "deps_all", "cli_args", "atmos_cli_config", "version"))
"""Data that templates of a component may read in addition to its sections; computed only if a template names it. A
section of the same name comes first."""


class Parsed:
    """A template, and the facts that are known before it runs."""

    __slots__ = ("facts", "fields", "locals", "names", "needs", "paths", "single", "template", "tops")

    def __init__(self, template: Template) -> None:
        self.template = template
        self.single = single_reference(template.tree) or None  # all the data, `{{ . }}`, is rendered as text
        nodes = template.tree.walk()
        self.fields = _fields_of(nodes)
        """Every chain of names that it looks up, wherever it begins."""
        self.tops = None if _reads_everything(nodes) else frozenset(names[0] for names in self.fields)
        """The names that it may read from its data; None if it may read all of it."""
        own = (names[1] for names in self.fields if names[0] == "locals" and len(names) > 1)
        self.locals = tuple(dict.fromkeys(own))
        """The locals that it reads by name."""
        found = references(template.tree)
        self.names = tuple(path for path in found.paths if path)
        self.facts = FACTS.intersection(path[0] for path in self.names)
        self.paths = tuple(found.paths) if self.tops is not None and _is_pure(nodes) else None
        """All paths that it reads, if its result depends on nothing else; otherwise None."""
        self.needs = found.below("locals")
        """The locals that it may read, however it gets at them."""

    def used(self, section: Node, name: str) -> Node:
        """A section of its data without the keys that it cannot read."""
        paths = self.fields
        if self.tops is None or (name,) in paths or not isinstance(section, MapNode):
            return section
        kept: dict[Key, Node] = {
            path[1]: section.entries[path[1]] for path in paths if path[0] == name and path[1] in section.entries
        }
        return MapNode(kept, section.source, section.at, None, any(child.live for child in kept.values()))


def _fields_of(nodes: list[tree.TemplateNode]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for node in nodes:
        if isinstance(node, tree.Field):
            found.append(node.names)
        elif isinstance(node, tree.Variable) and len(node.names) > 1 and node.names[0] == "$":
            found.append(node.names[1:])
        elif isinstance(node, tree.FieldChain):
            found.append(node.names)
    return found


def _is_pure(nodes: list[tree.TemplateNode]) -> bool:
    """Whether a template's text depends on its data alone: no function in it asks for anything else."""
    return not any(isinstance(node, tree.Identifier) and node.text not in PURE for node in nodes)


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


RENDERING = ("tmpl", "tpl")
"""Functions that render other templates, which may read anything."""


def _reads_everything(nodes: list[tree.TemplateNode]) -> bool:
    """Whether a template uses its data as a whole, or renders other templates, which may."""
    return any(
        isinstance(node, tree.Dot)
        or (isinstance(node, tree.Variable) and node.names == ("$",))
        or (isinstance(node, tree.Identifier) and node.text in RENDERING)
        for node in nodes
    )


class Templates:
    """Parses each text once, and renders."""

    def __init__(self, table: Table, delimiters: tuple[str, str] = DELIMITERS) -> None:
        self.delimiters = delimiters
        """The signs around a template that is rendered for a component."""
        self.table = table
        self._known: dict[tuple[str, tuple[str, str]], Parsed | TemplateFault] = {}
        self.rendered_before: dict[tuple[object, ...], tuple[str, Node | None]] = {}
        """Texts that were rendered, by template and by the nodes it reads; and a tree that keeps those alive."""
        self.large: dict[tuple[int, Place], tuple[Node, Node]] = {}
        """Large containers as templates see them, by identity and place, each beside the node that it was made of."""

    def parse(self, value: str, delimiters: tuple[str, str] = DELIMITERS) -> Parsed:
        """The template of a text, or TemplateFault."""
        key = (value, delimiters)
        parsed = self._known.get(key)
        if parsed is None:
            try:
                parsed = Parsed(make(value, self.table, "template", delimiters if delimiters != DELIMITERS else None))
            except TemplateFault as error:
                parsed = error
            self._known[key] = parsed
        if isinstance(parsed, TemplateFault):
            raise parsed
        return parsed

    def names(self, value: str) -> tuple[str, ...]:
        """The locals that a text reads; none for one that is not a template."""
        try:
            return self.parse(value).locals
        except TemplateFault:
            return ()

    def needs(self, value: str) -> tuple[str, ...]:
        """The locals that a text may need before it can be rendered; none for one that is not a template."""
        try:
            return self.parse(value).needs
        except TemplateFault:
            return ()

    def render(self, value: str, data: object, *, missing: str = "default", host: Host | None = None) -> str:
        """A text with plain data."""
        return self.parse(value).template.render(data, missing=missing, host=host)
