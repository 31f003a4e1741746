"""Templates to text: all files of a chart and its subcharts, in one set, as helm renders them."""

from __future__ import annotations

from plait.fronts.charts.functions import TABLE, as_data
from plait.fronts.charts.objects import Files, chart_fields
from plait.notations.gotemplate.host import Host
from plait.notations.gotemplate.sets import TemplateSet
from plait.notations.gotemplate.template import Cache
from plait.notations.gotemplate.values import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from plait.core.meter import Meter
    from plait.core.node import Node
    from plait.core.source import Source
    from plait.fronts.charts.objects import Fields, Release
    from plait.fronts.charts.values import Family
    from plait.notations.gotemplate.sets import SetMember

PARSED = Cache()
"""Templates by text: the charts of many targets share theirs."""


class Member:
    """One template file of a chart: what helm calls it, its text, and what it sees."""

    __slots__ = ("base", "name", "root", "source")

    def __init__(self, name: str, source: Source, base: str, root: dict[str, Any]) -> None:
        self.name = name
        self.source = source
        self.base = base
        self.root = root


def members(family: Family, values: Node, release: Release, capabilities: Fields) -> Iterator[Member]:
    """The template files of a chart and its subcharts, each with the data it is rendered with."""
    yield from _members(family, as_data(values), release.fields(), capabilities)[1]


def _members(
    family: Family, values: dict[str, Any], release: dict[str, Any], capabilities: Fields
) -> tuple[dict[str, Any], list[Member]]:
    chart = family.chart
    subcharts: dict[str, Any] = {}
    root = {
        "Chart": chart_fields(chart, family.parent is None),
        "Files": Files(chart.files, chart.folder.bytes),
        "Release": release,
        "Capabilities": capabilities,
        "Values": values,
        "Subcharts": subcharts,
    }
    made: list[Member] = []
    for child in family.children:
        inner = values.get(child.name)
        subcharts[child.name], below = _members(child, inner if inner is not None else {}, release, capabilities)
        made += below
    base = f"{family.path}/templates"
    made += [
        Member(f"{family.path}/{name}", source, base, root)
        for name, source in chart.templates.items()
        if not chart.is_library or name.rpartition("/")[2].startswith("_")
    ]
    return root, made


class Rendering:
    """One rendering of a chart: the texts that its templates write, by the names that helm gives them."""

    __slots__ = ("_host", "_meter", "_set", "members")

    def __init__(self, files: list[Member], meter: Meter, host: Host | None = None) -> None:
        self._meter = meter
        self._host = host or Host(("random",))
        self._host.meter = meter
        self._set = TemplateSet(TABLE)
        self.members = {one.name: one for one in sorted(files, key=_order, reverse=True)}

    def texts(self) -> Iterator[tuple[Member, str]]:
        """What each template writes; those whose names begin with `_` only define others."""
        parsed: dict[str, SetMember] = {}
        for one in self.members.values():
            parsed[one.name] = self._set.add(PARSED.parse(one.source.text, TABLE, one.name))
        for one in self.members.values():
            if not one.name.rpartition("/")[2].startswith("_"):
                yield one, self._text(one, parsed[one.name])

    def _text(self, one: Member, template: SetMember) -> str:
        one.root["Template"] = {"Name": one.name, "BasePath": one.base}
        return template.render(one.root, self._host, self._meter, Reader()).replace("<no value>", "")


def _order(one: Member) -> tuple[int, str]:
    """Deeper files are parsed first, so that a parent's definitions replace those of its subcharts."""
    return one.name.count("/"), one.name
