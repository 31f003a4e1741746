"""The text of a component, put together from lines that are there already.

What a stack gives to all of its components becomes lines once for the stack, what is written about a component becomes
lines once for all stacks, and the lines of its bases are those of its heirs. Only what several of them write is merged
for each component. A component with anything else to compute is left to the usual way, which gives the same text.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from plait.core.node import MapNode, Scalar
from plait.core.struct import struct
from plait.evaluate.engine import MERGE
from plait.fronts.stacks.answers.values import KnownValues, known_value
from plait.fronts.stacks.assemble.components import written_facts
from plait.fronts.stacks.assemble.section_layers import WRITTEN_FACTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeGuard

    from plait.core.node import Key, Node
    from plait.fronts.stacks.assemble.layers import ComponentFrame, FramedComponent
    from plait.fronts.stacks.assemble.section_layers import WrittenLayers
    from plait.fronts.stacks.assemble.shared import Shared
    from plait.fronts.stacks.session.session import StackSession

    Texts = tuple[str, ...]
    Shape = tuple[tuple[str, ...], tuple[str, ...]]
    """The keys of one side of a section, and those of them that wait."""
    FrameShape = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]
    """The sections that components show, in order; those of them that all have; those about the backend; and those that
    the components write, each with the keys that their stack has in it."""

MANY = 2048
"""For how many components the lines of what is written about them are kept, and how many sections of them."""
WORKSPACE = "workspace"
NOT_BY_LINE = frozenset(("env",))
"""Sections that do not show everything that they have."""


@struct
class SectionWriter:
    """How sections of components, and single lines of them, become text."""

    order: Callable[[Iterable[Key], str], list[Key]]
    """Those of some names of sections of a component of a type that are shown, in order."""
    sections: Callable[[list[Key], dict[Key, Node]], list[str]]
    """Some sections in which there is nothing to compute."""
    word: Callable[[str, str], str]
    """A section that is one word, which no other component has."""
    member: Callable[[str, Node], str]
    """A line of a section."""
    around: Callable[[str], Texts]
    """What is before the lines of a section, between two of them, and after them."""
    is_long: Callable[[str], bool]
    """Whether a text is to stay a piece of its own."""


class SectionLines:
    """One side of a section: what it is made of, and the lines of its values by key."""

    __slots__ = ("_below", "groups", "shape", "texts")

    def __init__(
        self,
        groups: dict[str, list[Node]],
        lines: dict[str, str],
        waiting: dict[str, None],
        below: SectionLines | None = None,
    ) -> None:
        """`groups`: what is written at each key of the highest part, there and in the parts below it, the lowest first.
        `waiting`: the keys at which the value depends on the component that asks; their lines are empty. `below`: the
        same without the highest part, if several components may inherit it."""
        self.groups = groups
        self._below = below
        self.shape: Shape = (tuple(lines), tuple(waiting))
        self.texts: Texts = tuple(lines.values())
        """The lines, in the order of the keys."""

    def lines(self) -> dict[str, str]:
        return dict(zip(self.shape[0], self.texts, strict=True))

    def deciding(self, key: str) -> SectionLines:
        """This side or the lowest one below it that has all which is written at a key, as one of its groups."""
        found = self
        while key not in found.groups and found._below is not None:
            found = found._below
        return found


NOTHING = SectionLines({}, {}, {})


class TextOrder:
    """Where the texts of a component go: those that its stack has, its own, and the lines that both make."""

    __slots__ = ("_common", "joint", "runs")

    def __init__(self, frame: FrameShape, own: tuple[Shape, ...], is_between: bool) -> None:
        names, common, backends, sections = frame
        self.joint = [
            (number, key, key in low)
            for number, ((_, low), (keys, waiting)) in enumerate(zip(sections, own, strict=True))
            for key in keys
            if key in waiting or key in low
        ]
        """The lines that both make, because both have the key or something waits there: the number of the section, the
        key, and whether both have it."""
        texts: list[object] = [*common]
        for name, low in sections:
            texts += ((name, BEFORE), (name, BETWEEN), (name, AFTER), *((name, key) for key in low))
        of_stack = len(texts)
        texts += WRITTEN_FACTS
        for (name, _), (keys, _) in zip(sections, own, strict=True):
            texts += ((name, key) for key in keys)
        texts += (*backends, WORKSPACE, *((sections[number][0], key) for number, key, _ in self.joint))
        places = {text: at for at, text in enumerate(texts)}  # the last one of a line is the one that counts
        lines = {name: sorted({*low, *high}) for (name, low), (high, _) in zip(sections, own, strict=True)}
        runs: list[list[int]] = [[]]
        for name in names:
            if name in lines:
                runs[-1] += _lines_at(places, name, lines[name], is_between)
            elif name in places:
                runs[-1].append(places[name])
            else:
                runs.append([])
        beside, runs = _together(runs, of_stack)
        self._common = [*map(picking, beside)]
        self.runs: list[Callable[[Texts], Texts]] = [*map(picking, runs)]
        """Which texts make a piece, the common ones first; after each but the last there is a long one that all
        components have."""

    def common(self, texts: Texts) -> Texts:
        """The texts that a stack has, as many as are beside each other in one."""
        return tuple(["".join(pick(texts)) for pick in self._common])


BEFORE, BETWEEN, AFTER = range(3)


def _lines_at(places: dict[object, int], name: str, keys: list[str], is_between: bool) -> list[int]:
    """Where the texts of a section are."""
    found = [places[name, BEFORE]]
    for key in keys:
        found += (places[name, key], places[name, BETWEEN]) if is_between else (places[name, key],)
    return [*(found[:-1] if is_between else found), places[name, AFTER]]


def _together(runs: list[list[int]], count: int) -> tuple[list[list[int]], list[list[int]]]:
    """Those of the first so many texts that are beside each other in some runs; and the runs, with one text for each of
    these and the other texts after them."""
    together: list[list[int]] = []
    shorter: list[list[int]] = []
    for run in runs:
        shorter.append([])
        for is_common, places in groupby(run, count.__gt__):
            if is_common:
                shorter[-1].append(~len(together))
                together.append([*places])
            else:
                shorter[-1] += places
    shift = len(together) - count
    return together, [[~at if at < 0 else at + shift for at in run] for run in shorter]


class FrameTexts:
    """The texts that components of a stack have in common which write the same sections."""

    __slots__ = ("_common", "lines", "long", "lows", "orders", "shape", "states", "texts", "values")

    def __init__(self, values: KnownValues) -> None:
        self.values = values
        """What is known of values that wait."""
        self._common: dict[TextOrder, Texts] = {}
        self.shape: FrameShape = ((), (), (), ())
        self.lows: list[SectionLines] = []
        """What is below the sections that they write."""
        self.texts: Texts = ()
        """What all of them have: short sections, and the lines of those that they write."""
        self.long: Texts = ()
        """What all of them have and what stays a piece of its own."""
        self.states: dict[str, Texts] = {}
        """The texts of the backends, by the name of the state."""
        self.orders: dict[tuple[Shape, ...], TextOrder] = {}
        """Where their texts go, by the keys that they write."""
        self.lines: dict[tuple[SectionLines, str], str] = {}
        """Lines that depend on the stack, by all that is written about a component at a key."""

    def common(self, order: TextOrder) -> Texts:
        """What all of them have, as an order takes it."""
        found = self._common.get(order)
        if found is None:
            found = self._common[order] = order.common(self.texts)
        return found


class WrittenTexts:
    """The texts of what is written about a component: the facts that follow from it, and the lines of its sections."""

    __slots__ = ("sections", "shape", "texts")

    def __init__(self, facts: Texts, sections: list[SectionLines]) -> None:
        self.sections = sections
        self.shape = tuple([lines.shape for lines in sections])
        self.texts = facts
        for lines in sections:
            self.texts += lines.texts


class ComposedTexts:
    """Texts of components, by the frame of their stack and by what is written about them."""

    def __init__(self, writer: SectionWriter) -> None:
        self._writer = writer
        self._frames: dict[int, tuple[ComponentFrame, FrameTexts | None]] = {}
        self._written: dict[WrittenLayers, WrittenTexts | None] = {}
        self._facts: dict[WrittenLayers, Texts] = {}
        self._lines: dict[tuple[object, ...], tuple[list[Node], SectionLines | None]] = {}
        """What is written about components in a section, by its name and the identities of its parts, which are
        kept."""
        self._orders: dict[FrameShape, dict[tuple[Shape, ...], TextOrder]] = {}
        self._states: dict[tuple[int, Texts], tuple[object, dict[str, Texts]]] = {}
        """Texts of backends, by the identity of what stacks that have the same share, which is kept, and by the names
        of the sections."""
        self._joint: dict[tuple[object, ...], tuple[list[Node], str]] = {}
        """Lines of what both sides of a section write, by the names of the section and the key and by the identities of
        the values, which are kept."""

    def begin(self) -> None:
        """Begin another stack: what only the last one has is not asked for again."""
        self._frames.clear()

    def pieces(self, framed: FramedComponent) -> list[str] | None:
        """The text of the sections that are shown, in order, in pieces: every second one is long and shared. None for a
        component that has to be looked at itself."""
        found = self._frames.get(id(framed.frame))
        around = found[1] if found is not None else self._around(framed)
        own = self._written.get(framed.written) or self._own(framed) if around is not None else None
        if around is None or own is None:
            return None
        order = around.orders.get(own.shape) or self._order(around, own)
        if order is None:
            return None
        state = framed.written.state
        if state not in around.states:
            names: list[Key] = [*around.shape[2]]
            around.states[state] = tuple(self._writer.sections(names, framed.backend_sections()))
        workspace = self._writer.word(WORKSPACE, framed.workspace())
        texts = (*around.common(order), *own.texts, *around.states[state], workspace)
        if order.joint:
            made = self._joint_lines(framed.siblings.shared, around, own, order)
            if made is None:
                return None
            texts += tuple(made)
        pieces = ["".join(order.runs[0](texts))]
        for long, run in zip(around.long, order.runs[1:], strict=True):
            pieces += (long, "".join(run(texts)))
        return pieces

    def _order(self, around: FrameTexts, own: WrittenTexts) -> TextOrder | None:
        """Where the texts of a component go; None if there is a section without any line."""
        if not all(low or high for (_, low), (high, _) in zip(around.shape[3], own.shape, strict=True)):
            return None
        if len(around.orders) == MANY:
            around.orders.clear()
        between = self._writer.around(WORKSPACE)[BETWEEN]
        order = around.orders[own.shape] = TextOrder(around.shape, own.shape, bool(between))
        return order

    # What a stack has

    def _around(self, framed: FramedComponent) -> FrameTexts | None:
        """The texts of a frame that was not asked for before."""
        frame = framed.frame
        self._frames[id(frame)] = (frame, made := self._of_frame(framed))  # which keeps its identity
        return made

    def _of_frame(self, framed: FramedComponent) -> FrameTexts | None:
        """The texts of a frame; None where not all of its components are alike as texts."""
        frame, writer = framed.frame, self._writer
        writes = {name for name, _ in framed.written.plain or ()}
        backend = framed.backend_sections()
        if frame.live or not NOT_BY_LINE.isdisjoint(writes):
            return None
        differing = {*WRITTEN_FACTS, *writes, *backend, WORKSPACE}
        common = {name: node for name, node in frame.entries.items() if name not in differing}
        names = [str(name) for name in writer.order(frame.entries, framed.type)]
        made = FrameTexts(KnownValues(framed.siblings.shared.session, MapNode(common, live=True)))
        sections = [name for name in names if name in writes]
        for name in sections:
            low = self._below(framed.siblings.shared, name, framed.below(name), made)
            if low is None:
                return None
            made.lows.append(low)
        shown: list[Key] = [name for name in names if name in common]
        texts = dict(zip(map(str, shown), writer.sections(shown, common), strict=True))
        short = tuple([name for name, text in texts.items() if not writer.is_long(text)])
        keys = [low.shape[0] for low in made.lows]
        made.shape = (
            *(tuple(names), short, tuple([name for name in names if name in backend])),
            tuple(zip(sections, keys, strict=True)),
        )
        made.long = tuple([text for name, text in texts.items() if name not in short])
        made.texts = tuple([texts[name] for name in short])
        for name, low in zip(sections, made.lows, strict=True):
            made.texts += (*writer.around(name), *low.texts)
        if len(self._orders) == MANY or len(self._states) == MANY:
            self._orders.clear()
            self._states.clear()
        made.orders = self._orders.setdefault(made.shape, {})
        known = framed.siblings.backends()
        made.states = self._states.setdefault((id(known), made.shape[2]), (known, {}))[1]
        return made

    # What is written

    def _own(self, framed: FramedComponent) -> WrittenTexts | None:
        written = framed.written
        if written not in self._written:
            if len(self._written) == MANY:
                self._written.clear()
            self._written[written] = self._of_written(framed)
        return self._written[written]

    def _of_written(self, framed: FramedComponent) -> WrittenTexts | None:
        """The texts of what is written about a component; None where it is not written plainly."""
        sections: dict[str, SectionLines] = {}
        for name, parts in framed.written.plain or ():
            lines = self._above(framed.siblings.shared, name, parts)
            if lines is None:
                return None
            sections[name] = lines
        shown = [sections[str(name)] for name in self._writer.order(sections, framed.type)]
        return WrittenTexts(self._facts_of(framed), shown)

    def _facts_of(self, framed: FramedComponent) -> Texts:
        """The texts of the facts about a component, known of the first one with the same values."""
        twin = framed.written.twin
        first = twin if twin is not None and twin.plain else framed.written
        if first not in self._facts:
            if len(self._facts) == MANY:
                self._facts.clear()
            facts = written_facts(first, framed.siblings.shared, framed.type, framed.name)
            self._facts[first] = tuple(self._writer.sections(list(WRITTEN_FACTS), facts))
        return self._facts[first]

    # Lines

    def _below(self, shared: Shared, name: str, parts: list[Node], around: FrameTexts) -> SectionLines | None:
        """The lines of what a stack gives to a section; None if they say more than their values, or if one has to be
        computed."""
        if not shared.policies.is_usual(name) or not all(map(_is_plain, parts)):
            return None
        maps: list[MapNode] = parts  # type: ignore[assignment]
        groups: dict[str, list[Node]] = {}
        lines: dict[str, str] = {}
        for key in dict.fromkeys(key for part in maps for key in part.entries):
            if not isinstance(key, str):
                return None
            group = groups[key] = [part.entries[key] for part in maps if key in part.entries]
            value = self._value(shared, name, group, around)
            if value is None:
                return None
            lines[key] = self._writer.member(key, value)
        return SectionLines(groups, lines, {})

    def _above(self, shared: Shared, name: str, parts: list[Node]) -> SectionLines | None:
        """The lines of what is written about a component in a section, for whoever asks: those of each part over those
        of the parts below it, which several components may inherit. None if they say more than their values."""
        known, by = self._lines, (name, *map(id, parts))
        count = len(parts)
        while count and by[: count + 1] not in known:
            count -= 1
        made = known[by[: count + 1]][1] if count else NOTHING
        for at in range(count, len(parts)):
            if len(known) == MANY:
                known.clear()
            made = self._over(shared, name, made, parts[at]) if made is not None else None
            known[by[: at + 2]] = (parts, made)
        return made

    def _over(self, shared: Shared, name: str, below: SectionLines, part: Node) -> SectionLines | None:
        """Lines with those of a higher part over them; None if it says more than its values."""
        if not _is_plain(part):
            return None
        lines, waiting = below.lines(), dict.fromkeys(below.shape[1])
        groups: dict[str, list[Node]] = {}
        for key, node in part.entries.items():
            if not isinstance(key, str):
                return None
            group = groups[key] = [*below.deciding(key).groups[key], node] if key in lines else [node]
            value: Node | None = None
            if key not in waiting or node.__class__ is Scalar:
                value = self._value(shared, name, group, None)
            if value is None:
                lines[key], waiting[key] = "", None
            else:
                lines[key] = self._writer.member(key, value)
                waiting.pop(key, None)
        return SectionLines(groups, lines, waiting, below)

    def _value(self, shared: Shared, name: str, group: list[Node], around: FrameTexts | None) -> Node | None:
        """What is merged of some values, for the components of a stack or for any; None if one has to be computed. What
        a single value is over need not be known."""
        parts = group if group[-1].__class__ is Scalar else _known(shared.session, group, around)
        if parts is None:
            return None
        merged = shared.policies.merge(parts, name) if len(parts) > 1 else parts[0]
        return merged if merged is not None and not merged.live else None

    def _joint_lines(self, shared: Shared, around: FrameTexts, own: WrittenTexts, order: TextOrder) -> list[str] | None:
        """The lines that a stack and a component make together; None if one has to be computed."""
        made: list[str] = []
        known = around.lines
        for number, key, is_both in order.joint:
            deciding = own.sections[number].deciding(key)
            line = known.get((deciding, key))
            if line is None:
                name, group = around.shape[3][number][0], deciding.groups[key]
                if is_both:
                    group = around.lows[number].groups[key] + group
                line = (self._of_both if is_both else self._line)(shared, name, key, group, around)
                if line is None:
                    return None
                known[deciding, key] = line
            made.append(line)
        return made

    def _line(self, shared: Shared, name: str, key: str, group: list[Node], around: FrameTexts) -> str | None:
        """The line of some values at a key; None if one has to be computed."""
        value = self._value(shared, name, group, around)
        return self._writer.member(key, value) if value is not None else None

    def _of_both(self, shared: Shared, name: str, key: str, group: list[Node], around: FrameTexts) -> str | None:
        """The same of what both sides write, known of other stacks where nothing waits."""
        if _is_live(group):
            return self._line(shared, name, key, group, around)
        by = (name, key, *map(id, group))
        found = self._joint.get(by)
        if found is None:
            if len(self._joint) == MANY:
                self._joint.clear()
            line = self._line(shared, name, key, group, around)
            assert line is not None
            found = self._joint[by] = (group, line)
        return found[1]


def _known(session: StackSession, group: list[Node], around: FrameTexts | None) -> list[Node] | None:
    """Some values, for the components of a stack or for any; None if one has to be computed."""
    found = group
    for at, node in enumerate(group):
        if node.live:
            value = known_value(session, node, None) if around is None else around.values.value_of(node)
            if value is None or value.live:
                return None
            if found is group:
                found = [*group]
            found[at] = value
    if found is not group and len(found) > 1:
        session.evaluator.meter.make(MERGE)
    return found


def picking(places: list[int]) -> Callable[[Texts], Texts]:
    """What takes the texts at some places."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda texts: tuple([texts[at] for at in places])


def _is_live(group: list[Node]) -> bool:
    for node in group:  # noqa: SIM110  many components ask
        if node.live:
            return True
    return False


def _is_plain(node: Node) -> TypeGuard[MapNode]:
    """Whether a node is a map that says nothing about how it is merged."""
    return isinstance(node, MapNode) and node.tag is None and not node.alone
