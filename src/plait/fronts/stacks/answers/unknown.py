"""Manifests and components that cannot be shown as a whole: a value that decides them is not known, or is a mistake.

A stack whose name is not known is listed by the name of its file.
"""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Fault
from plait.core.node import COMPUTED
from plait.fronts.stacks.answers.repository import owners

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.stacks.answers.describe import DescribeFilter
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.report.unknown import UnknownValue


class Hidden:
    """A component that is there, but cannot be shown as a whole; or all of a stack, without a type and a name."""

    __slots__ = ("manifest", "name", "stack", "type", "word")

    def __init__(self, stack: str, word: str, manifest: Manifest | None, type: str = "", name: str = "") -> None:
        self.stack = stack
        self.word = word
        """What is shown instead: `(computed)` if it is not known, `(error)` if a mistake in the files prevents it."""
        self.manifest = manifest
        """None if it cannot be read."""
        self.type = type
        self.name = name


def unknown_parts(repository: Repository, stack: str = "") -> list[UnknownValue]:
    """Those that are known by now: anywhere, or in the manifests of one stack."""
    return repository.broken.unknown_values(owners(repository, stack))


def hidden_parts(repository: Repository) -> list[Hidden]:
    """What cannot be shown as a whole, as far as it is known by now. Errors of whole manifests are only reported."""
    if not repository.broken:
        return []
    manifests = {one.name: one for one in repository.manifests()}
    return [
        one
        for owner, word in list(repository.broken.words())
        for one in _hidden(repository, owner, word, manifests.get(owner[0]))
    ]


def _hidden(repository: Repository, owner: tuple[str, ...], word: str, manifest: Manifest | None) -> Iterator[Hidden]:
    if len(owner) > 1 and manifest is not None:
        yield Hidden(_stack_of(repository, manifest, owner[1], owner[2]), word, manifest, owner[1], owner[2])
    elif word == COMPUTED and manifest is not None:
        for type in manifest.types():
            for name in manifest.names(type):
                yield Hidden(owner[0], word, manifest, type, name)
    elif word == COMPUTED:
        yield Hidden(owner[0], word, None)


def _stack_of(repository: Repository, manifest: Manifest, type: str, name: str) -> str:
    """The stack of a component that has errors; the name of the file if that is not known."""
    index, answer = repository.index, repository.session.answer
    if answer(partial(index.namer.uniform, manifest)):
        return answer(partial(index.name_of_type, manifest, type)) or manifest.name
    try:
        return answer(partial(index.component_in, manifest, type, name)).stack
    except Fault:
        return manifest.name


def hidden_of(parts: list[Hidden], stack: str, chosen: DescribeFilter) -> Iterator[Hidden]:
    """The components of a stack among some parts that are selected."""
    return (one for one in parts if one.stack == stack and one.type and chosen.takes_named(one.type, one.name))


def hidden_stacks(repository: Repository, chosen: str = "") -> list[str]:
    """The stacks whose names are not known, by the names of their files; once the names of all stacks were asked."""
    names = dict.fromkeys(one.stack for one in hidden_parts(repository))
    return [name for name in names if chosen in ("", name) and not repository.manifests_of(name)]
