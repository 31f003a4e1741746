"""The names that other tools give to a component: Spacelift's stack, Atlantis's project.

They are made as Atmos makes them, when they are asked for.
"""

from __future__ import annotations

from plait.core.expression import Expression
from plait.core.find import entry
from plait.core.node import Key, MapNode, Node, Scalar, Suspension, text
from plait.core.source import Computed
from plait.fronts.stacks.assemble.backend import filled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Scope
    from plait.fronts.stacks.config.config import Config


class ToolName(Expression):
    """A name that settings of a tool give, seen from the component: an expression. Null where the tool is not used."""

    __slots__ = ("_config", "_make", "_tool", "text")

    def __init__(self, tool: str, make: Callable[[Node, Scope, Config], str], config: Config) -> None:
        self._tool = tool
        self._make = make
        self._config = config
        self.text = f"settings.{tool}"

    def evaluate(self, scope: Scope) -> Node:
        place = scope.place.root.child("settings").child(self._tool)
        settings = scope.finished(scope.find(("settings", self._tool)), place)
        name = self._make(settings, scope, self._config)
        if not name:
            return Scalar(None, "null", scope.node.source, scope.node.at)
        return text(name, Computed(self.text, scope.node.source, scope.node.at), scope.node.at)


def _word(settings: Node, *path: str) -> str:
    node = entry(settings, *path)
    return node.text if isinstance(node, Scalar) and node.value else ""


def _spacelift(settings: Node, scope: Scope, config: Config) -> str:
    """`stack_name_pattern`, `stack_name`, or the stack and the component; only where `workspace_enabled` is true."""
    if _word(settings, "workspace_enabled") != "true":
        return ""
    pattern, name = _word(settings, "stack_name_pattern"), _word(settings, "stack_name")
    if name and not pattern:
        return name
    return filled(pattern or f"{_fact(scope, 'atmos_stack')}-{{component}}", scope).replace("/", "-")


def _fact(scope: Scope, name: str) -> str:
    node = scope.find((name,))
    return node.text if isinstance(node, Scalar) else ""


def _atlantis(settings: Node, scope: Scope, config: Config) -> str:
    """The name in the project template of the component, or in the one of atmos.yaml that it names."""
    pattern = _word(settings, "project_template", "name")
    named = _word(settings, "project_template_name")
    if named and not pattern:
        pattern = config.text("integrations", "atlantis", "project_templates", named, "name")
    return filled(pattern, scope).replace("/", "-") if pattern else ""


TOOLS = {"spacelift": ("spacelift_stack", _spacelift), "atlantis": ("atlantis_project", _atlantis)}
"""For each tool, the name that it gives and how that is made."""


def tool_names(settings: Node, config: Config) -> dict[Key, Node]:
    """The names that the settings of a component ask for."""
    if not isinstance(settings, MapNode):
        return {}
    return {
        name: Suspension(ToolName(tool, make, config), settings.entries[tool].source, settings.entries[tool].at)
        for tool, (name, make) in TOOLS.items()
        if tool in settings.entries
    }
