"""The kinds of proposals: what each looks for among the written values of all files."""

from __future__ import annotations

from plait.core.node import ListNode, MapNode
from plait.core.visible import counted
from plait.tidy.hoisting import HOIST, hoist
from plait.tidy.meant import is_meant
from plait.tidy.proposal import NEXT, OVERRIDDEN, removal
from plait.tidy.pushdown import PUSH_DOWN, push_down
from plait.tidy.shrinking import REDUNDANT, empty, items, lists, same
from plait.tidy.taken import taken
from plait.tidy.unused import OTHERS_READ, UNUSED, UNUSED_KIND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.source import Origin
    from plait.tidy.layering import Looked
    from plait.tidy.looking import ValueUse
    from plait.tidy.proposal import Found, Proposal
    from plait.tidy.written import WrittenFile, WrittenValue

    Find = Callable[[Looked], Found]
    Fits = Callable[[Looked, WrittenFile, WrittenValue, ValueUse], bool]
    Used = list[tuple[WrittenValue, ValueUse]]


def redundant(looked: Looked) -> Found:
    """Values that are equal to what they override, in every target that reads them, and that nobody seems to mean."""
    for file in looked.files.values():
        yield from _deletions(REDUNDANT, file, looked, _is_redundant, same)
        yield None
    yield from lists(looked)
    yield from empty(looked)
    yield from taken(looked)


def _is_redundant(looked: Looked, file: WrittenFile, value: WrittenValue, use: ValueUse) -> bool:
    return use.repeats and not looked.is_over_leaving(use) and not is_meant(looked, file, value, use)


def unused(looked: Looked) -> Found:
    """Values of a layer that several targets share, which none of them has in its result; what nothing reads. A value
    that another one overrides in each of them is listed where this kind alone is asked for, and stays."""
    for file in looked.files.values():
        for one in _deletions(UNUSED_KIND, file, looked, _is_unused, _covered):
            is_default = one.reason.startswith(OVERRIDDEN)
            if is_default and UNUSED_KIND not in looked.only:
                continue
            one.obstacle = (
                f"{one.reason}: {NEXT}" if is_default else OTHERS_READ if file.path in looked.uses.shared else ""
            )
            yield one
        yield None
    for find in UNUSED:
        yield from find(looked)
        yield None


def _is_unused(looked: Looked, file: WrittenFile, value: WrittenValue, use: ValueUse) -> bool:
    return not use.repeats and len(use.targets) > 1


WHOLE: dict[str, Callable[[Looked], Iterator[Proposal]]] = {REDUNDANT: items}
"""What is tried before everything else: where it holds, nothing inside of it is looked at."""
OLD_NAMES = {"dead": UNUSED_KIND}
"""Earlier names of kinds."""
KINDS: dict[str, Find] = {REDUNDANT: redundant, HOIST: hoist, UNUSED_KIND: unused, PUSH_DOWN: push_down}
"""Every kind, in the order in which proposals are tried."""


def _covered(several: Used) -> str:
    count = len({target for _, use in several for target in use.targets})
    if any(_is_other(value, by) for value, use in several for by in use.under.values()):
        return f"{OVERRIDDEN} {counted(count, 'target')}"
    return f"no target has it in its result (nothing in {counted(count, 'target')} reads it)"


def _is_other(value: WrittenValue, by: Origin) -> bool:
    """Whether what takes the place of a value is another one."""
    return (by.file, by.at) != (value.node.origin.file, value.node.at)


def _deletions(
    kind: str, file: WrittenFile, looked: Looked, fits: Fits, why: Callable[[Used], str]
) -> Iterator[Proposal]:
    """The largest parts of a file in which every value fits, each to be removed; those that are protected are parts of
    their own, so that what is beside them can go."""
    if not looked.has_idle(file):
        return
    fitting, protected = set[int](), set[int]()
    for value, use in looked.used(file):
        if not use.needed and fits(looked, file, value, use) and not looked.keeps(file, value, use):
            (protected if looked.protects(use) else fitting).add(id(value))
    known = looked.inside(file)
    for some in filter(None, (fitting, protected)):
        for value, decides in _parts(file, lambda one, some=some: _all_fit(known.get(id(one)), some)):  # type: ignore[misc]
            yield _deletion(kind, file, value, why(known[id(decides)]), known[id(decides)])


def _all_fit(inside: Used | None, fitting: set[int]) -> bool:
    return bool(inside) and all(id(one) in fitting for one, _ in inside or ())


def _parts(file: WrittenFile, fits: Callable[[WrittenValue], bool]) -> Iterator[tuple[WrittenValue, WrittenValue]]:
    """The largest parts of a file that fit, each with the value that decides it."""
    stack: list[WrittenValue] = []
    for root in reversed(file.roots):
        if _is_json_patch(root):
            yield from _operations(root, fits)
        else:
            stack.extend(reversed(root.below))
    while stack:
        value = stack.pop()
        if fits(value):
            yield value, value
        else:
            stack.extend(reversed(value.below))


def _is_json_patch(root: WrittenValue) -> bool:
    """Whether a document is a list of operations on another one."""
    items = [one.node for one in root.below] if isinstance(root.node, ListNode) else []
    return bool(items) and all(isinstance(one, MapNode) and {"op", "path"} <= one.entries.keys() for one in items)


def _operations(
    root: WrittenValue, fits: Callable[[WrittenValue], bool]
) -> Iterator[tuple[WrittenValue, WrittenValue]]:
    """The operations of a patch whose values fit: each goes as a whole. A patch is not left without any."""
    values = [(item, one) for item in root.below for one in item.below if one.steps[-1] == "value"]
    found = [(item, one) for item, one in values if fits(one)]
    yield from found if len(found) < len(root.below) else ()


def _deletion(kind: str, file: WrittenFile, value: WrittenValue, why: str, several: Used) -> Proposal:
    made = removal(kind, file, value, why)
    made.places = [place for _, use in several for place in use.places]
    return made
