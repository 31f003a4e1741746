"""Where a field of a rendered resource comes from: the line of the template, the templates it went through, the values
that were read, and the conditions that let it be there."""

from __future__ import annotations

from plait.core.node import Scalar
from plait.core.source import Origin
from plait.core.struct import struct
from plait.core.walk import leaves_of
from plait.fronts.charts.failures import in_values
from plait.fronts.charts.rendering import ChartRead, ValueRead
from plait.notations.gotemplate.ropes import Rope
from plait.yaml.layout import lay_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from plait.core.node import Node
    from plait.fronts.charts.installation import Installation
    from plait.fronts.charts.manifests import RenderedResource
    from plait.notations.gotemplate.ropes import CallSite, Decision, WrittenPiece

    Read = ValueRead | ChartRead


@struct
class Condition:
    """Something that decided whether a field is there: the line, what it decided, and the values that it read."""

    origin: Origin
    outcome: bool
    reads: list[Read]


@struct
class FieldOrigin:
    """The places that made one field."""

    places: list[Origin]
    """The template that wrote it, then those that it called, down to the one that has the text or the action."""
    reads: list[Read]
    conditions: list[Condition]


class RenderedText:
    """The text of one template, as it was rendered, in pieces."""

    __slots__ = ("_made", "_pieces", "_rope")

    def __init__(self, made: Installation, template: str) -> None:
        self._made = made
        self._pieces = made.pieces[template]
        self._rope = Rope("".join(piece.text for piece in self._pieces), self._pieces)

    def origin(self, start: int, end: int) -> FieldOrigin:
        """What made the text between two places."""
        return self._origin([piece for piece in self._rope.part(start, end) if piece.text.strip() or end - start < 2])

    def scalar_origin(self, start: int, end: int) -> FieldOrigin:
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
            _reads(read for piece in pieces for read in piece.reads),
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
        return Condition(self._at(decision.program, decision.at), decision.outcome, _reads(decision.reads))

    def _at(self, program: Any, at: int) -> Origin:
        while program.called_from is not None:
            written = in_values(program, at)
            if written is not None:
                return written
            program, at = program.called_from.program, program.called_from.at
        return Origin(self._made.sources[program.name], at)


def _unique(places: Iterable[Origin]) -> list[Origin]:
    return list({(place.file, place.line): place for place in places}.values())


def _reads(reads: Iterable[Any]) -> list[Read]:
    """The values in the order of their names; those of Chart.yaml last."""
    found = list(dict.fromkeys(reads))
    values = sorted((one for one in found if isinstance(one, ValueRead)), key=lambda one: tuple(map(str, one.path)))
    return [*values, *(one for one in found if isinstance(one, ChartRead))]


def _conditions(conditions: Iterable[Condition]) -> list[Condition]:
    """Each once; a text that is rendered as a template has several at one place."""
    return list({(one.origin.file, one.origin.at, *map(repr, one.reads)): one for one in conditions}.values())


def field_origin(made: Installation, manifest: RenderedResource, node: Node) -> FieldOrigin | None:
    """What made a value of a rendered resource: for a list or map, all that is in it; None for what no template
    wrote."""
    if manifest.written_by not in made.pieces:
        return None
    span = _span(node)
    text = RenderedText(made, manifest.written_by)
    if span is None:
        return None
    ask = text.scalar_origin if isinstance(node, Scalar) else text.origin
    return ask(manifest.at + span[0], manifest.at + span[1])


def _span(node: Node) -> tuple[int, int] | None:
    """Where the text of a node begins and ends in its source."""
    leaves = [leaf for _, leaf in leaves_of(node) if isinstance(leaf, Scalar)]
    if not leaves:
        return (node.at, node.at + 2)
    source = leaves[0].source
    layout = lay_out(source)[0]  # type: ignore[arg-type]
    ends = dict(zip(layout.ats, layout.ends, strict=False))
    return leaves[0].at, max(ends.get(leaf.at, leaf.at + len(leaf.text)) for leaf in leaves)
