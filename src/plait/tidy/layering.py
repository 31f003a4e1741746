"""What kinds look at: the written values of all files, what they do, and how files lie over each other."""

from __future__ import annotations

from functools import cached_property

from plait.core.node import MapNode, Scalar
from plait.core.walk import leaves_of
from plait.review.guards import by_position
from plait.tidy.looking import INSIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from plait.core.path import Path
    from plait.core.protection import Protection
    from plait.core.source import Origin
    from plait.tidy.looking import Spot, ValueUse, ValueUses
    from plait.tidy.written import WrittenFile, WrittenValue

    Open = Callable[[str, str], WrittenFile | None]

ALL = 100
EXPRESSIONS = ("{{", "((")
"""What begins an expression in a text: it may mean something else in another file."""


class LayerOrder:
    """Which targets read a file, and which files lie below it."""

    def __init__(self, uses: ValueUses) -> None:
        self.readers: dict[str, set[str]] = {}
        self._below: dict[str, set[str]] = {}
        self.links: dict[str, dict[str, int]] = {}
        """Each file with the files that it asks for, each with the line that says so."""
        self._all_below: dict[str, set[str]] = {}
        known: dict[tuple[str, int], tuple[dict[str, int], set[str]]] = {}
        targets, place = uses.world.targets, uses.place
        for address in targets.names():
            target = targets[address]
            for file, rows in target.links():
                seen = known.get((file, id(rows)))
                if seen is None:
                    path = place(target, file)
                    seen = known[file, id(rows)] = (rows, self.readers.setdefault(path, set()))
                    below = {place(target, row): line for row, line in rows.items()}
                    self.links.setdefault(path, {}).update(below)
                    self._below.setdefault(path, set()).update(below)
                seen[1].add(address)

    def below(self, path: str) -> set[str]:
        """The files that lie below a file in every merge."""
        if path not in self._all_below:
            self._all_below[path] = self._followed(path)
        return self._all_below[path]

    def _followed(self, path: str) -> set[str]:
        found: set[str] = set()
        stack = [path]
        while stack:
            fresh = self._below.get(stack.pop(), set()) - found
            found |= fresh
            stack.extend(fresh)
        return found


class Looked:
    """The files that may be changed, what their values do, and how many percent of users are enough."""

    def __init__(
        self,
        files: dict[str, WrittenFile],
        uses: ValueUses,
        share: int,
        open: Open,
        read: Open,
        only: Collection[str] = (),
    ) -> None:
        """`open` gives one more file, by its name and its path, if it may be changed; `read` if it may not, too. `only`
        are the kinds of proposals that are asked for by name."""
        self.only = only
        self.files = files
        self.uses = uses
        self.share = share
        self.open = open
        self._read = read
        self._used: dict[str, list[tuple[WrittenValue, ValueUse]]] = {}
        self._taking: dict[str, set[str]] = {}
        self._repeating: dict[Spot | None, set[str]] | None = None
        self._idle: dict[str, bool] = {}
        self._paths: dict[Spot, Path | None] = {}
        self._inside: dict[str, dict[int, list[tuple[WrittenValue, ValueUse]]]] = {}

    @cached_property
    def order(self) -> LayerOrder:
        return LayerOrder(self.uses)

    @cached_property
    def layers(self) -> list[WrittenFile]:
        """The files that several targets read, and nobody else."""
        readers, shared = self.order.readers, self.uses.shared
        return [file for path, file in self.files.items() if len(readers.get(path, ())) > 1 and path not in shared]

    @cached_property
    def with_map(self) -> dict[Path, list[WrittenFile]]:
        """The layers that have a map at a path, by the path."""
        found: dict[Path, list[WrittenFile]] = {}
        for layer in self.layers:
            maps = {one.steps for one in layer.at.values() if isinstance(one.node, MapNode)}
            for steps in maps if len(layer.roots) == 1 else ():
                found.setdefault(steps, []).append(layer)
        return found

    def use(self, file: WrittenFile, value: WrittenValue) -> ValueUse | None:
        return self.uses.uses.get(file.path, {}).get(value.node.at)

    def used(self, file: WrittenFile) -> list[tuple[WrittenValue, ValueUse]]:
        """The values of a file that a target has to do with, each with its use."""
        if file.path not in self._used:
            rows = ((file.at.get(at), use) for at, use in sorted(self.uses.uses.get(file.path, {}).items()))
            self._used[file.path] = [(value, use) for value, use in rows if value is not None]
        return self._used[file.path]

    def has_idle(self, file: WrittenFile) -> bool:
        """Whether a value of a file is not needed anywhere, and is not what a document says about itself."""
        path = file.path
        if path not in self._idle:
            idle = ((at, use) for at, use in self.uses.uses.get(path, {}).items() if not use.needed)
            self._idle[path] = any(not self.is_its_own(path, at, use) for at, use in idle)
        return self._idle[path]

    def has_overridden(self, file: WrittenFile) -> bool:
        """Whether a target overrides a value of a file."""
        return any(use.is_overridden for use in self.uses.uses.get(file.path, {}).values())

    def has_items(self, file: WrittenFile) -> bool:
        """Whether a file has items of lists that are merged one by one."""
        roles = (use.roles[0] for use in self.uses.uses.get(file.path, {}).values() if use.roles)
        return any(len(role.path) > 1 and isinstance(role.path[-2], int) for role in roles)

    def below(self, file: WrittenFile) -> Iterator[WrittenFile]:
        """The files that lie below a file, the nearest first, also those that may not be changed, as the defaults of a
        chart."""
        path = file.path.partition(INSIDE)[0]
        own = self.targets(path)
        shared = {one for one in self.uses.shared if one != path and not own.isdisjoint(self.targets(one))}
        for one in sorted(self.order.below(path) | shared, key=lambda one: (-len(self.order.below(one)), one)):
            low = self._file(one)
            if low is not None:
                yield low

    def targets(self, path: str) -> set[str]:
        """The targets that take a value of a file."""
        if path not in self._taking:
            self._taking[path] = {one for use in self.uses.uses.get(path, {}).values() for one in use.targets}
        return self._taking[path]

    def is_its_own(self, path: str, offset: int, use: ValueUse) -> bool:
        """Whether a value is what a document says about itself, and what is below it is said of another one."""
        targets, below = self.uses.world.targets, use.below
        if not below or not any(step in targets[target].own_sections for target, step in use.sections):
            return False
        file, others = self._file(path), map(self._path_of, below)
        return file is not None and any(other is None or not file.has_at(other, offset) for other in others)

    def _path_of(self, origin: Origin) -> Path | None:
        """Where a value is in its file, with keys as they are written; None where that is not known."""
        spot = self.uses.spot(origin)
        if spot is None:
            return None
        if spot not in self._paths:
            file = self._file(spot[0])
            self._paths[spot] = file.paths((spot[1],)).get(spot[1]) if file is not None else None
        return self._paths[spot]

    def has_beside(self, file: WrittenFile) -> bool:
        """Whether a file has a value that is used, in a map that a layer has, too."""
        uses, layers = self.uses.uses.get(file.path, {}), self.with_map
        return any(at in uses for at in file.values_in(layers))

    def inside(self, file: WrittenFile) -> dict[int, list[tuple[WrittenValue, ValueUse]]]:
        """What is used at or below each value of a file, by its identity; nothing where a part of it is not used, or
        not known."""
        if file.path not in self._inside:
            self._inside[file.path] = self._gathered(file)
        return self._inside[file.path]

    def _gathered(self, file: WrittenFile) -> dict[int, list[tuple[WrittenValue, ValueUse]]]:
        found = {id(value): [(value, use)] for value, use in self.used(file)}
        for value in reversed(file.at.values()):  # what is in a value comes after it
            if id(value) not in found and value.below:
                below = [found.get(id(child), []) for child in value.below]
                found[id(value)] = [one for rows in below for one in rows] if all(below) else []
        return found

    def keeps(self, file: WrittenFile, value: WrittenValue, use: ValueUse) -> bool:
        """Whether somebody said to keep a value."""
        keep = self.uses.world.project.settings.keep
        return file.is_kept(value) or (bool(keep) and covered(keep, use.places))

    def protects(self, use: ValueUse) -> bool:
        """Whether plait.yaml protects a value."""
        protect = self.uses.world.project.settings.review.protect
        return bool(protect) and covered(protect, use.places)

    def written(self, origin: Origin) -> tuple[WrittenFile, WrittenValue] | None:
        """What is written at the origin of a value that was looked at, also in a file that may not be changed."""
        spot = self.uses.spot(origin)
        return self.value_at(*spot) if spot is not None else None

    def value_at(self, path: str, offset: int) -> tuple[WrittenFile, WrittenValue] | None:
        """The same, by the path of the file and the offset of the value."""
        file = self._file(path)
        value = file.at.get(offset) if file is not None else None
        return (file, value) if file is not None and value is not None else None

    def _file(self, path: str) -> WrittenFile | None:
        name = self.uses.files.get(path)
        return self.files.get(path) or (self._read(name, path) if name is not None else None)

    def suffices(self, some: int, of: int) -> bool:
        """Whether some of the users are enough."""
        return bool(of) and some * 100 >= of * self.share

    def leaves(self, use: ValueUse) -> bool:
        """Whether enough of the targets that read a value of a layer override it: it moves to the others, or goes."""
        return use.is_overridden and len(use.targets) > 1 and self.suffices(len(use.under), len(use.targets))

    def is_over_leaving(self, use: ValueUse) -> bool:
        """Whether a value is equal to one that leaves its layer: it is needed then."""
        spots = [self.uses.spot(origin) for origin in use.below] if self.share < ALL else []
        found = [self.uses.uses[spot[0]].get(spot[1]) for spot in spots if spot is not None]
        return any(one is not None and self.leaves(one) for one in found)

    def repeating(self, file: WrittenFile, value: WrittenValue) -> set[str]:
        """The targets in which another file sets the same as a value right above it."""
        if self._repeating is None:
            self._repeating = {}
            for use in (use for rows in self.uses.uses.values() for use in rows.values() if use.repeats):
                for target, origin in use.over.items():
                    self._repeating.setdefault(self.uses.spot(origin), set()).add(target)
        return self._repeating.get((file.path, value.node.at), set())

    def covering(self, layer: WrittenFile, targets: Collection[str]) -> list[WrittenFile]:
        """Files above a layer that certain targets read and no others, which together cover them; none where there
        are no such files."""
        left, found = set(targets), []
        readers = self.order.readers
        rows = [(path, readers.get(path, set())) for path in self.files if layer.path in self.order.below(path)]
        for path, own in sorted(rows, key=lambda row: -len(row[1])):
            if own and own <= left and len(self.files[path].roots) == 1:
                left -= own
                found.append(self.files[path])
        return found if not left else []


def covered(patterns: list[Protection], places: list[tuple[str, Path]]) -> bool:
    """Whether a pattern of plait.yaml means one of some values of targets."""
    return any(one.covers(target, path, by_position(path)) for one in patterns for target, path in places)


def is_plain(value: WrittenValue) -> bool:
    """Whether a value means the same in every file, and every map on its way is a map of names."""
    if not value.steps or not all(isinstance(step, str) for step in value.steps):
        return False
    scalars = [node for _, node in leaves_of(value.node) if isinstance(node, Scalar)]
    return not any(node.tag or any(mark in node.text for mark in EXPRESSIONS) for node in scalars)


def written_at(file: WrittenFile, steps: Path) -> WrittenValue | None:
    """What a file has at a path."""
    return file.by_place.get((0, steps))
