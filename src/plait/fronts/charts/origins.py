"""Where a field of a rendered resource comes from: the line of the template, the templates it went through, the values
that were read, and the conditions that let it be there."""

from __future__ import annotations

from plait.core.source import Origin
from plait.fronts.charts.failures import in_values
from plait.fronts.charts.rendering import ChartRead, ValueRead
from plait.fronts.rendered_text import RenderedText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from plait.core.node import Node
    from plait.fronts.charts.installation import Installation
    from plait.fronts.charts.manifests import RenderedResource
    from plait.fronts.rendered_text import FieldOrigin

    Read = ValueRead | ChartRead


def field_origin(made: Installation, manifest: RenderedResource, node: Node) -> FieldOrigin | None:
    """What made a value of a rendered resource: for a list or map, all that is in it; None for what no template
    wrote."""
    if manifest.written_by not in made.pieces:
        return None

    def at(program: Any, offset: int) -> Origin:
        while program.called_from is not None:
            written = in_values(program, offset)
            if written is not None:
                return written
            program, offset = program.called_from.program, program.called_from.at
        return Origin(made.sources[program.name], offset)

    return RenderedText(made.pieces[manifest.written_by], at, _reads).field(node, manifest.at)


def _reads(reads: Iterable[Any]) -> list[Read]:
    """The values in the order of their names; those of Chart.yaml last."""
    found = list(dict.fromkeys(reads))
    values = sorted((one for one in found if isinstance(one, ValueRead)), key=lambda one: tuple(map(str, one.path)))
    return [*values, *(one for one in found if isinstance(one, ChartRead))]
