"""The layers of one component: the root of the manifest, the type, the bases, the component itself, and overrides."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import entry
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, is_null
from plait.core.struct import struct
from plait.fronts.stacks.assemble.bases import Bases
from plait.fronts.stacks.assemble.section_layers import (
    BACKENDS,
    BASE,
    EVERYWHERE,
    FOR_ALL,
    NO_SECTIONS,
    OF_THE_NEAREST,
    OTHER_KEYS,
    ROOT,
    TYPE,
    Parts,
    WrittenLayers,
    by_section,
    is_for,
    layers_of,
)
from plait.fronts.stacks.assemble.shared import CONFIGURED, EMPTY, Shared
from plait.fronts.stacks.session.policies import list_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.fronts.stacks.read.manifest import Manifest


@struct
class ComponentFrame:
    """A component of a stack with everything that others have too which write the same sections."""

    entries: dict[Key, Node]
    default: bool
    """Whether the workspace is always terraform's own."""
    live: bool
    """Whether there is something to compute in a section that such a component does not write."""


class WrittenNodes(dict[str, "Node | None"]):
    """What is written about each component of one type in a manifest itself, found when it is asked for."""

    __slots__ = ("_manifest", "_type")

    def __init__(self, manifest: Manifest, type: str) -> None:
        super().__init__()
        self._manifest = manifest
        self._type = type

    def __missing__(self, name: str) -> Node | None:
        node = self[name] = self._manifest.component(self._type, name)
        return node


class Members:
    """The components of one type in a manifest, by what is written about each."""

    __slots__ = ("_manifest", "_nodes", "_overridden", "_shared", "_type", "bases")

    def __init__(self, shared: Shared, manifest: Manifest, type: str) -> None:
        self._shared = shared
        self._manifest = manifest
        self._type = type
        self._nodes = WrittenNodes(manifest, type)
        self._overridden: bool | None = None
        """Whether there are overrides, once that is known."""
        self.bases = Bases(manifest, type, shared)

    def written(self, name: str) -> WrittenLayers:
        """What is written about a component, its bases and its overrides; known if another stack has the same."""
        own = self._nodes[name]
        assert isinstance(own, MapNode)
        if self._overridden is None:
            self._overridden = self._manifest.overrides.exist()
        found = self._manifest.overrides.of(self._type, name) if self._overridden else None
        overrides = found if isinstance(found, MapNode) else None
        key = (self._type, name, id(own))
        known = self._shared.known.written.get(key)
        if known is None or known.nodes[-1] is not overrides or not self._fits(known):
            known = self._shared.known.remember(key, self._found(name, own, overrides))
        return known

    def _fits(self, known: WrittenLayers) -> bool:
        """Whether the bases of a component in another manifest are also those of the same one in this one."""
        if not known.fixed_bases:
            return False
        for base, node in zip(known.chain, known.nodes, strict=False):  # noqa: SIM110  every component asks
            if self._nodes[base] is not node:
                return False
        return True

    def _found(self, name: str, own: MapNode, overrides: MapNode | None) -> WrittenLayers:
        """What is written about a component in this manifest; over what is known of its base, if it names one."""
        base, known = _only_base(own), self._shared.known
        if base is not None:
            for one in reversed(self._unknown(base)):
                self.written(one)
            nearest = known.written.get((self._type, base, id(self._nodes[base])))
            if nearest is not None and self._fits(nearest):
                return known.heir((self._type, name), own, overrides, base, nearest)
        is_replaced = self._shared.policies.default == "replace"  # then the last time counts alone
        chain = self.bases.chain(name) if is_replaced else self.bases.applied(name)
        return WrittenLayers(chain, (*map(self._nodes.__getitem__, chain), own, overrides))

    def _unknown(self, base: str | None) -> list[str]:
        """A base and those below it of which it is not known what is written about them, the highest first, as far as
        each names one base; none where one is missing or inherits from itself."""
        found: dict[str, None] = {}
        while base is not None:
            node = self._nodes[base]
            if base in found or not isinstance(node, MapNode):
                return []
            if (self._type, base, id(node)) in self._shared.known.written:
                break
            found[base] = None
            base = _only_base(node)
        return list(found)


class Siblings:
    """The data that the components of one type in a manifest share, computed once."""

    __slots__ = (
        "_backends",
        "_below",
        "_facts",
        "_listed",
        "_sections",
        "_strategy",
        "_typed",
        "_usual",
        "frames",
        "manifest",
        "members",
        "shared",
        "started",
        "type",
    )

    def __init__(self, shared: Shared, manifest: Manifest, type: str) -> None:
        self.shared = shared
        self.manifest = manifest
        self.type = type
        self.members = Members(shared, manifest, type)
        self._sections: dict[str, Node] = {}
        self._below: dict[str, list[Node]] = {}
        self._strategy: str | None = None
        self.started = False
        """Whether a component was put together, or several will be: one alone makes nothing for others."""
        self.frames: dict[tuple[str, tuple[Key, ...]], ComponentFrame] = {}
        """By stack and by the sections that a component writes."""
        self._listed: tuple[str, ...] | None = None
        self._typed: Parts | None = None
        self._backends: dict[str, dict[Key, Node]] | None = None
        self._facts: dict[str, dict[Key, Node]] = {}
        self._usual: bool | None = None

    def are_usual(self) -> bool:
        """Whether the manifest says nothing about metadata and how lists are merged."""
        if self._usual is None:
            self._usual = not isinstance(self.manifest.section("metadata"), MapNode) and not self.strategy()
        return self._usual

    def sections(self, names: list[str]) -> dict[str, Node]:
        """Sections of which a component writes nothing: those of its type over the manifest's, over the
        configuration's."""
        for name in names:
            if name not in self._sections:
                parts = self.below(name)
                self._sections[name] = (self.shared.policies.merge(parts, name) if parts else None) or EMPTY
        return {name: self._sections[name] for name in names}

    def below(self, name: str) -> list[Node]:
        """The parts of a section below those that a component writes itself."""
        parts = self._below.get(name)
        if parts is None:
            parts = self._below[name] = [
                *_configured(self.shared, name),
                *self.section_values(name, layers_of(name, self.type)),
            ]
        return parts

    def typed(self) -> Parts:
        """The values that the manifest sets for all components of the type, by section."""
        if self._typed is None:
            self._typed = by_section([(TYPE, self.manifest.section(self.type))])
        return self._typed

    def backends(self) -> dict[str, dict[Key, Node]]:
        """The backends of components that do not configure one themselves, by the name of their state."""
        if self._backends is None:
            typed = self.typed()
            self._backends = self.shared.known.backends([part for name in BACKENDS for _, part in typed.get(name, ())])
        return self._backends

    def listed(self) -> tuple[str, ...]:
        """The sections that the manifest may give to a component that does not write them, in its order."""
        if self._listed is None:
            at_root = (name for name in self.manifest.section_names() if ROOT in layers_of(name, self.type))
            others = OTHER_KEYS.get(self.type, NO_SECTIONS)
            typed = (str(name) for name in self.typed() if name not in others)
            self._listed = tuple(dict.fromkeys((*at_root, *typed)))
        return self._listed

    def section_values(self, name: str, wanted: tuple[str, ...]) -> list[Node]:
        """The values of a section in the root of the manifest and in the type."""
        root = self.manifest.section(name) if ROOT in wanted else None
        typed = [part for layer, part in self.typed().get(name, ()) if layer in wanted]
        return typed if root is None else [root, *typed]

    def strategy(self) -> str:
        """How lists are merged by the settings of the manifest."""
        if self._strategy is None:
            self._strategy = _unless_default(self.shared, self.strategy_in(self.section_values("settings", EVERYWHERE)))
        return self._strategy

    def strategy_in(self, settings: Iterable[Node]) -> str:
        """How lists are merged, as the highest of some settings says that has a word about it; empty where none
        has."""
        found = ""
        for part in settings:
            given = entry(part, "list_merge_strategy")
            if given is not None and given.live:
                place = self.manifest.place.child("settings").child("list_merge_strategy")
                given = self.shared.session.known(given, place)
            if isinstance(given, Scalar) and given.value:
                list_rule(str(given.value), Label(given.origin))
                found = str(given.value)
        return found

    def facts(self, stack: str) -> dict[Key, Node]:
        """What is known about every component of a stack, in the order in which a component lists it; what it
        knows itself goes where there is an empty map."""
        if stack not in self._facts:
            self._facts[stack] = self.shared.facts_of_stack(stack, self.manifest, self.type)
        return self._facts[stack]


def _unless_default(shared: Shared, strategy: str) -> str:
    """Return a strategy for lists; empty if it is that of the configuration."""
    return strategy if strategy != shared.policies.default else ""


def _configured(shared: Shared, name: str) -> list[Node]:
    """The values that atmos.yaml sets in a section of every component."""
    return shared.configured(name) if name in CONFIGURED else []


class ComponentLayers:
    """The layers of a component in a manifest. `chain` are the bases it inherits from, the lowest first."""

    __slots__ = (
        "_name",
        "_siblings",
        "_strategy",
        "chain",
        "overrides",
        "own",
        "shared",
        "typed",
    )

    def __init__(self, siblings: Siblings, name: str) -> None:
        self._siblings = siblings
        self._name = name
        self._strategy: str | None = None
        self.shared = known = siblings.members.written(name)
        own, overrides = known.nodes[-2:]
        assert isinstance(own, MapNode)
        self.own = own
        self.typed = siblings.typed()
        """The values that the type sets for all components, by section, each part with its layer."""
        self.overrides = overrides if isinstance(overrides, MapNode) else None
        self.chain = known.chain

    @property
    def written(self) -> Parts:
        """The values of the component itself, its bases and its overrides, by section, each part with its layer, the
        lowest first."""
        known = self.shared.known_sections
        return self.shared.sections() if known is None else known

    def section_values(self, section: str, wanted: tuple[str, ...] = ()) -> list[Node]:
        """The values of a section in each layer, the lowest first."""
        wanted = wanted or layers_of(section, self._siblings.type)
        parts = self._siblings.section_values(section, wanted)
        parts += [part for layer, part in self.written.get(section, ()) if layer in wanted]
        return parts

    def sections(self, names: list[str], strategy: str) -> dict[str, Node]:
        """The sections that the component defines, merged; an empty map if no layer has one."""
        siblings, made = self._siblings, dict[str, Node]()
        bases = self._bases_merged() if strategy or self._says_how else None
        for name in names:
            wanted = layers_of(name, siblings.type)
            if bases is not None:
                parts = self._layer_by_layer(name, wanted, bases)
            else:
                parts = [*_configured(siblings.shared, name), *self.section_values(name, wanted)]
            made[name] = siblings.shared.policies.merge(parts, name, strategy) or EMPTY
        return made

    @property
    def _says_how(self) -> bool:
        """Whether the component or a base says how lists are merged."""
        return any(entry(part, "list_merge_strategy") is not None for _, part in self.written.get("settings", ()))

    def _layer_by_layer(self, name: str, wanted: tuple[str, ...], bases: list[tuple[Node | None, str]]) -> list[Node]:
        """The values of a section where not all lists are merged in the same way: what the manifest says, what all
        bases say, and the component's own. Files, and a manifest with its type, are merged in the usual way."""
        siblings = self._siblings
        below = [siblings.sections([name])[name]] if siblings.below(name) else []
        inherited = self._inherited(name, bases) if BASE in wanted else None
        own = [part for layer, part in self.written.get(name, ()) if layer in wanted and layer != BASE]
        return [*below, *([inherited] if inherited is not None else ()), *own]

    def _bases_merged(self) -> list[tuple[Node | None, str]]:
        """The bases, the lowest first, each with how its lists are merged over those before it: as its own settings
        say, or else the component's."""
        siblings = self._siblings
        own = [part for layer, part in self.written.get("settings", ()) if layer != BASE]
        usual = siblings.strategy_in(own) or siblings.shared.policies.default
        names = siblings.members.bases.applied(self._name)
        nodes = [siblings.manifest.component(siblings.type, name) for name in names]
        return [(node, siblings.strategy_in(filter(None, [entry(node, "settings")])) or usual) for node in nodes]

    def _inherited(self, name: str, bases: list[tuple[Node | None, str]]) -> Node | None:
        """What the bases say of a section."""
        found: Node | None = None
        for node, strategy in bases:
            part = entry(node, name)
            if part is not None and not is_null(part):
                parts = [one for one in (found, part) if one is not None]
                found = self._siblings.shared.policies.merge(parts, name, strategy)
        return found

    def above_root(self, names: Iterable[str]) -> dict[str, list[tuple[str, Node]]]:
        """The values under some names in all layers except the root of the manifest, the lowest first. Of the bases,
        the nearest one alone has a say about some words."""
        written = self.written
        found = {name: [*self.typed.get(name, ()), *written.get(name, ())] for name in names}
        for name in OF_THE_NEAREST if self.chain else ():
            if found.get(name):
                nearest = entry(self.shared.nodes[-3], name)
                found[name] = [(layer, part) for layer, part in found[name] if layer != BASE or part is nearest]
        return found

    def strategy(self) -> str:
        """How this component's lists are merged: the highest layer of its settings that sets it; empty for
        the usual way."""
        if "settings" not in self.written:
            return self._siblings.strategy()
        if self._strategy is None:
            said = self._siblings.strategy_in(self.section_values("settings"))
            self._strategy = _unless_default(self._siblings.shared, said)
        return self._strategy

    def words(self, names: tuple[str, ...]) -> dict[str, Node]:
        """Single values, each that of the highest layer but the manifest's root that has one."""
        made: dict[str, Node] = {}
        for name, parts in self.above_root(names).items():
            is_for_it = is_for(name, self._siblings.type)
            for layer, part in parts:
                if (is_for_it or layer not in FOR_ALL) and not (isinstance(part, Scalar) and part.value == ""):
                    made[name] = part
        return made


def _only_base(component: MapNode) -> str | None:
    """The name of the base of a component that names one, in metadata and as it is; None for any other component."""
    metadata = component.entries.get("metadata") if "component" not in component.entries else None
    given = metadata.entries.get("inherits") if isinstance(metadata, MapNode) else None
    item = given.items[0] if isinstance(given, ListNode) and len(given.items) == 1 else None
    return item.value if isinstance(item, Scalar) and isinstance(item.value, str) else None
