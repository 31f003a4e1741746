"""Values that the users of a shared layer set alike: they move into that layer, and the others override it."""

from __future__ import annotations

from functools import cached_property

from plait.core.path import format_path
from plait.core.visible import counted
from plait.tidy.inherited import bases_of, equal_texts
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
    """What moves into a layer, to a path: the values that are alike, and the targets that then need the layer's own
    value."""

    __slots__ = ("layer", "left", "meant", "steps", "users")

    def __init__(
        self, layer: WrittenFile, steps: Path, meant: list[Candidate], users: set[str], left: set[str]
    ) -> None:
        self.layer = layer
        self.steps = steps
        self.meant = meant
        self.users = users
        self.left = left


def hoist(looked: Looked) -> Found:
    """The values of one path that are equal in the users of a layer, which has the map that they are in. Layers of
    which no target reads two get theirs at once: those with the most users first, of several with the same the nearest.
    Then values of documents that inherit the map that they are in from a layer."""
    readers, below = looked.order.readers, looked.order.below
    hoisted: set[Path] = set()
    for steps, several in _candidates(looked).items():
        near = set().union(*(below(one.file.path) for one in several))
        layers = [layer for layer in looked.with_map.get(steps[:-1], ()) if layer.path in near]
        served: set[str] = set()
        for layer in sorted(layers, key=lambda one: (-len(readers[one.path]), _depth(looked, one, layers))):
            users = readers[layer.path]
            found = _lift(looked, several, layer, steps, users) if served.isdisjoint(users) else None
            made = _proposal(looked, found, steps) if found is not None else None
            if made is not None:
                served |= users
                hoisted.add(steps)
                yield made
        yield None
    for steps, files in equal_texts(looked).items():
        if steps not in hoisted:
            yield _to_a_base(looked, steps, _at(looked, steps, files))


def _depth(looked: Looked, layer: WrittenFile, layers: list[WrittenFile]) -> int:
    """Over how many of some layers another one lies."""
    return sum(layer.path in looked.order.below(one.path) for one in layers)


def _candidates(looked: Looked) -> dict[Path, list[Candidate]]:
    """The values that are needed, by their paths, where a layer has the map that they are in."""
    found: dict[Path, list[Candidate]] = {}
    layers = looked.with_map
    for file in looked.files.values():
        for value, use in looked.used(file) if looked.has_beside(file) else ():
            if value.steps[:-1] in layers and _may_move(value, use):
                found.setdefault(value.steps, []).append(Candidate(file, value, use))
    return {steps: several for steps, several in found.items() if len(several) > 1}


def _may_move(value: WrittenValue, use: ValueUse) -> bool:
    return use.needed and not value.number and not use.repeats and is_plain(value)


def _at(looked: Looked, steps: Path, files: list[WrittenFile]) -> list[Candidate]:
    """The values at a path of some files."""
    rows = [(file, value) for file in files if (value := written_at(file, steps)) is not None]
    found = [(file, value, use) for file, value in rows if (use := looked.use(file, value)) is not None]
    return [Candidate(*row) for row in found if _may_move(*row[1:])]


def _to_a_base(looked: Looked, steps: Path, several: list[Candidate]) -> Proposal | None:
    """The proposal to move values into what their documents inherit from; None where there is none."""
    bases = list(bases_of(looked, several[0].use, steps)) if len(several) > 1 else []
    users = {layer.path: _inheriting(looked, layer, there) for layer, there in bases}
    for layer, there in sorted(bases, key=lambda row: -len(users[row[0].path])):
        found = _lift(looked, several, layer, there, users[layer.path])
        made = _proposal(looked, found, steps) if found is not None else None
        if made is not None:
            return made
    return None


def _inheriting(looked: Looked, layer: WrittenFile, steps: Path) -> set[str]:
    """The targets that have values of the map that something of a layer is in."""
    above = written_at(layer, steps[:-1])
    inside = [one for child in above.below for one in child.leaves()] if above is not None else []
    uses = [use for one in inside if (use := looked.use(layer, one)) is not None]
    return {target for use in uses for target in use.targets}


def _lift(looked: Looked, several: list[Candidate], layer: WrittenFile, steps: Path, users: set[str]) -> Lift | None:
    """What a layer could have at a path instead of some values; None where too few are alike, or a target would
    differ."""
    above = [one for one in several if one.file is not layer and not one.decides.isdisjoint(users)]
    if len(above) < 2:
        return None
    own = _decided(_at(looked, steps, [layer]))
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
    return Lift(layer, steps, meant, users, left) if left <= own else None


def _decided(several: list[Candidate]) -> set[str]:
    return set().union(*(one.decides for one in several))


def _proposal(looked: Looked, lift: Lift, steps: Path) -> Proposal | None:
    """The value in the layer, and the layer's own value, at the path of the values, in files of those that had it from
    there."""
    project, layer, first = looked.uses.world.project, lift.layer, lift.meant[0]
    old, files = (written_at(layer, lift.steps), looked.covering(layer, lift.left) if lift.left else [])
    if lift.left and (old is None or not files):
        return None
    made = Proposal(HOIST, first.file, first.value, _reason(lift, steps))
    made.edits = [(one.file.path, Delete(one.value.steps)) for one in lift.meant]
    best = next((one for one in lift.meant if one.file.comment(one.value)), first)
    made.edits.append((layer.path, put(project, layer, lift.steps, 0, best.file, best.value)))
    if old is not None:
        made.edits += [(file.path, put(project, file, steps, 0, layer, old)) for file in files]
    made.places = [place for one in lift.meant for place in one.use.places]
    return made


def _reason(lift: Lift, steps: Path) -> str:
    files, users = counted(len(lift.meant), "file"), counted(len(lift.users), "target")
    some = len(_decided(lift.meant))
    where = f"{lift.layer.name}{f' ({format_path(lift.steps)})' if lift.steps != steps else ''}"
    if some == len(lift.users):
        return f"to {where}: all {users} have it from {files} alike"
    rest = len(lift.users) - some
    others = f"{rest} {'overrides' if rest == 1 else 'override'} it"
    return f"to {where}: {some} of {users} have it from {files} alike, {others}"
