"""Values that a JSON Schema refuses, each with its line: `values.schema.json` of a chart, and schemas of resources."""

from __future__ import annotations

import json
import os

from plait.core.diagnostic import Label
from plait.core.node import ListNode, MapNode, Node, mask_of, plain_value, secrets_in
from plait.core.path import format_path
from plait.core.source import MASK, NOT_IN_COMMIT
from plait.fronts.revisions import folder_names, revision_source, split_revision
from plait.report.catalog import CHART_VALUES, NO_SCHEMA_CHECK
from plait.report.installing import how_to_install
from plait.schemas import BadSchema, Validator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.meter import Meter
    from plait.core.source import Source
    from plait.fronts.project import Project
    from plait.report.catalog import Code
    from plait.schemas import SchemaError

VALUES, SCHEMA = "values.yaml", "values.schema.json"


def refused(source: Source, values: Node, meter: Meter, path: tuple[str, ...] = ()) -> Iterator[Diagnostic]:
    """What a schema says against values that are at a path of a whole."""
    try:
        validator = Validator(json.loads(source.text), meter)
    except ImportError:
        yield NO_SCHEMA_CHECK(how=how_to_install("schema"))
        return
    except (ValueError, BadSchema) as trouble:
        yield unusable(source, trouble, CHART_VALUES)
        return
    yield from refusals(validator, source, values, CHART_VALUES, "values", path)


def unusable(source: Source, trouble: ValueError, code: Code) -> Diagnostic:
    """What is wrong with a schema itself."""
    return code(Label.at(source, 0), why=f"`{source.name}` cannot be used: {str(trouble).partition(chr(10))[0]}")


def refusals(
    validator: Validator, source: Source, values: Node, code: Code, name: str, path: tuple[str, ...] = ()
) -> Iterator[Diagnostic]:
    """What a validator says against values, with the name of the whole that they are at a path of."""
    for error in validator.errors(plain_value(values, reveal=True)):
        steps = tuple(error.instance_path)
        place = format_path((*path, *steps))
        why = f"`{name}:{place}`: {error.message}" if place else str(error.message)
        refused = _nearest(values, steps)
        found = code(*_labels(refused, error), why=why, notes=(f"{source.name} asks for it",))
        mask = mask_of(*(secret.secret for secret in secrets_in(refused)), source.is_withheld and NOT_IN_COMMIT)
        if not mask:
            yield found
            continue
        masked = mask if isinstance(mask, str) else MASK
        yield code(*found.labels, why=f"`{name}:{place}`: {masked}" if place else masked, notes=found.notes)


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
    return (_key_label(node, key) for key in keys)


def _key_label(node: MapNode, key: str) -> Label:
    """The place of a key; that of its value in a map that was made, and does not know where its keys are."""
    origin, value = node.key_origin(key), node.entries[key].origin
    knows = (origin.line, origin.column) != (value.line, value.column)
    return Label(origin, length=len(key)) if knows else Label(origin)


def _nearest(node: Node, steps: tuple[str | int, ...]) -> Node:
    """The node at a path, as far as it goes."""
    for step in steps:
        if isinstance(node, MapNode) and step in node.entries:
            node = node.entries[step]
        elif isinstance(node, ListNode) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
    return node
