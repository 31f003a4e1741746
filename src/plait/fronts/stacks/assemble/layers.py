"""What is written about one component, layer by layer: the manifest's root, its type, its bases, the component
itself, its overrides."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Key, Mapping, Node, Scalar
from plait.fronts.stacks.assemble.bases import Bases
from plait.fronts.stacks.assemble.parts import BASE, OVERRIDES, OWN, ROOT, TYPE, Parts, Written, by_section
from plait.fronts.stacks.ground.nodes import entry, merged
from plait.fronts.stacks.ground.policies import list_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.assemble.shared import Shared
    from plait.fronts.stacks.read.manifest import Manifest

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


EMPTY = Mapping({})
"""A section that no layer has."""


class Kindred:
    """What the components of one type in a manifest have in common: made once for all of them."""

    __slots__ = ("_facts", "_listed", "_sections", "_strategy", "_typed", "bases", "manifest", "shared", "type")

    def __init__(self, shared: Shared, manifest: Manifest, type: str) -> None:
        self.shared = shared
        self.manifest = manifest
        self.type = type
        self.bases = Bases(manifest, type, shared)
        self._sections: dict[str, Node] = {}
        self._strategy: str | None = None
        self._listed: tuple[str, ...] | None = None
        self._typed: Parts | None = None
        self._facts: dict[str, dict[Key, Node]] = {}

    def section(self, name: str) -> Node:
        """A section of which a component writes nothing: that of its type over the manifest's, over the
        configuration's."""
        node = self._sections.get(name)
        if node is None:
            parts = [*self.shared.configured(name), *self.parts(name, SECTIONS[name])]
            found = merged(parts, self.shared.policies.policy("", name))
            node = self._sections[name] = EMPTY if found is None else found
        return node

    def typed(self, strategy: str = "") -> Parts:
        """What the manifest says about all components of the type, by section."""
        if strategy:
            return by_section([(TYPE, self.manifest.section(self.type, strategy))])
        if self._typed is None:
            self._typed = by_section([(TYPE, self.manifest.section(self.type))])
        return self._typed

    def listed(self) -> tuple[str, ...]:
        """The sections that the manifest may give to a component that does not write them, in its order."""
        if self._listed is None:
            names = (*self.manifest.section_names(), *self.typed())
            self._listed = tuple(dict.fromkeys(str(name) for name in names if name in SECTIONS))
        return self._listed

    def parts(self, name: str, wanted: tuple[str, ...], strategy: str = "") -> list[Node]:
        """What the manifest's root and the type have of a section."""
        root = self.manifest.section(name, strategy) if ROOT in wanted else None
        typed = [part for layer, part in self.typed(strategy).get(name, ()) if layer in wanted]
        return typed if root is None else [root, *typed]

    def strategy(self) -> str:
        """How lists are merged by the settings of the manifest."""
        if self._strategy is None:
            self._strategy = self.strategy_in(self.parts("settings", EVERYWHERE))
        return self._strategy

    def strategy_in(self, settings: list[Node]) -> str:
        """How lists are merged: the highest of some settings that has a word for it; empty for the usual way."""
        found = ""
        for part in settings:
            given = entry(part, "list_merge_strategy")
            if given is not None and given.live:
                place = self.manifest.place.child("settings").child("list_merge_strategy")
                given = self.shared.ground.known(given, place)
            if isinstance(given, Scalar) and given.value:
                list_rule(str(given.value), Label(given.origin))
                found = str(given.value)
        return found if found != self.shared.policies.default else ""

    def facts(self, stack: str) -> dict[Key, Node]:
        """What is known about every component of a stack, in the order in which a component lists it; what it
        knows itself goes where there is an empty map."""
        found = self._facts.get(stack)
        if found is None:
            shared = self.shared
            name, file = shared.fact(stack), shared.fact(self.manifest.name)
            found = self._facts[stack] = {
                "atmos_stack": name,
                "stack": name,
                "atmos_stack_file": file,
                "atmos_manifest": file,
                "component": EMPTY,
                "component_type": shared.fact(self.type),
                "component_info": EMPTY,
                "imports": shared.imports(self.manifest),
                "inheritance": EMPTY,
            }
        return found


class ComponentLayers:
    """The layers of a component in a manifest. `chain` are the bases it inherits from, the lowest first."""

    __slots__ = ("_kindred", "_name", "_strategy", "chain", "overrides", "own", "shared", "typed", "written")

    def __init__(self, kindred: Kindred, name: str) -> None:
        self._kindred = kindred
        self._name = name
        self._strategy: str | None = None
        manifest, type = kindred.manifest, kindred.type
        own = manifest.component(type, name)
        assert isinstance(own, Mapping)
        self.own = own
        self.chain = kindred.bases.chain(name)
        found = manifest.overrides.of(type, name)
        self.overrides = found if isinstance(found, Mapping) else None
        self.typed = kindred.typed()
        """What its type says about all components, by section, each part with its layer."""
        nodes = [manifest.component(type, base) for base in self.chain] if self.chain else []
        self.shared = kindred.shared.written(name, (*nodes, own, self.overrides))
        self.written = self.shared.sections
        """What it says itself, with its bases and its overrides, by section, each part with its layer, the lowest
        first."""

    def _written(self, strategy: str) -> Parts:
        """The same, where lists are merged in another way."""
        manifest, type = self._kindred.manifest, self._kindred.type
        nodes = [manifest.component(type, name, strategy) for name in (*self.chain, self._name)]
        return Written((*nodes, self.overrides)).sections

    def parts(self, section: str, wanted: tuple[str, ...] = (), strategy: str = "") -> list[Node]:
        """What each layer has of a section, the lowest first."""
        wanted = wanted or SECTIONS[section]
        parts = self._kindred.parts(section, wanted, strategy)
        written = self.written if not strategy else self._written(strategy)
        parts += [part for layer, part in written.get(section, ()) if layer in wanted]
        return parts

    def of(self, name: str) -> list[tuple[str, Node]]:
        """What all layers but the manifest's root have under a name, the lowest first."""
        return [*self.typed.get(name, ()), *self.written.get(name, ())]

    def strategy(self) -> str:
        """How this component's lists are merged: the highest layer of its settings that has a word for it; empty for
        the usual way."""
        if "settings" not in self.written:
            return self._kindred.strategy()
        if self._strategy is None:
            self._strategy = self._kindred.strategy_in(self.parts("settings"))
        return self._strategy

    def word(self, name: str, layers: tuple[str, ...]) -> Node | None:
        """A single value: that of the highest layer that has one."""
        for layer, part in reversed(self.of(name)):
            if layer in layers and not (isinstance(part, Scalar) and part.value == ""):
                return part
        return None
