"""Values that a JSON Schema refuses, each with its line: what helm does with `values.schema.json`."""

from __future__ import annotations

import json
import os

from plait.core.diagnostic import Label
from plait.core.node import ListNode, MapNode, Node, plain_value
from plait.core.path import format_path
from plait.fronts.revisions import folder_names, revision_source, split_revision
from plait.report.catalog import CHART_VALUES
from plait.schemas import BadSchema, Validator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.meter import Meter
    from plait.core.source import Source
    from plait.fronts.project import Project
    from plait.schemas import SchemaError

VALUES, SCHEMA = "values.yaml", "values.schema.json"


def refused(source: Source, values: Node, meter: Meter, path: tuple[str, ...] = ()) -> Iterator[Diagnostic]:
    """What a schema says against values that are at a path of a whole."""
    try:
        validator = Validator(json.loads(source.text), meter)
    except ImportError:
        return  # the extra is not installed: helm checks it when the chart is installed
    except (ValueError, BadSchema) as trouble:
        why = f"`{source.name}` cannot be used: {str(trouble).partition(chr(10))[0]}"
        yield CHART_VALUES(Label.at(source, 0), why=why)
        return
    for error in validator.errors(plain_value(values, reveal=True)):
        steps = tuple(error.instance_path)
        place = format_path((*path, *steps))
        why = f"`values:{place}`: {error.message}" if place else str(error.message)
        yield CHART_VALUES(*_labels(_nearest(values, steps), error), why=why, notes=(f"{source.name} asks for it",))


def schema_beside(project: Project, layer: str) -> Source | None:
    """The schema beside a chart's own values, on the disk or at their revision; None for any other layer."""
    revision, path = split_revision(project, layer)
    folder, name = os.path.split(path or layer)
    file = os.path.join(folder, SCHEMA)
    if name != VALUES:
        return None
    if revision:
        there = SCHEMA in folder_names(project, revision, folder)
        return revision_source(project, f"{revision}:{file}") if there else None
    return project.source(file) if project.door.is_file(file) else None


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
