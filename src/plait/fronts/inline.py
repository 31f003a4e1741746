"""Values that are written in the manifest which declares a target: a map, a text that is YAML, or the parameters of
Argo CD, which set values by path as `helm --set` does. They lie above the files of the target.

A manifest may be a template: of a helmfile, or in an ApplicationSet. What it would give in a place of the values, and
plait cannot tell, has a word with `UNFILLED` there, and is not known.
"""

from __future__ import annotations

import re
from zlib import crc32

from plait.core.diagnostic import Label
from plait.core.find import entry, word
from plait.core.node import ListNode, MapNode, Node, Scalar, Unknown, children, in_place_of, rewrite
from plait.core.role import FLAG
from plait.core.source import Source
from plait.fronts.helm_set import assignments_in, with_assignments
from plait.report.catalog import CHART_VALUES, NOT_FILLED
from plait.yaml.build import Reading
from plait.yaml.load import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.fronts.helm_set import Assignment

COMMA = re.compile(r"(?<!\\),")
BLOCK = ("|", ">")
"""How a text of several lines begins in a file."""
UNFILLED = "plait_unknown"
"""Stands for what a template would give, with a number that tells templates apart."""
MARKS = re.compile(rf"{UNFILLED}_\w+")
WHY = "it is a template, and what fills it is not in this repository"


def unfilled(template: str) -> str:
    """The word in the place of a template."""
    return f"{UNFILLED}_{crc32(template.encode()):08x}"


def with_inline(layers: list[Node], written: Iterable[Node], how: Reading | None = None) -> list[Node]:
    """Layers, and above them what a manifest says, lowest first. Templates in it are words still."""
    for node in written:
        if isinstance(node, ListNode):
            layers = with_assignments(layers, _assignments(node))
        else:
            layers = [*layers, *_values(node, how or Reading())]
    return layers


def _values(node: Node, how: Reading) -> Iterator[Node]:
    """A map, or the one that a text is."""
    found: Node | None = node
    if isinstance(node, Scalar):
        found = next(iter(load(_text(node), how)), None) if node.value is not None else None
    if found is None or (isinstance(found, Scalar) and found.value is None):
        return
    if not isinstance(found, MapNode):
        raise CHART_VALUES.error(Label(node.origin), why=f"values are a mapping, and this is a {found.kind}")
    yield found


def _text(node: Scalar) -> Source:
    """The text of a value as a source of its own, with the lines of the file that it is written in."""
    origin = node.origin
    source = origin.source
    first = origin.line if source.text.startswith(BLOCK, origin.at) else origin.line - 1
    count = node.text.count("\n") + 1
    return Source(source.name, node.text, written=source.written or source, line_map=range(first, first + count))


def _assignments(parameters: ListNode) -> Iterator[Assignment]:
    for one in parameters.items:
        value = entry(one, "value")
        said = value if isinstance(value, Scalar) else one
        source = said.origin.source
        place = Source(source.name, source.text, role=FLAG, written=source.written or source)
        flag = f"{word(one, 'name')}={escaped(word(one, 'value'))}"
        for path, made in assignments_in(flag, place, said.at, word(one, "forceString") != "true"):
            yield path, in_place_of(made, said)


def escaped(value: str) -> str:
    """A value as a flag of helm takes it: its commas are no separators, except in a list, `{a,b}`."""
    return value if value.startswith("{") and value.endswith("}") else COMMA.sub(r"\\,", value)


# What is not known


def with_unknown(node: Node) -> Node:
    """A tree in which values that a template would give are not known."""
    made: Node = rewrite(node, _leaf)
    nodes = [made]
    for one in nodes:
        nodes += [child for _, child in children(one)]
    for one in reversed(nodes):
        if isinstance(one, MapNode | ListNode):
            one.live = any(child.live for _, child in children(one))
    return made


def _leaf(node: Node) -> Node:
    if not isinstance(node, Scalar) or UNFILLED not in node.text:
        return node
    origin = node.origin
    written = (Scalar(mark, mark) for mark in MARKS.findall(node.text))
    expression = origin.source.line(origin.line).strip()
    reason = NOT_FILLED(Label(origin), hint="write the value, or declare the target in plait.yaml")
    return Unknown((reason,), node.source, node.at, why=WHY, expression=expression, inputs=tuple(written))
