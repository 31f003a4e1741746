"""Who depends on whom: what components declare, and whose outputs they read, without evaluating anything."""

from __future__ import annotations

from plait.fronts.stacks.answers import whole
from plait.fronts.stacks.answers.describe import depends_on
from plait.fronts.stacks.language.functions import output_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component

Row = dict[str, object]
Instance = tuple[str, str, str]
"""Stack, type, name."""


def key_of(component: Component) -> Instance:
    return (component.stack, component.type, component.name)


def instances(repository: Repository) -> dict[Instance, Component]:
    """Every component that is deployed and whole, by where it is."""
    return {key_of(component): component for component in whole.deployed(repository)}


def facts_of(component: Component) -> Row:
    """The facts about a component that lists of components show."""
    return {
        "component": component.name, "component_type": component.type,
        "component_path": component.shared.ground.shown(component.path),
        "stack": component.stack, "stack_slug": f"{component.stack}-{component.name.replace('/', '-')}",
    }  # fmt: skip


class Graph:
    """Which components refer to which."""

    def __init__(self, repository: Repository) -> None:
        self.users: dict[tuple[str, str], dict[Instance, tuple[Component, str]]] = {}
        for component in instances(repository).values():
            for (name, stack), cause in self._needs(component).items():
                self.users.setdefault((stack, name), {})[key_of(component)] = (component, cause)

    def _needs(self, component: Component) -> dict[tuple[str, str], str]:
        needs = {(name, stack or component.stack): "it says so" for name, stack in depends_on(component)}
        for call in output_calls(component.root):
            if not component.shared.language.has_template(call.rest):
                words = call.function.read(call.rest)
                needs.setdefault((words.component or component.name, words.stack or component.stack), call.text)
        needs.pop((component.name, component.stack), None)
        return needs

    def dependents(self, component: Component) -> list[Row]:
        """The components that refer to one, each with the reason."""
        users = self.users.get((component.stack, component.name), {})
        return [{**facts_of(user), "cause": cause} for _, (user, cause) in sorted(users.items())]

    def closure(self, component: Component) -> list[Row]:
        """The components that refer to one, each with those that refer to it in turn.

        Each once, where it is met first.
        """
        top: list[Row] = []
        seen = {key_of(component)}
        queue = [(component, top)]
        for one, rows in queue:
            for key, (user, cause) in sorted(self.users.get((one.stack, one.name), {}).items()):
                if key not in seen:
                    seen.add(key)
                    below: list[Row] = []
                    rows.append({**facts_of(user), "cause": cause, "dependents": below})
                    queue.append((user, below))
        return top
