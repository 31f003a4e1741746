"""Backends that are written and that no component uses: `backend_type` chooses one, and the others are in no result."""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.core.find import word
from plait.core.node import MapNode, Node
from plait.report.catalog import UNUSED_BACKEND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.source import Origin
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component

    Spot = tuple[str, int]
    """A place in a file."""

TYPES = {
    "backend": ("backend_type", "remote_state_backend_type"),
    "remote_state_backend": ("remote_state_backend_type",),
}
"""The sections with backends by type, and the words that choose one."""


def unused_backends(repository: Repository) -> list[Diagnostic]:
    """The backends that no component of any stack uses."""
    use = BackendUse(repository)
    for manifest in repository.manifests():
        use.add(repository.components_of(manifest))
    return use.findings()


class BackendUse:
    """What some components choose of the backends that are written for them."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._used: set[Spot] = set()
        self._other: dict[Spot, tuple[Origin, str, str, str]] = {}
        """The backends that a component did not choose: where, its section, its type, and what was chosen."""

    def add(self, components: Iterable[Component]) -> None:
        for component in components:
            written = component.layers.above_root(TYPES) if component.type == "terraform" else {}
            if any(written.values()):
                try:
                    self._add(self._repository.whole(component), written)
                except Fault:
                    continue  # reported with the component

    def _add(self, component: Component, written: dict[str, list[tuple[str, Node]]]) -> None:
        for section, parts in written.items():
            chosen = [word(component.root, name) for name in TYPES[section]]
            for part in (part for _, part in parts if isinstance(part, MapNode)):
                for key in part.entries:
                    origin = part.key_origin(key)
                    if str(key) in chosen:
                        self._used.add((origin.file, origin.at))
                    else:
                        self._other.setdefault((origin.file, origin.at), (origin, section, str(key), chosen[0]))

    @property
    def has_others(self) -> bool:
        """Whether some backend was not chosen by a component."""
        return bool(self._other)

    def findings(self) -> list[Diagnostic]:
        """One for each backend that no component chose."""
        return [
            UNUSED_BACKEND(
                Label(origin, length=len(kind)),
                path=f"{section}.{kind}",
                why=f"`{TYPES[section][0]}` is `{chosen}`" if chosen else f"no `{TYPES[section][0]}` is set",
                hint=f"set `{TYPES[section][0]}: {kind}` for the components that use it, or remove it",
            )
            for spot, (origin, section, kind, chosen) in self._other.items()
            if spot not in self._used
        ]
