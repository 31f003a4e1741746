"""A text that a template wrote, in pieces: the lines of the template that made a part of it, the values that were read,
and the conditions that let it be there."""

from __future__ import annotations

from plait.core.node import Scalar
from plait.core.source import Origin
from plait.core.struct import struct
from plait.core.walk import leaves_of
from plait.evaluate.hops import BECAUSE, Hop
from plait.notations.gotemplate.ropes import Rope
from plait.yaml.layout import lay_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from plait.core.node import Node
    from plait.notations.gotemplate.ropes import CallSite, Decision, WrittenPiece

    At = Callable[[Any, int], Origin]
    """The place of an offset of a template's program."""
    InOrder = Callable[[Iterable[Any]], list[Any]]
    """What was read, each once, in the order in which it is shown."""

RENDERED = "rendered by"
"""The word of a hop to a line of a template."""


@struct
class Condition:
    """Something that decided whether a field is there: the line, what it decided, and the values that it read."""

    origin: Origin
    outcome: bool
    reads: list[Any]


@struct
class FieldOrigin:
    """The places that made one field."""

    places: list[Origin]
    """The template that wrote it, then those that it called, down to the one that has the text or the action."""
    reads: list[Any]
    conditions: list[Condition]

    def hops(self, read: Callable[[Any], Hop]) -> list[Hop]:
        """The same as a way; `read` says what a value that was read is."""
        rendered = [Hop(RENDERED, "template", (), place, _line(place)) for place in self.places]
        because = [
            Hop(
                BECAUSE,
                "true" if one.outcome else "false",
                (),
                one.origin,
                _line(one.origin),
                None,
                [*map(read, one.reads)],
            )
            for one in self.conditions
        ]
        return [*rendered, *map(read, self.reads), *because]


def _line(place: Origin) -> str:
    return place.source.line(place.line).strip()


class RenderedText:
    """The text of one template, as it was rendered, in pieces."""

    __slots__ = ("_at", "_in_order", "_pieces", "_rope")

    def __init__(self, pieces: list[WrittenPiece], at: At, in_order: InOrder) -> None:
        self._pieces = pieces
        self._at = at
        self._in_order = in_order
        self._rope = Rope("".join(piece.text for piece in pieces), pieces)

    @property
    def text(self) -> str:
        return self._rope.text

    def field(self, node: Node, begins: int = 0) -> FieldOrigin:
        """What made a value of a document that begins at a place of the text: for a list or map, all that is in it."""
        start, end = _span(node)
        ask = self._scalar if isinstance(node, Scalar) else self._container
        return ask(begins + start, begins + end)

    def _container(self, start: int, end: int) -> FieldOrigin:
        """What made the text between two places."""
        return self._origin([piece for piece in self._rope.part(start, end) if piece.text.strip() or end - start < 2])

    def _scalar(self, start: int, end: int) -> FieldOrigin:
        """What made a scalar: also what could be in it, or be next to it, and is not."""
        line = self._around(start, end)
        inside: list[WrittenPiece] = []
        at = 0
        for piece in self._pieces:
            stop = at + len(piece.text)
            if at == stop:
                touches = line[0] <= at <= line[1] and (at < end or not piece.begins_line)
                inside += [piece] if touches else []
            elif at < end and stop > start:
                inside.append(piece.part(max(start - at, 0), min(end - at, len(piece.text))))
            at = stop
        return self._origin([piece for piece in inside if piece.text.strip() or piece.reads or not piece.text])

    def _around(self, start: int, end: int) -> tuple[int, int]:
        """A span with the space before and after it."""
        text = self._rope.text
        return len(text[:start].rstrip(" ")), len(text) - len(text[end:].lstrip(" "))

    def _origin(self, pieces: list[WrittenPiece]) -> FieldOrigin:
        written = [piece for piece in pieces if piece.text] or pieces
        telling = [piece for piece in written if piece.reads] or written[:1]
        return FieldOrigin(
            _unique(place for piece in telling for place in self._places(piece)),
            self._in_order(read for piece in pieces for read in piece.reads),
            _conditions(self._condition(one) for piece in pieces for one in piece.why),
        )

    def _places(self, piece: WrittenPiece) -> Iterator[Origin]:
        """From the outermost call inwards."""
        sites: list[Any] = [piece]
        by: CallSite | None = piece.by
        while by is not None:
            sites.append(by)
            by = by.by
        return (self._at(site.program, site.at) for site in reversed(sites))

    def _condition(self, decision: Decision) -> Condition:
        return Condition(self._at(decision.program, decision.at), decision.outcome, self._in_order(decision.reads))


def _unique(places: Iterable[Origin]) -> list[Origin]:
    return list({(place.file, place.line): place for place in places}.values())


def _conditions(conditions: Iterable[Condition]) -> list[Condition]:
    """Each once; a text that is rendered as a template has several at one place."""
    return list({(one.origin.file, one.origin.at, *map(repr, one.reads)): one for one in conditions}.values())


def _span(node: Node) -> tuple[int, int]:
    """Where the text of a node begins and ends in its source."""
    leaves = [leaf for _, leaf in leaves_of(node) if isinstance(leaf, Scalar)]
    if not leaves:
        return (node.at, node.at + 2)
    source = leaves[0].source
    layout = lay_out(source)[0]  # type: ignore[arg-type]
    ends = dict(zip(layout.ats, layout.ends, strict=False))
    return leaves[0].at, max(ends.get(leaf.at, leaf.at + len(leaf.text)) for leaf in leaves)
