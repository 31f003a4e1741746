"""Which components a change touches: from what their evaluation really read, and what came out of it before and after.

A component is looked at closely when something that it read has changed: a manifest on its import chain, a file that
it includes, another component that it refers to. It is affected when a value of it differs then, and the row says
which, and where it is written. A file that is new or gone, or a change of the configuration, may change what means
what: then every component is looked at. The code of a component, and local modules that the code uses, count as
well.
"""

from __future__ import annotations

import os
import re

from plait.core.diagnostic import PlaitError
from plait.core.node import (
    Failure,
    Key,
    Mapping,
    Node,
    Scalar,
    Sequence,
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
from plait.fronts.project import Project
from plait.fronts.stacks.answers import whole
from plait.fronts.stacks.answers.describe import depends_on
from plait.fronts.stacks.answers.repository import Repository
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.ground.nodes import entry
from plait.fronts.stacks.language.functions import output_calls
from plait.fronts.stacks.read.imports import files_of
from plait.merging.compare import by_position, differences
from plait.report.catalog import NO_REF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Row = dict[str, object]
Instance = tuple[str, str, str]
"""Stack, type, name."""
SHOWN = 5
"""How many changed values a row lists for each section."""
ABOUT_FILES = ("imports", "component_info", "atmos_stack_file", "atmos_manifest")
"""Facts about where something is written, not about what it is."""
MODULE = re.compile(r'^\s*source\s*=\s*"(\.{1,2}/[^"]*)"', re.MULTILINE)


class Affected:
    """The rows of a comparison, and what was compared."""

    __slots__ = ("account", "rows")

    def __init__(self, rows: list[Row], account: list[str]) -> None:
        self.rows = rows
        self.account = account


# The repository as it was


class ChangedFiles:
    """What changed between a revision and the files that are here now: paths from the root of the repository."""

    def __init__(self, project: Project, root: str, ref: str) -> None:
        self.project = project
        self.root = root
        self.ref = ref
        listed = self._git(
            "diff", "--name-status", "--no-renames", "--no-ext-diff", "--no-textconv", "-z", ref, "--"
        ).split("\0")
        pairs = list(zip(listed[::2], listed[1::2], strict=False))
        new = [name for name in self._git("ls-files", "--others", "--exclude-standard", "-z").split("\0") if name]
        self.modified = {name for status, name in pairs if status in ("M", "T")}
        self.moved = {name for status, name in pairs if status not in ("M", "T")} | set(new)
        """Files that are new, or gone."""

    @property
    def all(self) -> set[str]:
        return self.modified | self.moved

    def _git(self, *words: str) -> str:
        return self._run(*words).decode(errors="surrogateescape")

    def _run(self, *words: str, index: str = "") -> bytes:
        if self.ref.startswith("-"):
            raise NO_REF.error(what="this repository", ref=self.ref)
        environment = {"GIT_INDEX_FILE": index} if index else None
        answer = self.project.door.git(*words, folder=self.root, environment=environment)
        if answer.status:
            hint = "a branch, a tag or a commit; in continuous integration, fetch it first"
            notes = tuple(answer.why.splitlines()[:1])
            raise NO_REF.error(what="this repository", ref=self.ref, notes=notes, hint=hint)
        return answer.output

    def unpack(self, folder: str) -> None:
        """The files of the revision, in a folder, beside what git ignores.

        The repository's own index stays as it is.
        """
        inner = os.path.join(folder, ".git")  # the root ends here
        os.makedirs(inner)
        index = os.path.join(inner, "index")
        self._run("read-tree", self.ref, index=index)
        self._run("checkout-index", "--all", "--quiet", f"--prefix={folder}/", index=index)
        for name in self._git("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z").split(
            "\0"
        ):
            place = os.path.join(folder, name.rstrip("/"))
            if name and not os.path.lexists(place):
                os.makedirs(os.path.dirname(place), exist_ok=True)
                os.symlink(os.path.join(self.root, name.rstrip("/")), place)


# What evaluation read


class Reads:
    """For each component, the files that its evaluation read, its own and those of what it refers to."""

    def __init__(self, repository: Repository, components: dict[Instance, Component]) -> None:
        ground = repository.ground
        self.files: dict[Place, set[str]] = {}
        self.roots: dict[Place, set[Place]] = {}
        paths = {id(source): path for path, source in ground.project.sources.items()}
        for component in components.values():
            self.files[component.place] = {file.path for file in files_of(component.manifest)}
        for (node, place), read in ground.evaluator.reads.items():
            files = self.files.setdefault(place.root, set())
            roots = self.roots.setdefault(place.root, set())
            for found, where in ((node, place), *read):
                found, where = unbound(found, where)
                files.add(paths.get(id(_written(found)), ""))
                roots.add(where.root)
        for root, opened in ground.trace.files.items():
            self.files.setdefault(root, set()).update(opened)
        for root, targets in ground.trace.components.items():
            self.roots.setdefault(root, set()).update(targets)

    def of(self, component: Component) -> set[str]:
        found: set[str] = set()
        seen: set[Place] = set()
        stack = [component.place]
        while stack:
            root = stack.pop()
            if root not in seen:
                seen.add(root)
                found |= self.files.get(root, set())
                stack.extend(self.roots.get(root, ()))
        return found


def _written(node: Node) -> Source:
    """The file that a node was written in."""
    source = node.source
    while isinstance(source, Computed):
        source = source.source
    return source.written or source


# Comparing


class Comparison:
    """A repository before and after a change."""

    def __init__(
        self, before: Repository, after: Repository, change: ChangedFiles, old_root: str, reveal: bool = False
    ) -> None:
        self.before = before
        self.after = after
        self.change = change
        self.old_root = old_root
        self.reveal = reveal
        self.old = instances(before)
        self.new = instances(after)
        self._modules: dict[str, set[str]] = {}
        self._real: dict[str, str] = {}
        self._reads: Reads | None = None

    def rows(self) -> list[Row]:
        """One row for each component that is affected, by stack and name."""
        close = self._looked_at()
        _evaluate(self.before, [self.old[key] for key in self.new if key in close])
        found = []
        for key in sorted({*self.old, *self.new}):
            reasons, causes = self._reasons(key, key in close)
            if reasons:
                found.append(self._row(self.new.get(key) or self.old[key], reasons, causes))
        return found

    def _looked_at(self) -> set[Instance]:
        """The components whose values must be compared."""
        if not self.change.all:
            return set()
        failing = _evaluate(self.after, list(self.new.values()))
        changed = {os.path.join(self.change.root, name) for name in self.change.all}
        elsewhere = any(not self._is_code(name) for name in self.change.moved)
        if (
            elsewhere
            or set(self.old) != set(self.new)
            or self.after.ground.trace.incomplete
            or changed & {os.path.realpath(path) for path in self.after.index.shared.config.files}
        ):
            return set(self.new) & set(self.old)
        return {
            key
            for key, component in self.new.items()
            if key in self.old and (key in failing or changed & self._read_by(component))
        }

    def _read_by(self, component: Component) -> set[str]:
        """The files that the evaluation of a component has read."""
        if self._reads is None:
            self._reads = Reads(self.after, self.new)
        return {self._real_path(path) for path in self._reads.of(component) if path}

    def _real_path(self, path: str) -> str:
        """Where a path leads; asked once, since most components read the same files."""
        if path not in self._real:
            self._real[path] = os.path.realpath(path)
        return self._real[path]

    def _is_code(self, name: str) -> bool:
        """Whether a file is terraform's, not a manifest."""
        return name.endswith((".tf", ".tf.json", ".tfvars", ".hcl"))

    def _reasons(self, key: Instance, close: bool) -> tuple[list[str], list[Row]]:
        old, new = self.old.get(key), self.new.get(key)
        if new is None:
            return ["deleted"], []
        if old is None:
            return ["added"], []
        reasons: list[str] = []
        causes: list[Row] = []
        if close:
            for section, changes in self._differences(old, new):
                reasons.append(f"stack.{section}")
                causes += changes
        for reason, file in self._files(new):
            reasons.append(reason)
            causes.append({"reason": reason, "file": file})
        return list(dict.fromkeys(reasons)), causes

    # Values

    def _differences(self, old: Component, new: Component) -> Iterator[tuple[str, list[Row]]]:
        """The sections that differ, each with some of the values in it that do."""
        before, after = old.root.entries, new.root.entries
        for name in dict.fromkeys([*after, *before]):
            if name in ABOUT_FILES:
                continue
            a = self._finished(old, str(name), before.get(name))
            b = self._finished(new, str(name), after.get(name))
            changes = [self._cause(str(name), path, x, y) for path, x, y in differing(a, b)]
            if changes:
                yield str(name), changes[:SHOWN]

    def _finished(self, component: Component, name: str, node: Node | None) -> Node | None:
        """A section with all its values; a value that fails is its message.

        Paths of the unpacked revision are shown as paths of this one.
        """
        if node is None:
            return None
        made, failures = component.shared.ground.evaluator.finish(node, component.place.child(name))
        if failures:
            made = rewrite(made, _as_said)
        return here(made, self.old_root, self.change.root) if component is not self.new.get(_key(component)) else made

    def _cause(self, section: str, path: Path, before: Node | None, after: Node | None) -> Row:
        row: Row = {"reason": f"stack.{section}", "path": format_path((section, *path))}
        if before is not None:
            row["before"] = plain_value(before, self.reveal)
        if after is not None:
            row["after"] = plain_value(after, self.reveal)
        origin = after.origin if after is not None else before.origin if before is not None else None
        if origin is not None and not origin.source.given and origin.source.name != "(nowhere)":
            row["file"], row["line"] = origin.file, origin.line
        return row

    # Files

    def _files(self, component: Component) -> Iterator[tuple[str, str]]:
        """Files that changed and belong to a component without being part of a manifest."""
        folder = self._from_root(component.path)
        yield from (("component", name) for name in sorted(self.change.all) if _below(name, folder))
        for module in sorted(self._modules_of(component.path)):
            inner = self._from_root(module)
            yield from (("component.module", name) for name in sorted(self.change.all) if _below(name, inner))
        for kind, path in named_files(component):
            wanted = os.path.normpath(path)
            hit = [
                name
                for name in sorted(self.change.all)
                if name == wanted or (kind == "folder" and _below(name, wanted))
            ]
            yield from ((kind, name) for name in hit)

    def _from_root(self, path: str) -> str:
        return os.path.relpath(os.path.realpath(path), self.change.root)

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

    def _row(self, component: Component, reasons: list[str], causes: list[Row]) -> Row:
        row = {**facts_of(component), "affected": reasons[0], "affected_all": reasons, "causes": causes}
        if reasons[0].startswith("stack."):
            changed = {os.path.join(self.change.root, name): name for name in self.change.all}
            row["changed_files"] = sorted(changed[path] for path in self._read_by(component) if path in changed)
        return row


def _evaluate(repository: Repository, components: list[Component]) -> set[Instance]:
    """All values of some components, the same way each time: where they show each other as they are written, who was
    first matters.

    Those that fail: what they would have read, nobody knows.
    """
    evaluator = repository.ground.evaluator
    live = [component for component in components if component.root.live]
    evaluator.begin((component.root, component.place) for component in live)
    return {_key(component) for component in live if evaluator.finish(component.root, component.place)[1]}


def _as_said(node: Node) -> Node:
    """A failure as its message."""
    if not isinstance(node, Failure):
        return node
    return text("; ".join(diagnostic.message for diagnostic in node.diagnostics), node.source, node.at)


def instances(repository: Repository) -> dict[Instance, Component]:
    """Every component that is deployed, by where it is."""
    deployed = whole.chosen(repository, repository.components(), lambda component: not component.abstract)
    return {_key(component): component for component in whole.intact(repository, deployed)}


def _key(component: Component) -> Instance:
    return (component.stack, component.type, component.name)


def facts_of(component: Component) -> Row:
    """The facts about a component that lists of components show."""
    return {
        "component": component.name,
        "component_type": component.type,
        "component_path": component.shared.ground.shown(component.path),
        "stack": component.stack,
        "stack_slug": f"{component.stack}-{component.name.replace('/', '-')}",
    }


def differing(before: Node | None, after: Node | None) -> Iterator[tuple[Path, Node | None, Node | None]]:
    """The paths at which two finished trees differ, and what is there."""
    for path, a, b in differences(before, after, by_position):
        yield tuple(step if isinstance(step, int) else key_text(step) for step in path), a, b


def here(node: Node, old_root: str, root: str) -> Node:
    """A tree with paths below one root shown as paths below another."""

    def leaf(at: Node) -> Node:
        if isinstance(at, Scalar) and isinstance(at.value, str) and old_root in at.value:
            moved = at.value.replace(old_root, root)
            return Scalar(moved, moved, at.source, at.at, at.tag, at.secret)
        return at

    return rewrite(node, leaf)


def named_files(component: Component) -> Iterator[tuple[str, str]]:
    """Files and folders that a component says it depends on."""
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
    return list(children(node)) if isinstance(node, Mapping | Sequence) else []


def _modules_in(project: Project, folder: str) -> list[str]:
    listed = project.listing(folder) if project.door.allows(folder) else []
    names = [name for name in listed if name.endswith(".tf")]
    texts = (project.door.text(os.path.join(folder, name)) for name in names)
    return [os.path.normpath(os.path.join(folder, path)) for text in texts for path in MODULE.findall(text)]


def _below(name: str, folder: str) -> bool:
    return name == folder or name.startswith(folder + "/")


# Who depends on whom


class Graph:
    """Which components refer to which: what they declare, and whose outputs they read, without evaluating anything."""

    def __init__(self, repository: Repository) -> None:
        self.users: dict[tuple[str, str], dict[Instance, tuple[Component, str]]] = {}
        for component in instances(repository).values():
            for (name, stack), cause in self._needs(component).items():
                self.users.setdefault((stack, name), {})[_key(component)] = (component, cause)

    def _needs(self, component: Component) -> dict[tuple[str, str], str]:
        found = {(name, stack or component.stack): "it says so" for name, stack in depends_on(component)}
        for call in output_calls(component.root):
            if not component.shared.language.has_template(call.rest):
                words = call.function.read(call.rest)
                found.setdefault((words.component or component.name, words.stack or component.stack), call.text)
        found.pop((component.name, component.stack), None)
        return found

    def dependents(self, component: Component) -> list[Row]:
        """The components that refer to one, each with the reason."""
        users = self.users.get((component.stack, component.name), {})
        return [{**facts_of(user), "cause": cause} for _, (user, cause) in sorted(users.items())]


def affected(
    before: Repository, after: Repository, change: ChangedFiles, old_root: str, dependents: bool, reveal: bool = False
) -> list[Row]:
    """The rows of a comparison; what cannot be read now is an error, not a component that is gone."""
    comparison = Comparison(before, after, change, old_root, reveal)
    trouble = after.problems()
    if trouble:
        raise PlaitError(*trouble)
    rows = comparison.rows()
    if dependents:
        graph = Graph(after)
        known = instances(after)
        for row in rows:
            component = known.get((str(row["stack"]), str(row["component_type"]), str(row["component"])))
            row["dependents"] = graph.dependents(component) if component is not None else []
    return rows
