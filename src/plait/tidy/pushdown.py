"""Values of a shared layer that its users override: they go, or move into the few that do not override them."""

from __future__ import annotations

from plait.core.visible import counted
from plait.tidy.inherited import own_place
from plait.tidy.layering import is_plain
from plait.tidy.proposal import removal
from plait.tidy.transfer import put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path
    from plait.tidy.layering import Looked
    from plait.tidy.looking import ValueUse
    from plait.tidy.proposal import Found, Proposal
    from plait.tidy.written import WrittenFile, WrittenValue

PUSH_DOWN = "push-down"


def push_down(looked: Looked) -> Found:
    """The values of layers that enough of the targets which read them override."""
    for layer in looked.layers:
        for value, use in looked.used(layer) if looked.has_overridden(layer) else ():
            made = _pushed(looked, layer, value, use)
            if made is not None:
                yield made
        yield None


def _pushed(looked: Looked, layer: WrittenFile, value: WrittenValue, use: ValueUse) -> Proposal | None:
    if use.repeats or not value.steps or not looked.leaves(use):
        return None
    left = set(use.targets) - use.under.keys()
    left -= looked.repeating(layer, value) if left else set()
    files = looked.covering(layer, left) if left and is_plain(value) and not value.number else []
    if left and not files:
        return None
    if len(use.under) == len(use.targets):
        return None  # the next target would have it
    users = counted(len(use.targets), "target")
    why = f"{len(use.under)} of {users} override it: it moves to {', '.join(file.name for file in files)}"
    if not left:
        why = f"{len(use.under)} of {users} override it, and the others have it, too: it goes"
    made = removal(PUSH_DOWN, layer, value, why)
    project = looked.uses.world.project
    for file in files:
        steps = _steps(looked, file, value, use)
        made.edits.append((file.path, put(project, file, steps, 0, layer, value)))
    made.places = list(use.places)
    return made


def _steps(looked: Looked, file: WrittenFile, value: WrittenValue, use: ValueUse) -> Path:
    """Where a file gets a value that it had from a layer: where the document is that inherited it, if one did."""
    readers = looked.order.readers.get(file.path, set())
    target, path = next(row for row in use.places if row[0] in readers)
    return own_place(looked, target, file, value.steps, path) or value.steps
