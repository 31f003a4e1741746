"""Answers about stacks as text: YAML or JSON, whole or what a query finds in them."""

from __future__ import annotations

from plait.core.node import Node, plain_value
from plait.core.plain import from_plain
from plait.core.struct import struct
from plait.fronts.stacks.session.nodes import DERIVED
from plait.report.catalog import STACK_QUERY
from plait.yaml.emit import Style, emit_json, emit_styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.project import Project
    from plait.fronts.stacks.config.config import Config

WIDEST = 16
"""The largest `tab_width` that is obeyed."""


@struct
class Shape:
    """How an answer is printed: as YAML or JSON, whole or filtered by a query."""

    form: str = "yaml"
    query: str = ""
    reveal: bool = False


class Printer:
    """Prints answers in the way that the configuration says."""

    def __init__(self, config: Config, project: Project) -> None:
        self._config = config
        self._project = project

    def printed(self, node: Node, shape: Shape) -> str:
        """A finished node in the requested format."""
        if shape.query:
            node = from_plain(self.queried(node, shape.query, shape.reveal), DERIVED)
        if shape.form == "json":
            return emit_json(node, reveal=shape.reveal, sort_keys=True, meter=self._project.meter)
        indent = self.indent()
        style = Style(indent, indent, sort_keys=True, reveal=shape.reveal, prefer='"', meter=self._project.meter)
        return emit_styled(node, style)

    def indent(self) -> int:
        """How many columns a level of the output takes."""
        return min(max(self._config.number("settings", "terminal", "tab_width", default=2), 1), WIDEST)

    def queried(self, node: Node, query: str, reveal: bool = False) -> object:
        return self.found(query, plain_value(node, reveal))

    def found(self, query: str, data: object) -> object:
        """What a yq expression finds in plain data."""
        from plait.notations.yq import YqError
        from plait.notations.yq import query as ask

        try:
            return ask(query, data, self._project.meter)
        except YqError as trouble:
            raise STACK_QUERY.error(
                text=query, why=trouble.message, hint="`plait help stacks` lists what is supported"
            ) from None
