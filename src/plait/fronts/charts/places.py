"""Where a field of a rendered resource could be set: the values that it is made from, in each file of values."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import Scalar
from plait.core.path import format_path
from plait.fronts.charts.chart import VALUES
from plait.fronts.charts.origins import field_origin
from plait.fronts.charts.rendering import ValueRead
from plait.fronts.editing import Editor, WrittenPlace, reach
from plait.yaml.files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.charts.installation import Installation
    from plait.fronts.charts.manifests import RenderedResource
    from plait.fronts.project import Project


def value_places(
    project: Project, made: Installation, manifest: RenderedResource, path: Path, files: list[str]
) -> Iterator[WrittenPlace]:
    """The place of every value that a field shows, in every file of values, the highest first."""
    assert manifest.node is not None
    node, known = reach(manifest.node, path)
    origin = field_origin(made, manifest, node) if known == len(path) else None
    reads = [one for one in origin.reads if isinstance(one, ValueRead)] if origin is not None else []
    for read in sorted(reads, key=lambda one: not _shows(node, one)):
        for name, about in _files(made, files):
            yield from _place(project, name, about, read.path, read.node)


def computed_value_places(project: Project, made: Installation, path: Path, files: list[str]) -> Iterator[WrittenPlace]:
    """The place of one of the chart's values, in every file of values, the highest first."""
    node, known = reach(made.values, path)
    for name, about in _files(made, files):
        yield from _place(project, name, about, path, node if known == len(path) else None)


def _shows(field: Node, read: ValueRead) -> bool:
    """Whether a field is nothing but a value."""
    return isinstance(field, Scalar) and field.text == read.node.text


def _files(made: Installation, files: list[str]) -> Iterator[tuple[str, str]]:
    """The files of values with what they are, the highest first."""
    for number, name in reversed(list(enumerate(files, 1))):
        yield name, f"values file {number} of {len(files)}" if len(files) > 1 else "the only values file"
    if VALUES in made.chart.own:
        yield f"{made.path}/{VALUES}", "the chart's own values"


def _place(project: Project, name: str, about: str, path: Path, decider: Node | None) -> Iterator[WrittenPlace]:
    editor = Editor(project)
    source = read_source(name, door=project.door)
    try:
        place = WrittenPlace(name, name, source, about, path, editor.documents(source, 0), 0)
    except Fault:
        return
    place.value = format_path(path)
    if place.written is not None and decider is not None:
        place.decides = (decider.origin.file, decider.origin.line) == (name, place.line)
    yield place
