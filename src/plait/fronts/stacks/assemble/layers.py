"""What is written about one component, layer by layer: the manifest's root, its type, its bases, the component
itself, its overrides."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Key, Mapping, Node, Scalar
from plait.fronts.stacks.assemble.bases import Bases
from plait.fronts.stacks.ground.nodes import entry
from plait.fronts.stacks.ground.policies import list_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.assemble.shared import Shared
    from plait.fronts.stacks.read.manifest import Manifest

ROOT, TYPE, BASE, OWN, OVERRIDES = "root", "type", "base", "own", "overrides"
EVERYWHERE = (ROOT, TYPE, BASE, OWN, OVERRIDES)
SECTIONS: dict[str, tuple[str, ...]] = {
    "vars": EVERYWHERE,
    "settings": EVERYWHERE,
    "env": EVERYWHERE,
    "auth": EVERYWHERE,
    "hooks": EVERYWHERE,
    "generate": EVERYWHERE,
    "secrets": (ROOT, BASE, OWN, OVERRIDES),
    "providers": (TYPE, BASE, OWN, OVERRIDES),
    "required_providers": (TYPE, BASE, OWN, OVERRIDES),
    "dependencies": (ROOT, TYPE, BASE, OWN),
    "retry": (BASE, OWN, OVERRIDES),
    "source": (BASE, OWN),
    "provision": (BASE, OWN),
    "test": (BASE, OWN),
    "mocks": (BASE, OWN),
}
"""Which layers make a section, the lowest first."""


class ComponentLayers:
    """The layers of a component in a manifest. `chain` are the bases it inherits from, the lowest first."""

    __slots__ = ("_manifest", "_name", "_shared", "_strategy", "_type", "chain", "overrides", "own", "written")

    def __init__(self, shared: Shared, manifest: Manifest, type: str, name: str) -> None:
        self._shared = shared
        self._manifest = manifest
        self._type = type
        self._name = name
        self._strategy: str | None = None
        own = manifest.component(type, name)
        assert isinstance(own, Mapping)
        self.own = own
        self.chain = Bases(manifest, type, shared).chain(name)
        found = manifest.overrides.of(type, name)
        self.overrides = found if isinstance(found, Mapping) else None
        self.written = self._written("")
        """What is written about the component by section, each part with its layer, the lowest first."""

    def _written(self, strategy: str) -> dict[Key, list[tuple[str, Node]]]:
        """The type's section, the bases, the component itself and its overrides, by section; a null is as if it were
        not there."""
        manifest, type = self._manifest, self._type
        nodes: list[tuple[str, Node | None]] = [(TYPE, manifest.section(type, strategy))]
        nodes += [(BASE, manifest.component(type, name, strategy)) for name in self.chain]
        nodes += [
            (OWN, manifest.component(type, self._name, strategy) if strategy else self.own),
            (OVERRIDES, self.overrides),
        ]
        written: dict[Key, list[tuple[str, Node]]] = {}
        for layer, node in nodes:
            if not isinstance(node, Mapping):
                continue
            for name, part in node.entries.items():
                if part.__class__ is Scalar and part.value is None:
                    continue
                if name in written:
                    written[name].append((layer, part))
                else:
                    written[name] = [(layer, part)]
        return written

    def parts(self, section: str, wanted: tuple[str, ...] = (), strategy: str = "") -> list[Node]:
        """What each layer has of a section, the lowest first."""
        wanted = wanted or SECTIONS[section]
        parts: list[Node] = []
        if ROOT in wanted and (root := self._manifest.section(section, strategy)) is not None:
            parts.append(root)
        written = self.written if not strategy else self._written(strategy)
        parts += [part for layer, part in written.get(section, ()) if layer in wanted]
        return parts

    def strategy(self) -> str:
        """How this component's lists are merged: the highest layer of its settings that has a word for it; empty for
        the usual way."""
        if self._strategy is None:
            found = ""
            root = self._manifest.section("settings")
            parts = [part for _, part in self.written.get("settings", ())]
            for part in parts if root is None else [root, *parts]:
                given = entry(part, "list_merge_strategy")
                if given is not None and given.live:
                    place = self._manifest.place.child("settings").child("list_merge_strategy")
                    given = self._shared.ground.known(given, place)
                if isinstance(given, Scalar) and given.value:
                    list_rule(str(given.value), Label(given.origin))
                    found = str(given.value)
            self._strategy = found if found != self._shared.policies.default else ""
        return self._strategy

    def word(self, name: str, layers: tuple[str, ...]) -> Node | None:
        """A single value: that of the highest layer that has one."""
        for layer, part in reversed(self.written.get(name, ())):
            if layer in layers and not (isinstance(part, Scalar) and part.value == ""):
                return part
        return None
