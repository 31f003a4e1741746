"""Finds the components that a change affects, with their values before and after.

A component is compared only if it can depend on the change: its stack imports a changed file, or its stack reads other
files or components (see `reach`). A component is affected if one of its values differs; its row names the value and the
line that sets it. Changes in the code of a component, in local modules that the code uses, and in files that the
component names count as well.
"""

from __future__ import annotations

import os
import re
from functools import cached_property, partial

from plait.core.diagnostic import Fault
from plait.core.find import entry
from plait.core.node import (
    COMPUTED,
    FAILED,
    Failure,
    Key,
    ListNode,
    MapNode,
    Node,
    Scalar,
    Unknown,
    children,
    key_text,
    plain_value,
    rewrite,
    text,
    unbound,
)
from plait.core.path import Path, format_path
from plait.core.scope import Place
from plait.core.source import Computed, Source
from plait.core.struct import struct
from plait.fronts.project import Project
from plait.fronts.shown import as_in
from plait.fronts.stacks.answers.dependents import (
    Graph,
    Instance,
    Row,
    deployed_links,
    facts_of,
    facts_of_hidden,
    instances,
    key_of,
)
from plait.fronts.stacks.answers.kept_affected import ComparedRows
from plait.fronts.stacks.answers.repository import Repository
from plait.fronts.stacks.answers.unknown import hidden_parts
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.read.imports import files_of
from plait.merging.compare import by_position, differences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping

    from plait.fronts.stacks.answers.changes import ChangedFiles
    from plait.fronts.stacks.answers.kept_affected import KeptAffected
    from plait.fronts.stacks.answers.kept_components import Bases
    from plait.fronts.stacks.answers.reach import Changed, ChangeReach, Entry
    from plait.fronts.stacks.answers.unknown import Hidden
    from plait.fronts.stacks.read.manifest import Manifest

SHOWN = 5
"""How many changed values a row lists for each section."""
ABOUT_FILES = ("imports", "component_info", "atmos_stack_file", "atmos_manifest")
"""Fields that give the place of a definition; they are not compared."""
CODE = (".tf", ".tf.json", ".tfvars", ".hcl")
MODULE = re.compile(r'^\s*source\s*=\s*"(\.{1,2}/[^"]*)"', re.MULTILINE)
HIDDEN = {COMPUTED: "unknown", FAILED: "error"}
"""The reason of a component that cannot be shown as a whole, so that nobody knows what changes in it."""
NAMING = re.compile(r"\b(?:depends_on|dependencies)\b")


@struct
class Affected:
    """The rows of a comparison, the two sides, and counters of the work."""

    rows: list[Row]
    account: list[str]
    looked_at: int = 0
    """How many components were evaluated on at least one side."""
    computed: int = 0
    """How many values were computed, on both sides."""


class RowChoice:
    """Options: the rows to print, and the fields of each row."""

    __slots__ = ("dependents", "locked", "reveal", "sections", "settings", "stack")

    def __init__(
        self,
        stack: str = "",
        dependents: bool = False,
        settings: bool = False,
        locked: bool = True,
        reveal: bool = False,
        sections: frozenset[str] = frozenset(),
    ) -> None:
        self.stack = stack
        self.dependents = dependents
        self.settings = settings
        self.locked = locked
        self.reveal = reveal
        self.sections = sections
        """The sections to compare; all of them if none is named."""

    def takes(self, component: Component) -> bool:
        if self.stack not in ("", component.stack, component.manifest.name):
            return False
        return self.locked or component.shared.session.answer(lambda: component.flag("locked", False)) is not True


# What evaluation read


class Reads:
    """For each component, the files that were read to evaluate it and the components it refers to."""

    def __init__(self, repository: Repository, components: dict[Instance, Component]) -> None:
        session = repository.session
        self.files: dict[Place, set[str]] = {}
        self.roots: dict[Place, set[Place]] = {}
        paths = {id(source): path for path, source in session.project.sources.items()}
        for component in components.values():
            self.files[component.place] = {file.path for file in files_of(component.manifest)}
        for (node, place), read in session.evaluator.reads.items():
            files = self.files.setdefault(place.root, set())
            roots = self.roots.setdefault(place.root, set())
            for found, where in ((node, place), *read):
                found, where = unbound(found, where)
                files.add(paths.get(id(_written(found)), ""))
                roots.add(where.root)
        for root, opened in session.trace.files.items():
            self.files.setdefault(root, set()).update(opened)
        for root, targets in session.trace.components.items():
            self.roots.setdefault(root, set()).update(targets)

    def of(self, component: Component) -> set[str]:
        files: set[str] = set()
        seen: set[Place] = set()
        stack = [component.place]
        while stack:
            root = stack.pop()
            if root not in seen:
                seen.add(root)
                files |= self.files.get(root, set())
                stack.extend(self.roots.get(root, ()))
        return files


def _written(node: Node) -> Source:
    """The file that a node was written in."""
    source = node.source
    while isinstance(source, Computed):
        source = source.source
    return source.written or source


# Comparing


class AffectedSide:
    """One side of the comparison: a repository before or after the change, and the components to compare."""

    def __init__(self, reach: ChangeReach, changed: Changed) -> None:
        self.repository = reach.repository
        self.reach = reach
        self.changed = changed
        self.touched = self._touched()
        self.reading = {name for name in self.touched if reach.reads_more(name)}
        """The stacks that may read anything."""

    def _touched(self) -> set[str]:
        """The stacks that the change may reach."""
        manifests = [one for one in self.repository.manifests() if self.reach.can_touch(one, self.changed)]
        return {name for manifest in manifests for name in self.repository.names_of(manifest)}

    def members(self, stack: str, other: AffectedSide) -> dict[Instance, Component]:
        """The components of a stack that may differ; not kept here."""
        mine, theirs = (side.reach.entries(stack, self.changed) for side in (self, other))
        entries = mine | theirs if mine is not None and theirs is not None else None
        return {key_of(component): component for component in self.reach.components(stack, entries)}

    @property
    def is_plain(self) -> bool:
        """Whether nothing was wrong, values were read of nothing but manifests, and each of these has one stack. Stacks
        that the change does not reach are looked at only for this, so that the answer does not tell what is wrong in
        them."""
        repository = self.repository
        trace = repository.session.trace
        with repository.broken.aside():  # names show what is wrong, too
            named = self._has_one_name
            read_more = trace.components or trace.files or self.reading
            return named and not (repository.broken or trace.reports or read_more)

    @cached_property
    def stacks(self) -> dict[str, list[str]]:
        """The names of the stacks of each manifest that was read, by its path."""
        return {one.file.path: names for one, names in self.repository.named().items()}

    @property
    def _has_one_name(self) -> bool:
        """Whether the names of stacks do not depend on components."""
        namer, answer = self.repository.index.namer, self.repository.session.answer
        is_uniform = all(answer(partial(namer.uniform, one)) for one in self.repository.manifests())
        return is_uniform and all(len(names) < 2 for names in self.stacks.values())

    def named(self, stack: str, names: Container[Entry]) -> dict[Instance, Component]:
        """The deployed components of a stack that have one of these names."""

        def has(manifest: Manifest, type: str, name: str) -> bool:
            return (type, name) in names and not self.reach.abstract.has(manifest, type, name)

        return {key_of(component): component for component in self.repository.components_named(stack, has)}

    def bases(self, stack: str) -> dict[Entry, Bases]:
        """The bases of each component of a stack that may be deployed; None where they are not known."""
        found: dict[Entry, Bases] = {}
        for manifest in self.repository.manifests_of(stack):
            for type in manifest.types():
                words = self.reach.abstract.words(manifest, type)
                for name in manifest.names(type):
                    if not words.get(name):
                        found[type, name] = self._bases_of(manifest, type, name)
        return found

    def _bases_of(self, manifest: Manifest, type: str, name: str) -> Bases:
        try:
            return self.reach.bases(manifest, type, name)
        except Fault:
            return None

    def is_unknown(self, component: Component) -> bool:
        """Whether a component of the other side is here, but not known as a whole."""
        key = (*key_of(component), COMPUTED)
        return any((one.stack, one.type, one.name, one.word) == key for one in hidden_parts(self.repository))

    def files_of(self, hidden: Hidden) -> frozenset[str]:
        """The files that something is made of that cannot be shown as a whole, by their paths from the root."""
        if hidden.manifest is not None:
            return self.reach.closure(hidden.manifest).files
        manifests = self.repository.index.manifests
        named = [path for path in manifests.files() if manifests.name_of(path) == hidden.stack]
        return frozenset(map(self.reach.path, named))

    def is_broken(self, component: Component) -> bool:
        """Whether a component of the other side is not here because its manifest, or the component itself, is
        broken."""
        owner = (component.manifest.name, component.type, component.name)
        return owner[:1] in self.repository.broken or owner in self.repository.broken


class Comparison:
    """A repository before and after a change."""

    def __init__(
        self,
        before: Callable[[], AffectedSide],
        after: AffectedSide,
        change: ChangedFiles,
        old_root: str,
        wanted: RowChoice,
        kept: KeptAffected | None = None,
    ) -> None:
        """`before` opens that side; `kept` has rows of an earlier run that are still true."""
        self._open = before
        self.after = after
        self.sides = [after]
        """The sides that were read."""
        self.change = change
        self.old_root = old_root
        self.wanted = wanted
        self.looked_at = 0
        self._is_done = False
        self._kept = kept
        self.affected: dict[Instance, Row] = kept.rows() if kept is not None else {}
        self._bases: dict[str, dict[Entry, Bases]] = {}
        self._modules: dict[str, set[str]] = {}
        self._reads: Reads | None = None

    @cached_property
    def before(self) -> AffectedSide:
        side = self._open()
        self.sides.append(side)
        return side

    def rows(self) -> list[Row]:
        """One row for each affected component, sorted by stack and name."""
        self.compare()
        return [self.affected[key] for key in sorted(self.affected)]

    def compare(self) -> None:
        """Find the rows, once."""
        if self._is_done:
            return
        self._compare_sides()
        self._add_hidden()
        self._compare_files()
        self._is_done = True

    def _compare_sides(self) -> None:
        reading = self.before.reading | self.after.reading
        if reading:
            self._read_anything(reading)
        for stack in sorted(self.touched - reading):
            again = self._kept.again.get(stack) if self._kept is not None else None
            self._compare(*self._members(stack, again))

    @property
    def touched(self) -> set[str]:
        """The stacks that the change may reach."""
        return {name for side in self.sides for name in side.touched}

    @property
    def found(self) -> ComparedRows:
        return ComparedRows(self.affected, self._bases, self.touched, self._types, self.after.bases)

    @cached_property
    def is_kept(self) -> bool:
        """Whether a later run may take rows from this one: stacks have the same names before and after the change, and
        nothing but manifests decides about rows."""
        if not all(side.is_plain for side in self.sides) or self._may_concern_code:
            return False
        after, *others = (side.stacks for side in self.sides)
        same = all(after.get(path) == names for before in others for path, names in before.items())
        return same and self.after.reach.settings.isdisjoint(self.change.names)

    def _members(
        self, stack: str, again: Container[Entry] | None
    ) -> tuple[dict[Instance, Component], dict[Instance, Component]]:
        """The components of a stack to compare, before and after the change: these, or all that it reaches."""
        if again is None:
            return self.before.members(stack, self.after), self.after.members(stack, self.before)
        return self.before.named(stack, again), self.after.named(stack, again)

    def _read_anything(self, stacks: set[str]) -> None:
        """The stacks whose values may depend on anything.

        All of them are evaluated together, so that who is first is the same on both sides.
        """
        sides = [
            {key: one for key, one in instances(side.repository).items() if key[0] in stacks}
            for side in (self.before, self.after)
        ]
        for side, members in zip((self.before, self.after), sides, strict=True):
            _evaluate(side.repository, list(members.values()))
        self._reads = Reads(self.after.repository, sides[1])
        self._compare(sides[0], sides[1], keep=True)

    def _compare(
        self,
        old: dict[Instance, Component],
        new: dict[Instance, Component],
        keep: bool = False,
    ) -> None:
        """Compare components; with `keep`, what was computed for them stays."""
        for key in sorted({*old, *new}):
            before, after = old.get(key), new.get(key)
            self.looked_at += 1
            found = after or before
            assert found is not None
            chains = {tuple(one.layers.chain) for one in (before, after) if one is not None}
            own = self._bases.setdefault(key[0], {})
            own[key[1:]] = chains.pop() if after is not None and len(chains) == 1 else None
            marks = [side.repository.session.evaluator.mark() for side in (self.before, self.after)]
            if self.wanted.takes(found):
                self._compare_one(before, after)
            for component, mark in zip((before, after), marks, strict=True) if not keep else ():
                _forget(component, mark)

    def _compare_one(self, before: Component | None, after: Component | None) -> None:
        if after is None:
            assert before is not None
            if not self.after.is_broken(before):
                self._add(before, ["deleted"], [])
        elif before is None:
            if not self.before.is_unknown(after):
                self._add(after, ["added"], [])
        else:
            old, new = self._sections(before), self._sections(after)
            if self.old_root:
                old = {name: as_in(node, self.old_root, self.change.root) for name, node in old.items()}
            self._add_differing(after, old, new)

    def _add_differing(self, component: Component, old: Mapping[Key, Node], new: Mapping[Key, Node]) -> None:
        """A row for a component if its sections differ, with some of the values that do."""
        for name in dict.fromkeys([*new, *old]):
            found = differing(old.get(name), new.get(name))
            changes = [self._cause(str(name), path, x, y) for path, x, y in found]
            if changes:
                self._add(component, [f"stack.{name}"], changes[:SHOWN])

    def _add_hidden(self) -> None:
        """The components that cannot be shown as a whole on a side, where a file changed that they are made of."""
        for side in self.sides:
            for hidden in hidden_parts(side.repository):
                changed = self.change.among(side.files_of(hidden))
                if changed and self.wanted.stack in ("", hidden.stack):
                    key, reason = (hidden.stack, hidden.type, hidden.name), HIDDEN[hidden.word]
                    row = {**facts_of_hidden(hidden), "affected": reason, "affected_all": [reason]}
                    self.affected.setdefault(key, {**row, "causes": [], "changed_files": changed})

    def _add(self, component: Component, reasons: list[str], causes: list[Row]) -> None:
        """A row for a component, or more reasons for its row."""
        row = self.affected.get(key_of(component))
        if row is None:
            row = self.affected[key_of(component)] = self._row(component, reasons[0])
        row["affected_all"] = list(dict.fromkeys([*row["affected_all"], *reasons]))  # type: ignore[misc]
        row["causes"] = [*row["causes"], *causes]  # type: ignore[misc]

    def _row(self, component: Component, reason: str) -> Row:
        row: Row = {**facts_of(component), "affected": reason, "affected_all": [], "causes": []}
        if self.wanted.settings:
            node, _ = component.shared.session.evaluator.finish(
                component.root.entries["settings"], component.place.child("settings")
            )
            row["settings"] = plain_value(node, self.wanted.reveal)
        if reason.startswith("stack."):
            row["changed_files"] = self.change.among(self._read_by(component))
        return row

    def _read_by(self, component: Component) -> set[str]:
        """The files that a component depends on, by their paths from the root."""
        files = set(self.after.reach.closure(component.manifest).files)
        if self._reads is not None:
            files |= {self.after.reach.path(path) for path in self._reads.of(component) if path}
        return files | self.after.reach.settings

    # Values

    def _sections(self, component: Component) -> dict[Key, Node]:
        """The sections of a component that are compared, with all values evaluated."""
        found: dict[Key, Node] = {}
        for name, node in component.root.entries.items():
            if name in ABOUT_FILES or (self.wanted.sections and name not in self.wanted.sections):
                continue
            found[name] = self._finished(component, str(name), node)
        return found

    def _finished(self, component: Component, name: str, node: Node) -> Node:
        """A section with all its values evaluated; a value that fails is replaced by its error message."""
        if not node.live:
            return node
        made, failures = component.shared.session.evaluator.finish(node, component.place.child(name))
        return rewrite(made, _as_said) if failures else made

    def _cause(self, section: str, path: Path, before: Node | None, after: Node | None) -> Row:
        row: Row = {"reason": f"stack.{section}", "path": format_path((section, *path))}
        if before is not None:
            row["before"] = plain_value(before, self.wanted.reveal)
        if after is not None:
            row["after"] = plain_value(after, self.wanted.reveal)
        for side, node in (("before_expression", before), ("after_expression", after)):
            if isinstance(node, Unknown):
                row[side] = node.expression
        origin = after.origin if after is not None else before.origin if before is not None else None
        if origin is not None and not origin.source.given and origin.source.name != "(nowhere)":
            row["file"], row["line"] = origin.file, origin.line
        return row

    # Files

    def _compare_files(self) -> None:
        """The components whose code changed, or a file that they name.

        If no such file changed, no component is examined.
        """
        if not self._may_concern_code:
            return
        for component in instances(self.after.repository).values():
            if self.wanted.takes(component) and self.affected.get(key_of(component), {}).get("affected") != "added":
                for reason, file in self._files(component):
                    self._add(component, [reason], [{"reason": reason, "file": file}])

    @cached_property
    def _types(self) -> set[str]:
        """The types of components."""
        found = {type for manifest in self.after.repository.manifests() for type in manifest.types()}
        return found | self._kept.types if self._kept is not None else found

    @cached_property
    def _may_concern_code(self) -> bool:
        """Whether a file changed that may belong to a component without being part of a manifest."""
        session, config = self.after.repository.session, self.after.repository.index.shared.config
        folders = [self.after.reach.path(os.path.join(config.component_path(type), "")) for type in self._types]
        if any(
            name.endswith(CODE) or any(_below(name, at.rstrip("/")) for at in folders) for name in self.change.names
        ):
            return True
        texts = (source.text for source in session.project.sources.values())
        return bool(self.change.names) and any("depend" in text and NAMING.search(text) for text in texts)

    def _files(self, component: Component) -> Iterator[tuple[str, str]]:
        """Files that changed and belong to a component without being part of a manifest."""
        names = sorted(self.change.names)
        folder = self._from_root(component.path)
        yield from (("component", name) for name in names if _below(name, folder))
        for module in sorted(self._modules_of(component.path)):
            inner = self._from_root(module)
            yield from (("component.module", name) for name in names if _below(name, inner))
        for kind, path in named_files(component):
            wanted = os.path.normpath(path)
            hit = [name for name in names if name == wanted or (kind == "folder" and _below(name, wanted))]
            yield from ((kind, name) for name in hit)

    def _from_root(self, path: str) -> str:
        return self.after.reach.path(os.path.join(path, "")).rstrip("/")

    def _modules_of(self, folder: str) -> set[str]:
        """The local modules that terraform code uses, and those that they use."""
        if folder not in self._modules:
            seen: set[str] = set()
            queue = [folder]
            for at in queue:
                for module in _modules_in(self.change.project, at):
                    if module not in seen and module != folder:
                        seen.add(module)
                        queue.append(module)
            self._modules[folder] = seen
        return self._modules[folder]


def _only(node: MapNode, keys: set[str]) -> MapNode:
    """A section with some of its keys alone."""
    kept: dict[Key, Node] = {key: child for key, child in node.entries.items() if key in keys}
    return MapNode(kept, node.source, node.at, None, any(child.live for child in kept.values()))


def _forget(component: Component | None, mark: tuple[int, ...]) -> None:
    """Drop the values computed since a mark for a component that nothing else refers to."""
    if component is not None:
        component.shared.session.evaluator.forget({component.place}, mark)
        component.place.release()


def _evaluate(repository: Repository, components: list[Component]) -> None:
    """Evaluate all values of some components, always in the same order.

    If components refer to each other, the one evaluated first sees the source text of the others, so the order matters.
    """
    evaluator = repository.session.evaluator
    live = [component for component in components if component.root.live]
    evaluator.begin((component.root, component.place) for component in live)
    for component in live:
        evaluator.finish(component.root, component.place)


def _as_said(node: Node) -> Node:
    """A mistake as its message."""
    if not isinstance(node, Failure) or isinstance(node, Unknown):
        return node
    return text("; ".join(diagnostic.message for diagnostic in node.diagnostics), node.source, node.at)


def differing(before: Node | None, after: Node | None) -> Iterator[tuple[Path, Node | None, Node | None]]:
    """The paths at which two finished trees differ, with both values."""
    for path, a, b in differences(before, after, by_position):
        yield tuple(step if isinstance(step, int) else key_text(step) for step in path), a, b


def named_files(component: Component) -> Iterator[tuple[str, str]]:
    """Files and folders that a component declares as dependencies."""
    items = [child for _, child in _members(entry(component.root.entries.get("settings"), "depends_on"))]
    dependencies = component.root.entries.get("dependencies")
    for kind in ("file", "folder"):
        for item in items:
            given = entry(item, kind)
            if isinstance(given, Scalar) and isinstance(given.value, str):
                yield kind, given.value
        for _, given in _members(entry(dependencies, f"{kind}s")):
            if isinstance(given, Scalar) and isinstance(given.value, str):
                yield kind, given.value


def _members(node: Node | None) -> list[tuple[Key | int, Node]]:
    return list(children(node)) if isinstance(node, MapNode | ListNode) else []


def _modules_in(project: Project, folder: str) -> list[str]:
    listed = project.listing(folder) if project.door.allows(folder) else []
    names = [name for name in listed if name.endswith(".tf")]
    texts = (project.door.text(os.path.join(folder, name)) for name in names)
    return [os.path.normpath(os.path.join(folder, path)) for text in texts for path in MODULE.findall(text)]


def _below(name: str, folder: str) -> bool:
    return name == folder or name.startswith(folder + "/")


def affected(comparison: Comparison) -> list[Row]:
    """The rows of a comparison, with the components that depend on each where they are wanted."""
    rows = comparison.rows()
    if comparison.wanted.dependents and rows:
        repository = comparison.after.repository
        graph, known = Graph(deployed_links(repository)), instances(repository)
        for row in rows:
            component = known.get((str(row["stack"]), str(row["component_type"]), str(row["component"])))
            row["dependents"] = graph.closure(component) if component is not None else []
    return rows
