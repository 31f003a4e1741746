"""Lists of which only a part differs from what they override: they shrink to that part."""

from __future__ import annotations

import re

from plait.core.node import Container, ListNode, MapNode, Scalar, equal
from plait.core.visible import counted
from plait.tidy.layering import written_at
from plait.tidy.meant import has_comment, is_meant
from plait.tidy.proposal import Proposal, SpanEdit, removal
from plait.yaml.edits import Delete

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.tidy.layering import Looked
    from plait.tidy.looking import ValueUse
    from plait.tidy.written import WrittenFile, WrittenValue

    Used = list[tuple[WrittenValue, ValueUse]]

REDUNDANT = "redundant"
APPEND, PREPEND = "!append", "!prepend"
EMPTY = re.compile(r"\{\s*\}|\[\s*\]")


def same(several: Used) -> str:
    """Which places set the same as some values."""
    first, *more = {f"{origin.file}:{origin.line}": None for _, use in several for origin in use.over.values()}
    return f"{first} and {counted(len(more), 'other place')} set the same" if more else f"{first} sets the same"


def items(looked: Looked) -> Iterator[Proposal]:
    """Items of lists that are merged by a key, which say nothing but their key, or the same as what is below."""
    for file in looked.files.values():
        for value in file.at.values() if looked.has_idle(file) or looked.has_items(file) else ():
            listed = value.above is not None and isinstance(value.above.node, ListNode)
            key = _key(looked, file, value) if listed and isinstance(value.node, MapNode) else None
            if key is None or has_comment(file, key) or has_comment(file, value):
                continue
            several = [row for child in value.below if child is not key for row in looked.inside(file)[id(child)]]
            why = same(several) if several else _named_below(looked, file, key)
            if why:
                made = removal(REDUNDANT, file, value, why)
                made.places = [place for _, use in several or looked.inside(file)[id(key)] for place in use.places]
                yield made


def _key(looked: Looked, file: WrittenFile, item: WrittenValue) -> WrittenValue | None:
    """The single value by which an item is known, where everything else in it repeats what is below it."""
    other = [child for child in item.below if not _repeats(looked, file, child)]
    return other[0] if len(other) == 1 and isinstance(other[0].node, Scalar) else None


def _repeats(looked: Looked, file: WrittenFile, value: WrittenValue) -> bool:
    """Whether everything in a value repeats what is below it, and nobody seems to have meant it."""
    several = looked.inside(file).get(id(value), [])
    return bool(several) and all(_is_idle(looked, file, one, use) for one, use in several)


def _is_idle(looked: Looked, file: WrittenFile, value: WrittenValue, use: ValueUse) -> bool:
    stays = looked.keeps(file, value, use) or looked.protects(use) or is_meant(looked, file, value, use)
    return not use.needed and use.repeats and not stays


def _named_below(looked: Looked, file: WrittenFile, key: WrittenValue) -> str:
    """Where a file below has an item with the same key, which one that has only its key cannot change."""
    use = looked.use(file, key)
    steps = (*key.steps[:-2], key.steps[-1])
    for low in looked.below(file) if use is not None and not looked.protects(use) else ():
        for one in low.at.values():
            if (*one.steps[:-2], *one.steps[-1:]) == steps and equal(one.node, key.node):
                return f"it only names the item at {low.name}:{one.line}"
    return ""


def empty(looked: Looked) -> Iterator[Proposal]:
    """Empty maps and lists that add nothing to what is below them."""
    for file in looked.files.values():
        for value in file.at.values() if EMPTY.search(file.source.text) else ():
            if not isinstance(value.node, Container) or value.below or value.node.tag or not value.steps:
                continue
            decides = isinstance(value.node, ListNode) and looked.use(file, value) is not None
            if decides or has_comment(file, value):
                continue
            below = ((low, written_at(low, value.steps)) for low in looked.below(file))
            there = next(((low, one) for low, one in below if one and one.node.__class__ is value.node.__class__), None)
            if there is not None:
                made = removal(REDUNDANT, file, value, f"it adds nothing to {there[0].name}:{there[1].line}")
                made.places = [(target, value.steps) for target in sorted(looked.targets(file.path))]
                yield made


def lists(looked: Looked) -> Iterator[Proposal]:
    """Lists that begin or end with the whole list that they replace: they add the rest to it."""
    for (path, offset), found in _replaced(looked).items():
        file = looked.files[path]
        value = file.at[offset]
        use = looked.use(file, value)
        assert isinstance(value.node, ListNode)
        if use is None or use.repeats or value.node.tag or {target for target, _, _ in found} != set(use.targets):
            continue
        low = next(iter({id(node): node for _, node, _ in found}.values()))
        sizes = {len(node.items) for _, node, _ in found}
        tag = _tag(value.node, [node for _, node, _ in found])
        if tag and len(sizes) == 1 and low.items:
            yield _added(file, value, tag, len(low.items), found[0][2], use)


def _replaced(looked: Looked) -> dict[tuple[str, int], list[tuple[str, ListNode, str]]]:
    """The lists that replace another, with the target, the list below and its place."""
    found: dict[tuple[str, int], list[tuple[str, ListNode, str]]] = {}
    rows = ((path, at, use) for path, uses in looked.uses.uses.items() for at, use in uses.items())
    for path, at, use in rows:
        low = looked.value_at(path, at) if use.is_overridden else None
        if low is None or not isinstance(low[1].node, ListNode):
            continue
        for address, by in use.under.items():
            there = looked.uses.spot(by)
            above = looked.files[there[0]].at.get(by.at) if there is not None and there[0] in looked.files else None
            if there is not None and above is not None and isinstance(above.node, ListNode):
                found.setdefault(there, []).append((address, low[1].node, f"{low[0].name}:{low[1].line}"))
    return found


def _tag(high: ListNode, below: list[ListNode]) -> str:
    """How the list adds to all lists below it; empty where it does not."""
    return next((tag for tag in (APPEND, PREPEND) if all(_has(high, low, tag == PREPEND) for low in below)), "")


def _has(high: ListNode, low: ListNode, at_end: bool) -> bool:
    count = len(low.items)
    same = high.items[-count:] if at_end else high.items[:count]
    return 0 < count < len(high.items) and all(equal(one, two) for one, two in zip(same, low.items, strict=True))


def _added(file: WrittenFile, value: WrittenValue, tag: str, count: int, where: str, use: ValueUse) -> Proposal:
    """The tag before the list, and the list without the items that are below."""
    spot = file.spot(value)
    assert spot is not None
    first = 0 if tag == APPEND else len(value.below) - count
    made = Proposal(REDUNDANT, file, value, f"{where} has {counted(count, 'item')} of it: {tag} adds the rest")
    start = spot.value_span[0]
    is_flow = file.source.text[start] == "["
    tagged = SpanEdit(start, start, f"{tag} ") if is_flow else _after_key(file, spot.key_span[1], tag)
    made.edits = [(file.path, tagged)]
    made.edits += [(file.path, Delete((*value.steps, number), value.number)) for number in range(first, first + count)]
    made.places = list(use.places)
    return made


def _after_key(file: WrittenFile, end: int, tag: str) -> SpanEdit:
    colon = file.source.text.index(":", end) + 1
    return SpanEdit(colon, colon, f" {tag}")
