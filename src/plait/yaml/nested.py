"""A text that is a value of a file, as a patch in a kustomization is."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.find import step_into
from plait.core.node import Node, Scalar, equal
from plait.core.source import Source
from plait.yaml.build import Reading, build
from plait.yaml.edits import Replace
from plait.yaml.patch import apply
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path


def with_text(source: Source, path: Path, document: int, text: str) -> str:
    """The text of a file in which a value is another text, which ends with as many empty lines as the old one. Of a
    block, only the lines that differ are written."""
    node: Node | None = _trees(source.text)[document]
    for step in path:
        node = step_into(node, step) if node is not None else None
    assert isinstance(node, Scalar)
    text = text.rstrip("\n") + node.text[len(node.text.rstrip("\n")) :]
    whole = apply(source, [Replace(path, Scalar(text, text), document=document)])
    lines = _with_lines(source, node, text)
    return lines if lines is not None and _same(lines, whole) else whole


def _with_lines(source: Source, node: Scalar, text: str) -> str | None:
    """The same, only the lines that differ being written; None for what is not a literal block."""
    old, new = node.text.split("\n"), text.split("\n")
    row = source.position(node.at)[0]
    starts = [*source.starts, len(source.text) + 1]
    if source.text[node.at : node.at + 1] != "|" or row + len(old) >= len(starts):
        return None
    rows = [source.text[starts[at] : starts[at + 1] - 1] for at in range(row, row + len(old))]
    line_end = "\r\n" if rows[0].endswith("\r") else "\n"
    margins = [there.removesuffix("\r").removesuffix(line) for there, line in zip(rows, old, strict=True) if line]
    head, tail = _shared(old, new)
    lines = [(margins[0] if line and margins else "") + line for line in new[head : len(new) - tail]]
    end = starts[row + len(old) - tail] - 1
    end -= source.text[:end].endswith("\r")
    return source.text[: starts[row + head]] + line_end.join(lines) + source.text[end:]


def _shared(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines are the same at the beginning and at the end; one at least is left of each."""
    most = min(len(old), len(new)) - 1
    head = next((at for at in range(most) if old[at] != new[at]), most)
    most -= head
    return head, next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)


def _trees(text: str) -> list[Node]:
    source = Source("(text)", text)
    return [build(program, source, Reading()) for program in scan(source)]


def _same(one: str, other: str) -> bool:
    """Whether two texts hold the same documents."""
    try:
        left, right = _trees(one), _trees(other)
    except Fault:
        return False
    return len(left) == len(right) and all(map(equal, left, right))
