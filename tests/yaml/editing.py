"""Random edits of any text, and what must hold of each: for generated documents and for real files."""

from __future__ import annotations

import random
from collections.abc import Iterator

from plait.core.diagnostic import PlaitError
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, equal
from plait.core.path import Path
from plait.core.source import Source
from plait.yaml.build import Reading
from plait.yaml.edits import Delete, Edit, Insert, Move, Raw, Rename, Replace
from plait.yaml.layout import NONE, Layout, Member, lay_out
from plait.yaml.load import load
from plait.yaml.patch import apply
from plait.yaml.program import ALIAS, MAP
from plait.yaml.words import is_plain
from tests.yaml.nodes import of

AS_WRITTEN = Reading(merge_keys=False, duplicates="last")
VALUES: list[object] = [
    *(
        "word",
        "two words",
        "12",
        "yes",
        "",
        " # ",
        "a: b",
        "it's",
        '"',
        "line one\nline two\n",
        "no end\nhere",
        "  lead\n",
        "ü 🎈",
    ),
    *(
        0,
        -17,
        3.5,
        True,
        None,
        [],
        {},
        [1, "b"],
        {"k": "v"},
        {"k": [1, {"m": None}], "l": "x\ny\n"},
        [[1], {"a": 1, "b": 2}],
    ),
]
Target = tuple[Path, int, Member]


def targets(layout: Layout) -> Iterator[Target]:
    """Every member that can be edited without passing an alias, a merge key or a key that is no text."""
    if not layout.kinds or not layout.is_container(0):
        return
    stack: list[tuple[Path, int]] = [((), 0)]
    while stack:
        path, container = stack.pop()
        names = layout.names(container)
        for member in layout.members(container):
            step: int | str = member.position
            if member.key != NONE:
                if layout.kind(member.key) > 1 or names.get(layout.texts[member.key] or "") != member.position:
                    continue
                step = layout.texts[member.key] or ""
            yield (*path, step), container, member
            if layout.is_container(member.value):
                stack.append(((*path, step), member.value))


def random_edit(rng: random.Random, layout: Layout, found: list[Target]) -> Edit:
    path, container, member = rng.choice(found)
    names = layout.names(container)
    value = of(rng.choice(VALUES))
    kind = rng.choice(["replace", "replace", "insert", "insert inside", "delete", "rename", "move"])
    if kind == "rename" and member.key == NONE:
        kind = "replace"
    if kind == "insert inside" and not layout.is_container(member.value):
        kind = "insert"
    if kind == "replace":
        return Replace(path, value)
    if kind == "delete":
        return Delete(path)
    if kind == "rename":
        return Rename(path, new_name(rng, names))
    if kind == "move":
        others = layout.members(container)
        beside = rng.choice(others)
        step = step_of(layout, beside)
        return Move(path, before=step) if rng.random() < 0.5 else Move(path, after=step)
    if kind == "insert inside":
        path, container = (*path, 0), member.value
        names, member = layout.names(container), Member(0, NONE, 0, 0, 0)
    if layout.kind(container) == MAP:
        before = rng.choice([None, *names]) if all(layout.kind(m.key) <= 1 for m in layout.members(container)) else None
        return Insert((*path[:-1], new_name(rng, names)), value, before=before)
    return Insert((*path[:-1], rng.randint(0, len(layout.members(container)))), value)


def step_of(layout: Layout, member: Member) -> int | str:
    return member.position if member.key == NONE else layout.texts[member.key] or ""


def new_name(rng: random.Random, names: dict[str, Member]) -> str:
    wanted = rng.choice(["fresh", "with space", "12", "true", "a: b", "ü", "x.y/z"])
    while wanted in names:
        wanted += "x"
    return wanted


def data(text: str) -> list[Node]:
    return load(Source("x", text), AS_WRITTEN)


def model(node: Node, edit: Edit) -> Node:
    """What an edit does to the data."""
    return _at(node, edit.path[:-1], lambda parent: _changed(parent, edit)) if edit.path else edit.value  # type: ignore[attr-defined]


def _at(node: Node, path: Path, change) -> Node:  # type: ignore[no-untyped-def]
    if not path:
        return change(node)
    step = path[0]
    if isinstance(node, MapNode):
        return MapNode(
            {k: _at(v, path[1:], change) if _is(k, step) else v for k, v in node.entries.items()}, tag=node.tag
        )
    assert isinstance(node, ListNode)
    return ListNode([_at(v, path[1:], change) if at == step else v for at, v in enumerate(node.items)], tag=node.tag)


def _is(key: Key, step: object) -> bool:
    return key == step or (isinstance(key, Scalar) and key.text == step)


def _changed(parent: Node, edit: Edit) -> Node:
    step = edit.path[-1]
    if isinstance(parent, MapNode):
        pairs = list(parent.entries.items())
        at = next((i for i, (k, _) in enumerate(pairs) if _is(k, step)), len(pairs))
        _edit_list(
            pairs,
            at,
            edit,
            lambda v: (step if not isinstance(edit, Rename) else edit.name, v),
            lambda k: _index(pairs, k),
        )
        return MapNode(dict(pairs), tag=parent.tag)
    if isinstance(parent, Scalar):  # null takes its first member
        assert isinstance(edit, Insert)
        return ListNode([edit.value]) if isinstance(step, int) else MapNode({step: edit.value})  # type: ignore[list-item, dict-item]
    assert isinstance(parent, ListNode)
    items = list(parent.items)
    _edit_list(items, step, edit, lambda v: v, lambda k: k)  # type: ignore[arg-type]
    return ListNode(items, tag=parent.tag)


def _index(pairs: list, key: object) -> int:  # type: ignore[type-arg]
    return next(i for i, (k, _) in enumerate(pairs) if _is(k, key))


def _edit_list(items: list, at: int, edit: Edit, make, index) -> None:  # type: ignore[no-untyped-def, type-arg]
    if isinstance(edit, Replace):
        items[at] = (items[at][0], edit.value) if isinstance(items[at], tuple) else edit.value
    elif isinstance(edit, Delete):
        del items[at]
    elif isinstance(edit, Rename):
        items[at] = make(items[at][1])
    elif isinstance(edit, Insert):
        items.insert(index(edit.before) if edit.before is not None else min(at, len(items)), make(edit.value))
    elif isinstance(edit, Move):
        goal = index(edit.before if edit.before is not None else edit.after) + (edit.after is not None)
        item = items.pop(at)
        items.insert(goal - (goal > at), item)


def line_of(text: str, at: int) -> int:
    return len(text[:at].splitlines()) - (0 if not text[:at] or text[:at].endswith(("\n", "\r")) else 1)


def check(text: str, edit: Edit, layout: Layout) -> str | None:
    """Make one edit and hold it to its laws; None where it is refused for a good reason."""
    try:
        new = apply(text, [edit])
    except PlaitError as trouble:
        if trouble.diagnostics[0].code in ("PL1301", "PL1304"):
            return None
        raise
    if ALIAS not in layout.kinds:
        assert equal(data(new)[edit.document], model(data(text)[edit.document], edit)), (
            "the result reads as the edit says"
        )
    if new == text:
        return new
    first, last = involved(text, edit, layout)
    before, after = text.splitlines(keepends=True), new.splitlines(keepends=True)
    below = len(before) - last - 1
    assert before[:first] == after[:first], "no line above is touched"
    assert below <= 0 or before[-below:] == after[-below:], "no line below is touched"
    return new


def involved(text: str, edit: Edit, layout: Layout) -> tuple[int, int]:
    """The lines that an edit may touch."""
    container, member = 0, None
    for step in edit.path if not isinstance(edit, Insert) else edit.path[:-1]:
        if member is not None:
            container = member.value
        names = layout.names(container)
        place = names[step] if isinstance(step, str) and step in names else int(step)  # type: ignore[arg-type]
        member = layout.members(container)[place]
    if isinstance(edit, Insert | Move) or layout.is_flow(container):
        whole = container if not isinstance(edit, Insert) else (member.value if member is not None else 0)
        start = layout.ats[whole] if member is None else min(member.start, layout.ats[whole])
        return max(0, line_of(text, start) - 40 * isinstance(edit, Move | Insert)), line_of(text, layout.end(whole)) + 1
    assert member is not None
    first = line_of(text, member.start)
    if isinstance(edit, Delete):
        lines = text.splitlines()
        while first and (lines[first - 1].lstrip().startswith("#") or member.position == 0):
            first -= 1
            if not lines[first].lstrip().startswith("#"):
                break
        first = max(0, first - 1)
    last = line_of(text, layout.end(member.value))
    if isinstance(edit, Delete):
        members = layout.members(container)
        last = line_of(text, members[1].start) if member.position == 0 and len(members) > 1 else last + 1
    return first, last


def reverse(text: str, edit: Edit, layout: Layout) -> Edit | None:
    """The edit that undoes one, where it needs nothing that the first has thrown away."""
    if isinstance(edit, Rename):
        member = next(m for p, _, m in targets(layout) if p == edit.path)
        quoted = text[layout.inner(member.key)] in "'\""
        if not is_plain(str(edit.path[-1])) or (quoted and not is_plain(str(edit.name))):
            return None  # `on` would come back in quotes, a quoted name after one that needs quotes without them
        return Rename((*edit.path[:-1], edit.name), edit.path[-1])  # type: ignore[arg-type]
    if isinstance(edit, Insert):
        ends_in_block = not text.endswith(("\n", "\r")) and layout.block_header(layout.last_leaf(0)) is not None
        return None if ends_in_block else Delete(edit.path)  # its header has to change
    if isinstance(edit, Replace):
        member = next(m for p, _, m in targets(layout) if p == edit.path)
        inline = not layout.is_container(member.value) and not layout.block_header(member.value)
        raw = text[layout.inner(member.value) : layout.end(member.value)]
        plain = member.value not in layout.props and "\n" not in raw and raw
        return Replace(edit.path, Raw(raw)) if inline and plain and isinstance(edit.value, Scalar) else None
    return None


def edits_of(text: str, rng: random.Random, count: int) -> Iterator[tuple[Edit, Layout]]:
    layouts = lay_out(Source("x", text))
    found = {at: list(targets(layout)) for at, layout in enumerate(layouts)}
    usable = [at for at in found if found[at]]
    for _ in range(count if usable else 0):
        at = rng.choice(usable)
        edit = random_edit(rng, layouts[at], found[at])
        edit.document = at
        yield edit, layouts[at]
