"""Finished trees as text: YAML or JSON, one document or several."""

from __future__ import annotations

from plait.core.node import ListNode, Node, Scalar
from plait.yaml.emit import Style, emit_documents, emit_json, emit_styled, styled_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.meter import Meter
    from plait.yaml.schema import Schema


def as_text(
    node: Node,
    form: str = "yaml",
    reveal: bool = False,
    sort_keys: bool = False,
    schema: Schema | None = None,
    meter: Meter | None = None,
) -> str:
    """A finished node as YAML or JSON, ready to print. With a schema, what was not touched is printed as it was
    written.

    The meter of the run says how much may be printed; without one, it is what a small run may print.
    """
    if form == "json":
        return emit_json(node, reveal=reveal, sort_keys=sort_keys, meter=meter)
    return emit_styled(node, Style(reveal=reveal, sort_keys=sort_keys, schema=schema, meter=meter))


def documents_text(
    nodes: list[Node],
    form: str = "yaml",
    reveal: bool = False,
    schema: Schema | None = None,
    meter: Meter | None = None,
) -> str:
    """Finished documents: YAML documents after each other, or a JSON list where there are several."""
    if len(nodes) == 1:
        return as_text(nodes[0], form, reveal, schema=schema, meter=meter)
    if form == "json":
        return as_text(ListNode(nodes), form, reveal, meter=meter)
    return emit_documents(nodes, Style(reveal=reveal, schema=schema, meter=meter))


def stream_pieces(nodes: list[Node], form: str, reveal: bool, successor: bool, meter: Meter) -> list[str]:
    """The documents of a spiff template, in pieces. An empty one is a line `---`; the successor prints each as one line
    of JSON."""
    kept = [(node, isinstance(node, Scalar) and node.value is None and not node.text) for node in nodes]
    if form == "json":
        style: dict[str, Any] = {"indent": 0, "tight": True} if successor else {}
        whole = [node for node, empty in kept if not empty]
        return [emit_json(node, reveal=reveal, sort_keys=True, meter=meter, **style) for node in whole]
    pieces: list[str] = []
    for number, (node, empty) in enumerate(kept):
        if number or empty:
            pieces.append("---\n")
        if not empty:
            pieces += styled_pieces(node, Style(reveal=reveal, sort_keys=True, meter=meter))
    return pieces


def data_text(data: object, form: str = "yaml", reveal: bool = False) -> str:
    """Plain data, in which nodes may stand for themselves, as YAML or JSON."""
    from plait.core.plain import from_plain

    return as_text(from_plain(data), form, reveal)
