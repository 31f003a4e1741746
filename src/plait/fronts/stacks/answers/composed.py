"""The text of a component of which several stacks write the same, put together from lines that are there already.

What a stack gives to all of its components becomes lines once for the stack, and what is written about a component
becomes lines once for all stacks. Only what both write is merged for each of them. A component with anything else to
compute is left to the usual way, which gives the same text.
"""

from __future__ import annotations

from plait.core.node import Container, MapNode
from plait.core.struct import struct
from plait.fronts.stacks.answers.values import known_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeGuard

    from plait.core.node import Key, Node
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.assemble.layers import ComponentFrame, FramedComponent
    from plait.fronts.stacks.assemble.section_layers import WrittenLayers

MANY = 2048
"""For how many components the lines of what is written about them are kept."""
WORKSPACE = "workspace"
NOT_BY_LINE = frozenset(("env",))
"""Sections that do not show everything that they have."""


@struct
class SectionWriter:
    """How sections of components, and single lines of them, become text."""

    order: Callable[[dict[Key, Node]], list[Key]]
    """The names of the sections that are shown, in order."""
    section: Callable[[str, Node, dict[Key, Node]], str]
    known_section: Callable[[str, Node], str]
    """A section in which there is nothing to compute."""
    known_member: Callable[[str, Node, bool], str]
    """A line of a section, of a value that was merged for one component, or that others may have, too."""
    of_lines: Callable[[str, dict[Key, str]], str]
    """A section of lines that are there already."""


class SectionLines:
    """One side of a section: what it is made of, and the lines of its values by key."""

    __slots__ = ("lines", "parts", "waiting")

    def __init__(self, parts: list[MapNode]) -> None:
        self.parts = parts
        self.lines: dict[Key, str] = {}
        self.waiting: dict[Key, Node] = {}
        """What depends on the component that asks."""


class FrameTexts:
    """The components of a stack that write the same sections: their texts, and where those of each of them go."""

    __slots__ = ("backends", "facts", "outer", "sections", "texts", "workspace")

    def __init__(self, texts: list[str], outer: MapNode) -> None:
        self.texts = texts
        self.outer = outer
        """What all of them have, as their templates see it."""
        self.facts: list[tuple[int, str]] = []
        self.sections: list[tuple[int, str, SectionLines]] = []
        self.backends: list[tuple[int, str]] = []
        self.workspace: int | None = None


class WrittenTexts:
    """The texts of what is written about a component: the facts that follow from it, and the lines of its sections."""

    __slots__ = ("facts", "sections")

    def __init__(self) -> None:
        self.facts: dict[str, str] = {}
        self.sections: dict[str, SectionLines] = {}


class ComposedTexts:
    """Texts of components, by the frame of their stack and by what is written about them."""

    def __init__(self, writer: SectionWriter) -> None:
        self._writer = writer
        self._frames: dict[int, tuple[ComponentFrame, FrameTexts | None]] = {}
        self._written: dict[WrittenLayers, WrittenTexts | None] = {}

    def begin(self) -> None:
        """Begin another stack: what only the last one has is not asked for again."""
        self._frames.clear()

    def texts(self, component: Component) -> list[str] | None:
        """The text of each section that is shown, in order; None for a component that has to be looked at itself."""
        framed = component.framed
        if framed is None or not component.layers.is_known:
            return None
        around = self._around(component, framed)
        own = self._own(component, framed.written) if around is not None else None
        if around is None or own is None:
            return None
        texts = list(around.texts)
        for at, name in around.facts:
            texts[at] = own.facts[name]
        for at, name, low in around.sections:
            text = self._section(component, name, low, own.sections[name], around.outer)
            if text is None:
                return None
            texts[at] = text
        backend = framed.backend_sections() if around.backends else {}
        for at, name in around.backends:
            texts[at] = self._writer.known_section(name, backend[name])
        if around.workspace is not None:
            texts[around.workspace] = self._writer.section(WORKSPACE, framed.workspace(), {})
        return texts

    # What a stack has

    def _around(self, component: Component, framed: FramedComponent) -> FrameTexts | None:
        frame = framed.frame
        found = self._frames.get(id(frame))
        if found is None:
            found = self._frames[id(frame)] = (frame, self._of_frame(component, framed))  # which keeps its identity
        return found[1]

    def _of_frame(self, component: Component, framed: FramedComponent) -> FrameTexts | None:
        """The texts of a frame; None where not all of its components are alike as texts."""
        frame, written, writer = framed.frame, framed.written, self._writer
        writes = {name for name, _ in written.plain or ()}
        backend = framed.backend_sections()
        if frame.live or not NOT_BY_LINE.isdisjoint(writes):
            return None
        differing = {*written.facts, *writes, *backend, WORKSPACE}
        common = {name: node for name, node in frame.entries.items() if name not in differing}
        order = writer.order(frame.entries)
        made = FrameTexts([""] * len(order), MapNode(common, live=True))
        for at, name in enumerate(map(str, order)):
            if name in common:
                made.texts[at] = writer.section(name, common[name], {})
            elif name in writes:
                low = self._lines(component, name, framed.below(name), made.outer)
                if low is None or low.waiting:
                    return None
                made.sections.append((at, name, low))
            elif name in written.facts:
                made.facts.append((at, name))
            elif name in backend:
                made.backends.append((at, name))
            elif name == WORKSPACE:
                made.workspace = at
        return made

    # What is written

    def _own(self, component: Component, written: WrittenLayers) -> WrittenTexts | None:
        if written not in self._written:
            if len(self._written) == MANY:
                self._written.clear()
            self._written[written] = self._of_written(component, written)
        return self._written[written]

    def _of_written(self, component: Component, written: WrittenLayers) -> WrittenTexts | None:
        """The texts of what is written about a component; None where it is not written plainly."""
        made = WrittenTexts()
        made.facts = {str(name): self._writer.section(str(name), node, {}) for name, node in written.facts.items()}
        for name, parts in written.plain or ():
            lines = self._lines(component, name, parts, None)
            if lines is None:
                return None
            made.sections[name] = lines
        return made

    # Lines

    def _lines(self, component: Component, name: str, parts: list[Node], root: Node | None) -> SectionLines | None:
        """The lines of some parts of a section, merged, for everybody who sees the same root, or any; None if they say
        more than their values."""
        policies, maps = component.shared.policies, [part for part in parts if _is_plain(part)]
        if len(maps) < len(parts) or not policies.is_usual(name):
            return None
        made = SectionLines(maps)
        whole = policies.merge(parts, name)
        for key, node in whole.entries.items() if isinstance(whole, MapNode) else ():
            value = known_value(component.shared.session, node, root) if node.live else node
            if key.__class__ is not str:
                return None
            if value is None or value.live:
                made.waiting[key] = node
            else:
                made.lines[key] = self._line(key, value)
        return made

    def _line(self, key: str, node: Node) -> str:
        return self._writer.known_member(key, node, isinstance(node, Container) and bool(node.parts))

    def _section(
        self, component: Component, name: str, low: SectionLines, high: SectionLines, root: MapNode
    ) -> str | None:
        """A section of the lines of both sides; None if something in it has to be computed."""
        lines = low.lines | high.lines
        for key in low.lines.keys() & (high.lines.keys() | high.waiting.keys() if high.waiting else high.lines.keys()):
            group = [part.entries[key] for part in (*low.parts, *high.parts) if key in part.entries]
            node = component.shared.policies.merge(group, name)
            if node is None or node.live:
                return None
            lines[key] = self._line(str(key), node)
        for key, node in high.waiting.items():
            if key not in low.lines:
                value = known_value(component.shared.session, node, root)
                if value is None or value.live:
                    return None
                lines[key] = self._line(str(key), value)
        return self._writer.of_lines(name, lines) if lines else None


def _is_plain(node: Node) -> TypeGuard[MapNode]:
    """Whether a node is a map that says nothing about how it is merged."""
    return isinstance(node, MapNode) and node.tag is None and not node.alone
