"""Lists of which only a part differs from what they override: they shrink to that part."""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Scalar, equal
from plait.core.visible import counted
from plait.tidy.meant import is_pin
from plait.tidy.proposal import Proposal, SpanEdit
from plait.yaml.edits import Delete

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.tidy.layering import Looked
    from plait.tidy.looking import ValueUse
    from plait.tidy.written import WrittenFile, WrittenValue

REDUNDANT = "redundant"
APPEND, PREPEND = "!append", "!prepend"


def items(looked: Looked) -> Iterator[Proposal]:
    """Items of lists that are merged by a key, which say nothing but their key, or the same as what is below."""
    for file in looked.files.values():
        for value in file.at.values() if looked.has_idle(file) else ():
            listed = value.above is not None and isinstance(value.above.node, ListNode)
            if listed and isinstance(value.node, MapNode) and value.below:
                uses = [_unneeded(looked, file, child) for child in value.below]
                if _says_nothing(value, uses) and not any(map(is_pin, value.below)):
                    made = Proposal(REDUNDANT, file, value, "the item below it has the same")
                    made.edits = [(file.path, Delete(value.steps, value.number))]
                    made.places = [place for use in uses if use is not None for place in use.places]
                    yield made


def _unneeded(looked: Looked, file: WrittenFile, value: WrittenValue) -> ValueUse | None:
    """The use of a value that repeats what is below it, and is not what a document says about itself."""
    use = looked.use(file, value)
    if use is None or use.needed or not use.repeats or looked.is_its_own(file.path, value.node.at, use):
        return None
    return use


def _says_nothing(item: WrittenValue, uses: list[ValueUse | None]) -> bool:
    """Whether everything in an item but one single value, by which it is known, repeats what is below it."""
    other = [child for child, use in zip(item.below, uses, strict=True) if use is None]
    return len(other) == 1 < len(uses) and isinstance(other[0].node, Scalar)


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
