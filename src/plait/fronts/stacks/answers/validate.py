"""`validate stacks`: everything that can be wrong with manifests, found without calling any function."""

from __future__ import annotations

import os
from collections import Counter
from functools import partial

from plait.access.workers import not_fine
from plait.core.diagnostic import Diagnostic, Fault, Label, NotKnown
from plait.core.find import entry
from plait.core.node import MapNode, Node, Scalar, Suspension
from plait.core.path import format_path
from plait.core.unknown import unknown_of
from plait.core.walk import live_children, nodes_of
from plait.fronts.stacks.answers.backends import BackendUse, unused_backends
from plait.fronts.stacks.answers.repository import Repository
from plait.fronts.stacks.answers.schema import MANIFEST, Checker, shipped
from plait.fronts.stacks.answers.schemas import checker_of, file_below
from plait.fronts.stacks.answers.stray import STRAY, StrayKeys
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.assemble.index import check_same
from plait.fronts.stacks.config.config import labels_at
from plait.fronts.stacks.config.sections import TYPES
from plait.fronts.stacks.language.view import Rendering, place_of
from plait.fronts.stacks.read.discovery import all_files, path_patterns
from plait.fronts.stacks.read.file import ManifestFile
from plait.fronts.stacks.read.imports import files_of
from plait.fronts.stacks.read.manifest import Manifest
from plait.fronts.stacks.session.yaml_function import FunctionCall, bad_arguments
from plait.notations.gotemplate.errors import TemplateFault
from plait.report.catalog import (
    DEPRECATED,
    NO_SCHEMA_CHECK,
    OTHER_SCHEMA,
    SCHEMA,
    STACK_TEMPLATE,
    WITHOUT_VALUE,
)
from plait.report.installing import how_to_install
from plait.report.render import in_order
from plait.report.unknown import UnknownValue, not_known_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.node import Key
    from plait.core.path import Path
    from plait.fronts.stacks.answers.kept_components import Bases
    from plait.fronts.stacks.answers.reach import Changed, ChangeReach, Entry
    from plait.fronts.stacks.language.scope import Language

SUCCESSOR = "is deprecated; use `dependencies.components`"
REFUSED = frozenset(
    (
        *("vars", "env", "settings", "locals", "command", "providers", "hooks", "auth", "generate", "dependencies"),
        *("backend_type", "backend", "remote_state_backend_type", "remote_state_backend", "provision", "source"),
        *("overrides", "metadata", "secrets", "components", *TYPES),
    )
)
"""The keys that Atmos refuses without a value."""


class ReachOfChange:
    """The manifests and files that a change may affect; only these are checked."""

    def __init__(self, reach: ChangeReach, changed: Changed) -> None:
        self._reach = reach
        self._changed = changed

    def manifest(self, manifest: Manifest) -> bool:
        return bool(self._changed) and self._reach.can_touch(manifest, self._changed)

    def file(self, path: str) -> bool:
        return self._reach.path(path) in self._changed


class Findings:
    """What is wrong, and what could not be checked because something is not known here: that is no mistake."""

    def __init__(self, refuses: bool) -> None:
        """`refuses` says whether what is not known is an error in this run."""
        self.wrong: list[Diagnostic] = []
        self._unknown: list[UnknownValue] = []
        self._refuses = refuses

    def failed(self, error: Fault, owner: str) -> None:
        """Something could not be checked, of an owner in words."""
        if isinstance(error, NotKnown) and not self._refuses:
            self._unknown.append(UnknownValue((), unknown_of(error), owner))
        else:
            self.wrong += error.diagnostics

    def unchecked(self, values: list[UnknownValue]) -> None:
        self._unknown += values

    def all(self) -> list[Diagnostic]:
        """Every finding once, sorted by place."""
        unchecked = [one.also_noting(f"not checked: {one.labels[0].text}") for one in not_known_here(self._unknown)]
        return in_order(without_repeats([*self.wrong, *unchecked]))


class CheckedComponents:
    """The components that could be put together: their bases, and the backends that they use."""

    def __init__(self, repository: Repository) -> None:
        self.backends = BackendUse(repository)
        self.bases: dict[str, dict[Entry, Bases]] = {}
        """By stack, type and name."""

    def add(self, component: Component) -> None:
        self.backends.add((component,))
        own = self.bases.setdefault(component.stack, {})
        own[component.type, component.name] = tuple(component.layers.chain)


def validate(
    repository: Repository, touched: ReachOfChange | None = None, checked: CheckedComponents | None = None
) -> list[Diagnostic]:
    """Every finding, sorted by place: in all manifests, or in those that a change may reach. `checked` gets every
    component that this process puts together."""
    checked = checked or CheckedComponents(repository)
    broken = repository.broken
    found = Findings(broken.refuses())
    try:
        checker: Checker | None = manifest_checker(repository, found.wrong)
    except ImportError:
        checker = None
        found.wrong.append(NO_SCHEMA_CHECK(how=how_to_install("schema")))
    manifests = repository.manifests()
    found.wrong += broken.problems()
    found.unchecked(broken.unknown_values())
    try:
        repository.names()
    except Fault as error:
        found.failed(error, " of the names of stacks")
    project, language = repository.session.project, repository.index.shared.language
    manifests = [one for one in manifests if touched is None or touched.manifest(one)]
    files = list(_files(repository, manifests, found, touched))
    several = project.jobs, project.guard, project.trace
    left = not_fine(lambda file: not check_file(file, checker, language), files, *several)
    for file in project.each(left, len(files), "checking files"):
        try:
            found.wrong += check_file(file, checker, language)
        except Fault as error:
            found.failed(error, f" of `{file.path}`")
    rest = not_fine(lambda manifest: not check_components(repository, manifest), manifests, *several)
    for manifest in project.each(rest, len(manifests), "checking stacks"):
        for owner, fault in check_components(repository, manifest, checked):
            found.failed(fault, owner)
    check_duplicates(repository, manifests, found)
    if touched is None:
        found.wrong += unused_backends(repository) if project.trace.is_shared else checked.backends.findings()
    return found.all()


def without_repeats(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The findings without those of the schema at a place that has a finding in plain words, and without keys that are
    only unusual where a schema refuses them."""
    plain = _places(one for one in diagnostics if one.code not in (SCHEMA.code, *STRAY))
    refused = _places(one for one in diagnostics if one.code == SCHEMA.code)
    hidden = {SCHEMA.code: plain, **dict.fromkeys(STRAY, refused)}
    return [one for one in diagnostics if _places([one]).isdisjoint(hidden.get(one.code, ()))]


def _places(diagnostics: Iterable[Diagnostic]) -> set[str]:
    return {str(one.labels[0].origin) for one in diagnostics if one.labels}


def manifest_checker(repository: Repository, diagnostics: list[Diagnostic]) -> Checker:
    """The checker of manifests: with the schema that the configuration names, if it is a file, else with the one that
    comes with plait."""
    shared = repository.index.shared
    name = shared.config.text("schemas", "atmos", "manifest")
    path = file_below(shared.session, shared.config, name) if name and "://" not in name else ""
    if path:
        return checker_of(path, name, repository.session)
    if name:
        why = "it is not fetched" if "://" in name else "it does not exist"
        diagnostics.append(
            OTHER_SCHEMA(*labels_at(shared.config.tree, ("schemas", "atmos", "manifest")), name=name, why=why)
        )
    return Checker(shipped(MANIFEST))


def _files(
    repository: Repository, manifests: list[Manifest], found: Findings, touched: ReachOfChange | None
) -> Iterator[ManifestFile]:
    """Every manifest file that is not excluded, and every one that is imported, each once; of those that nothing
    imports, where only a change is checked, those that it touches."""
    config, loader = repository.index.shared.config, repository.index.manifests.loader
    seen: dict[str, None] = {}
    for manifest in manifests:
        for file in files_of(manifest):
            if file.path not in seen:
                seen[file.path] = None
                yield file
    excluded = path_patterns(config, "excluded_paths")
    for name in all_files(repository.index.shared.session.project, config.stacks_path):
        path = os.path.join(config.stacks_path, name)
        if (
            path not in seen
            and (touched is None or touched.file(path))
            and not any(rule.match(name) for rule in excluded)
        ):
            try:
                yield repository.session.answer(partial(loader.file, path))
            except Fault as error:
                found.failed(error, f" of `{name}`")


def check_file(file: ManifestFile, checker: Checker | None, language: Language) -> list[Diagnostic]:
    """Check one file against its schema, its templates, and for deprecated keys."""
    root = file.whole()
    found = checker.check(root) if checker is not None else []
    return [
        *found,
        *stray_keys(root, language, checker is None or checker.ours),
        *_expressions(root, language),
        *_deprecated(root),
        *_without_value(root),
    ]


def stray_keys(root: Node, language: Language, strict: bool) -> Iterator[Diagnostic]:
    """Keys that are not words of Atmos."""
    named = entry(language.config.tree, "components")
    types = [str(key) for key in named.entries] if isinstance(named, MapNode) else []
    return StrayKeys(types, strict).check(root)


def _expressions(root: Node, language: Language) -> Iterator[Diagnostic]:
    """Templates that cannot be parsed, and functions whose arguments cannot."""
    for node in nodes_of(root, live_children):
        if isinstance(node, Suspension) and isinstance(node.expression, Rendering):
            try:
                language.templates.parse(node.expression.text, language.templates.delimiters)
            except TemplateFault as error:
                yield STACK_TEMPLATE(place_of(error, node.expression.text, node), why=error.message, hint=error.hint)
        elif isinstance(node, Suspension) and isinstance(call := node.expression, FunctionCall):
            yield from bad_arguments(call) if not language.has_template(call.rest) else ()


def _without_value(root: MapNode) -> Iterator[Diagnostic]:
    """Sections without a value, in the root, in those of types, in overrides and in components; and types and
    components without one."""
    types = _keys(("components",), root.entries.get("components"))
    members = [row for path, holder, key in types for row in _keys(path, holder.entries[key])]
    sections = _keys((), root)
    for name in ("overrides", *TYPES):
        sections += _keys((name,), root.entries.get(name))
    for path, holder, key in members:
        sections += _keys(path, holder.entries[key])
    for path, holder, key in (*types, *members, *(row for row in sections if row[2] in REFUSED)):
        node = holder.entries[key]
        if isinstance(node, Scalar) and node.value is None and node.tag is None:
            hint = "remove it, or write its value below it: `{}` for none"
            yield WITHOUT_VALUE(Label(holder.key_origin(key), length=len(str(key))), path=format_path(path), hint=hint)


def _keys(path: Path, node: Node | None) -> list[tuple[Path, MapNode, Key]]:
    """The keys of a map at a path, each with its own path and the map; none for any other node."""
    return [((*path, key), node, key) for key in node.entries] if isinstance(node, MapNode) else []


def _deprecated(root: MapNode) -> Iterator[Diagnostic]:
    components = root.entries.get("components")
    for type, members in components.entries.items() if isinstance(components, MapNode) else ():
        for name, component in members.entries.items() if isinstance(members, MapNode) else ():
            settings = component.entries.get("settings") if isinstance(component, MapNode) else None
            for holder, where in ((component, ""), (settings, "settings.")):
                if isinstance(holder, MapNode) and "depends_on" in holder.entries:
                    yield DEPRECATED(
                        Label(holder.key_origin("depends_on")),
                        path=f"components.{type}.{name}.{where}depends_on",
                        why=SUCCESSOR,
                    )


def check_components(
    repository: Repository, manifest: Manifest, checked: CheckedComponents | None = None
) -> list[tuple[str, Fault]]:
    """The components of a manifest that cannot be assembled, in words, with what prevents it."""
    failed: list[tuple[str, Fault]] = []
    for type in manifest.types():
        for name in manifest.names(type):
            try:
                component = repository.whole(repository.in_manifest(manifest, type, name))
                if checked is not None:
                    checked.add(component)
            except Fault as error:
                failed.append((f" of `{name}` in `{manifest.name}`", error))
    return failed


def check_duplicates(repository: Repository, manifests: list[Manifest], found: Findings) -> None:
    """Check that the manifests of a stack agree about the components that they share, in the stacks of some
    manifests."""
    several = Counter(name for manifest in repository.manifests() for name in repository.names_of(manifest))
    names = {name for manifest in manifests for name in repository.names_of(manifest) if several[name] > 1}
    first: dict[tuple[str, str, str], Component] = {}
    for manifest in repository.manifests():
        if names.isdisjoint(repository.names_of(manifest)):
            continue
        for component in repository.components_of(manifest):
            key = (component.stack, component.type, component.name)
            other = first.setdefault(key, component)
            if other is not component:
                try:
                    repository.session.answer(partial(check_same, other, component))
                except Fault as error:
                    found.failed(error, f" of `{component.name}` in `{manifest.name}`")
