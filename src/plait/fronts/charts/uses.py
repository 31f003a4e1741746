"""Where the templates of a chart name its values: `.Values.a.b`, by text, so that a template need not be complete."""

from __future__ import annotations

import os
import re

from plait.core.find import entry
from plait.fronts.front import TemplateRead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.source import Source
    from plait.fronts.charts.values import Family

_NAMED = re.compile(r"(?<![\w\"'])(?:\$|[\w.$]*\.)?\.?Values((?:\.[A-Za-z_]\w*)+)")
_NAME = re.compile(r"\w+")
GLOBAL = "global"


def templates(family: Family, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Source, tuple[str, ...]]]:
    """The templates of a chart and its subcharts: the real path of each file, its text, and where its values are."""
    chart = family.chart
    for name, source in chart.templates.items():
        yield os.path.realpath(os.path.join(chart.folder.path, name)), source, path
    for child in family.children:
        yield from templates(child, (*path, child.name))


def reads_in(source: Source, path: tuple[str, ...], values: Node) -> Iterator[TemplateRead]:
    """The places of a template that name values, whose own are at a path of all values."""
    for found in _NAMED.finditer(source.text):
        at = found.start(1)
        steps = [(one[0], (at + one.start(), at + one.end())) for one in _NAME.finditer(found[1])]
        names = tuple(name for name, _ in steps)
        whole = names[0] == GLOBAL and entry(values, *names) is not None
        yield TemplateRead(() if whole else path, names, [span for _, span in steps])
