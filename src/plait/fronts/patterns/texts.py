"""From a plan to the texts of files: edits in place, new resources at the end, and not a byte more.

A document that needs no edit keeps its text as it is, so a file in which nothing happens stays byte-equal.
"""

from __future__ import annotations

import json
import re

from plait.core.diagnostic import Fault
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, equal, plain_value
from plait.core.path import Path, WrittenItem
from plait.core.source import Source
from plait.fronts.patterns.plan import Plan, ResourceChange
from plait.fronts.patterns.resources import ResourceDocument, TextFile, only_document
from plait.merging.differing import rising
from plait.merging.items import ValueNumbers
from plait.merging.order import AT_END, same_items
from plait.merging.threeway import (
    ORDER_KEPT,
    ORDER_LOST,
    REORDERED,
    MergeSettings,
    OrderEdit,
    TextEdit,
    threeway,
    value_at,
)
from plait.yaml.edits import Delete, Insert, Move, Raw, Replace, Value
from plait.yaml.edits import Edit as Patch
from plait.yaml.emit import Style, emit, flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def planned_texts(plan: Plan) -> dict[str, str | None]:
    """The new text of every file that changes; None for one that has nothing left."""
    changed: dict[int, str | None] = {id(document): None for document in plan.pruned}
    new: dict[str, list[ResourceChange]] = {}
    for change in plan.changes:
        plan.instructions.glance()
        if change.existing is not None and change.text is not None:
            changed[id(change.existing)] = change.text
        elif change.existing is not None and change.edits:
            changed[id(change.existing)] = text_after(change)
        elif change.state == "created":
            new.setdefault(change.fresh.text.name, []).append(change)
    texts: dict[str, str | None] = {}
    whole = {text.name: text for text in plan.fresh}
    fresh = _becoming_fresh(plan)
    for text in plan.existing:
        created = new.pop(text.name, [])
        order = plan.orders.get(text.name)
        moved = order is not None and order.row in (REORDERED, ORDER_LOST)
        if created or moved or any(id(document) in changed for document in text.documents):
            if text.name in fresh:
                texts[text.name] = whole[text.name].source.text
            else:
                documents = order.documents if order is not None else text.documents
                texts[text.name] = _rewritten(text, documents, changed, {id(one.fresh): one for one in created})
    for name, changes in new.items():
        texts[name] = _new_file(whole[name], changes)
    return texts


def _becoming_fresh(plan: Plan) -> set[str]:
    """The files that become what is generated, to the byte: nobody changed anything in them."""
    left = {text.name: len(text.documents) for text in plan.existing if _is_joined_plainly(text)}
    for change in plan.changes:
        name, here = change.fresh.text.name, change.existing
        if here is not None and name in left:
            same = change.is_fresh or (here.written == change.fresh.written and not change.edits)
            left[name] -= 1 if same and here.text.name == name else len(here.text.documents) + 1
        elif change.state != "created" or change.edits:
            left.pop(name, None)
    return {name for name, count in left.items() if not count and plan.orders[name].row is not ORDER_KEPT}


def _is_joined_plainly(text: TextFile) -> bool:
    """Whether nothing but separators is between the documents of a file."""
    at = 0
    for number, document in enumerate(text.documents):
        if document.start != at or document.head not in (("", "---\n") if not number else ("---\n",)):
            return False
        at = document.end
    return at == len(text.source.text)


_SEPARATOR = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?+\r?\n)*+---(?:\s|\Z)")


def _rewritten(
    text: TextFile,
    documents: list[ResourceDocument],
    changed: dict[int, str | None],
    created: dict[int, ResourceChange],
) -> str | None:
    """A file on disk with some documents changed or taken out, and new ones put in, in the order of `documents`."""
    source = text.source.text
    pieces: dict[int, str] = {}
    at, left = 0, 0
    for document in text.documents:
        after = changed.get(id(document), source[document.start : document.end])
        pieces[id(document)] = source[at : document.start] + (after or "")
        left += after is not None
        at = document.end
    if not left:
        result = "".join(pieces.values()) + source[at:]
        if not created:
            return None if not result.strip() else result
        return _appended(result, [_new_text(created[id(one)]) for one in documents if id(one) in created], False)
    begins = _SEPARATOR.match(source) is not None
    end = "\r\n" if "\r\n" in source else "\n"
    result = ""
    for document in documents:
        is_new = id(document) in created
        piece = _new_text(created[id(document)]).replace("\n", end) if is_new else pieces.get(id(document), "")
        if piece:
            result = _joined(result, piece, begins, end)
    return result + source[at:]


def _joined(text: str, piece: str, begins: bool, end: str) -> str:
    """A text with another document after it. `begins`: the first document has a separator before it, too."""
    separated = _SEPARATOR.match(piece) is not None
    if not text:
        if begins and not separated:
            return f"---{end}{piece}"
        return piece[len(f"---{end}") :] if piece.startswith(f"---{end}") and not begins else piece
    text = text if text.endswith("\n") else text + end
    last = text.rstrip().rsplit("\n", 1)[-1]
    return text + ("" if separated or last == "---" else f"---{end}") + piece


def _appended(text: str, documents: Iterable[str], anything: bool) -> str:
    """Documents after those that are there, each after a separator unless nothing is before it; line ends as they are
    there."""
    end = "\r\n" if "\r\n" in text else "\n"
    for document in documents:
        if text and not text.endswith("\n"):
            text += end
        last = text.rstrip().rsplit("\n", 1)[-1]
        separator = "" if not anything or last == "---" else f"---{end}"
        text += separator + document.replace("\n", end)
        anything = True
    return text


def _new_file(text: TextFile, changes: list[ResourceChange]) -> str:
    """A file that is not there yet: as it was generated where all of it is new."""
    if len(changes) == len(text.documents) and not any(change.edits for change in changes):
        return text.source.text
    return _appended("", [_new_text(change) for change in changes], False)


def _new_text(change: ResourceChange) -> str:
    text = (
        edited(change.fresh, change.edits, change.node)
        if change.edits
        else change.fresh.text.source.text[change.fresh.start : change.fresh.end]
    )
    text = text if text.endswith("\n") else text + "\n"
    return text[4:] if text.startswith("---\n") else text


def edited(document: ResourceDocument, edits: list[TextEdit], node: Node) -> str:
    """A document's text with its edits made in place. A value that is shared by an alias is changed here only."""
    text = document.text.source.text[document.start : document.end]
    if document.text.lines:
        return node.text if isinstance(node, Scalar) else text
    others = [edit for edit in edits if not isinstance(edit, OrderEdit)]
    return _edited(document, text, others, node) if len(others) == len(edits) else _in_order(document, others, node)


def _in_order(document: ResourceDocument, edits: list[TextEdit], node: Node) -> str:
    """A document's text with its edits made, and then with the items of its lists in the order of a tree."""
    text = document.text.source.text[document.start : document.end]
    text = _edited(document, text, edits, node) if edits else text
    while True:
        found = TextFile("", Source("", text)).documents[0].node
        moves = _moves(found, node)
        if not moves:
            return text
        text = _applied(Source("", text), moves)


def _moves(found: Node, wanted: Node) -> list[Patch]:
    """The moves that give the outermost lists of a tree the order that another one has."""
    numbers = ValueNumbers(ordered=False)
    moves: list[Patch] = []
    work: list[tuple[Path, Node, Node]] = [((), found, wanted)]
    while work:
        path, here, there = work.pop()
        if isinstance(here, MapNode) and isinstance(there, MapNode):
            work += [
                ((*path, key), node, there.entries[key]) for key, node in here.entries.items() if key in there.entries
            ]
        elif isinstance(here, ListNode) and isinstance(there, ListNode):
            places = same_items(numbers.all(here.items), numbers.all(there.items))
            if places == sorted(places):
                pairs = zip(here.items, there.items, strict=False)
                work += [((*path, WrittenItem(at)), one, other) for at, (one, other) in enumerate(pairs)]
            else:
                moves += _moves_of(path, places)
    return moves


def _moves_of(path: Path, places: list[int]) -> Iterator[Patch]:
    """The moves of a list in which the items at these places are wanted one after the other; as few as can be."""
    stay = {place for _, place in rising([*enumerate(places)])}
    before = len(places)
    moves: list[Patch] = []
    for place in reversed(places):
        if place in stay:
            before = place
        else:
            moves.append(Move((*path, WrittenItem(place)), (*path, WrittenItem(before))))
    yield from reversed(moves)


def text_after(change: ResourceChange) -> str:
    """The text that a resource here becomes by its edits."""
    if change.edited is None:
        assert change.existing is not None
        change.edited = edited(change.existing, change.edits, change.node)
    return change.edited


def leave_what_cannot_be_edited(plan: Plan) -> None:
    """Leave a resource as it is where its text cannot be edited, and say what is to be written there by hand."""
    for change in plan.changes:
        plan.instructions.glance()
        if change.existing is None or not change.edits or change.text is not None:
            continue
        try:
            text_after(change)
        except (Fault, ValueError):
            change.leave(change.existing)


def _edited(document: ResourceDocument, text: str, edits: list[TextEdit], node: Node) -> str:
    """A document's text with values exchanged, put in and taken out."""
    if any(not edit.path for edit in edits):
        return ("---\n" if text.startswith("---") else "") + emit(node, reveal=True)
    quick = _with_plain_scalars(document, edits)
    if quick is not None:
        return quick
    source = Source(document.text.source.name, text)
    if "&" in text and "*" in text:
        shared = _at_anchors(source, document.node, edits, node)
        if shared is not None:
            return shared
    written = _as_json if is_json(text) else as_patch
    try:
        return _applied(source, [written(edit, document.node) for edit in edits])
    except (Fault, ValueError):  # as it was generated, it does not fit in: without its comments, it may
        return _applied(source, [_plainly(edit, document.node) for edit in edits])


def _applied(source: Source, patches: list[Patch]) -> str:
    """Return the text after some edits; an alias gets text of its own where it is edited."""
    from plait.yaml.patch import apply  # heavy, and few merges edit

    return apply(source, patches, aliases="here")


def is_json(text: str) -> bool:
    """Whether a document is JSON."""
    body = text.removeprefix("---").strip()
    if body[:1] not in ("{", "["):
        return False
    try:
        json.loads(body)
    except ValueError:
        return False
    return True


def _as_json(edit: TextEdit, existing: Node) -> Patch:
    """An edit of a document that is JSON and stays so."""
    patch = _plainly(edit, existing)
    if isinstance(patch, Insert | Replace) and isinstance(patch.value, Node):
        patch.value = Raw(json.dumps(plain_value(patch.value, reveal=True), ensure_ascii=False))
    return patch


def _plainly(edit: TextEdit, existing: Node) -> Patch:
    """An edit that writes a value in the style around it, without the comments that it was generated with."""
    if edit.value is None:
        return Delete(edit.path)
    if not edit.insert and value_at(existing, edit.path) is not None:
        return Replace(edit.path, edit.value)
    before, after = neighbours(edit)
    return Insert(edit.path, edit.value, before=before, after=after)


def neighbours(edit: TextEdit) -> tuple[Key | None, Key | None]:
    """The key that a new field goes before, and the one that it goes after."""
    where, key = edit.place or AT_END
    return (key if where == "before" else None), (key if where == "after" else None)


def _at_anchors(source: Source, existing: Node, edits: list[TextEdit], node: Node) -> str | None:
    """The edits made where values are written, for all that refer to them; then only what still differs is written out
    where it is seen. None where that does not give the result."""
    from plait.yaml.patch import apply, are_written

    try:
        places = are_written(source, [edit.path[: -1 if edit.insert else None] for edit in edits])
        own = [edit for edit, written in zip(edits, places, strict=True) if written]
        text = apply(source, [as_patch(edit, existing) for edit in own])
        for _ in range(2):
            (document,) = TextFile("", Source("", text)).documents
            left = threeway(document.node, document.node, node, MergeSettings(exact=True)).edits
            if not left:
                return text
            text = apply(Source("", text), [as_patch(edit, document.node) for edit in left], aliases="here")
    except (Fault, ValueError):
        pass
    return None


_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*(?::[A-Za-z0-9._/-]+)*")
"""Scalars that mean the same wherever a plain scalar may be, whatever is around them."""


def only_words(document: ResourceDocument, edits: list[TextEdit]) -> bool:
    """Whether each edit replaces one plain word by another."""
    return _with_plain_scalars(document, edits) is not None


def _with_plain_scalars(document: ResourceDocument, edits: list[TextEdit]) -> str | None:
    """The text where each edit replaces one plain word by another; None where any of them needs more care than that."""
    source = document.text.source
    if any(sign in source.text[document.start : document.end] for sign in "&*"):
        return None  # an alias shows the same text in two places
    changes: list[tuple[int, int, str]] = []
    for edit in edits:
        before, after = value_at(document.node, edit.path), edit.value
        if (
            edit.insert
            or not isinstance(before, Scalar)
            or not isinstance(after, Scalar)
            or before.source is not source
        ):
            return None
        written = _as_it_is_written(after)
        if written is None or _as_it_is_written(before) is None:
            return None
        end = before.at + len(before.text)
        if ":" in written and source.text[end : end + 1] in (",", "]", "}"):
            return None  # between brackets a colon may begin a value
        changes.append((before.at, end, written))
    out, at = [], document.start
    for start, end, written in sorted(changes):
        out += [source.text[at:start], written]
        at = end
    return "".join([*out, source.text[at : document.end]])


def _as_it_is_written(node: Scalar) -> str | None:
    """A plain scalar's text, where it is a simple word in its own source; None for anything else."""
    text = node.source.text if isinstance(node.source, Source) else ""
    word = _PLAIN.match(text, node.at)
    if node.tag is not None or word is None or word[0] != node.text:
        return None
    ends = text[word.end() : word.end() + 1]
    return node.text if not ends or ends in " \n\r,]}" else None


def as_patch(edit: TextEdit, existing: Node) -> Patch:
    """An edit as the patcher understands it. A new field brings the comments that it was generated with."""
    if edit.value is None:
        return Delete(edit.path)
    if edit.insert and is_flow(value_at(existing, edit.path[:-1])):
        return _plainly(edit, existing)
    if edit.insert and isinstance(edit.path[-1], int):
        above, written = item_as_written(edit.value)
        return Insert(edit.path, written or edit.value, above=above or None)
    at = None if edit.insert else value_at(existing, edit.path)
    if at is not None:
        return Replace(edit.path, _in_style_of(at, edit.value))
    step = edit.path[-1]
    before, after = neighbours(edit)
    if edit.key_of is None or step not in edit.key_of.entries:
        return Insert(edit.path, edit.value, before=before, after=after)
    above, beside = comments_at(edit.key_of, step)
    written = as_written(edit.key_of, step, edit.value)
    own = written is not None and "\n" not in written.text  # a line brings its own comment, a block those inside it
    comment = None if own else beside or None
    return Insert(edit.path, written or edit.value, before=before, after=after, above=above or None, comment=comment)


def _in_style_of(before: Node, value: Node) -> Value:
    """A list or map between brackets stays between brackets."""
    brackets = isinstance(value, MapNode | ListNode) and is_flow(before)
    return Raw(flow(value, Style(reveal=True))) if brackets else value


def is_flow(node: Node | None) -> bool:
    """Whether it is a list or map that is written between brackets, with members in it."""
    text = node.source.text if node is not None and isinstance(node.source, Source) else ""
    if not isinstance(node, MapNode | ListNode) or text[node.at : node.at + 1] not in ("[", "{"):
        return False
    return node.size > 0


def item_as_written(value: Node) -> tuple[str, Raw | None]:
    """A generated item's comment above it, and its text with style and comments; None where that cannot be had."""
    if not isinstance(value.source, Source):
        return "", None
    text = value.source.text
    dash = value.at - 1
    while dash > 0 and text[dash] == " ":
        dash -= 1
    column = _column(text, dash)
    if text[dash : dash + 1] != "-" or text[dash - column : dash].strip(" -"):
        return "", _quoted_as_written(value, text)
    lines = _block(text, value, column)
    indent = " " * (_column(text, value.at))
    raw = "\n".join([lines[0], *(line.removeprefix(indent) for line in lines[1:])])
    return _above(text, dash - column, column), raw_of(raw, value)


_QUOTED = re.compile(r""""(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\n]|'')*'""")


def _quoted_as_written(value: Node, text: str) -> Raw | None:
    """A text in quotes, with those quotes."""
    quoted = _QUOTED.match(text, value.at) if isinstance(value, Scalar) else None
    return raw_of(quoted[0], value) if quoted is not None else None


def raw_of(raw: str, value: Node) -> Raw | None:
    """A text, if it says what a value is."""
    found = only_document(raw)
    return Raw(raw) if found is not None and equal(found, value) else None


def _above(text: str, begin: int, column: int) -> str:
    """The comment lines right above a line, at its column. The head of a file belongs to the file."""
    above: list[str] = []
    while begin:
        start = text.rfind("\n", 0, begin - 1) + 1
        line = text[start : begin - 1]
        if not line.startswith(f"{' ' * column}#"):
            return "\n".join(above)
        above.insert(0, line.strip().removeprefix("#").removeprefix(" "))
        begin = start
    return ""


def as_written(mapping: MapNode, key: Key, value: Node) -> Raw | None:
    """A generated field's value as its own text, comments and style included; None where that cannot be had."""
    origin = mapping.key_origin(key)
    if value.source is not origin.source or mapping.parts or not isinstance(value.source, Source):
        return None
    text = value.source.text
    lines = _block(text, value, _column(text, origin.at))
    if len(lines) > 1:
        begin = value.at - _column(text, value.at)
        between = text[origin.at : begin].split("\n")[1:-1] if begin > origin.at else []
        indent = " " * (value.at - begin)
        lines = [line.removeprefix(indent) for line in [*filter(str.strip, between), *lines]]
    return raw_of("\n".join(lines), value)


def _column(text: str, at: int) -> int:
    return at - (text.rfind("\n", 0, at) + 1)


def _block(text: str, value: Node, column: int) -> list[str]:
    """The lines of a value, from where it begins: those that are further in than the key at `column`."""
    at = _line_end(text, value.at)
    lines, last = [text[value.at : at].rstrip()], 0
    beside = isinstance(value, ListNode) and _column(text, value.at) == column
    while at < len(text):
        begin, at = at + 1, _line_end(text, at + 1)
        line = text[begin:at].rstrip()
        inner = line.lstrip(" ")
        depth = len(line) - len(inner)
        if inner and not (depth > column or (beside and depth == column and inner.startswith("- "))):
            break
        lines.append(line)
        last = len(lines) - 1 if inner and not inner.startswith("#") else last
    return lines[: last + 1]


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def comments_at(mapping: MapNode, key: Key) -> tuple[str, str]:
    """The comment lines right above a key, and the comment beside it, where the mapping was written."""
    origin = mapping.key_origin(key)
    text, at = origin.source.text, origin.at
    column = _column(text, at)
    return _above(text, at - column, column), _beside(text, at)


def _beside(text: str, at: int) -> str:
    """The comment that ends the line at an offset: a `#` after a space, outside quotes."""
    end = text.find("\n", at)
    line = text[at : end if end >= 0 else len(text)]
    quote = ""
    for place, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'" and line[place - 1 : place] in (" ", "[", "{", ","):
            quote = letter
        elif letter == "#" and line[place - 1 : place] in (" ", "\t"):
            return line[place + 1 :].strip()
    return ""
