"""The roles in which parts take part in a component: which import, which base component, an override, the configuration.

`merging.account` asks for them when somebody wants to know where a value comes from.
"""

from __future__ import annotations

from plait.core.node import Mapping, Node
from plait.core.role import BASE, CONFIG, IMPORT, LAYER, OVERRIDE, Role, Roles
from plait.fronts.stacks.read.imports import chains_of, files_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.source import Source
    from plait.fronts.stacks.assemble.components import Component


def roles_of(component: Component) -> Roles:
    """The roles of everything that a component is made of."""
    return Roles(_node_roles(component), _source_roles(component))


def _node_roles(component: Component) -> Iterator[tuple[Node, Role]]:
    """Sections of base components and overrides, as they were handed to the merge."""
    layers, manifest = component.layers, component.manifest
    for strategy in {"", layers.strategy()}:
        for base in layers.chain:
            for part in _sections(manifest.component(component.type, base, strategy)):
                yield part, Role(BASE, base)
    for part in _sections(layers.overrides):
        yield part, Role(OVERRIDE)


def _sections(node: Node | None) -> list[Node]:
    return list(node.entries.values()) if isinstance(node, Mapping) else []


def _source_roles(component: Component) -> Iterator[tuple[Source, Role]]:
    """The files: the manifest itself, what it imports, and the configuration."""
    chains = chains_of(component.manifest)
    for file in files_of(component.manifest):
        chain = chains[file.scope.file]
        yield file.source, Role(LAYER, file.name) if len(chain) == 1 else Role(IMPORT, file.name, chain)
    read = component.shared.ground.project.sources
    for path in component.shared.config.files:
        if path in read:
            yield read[path], Role(CONFIG, read[path].name)
