"""Dependencies between components, from their declarations and from the outputs that they read; evaluates nothing."""

from __future__ import annotations

from plait.fronts.stacks.answers import usable
from plait.fronts.stacks.answers.describe import depends_on
from plait.fronts.stacks.answers.kept_rows import Rows
from plait.fronts.stacks.language.manifest_functions import output_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.answers.unknown import Hidden
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.manifest import Manifest

    Links = tuple["Row", dict[tuple[str, str], str]]
    """The facts about a component, and the components that it refers to (name and stack), each with the reason."""

Row = dict[str, object]
Instance = tuple[str, str, str]
"""Stack, type, name."""


def key_of(component: Component) -> Instance:
    return (component.stack, component.type, component.name)


def instances(repository: Repository) -> dict[Instance, Component]:
    """Every deployed component without errors, by its place."""
    return {key_of(component): component for component in usable.deployed(repository)}


def facts_of(component: Component) -> Row:
    """The facts about a component that lists of components show."""
    return {
        "component": component.name, "component_type": component.type,
        "component_path": component.shared.session.shown(component.path),
        "stack": component.stack, "stack_slug": f"{component.stack}-{component.name.replace('/', '-')}",
    }  # fmt: skip


def facts_of_hidden(hidden: Hidden) -> Row:
    """The same about what cannot be shown as a whole; a word stands for what is not known."""
    name = hidden.name or hidden.word
    return {
        "component": name, "component_type": hidden.type or hidden.word, "component_path": hidden.word,
        "stack": hidden.stack, "stack_slug": f"{hidden.stack}-{name.replace('/', '-')}",
    }  # fmt: skip


def links_of(component: Component) -> Links:
    """The components that a component refers to, each with the reason."""
    needs = {(name, stack or component.stack): "it says so" for name, stack in depends_on(component)}
    for call in output_calls(component.root):
        if not component.shared.language.has_template(call.rest):
            words = call.function.read(call.rest)
            needs.setdefault((words.component or component.name, words.stack or component.stack), call.text)
    needs.pop((component.name, component.stack), None)
    return facts_of(component), needs


def deployed_links(repository: Repository) -> list[Links]:
    """The same for every deployed component without errors."""
    return [links_of(component) for component in usable.deployed(repository)]


def kept_links(repository: Repository) -> Rows:
    """The same, reusing the parts of a cached answer that are still valid."""

    def wanted(manifest: Manifest, type: str, name: str) -> bool:
        return not usable.is_abstract(repository, manifest, type, name)

    def compute(components: Iterable[Component]) -> Iterator[tuple[Component, Links]]:
        return ((component, links_of(component)) for component in usable.intact(repository, components))

    return Rows(repository, wanted, lambda component: True, compute)


class Needs:
    """Which components need which, level by level."""

    def __init__(self, links: Iterable[Links]) -> None:
        self._named: dict[tuple[str, str], set[Instance]] = {}
        self._needs: dict[Instance, set[tuple[str, str]]] = {}
        for facts, needs in links:
            stack, type, name = (str(facts[word]) for word in ("stack", "component_type", "component"))
            self._named.setdefault((name, stack), set()).add((stack, type, name))
            self._needs[stack, type, name] = set(needs)

    def forward(self, start: set[Instance], levels: int) -> set[Instance]:
        """Some components, and what they need."""

        def step(one: Instance) -> set[Instance]:
            return {found for need in self._needs.get(one, ()) for found in self._named.get(need, ())}

        return _reached(start, step, levels)

    def backward(self, start: set[Instance], levels: int) -> set[Instance]:
        """Some components, and what needs them."""
        users: dict[tuple[str, str], set[Instance]] = {}
        for one, needs in self._needs.items():
            for need in needs:
                users.setdefault(need, set()).add(one)
        return _reached(start, lambda one: users.get((one[2], one[0]), set()), levels)


def _reached(start: set[Instance], step: Callable[[Instance], set[Instance]], levels: int) -> set[Instance]:
    found, edge = set(start), set(start)
    for _ in range(levels):
        edge = {other for one in edge for other in step(one)} - found
        if not edge:
            break
        found |= edge
    return found


class Graph:
    """Which components refer to which."""

    def __init__(self, links: Iterable[Links]) -> None:
        self.users: dict[tuple[str, str], dict[Instance, tuple[Row, str]]] = {}
        for facts, needs in links:
            instance = tuple(str(facts[name]) for name in ("stack", "component_type", "component"))
            for (name, stack), cause in needs.items():
                self.users.setdefault((stack, name), {})[instance] = (facts, cause)  # type: ignore[index]

    def dependents(self, name: str, stack: str) -> list[Row]:
        """The components that refer to one, each with the reason."""
        return [{**user, "cause": cause} for _, (user, cause) in self._users(stack, name)]

    def _users(self, stack: str, name: str) -> list[tuple[Instance, tuple[Row, str]]]:
        return sorted(self.users.get((stack, name), {}).items(), key=lambda one: one[0])

    def closure(self, component: Component) -> list[Row]:
        """The components that refer to one, each with the components that refer to it in turn.

        Each component appears once, where it is found first.
        """
        top: list[Row] = []
        seen = {key_of(component)}
        queue = [(component.stack, component.name, top)]
        for stack, name, rows in queue:
            for key, (user, cause) in self._users(stack, name):
                if key not in seen:
                    seen.add(key)
                    below: list[Row] = []
                    rows.append({**user, "cause": cause, "dependents": below})
                    queue.append((key[0], key[2], below))
        return top
