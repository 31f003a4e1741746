"""The data that the components of a repository share: the configuration, the merge rules, and nodes that are created
once."""

from __future__ import annotations

import os
from functools import cached_property, partial

from plait.core.find import entry
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, Suspension, text
from plait.fronts.stacks.assemble.layers_by_node import LayersByNode
from plait.fronts.stacks.config.config_functions import ConfigCall, ConfigFile
from plait.fronts.stacks.language.keys import rebuilt
from plait.fronts.stacks.language.manifest_functions import FUNCTIONS, ManifestCall, function_in
from plait.fronts.stacks.language.scope import FileScope
from plait.fronts.stacks.read.imports import import_lines
from plait.fronts.stacks.session.nodes import DERIVED
from plait.yaml.unbuilt import UnbuiltList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Scalar
    from plait.fronts.stacks.language.scope import Language
    from plait.fronts.stacks.read.manifest import Manifest

CONFIGURED = {"env": ("env",), "settings": ("settings", "integrations")}
"""The sections of components that atmos.yaml gives something to, and where."""


EMPTY = MapNode({})
"""A section that no layer has."""


class Shared:
    """The session and the configuration, and the nodes that many components have in common."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.session = language.session
        self.config = language.config
        self.policies = language.config.policies
        self.inherits_metadata = self.config.truth("stacks", "inherit", "metadata", default=True)
        self.known = LayersByNode()
        self._infos: dict[tuple[str, str], Node] = {}
        self._inheritances: dict[tuple[str, ...], Node] = {}
        self._facts: dict[str, Scalar] = {}
        self._commands: dict[str, str] = {}
        self._configured: dict[str, list[Node]] = {}

    def fact(self, value: str) -> Scalar:
        """A word that no file holds, as one node for all that share it."""
        scalar = self._facts.get(value)
        if scalar is None:
            scalar = self._facts[value] = text(value, DERIVED, 0)
        return scalar

    def facts_of_stack(self, stack: str, manifest: Manifest, type: str) -> dict[Key, Node]:
        """What is known about every component of a type in a stack, in the order in which a component lists it; what
        only the component knows goes where there is an empty map."""
        name, file = self.fact(stack), self.fact(manifest.name)
        return {
            "atmos_stack": name,
            "stack": name,
            "atmos_stack_file": file,
            "atmos_manifest": file,
            "component": EMPTY,
            "component_type": self.fact(type),
            "component_info": EMPTY,
            "imports": self._imports(manifest),
            "inheritance": EMPTY,
        }

    def facts_of_code(self, type: str, base_name: str, folder_name: str, chain: list[str]) -> dict[Key, Node]:
        """What the `component` of a component is, the folder of its code as a path, and the bases that it inherits
        from."""
        return {
            "component": self.fact(base_name),
            "component_info": self._info(type, folder_name),
            "inheritance": self._inheritance(chain),
        }

    def command(self, type: str) -> Scalar:
        """The command that runs components of a type."""
        if type not in self._commands:
            self._commands[type] = self.config.text("components", type, "command") or type
        return self.fact(self._commands[type])

    def _inheritance(self, chain: list[str]) -> Node:
        """The bases of a component, nearest first."""
        key = tuple(chain)
        if key not in self._inheritances:
            names = dict.fromkeys(reversed(chain))
            self._inheritances[key] = ListNode([self.fact(name) for name in names], DERIVED)
        return self._inheritances[key]

    def _info(self, type: str, folder_name: str) -> Node:
        """Where a component's code is."""
        key = (type, folder_name)
        if key not in self._infos:
            path = text(self.session.shown(self.path(type, folder_name)), DERIVED)
            self._infos[key] = MapNode({"component_path": path, "component_type": self.fact(type)}, DERIVED)
        return self._infos[key]

    def path(self, type: str, folder_name: str) -> str:
        """The folder of a component's code."""
        return os.path.normpath(os.path.join(self.config.component_path(type), folder_name))

    @cached_property
    def separator(self) -> str:
        """The replacement for a slash in the name of a state."""
        return self.config.text("components", "terraform", "workspace", "prefix_separator") or "-"

    @cached_property
    def workspaces(self) -> bool:
        """Whether terraform's workspaces are used."""
        return self.config.truth("components", "terraform", "workspaces_enabled", default=True)

    def _imports(self, manifest: Manifest) -> Node:
        """The names of the files that a manifest imports, listed when somebody looks at them."""
        if manifest.imported.listed is None:
            manifest.imported.listed = UnbuiltList(partial(_sorted_imports, manifest), DERIVED)
        return manifest.imported.listed

    def configured(self, section: str) -> list[Node]:
        """What atmos.yaml gives to a section of every component: its `env`, and the integrations of its settings.

        Functions there are functions of manifests to components.
        """
        if section not in CONFIGURED:
            return []
        if section not in self._configured:
            node = entry(self.config.tree, *CONFIGURED[section])
            made = None if node is None else rebuilt(node, self._as_manifest)
            if made is not None and section == "settings":
                made = MapNode({"integrations": made}, made.source, made.at, None, made.live)
            self._configured[section] = [] if made is None else [made]
        return self._configured[section]

    def _as_manifest(self, node: Node) -> Node:
        if isinstance(node, Suspension) and isinstance(node.expression, ConfigCall):
            given, written = node.expression, node.written
            assert isinstance(written, ConfigFile)
            scope = FileScope(self.language, written.file, written.path)
            return Suspension(
                ManifestCall(FUNCTIONS[given.function.tag], given.node, given.rest), node.source, node.at, scope
            )
        value = node.value if isinstance(node, Scalar) else None
        call = function_in(value) if isinstance(value, str) else None
        if call is None:
            return node
        scope = FileScope(self.language, node.origin.file, node.origin.file)
        return Suspension(ManifestCall(call[0], node, call[1]), node.source, node.at, scope)


def _sorted_imports(manifest: Manifest) -> list[Node]:
    lines = import_lines(manifest)
    return [lines[name] for name in sorted(lines)]
