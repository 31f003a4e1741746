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
    from collections.abc import Iterable, Iterator

    from plait.core.scope import Place

OWN = frozenset(("vars",))
"""Sections that hardly ever two components share; the texts of others are kept."""
DEPTH = 4
"""How deep a section lies: stack, components, type, component."""


WINDOW = 8
"""How many stacks ask the outside at a time."""
LONG = 400
"""A shared text of this length is not copied: the pieces of a page refer to it."""


class Pages:
    """Writes stacks in one format, in pieces. What differs between the formats is how a key, a value and an end look."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self._kept: dict[int, tuple[Node, str]] = {}
        self._heads: dict[tuple[str, int], str] = {}

    def pieces(self, repository: Repository, chosen: Filter, include_empty: bool = False) -> list[str]:
        """Every stack that is chosen, sorted: pieces of text in order."""
        problems: list[Diagnostic] = []
        out: list[str] = []
        first = True
        for name, components in ahead(repository, chosen):
            types = self.stack(repository, components, chosen, include_empty, problems)
            if types or chosen.empty_stacks:
                self.open(out, name, 0, first)
                self.stack_pieces(out, types)
                first = False
        if problems:
            raise PlaitError(*dict.fromkeys(problems))
        self.close(out, 0, first)
        out.append("\n")
        return out

    def stack(
        self, repository: Repository, components: Iterable[Component], chosen: Filter, include_empty: bool, problems: list[Diagnostic]
    ) -> dict[str, dict[str, list[str]]]:
        """The components of one stack by type and name, each as the pieces of its text."""
        types: dict[str, dict[str, list[str]]] = {}
        evaluator = repository.run.evaluator
        for component in components:
            if not chosen.takes(component):
                continue
            mark = evaluator.mark()
            try:
                types.setdefault(component.type, {})[component.name] = self.component(component, chosen, include_empty)
            except PlaitError as error:
                problems += error.diagnostics
            evaluator.forget({component.place}, mark)
            component.place.release()
        return types

    def stack_pieces(self, out: list[str], types: dict[str, dict[str, list[str]]]) -> None:
        if types:
            self.open(out, "components", 1, True)
        for place, (type, members) in enumerate(sorted(types.items())):
            self.open(out, type, 2, not place)
            for number, name in enumerate(sorted(members)):
                self.open(out, name, 3, not number)
                out += members[name]
            self.close(out, 3, False)
        if types:
            self.close(out, 2, False)
        self.close(out, 1, not types)

    def component(self, component: Component, chosen: Filter, include_empty: bool) -> list[str]:
        """The sections of a component; a long text that others share stays a piece of its own."""
        sections = sorted(sections_of(component, chosen, include_empty))
        out: list[str] = []
        small: list[str] = []
        first = True
        for name, node, own in sections:
            self.open(small, name, DEPTH, first)
            first = False
            text = self.scalar(node) if isinstance(node, Scalar) else self.container(node) if own else self.shared(node)
            if len(text) > LONG and not own:
                out += ("".join(small), text)
                small = []
            else:
                small.append(text)
        self.close(small, DEPTH, first)
        out.append("".join(small))
        return out

    def shared(self, node: Node) -> str:
        """The text behind its key of a container that other components may have too."""
        known = self._kept.get(id(node))
        if known is None:
            known = self._kept[id(node)] = (node, self.container(node))
        return known[1]

    def open(self, out: list[str], key: str, depth: int, first: bool) -> None:
        """A key of a mapping that lies so deep."""
        raise NotImplementedError

    def close(self, out: list[str], depth: int, empty: bool) -> None:
        """The end of a mapping that lies so deep."""
        raise NotImplementedError

    def scalar(self, node: Scalar) -> str:
        raise NotImplementedError

    def container(self, node: Node) -> str:
        raise NotImplementedError


class YamlPages(Pages):
    """Blocks; a text behind a key begins with a space, or with a line end."""

    def open(self, out: list[str], key: str, depth: int, first: bool) -> None:
        head = self._heads.get((key, depth))
        if head is None:
            head = self._heads[key, depth] = f"\n{' ' * (depth * self.style.indent)}{key_inline(key, self.style)}:"
        out.append(head if depth or not first else head[1:])

    def close(self, out: list[str], depth: int, empty: bool) -> None:
        if empty:
            out.append(" {}" if depth else "{}")

    def scalar(self, node: Scalar) -> str:
        if node.value.__class__ is str and is_word(node.value) and not node.secret:
            return f" {node.value}"
        return f" {value_text(node, DEPTH * self.style.indent, self.style.indent, self.style)}"

    def container(self, node: Node) -> str:
        if is_empty(node):
            return " {}" if isinstance(node, Mapping) else " []"
        column = DEPTH * self.style.indent + (self.style.dash if isinstance(node, Sequence) else self.style.indent)
        return f"\n{' ' * column}{block(node, column, self.style)}"


class JsonPages(Pages):
    """Braces; a text behind a key begins with a space."""

    def open(self, out: list[str], key: str, depth: int, first: bool) -> None:
        bracket = ("{" if not depth else " {") if first else ","
        out.append(f"{bracket}\n{'  ' * (depth + 1)}{self._word(key)}:")

    def close(self, out: list[str], depth: int, empty: bool) -> None:
        out.append(("{}" if not depth else " {}") if empty else f"\n{'  ' * depth}}}")

    def _word(self, key: str) -> str:
        if (key, 0) not in self._heads:
            self._heads[key, 0] = emit_json(Scalar(key, key)).rstrip("\n")
        return self._heads[key, 0]

    def scalar(self, node: Scalar) -> str:
        return " " + emit_json(node, reveal=self.style.reveal).rstrip("\n")

    def container(self, node: Node) -> str:
        text = emit_json(node, reveal=self.style.reveal, sort_keys=True).rstrip("\n")
        return " " + text.replace("\n", "\n" + "  " * (DEPTH + 1))


def ahead(repository: Repository, chosen: Filter) -> Iterator[tuple[str, Iterable[Component]]]:
    """The chosen stacks with their components. Where files ask the outside, the calls of several stacks are made before one is waited for."""
    names = repository.chosen_names(chosen)
    evaluator = repository.run.evaluator
    window = WINDOW if repository.run.asks_outside() else 0
    if not window:
        yield from ((name, repository.components_named(name)) for name in names)
    for at in range(0, len(names) if window else 0, window or 1):
        mark = evaluator.mark()
        batch = [(name, [one for one in repository.components_named(name) if chosen.takes(one)]) for name in names[at : at + window]]
        members = [component for _, components in batch for component in components]
        evaluator.begin(task for component in members for task in _wanted(component, chosen))
        yield from batch
        evaluator.forget({component.place for component in members}, mark)


def _wanted(component: Component, chosen: Filter) -> Iterator[tuple[Node, Place]]:
    """The sections of a component that are shown and have something to compute."""
    for name, node in component.root.entries.items():
        if node.live and (not chosen.sections or name in chosen.sections):
            yield node, component.place.child(name)


def sections_of(component: Component, chosen: Filter, include_empty: bool) -> Iterator[tuple[str, Node, bool]]:
    """A component's sections, evaluated, and whether each is its own; one in which nothing waits may be a node that others share."""
    run, place = component.run, component.place
    problems: list[Diagnostic] = []
    for name, node in component.root.entries.items():
        if name == "imports" or (chosen.sections and name not in chosen.sections):
            continue  # what a manifest imports is no matter of its components
        own = node.live or name in OWN
        if node.live:
            try:
                node = run.finished_section(node, place.child(name))
            except PlaitError as error:
                problems += error.diagnostics
        if name == "env":
            node = shown("env", node)
        if node.__class__ is Scalar or include_empty or not is_empty(node):
            yield name, node, own  # type: ignore[misc]
    if problems:
        raise PlaitError(*problems)
