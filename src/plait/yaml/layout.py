"""A document with the place of everything in it: what an edit needs to know about the text.

The steps are those of `scan`, with the end of each added. LayoutMembers of a container are worked out only for the
containers that an edit goes through.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import yaml.events as libyaml
from yaml import YAMLError

from plait.core import native
from plait.core.find import MARKS
from plait.core.node import Key, Scalar, key_text
from plait.core.source import Source
from plait.yaml.ambiguous import Ambiguity, Ambiguous
from plait.yaml.events import reading_carefully, reading_quickly, too_deep
from plait.yaml.program import ALIAS, END, MAP, PLAIN, PROPS, SEQ, TEXT, Program, SpannedTexts
from plait.yaml.scan import no_garbage_collection
from plait.yaml.schema import CORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_BLANK = re.compile("[ \t\r\n\x85\u2028\u2029\ufeff]*(?:#[^\r\n]*[ \t\r\n\x85\u2028\u2029]*)*")
_PROPERTY = re.compile(r"(?:!<[^>]*>|[!&][^ \t\r\n]*)[ \t\r\n]*(?:#[^\r\n]*[\r\n]+[ \t\r\n]*)*")
_BLOCK_HEADER = re.compile(r"[|>]([-+0-9]*)")
_TRAILING_BLANK = re.compile(r"[ \t\r\n]*\Z")
NONE = -1
NO_PROPS = (None, None)
MOST_HELD = 20_000
"""Of so many members of a document the places are held; of a larger one, those that were asked for last."""


class Member:
    """One entry or item: the steps of its key and value, where it begins (key, `?` or dash), and where its `:` or
    `-` ends."""

    __slots__ = ("key", "mark", "position", "start", "value")

    def __init__(self, position: int, key: int, value: int, start: int, mark: int) -> None:
        self.position = position
        self.key = key
        self.value = value
        self.start = start
        self.mark = mark

    @property
    def first(self) -> int:
        """Its first step."""
        return self.value if self.key == NONE else self.key


class LayoutMembers(Sequence[Member]):
    """The members of a container. Each is worked out when it is asked for: where it begins, only the one before it
    says."""

    __slots__ = ("_ends", "_layout", "_made", "keys", "step", "values")

    def __init__(self, layout: Layout, step: int) -> None:
        self._layout = layout
        self.step = step
        below: list[int] = []
        child, pairs = step + 1, layout.pairs
        while child < pairs[step]:
            below.append(child)
            child = pairs[child] + 1
        mapping = layout.kind(step) == MAP
        self.keys = below[::2] if mapping else []
        """The steps of the keys, in a mapping."""
        self.values = below[1::2] if mapping else below
        self._made: dict[int, Member] = {}
        self._ends: dict[int, int] = {}
        """Where members end that are worked out."""

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return [self[at] for at in range(*position.indices(len(self.values)))]
        at = position + len(self.values) if position < 0 else position
        if not 0 <= at < len(self.values):
            raise IndexError(position)
        if at not in self._made:
            first = at  # the first one that has to be worked out for this
            while first and self._end(first - 1) is None:
                first -= 1
            for each in range(first, at + 1):
                self._work_out(each)
        return self._made[at]

    def _end(self, position: int) -> int | None:
        """Where a member ends, its value and its colon; None where only its beginning says that."""
        known = self._ends.get(position)
        if known is not None:
            return known
        layout, value = self._layout, self.values[position]
        key = self.keys[position] if self.keys else NONE
        end = layout.end(value)
        if key != NONE and layout.end(key) <= layout.ats[key]:
            return None
        if end > layout.ats[value]:
            return end if key == NONE else max(end, layout.end(key))
        return None if key == NONE else max(end, layout.colon(key, NONE), layout.end(key))

    def _work_out(self, position: int) -> None:
        layout, value = self._layout, self.values[position]
        flow = layout.is_flow(self.step)
        if position:
            at = self._end(position - 1) or 0
        else:
            at = layout.inner(self.step)
            at += 1 if flow and layout.text[at : at + 1] in "[{" else 0
        start = layout.skip(at)
        if flow and layout.text[start : start + 1] == ",":
            start = layout.skip(start + 1)
        key = self.keys[position] if self.keys else NONE
        mark = layout.colon(key, start) if key != NONE else start if flow else start + 1
        self._made[position] = Member(position, key, value, start, mark)
        self._ends[position] = max(layout.end(value), mark, layout.end(key) if key != NONE else 0)


class Layout:
    """One document: the columns of a `Program`, and the end of every step."""

    __slots__ = (
        "_members",
        "_names",
        "_room",
        "ats",
        "careful",
        "closed",
        "ends",
        "flows",
        "kinds",
        "opened",
        "pairs",
        "props",
        "source",
        "text",
        "texts",
    )

    def __init__(self, source: Source, opened: int) -> None:
        self.source = source
        self.text = source.text
        self.opened = opened
        self.closed = opened
        """Where the document begins, after its `---` if it has one, and where it ends."""
        self.careful = False
        """Whether libyaml refuses the text, and the careful reader read it."""
        self.kinds: list[int] | bytes = []
        self.ats: list[int] | memoryview = []
        self.texts: list[str | None] | SpannedTexts = []
        self.props: dict[int, tuple[str | None, str | None]] = {}
        self.ends: list[int] | memoryview = [opened]
        self.pairs: list[int] | memoryview = [0]
        """Of a container the step that closes it, of an END the one that opened it, of all else the step itself."""
        self.flows: bytearray | bytes = b"\0"
        """Odd where a bracket begins or ends a container."""
        self._members: dict[int, LayoutMembers] = {}
        self._room = MOST_HELD
        """How many more may be held."""
        self._names: dict[int, dict[str, int]] = {}

    @classmethod
    def scanned(cls, source: Source, columns: tuple[Any, ...]) -> Layout:
        """A document as the native scanner gives it."""
        layout = cls(source, 0)
        kinds, *numbers, marks, odd, layout.props, layout.opened, layout.closed = columns
        texts = layout.texts = SpannedTexts(source.text, kinds, numbers, marks, odd)
        layout.kinds, layout.flows = kinds, marks
        layout.ats, layout.ends, layout.pairs = texts.ats, texts.ends, texts.pairs
        return layout

    def program(self) -> Program:
        return Program(self.kinds, self.ats, self.texts, self.props)

    def kind(self, step: int) -> int:
        return self.kinds[step] & ~PROPS

    def after(self, step: int) -> int:
        """The step after a node."""
        return self.pairs[step] + 1

    def is_container(self, step: int) -> bool:
        return self.pairs[step] > step

    def is_flow(self, step: int) -> bool:
        return bool(self.flows[step] & 1)

    def is_block(self, step: int) -> bool:
        return self.pairs[step] > step and not self.flows[step] & 1

    def anchor(self, step: int) -> str | None:
        return self.props[step][1] if step in self.props else None

    def inner(self, step: int) -> int:
        """Where a node begins after its tag and anchor."""
        at = self.ats[step]
        for _ in range(2 if step in self.props else 0):
            match = _PROPERTY.match(self.text, at)
            if match is not None:
                at = match.end()
        return min(at, self.end(step)) if not self.is_block(step) else at

    def props_end(self, step: int) -> int:
        """Where a node's tag and anchor end; its beginning where it has none."""
        at = self.ats[step]
        if step not in self.props:
            return at
        return at + len(self.text[at : self.inner(step)].split("#")[0].rstrip())

    def last_leaf(self, step: int) -> int:
        """The step whose text ends a node: itself, a flow collection, or the last thing in a block."""
        if not self.is_block(step):
            return step
        last = self.pairs[step] - 1
        while self.kinds[last] == END:
            if self.flows[last] & 1:
                return self.pairs[last]
            last -= 1
        return last

    def end(self, step: int) -> int:
        """Where a node ends."""
        return self.ends[self.pairs[self.last_leaf(step)]]

    def block_header(self, step: int) -> re.Match[str] | None:
        """The `|` or `>` of a block scalar."""
        if self.kind(step) != TEXT:
            return None
        return _BLOCK_HEADER.match(self.text, self.inner(step))

    def tidy_end(self, step: int) -> int:
        """Where a node's last line of text ends: for a block scalar without the empty lines that are not part of it."""
        leaf = self.last_leaf(step)
        end = self.ends[self.pairs[leaf]]
        header = self.block_header(leaf)
        if header is None:
            return end
        body = self.text[header.start() : end]
        if "+" in header[1]:
            return end - (len(body) - len(body.removesuffix("\n").removesuffix("\r")))
        match = _TRAILING_BLANK.search(body)
        assert match is not None
        return max(header.end(), header.start() + match.start())

    def skip(self, at: int) -> int:
        """The next place that is neither blank nor in a comment."""
        match = _BLANK.match(self.text, at)
        return match.end() if match is not None else at

    def members(self, step: int) -> LayoutMembers:
        """The entries or items of a container, with their places."""
        known = self._members.get(step)
        if known is None:
            known = LayoutMembers(self, step)
            if len(known) > self._room:
                self._members.clear()
                self._room = MOST_HELD
            self._room -= len(known)
            self._members[step] = known
        return known

    def items(self, step: int) -> list[Member]:
        """The items of a list that paths count: marks of the merge are none."""
        return [member for member in self.members(step) if self.props.get(member.value, NO_PROPS)[0] not in MARKS]

    def colon(self, key: int, start: int) -> int:
        """Where a key's colon ends, or -1 for a key without one."""
        at = self.skip(max(self.end(key), start if self.text[start : start + 1] != "?" else start + 1))
        return at + 1 if self.text[at : at + 1] == ":" else NONE

    def names(self, step: int) -> dict[str, int]:
        """The positions of the entries of a mapping by the text of their keys; of `1` and `"1"` the one that is
        text."""
        known = self._names.get(step)
        if known is None:
            keys = enumerate(self.members(step).keys if self.kind(step) == MAP else ())
            plain = [(position, key) for position, key in keys if not self.is_container(key)]
            known = {self.texts[key] or "": position for position, key in plain}
            if len(known) < len(plain):
                known |= {self.texts[key] or "": position for position, key in plain if self.is_text(key)}
            self._names[step] = known
        return known

    def named(self, step: int, name: str) -> Member | None:
        """The entry of a mapping whose key has a text."""
        position = self.names(step).get(name)
        return None if position is None else self.members(step)[position]

    def is_text(self, step: int) -> bool:
        """Whether a scalar is text, and no number or other word of the schema."""
        return self.kind(step) == TEXT or isinstance(CORE.resolve(self.texts[step] or ""), str)

    def entry(self, step: int, key: Key) -> Member | None:
        """The entry of a mapping with just this key: a text, or, for a node, what has the same value."""
        member = self.named(step, key if isinstance(key, str) else key_text(key))
        text = isinstance(key.value if isinstance(key, Scalar) else key, str)
        if member is not None and self.is_text(member.key) is text:
            return member
        return self.numbered(step, key) if isinstance(key, Scalar) else None

    def numbered(self, step: int, key: Scalar) -> Member | None:
        """The entry whose key is not text and has a value, however it is written."""
        for member in self.members(step) if self.kind(step) == MAP else []:
            if not self.is_container(member.key) and not self.is_text(member.key):
                value = CORE.resolve(self.texts[member.key] or "")
                if value == key.value and value.__class__ is key.value.__class__:
                    return member
        return None


def lay_out(source: Source, depth: int = 1000, suspect: Callable[[], Source | None] | None = None) -> list[Layout]:
    """The documents of a text with their places. `suspect` gives a part of a large text in which there is probably a
    mistake: it is read before the whole."""
    with no_garbage_collection():
        found = native.places(source.text, depth) if native.places is not None else None
        if found is not None:
            return [Layout.scanned(source, columns) for columns in found]
        part = suspect() if suspect is not None else None
        if part is not None:
            lay_out(part, depth)
        try:
            return reading_quickly(source, depth, all_documents)
        except YAMLError:
            layouts = reading_carefully(source, depth, all_documents)
    for layout in layouts:
        layout.careful = True
    return layouts


def all_documents(get: Callable[[], Any], source: Source, depth: int) -> list[Layout]:
    layouts: list[Layout] = []
    while True:
        event = get()
        if event.__class__ is libyaml.DocumentStartEvent:
            mark: Any = event.end_mark
            begins = mark.index if event.explicit else layouts[-1].closed if layouts else 0
            layouts.append(_one_document(get, Layout(source, begins), depth))
        elif event.__class__ is libyaml.StreamEndEvent:
            return layouts


def _one_document(get: Callable[[], Any], layout: Layout, depth: int) -> Layout:
    kinds: list[int] = []
    ats: list[int] = []
    texts: list[str | None] = []
    props, flows = layout.props, bytearray()
    ends: list[int] = []
    pairs: list[int] = []
    ambiguity = Ambiguity(layout.source.text)
    flow_level = flow_line = 0
    stack: list[int] = []
    while True:
        event = get()
        kind = event.__class__
        partner, flow = len(kinds), False
        if kind is libyaml.ScalarEvent:
            if event.style:
                ambiguity.check_scalar(event, len(stack))
            if event.tag is None and event.anchor is None:
                kinds.append(TEXT if event.style else PLAIN)
            else:
                props[len(kinds)] = (event.tag, event.anchor)
                kinds.append((TEXT if event.style or event.tag == "!" else PLAIN) + PROPS)
            texts.append(event.value)
        elif kind is libyaml.MappingStartEvent or kind is libyaml.SequenceStartEvent:
            at = len(kinds)
            stack.append(at)
            if len(stack) > depth:
                raise too_deep(layout.source, event.start_mark.index, depth)
            flow = bool(event.flow_style)
            if flow and not flow_level and len(stack) > 1:
                flow_level, flow_line = len(stack), event.start_mark.line
            code = MAP if kind is libyaml.MappingStartEvent else SEQ
            if event.tag is not None or event.anchor is not None:
                props[at] = (event.tag, event.anchor)
                code += PROPS
            kinds.append(code)
            texts.append(None)
        elif kind is libyaml.MappingEndEvent or kind is libyaml.SequenceEndEvent:
            if flow_level == len(stack):
                flow_level = 0
                if event.end_mark.line != flow_line:
                    raise Ambiguous
            partner = stack.pop()
            pairs[partner] = len(kinds)
            flow = bool(flows[partner])
            kinds.append(END)
            texts.append(None)
        elif kind is libyaml.AliasEvent:
            kinds.append(ALIAS)
            texts.append(event.anchor)
        else:
            layout.closed = event.end_mark.index
            layout.kinds, layout.ats, layout.texts = kinds, ats, texts
            layout.ends, layout.pairs, layout.flows = ends, pairs, flows
            return layout
        ats.append(event.start_mark.index)
        ends.append(event.end_mark.index)
        pairs.append(partner)
        flows.append(flow)
