"""`values.schema.json` of a chart and of its subcharts: values that one of them refuses."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.find import entry
from plait.core.node import Node
from plait.fronts.charts.chart import SCHEMA
from plait.fronts.values_schema import refused
from plait.report.catalog import UNCHECKED_CODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.meter import Meter
    from plait.fronts.charts.values import Family


def check_values(family: Family, values: Node, meter: Meter) -> None:
    """Raise all errors of values that do not fit the schemas of a chart and its subcharts. Without the package that
    checks schemas there are none: helm checks them when the chart is installed."""
    wrong = [one for one in _wrong(family, values, (), meter) if one.code not in UNCHECKED_CODES]
    if wrong:
        raise Fault(*wrong)


def _wrong(family: Family, values: Node, path: tuple[str, ...], meter: Meter) -> Iterator[Diagnostic]:
    if SCHEMA in family.chart.own:
        yield from refused(family.chart.folder.source(SCHEMA), values, meter, path)
    for child in family.children:
        inner = entry(values, child.name)
        if inner is not None:
            yield from _wrong(child, inner, (*path, child.name), meter)
