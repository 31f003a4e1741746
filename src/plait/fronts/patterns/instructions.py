"""Flags that name fields: what a run is instructed to do, and where each path leads in the three versions of a
resource."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import step_into
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.path import Keyed, Path, Step, format_path
from plait.core.source import UNKNOWN
from plait.core.struct import struct
from plait.fronts.patterns.resources import ResourceDocument
from plait.merging.locate import can_hold, has_wildcard, located
from plait.merging.threeway import NO_MOVES, FieldRule, InputMoves, Ruling
from plait.report.catalog import NO_RESOURCE, NOT_REFUSED, SET_NOWHERE, SET_PINNED
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.core.policy import MergePolicy, PlaceRule


@struct
class FieldFlag:
    """A path that a flag names, in one resource or in all; with `value`, what to put there."""

    scope: str
    path: Path
    label: Label
    value: Node | None = None

    def about(self, document: ResourceDocument) -> bool:
        return not self.scope or document.called(self.scope)

    @property
    def shown(self) -> str:
        return f"{self.scope}:{format_path(self.path)}" if self.scope else format_path(self.path)


class VerdictFlag:
    """`--take` or `--keep` with what it names: a field, a resource, or lines of a text."""

    __slots__ = ("action", "field", "first", "last", "name", "used")

    def __init__(self, action: str, name: str, field: FieldFlag, lines: tuple[int, int] = (0, 0)) -> None:
        self.action = action
        self.name = name
        self.field = field
        self.first, self.last = lines
        self.used: list[Ruling] = []

    @property
    def lines(self) -> str:
        """The lines that it names, as they are written after its path."""
        numbers = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f":{numbers}" if self.first else ""

    def verdict(self, resource: ResourceVersions) -> Ruling | None:
        """What it decides in one resource."""
        path: Path | None = None
        if resource.fresh.called(self.name):
            path = ()
        elif self.field.about(resource.fresh):
            path = resource.located(self.field.path) or self.field.path  # an item may be gone on every side but one
        if path is None:
            return None
        self.used.append(Ruling(self.action, path, self.first, self.last))
        return self.used[-1]

    def decides(self, document: ResourceDocument) -> bool:
        """Whether it decides about a resource as a whole."""
        if self.first or not document.called(self.name):
            return False
        self.used.append(Ruling(self.action, ()))
        return self.used[-1].meets()

    def is_known(self, resource: ResourceVersions) -> bool:
        """Whether what it names is there, on any side."""
        if resource.fresh.called(self.name):
            return True
        return self.field.about(resource.fresh) and resource.located(self.field.path) is not None


class EverywhereFlag(VerdictFlag):
    """The same decision about every conflict; edits without one stay."""

    def __init__(self, action: str) -> None:
        super().__init__(action, "", FieldFlag("", (), Label.at(UNKNOWN, 0)))

    def verdict(self, resource: ResourceVersions) -> Ruling | None:
        ruling = Ruling(self.action, ())
        ruling.only_conflicts = True
        return ruling


class Instructions:
    """What a run is to do, beside the generated resources themselves: the flags, and what the pattern declares."""

    __slots__ = (
        "elsewhere",
        "forgotten",
        "glance",
        "inputs",
        "keep_absent",
        "label_proves",
        "list_paths",
        "lists",
        "moves",
        "overwrite",
        "owned",
        "pins",
        "preserve",
        "prune",
        "prune_edited",
        "renamed",
        "sets",
        "taken",
        "tracker",
        "verdicts",
    )

    def __init__(
        self, *, sets: Iterable[FieldFlag] = (), preserve: Iterable[FieldFlag] = (), pins: Iterable[FieldFlag] = (),
        owned: Iterable[Path] = (), lists: Iterable[PlaceRule] = (), overwrite: bool = False, keep_absent: bool = False,
        prune: bool = False, prune_edited: bool = False, tracker: str = "", renamed: dict[str, str] | None = None,
        inputs: Iterable[str] = (), list_paths: Iterable[FieldFlag] = (), verdicts: Iterable[VerdictFlag] = (),
    ) -> None:  # fmt: skip
        self.verdicts = list(verdicts)
        self.sets = list(sets)
        self.preserve = list(preserve)
        self.pins = list(pins)
        """What is left to others for good: such a path need not be there."""
        self.owned = list(owned)
        self.lists = list(lists)
        self.overwrite = overwrite
        self.keep_absent = keep_absent
        self.prune = prune
        self.prune_edited = prune_edited
        self.tracker = tracker
        self.renamed = renamed or {}
        self.inputs = list(inputs)
        self.list_paths = list(list_paths)
        """The paths of `--list`."""
        self.glance: Callable[[], None] = lambda: None
        """Looks at the clock: a run over many resources takes long."""
        self.moves: Callable[[ResourceDocument], InputMoves] = lambda document: NO_MOVES
        """Which fields of a resource the changed inputs move."""
        self.taken: Callable[[ResourceDocument], str] = lambda document: ""
        """The other instance that a resource belongs to, or nothing."""
        self.forgotten: Callable[[str, Path], bool] = lambda label, path: False
        """Whether a field that an earlier run set is to be the pattern's again."""
        self.label_proves = True
        """Whether, without a record, the label of the pattern proves that a resource is of this run: not where
        instances share it."""
        self.elsewhere: Callable[[ResourceDocument], list[Node]] = lambda document: []
        """What was generated for a resource, by whatever instance: for one that is renamed from one to another."""


@struct
class ResourceVersions:
    """A generated resource in its three versions: here, generated now, and generated last."""

    fresh: ResourceDocument
    here: ResourceDocument | None
    last: Node | None
    policy: MergePolicy
    same: bool = False
    """Whether what was generated last has the text of what is generated now; its tree is not read then."""

    @property
    def base(self) -> Node | None:
        """What was generated last."""
        return self.fresh.node if self.same else self.last

    @property
    def versions(self) -> tuple[Node | None, Node | None, Node | None]:
        return (self.here.node if self.here is not None else None, self.fresh.node, self.base)

    def located(self, path: Path) -> Path | None:
        """A path as the merge spells it, by key or index in any version; None where none has it."""
        return path if has_wildcard(path) else located(path, self.versions, self.policy)

    def spelled(self, path: Path) -> Path:
        """A path that need not be there."""
        plain = all(isinstance(step, str) for step in path)
        return path if plain else self.located(path) or path

    def path_of(self, flag: FieldFlag) -> Path | None:
        """Where a flag leads. One that sets a field of one resource may also add it."""
        path = self.located(flag.path)
        if path is None and flag.scope and flag.value is not None:
            return can_hold(flag.path, self.versions, self.policy)
        return path

    def has(self, flag: FieldFlag) -> bool:
        if has_wildcard(flag.path):
            return any(side is not None and _matches(side, flag.path) for side in self.versions)
        return self.path_of(flag) is not None

    def near(self, path: Path) -> Iterator[Path]:
        """Paths that could have been meant: as far as this one leads, and any step from there."""
        for length in range(len(path) - 1, -1, -1):
            start = located(path[:length], self.versions, self.policy)
            if start is not None:
                for side in self.versions:
                    at = side
                    for step in start:
                        at = _child(at, step)
                    yield from ((*path[:length], step, *path[length + 1 :]) for step, _ in _children(at))
                return


def check_flags(instructions: Instructions, resources: list[ResourceVersions]) -> None:
    """Reject flags that name nothing, and flags that contradict each other."""
    flags = (*instructions.sets, *instructions.preserve, *instructions.list_paths)
    for flag in flags:
        meant = [resource for resource in resources if flag.about(resource.fresh)]
        if not meant:
            labels = [resource.fresh.label for resource in resources]
            hint = did_you_mean(flag.scope, labels) or f"available: {', '.join(labels[:8])}"
            raise NO_RESOURCE.error(flag.label, name=flag.scope, hint=hint)
        if not any(resource.has(flag) for resource in meant):
            raise SET_NOWHERE.error(flag.label, path=flag.shown, hint=_near(flag, meant, instructions.inputs))
    for flag in instructions.sets:
        for pin in (*instructions.preserve, *instructions.pins):
            short = min(len(pin.path), len(flag.path))
            together = not pin.scope or not flag.scope or pin.scope == flag.scope
            if together and pin.path[:short] == flag.path[:short]:
                raise SET_PINNED.error(
                    flag.label, path=flag.shown, hint="leave out one of --set and --preserve; --unpin ends a pin"
                )


def check_verdicts(
    verdicts: list[VerdictFlag], resources: list[ResourceVersions], conflicts: list[str], lines: list[str]
) -> None:
    """Reject decisions about what is not there, or about lines of a text that are not in conflict while others are.

    What was decided before may be decided again.
    """
    for flag in verdicts:
        if not flag.name or any(verdict.used for verdict in flag.used):
            continue
        if not any(flag.is_known(resource) for resource in resources):
            hint = did_you_mean(flag.name, lines) or _near(flag.field, resources, ())
            raise SET_NOWHERE.error(flag.field.label, path=flag.name, hint=hint)
        if flag.first and any(one.startswith(f"{flag.name}:") for one in conflicts):
            hint = f"in conflict: {', '.join(conflicts[:8])}"
            raise NOT_REFUSED.error(flag.field.label, path=flag.name + flag.lines, hint=hint)


def _near(flag: FieldFlag, resources: list[ResourceVersions], inputs: Iterable[str]) -> str:
    ending = _ending_in(flag, resources) if flag.value is not None else ""
    if ending:
        return ending
    known = {
        format_path(path)
        for resource in resources
        for path in (*leaf_paths(resource.fresh.node), *resource.near(flag.path))
    }
    names = {*known, *(inputs if flag.value is not None and not flag.scope else ())}
    hint = did_you_mean(format_path(flag.path), sorted(names))
    if hint or flag.value is None:
        return hint or "it is not in the files, in the last output or in the new output"
    return "`Kind/name:path=value` adds a field to one resource"


SHOWN = 4
"""How many fields or resources a hint names."""


def _ending_in(flag: FieldFlag, resources: list[ResourceVersions]) -> str:
    """The fields that end in what a flag names, each with the resources that have it."""
    found: dict[str, list[str]] = {}
    for resource in resources:
        for path in leaf_paths(resource.fresh.node):
            if len(path) > len(flag.path) and format_path(path[-len(flag.path) :]) == format_path(flag.path):
                found.setdefault(format_path(path), []).append(f"`{resource.fresh.label}`")
    fields = [f"`{path}` of {', '.join(labels[:SHOWN])}" for path, labels in found.items()]
    return f"did you mean {' or '.join(fields[:SHOWN])}?" if fields else ""


def _matches(node: Node, pattern: Path) -> bool:
    """Whether a path with wildcards leads to anything."""
    stack: list[tuple[Node, tuple[FieldRule, ...]]] = [(node, (FieldRule("pin", pattern),))]
    while stack:
        at, rules = stack.pop()
        if any(not one.path for one in rules):
            return True
        for index, (step, child) in enumerate(_children(at)):
            place = index if isinstance(at, ListNode) else None
            below = tuple(rest for one in rules if one.path for rest in one.after(step, (child,), place))
            if below:
                stack.append((child, below))
    return False


def _children(node: Node | None) -> Iterator[tuple[Step, Node]]:
    if isinstance(node, MapNode):
        yield from node.entries.items()
    elif isinstance(node, ListNode):
        yield from ((_item_step(item, index), item) for index, item in enumerate(node.items))


def _child(node: Node | None, step: Step) -> Node | None:
    return step_into(node, step) if node is not None else None


def _item_step(item: Node, index: int) -> Keyed | int:
    name = item.entries.get("name") if isinstance(item, MapNode) else None
    return Keyed(("name",), (name.text,)) if isinstance(name, Scalar) else index


def leaf_paths(node: Node) -> Iterator[Path]:
    """The paths of the fields of a tree; a list is one field."""
    stack: list[tuple[Path, Node]] = [((), node)]
    while stack:
        path, at = stack.pop()
        if isinstance(at, MapNode) and at.entries:
            stack.extend(((*path, key), child) for key, child in reversed(at.entries.items()))
        else:
            yield path
