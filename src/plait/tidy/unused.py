"""What nothing reads: values, locals, anchors, imports and files that do nothing for any target."""

from __future__ import annotations

import os
from functools import cache, partial

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, Scalar
from plait.core.protection import Protection
from plait.core.source import YAML_ENDINGS
from plait.core.walk import leaves_of
from plait.fronts.front import SETTINGS
from plait.fronts.typed import matching, typed_path
from plait.tidy.proposal import Proposal, SpanEdit, removal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.source import Origin
    from plait.fronts.front import Target
    from plait.tidy.layering import Looked
    from plait.tidy.proposal import Found
    from plait.tidy.written import WrittenFile, WrittenValue
    from plait.yaml.places import WrittenSpot

UNUSED_KIND = "unused"
NEVER_DELETED = "no target reads this file; plait deletes no file"
OTHERS_READ = "not proved: others may read this file"


def unread(looked: Looked) -> Found:
    """What a front knows that nothing reads: values of charts, of stubs, locals, keys of manifests."""
    world = looked.uses.world
    rows: dict[tuple[str, int], tuple[Target, Origin, str]] = {}
    counts: dict[tuple[str, int], int] = {}
    for target in world.targets:
        for origin, why in _of(target):
            spot = (looked.uses.place(target, origin.file), origin.at)
            rows.setdefault(spot, (target, origin, why))
            counts[spot] = counts.get(spot, 0) + 1
        yield None
    users = _users(looked) if rows else {}
    found: dict[int, tuple[WrittenFile, WrittenValue, str]] = {}
    for (path, offset), (_, origin, why) in rows.items():
        file = looked.open(origin.file, path)
        value = file.by_key(offset) if file is not None else None
        if file is None or value is None or not value.steps or counts[path, offset] < users.get(path, 1):
            continue
        found[id(value)] = (file, value, why)
    for file, value, why in _whole_lists(found):
        made = removal(UNUSED_KIND, file, value, why)
        made.obstacle = OTHERS_READ if file.path in looked.uses.shared else ""
        yield made


def _whole_lists(
    found: dict[int, tuple[WrittenFile, WrittenValue, str]],
) -> Iterator[tuple[WrittenFile, WrittenValue, str]]:
    """Some values that nothing reads; for all items of a list, the list."""
    given: set[int] = set()
    for file, value, why in found.values():
        above = value.above
        if above is not None and isinstance(above.node, ListNode) and all(id(one) in found for one in above.below):
            value = above
        if id(value) not in given:
            given.add(id(value))
            yield file, value, why


def _of(target: Target) -> list[tuple[Origin, str]]:
    try:
        return [(one.labels[0].origin, one.message) for one in target.unused()]
    except Fault:
        return []


def _users(looked: Looked) -> dict[str, int]:
    """How many targets take values from each file: all of them have to say that they do not read one."""
    return {path: len({one for use in rows.values() for one in use.targets}) for path, rows in looked.uses.uses.items()}


def anchors(looked: Looked) -> Iterator[Proposal]:
    """Anchors that nothing in their file refers to."""
    for file in looked.files.values():
        text = file.source.text
        if "&" not in text or not file.roots:
            continue
        spots = file.written.spots()
        used = {spot.alias for spot in spots if spot.alias is not None}
        for spot in spots:
            name, value = spot.anchor, file.at.get(spot.at)
            if name is None or name in used or f"*{name}" in text or value is None:
                continue
            made = Proposal(UNUSED_KIND, file, value, "nothing refers to this anchor")
            made.text = f"&{name}"
            made.edits = [(file.path, _without_anchor(text, spot, name))]
            yield made


def _without_anchor(text: str, spot: WrittenSpot, name: str) -> SpanEdit:
    start = text.find(f"&{name}", spot.at)
    end = start + len(name) + 1
    if text[end : end + 1] == " ":
        return SpanEdit(start, end + 1, "")
    while text[start - 1] == " ":
        start -= 1
    return SpanEdit(start, end, "")


def imports(looked: Looked) -> Iterator[Proposal]:
    """Imports of files that, with all they import, give nothing to any target that reads the importing file."""
    order = looked.order
    useful = cache(partial(_useful, looked))
    for path, rows in order.links.items():
        users = order.readers.get(path, set())
        idle = [one for one in rows if all(users.isdisjoint(useful(given)) for given in (one, *order.below(one)))]
        file = (looked.files.get(path) or looked.open(os.path.relpath(path), path)) if idle and users else None
        for imported in idle if file is not None else ():
            value = _import_at(file, imported, rows[imported]) if file is not None else None
            if value is None or file is None:
                continue
            whole = value.above if value.above is not None and len(value.above.below) == 1 else value
            yield removal(
                UNUSED_KIND, file, value, f"no target has a value of {os.path.relpath(imported)} in its result", whole
            )


def _useful(looked: Looked, path: str) -> set[str]:
    """The targets whose results have a value of a file."""
    found: set[str] = set()
    readers = looked.order.readers.get(path, set())
    for use in looked.uses.uses.get(path, {}).values():
        if use.needed:
            found.update(set(use.targets) - use.under.keys())
            if found >= readers:
                break
    return found


def _import_at(file: WrittenFile, imported: str, line: int) -> WrittenValue | None:
    """The item of a list that names a file, on a line."""
    stem = os.path.splitext(imported)[0]
    for value in file.on_line(line):
        node = value.node
        named = node.text if isinstance(node, Scalar) else ""
        listed = value.above is not None and isinstance(value.above.node, ListNode)
        if named and listed and stem.endswith(os.path.splitext(named.lstrip("./"))[0]):
            return value
    return None


def files(looked: Looked) -> Found:
    """Files beside those that targets read, which no target reads: they are shown, and never deleted."""
    world = looked.uses.world
    project, root = world.project, world.project.root
    given, told = set[str](), set[str]()
    made_of: dict[tuple[object, str], tuple[Target, set[str]]] = {}
    for target in world.targets:
        given |= target.read
        told.update(target.declaration.told)
        made_of.setdefault((target.__class__, target.declaration.folder), (target, set()))[1].update(target.made_of())
        yield None
    names = told.union(os.path.join(world.tree, name) for name in given)
    places = (looked.uses.place(target, name) for target, some in made_of.values() for name in some)
    read = {*map(looked.uses.paths.real, names), *places}
    folders = {os.path.dirname(path) for path in read if path.endswith(YAML_ENDINGS)} - {os.path.realpath(root)}
    for name in project.door.below(root, hidden=False) if not looked.uses.failing else ():
        path = os.path.join(root, name)
        if not name.endswith(YAML_ENDINGS) or path in names:
            continue
        path = looked.uses.paths.real(path)
        if path in read or os.path.dirname(path) not in folders:
            continue
        read.add(path)  # links may lead to it under more names
        file = looked.open(os.path.relpath(path), path) if os.path.basename(path) != SETTINGS else None
        if file is not None and file.roots:
            made = Proposal(UNUSED_KIND, file, file.roots[0], NEVER_DELETED)
            made.line, made.text, made.obstacle = 1, "(the whole file)", NEVER_DELETED
            yield made


def settings(looked: Looked) -> Iterator[Proposal]:
    """Rules of plait.yaml for lists that no target has, and values to keep that no target has."""
    project = looked.uses.world.project
    path = os.path.realpath(os.path.join(project.home or "", SETTINGS))
    file = looked.open(os.path.relpath(path), path) if project.home else None
    for root in file.roots if file is not None else ():
        for section in root.below:
            fits = SECTIONS.get(str(section.steps[0]))
            for value in section.below if fits is not None else ():
                if file is not None and fits is not None and not fits(looked, value):
                    whole = section if len(section.below) == 1 else value
                    yield removal(UNUSED_KIND, file, value, f"`{section.steps[0]}`: no target has a value there", whole)


def _has_list(looked: Looked, value: WrittenValue) -> bool:
    """Whether a target has a list that a rule is for."""
    try:
        pattern = typed_path(str(value.steps[-1]), pattern=True)
    except Fault:
        return True
    found = (node for _, root in _results(looked) for _, node in matching(root, pattern))
    return any(isinstance(node, ListNode) for node in found)


def _has_value(looked: Looked, value: WrittenValue) -> bool:
    """Whether a target has a value that is to be kept."""
    pattern = Protection(value.node.text if isinstance(value.node, Scalar) else "")
    return any(pattern.covers(address, path, path) for address, root in _results(looked) for path, _ in leaves_of(root))


def _results(looked: Looked) -> Iterator[tuple[str, Node]]:
    """The results of all targets, and the values that they are computed from."""
    targets = looked.uses.world.targets
    for address in targets.names():
        for tree, _ in targets[address].computed_from():
            yield address, tree.root
        yield from ((address, found) for _, found in targets[address].results() if not isinstance(found, Fault))


SECTIONS = {"lists": _has_list, "keep": _has_value}
"""The sections of plait.yaml whose entries are about values: whether there is one."""
UNUSED = (unread, anchors, imports, settings, files)
"""What may do nothing, apart from values that are overridden."""
