"""Templates to text: all files of a chart and its subcharts, in one set, as helm renders them."""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Diagnostic, Fault, Label, for_each
from plait.core.node import Scalar
from plait.core.path import format_path
from plait.core.source import Source
from plait.fronts.charts.chart_functions import TABLE, as_data, scalar_value
from plait.fronts.charts.objects import FIELD_NAMES, Files, chart_fields
from plait.notations.gotemplate.errors import TemplateFault
from plait.notations.gotemplate.host import Host
from plait.notations.gotemplate.ropes import TracingReader
from plait.notations.gotemplate.sets import TemplateSet
from plait.notations.gotemplate.template import Cache
from plait.notations.gotemplate.tracing import TracingCompiler, traced_text
from plait.notations.gotemplate.values import Reader, Traced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from plait.core.meter import Meter
    from plait.core.node import Node
    from plait.fronts.charts.chart import Chart
    from plait.fronts.charts.objects import GoStruct, Release
    from plait.fronts.charts.values import Family
    from plait.notations.gotemplate.compile import Compiler
    from plait.notations.gotemplate.ropes import WrittenPiece
    from plait.notations.gotemplate.sets import SetMember
    from plait.notations.gotemplate.template import Template

NO_VALUE = "<no value>"
"""What Go prints for a value that is not there; helm prints nothing."""
PARSED = Cache()
"""Templates by text: the charts of many targets share theirs."""


class ChartTemplate:
    """One template file of a chart: what helm calls it, its text, and what it sees."""

    __slots__ = ("base", "name", "root", "source")

    def __init__(self, name: str, source: Source, base: str, root: dict[str, Any]) -> None:
        self.name = name
        self.source = source
        self.base = base
        self.root = root


def members(
    family: Family, values: Node, release: Release, capabilities: GoStruct, trail: ChartTrail | None = None
) -> list[ChartTemplate]:
    """The template files of a chart and its subcharts, each with the data it is rendered with. Where there is a trail,
    every value knows its node."""
    data = as_data(values, traced_leaf if trail is not None else None)
    return _members(family, data, release.fields(), capabilities, trail)[1]


class ChartTrail:
    """What a rendering that remembers writes down: what is being read, files with secrets among it."""

    __slots__ = ("_secrecy", "reader")

    def __init__(self, secrecy: Callable[[Chart, str], bool | str] | None = None) -> None:
        """`secrecy` says of a file what `Scalar.secret` says of a value; where it is given, no secret may get lost."""
        self._secrecy = secrecy
        self.reader = TracingReader(careful=secrecy is not None)

    def bytes(self, chart: Chart, name: str) -> bytes:
        """What a file of a chart holds, for `.Files`."""
        secret = self._secrecy(chart, name) if self._secrecy is not None else False
        if secret:
            self.reader.reads.add(FileRead(name, secret))
        return chart.folder.bytes(name)


class FileRead:
    """A file of the chart that a template read, and that is secret: see `Scalar.secret`."""

    __slots__ = ("name", "secret")

    def __init__(self, name: str, secret: bool | str) -> None:
        self.name = name
        self.secret = secret


class ValueRead:
    """A value of the chart that a template read."""

    __slots__ = ("node", "path")

    def __init__(self, node: Scalar, path: tuple[str | int, ...]) -> None:
        self.node = node
        self.path = path

    def __repr__(self) -> str:
        return f"ValueRead({format_path(self.path)})"


class ChartRead:
    """A field of Chart.yaml that a template read."""

    __slots__ = ("key", "node")

    def __init__(self, key: str, node: Node) -> None:
        self.key = key
        self.node = node

    def __repr__(self) -> str:
        return f"ChartRead({self.key})"


def traced_leaf(node: Scalar, path: tuple[str | int, ...]) -> Any:
    """A value with its node; null has none, because it is no value to templates."""
    value = scalar_value(node)
    return value if value is None else Traced(value, frozenset((ValueRead(node, path),)))


def _traced_chart(chart: Chart, fields: GoStruct) -> GoStruct:
    """`.Chart` with the nodes of its fields."""
    for key, node in chart.metadata.entries.items():
        name = FIELD_NAMES.get(str(key))
        value = fields.values.get(name) if name is not None else None
        if name is not None and isinstance(value, str) and (name != "Name" or chart.name == value):
            fields.values[name] = Traced(value, frozenset((ChartRead(str(key), node),)))
    return fields


def _members(
    family: Family, values: dict[str, Any], release: dict[str, Any], capabilities: GoStruct, trail: ChartTrail | None
) -> tuple[dict[str, Any], list[ChartTemplate]]:
    chart = family.chart
    subcharts: dict[str, Any] = {}
    fields = chart_fields(chart, family.parent is None)
    root = {
        "Chart": _traced_chart(chart, fields) if trail is not None else fields,
        "Files": Files(chart.files, partial(trail.bytes, chart) if trail is not None else chart.folder.bytes),
        "Release": release,
        "Capabilities": capabilities,
        "Values": values,
        "Subcharts": subcharts,
    }
    made: list[ChartTemplate] = []
    for child in family.children:
        inner = values.get(child.name)
        inner = inner if inner is not None else {}
        subcharts[child.name], below = _members(child, inner, release, capabilities, trail)
        made += below
    base = f"{family.path}/templates"
    made += [
        ChartTemplate(f"{family.path}/{name}", source, base, root)
        for name, source in chart.templates.items()
        if not chart.is_library or name.rpartition("/")[2].startswith("_")
    ]
    return root, made


ALLOWED = frozenset(("random",))
"""What the templates of a chart may ask for."""


class ChartRendering:
    """One rendering of a chart: the texts that its templates write, by the names that helm gives them."""

    __slots__ = ("_host", "_meter", "_set", "failed", "members", "wrong")

    def __init__(self, files: list[ChartTemplate], meter: Meter, host: Host | None = None) -> None:
        self._meter = meter
        self._host = host or Host(ALLOWED)
        self._host.meter = meter
        self._set = TemplateSet(TABLE)
        self.members = {one.name: one for one in sorted(files, key=_order, reverse=True)}
        self.wrong: list[Diagnostic] = []
        """The errors of templates that failed."""
        self.failed: list[tuple[Diagnostic, TemplateFault]] = []
        """The same in a rendering that remembers, with all that is known of them."""

    def texts(self) -> Iterator[tuple[ChartTemplate, Source]]:
        """What each template writes, with the line that wrote each line; those whose names begin with `_` only define
        others. A template that fails writes nothing: see `wrong`."""
        for one, template in self._parsed():
            try:
                made = template.render(one.root, self._host, self._meter, Reader())
            except TemplateFault as error:
                self.wrong.append(self._placed(error))
                continue
            text = made.text.replace(NO_VALUE, "")
            yield one, Source(one.source.name, text, written=one.source, line_map=made.line_map)

    def _template(self, one: ChartTemplate, compiler: type[Compiler] | None) -> Template:
        try:
            return PARSED.parse(one.source.text, TABLE, one.name, compiler=compiler)
        except TemplateFault as error:
            raise Fault(self._placed(error)) from None

    def _placed(self, error: TemplateFault) -> Diagnostic:
        """An error at its line of the template, with the lines that led there."""
        found = error.diagnostics[0]
        places = [(error.name, error.text, error.at, len(error.culprit)), *((*one, 0) for one in error.callers)]
        distinct = {(name, at): (name, text, at, length) for name, text, at, length in reversed(places)}
        labels = [
            Label.at(self.members[name].source, at, "" if not number else "called here", length)
            for number, (name, text, at, length) in enumerate(reversed([*distinct.values()]))
            if text == self.members[name].source.text
        ]
        return Diagnostic(found.code, found.message, tuple(labels), found.notes, found.hint)

    def pieces(self, trail: ChartTrail) -> Iterator[tuple[ChartTemplate, list[WrittenPiece]]]:
        """The same in pieces, each with what wrote it; the data must be of the same trail."""
        for one, template in self._parsed(TracingCompiler):
            try:
                written = traced_text(template, one.root, self._host, self._meter, trail.reader)
            except TemplateFault as error:
                self.failed.append((self._placed(error), error))
                continue
            yield one, written

    def _parsed(self, compiler: type[Compiler] | None = None) -> Iterator[tuple[ChartTemplate, SetMember]]:
        """The templates that write something, in the order that helm renders them."""
        parsed = for_each(lambda one: (one, self._set.add(self._template(one, compiler))), self.members.values())
        for one, template in parsed:
            if not one.name.rpartition("/")[2].startswith("_"):
                one.root["Template"] = {"Name": one.name, "BasePath": one.base}
                yield one, template


def secrecy(read: object) -> bool | str:
    """What `Scalar.secret` is of what a template read."""
    if isinstance(read, FileRead):
        return read.secret
    node = read.node if isinstance(read, ValueRead | ChartRead) else None
    return node.secret if isinstance(node, Scalar) else False


def _order(one: ChartTemplate) -> tuple[int, str]:
    """Deeper files are parsed first, so that a parent's definitions replace those of its subcharts."""
    return one.name.count("/"), one.name
