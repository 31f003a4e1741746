"""What of a merge is printed: a part of it, several, an expression on it, its lists as documents; and its state."""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Node, Scalar, Suspension
from plait.core.source import Source
from plait.core.struct import struct
from plait.fronts.spiff import Spiff, locate
from plait.fronts.spiff.address import Stubs
from plait.fronts.spiff.positions import StagedExpression
from plait.notations.dynaml import read
from plait.report.catalog import BAD_OPTION


@struct
class SpiffOutput:
    """What is printed of the documents."""

    path: str = ""
    select: tuple[str, ...] = ()
    evaluate: str = ""
    split: bool = False
    partial: bool = False
    state: str = ""


def documents(front: Spiff, names: list[str], wanted: SpiffOutput) -> list[Node]:
    """The documents of a merge, or what is wanted of them."""
    if wanted.state:
        names = [*names, *with_state(front, wanted.state)]
    nodes = front.merge(names, partial=wanted.partial)
    if wanted.state:
        keep_state(front, wanted.state, nodes)
    if wanted.path:
        nodes = [locate(node, wanted.path)[1] for node in nodes]
    if wanted.evaluate:
        nodes = [evaluated(front, node, wanted.evaluate) for node in nodes]
    if wanted.select:
        nodes = [part for node in nodes for part in selected(front, node, wanted.select)]
    if wanted.split:
        nodes = [item for node in nodes for item in (node.items if isinstance(node, ListNode) else [node])]
    return nodes


def selected(front: Spiff, node: Node, paths: tuple[str, ...]) -> list[Node]:
    """Parts of a document. In the dialect of the successor a map of them, by their last names."""
    found = [locate(node, path) for path in paths]
    if not front.dialect.successor:
        return [part for _, part in found]
    return [MapNode({str(steps[-1]) if steps else "": part for steps, part in found}, node.source, node.at)]


def evaluated(front: Spiff, node: Node, expression: str) -> Node:
    """The value of an expression on a document."""
    if not isinstance(node, MapNode):
        raise BAD_OPTION.error(why="`--evaluate` needs a document that is a map")
    key, written = "--evaluate", f"(( {expression} ))"
    source = Source(f"--evaluate {expression}", written, given=True)
    asked = Suspension(StagedExpression.of(read(written, front.dialect.successor)), source, 0)
    made = front.resolve(MapNode({**node.entries, key: asked}, source, 0, None, True), Stubs())
    assert isinstance(made, MapNode)
    return front.printed(made.entries[key]) if key in made.entries else Scalar(None, "null")


def with_state(front: Spiff, file: str) -> list[str]:
    """The state of an earlier run, as the last stub; nothing where there is none."""
    front.project.admit(file)
    return [file] if front.project.door.is_file(file) else []


def keep_state(front: Spiff, file: str, nodes: list[Node]) -> None:
    """Write what is marked as `&state`, all or nothing; the state before goes to FILE.bak."""
    from plait.yaml.emit import emit, emit_json

    if len(nodes) > 1:
        raise BAD_OPTION.error(why="`--state` works for one document", hint="merge the documents one by one")
    node = front.state or MapNode({})
    node = front.printed(node)
    written = (
        emit_json(node, reveal=True, sort_keys=True)
        if file.endswith(".json")
        else emit(node, reveal=True, sort_keys=True)
    )
    files: dict[str, bytes | None] = {file: written.encode()}
    door = front.project.door
    if door.is_file(file):
        files[f"{file}.bak"] = door.read(file)
        front.project.admit(f"{file}.bak")
    front.project.writer().write(files)
