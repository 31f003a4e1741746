"""All stacks as text, written stack by stack: what many components share is turned into text once.

Everything of a large repository is tens of megabytes; most of it is settings and imports that the components of a stack have in
common. The same bytes come out as from printing the whole tree.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, PlaitError
from plait.core.node import Mapping, Node, Scalar, Sequence
from plait.fronts.stacks.components import Component
from plait.fronts.stacks.describe import Filter, is_empty, shown
from plait.fronts.stacks.repository import Repository
from plait.yaml.emit import Style, block, emit_json, key_inline, value_text
from plait.yaml.words import is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = frozenset(("vars", "metadata", "inheritance"))
"""Sections that hardly ever two components share; the texts of others are kept."""
DEPTH = 4
"""How deep a section lies: stack, components, type, component."""


class Pages:
    """Writes stacks in one format. What differs between the formats is how a line, a section and an end look."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self._kept: dict[int, tuple[Node, str]] = {}

    def text(self, repository: Repository, chosen: Filter, include_empty: bool = False) -> str:
        """Every stack that is chosen, sorted."""
        problems: list[Diagnostic] = []
        stacks = [(name, self.stack(repository, name, chosen, include_empty, problems)) for name in repository.chosen_names(chosen)]
        if problems:
            raise PlaitError(*dict.fromkeys(problems))
        return self.whole([(name, text) for name, text in stacks if text or chosen.empty_stacks])

    def stack(self, repository: Repository, name: str, chosen: Filter, include_empty: bool, problems: list[Diagnostic]) -> str:
        """The components of one stack; nothing where it has none."""
        types: dict[str, list[tuple[str, str]]] = {}
        for component in repository.components_named(name):
            if chosen.takes(component):
                try:
                    text = self.component(component, chosen, include_empty)
                except PlaitError as error:
                    problems += error.diagnostics
                    continue
                types.setdefault(component.type, []).append((component.name, text))
        if not types:
            return ""
        members = [(type, self.group(sorted(found), 3)) for type, found in sorted(types.items())]
        return self.group([("components", self.group(members, 2))], 1)

    def component(self, component: Component, chosen: Filter, include_empty: bool) -> str:
        members = [(name, self.section(name, node)) for name, node in sections_of(component, chosen, include_empty)]
        members.sort()
        return self.group(members, DEPTH)

    def section(self, name: str, node: Node) -> str:
        """A section's text behind its key."""
        if node.__class__ is Scalar:
            return self.scalar(node)  # type: ignore[arg-type]
        if name in OWN:
            return self.container(node)
        known = self._kept.get(id(node))
        if known is None:
            known = self._kept[id(node)] = (node, self.container(node))
        return known[1]

    def scalar(self, node: Scalar) -> str:
        raise NotImplementedError

    def container(self, node: Node) -> str:
        raise NotImplementedError

    def group(self, members: list[tuple[str, str]], depth: int) -> str:
        """Names and texts as a mapping that lies so deep."""
        raise NotImplementedError

    def whole(self, stacks: list[tuple[str, str]]) -> str:
        raise NotImplementedError


class YamlPages(Pages):
    """Blocks; a text behind a key begins with a space, or with a line end."""

    def scalar(self, node: Scalar) -> str:
        if node.value.__class__ is str and is_word(node.value) and not node.secret:
            return f" {node.value}"
        return f" {value_text(node, DEPTH * self.style.indent, self.style.indent, self.style)}"

    def container(self, node: Node) -> str:
        if is_empty(node):
            return " {}" if isinstance(node, Mapping) else " []"
        column = DEPTH * self.style.indent + (self.style.dash if isinstance(node, Sequence) else self.style.indent)
        return f"\n{' ' * column}{block(node, column, self.style)}"

    def group(self, members: list[tuple[str, str]], depth: int) -> str:
        if not members:
            return " {}"
        pad = "\n" + " " * (depth * self.style.indent)
        names = self.style.names
        for name, _ in members:
            if name not in names:
                names[name] = f"{key_inline(name, self.style)}:"
        return "".join([f"{pad}{names[name]}{text}" for name, text in members])

    def whole(self, stacks: list[tuple[str, str]]) -> str:
        return self.group([(name, text or " {}") for name, text in stacks], 0).lstrip("\n ") + "\n"


class JsonPages(Pages):
    """Braces; a text behind a key begins with a space."""

    def scalar(self, node: Scalar) -> str:
        return " " + emit_json(node, reveal=self.style.reveal).rstrip("\n")

    def container(self, node: Node) -> str:
        text = emit_json(node, reveal=self.style.reveal, sort_keys=True).rstrip("\n")
        return " " + text.replace("\n", "\n" + "  " * DEPTH)

    def group(self, members: list[tuple[str, str]], depth: int) -> str:
        if not members:
            return " {}"
        pad = "\n" + "  " * depth
        inner = ",".join(f"{pad}{emit_json(Scalar(name, name)).rstrip()}:{text}" for name, text in members)
        return f" {{{inner}{pad[:-2]}}}"

    def whole(self, stacks: list[tuple[str, str]]) -> str:
        return self.group([(name, text or " {}") for name, text in stacks], 1).lstrip(" ") + "\n"


def sections_of(component: Component, chosen: Filter, include_empty: bool) -> Iterator[tuple[str, Node]]:
    """A component's sections, evaluated; one in which nothing waits is the node that others share."""
    run, place = component.run, component.place
    problems: list[Diagnostic] = []
    for name, node in component.root.entries.items():
        if chosen.sections and name not in chosen.sections:
            continue
        if node.live:
            try:
                node = run.finished_section(node, place.child(name))
            except PlaitError as error:
                problems += error.diagnostics
        if name == "env":
            node = shown("env", node)
        if node.__class__ is Scalar or include_empty or not is_empty(node):
            yield name, node  # type: ignore[misc]
    if problems:
        raise PlaitError(*problems)
