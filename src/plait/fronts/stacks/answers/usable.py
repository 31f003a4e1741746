"""The components of a listing that have no errors; the others are recorded and reported with the listing."""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Fault
from plait.core.find import entry
from plait.fronts.stacks.assemble import bases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.manifest import Manifest


def chosen(
    repository: Repository, components: Iterable[Component], takes: Callable[[Component], bool]
) -> Iterator[Component]:
    """The components that a predicate accepts; if it fails for a component, the component is broken."""
    for component in components:
        try:
            taken = repository.session.answer(partial(takes, component))
        except Fault as error:
            repository.broken.component(component.manifest.name, component.type, component.name, error)
        else:
            if taken:
                yield component


def is_abstract(repository: Repository, manifest: Manifest, type: str, name: str) -> bool:
    """Whether a component is abstract, that is, only inherited from. It is not assembled to find this out."""
    session = repository.session
    return session.answer(
        lambda: bases.is_abstract(entry(manifest.component(type, name), "metadata"), manifest, session)
    )


def deployed(repository: Repository) -> Iterator[Component]:
    """The components that are not abstract and can be assembled."""
    real = repository.components(wanted=lambda manifest, type, name: not is_abstract(repository, manifest, type, name))
    return intact(repository, real)


def intact(repository: Repository, components: Iterable[Component]) -> Iterator[Component]:
    """The components that can be assembled."""
    return chosen(repository, components, lambda component: component.root is not None)
