"""The components of a listing that have no errors; the others are recorded and reported with the listing."""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Fault
from plait.fronts.stacks.assemble import bases
from plait.fronts.stacks.ground.nodes import entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.manifest import Manifest


def chosen(
    repository: Repository, components: Iterable[Component], takes: Callable[[Component], bool]
) -> Iterator[Component]:
    """The components that a predicate takes; one that it cannot decide about is broken."""
    for component in components:
        try:
            taken = repository.ground.answer(partial(takes, component))
        except Fault as error:
            repository.broken.component(component.manifest.name, component.name, error)
        else:
            if taken:
                yield component


def is_abstract(repository: Repository, manifest: Manifest, type: str, name: str) -> bool:
    """Whether a component is only there to be inherited from. It is not put together for that."""
    ground = repository.ground
    return ground.answer(lambda: bases.is_abstract(entry(manifest.component(type, name), "metadata"), manifest, ground))


def deployed(repository: Repository) -> Iterator[Component]:
    """The components that are not abstract and whose sections can be put together."""
    real = repository.components(wanted=lambda manifest, type, name: not is_abstract(repository, manifest, type, name))
    return intact(repository, real)


def intact(repository: Repository, components: Iterable[Component]) -> Iterator[Component]:
    """The components whose sections can be put together."""
    return chosen(repository, components, lambda component: component.root is not None)
