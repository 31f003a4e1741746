"""The kinds of proposals: what each looks for among the written values of all files."""

from __future__ import annotations

from plait.core.visible import counted
from plait.tidy.hoisting import HOIST, hoist
from plait.tidy.proposal import Proposal
from plait.tidy.pushdown import PUSH_DOWN, push_down
from plait.tidy.shrinking import REDUNDANT, items, lists
from plait.tidy.taken import taken
from plait.tidy.unused import DEAD, OTHERS_READ, UNUSED
from plait.yaml.edits import Delete

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.source import Origin
    from plait.tidy.layering import Looked
    from plait.tidy.looking import ValueUse, ValueUses
    from plait.tidy.written import WrittenFile, WrittenValue

    Find = Callable[[Looked], Iterator[Proposal]]


def redundant(looked: Looked) -> Iterator[Proposal]:
    """Values that are equal to what they override, in every target that reads them."""
    for file in looked.files.values():
        yield from _deletions(REDUNDANT, file, looked.uses, lambda use: not use.needed and bool(use.over), _same)
    yield from lists(looked)
    yield from taken(looked)


def dead(looked: Looked) -> Iterator[Proposal]:
    """Values of a layer that several targets share, which another one overrides in each of them; what nothing reads."""
    for file in looked.files.values():
        for one in _deletions(DEAD, file, looked.uses, _is_dead, _covered):
            if file.path in looked.uses.shared:
                one.obstacle = OTHERS_READ
            yield one
    for find in UNUSED:
        yield from find(looked)


def _is_dead(use: ValueUse) -> bool:
    return not use.needed and not use.over and len(use.targets) > 1


WHOLE: dict[str, Find] = {REDUNDANT: items}
"""What is tried before everything else: where it holds, nothing inside of it is looked at."""
KINDS: dict[str, Find] = {REDUNDANT: redundant, HOIST: hoist, DEAD: dead, PUSH_DOWN: push_down}
"""Every kind, in the order in which proposals are tried."""


def _same(several: list[ValueUse]) -> str:
    origins = {str_of(origin): None for use in several for origin in use.over.values()}
    first, *more = origins
    if more:
        return f"{first} and {counted(len(more), 'other place')} {'sets' if len(more) == 0 else 'set'} the same"
    return f"{first} sets the same"


def _covered(several: list[ValueUse]) -> str:
    count = len({target for use in several for target in use.targets})
    return f"no target has it in its result ({counted(count, 'target')} {'overrides' if count == 1 else 'override'} it)"


def str_of(origin: Origin) -> str:
    return f"{origin.file}:{origin.line}"


def _deletions(
    kind: str,
    file: WrittenFile,
    uses: ValueUses,
    fits: Callable[[ValueUse], bool],
    why: Callable[[list[ValueUse]], str],
) -> Iterator[Proposal]:
    """The largest parts of a file in which every value fits, each to be removed."""
    known = {id(value): _uses_of(file, uses, value) for value in file.at.values()}
    stack = [child for root in reversed(file.roots) for child in reversed(root.below)]
    while stack:
        value = stack.pop()
        inside = known.get(id(value))
        if inside and all(map(fits, inside)):
            yield _deletion(kind, file, value, why(inside), inside)
        else:
            stack.extend(reversed(value.below))


def _uses_of(file: WrittenFile, uses: ValueUses, value: WrittenValue) -> list[ValueUse]:
    """The uses of everything at or below a value; none where a part of it is not used, or not known."""
    whole = uses.uses.get((file.path, value.node.at))
    if whole is not None:
        return [whole]
    if not value.below:
        return []
    found: list[ValueUse] = []
    for child in value.below:
        inside = _uses_of(file, uses, child)
        if not inside:
            return []
        found += inside
    return found


def _deletion(kind: str, file: WrittenFile, value: WrittenValue, why: str, several: list[ValueUse]) -> Proposal:
    made = Proposal(kind, file, value, why)
    made.edits = [(file.path, Delete(value.steps, value.number))]
    made.places = [place for use in several for place in use.places]
    return made
