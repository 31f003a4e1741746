"""Computes the name of a stack: `name` in its manifest, else the template or pattern of the configuration, else its
file.

A template can read a component's vars, so each component could have another stack name. Nearly always all components
have the same name, which is then computed once for the manifest. A name is computed for each component only if a
component or an override may set a value that the name depends on.
"""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Fault, Label, PlaitError
from plait.core.find import entry
from plait.core.node import Inherited, Key, MapNode, Node, Scalar
from plait.core.scope import Place
from plait.core.unknown import fault_of
from plait.evaluate.nowhere import NotThere
from plait.fronts.stacks.assemble.components import Component, base_name
from plait.fronts.stacks.language.view import place_of
from plait.fronts.stacks.read.mentions import Mentions
from plait.fronts.stacks.session.secrets import secret_name
from plait.notations.gotemplate.errors import TemplateFault
from plait.report.catalog import BAD_CONFIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from plait.fronts.stacks.assemble.shared import Shared
    from plait.fronts.stacks.language.templates import Parsed
    from plait.fronts.stacks.read.manifest import Manifest

TOKENS = ("namespace", "tenant", "environment", "stage")
"""What a pattern may be made of."""
SHARED = ("vars", "settings", "env")
UNKNOWN = "<no value>"


class Nameless(Fault):
    """The variables of a manifest do not make a name."""


class Namer:
    """Names stacks by the rules of one configuration."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._session = shared.session
        self._templates = shared.language.templates
        self.template, self.pattern = shared.config.texts_of("stacks", "name_template", "name_pattern")
        self.reads = self._reads()
        """The values that a name depends on; None if it may depend on anything."""
        self.mentions = Mentions(self.reads) if self.reads is not None else None
        self._uniform: dict[Manifest, bool] = {}
        self._names: dict[tuple[Manifest, str], str | PlaitError] = {}
        self._places: dict[tuple[Manifest, str] | Component, Place] = {}
        """Where the values of a name that is being made are seen from: the same place when it is asked for again."""

    def _reads(self) -> list[tuple[str, ...]] | None:
        if self.template:
            parsed = self._parsed()
            paths = parsed.fields
            simple = parsed.tops is not None and all(len(path) > 1 and path[0] in SHARED for path in paths)
            return [path[:2] for path in paths] if simple else None
        return [("vars", token) for token in TOKENS if f"{{{token}}}" in self.pattern]

    def _parsed(self) -> Parsed:
        try:
            return self._templates.parse(self.template)
        except TemplateFault as error:
            node = entry(self._shared.config.tree, "stacks", "name_template") or Scalar(None, "")
            why = f"`stacks.name_template` is not a template: {error.message}"
            raise BAD_CONFIG.error(
                place_of(error, self.template, node), why=why, hint=error.hint or 'for example: "{{ .vars.stage }}"'
            ) from None

    def explicit(self, manifest: Manifest) -> str:
        """The name that a manifest gives itself. It is not inherited."""
        node = manifest.file.section("name") if "name" in manifest.file.keys else None
        if node is not None and node.live:
            node = self._session.finished(node, manifest.file.scope.place)
        if isinstance(node, Scalar) and (node.secret or self._session.secrets.holds(node.value)):
            raise secret_name("the name of a stack", Label(node.origin))
        return str(node.value) if isinstance(node, Scalar) and node.value not in (None, "") else ""

    def uniform(self, manifest: Manifest) -> bool:
        """Whether all components of a manifest surely have one name."""
        known = self._uniform.get(manifest)
        if known is None:
            free = self.mentions is not None and not manifest.may_set(self.mentions)
            known = self._uniform[manifest] = (
                free or bool(self.explicit(manifest)) or not (self.template or self.pattern)
            )
        return known

    def keep(self, present: Collection[Manifest]) -> None:
        """Keep what is known of some manifests alone."""
        self._uniform = {manifest: known for manifest, known in self._uniform.items() if manifest in present}
        self._names = {key: known for key, known in self._names.items() if key[0] in present}
        self._places.clear()

    def of_type(self, manifest: Manifest, type: str) -> str:
        """The stack name of all components of a type; raises PlaitError if it cannot be computed."""
        key = (manifest, type)
        if key not in self._names:
            try:
                self._names[key] = self._made(manifest, key)
            except Fault as error:
                self._names[key] = error
        found = self._names[key]
        if isinstance(found, PlaitError):
            raise found
        return found

    def of(self, component: Component) -> str:
        """The name of a component's stack; raises PlaitError if it cannot be computed."""
        if self.uniform(component.manifest):
            return self.of_type(component.manifest, component.type)
        return self._made(component.manifest, component)

    def tolerant(self, component: Component) -> str:
        """The same, or the name of the file if the variables do not give one."""
        try:
            return self.of(component)
        except Nameless:
            return component.manifest.name

    def _made(self, manifest: Manifest, key: tuple[Manifest, str] | Component) -> str:
        explicit = self.explicit(manifest)
        if explicit:
            return explicit
        if not self.template and not self.pattern:
            return manifest.name
        place = self._places.get(key)
        if place is None:
            root = _own_root(key) if isinstance(key, Component) else self._shared_root(*key)
            place = self._places[key] = Place(node=root)
        name = self._from_template(manifest, place) if self.template else self._from_pattern(manifest, place)
        del self._places[key]
        return name

    def _shared_root(self, manifest: Manifest, type: str) -> MapNode:
        """The sections that a name depends on; all shared sections only if one of its values must be computed."""
        if self.reads is not None:
            root = self._root(manifest, type, tuple(dict.fromkeys(path[0] for path in self.reads)))
            sections = [(root.entries.get(path[0]), path[1]) for path in self.reads]
            if all(section is None or _is_known(section, key) for section, key in sections):
                return root
        return self._root(manifest, type, SHARED)

    def _root(self, manifest: Manifest, type: str, names: tuple[str, ...]) -> MapNode:
        """Sections that all components of a type share."""
        typed = manifest.section(type)
        below = typed.entries if isinstance(typed, MapNode) else {}
        entries: dict[Key, Node] = {}
        for name in names:
            parts = [part for part in (manifest.section(name), below.get(name)) if part is not None]
            node = self._shared.policies.merge(parts, name) if parts else None
            if node is not None:
                entries[name] = node
        return MapNode(entries, live=True)

    def _from_template(self, manifest: Manifest, place: Place) -> str:
        if self.reads is not None:
            data: dict[str, dict[str, object]] = {section: {} for section in SHARED}
            for section, key in self.reads:
                value = self._value(place, (section, key))
                if value is not None:
                    data[section][key] = value
            name = self._rendered(data)
        else:
            assert place.node is not None
            name = self._rendered(self._session.plain(place.node, place))
        if UNKNOWN in name or not name.strip():
            raise Nameless
        return name

    def _rendered(self, data: object) -> str:
        return self._session.secrets.public("the name of a stack", data, partial(self._templates.render, self.template))

    def _value(self, place: Place, path: tuple[str, ...]) -> object:
        """A plain value of the sections, evaluated; None if there is none."""
        try:
            node, at = self._session.evaluator.find(path, place)
            return self._session.plain(node, at)
        except NotThere:
            return None
        except Inherited as failed:
            raise fault_of([failed.failure]) from None

    def _from_pattern(self, manifest: Manifest, place: Place) -> str:
        words = []
        for piece in self.pattern.split("-"):
            token = piece.strip()[1:-1] if piece.startswith("{") and piece.endswith("}") else ""
            if token not in TOKENS:
                continue
            value = self._value(place, ("vars", token))
            if value in (None, ""):
                raise Nameless
            if self._session.secrets.holds(value):
                raise secret_name("the name of a stack")
            words.append(str(value))
        return "-".join(words) if words else manifest.name  # a pattern without a token that means anything


def _is_known(section: Node, key: str) -> bool:
    """Whether a value of a section needs no computing."""
    if not isinstance(section, MapNode):
        return False
    node = section.entries.get(key)
    return node is None or not node.live


def _own_root(component: Component) -> MapNode:
    """The sections of one component that a stack's name can be made of."""
    early = component.early.node
    assert isinstance(early, MapNode)
    entries = dict(early.entries)
    entries["component"] = component.shared.fact(base_name(component))
    own = component.layers.own
    return MapNode(entries, own.source, own.at, None, True)
