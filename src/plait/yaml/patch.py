"""Edits that change the one span that must change; every other byte stays as it is.

`apply` finds the places of all edits in the text as it is, cuts and pastes, and then reads the result: it must hold
what was there before with just these edits made, or nothing is returned. An edit inside an alias or a merged key is
refused with the place of the anchor, unless the caller says which to change: `aliases="anchor"` edits where the
value is written, for all that refer to it; `aliases="here"` writes the value out where it is seen.
"""

from __future__ import annotations

import json
from copy import copy

from plait.core.diagnostic import Fault, Label, PlaitError
from plait.core.find import entry_key, item_index, position, step_into
from plait.core.node import Key, ListNode, MapNode, Node, Scalar
from plait.core.path import Keyed, Path, Step, WrittenItem, format_path
from plait.core.source import Source
from plait.core.visible import counted
from plait.report.catalog import ALREADY_THERE, CANNOT_EDIT, EDITS_CLASH, IN_ALIAS, THROUGH_SCALAR, UNKNOWN_PATH
from plait.report.near import nearest
from plait.yaml.build import Reading, build
from plait.yaml.edits import Delete, Edit, Insert, Move, Raw, Rename, Replace, Value
from plait.yaml.graft import Graft, New, Owner, Span
from plait.yaml.layout import NONE, Layout, Member, lay_out
from plait.yaml.local_style import column, line_end_of, line_start
from plait.yaml.program import ALIAS, MAP, PLAIN, SEQ
from plait.yaml.scan import scan
from plait.yaml.schema import CORE
from plait.yaml.verify import StepChange, verified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from plait.yaml.program import Program
    from plait.yaml.verify import Piece


class Patched:
    """A text with edits made in it, and its documents, as they were read to verify it."""

    __slots__ = ("_read", "text")

    def __init__(self, text: str, read: Callable[[], list[Program]]) -> None:
        self.text = text
        self._read = read

    @property
    def programs(self) -> list[Program]:
        return self._read()


def apply(
    source: Source | str, edits: Iterable[Edit], *, aliases: str = "refuse", layouts: list[Layout] | None = None
) -> str:
    """The text with all edits made."""
    return patch(Source("(text)", source) if isinstance(source, str) else source, list(edits), aliases, layouts).text


def are_written(source: Source, paths: list[Path]) -> list[bool]:
    """Of each path, whether a value is written where it leads, or would be: not in an alias, nor in a merged key."""
    plan = _Plan((lay_out(source) or [Layout(source, 0)])[0], "refuse")
    return [_is_written(plan, path) for path in paths]


def _is_written(plan: _Plan, path: Path) -> bool:
    for length in (len(path), len(path) - 1):
        try:
            spot = plan.find(path[: max(length, 0)])
        except _Elsewhere:
            return False
        except Fault:  # a new key
            continue
        return not plan.layout.kinds or plan.layout.kinds[spot.step] != ALIAS or length == len(path)
    return False


def patch(source: Source, edits: list[Edit], aliases: str = "refuse", layouts: list[Layout] | None = None) -> Patched:
    """The same, with what was read of it. `layouts` are those of the source, where they are known."""
    layouts = layouts or lay_out(source) or [Layout(source, 0)]
    plans: dict[int, _Plan] = {}
    for edit in edits:
        if edit.document not in plans:
            plans[edit.document] = _Plan(layouts[edit.document], aliases)
        plans[edit.document].add(edit)
    spans = [span for plan in plans.values() for span in plan.spans()]
    changes = {document: plan.changes for document, plan in plans.items()}
    try:
        result, cut = _splice(source, spans), spans
    except Fault:
        if len(edits) == 1:
            raise
        result, cut = _one_by_one(source, edits, aliases), []
    if result == source.text:
        return Patched(result, lambda: [layout.program() for layout in layouts if layout.kinds])
    read = verified(layouts, changes, result, cut)
    if read is None and not result.endswith(("\n", "\r")):
        result += line_end_of(result)  # a block scalar that is now the last thing in the text needs a line end
        read = verified(layouts, changes, result)
    quoted = [_quoted(edit) for edit in edits] if read is None else edits
    if quoted != edits:
        return patch(source, quoted, aliases, layouts)
    if read is None:
        place = min(span.start for span in spans)
        raise CANNOT_EDIT.error(Label.at(source, place), hint="edit the file by hand here")
    made = Patched(result, read)
    _check_anchors(source, spans, made)
    return made


def _check_anchors(source: Source, spans: list[Span], made: Patched) -> None:
    """Refuse an edit that takes away an anchor to which something still refers."""
    gone = [span for span in spans if "&" in source.text[span.start : span.end]]
    if not gone:
        return
    for program in made.programs:
        anchors: set[str | None] = set()
        for step, kind in enumerate(program.kinds):
            name = program.texts[step]
            if kind == ALIAS and name not in anchors:
                hint = f"`*{name}` still refers to this; change or remove that first"
                raise CANNOT_EDIT.error(Label.at(source, gone[0].start), hint=hint)
            if step in program.props:
                anchors.add(program.props[step][1])


def _quoted(edit: Edit) -> Edit:
    """The same edit with a text of several lines in quotes: as a block it would swallow an indented comment below
    it."""
    value = edit.value if isinstance(edit, Replace | Insert) else None
    if not isinstance(edit, Replace | Insert) or not isinstance(value, Scalar) or value.tag is not None:
        return edit
    if not isinstance(value.value, str) or "\n" not in value.value:
        return edit
    quoted = copy(edit)
    quoted.value = Raw(json.dumps(value.value, ensure_ascii=False))
    return quoted


def _one_by_one(source: Source, edits: list[Edit], aliases: str) -> str:
    """Edits whose spans touch, one after the other. The caller verifies what comes of all of them."""
    for edit in sorted(edits, key=_from_the_end):
        source = Source(source.name, apply(source, [edit], aliases=aliases))
    return source.text


def _from_the_end(edit: Edit) -> tuple[tuple[int, ...], int]:
    """Later items first, so that earlier ones keep their places; a new item after what happens to the old one there;
    keys go when others have come."""
    indices = tuple(-step if isinstance(step, int) else 0 for step in edit.path)
    item = bool(edit.path) and isinstance(edit.path[-1], int)
    return indices, (isinstance(edit, Insert) if item else isinstance(edit, Delete))


def _splice(source: Source, spans: list[Span]) -> str:
    spans.sort(key=lambda span: (span.start, span.end, -span.rank))
    pieces: list[str] = []
    at = 0
    for span in spans:
        if span.start < at:
            raise EDITS_CLASH.error(Label.at(source, span.start), hint="make them one after the other")
        pieces += [source.text[at : span.start], span.text]
        at = span.end
    return "".join([*pieces, source.text[at:]])


class _Spot:
    """Where a path leads: the container and member it ends in (None for the root), and the step of its value."""

    __slots__ = ("container", "member", "owner", "step")

    def __init__(self, step: int, container: int, member: Member | None, owner: Owner) -> None:
        self.step = step
        self.container = container
        self.member = member
        self.owner = owner

    @property
    def link(self) -> Owner:
        return None if self.member is None else (self.container, self.member)


class _Plan:
    """The edits of one document, gathered by the containers that they change."""

    def __init__(self, layout: Layout, aliases: str) -> None:
        self.layout = layout
        self.aliases = aliases
        self.graft = Graft(layout)
        self.changes: list[StepChange] = []
        self.gone: dict[int, set[int]] = {}
        self.new: dict[int, dict[int, list[New]]] = {}
        self.owners: dict[int, Owner] = {}
        self.filled: dict[int, tuple[_Spot, list[tuple[Key | None, Value]]]] = {}
        self.copies: dict[Path, tuple[_Elsewhere, list[Edit]]] = {}

    def add(self, edit: Edit) -> None:
        _HOW[edit.__class__](self, edit)

    def spans(self) -> list[Span]:
        """All that is to be cut and pasted."""
        for elsewhere, edits in self.copies.values():
            self.write_out(elsewhere, edits)
        for spot, members in self.filled.values():
            self.put(spot, _container_of(members), None)
        for container in self.owners:
            self.graft.change(
                self.owners[container], container, self.gone.get(container, set()), self.new.get(container, {})
            )
        self.changes.sort(key=lambda change: (change.start, change.stop))
        self.check_apart()
        return self.graft.spans

    def check_apart(self) -> None:
        """No edit may be inside another."""
        covered = 0
        for change in self.changes:
            if change.start < covered:
                self.clash(min(change.start, change.stop - 1))
            covered = max(covered, change.stop)

    def clash(self, step: int) -> None:
        raise EDITS_CLASH.error(
            Label.at(self.layout.source, self.layout.ats[step]), hint="make them one after the other"
        )

    # One edit

    def replace(self, edit: Replace) -> None:
        spot = self.find_or_copy(edit.path, edit)
        if spot is not None:
            self.put(spot, edit.value, edit.comment)

    def put(self, spot: _Spot, value: Value, comment: str | None) -> None:
        if spot.member is None:
            self.graft.replace_root(value)
            self.changes.append(StepChange(0, len(self.layout.kinds), [_piece(value)]))
            return
        self.graft.replace(spot.container, spot.member, value, comment)
        self.changes.append(StepChange(spot.step, self.layout.after(spot.step), [_piece(value)]))

    def insert(self, edit: Insert) -> None:
        spot = self.find_or_copy(edit.path[:-1], edit)
        if spot is None:
            return
        step = edit.path[-1]
        if self.is_nothing(spot):
            if edit.comment or edit.above:
                raise self.cannot(spot, "give its container a value first")
            members = self.filled.setdefault(spot.step, (spot, []))[1]
            members.append((None if isinstance(step, int) else _as_key(step), edit.value))
            return
        key, position = self.place(spot, step, edit)
        new = New(key, edit.value, edit.comment, edit.above)
        pieces: list[Piece] = [] if key is None else [_key_node(key)]
        self.add_member(spot, position, new, [*pieces, _piece(edit.value)])

    def add_member(self, spot: _Spot, position: int, new: New, pieces: list[Piece]) -> None:
        self.new.setdefault(spot.step, {}).setdefault(position, []).append(new)
        self.owners[spot.step] = spot.link
        members = self.layout.members(spot.step)
        at = members[position].first if position < len(members) else self.layout.pairs[spot.step]
        self.changes.append(StepChange(at, at, pieces))

    def place(
        self, spot: _Spot, step: Step, edit: Insert | Move, moved: Member | None = None
    ) -> tuple[Key | None, int]:
        """The key of a new member, and the member that it goes before."""
        layout, path = self.layout, edit.to if isinstance(edit, Move) else edit.path
        members = layout.members(spot.step)
        if layout.kind(spot.step) == SEQ:
            if not isinstance(step, int) or step < 0:
                raise self.cannot(spot, "an item of a list needs an index")
            items = members if isinstance(step, WrittenItem) else layout.items(spot.step)
            place = items[step].position if step < len(items) else len(members)
        else:
            place = len(members)
            key = _as_key(step)
            there = layout.entry(spot.step, key)
            if there is not None and there is not moved:
                raise ALREADY_THERE.error(
                    Label.at(layout.source, there.start), path=format_path(path), hint="set its value instead"
                )
        for beside, further in ((edit.before, 0), (edit.after, 1)):
            if beside is not None:
                place = self.member(spot.step, beside, (*path[:-1], beside)).position + further
        return (None if layout.kind(spot.step) == SEQ else key), place

    def delete(self, edit: Delete) -> None:
        spot = self.find_or_copy(edit.path, edit)
        if spot is None:
            return
        if spot.member is None:
            raise self.cannot(spot, "a document keeps its root; delete the file instead")
        self.drop(spot)
        self.changes.append(StepChange(spot.member.first, self.layout.after(spot.step), []))

    def drop(self, spot: _Spot) -> None:
        assert spot.member is not None
        self.gone.setdefault(spot.container, set()).add(spot.member.position)
        self.owners[spot.container] = spot.owner

    def rename(self, edit: Rename) -> None:
        spot = self.find(edit.path)
        member = spot.member
        if member is None or member.key == NONE:
            raise self.cannot(spot, "only a key of a mapping has a name")
        there = self.layout.entry(spot.container, edit.name)
        if there is not None and there is not member:
            path = format_path((*edit.path[:-1], edit.name))
            raise ALREADY_THERE.error(Label.at(self.layout.source, there.start), path=path, hint="choose another name")
        self.graft.rename(spot.container, member, edit.name)
        self.changes.append(StepChange(member.key, self.layout.after(member.key), [_key_node(edit.name)]))

    def move(self, edit: Move) -> None:
        spot = self.find(edit.path)
        goal = self.find(edit.to[:-1])
        layout, member = self.layout, spot.member
        if member is None or not layout.is_container(goal.step):
            raise self.cannot(spot, "it can only be moved from one container to another")
        key, position = self.place(goal, edit.to[-1], edit, member)
        self.drop(spot)
        self.changes.append(StepChange(member.first, layout.after(spot.step), []))
        old_key = None if member.key == NONE else layout.texts[member.key]
        same = (key is None and member.key == NONE) or (isinstance(key, str) and key == old_key)
        pieces: list[Piece] = (
            [] if key is None else [(member.key, layout.after(member.key)) if same else _key_node(key)]
        )
        raw = None
        if same and layout.is_block(goal.step) and layout.is_block(spot.container):
            raw = self.raw_member(spot.container, member)
        value = self.node(edit.path) if raw is None else Raw("")
        pieces.append((spot.step, layout.after(spot.step)) if raw is not None else _piece(value))
        self.add_member(goal, position, New(key, value, raw=raw), pieces)

    def raw_member(self, container: int, member: Member) -> str:
        """A member's lines, with the comment above it, moved to column 0."""
        text, graft = self.layout.text, self.graft
        begin, end = graft.lines_of(self.layout.members(container), member.position)
        at = column(text, member.start)
        header = self.layout.block_header(self.layout.last_leaf(member.value))
        if header is not None and end == len(text):  # it had no last line end, and gets one
            text = text[: header.start(1)] + header[1].strip("+-") + "-" + text[header.end(1) :]
            end = len(text)
        if not graft.own_line(member.start):
            begin = line_start(text, member.start)
            text = text[:begin] + " " * at + text[member.start :]
        lines = text[begin:end].replace("\r\n", "\n").split("\n")
        return "\n".join(line[min(at, len(line) - len(line.lstrip(" "))) :] for line in lines)

    # Places

    def find(self, path: Path) -> _Spot:
        """Where a path leads in the text."""
        spot = _Spot(0, NONE, None, None)
        if not self.layout.kinds:
            if path:
                raise self.unknown(path, [])
            return spot
        for at, step in enumerate(path):
            spot = self.through_merge(self.through_alias(spot, path[:at]), step, path[: at + 1])
            member = self.member(spot.step, step, path[: at + 1])
            spot = _Spot(member.value, spot.step, member, spot.link)
        return spot

    def find_or_copy(self, path: Path, edit: Edit) -> _Spot | None:
        """The same; where the value is written elsewhere and wanted `here`, write it out with the edit made, and
        give None."""
        try:
            spot = self.find(path)
            return self.through_alias(spot, path) if isinstance(edit, Insert) else spot
        except _Elsewhere as elsewhere:
            if self.aliases != "here":
                raise self.elsewhere(elsewhere, path) from None
            self.copies.setdefault(elsewhere.path, (elsewhere, []))[1].append(edit)
            return None

    def through_alias(self, spot: _Spot, path: Path) -> _Spot:
        """The container that an alias refers to, if the caller wants it changed everywhere."""
        if not self.layout.kinds or self.layout.kinds[spot.step] != ALIAS:
            return spot
        name = self.layout.texts[spot.step] or ""
        anchor = self.anchor(name, spot.step)
        if self.aliases != "anchor":
            raise _Elsewhere(path, spot.step, name, anchor)
        return _Spot(anchor, *self.around(anchor))

    def through_merge(self, spot: _Spot, step: Step, path: Path) -> _Spot:
        """The mapping that a `<<` brings a key from, if it is written here or the caller wants it changed there."""
        layout = self.layout
        is_mapping = layout.is_container(spot.step) and layout.kind(spot.step) == MAP
        if not is_mapping or not isinstance(step, str | int | Scalar) or self.own(spot.step, step) is not None:
            return spot
        merged = self.merged(spot.step, step.text if isinstance(step, Scalar) else str(step))
        if merged is None:
            return spot
        base, member = merged
        if self.aliases == "anchor" or base > spot.step:
            return _Spot(base, *self.around(base))
        raise _Elsewhere(path, spot.step, layout.anchor(base) or "<<", member.key)

    def anchor(self, name: str, before: int) -> int:
        """The step of the node that an alias means: the last one before it with that name."""
        return max(step for step, (_, known) in self.layout.props.items() if known == name and step < before)

    def around(self, step: int) -> tuple[int, Member | None, Owner]:
        """The container and member of a node, and those of the container."""
        above: list[tuple[int, Member]] = []
        container = 0
        while container != step:
            member = next(m for m in self.layout.members(container) if m.first <= step < self.layout.after(m.value))
            above.append((container, member))
            if step < member.value:
                raise CANNOT_EDIT.error(
                    Label.at(self.layout.source, self.layout.ats[step]),
                    hint="the anchor is on a key; edit the file by hand",
                )
            container = member.value
        if not above:
            return NONE, None, None
        return above[-1][0], above[-1][1], above[-2] if len(above) > 1 else None

    def member(self, container: int, step: Step, path: Path) -> Member:
        """The member that a step means."""
        layout = self.layout
        if not layout.is_container(container):
            raise self.through_scalar(container, path)
        if layout.kind(container) == MAP:
            return self.entry(container, step, path)
        members = layout.members(container) if isinstance(step, WrittenItem) else layout.items(container)
        if isinstance(step, Keyed):
            found = next((member for member in members if self.matches(member.value, step)), None)
        else:
            index = position(len(members), step)
            found = members[index] if index is not None else None
        if found is None:
            raise self.unknown(path, [], f"the list has {counted(len(members), 'item')}")
        return found

    def entry(self, container: int, step: Step, path: Path) -> Member:
        member = self.own(container, step)
        if member is None:
            raise self.unknown(path, list(self.layout.names(container)))
        return member

    def own(self, mapping: int, step: Step) -> Member | None:
        """The entry that is written in a mapping, and not merged into it."""
        if isinstance(step, Scalar):
            return self.layout.entry(mapping, step)
        if isinstance(step, str | int):
            return self.layout.named(mapping, str(step)) or self.numbered(mapping, str(step))
        return None

    def numbered(self, container: int, name: str) -> Member | None:
        """The entry whose key is the number that a step is the text of."""
        value = CORE.resolve(name)
        return (
            self.layout.numbered(container, Scalar(value, name))
            if value.__class__ is int and str(value) == name
            else None
        )

    def matches(self, item: int, step: Keyed) -> bool:
        """Whether a list item is the one that `[name=web]` means."""
        layout = self.layout
        if step.names == ("",):
            return not layout.is_container(item) and layout.texts[item] == step.values[0]
        names = layout.names(item) if layout.is_container(item) else {}
        return all(
            name in names and layout.texts[layout.members(item).values[names[name]]] == value
            for name, value in zip(step.names, step.values, strict=True)
        )

    def merged(self, container: int, name: str) -> tuple[int, Member] | None:
        """The mapping that a `<<` merges in and that has a key, and its entry there."""
        merge = self.layout.named(container, "<<")
        if merge is None or self.layout.kinds[merge.key] != PLAIN:
            return None
        sources = [merge.value]
        if self.layout.is_container(merge.value) and self.layout.kind(merge.value) == SEQ:
            sources = [member.value for member in self.layout.members(merge.value)]
        for source in sources:
            base = source
            if self.layout.kinds[source] == ALIAS:
                base = self.anchor(self.layout.texts[source] or "", source)
            found = self.layout.named(base, name) if self.layout.is_container(base) else None
            if found is not None:
                return base, found
        return None

    def is_nothing(self, spot: _Spot) -> bool:
        """Whether a place holds null, so that a container can take it."""
        layout = self.layout
        if not layout.kinds:
            return True
        if layout.is_container(spot.step):
            return False
        if layout.kind(spot.step) == PLAIN and CORE.resolve(layout.texts[spot.step] or "") is None:
            return True
        raise self.through_scalar(spot.step, ())

    def node(self, path: Path) -> Node:
        """The value at a path, as data."""
        node: Node | None = build(self.layout.program(), self.layout.source, Reading())
        for step in path:
            node = None if node is None else step_into(node, step)
        if node is None:
            raise self.unknown(path, [])
        return node

    def write_out(self, elsewhere: _Elsewhere, edits: list[Edit]) -> None:
        """Change a copy: write the shared value where it is seen, with the edits made in it."""
        path, aliased = elsewhere.path, self.layout.kinds[elsewhere.step] == ALIAS
        if not aliased and any(isinstance(edit, Delete) and edit.path == path for edit in edits):
            raise self.elsewhere(elsewhere, path)
        copy = self.node(path)
        for edit in sorted(edits, key=_from_the_end):
            copy = changed(copy, edit.path[len(path) :], edit)
        if aliased:
            self.put(self.find(path), copy, None)
        else:
            self.insert(Insert(path, copy, document=edits[0].document))

    # Trouble

    def elsewhere(self, trouble: _Elsewhere, path: Path) -> PlaitError:
        layout = self.layout
        here, there = (Label.at(layout.source, layout.ats[step]) for step in (trouble.step, trouble.anchor))
        hint = "--alias anchor changes it there, for all that refer to it\n--alias here writes it out here"
        return IN_ALIAS.error(here, there, path=format_path(path), name=trouble.name, hint=hint)

    def through_scalar(self, step: int, path: Path) -> PlaitError:
        layout = self.layout
        stop = format_path(path[:-1]) or layout.texts[step]
        return THROUGH_SCALAR.error(
            Label.at(layout.source, layout.ats[step]),
            name=format_path(path),
            stop=stop,
            kind="scalar",
            hint="replace it",
        )

    def unknown(self, path: Path, names: list[str], hint: str = "") -> PlaitError:
        last = path[-1] if path else ""
        near = nearest(last, names) if isinstance(last, str) else []
        others = [format_path((*path[:-1], name)) for name in near]
        hint = f"did you mean {' or '.join(f'`{name}`' for name in others)}?" if others else hint or "--create adds it"
        return UNKNOWN_PATH.error(Label.at(self.layout.source, self.layout.opened), path=format_path(path), hint=hint)

    def cannot(self, spot: _Spot, hint: str) -> PlaitError:
        at = self.layout.ats[spot.step] if self.layout.ats else 0
        return CANNOT_EDIT.error(Label.at(self.layout.source, at), hint=hint)


_HOW: dict[type[Edit], Callable[[_Plan, Any], None]] = {
    Replace: _Plan.replace,
    Insert: _Plan.insert,
    Delete: _Plan.delete,
    Rename: _Plan.rename,
    Move: _Plan.move,
}


class _Elsewhere(Exception):
    """A path goes on in another place than it seems."""

    def __init__(self, path: Path, step: int, name: str, anchor: int) -> None:
        self.path = path
        self.step = step
        self.name = name
        self.anchor = anchor


def _as_key(step: Step) -> Key:
    return step if isinstance(step, str | Node) else str(step)


def _key_node(key: Key) -> Node:
    return key if isinstance(key, Node) else Scalar(key, key)


def _container_of(members: list[tuple[Key | None, Value]]) -> Value:
    """The container that some first members make."""
    values = [(key, value) for key, value in members if isinstance(value, Node)]
    if len(values) != len(members):
        raise CANNOT_EDIT.error(hint="give the new mapping or list as a value, not as text")
    if any(key is None for key, _ in values):
        return ListNode([value for _, value in values])
    return MapNode({key: value for key, value in values if key is not None})


def _piece(value: Value) -> Piece:
    if isinstance(value, Node):
        return value
    programs = scan(Source("(new)", value.text))
    return programs[0] if programs else Scalar(None, "")


def changed(node: Node, path: Path, edit: Edit) -> Node:
    """A copy of a tree with one edit made in it."""
    if not path:
        if isinstance(edit, Replace) and isinstance(edit.value, Node):
            return edit.value
        raise CANNOT_EDIT.error(Label(node.origin), hint="give the new value as a value, not as text")
    value = edit.value if isinstance(edit, Replace | Insert) else None
    if isinstance(value, Raw):
        raise CANNOT_EDIT.error(Label(node.origin), hint="give the new value as a value, not as text")
    above: list[tuple[Node, Step]] = []
    for step in path[:-1]:
        above.append((node, step))
        node = _there(node, step, edit)
    if isinstance(edit, Insert):
        _check_new(node, path[-1], edit)
    else:
        _there(node, path[-1], edit)
    node = _with(node, path[-1], value, isinstance(edit, Insert))
    for container, step in reversed(above):
        node = _with(container, step, node)
    return node


def _there(node: Node, step: Step, edit: Edit) -> Node:
    below = step_into(node, step)
    if below is None:
        hint = "the value comes from an alias; edit its anchor"
        raise UNKNOWN_PATH.error(Label(node.origin), path=format_path(edit.path), hint=hint)
    return below


def _check_new(node: Node, step: Step, edit: Edit) -> None:
    """A new member has a container, which has no such key yet."""
    if isinstance(node, MapNode):
        if entry_key(node, step) is not None:
            path = format_path(edit.path)
            raise ALREADY_THERE.error(Label(node.origin), path=path, hint="set its value instead")
    elif not isinstance(node, ListNode):
        name, stop = format_path(edit.path), format_path(edit.path[:-1])
        raise THROUGH_SCALAR.error(Label(node.origin), name=name, stop=stop, kind="scalar", hint="replace it")
    elif not isinstance(step, int) or step < 0:
        raise CANNOT_EDIT.error(Label(node.origin), hint="an item of a list needs an index")


def _with(node: Node, step: Step, value: Node | None, new: bool = False) -> Node:
    """A container with one member exchanged, added, or (None) taken away; a `new` item comes before the one at its
    index."""
    if isinstance(node, MapNode):
        entries = dict(node.entries)
        known = entry_key(node, step)
        key = _as_key(step) if known is None else known
        if value is None:
            del entries[key]
        else:
            entries[key] = value
        return MapNode(entries, tag=node.tag)
    assert isinstance(node, ListNode)
    items = list(node.items)
    found = item_index(node, step)
    at = len(items) if found is None else found
    items[at : at + (not new)] = [] if value is None else [value]
    return ListNode(items, tag=node.tag)
