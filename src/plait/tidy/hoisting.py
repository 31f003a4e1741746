"""Values that the users of a shared layer set alike: they move into that layer, and the others override it."""

from __future__ import annotations

from functools import cached_property

from plait.core.visible import counted
from plait.tidy.layering import is_plain, written_at
from plait.tidy.proposal import Proposal
from plait.tidy.transfer import put
from plait.yaml.edits import Delete
from plait.yaml.emit import emit_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path
    from plait.tidy.layering import Looked
    from plait.tidy.looking import ValueUse
    from plait.tidy.proposal import Found
    from plait.tidy.written import WrittenFile, WrittenValue

HOIST = "hoist"


class Candidate:
    """A value that decides something, and in which targets."""

    def __init__(self, file: WrittenFile, value: WrittenValue, use: ValueUse) -> None:
        self.file = file
        self.value = value
        self.use = use

    @cached_property
    def decides(self) -> set[str]:
        return set(self.use.targets) - self.use.under.keys()

    @cached_property
    def text(self) -> str:
        """The value, to be compared with others."""
        return emit_json(self.value.node, reveal=True)


class Lift:
    """What moves into a layer: the values that are alike, and the targets that then need the layer's own value."""

    __slots__ = ("layer", "left", "meant", "users")

    def __init__(self, layer: WrittenFile, meant: list[Candidate], users: set[str], left: set[str]) -> None:
        self.layer = layer
        self.meant = meant
        self.users = users
        self.left = left


def hoist(looked: Looked) -> Found:
    """The values of one path that are equal in the users of a layer, which has the map that they are in. Layers of
    which no target reads two get theirs at once: those with the most users first."""
    readers = looked.order.readers
    for steps, several in _candidates(looked).items():
        near = set().union(*(looked.order.below(one.file.path) for one in several))
        layers = [layer for layer in looked.with_map.get(steps[:-1], ()) if layer.path in near]
        served: set[str] = set()
        for layer in sorted(layers, key=lambda one: -len(readers[one.path])):
            found = _lift(looked, several, layer, steps) if served.isdisjoint(readers[layer.path]) else None
            made = _proposal(looked, found, steps) if found is not None else None
            if made is not None:
                served |= readers[layer.path]
                yield made
        yield None


def _candidates(looked: Looked) -> dict[Path, list[Candidate]]:
    """The values that are needed, by their paths, where a layer has the map that they are in."""
    found: dict[Path, list[Candidate]] = {}
    layers = looked.with_map
    for file in looked.files.values():
        for value, use in looked.used(file) if looked.has_beside(file) else ():
            if not use.needed or value.number or value.steps[:-1] not in layers:
                continue
            if use.repeats or not is_plain(value):
                continue
            found.setdefault(value.steps, []).append(Candidate(file, value, use))
    return {steps: several for steps, several in found.items() if len(several) > 1}


def _lift(looked: Looked, several: list[Candidate], layer: WrittenFile, steps: Path) -> Lift | None:
    """What a layer could have instead of some values; None where too few are alike, or a target would differ."""
    users = looked.order.readers[layer.path]
    above = [one for one in several if one.file is not layer and not one.decides.isdisjoint(users)]
    if len(above) < 2:
        return None
    own = {target for one in several if one.file is layer for target in one.decides}
    groups: dict[str, list[Candidate]] = {}
    for one in above:
        groups.setdefault(one.text, []).append(one)
    meant = max(groups.values(), key=lambda group: len(_decided(group)), default=[])
    covered = _decided(meant)
    if len(meant) < 2 or not looked.suffices(len(covered), len(users)):
        return None
    if any(layer.path not in looked.order.below(one.file.path) or not one.decides <= users for one in above):
        return None
    left = users - covered - _decided([one for one in above if one not in meant])
    return Lift(layer, meant, users, left) if left <= own else None


def _decided(several: list[Candidate]) -> set[str]:
    return set().union(*(one.decides for one in several))


def _proposal(looked: Looked, lift: Lift, steps: Path) -> Proposal | None:
    """The value in the layer, and the layer's own value in files of those that had it from there."""
    project, layer, first = looked.uses.world.project, lift.layer, lift.meant[0]
    old, files = (written_at(layer, steps), looked.covering(layer, lift.left) if lift.left else [])
    if lift.left and (old is None or not files):
        return None
    made = Proposal(HOIST, first.file, first.value, _reason(lift))
    made.edits = [(one.file.path, Delete(one.value.steps)) for one in lift.meant]
    best = next((one for one in lift.meant if one.file.comment(one.value)), first)
    made.edits.append((layer.path, put(project, layer, steps, 0, best.file, best.value)))
    if old is not None:
        made.edits += [(file.path, put(project, file, steps, 0, layer, old)) for file in files]
    made.places = [place for one in lift.meant for place in one.use.places]
    return made


def _reason(lift: Lift) -> str:
    files, users = counted(len(lift.meant), "file"), counted(len(lift.users), "target")
    some = len(_decided(lift.meant))
    if some == len(lift.users):
        return f"to {lift.layer.name}: all {users} have it from {files} alike"
    rest = len(lift.users) - some
    others = f"{rest} {'overrides' if rest == 1 else 'override'} it"
    return f"to {lift.layer.name}: {some} of {users} have it from {files} alike, {others}"
