"""The text of a component, put together from lines that are there already.

What a stack gives to all of its components becomes lines once for the stack, what is written about a component becomes
lines once for all stacks, and the lines of its bases are those of its heirs. Only what several of them write is merged
for each component. A component with anything else to compute is left to the usual way, which gives the same text.
"""

from __future__ import annotations

from plait.core.node import Container, MapNode, Scalar
from plait.core.struct import struct
from plait.evaluate.engine import MERGE
from plait.fronts.stacks.answers.values import known_value
from plait.fronts.stacks.assemble.components import written_facts
from plait.fronts.stacks.assemble.section_layers import WRITTEN_FACTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeGuard

    from plait.core.node import Key, Node
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.assemble.layers import ComponentFrame, FramedComponent
    from plait.fronts.stacks.assemble.section_layers import WrittenLayers

MANY = 2048
"""For how many components the lines of what is written about them are kept, and how many sections of them."""
WORKSPACE = "workspace"
NOT_BY_LINE = frozenset(("env",))
"""Sections that do not show everything that they have."""


@struct
class SectionWriter:
    """How sections of components, and single lines of them, become text."""

    order: Callable[[dict[Key, Node]], list[Key]]
    """The names of the sections that are shown, in order."""
    sections: Callable[[list[Key], dict[Key, Node]], list[str]]
    """Some sections in which there is nothing to compute."""
    word: Callable[[str, Scalar], str]
    """A section that is one word, which no other component has."""
    member: Callable[[str, Node, bool], str]
    """A line of a section, of a value that was merged for one component, or that others may have, too."""
    of_lines: Callable[[str, dict[Key, str]], str]
    """A section of lines that are there already."""
    is_long: Callable[[str], bool]
    """Whether a text is to stay a piece of its own."""


class SectionLines:
    """One side of a section: what it is made of, and the lines of its values by key."""

    __slots__ = ("lines", "parts", "waiting")

    def __init__(self, parts: list[MapNode], below: SectionLines | None = None) -> None:
        self.parts = parts
        self.lines: dict[Key, str] = dict(below.lines) if below is not None else {}
        self.waiting: dict[Key, list[Node]] = dict(below.waiting) if below is not None else {}
        """What is to be merged where the value depends on the component that asks."""

    def group(self, key: Key) -> list[Node]:
        """What the parts have at a key, the lowest first."""
        return [part.entries[key] for part in self.parts if key in part.entries]


class FrameTexts:
    """The components of a stack that write the same sections: their texts, and where those of each of them go."""

    __slots__ = ("_ends", "backends", "facts", "long", "outer", "sections", "states", "texts", "workspace")

    def __init__(self, outer: MapNode) -> None:
        self.outer = outer
        """What all of them have, as their templates see it."""
        self.texts: list[str] = []
        """What all of them have, as text; and an empty one for what only one of them has."""
        self.long: list[int] = []
        """Which of them stay pieces of their own."""
        self.facts: list[tuple[int, str]] = []
        self.sections: list[tuple[int, str, SectionLines]] = []
        self.backends: list[tuple[int, str]] = []
        self.states: dict[str, list[str]] = {}
        """The texts of the backends, by the name of the state."""
        self.workspace: int | None = None
        self._ends = True

    def add(self, text: str, is_long: bool) -> None:
        """Add what all of them have."""
        if self._ends or is_long:
            self.long += [len(self.texts)] if is_long else []
            self.texts.append(text)
        else:
            self.texts[-1] += text
        self._ends = is_long

    def slot(self) -> int:
        """Where something goes that only one of them has."""
        self.texts.append("")
        self._ends = True
        return len(self.texts) - 1


class WrittenTexts:
    """The texts of what is written about a component: the facts that follow from it, and the lines of its sections."""

    __slots__ = ("facts", "sections")

    def __init__(self, facts: dict[Key, str]) -> None:
        self.facts = facts
        self.sections: dict[str, SectionLines] = {}


class ComposedTexts:
    """Texts of components, by the frame of their stack and by what is written about them."""

    def __init__(self, writer: SectionWriter) -> None:
        self._writer = writer
        self._frames: dict[int, tuple[ComponentFrame, FrameTexts | None]] = {}
        self._written: dict[WrittenLayers, WrittenTexts | None] = {}
        self._facts: dict[WrittenLayers, dict[Key, str]] = {}
        self._inherited: dict[tuple[object, ...], tuple[list[Node], SectionLines | None]] = {}
        """By the name of a section and the identities of its parts, which are kept."""
        self._joint: dict[tuple[object, ...], tuple[list[Node], str | None]] = {}
        """Lines of what both sides of a section write, by the names of the section and the key and by the identities of
        the values, which are kept; None for one that has to be computed."""

    def begin(self) -> None:
        """Begin another stack: what only the last one has is not asked for again."""
        self._frames.clear()

    def texts(self, component: Component) -> tuple[list[str], list[int]] | None:
        """The text of the sections that are shown, in order and in pieces, and which of them are long and shared; None
        for a component that has to be looked at itself."""
        framed = component.framed
        if framed is None:
            return None
        written = framed.written
        around = self._around(component, framed)
        own = self._own(component, written) if around is not None else None
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
        if written.state not in around.states:
            names: list[Key] = [name for _, name in around.backends]
            around.states[written.state] = self._writer.sections(names, framed.backend_sections())
        for (at, _), text in zip(around.backends, around.states[written.state], strict=True):
            texts[at] = text
        if around.workspace is not None:
            texts[around.workspace] = self._writer.word(WORKSPACE, framed.workspace())
        return texts, around.long

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
        differing = {*WRITTEN_FACTS, *writes, *backend, WORKSPACE}
        common = {name: node for name, node in frame.entries.items() if name not in differing}
        made = FrameTexts(MapNode(common, live=True))
        for name in map(str, writer.order(frame.entries)):
            if name in common:
                (text,) = writer.sections([name], common)
                made.add(text, writer.is_long(text))
            elif name in writes:
                low = self._below(component, name, framed.below(name), made.outer)
                if low is None or low.waiting:
                    return None
                made.sections.append((made.slot(), name, low))
            elif name in WRITTEN_FACTS:
                made.facts.append((made.slot(), name))
            elif name in backend:
                made.backends.append((made.slot(), name))
            elif name == WORKSPACE:
                made.workspace = made.slot()
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
        made = WrittenTexts(self._facts_of(component, written.twin or written))
        for name, parts in written.plain or ():
            lines = self._above(component, name, parts)
            if lines is None:
                return None
            made.sections[name] = lines
        return made

    def _facts_of(self, component: Component, first: WrittenLayers) -> dict[Key, str]:
        """The texts of the facts about a component, known of the first one with the same values."""
        if first not in self._facts:
            if len(self._facts) == MANY:
                self._facts.clear()
            facts = written_facts(component)
            self._facts[first] = dict(zip(facts, self._writer.sections(list(facts), facts), strict=True))
        return self._facts[first]

    # Lines

    def _below(self, component: Component, name: str, parts: list[Node], root: MapNode) -> SectionLines | None:
        """The lines of what a stack gives to a section; None if they say more than their values."""
        return self._merged(component, name, parts, root) if _is_by_line(component, name, parts) else None

    def _above(self, component: Component, name: str, parts: list[Node]) -> SectionLines | None:
        """The lines of what is written about a component in a section, for whoever asks: those of all parts but the
        highest, and over them those of the highest. None if they say more than their values."""
        if not _is_by_line(component, name, parts):
            return None
        below = self._of_parts(component, name, parts[:-1])
        return self._over(component, name, below, parts[-1]) if below is not None else None

    def _of_parts(self, component: Component, name: str, parts: list[Node]) -> SectionLines | None:
        """The same of parts that several components may inherit."""
        key = (name, *map(id, parts))
        found = self._inherited.get(key)
        if found is None:
            if len(self._inherited) == MANY:
                self._inherited.clear()
            found = self._inherited[key] = (parts, self._merged(component, name, parts, None))
        return found[1]

    def _merged(self, component: Component, name: str, parts: list[Node], root: MapNode | None) -> SectionLines | None:
        """The lines of some parts, merged, for everybody who sees the same root, or any."""
        made = SectionLines(parts)  # type: ignore[arg-type]
        for key in dict.fromkeys(key for part in made.parts for key in part.entries):
            if not self._lay(component, name, made, key, made.group(key), root):
                return None
        return made

    def _over(self, component: Component, name: str, below: SectionLines, part: Node) -> SectionLines | None:
        """Lines with those of a higher part over them."""
        assert isinstance(part, MapNode)
        made = SectionLines([*below.parts, part], below)
        for key, node in part.entries.items():
            group = [*below.group(key), node] if key in below.lines or key in below.waiting else [node]
            if not self._lay(component, name, made, key, group, None):
                return None
        return made

    def _lay(
        self,
        component: Component,
        name: str,
        made: SectionLines,
        key: Key,
        group: list[Node],
        root: MapNode | None,
    ) -> bool:
        """Put the line of a merged value in its place, or what is to be merged; False where the key is no text."""
        value = self._value(component, name, group, root)
        if value is None or value.live:
            made.waiting[key] = group
            made.lines.pop(key, None)
        else:
            made.lines[key] = self._line(str(key), value)
            made.waiting.pop(key, None)
        return key.__class__ is str

    def _value(self, component: Component, name: str, group: list[Node], root: MapNode | None) -> Node | None:
        """What is merged of some values, as far as they need not be computed; None if one has to be. What a single
        value is over need not be known."""
        shared, known = component.shared, group
        if group[-1].__class__ is not Scalar and any(node.live for node in group):
            known = []
            for node in group:
                value = known_value(shared.session, node, root) if node.live else node
                if value is None or value.live:
                    return None
                known.append(value)
            if len(known) > 1:
                shared.session.evaluator.meter.make(MERGE)
        return shared.policies.merge(known, name)

    def _line(self, key: str, node: Node) -> str:
        return self._writer.member(key, node, isinstance(node, Container) and bool(node.parts))

    def _section(
        self, component: Component, name: str, low: SectionLines, high: SectionLines, root: MapNode
    ) -> str | None:
        """A section of the lines of both sides; None if something in it has to be computed."""
        lines = low.lines | high.lines
        for key, group in high.waiting.items():
            if key not in low.lines:
                value = self._value(component, name, group, root)
                if value is None or value.live:
                    return None
                lines[key] = self._line(str(key), value)
        both = low.lines.keys() & high.lines.keys()
        for key in both | (low.lines.keys() & high.waiting.keys()) if high.waiting else both:
            line = self._of_both(component, name, key, [*low.group(key), *high.group(key)])
            if line is None:
                return None
            lines[key] = line
        return self._writer.of_lines(name, lines) if lines else None

    def _of_both(self, component: Component, name: str, key: Key, group: list[Node]) -> str | None:
        """The line of what both sides write at a key; None if it has to be computed."""
        by = (name, key, *map(id, group))
        found = self._joint.get(by)
        if found is None:
            if len(self._joint) == MANY:
                self._joint.clear()
            value = component.shared.policies.merge(group, name)
            line = self._line(str(key), value) if value is not None and not value.live else None
            found = self._joint[by] = (group, line)
        return found[1]


def _is_by_line(component: Component, name: str, parts: list[Node]) -> bool:
    """Whether a section of some parts is merged key by key, and the parts say nothing else."""
    return component.shared.policies.is_usual(name) and all(map(_is_plain, parts))


def _is_plain(node: Node) -> TypeGuard[MapNode]:
    """Whether a node is a map that says nothing about how it is merged."""
    return isinstance(node, MapNode) and node.tag is None and not node.alone
