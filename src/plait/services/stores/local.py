"""A file as a store, for local work and for trying things out: keys are paths into a YAML or JSON map."""

from __future__ import annotations

import os

from plait.access.trouble import missing
from plait.core.diagnostic import Fault
from plait.core.node import MapNode, Node, plain_value
from plait.report.catalog import BAD_STORE
from plait.services.stores import StoreOptions
from plait.yaml.build import Reading, build
from plait.yaml.files import read_source
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Permit


class FileStore:
    def __init__(self, options: StoreOptions) -> None:
        self.options = options
        self.path = os.path.join(options.folder, options.text("path"))

    def name(self, parts: list[str]) -> str:
        return "/".join(parts)

    def read(self, name: str, permit: Permit) -> str:
        import json

        node = self._find(self._root(), name)
        if node is None:
            raise missing(self.options.what, name, f"it is read from {self.options.text('path')}")
        value = plain_value(node)
        return value if isinstance(value, str) else json.dumps(value)

    def _root(self) -> Node:
        try:
            source = read_source(self.path, door=self.options.sessions.door)
        except Fault as error:
            first = error.diagnostics[0]
            raise BAD_STORE.error(
                name=self.options.store, why=f"cannot be read: {first.message}", hint=first.hint
            ) from None
        try:
            programs = scan(source)
            return build(programs[0], source, Reading()) if programs else MapNode({}, source)
        except Fault as error:  # its message may show a line of the file, and what a store holds may be secret
            first = error.diagnostics[0]
            where = f", line {first.labels[0].origin.line}" if first.labels else ""
            why = f"cannot be read: {self.options.text('path')}{where} is not valid YAML"
            raise BAD_STORE.error(
                name=self.options.store,
                why=why,
                hint=f"to see the error, run: plait merge {self.options.text('path')}",
            ) from None

    def _find(self, root: Node, name: str) -> Node | None:
        """The value of a whole name, or of its steps."""
        if not isinstance(root, MapNode):
            raise BAD_STORE.error(name=self.options.store, why="is in a file that does not contain a map")
        if name in root.entries:
            return root.entries[name]
        node: Node | None = root
        for step in name.split("/"):
            node = node.entries.get(step) if isinstance(node, MapNode) else None
        return node
