"""The error of a template of a chart: its line, the lines that led there, and the values that it failed with."""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label
from plait.core.node import ListNode, MapNode, Scalar, mask_of
from plait.core.path import format_path
from plait.core.source import MASK, NOT_IN_COMMIT, Origin, Source
from plait.fronts.charts.rendering import ValueRead, secrecy
from plait.fronts.front import at
from plait.notations.gotemplate import tree
from plait.report.catalog import TEMPLATE_FAILED
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.charts.rendering import ChartTemplate
    from plait.notations.gotemplate.errors import TemplateFault

    Container = tuple[Any, Path]
    """A list or map that templates see, and where it is in the values."""

VALUES = "values"
MOST_VALUES = 5
"""How many values an error names."""
LONGEST = 60
"""How much of a value an error shows."""


def explained(found: Diagnostic, error: TemplateFault, files: list[ChartTemplate], values: Node) -> Diagnostic:
    """The error of a template with the values involved; without anything of them where one is a secret, or where the
    template itself may not be shown."""
    withheld = [NOT_IN_COMMIT for label in found.labels if label.origin.source.is_withheld]
    mask = mask_of(*map(secrecy, error.reads), *withheld)
    if mask:
        what = mask if isinstance(mask, str) else f"a sensitive value: {MASK}"
        return TEMPLATE_FAILED(*found.labels, why=f"it failed with {what}")
    return FailedTemplate(error, files, values).told(found)


class FailedTemplate:
    """What is known of a template that failed, and of the values that it was given."""

    def __init__(self, error: TemplateFault, files: list[ChartTemplate], values: Node) -> None:
        self._error = error
        self._place = error.circumstances
        self._values = values
        self._containers = {id(data): (data, path) for data, path in _containers(files, values)}

    def told(self, found: Diagnostic) -> Diagnostic:
        values: dict[Path, Node] = {one.path: one.node for one in self._error.reads if isinstance(one, ValueRead)}
        absent: list[Path] = []
        if self._place is not None:
            for path, node in self._looked_at():
                if node is None:
                    absent.append(path)
                else:
                    values.setdefault(path, node)
        shown = sorted(values.items(), key=lambda row: format_path(row[0]))[:MOST_VALUES]
        labels = [Label(node.origin, f"`{_name(path)}` {_said(node)}") for path, node in shown]
        notes = [f"nothing sets `{_name(path)}`" for path in dict.fromkeys(absent)]
        hint = found.hint or next(filter(None, map(self._near, absent)), "")
        places = (*self._text_place(found.labels), *labels)
        return Diagnostic(found.code, found.message, places, (*found.notes, *notes), hint)

    def _near(self, path: Path) -> str:
        parent = at(self._values, path[:-1])
        return did_you_mean(str(path[-1]), parent.entries) if isinstance(parent, MapNode) else ""

    def _text_place(self, labels: tuple[Label, ...]) -> tuple[Label, ...]:
        """The places of the error; an action of a text that is rendered as a template is in the file of values."""
        program = self._place.program if self._place is not None else None
        written = in_values(program, self._error.at) if program is not None and program.made_of else None
        return labels if written is None else (Label(written), *labels)

    def _looked_at(self) -> Iterator[tuple[Path, Node | None]]:
        """The lists and maps that it failed with, and the values that it did not find."""
        for value in self._place.about:
            yield from self._known(value)
        for path in self._named():
            node = at(self._values, path)
            if not isinstance(node, Scalar) or node.value is None:
                yield path, node
        if self._place.absent is not None:
            mapping, key = self._place.absent
            for path, _ in self._known(mapping):
                yield (*path, key), None

    def _known(self, value: Any) -> Iterator[tuple[Path, Node]]:
        known = self._containers.get(id(value))
        node = at(self._values, known[1]) if known is not None else None
        if known is not None and known[0] is value and node is not None:
            yield known[1], node

    def _named(self) -> Iterator[Path]:
        """The values that the action names from the root: as far as they are there."""
        root = self._place.root
        top = root.get("Values") if isinstance(root, dict) else None
        for path, _ in self._known(top):
            for names in _value_names(self._place.node):
                yield (*path, *names[: _found(top, names) + 1])


def _value_names(node: tree.TemplateNode) -> Iterator[tuple[str, ...]]:
    for word in node.walk():
        if isinstance(word, tree.Field) and word.names[0] == "Values" and len(word.names) > 1:
            yield word.names[1:]
        elif isinstance(word, tree.Variable) and word.names[:2] == ("$", "Values") and len(word.names) > 2:
            yield word.names[2:]


def _found(data: Any, names: tuple[str, ...]) -> int:
    """How many names lead to something."""
    for number, name in enumerate(names):
        if not isinstance(data, dict):
            return number - 1
        data = data.get(name)
        if data is None:
            return number
    return len(names)


def _containers(files: Iterable[ChartTemplate], values: Node) -> Iterator[Container]:
    """The lists and maps of the values, as the templates of a chart and its subcharts see them."""
    for one in {id(file.root): file for file in files}.values():
        path = tuple(part.partition("/")[0] for part in one.base.split("/charts/")[1:])
        node = at(values, path)
        if node is not None:
            yield from _inside(one.root["Values"], node, path)


def _inside(data: Any, node: Node, path: Path) -> Iterator[Container]:
    todo = [(data, node, path)]
    while todo:
        one, seen, place = todo.pop()
        if isinstance(one, dict) and isinstance(seen, MapNode):
            yield one, place
            todo += [(one[key], child, (*place, key)) for key, child in seen.entries.items() if key in one]
        elif isinstance(one, list) and isinstance(seen, ListNode):
            yield one, place
            pairs = zip(one, seen.items, strict=False)
            todo += [(part, child, (*place, step)) for step, (part, child) in enumerate(pairs)]


def _name(path: Path) -> str:
    return format_path((VALUES, *path))


def _said(node: Node) -> str:
    if isinstance(node, MapNode):
        return "is a map" if node.entries else "is an empty map"
    if isinstance(node, ListNode):
        count = len(node.items)
        return f"is a list of {count} item{'s' if count != 1 else ''}"
    if isinstance(node, Scalar) and node.value is None:
        return "is null"
    text = node.text.strip().partition("\n")[0] if isinstance(node, Scalar) else ""
    whole = isinstance(node, Scalar) and len(text) <= LONGEST and text == node.text
    return f"is `{text}`" if whole else f"begins with `{text[:LONGEST]}`"


def in_values(program: Any, offset: int) -> Origin | None:
    """The place, in a file of values, of an action in a text that is rendered as a template."""
    for read in program.made_of:
        if isinstance(read, ValueRead) and read.node.text == program.text and isinstance(read.node.source, Source):
            return _in_block(read.node, read.node.source, program.text, offset)
    return None


def _in_block(node: Scalar, source: Source, text: str, offset: int) -> Origin:
    """The place of a character of a text that is written as a block of lines, else where the text begins."""
    lines = source.text[node.at :].split("\n")
    row = text.count("\n", 0, offset)
    line = text.split("\n")[row]
    if not lines[0].startswith("|") or row + 1 >= len(lines) or not lines[row + 1].endswith(line):
        return Origin(source, node.at)
    start = node.at + sum(len(one) + 1 for one in lines[: row + 1]) + len(lines[row + 1]) - len(line)
    return Origin(source, start + offset - (text.rfind("\n", 0, offset) + 1))
