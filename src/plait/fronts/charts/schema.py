"""`values.schema.json`: values that a chart refuses, each with its line in the values file."""

from __future__ import annotations

import json

from plait.core.diagnostic import Fault, Label
from plait.core.find import entry
from plait.core.node import ListNode, MapNode, Node, secrets_in
from plait.core.path import format_path
from plait.fronts.charts.chart import SCHEMA
from plait.fronts.charts.functions import as_data
from plait.report.catalog import CHART_VALUES
from plait.schemas import BadSchema, Validator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.meter import Meter
    from plait.fronts.charts.values import Family
    from plait.schemas import SchemaError


def check_values(family: Family, values: Node, meter: Meter) -> None:
    """That the values of a chart and its subcharts fit their schemas. All errors come at once."""
    wrong = list(_wrong(family, values, (), meter))
    if wrong:
        secrets = {secret.text for secret in secrets_in(values)}
        raise Fault(*(diagnostic.masked(secrets) for diagnostic in wrong))


def _wrong(family: Family, values: Node, path: tuple[str, ...], meter: Meter) -> Iterator[Diagnostic]:
    folder = family.chart.folder
    if SCHEMA in family.chart.own:
        name = f"{folder.path}/{SCHEMA}"
        try:
            validator = Validator(json.loads(folder.source(SCHEMA).text), meter)
        except ImportError:
            return  # the extra is not installed: helm checks it when the chart is installed
        except (ValueError, BadSchema) as trouble:
            why = f"`{name}` cannot be used: {str(trouble).partition(chr(10))[0]}"
            yield CHART_VALUES(Label.at(folder.source(SCHEMA), 0), why=why)
            return
        for error in validator.errors(as_data(values, lambda node, _: node.value)):
            steps = tuple(error.instance_path)
            place = format_path((*path, *steps))
            why = f"`values:{place}`: {error.message}" if place else str(error.message)
            yield CHART_VALUES(*_labels(_nearest(values, steps), error), why=why, notes=(f"{name} asks for it",))
    for child in family.children:
        inner = entry(values, child.name)
        if inner is not None:
            yield from _wrong(child, inner, (*path, child.name), meter)


def _labels(node: Node, error: SchemaError) -> Iterator[Label]:
    """The place of a value that a schema refuses; those of the keys, where it does not have them."""
    keys = [key for key in error.unexpected if key in node.entries] if isinstance(node, MapNode) else []
    if not isinstance(node, MapNode) or not keys:
        return iter((Label(node.origin),))
    return (Label(node.key_origin(key), length=len(key)) for key in keys)


def _nearest(node: Node, steps: tuple[str | int, ...]) -> Node:
    """The node at a path, as far as it goes."""
    for step in steps:
        if isinstance(node, MapNode) and step in node.entries:
            node = node.entries[step]
        elif isinstance(node, ListNode) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
    return node
