"""What is whole among the components that a listing is about; the rest is recorded as broken, and reported
when the listing is printed."""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import PlaitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component


def chosen(
    repository: Repository, components: Iterable[Component], takes: Callable[[Component], bool]
) -> Iterator[Component]:
    """The components that a predicate takes; one that it cannot decide about is broken."""
    for component in components:
        try:
            taken = repository.ground.answer(partial(takes, component))
        except PlaitError as error:
            repository.broken.component(component.manifest.name, component.name, error)
        else:
            if taken:
                yield component


def intact(repository: Repository, components: Iterable[Component]) -> Iterator[Component]:
    """The components whose sections can be put together."""
    return chosen(repository, components, lambda component: component.root is not None)
