"""What the texts of files write at places of components: no manifest is put together for that.

A plain value is that of the highest layer that writes one: the root of the manifests, the section of the type, the
bases, the component's own entry. In each of these, it is that of the file that is merged last.
"""

from __future__ import annotations

from functools import cached_property

from plait.core.diagnostic import Fault
from plait.core.node import MapNode, Node, Scalar
from plait.fronts.stacks.answers.reached import is_written, named_in
from plait.fronts.stacks.config.sections import TYPES
from plait.fronts.stacks.session.reader import READER
from plait.yaml.build import Reading
from plait.yaml.outline import Outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from plait.core.path import Path, Places
    from plait.core.source import Source
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.repository import Repository
    from plait.yaml.program import Program

    Layer = tuple[str, str] | str
    """A part of files that components get values from: an entry, the section of a type, or `ROOT`."""
    Stacks = Mapping[str, Sequence[str]]
    """The files of each stack, in the order in which they are merged."""

ROOT = ""
WIDE = ("list_merge_strategy", "templates", "_workspace", "spacelift", "atlantis", "overrides")
"""Words with which a value may decide how others are merged, computed or named."""
ESCAPES = ("\\x", "\\u", "\\U")
"""With these they may be written in another way."""


class Unsure:
    """Says that a value has to be computed."""


class WrittenTemplate(Unsure):
    """A template that is all that an entry of a file says at a place."""

    __slots__ = ("entry", "names", "path")

    def __init__(self, path: str, entry: Entry, names: Places) -> None:
        self.path = path
        self.entry = entry
        self.names = names
        """What it names."""


UNSURE = Unsure()
TEMPLATE_TAG = "!template"
NOTHING: dict[int, Node | Unsure] = {}
NO_RANKS: frozenset[int] = frozenset()


def is_wide(text: str) -> bool:
    """Whether a value in a text may decide more than itself."""
    return any(map(text.__contains__, WIDE)) or ("\\" in text and any(map(text.__contains__, ESCAPES)))


def ranks_of(stacks: Stacks) -> dict[str, dict[str, int]]:
    """The stacks that each file is in, with its place among the files of each."""
    found: dict[str, dict[str, int]] = {}
    for stack, paths in stacks.items():
        for rank, path in enumerate(paths):
            found.setdefault(path, {})[stack] = rank
    return found


class WrittenValues:
    """What some texts write. Those of a few files may be otherwise in another state: they are asked about together."""

    def __init__(self, repository: Repository, texts: Mapping[str, Source], ranks: dict[str, dict[str, int]]) -> None:
        self._project = repository.session.project
        self._configured = repository.index.shared.configured
        self.texts = texts
        self.ranks = ranks
        self._reading = Reading(READER.schema, text_keys=True)
        self._tops: dict[str, Outline | None] = {}
        self._layers_in: dict[str, list[Layer]] = {}
        self._paths: dict[Path, dict[Layer, list[str]]] = {}
        self._written: dict[tuple[Path, Layer], dict[str, dict[int, Node | Unsure]]] = {}
        self._entries: dict[Path, list[Entry]] = {}
        self._ranks_in: dict[str, frozenset[int]] = {}

    def entries(self, place: Path) -> list[Entry]:
        """The entries in which some file writes near a place."""
        if place not in self._entries:
            self._entries[place] = [
                layer for layer in self._near(place[:2]) if isinstance(layer, tuple) and self.at(place, layer)
            ]
        return self._entries[place]

    def at(self, place: Path, layer: Layer) -> dict[str, dict[int, Node | Unsure]]:
        """What files write at a place in one of their parts, by the stacks that they are in, and by their ranks
        there."""
        key = (place, layer)
        if key not in self._written:
            found = self._written[key] = {}
            for path in self._near(place[:2]).get(layer, ()):
                value = self._value_in(path, layer, place)
                if value is not None:
                    for stack, rank in self.ranks.get(path, {}).items():
                        found.setdefault(stack, {})[rank] = value
        return self._written[key]

    def value(
        self, place: Path, layers: Iterable[Layer], stack: str, other: WrittenValues | None = None
    ) -> Node | Unsure | None:
        """What a component of a stack has at a place that gets its values from some layers, the lowest first; in
        another state of some files, if these are given."""
        found = self.parts(place, layers, stack, other)
        if not found:
            return None
        is_plain = isinstance(found[0], Node) if len(found) < 2 else all(isinstance(one, Scalar) for one in found)
        return found[-1] if is_plain else UNSURE

    def parts(
        self, place: Path, layers: Iterable[Layer], stack: str, other: WrittenValues | None = None
    ) -> list[Node | Unsure]:
        """What each of such layers writes at a place, if it does; unsure where that does not decide its value."""
        if self._is_configured(place):
            return [UNSURE]
        gone = other.ranks_in(stack) if other is not None else NO_RANKS
        found: list[Node | Unsure] = []
        for layer in layers:
            here = self.at(place, layer).get(stack, NOTHING)
            if other is not None:
                kept = {rank: value for rank, value in here.items() if rank not in gone}
                here = {**kept, **other.at(place, layer).get(stack, NOTHING)}
            if here:
                found.append(_of_files([*here.values()] if len(here) < 2 else [here[rank] for rank in sorted(here)]))
        return found

    def ranks_in(self, stack: str) -> frozenset[int]:
        """The places of these files among those of a stack."""
        if stack not in self._ranks_in:
            found = (self.ranks.get(path, {}).get(stack) for path in self.texts)
            self._ranks_in[stack] = frozenset([rank for rank in found if rank is not None])
        return self._ranks_in[stack]

    def _is_configured(self, place: Path) -> bool:
        """Whether atmos.yaml may give every component a value near a place."""
        nodes = self._configured(str(place[0]))
        return any(not isinstance(node, MapNode) or place[1] in node.entries for node in nodes)

    @cached_property
    def _computing(self) -> set[str]:
        """The files in which whole sections may be computed."""
        return {path for path, source in self.texts.items() if _may_compute(source.text)}

    def _near(self, place: Path) -> dict[Layer, list[str]]:
        """The files that may write something near a place of a section, by the parts that they have."""
        if place not in self._paths:
            section, key = map(str, place)
            found: dict[Layer, list[str]] = {}
            for path, source in self.texts.items():
                if (key in source.text and section in source.text) or path in self._computing:
                    for layer in self._layers(path):
                        found.setdefault(layer, []).append(path)
            self._paths[place] = found
        return self._paths[place]

    def _value_in(self, path: str, layer: Layer, place: Path) -> Node | Unsure | None:
        """What a part of a file writes at a place; unsure where it writes something above, or computes it."""
        outline, key = self._part(path, layer), str(place[-1])
        for step in map(str, place[:-1]):
            if outline is None or step not in outline:
                return UNSURE if outline is None else None
            outline = outline.below(step)
        if outline is None or key not in outline:
            return UNSURE if outline is None else None
        part = outline.part(key)
        if is_written(part):
            return outline.get(key)
        is_template = isinstance(layer, tuple) and _is_template(part)
        return WrittenTemplate(path, layer, named_in(part.texts)) if is_template else UNSURE  # type: ignore[arg-type]

    def _part(self, path: str, layer: Layer) -> Outline | None:
        """A part of a file; None for one that does not show its keys."""
        outline = self._top(path)
        steps = ("components", *layer) if isinstance(layer, tuple) else (layer,) if layer != ROOT else ()
        for step in steps:
            outline = outline.below(step) if outline is not None else None
        return outline

    def _layers(self, path: str) -> list[Layer]:
        """The parts of a file that components get values from."""
        if path not in self._layers_in:
            self._layers_in[path] = _layers_of(self._top(path))
        return self._layers_in[path]

    def _top(self, path: str) -> Outline | None:
        """A file by its parts; None where it does not show its entries."""
        if path not in self._tops:
            source = self.texts[path]
            try:
                documents = self._project.in_parts(source)
                top = Outline.of(documents[0], source, self._reading) if documents else None
            except Fault:
                top = None
            self._tops[path] = top if isinstance(top, Outline) and _members(top) is not None else None
        return self._tops[path]


def _members(top: Outline) -> dict[str, Outline] | None:
    """The entries of a file, by type; None where it does not show them."""
    if "components" not in top:
        return {}
    types = top.below("components")
    found = {type: types.below(type) for type in types.places} if types is not None else {}
    members = {type: below for type, below in found.items() if below is not None}
    return members if types is not None and len(members) == len(found) else None


def _layers_of(top: Outline | None) -> list[Layer]:
    members = (_members(top) or {}) if top is not None else {}
    types = [type for type in TYPES if type in top] if top is not None else []
    return [ROOT, *types, *((type, name) for type, below in members.items() for name in below.places)]


def _is_template(program: Program) -> bool:
    """Whether a value is one text, rendered where it is asked for, or read as data after that."""
    text, tags = program.texts[0] or "", [tag for tag, _ in program.props.values()]
    return len(program.texts) == 1 and "{{" in text and (tags == [TEMPLATE_TAG] or (not tags and text[:1] != "!"))


def _may_compute(text: str) -> bool:
    """Whether a text may make a whole section or entry in another way, so that its keys are not in the text."""
    return "{{" in text or "\\" in text or text.count("!") > text.count("!env ") + text.count("!env\n")


def _of_files(values: list[Node | Unsure]) -> Node | Unsure:
    """What files say together, the last one merged last. Of anything but single values, that depends on which file
    imports which."""
    is_plain = len(values) < 2 or all(isinstance(one, Scalar) for one in values)
    return UNSURE if not is_plain or any(map(_is_null, values)) else values[-1]


def _is_null(node: Node | Unsure) -> bool:
    return isinstance(node, Scalar) and node.value is None
