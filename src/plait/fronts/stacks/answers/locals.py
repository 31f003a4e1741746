"""`describe locals`: the locals of a stack's manifest, or those that a component's texts can read, with file and
line."""

from __future__ import annotations

from plait.core.node import Key, MapNode, Node, Scalar, equal, plain_value
from plait.core.plain import from_plain
from plait.core.source import Origin
from plait.core.struct import struct
from plait.fronts.stacks.answers.repository import Repository
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.language.scope import FileScope
from plait.fronts.stacks.read.file import ManifestFile
from plait.fronts.stacks.read.imports import files_of
from plait.fronts.stacks.read.locals import is_of_component
from plait.fronts.stacks.read.manifest import Manifest
from plait.fronts.stacks.session.nodes import DERIVED, source_text
from plait.report.catalog import NO_LOCALS, STACK_REQUIRED
from plait.yaml.emit import Style, emit_json, emit_styled, key_inline

WIDTH = 38
"""Where the comments of the YAML form begin."""


@struct
class Local:
    """One local: its value and where it is defined."""

    name: str
    value: Node
    origin: Origin
    label: str


class Locals:
    """The locals that an answer is about: by scope, and all together."""

    def __init__(self, repository: Repository, stack: str, component: str = "") -> None:
        if not stack:
            raise STACK_REQUIRED.error(why="--stack flag is required", hint="plait describe locals -s STACK")
        self.repository = repository
        self.stack = stack
        self.component: Component | None = None
        manifest = repository.manifest_of(stack)
        if component:
            self.component = self._find(component, manifest)
            manifest = self.component.manifest
        self.manifest = manifest
        self.scopes = self._scopes()
        if not any(self.scopes.values()):
            raise NO_LOCALS.error(
                name=stack,
                hint="declare them under `locals:` in the manifest itself; those of imported files are not visible",
            )

    def _find(self, component: str, manifest: Manifest) -> Component:
        names = self.repository.names_of(manifest)
        return self.repository.component(
            component, self.stack if self.stack in names else next(iter(names), self.stack)
        )

    @property
    def file(self) -> ManifestFile:
        """The file whose locals are shown: the manifest, or for a component the nearest file that defines it."""
        if self.component is None:
            return self.manifest.file
        type, name = self.component.type, self.component.name
        return next(
            (file for file in files_of(self.manifest) if name in file.components.names(type)), self.manifest.file
        )

    def _scopes(self) -> dict[str, list[Local]]:
        file = self.file
        scopes: dict[str, list[Local]] = {"global": self._of(file.scope, "global")}
        if self.component is None:
            scopes.update({type: self._of(scope, type) for type, scope in file.types.items()})
            return scopes
        type, name = self.component.type, self.component.name
        if type in file.types:
            scopes[type] = self._of(file.types[type], type)
        if name in file.components.names(type):
            scope = file.components.with_scope(type, name)[1]
            if is_of_component(scope):
                scopes["component"] = self._of(scope, "component")
        return scopes

    def _of(self, scope: FileScope, label: str) -> list[Local]:
        if scope.own is None:
            return []
        here = scope.place.child("locals")
        return [
            Local(
                str(name), self.repository.session.complete(node, here.child(name)), scope.own.key_origin(name), label
            )
            for name, node in scope.own.entries.items()
        ]

    def merged(self) -> list[Local]:
        """The locals that templates can read: inner scopes override outer ones."""
        by_name: dict[str, Local] = {}
        for members in self.scopes.values():
            for local in members:
                by_name[local.name] = local
        return list(by_name.values())

    # Forms

    def scopes_text(self, reveal: bool = False) -> str:
        """The scopes as YAML with comments."""
        style = Style(indent=2, dash=2, prefer='"', reveal=reveal)
        of = f"component '{self.component.name}' in stack '{self.stack}'" if self.component else f"stack '{self.stack}'"
        lines = [f"# Locals for {of}", f"# Resolution order: {' → '.join(self.scopes)}", ""]
        for label, members in self.scopes.items():
            if members:
                lines += [f"# {label.capitalize()} scope ({members[0].origin.file})", f"{label}:"]
                lines += [line for local in members for line in _lines(local, f"line {local.origin.line}", style)]
                lines.append("")
        lines += ["# Merged view (final resolved locals available to templates)", "merged:"]
        lines += [
            line
            for local in self.merged()
            for line in _lines(local, f"from {local.label} ({local.origin.file}:{local.origin.line})", style)
        ]
        return "\n".join(lines) + "\n"

    def scopes_node(self, reveal: bool = False) -> Node:
        """The scopes as data, with every place."""
        data: dict[str, object] = {}
        if self.component is not None:
            data["component"] = self.component.name
        data["stack"] = self.stack
        if self.component is not None:
            data["component_type"] = self.component.type
        data["locals"] = {
            label: {
                "source_file": members[0].origin.file,
                "values": {
                    local.name: {"value": plain_value(local.value, reveal), "line": local.origin.line}
                    for local in members
                },
            }
            for label, members in self.scopes.items()
            if members
        }
        data["merged"] = {
            local.name: {
                "value": plain_value(local.value, reveal),
                "scope": local.label,
                "source_file": local.origin.file,
                "line": local.origin.line,
            }
            for local in self.merged()
        }
        return from_plain(data, DERIVED)

    def manifest_node(self) -> MapNode:
        """The locals in the shape of a manifest."""
        if self.component is not None:
            nodes: dict[Key, Node] = {local.name: local.value for local in self.merged()}
            values = MapNode(nodes, DERIVED)
            inner: Node = MapNode({"locals": values}, DERIVED)
            for step in (self.component.name, self.component.type, "components"):
                inner = MapNode({step: inner}, DERIVED)
            assert isinstance(inner, MapNode)
            return inner
        shared: dict[Key, Node] = {local.name: local.value for local in self.scopes["global"]}
        entries: dict[Key, Node] = {"locals": MapNode(shared, DERIVED)} if shared else {}
        for label, members in self.scopes.items():
            own: dict[Key, Node] = {
                local.name: local.value
                for local in members
                if local.name not in shared or not equal(local.value, shared[local.name])
            }
            if label != "global" and own:
                entries[label] = MapNode({"locals": MapNode(own, DERIVED)}, DERIVED)
        return MapNode(entries, DERIVED)


def _lines(local: Local, comment: str, style: Style) -> list[str]:
    """A local in YAML, two spaces in, with a comment after its first line."""
    head = f"  {key_inline(local.name, style)}:"
    if isinstance(local.value, Scalar):
        text = emit_styled(local.value, style).rstrip("\n")
        first, rest = f"{head} {text}", []
        if "\n" in text:
            body = emit_styled(MapNode({local.name: local.value}), style).rstrip("\n").split("\n")
            first, rest = f"  {body[0]}", [f"  {line}" for line in body[1:]]
    else:
        body = emit_styled(MapNode({local.name: local.value}), style).rstrip("\n").split("\n")
        first, rest = f"  {body[0]}", [f"  {line}" for line in body[1:]]
    return [f"{first.ljust(WIDTH)} # {comment}", *rest]


def debug(repository: Repository, manifest: Manifest, write: object) -> None:
    """`ATMOS_DEBUG_LOCALS`: prints the locals of a stack's files, and the values they have in the end."""
    assert callable(write)
    for file in files_of(manifest):
        scopes = [("Global", file.scope), *((type.capitalize(), scope) for type, scope in file.types.items())]
        scopes += [
            (f"Component {name}", scope)
            for type, names in file.components.listed.items()
            for name in names
            if is_of_component(scope := file.components.with_scope(type, name)[1])
        ]
        if any(scope.own for _, scope in scopes):
            for line in _debug_lines(file, [(label, scope) for label, scope in scopes if scope.own is not None]):
                write(f"[locals] {line}")


def _debug_lines(file: ManifestFile, scopes: list[tuple[str, FileScope]]) -> list[str]:
    lines = [f"Processing {file.scope.file}"]
    count = 0
    for label, scope in scopes:
        assert scope.own is not None
        number = len(scope.own.entries)
        count += number
        lines.append(f"{label} scope: {number} local{'s' if number != 1 else ''} defined")
        for name, node in scope.own.entries.items():
            lines.append(
                f'  {name} = "{source_text(node)}"'
                if not isinstance(node, Scalar) or isinstance(node.value, str)
                else f"  {name} = {node.text}"
            )
            if node.live:
                lines.append(f"  → resolved: {_resolved(scope, str(name), node)}")
    return [*lines, f"Resolution complete: {count} locals available"]


def _resolved(scope: FileScope, name: str, node: Node) -> str:
    value, failures = scope.session.evaluator.finish(node, scope.place.child("locals").child(name))
    if failures:
        return f"(fails: {failures[0].diagnostics[0].message})"
    if isinstance(value, Scalar):
        shown = "<sensitive>" if value.secret else value.text
        return f'"{shown}"' if isinstance(value.value, str) else shown
    return " ".join(line.strip() for line in emit_json(value).splitlines())
