"""The roles in which files take part in a component: the stack's own file, imports with their chains, bases,
overrides, atmos.yaml."""

from __future__ import annotations

from plait.core.node import MapNode, Node
from plait.core.role import BASE, CONFIG, IMPORT, LAYER, OVERRIDE, Role, Roles
from plait.core.source import Source
from plait.fronts.stacks.assemble.shared import CONFIGURED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.manifest import Manifest


def roles_of(component: Component, files: dict[Source, Role] | None = None) -> Roles:
    """The roles of everything that a component is merged from. `files` are those of its files, where they are known."""
    layers, manifest = component.layers, component.manifest
    nodes: list[tuple[Node, Role]] = []
    for name in layers.chain:
        base = manifest.component(component.type, name)
        nodes += [(part, Role(BASE, name)) for part in (base.entries.values() if isinstance(base, MapNode) else ())]
    nodes += [(part, Role(OVERRIDE)) for part in (layers.overrides.entries.values() if layers.overrides else ())]
    configured = [part for name in CONFIGURED for part in component.shared.configured(name)]
    nodes += [(part, Role(CONFIG, part.origin.file)) for part in configured]
    return Roles(nodes, (chains(manifest) if files is None else files).items())


def chains(manifest: Manifest) -> dict[Source, Role]:
    """For each file of a stack, the files that lead to it; of several ways the shortest."""
    roles: dict[Source, Role] = {}
    queue: list[tuple[Manifest, tuple[str, ...]]] = [(manifest, ())]
    for one, above in queue:  # grows while it is walked
        chain = (*above, one.file.scope.file)
        if one.file.source not in roles:
            roles[one.file.source] = Role(IMPORT if above else LAYER, one.name, chain)
            queue.extend((other, chain) for other in one.imports)
    return roles
