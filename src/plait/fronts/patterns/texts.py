"""From a plan to the texts of files: edits in place, new resources at the end, and not a byte more.

A document that needs no edit keeps its text as it is, so a file in which nothing happens stays byte-equal.
"""

from __future__ import annotations

import re

from plait.core.diagnostic import Fault
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, equal
from plait.core.source import Source
from plait.fronts.patterns.plan import Plan, ResourceChange
from plait.fronts.patterns.resources import ResourceDocument, TextFile, only_document
from plait.merging.threeway import MergeSettings, TextEdit, threeway, value_at
from plait.yaml.edits import Delete, Insert, Raw, Replace, Value
from plait.yaml.edits import Edit as Patch
from plait.yaml.emit import Style, emit, flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def planned_texts(plan: Plan) -> dict[str, str | None]:
    """The new text of every file that changes; None for one that has nothing left."""
    changed: dict[int, str | None] = {id(document): None for document in plan.pruned}
    new: dict[str, list[ResourceChange]] = {}
    for change in plan.changes:
        plan.instructions.glance()
        if change.existing is not None and change.text is not None:
            changed[id(change.existing)] = change.text
        elif change.existing is not None and change.edits:
            changed[id(change.existing)] = edited(change.existing, change.edits, change.node)
        elif change.state == "created":
            new.setdefault(change.fresh.text.name, []).append(change)
    texts: dict[str, str | None] = {}
    for text in plan.existing:
        if any(id(document) in changed for document in text.documents) or text.name in new:
            created = {id(change.fresh): _new_text(change) for change in new.get(text.name, ())}
            added = [one for one in new.pop(text.name, []) if id(one.fresh) not in plan.new_places.placed]
            inserted = {
                where: [created[id(one)] for one in documents if id(one) in created]
                for where, documents in plan.new_places.after.items()
            }
            texts[text.name] = _rewritten(text, changed, added, inserted)
    whole = {text.name: text for text in plan.fresh}
    for name, changes in new.items():
        texts[name] = _new_file(whole[name], changes)
    return texts


def _rewritten(
    text: TextFile, changed: dict[int, str | None], new: list[ResourceChange], inserted: dict[int, list[str]]
) -> str | None:
    """A file on disk with some documents changed or taken out, and new ones inserted or appended. `inserted` has the
    texts that go after a document, or before all of the file."""
    source, at, out, left = text.source.text, 0, [], len(text.documents)
    for document in text.documents:
        if id(document) in changed:
            after = changed[id(document)]
            out.append(source[at : document.start])
            out.append(after or "")
            left -= after is None
            at = document.end
        for new_text in inserted.get(id(document), ()):
            out += [source[at : document.end], "" if source[: document.end].endswith("\n") else "\n"]
            out.append(f"---\n{new_text}")
            at = document.end
    result = "".join([*out, source[at:]])
    for new_text in reversed(inserted.get(id(text), ())):
        result = f"---\n{new_text}{result}" if result.startswith("---") else f"{new_text}---\n{result}"
    if not left and not new:
        return None if not result.strip() else result
    return _appended(result, [_new_text(change) for change in new], left > 0)


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
    patches = [as_patch(edit, document.node) for edit in edits]
    from plait.yaml.patch import apply  # heavy, and few edits need it

    return apply(source, patches, aliases="here")


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
    if edit.insert and isinstance(edit.path[-1], int):
        above, written = item_as_written(edit.value)
        return Insert(edit.path, written or edit.value, above=above or None)
    at = None if edit.insert else value_at(existing, edit.path)
    if at is not None:
        return Replace(edit.path, _in_style_of(at, edit.value))
    step = edit.path[-1]
    if edit.key_of is None or step not in edit.key_of.entries:
        return Insert(edit.path, edit.value)
    above, beside = comments_at(edit.key_of, step)
    written = as_written(edit.key_of, step, edit.value)
    own = written is not None and "\n" not in written.text  # a line brings its own comment, a block those inside it
    return Insert(edit.path, written or edit.value, above=above or None, comment=None if own else beside or None)


def _in_style_of(before: Node, value: Node) -> Value:
    """A list or map between brackets stays between brackets."""
    text = before.source.text if isinstance(before.source, Source) else ""
    brackets = (
        isinstance(before, MapNode | ListNode)
        and isinstance(value, MapNode | ListNode)
        and text[before.at : before.at + 1] in ("[", "{")
    )
    return Raw(flow(value, Style(reveal=True))) if brackets else value


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
