"""All stacks as plain data, for a query over them: {STACK: {"components": {TYPE: {NAME: sections}}}}, sorted by key.

What many components share is turned into data once, so that everything of a large repository fits into memory.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import COMPUTED, Container, ListNode, MapNode, Node, Scalar, key_text
from plait.fronts.stacks.answers.describe import DescribeFilter
from plait.fronts.stacks.answers.pages import ahead, by_type, chosen_names, sections_of
from plait.fronts.stacks.answers.repository import Repository
from plait.fronts.stacks.answers.spread import asking_outside
from plait.fronts.stacks.answers.unknown import hidden_of, hidden_parts, hidden_stacks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.fronts.stacks.assemble.components import Component, Member

    Data = dict[str, object]


class SharedData:
    """Finished nodes as plain data with sorted keys. The same node always gives the same object."""

    def __init__(self, reveal: bool) -> None:
        self._reveal = reveal
        self._made: dict[int, tuple[Node, object]] = {}

    def of(self, node: Node) -> object:
        """The data of a node. Without recursion."""
        waiting: list[Node] = [node] if isinstance(node, Container) and id(node) not in self._made else []
        while waiting:
            at = waiting[-1]
            inner = [child for child in _containers(at) if id(child) not in self._made]
            waiting += inner
            if not inner:
                self._made[id(at)] = (at, self._outermost(at))
                waiting.pop()
        return self._known(node)

    def _outermost(self, node: Node) -> object:
        if isinstance(node, MapNode):
            named = {key_text(name): self._known(child) for name, child in node.entries.items()}
            return {name: named[name] for name in sorted(named)}
        return [self._known(child) for child in node.items] if isinstance(node, ListNode) else None

    def _known(self, node: Node) -> object:
        if isinstance(node, Scalar):
            return node.mask if node.secret and not self._reveal else node.value
        return self._made[id(node)][1]


def _containers(node: Node) -> Iterable[Node]:
    """The maps and lists directly below a node."""
    below: Iterable[Node] = ()
    if isinstance(node, MapNode):
        below = node.entries.values()
    elif isinstance(node, ListNode):
        below = node.items
    return (child for child in below if isinstance(child, Container))


def gathered(repository: Repository, chosen: DescribeFilter, include_empty: bool, reveal: bool) -> Data:
    """Every selected stack with its components. Components with errors are recorded, and a word stands for each."""
    data = SharedData(reveal)
    stacks: Data = {}
    names = chosen_names(repository, chosen)
    asking, each = bool(asking_outside(repository, names)), repository.components_named
    for name, components in zip(names, ahead(repository, names, chosen, asking, each), strict=True):
        types: dict[str, Data] = _types(repository, components, chosen, include_empty, data)
        _add_hidden(repository, name, chosen, types)
        if types or chosen.empty_stacks:
            stacks[name] = {"components": types} if types else {}
    for name in hidden_stacks(repository, chosen.stack):
        types = {}
        _add_hidden(repository, name, chosen, types)
        stacks[name] = {"components": types} if types else COMPUTED
    if not stacks and (problems := repository.problems(chosen.stack)):
        raise Fault(*problems)
    return dict(sorted(stacks.items()))


def _add_hidden(repository: Repository, stack: str, chosen: DescribeFilter, types: dict[str, Data]) -> None:
    """Put a word for each component that cannot be shown as a whole."""
    for hidden in hidden_of(hidden_parts(repository), stack, chosen):
        types.setdefault(hidden.type, {})[hidden.name] = hidden.word


def _types(
    repository: Repository,
    components: Iterable[Component],
    chosen: DescribeFilter,
    include_empty: bool,
    data: SharedData,
) -> dict[str, Data]:
    """The components of one stack, by type and name."""

    def entries(component: Component, asked: list[Member]) -> Data:
        asked.append(component)
        sections = sections_of(component, chosen, include_empty)
        return {name: data.of(sections[name]) for name in sorted(sections)}

    types = by_type(repository, chosen.among(components), entries)
    return {type: dict(sorted(members.items())) for type, members in sorted(types.items())}
