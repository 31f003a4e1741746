"""spiff and dynaml: laws, declarations, scale. Whole commands are in tests/cases/spiff."""

from __future__ import annotations

from plait.core.node import Node, plain_value
from plait.core.source import Source
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.fronts.spiff.reading import reading
from plait.yaml.build import build
from plait.yaml.scan import scan


def document(text: str, name: str = "test") -> Node:
    """A text as a template or stub."""
    source = Source(name, text)
    return build(scan(source)[0], source, reading(1_000_000))


def cascade(*texts: str, front: Spiff | None = None) -> object:
    """A template and its stubs, as plain data."""
    front = front or Spiff(Project("."))
    for text in reversed(texts):
        finished = front.resolve(document(text))
        front.stubs.add(finished)
    return plain_value(finished)
