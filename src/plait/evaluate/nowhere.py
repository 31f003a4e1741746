"""A path that leads nowhere."""

from __future__ import annotations

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Node, Scalar, Suspension
from plait.core.path import Path, format_path
from plait.report.catalog import NOT_FOUND, THROUGH_SCALAR


class NotThere(Exception):
    """A path that leads nowhere: from which node on, and what the error says once its place is known."""

    def __init__(self, node: Node, path: Path, depth: int) -> None:
        self.node = node
        self.path = path
        self.depth = depth

    def at(self, asker: Node) -> PlaitError:
        length = len(asker.expression.text) if isinstance(asker, Suspension) else 0
        return self.labelled(Label(asker.origin, length=length))

    def labelled(self, *labels: Label) -> PlaitError:
        """The error, at the places given."""
        from plait.evaluate.near_paths import near_paths

        name, stop = format_path(self.path), format_path(self.path[: self.depth]) or "the whole"
        if isinstance(self.node, Scalar):
            return THROUGH_SCALAR.error(*labels, name=name, stop=stop, kind="scalar")
        return NOT_FOUND.error(*labels, name=name, hint=near_paths(self.node, self.path, self.depth))
