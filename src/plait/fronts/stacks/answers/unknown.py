"""Manifests and components that are not known as a whole, because a value that decides them is not."""

from __future__ import annotations

from plait.fronts.stacks.answers.repository import owners

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.answers.repository import Repository
    from plait.report.unknown import UnknownValue


def unknown_parts(repository: Repository, stack: str = "") -> list[UnknownValue]:
    """Those that are known by now: anywhere, or in the manifests of one stack."""
    return repository.broken.unknown_values(owners(repository, stack))


def unknown_components(repository: Repository, stack: str) -> list[tuple[str, str]]:
    """The components of a stack that are not known, by type and name."""
    if not repository.broken:
        return []
    names = {one.name for one in repository.manifests_of(stack)}
    return [(owner[1], owner[2]) for owner, _ in repository.broken.unknown(names) if len(owner) > 1]
