"""The values of a chart: which layers they are merged from, lowest first.

1. the values.yaml of subcharts, each below the name of its chart; those of the chart itself lie above them
2. what `import-values` copies from a subchart to its parent, below the parent's own values.yaml
3. the files given with `-f`, in their order, and then what `--set` and its relatives say
4. `global`: what the parent has there, every subchart sees above its own

The files are merged with each other first. Then, chart by chart: a null removes what the chart's own values have there;
where they have nothing it stays.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import entry, items_of, word
from plait.core.node import MapNode, Node, Scalar, is_null
from plait.core.path import format_path
from plait.core.policy import MergePolicy
from plait.merging.combine import combine
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.sprig.versions import semver_compare
from plait.report.catalog import CHART_VALUES, NO_SUBCHART

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from plait.core.diagnostic import PlaitError
    from plait.core.meter import Meter
    from plait.core.node import Key
    from plait.fronts.charts.chart import Chart, Dependency

GLOBAL = "global"
POLICY = MergePolicy()


class Family:
    """A chart with the subcharts that are switched on, as helm renders it."""

    __slots__ = ("chart", "children", "defaults", "missing", "parent")

    def __init__(self, chart: Chart, parent: Family | None = None) -> None:
        self.chart = chart
        self.parent = parent
        self.children: list[Family] = []
        self.defaults: list[Node] = []
        """The layers of its own values, lowest first, without those of its subcharts."""
        self.missing: list[Dependency] = []
        """The subcharts that are not in `charts/`."""

    @property
    def name(self) -> str:
        return self.chart.name

    @property
    def path(self) -> str:
        """Where helm says that its templates are."""
        return self.name if self.parent is None else f"{self.parent.path}/charts/{self.name}"

    def missed(self, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Chart, Dependency]]:
        """Every subchart that is not there, in this chart and below: where its values are, and who needs it."""
        yield from (((*path, one.called), self.chart, one) for one in self.missing)
        for child in self.children:
            yield from child.missed((*path, child.name))

    def layers(self) -> Iterator[Node]:
        """The layers of all default values in this chart and below, lowest first."""
        for child in self.children:
            yield from (under((child.name,), layer) for layer in child.layers())
        yield from self.defaults


def under(path: tuple[str, ...], node: Node) -> Node:
    """A node below some keys."""
    for key in reversed(path):
        node = MapNode({key: node}, node.source, node.at, None, node.live)
    return node


SUBCHART = 500
"""Steps for one subchart: aliases can multiply them."""


def family(chart: Chart, given: list[Node], meter: Meter) -> Family:
    """A chart with its enabled subcharts, given the layers that the user adds."""
    made = _family(chart, None, [], given, (), meter)
    _import(made)
    return made


def _family(
    chart: Chart, parent: Family | None, above: list[Node], given: list[Node], path: tuple[str, ...], meter: Meter
) -> Family:
    """`above` are the layers of the parents' values for this chart, `given` those of the user, both from the root."""
    meter.step(SUBCHART * (len(chart.dependencies) + 1))
    made = Family(chart, parent)
    made.defaults = [chart.values] if chart.values is not None else []
    names = {child.name for child in chart.inner}
    made.missing = [declared for declared in chart.dependencies if declared.name not in names]
    candidates = list(_candidates(chart))
    below = [under((child.name,), child.values) for child in candidates if child.values is not None]
    values = merged([*(under(path, layer) for layer in (*below, *made.defaults)), *above, *given])
    own = [*(under(path, layer) for layer in made.defaults), *above]
    tags = _tags(chart, values)
    disabled = {one.called for one in chart.dependencies if not _is_enabled(one, values, path, tags)}
    made.children = [
        _family(child, made, own, given, (*path, child.name), meter)
        for child in candidates
        if child.name not in disabled
    ]
    return made


def _candidates(chart: Chart) -> Iterator[Chart]:
    """The subcharts: those that Chart.yaml does not name first, then those that it does, under their aliases. One whose
    version is not the one that Chart.yaml wants takes part as if it were not named."""
    for child in chart.inner:
        if not any(_fits(child, declared) for declared in chart.dependencies):
            yield child
    for declared in chart.dependencies:
        fitting = next((one for one in chart.inner if _fits(one, declared)), None)
        if fitting is not None:
            yield fitting.called(declared.called)


def _tags(chart: Chart, values: Node) -> Node:
    """What `tags` says for the subcharts of a chart: that of the whole installation, over the chart's own."""
    own, whole = entry(chart.values, "tags"), entry(values, "tags")
    return merged([one for one in (own, whole) if one is not None])


def check_whole(made: Family) -> None:
    """That every subchart that the chart names is there. As in helm, those that a subchart names may be missing."""
    for declared in made.missing:
        raise not_there(made.chart, declared)


def not_there(chart: Chart, declared: Dependency) -> PlaitError:
    """What is reported for a subchart that a chart names and does not have."""
    folder, hint = chart.folder.path, f"fetch it: helm dependency build {chart.folder.path}"
    label, version = Label(declared.node.origin), declared.version
    return NO_SUBCHART.error(label, name=declared.name, version=version, folder=f"{folder}/charts", hint=hint)


def _fits(chart: Chart, declared: Dependency) -> bool:
    if chart.name != declared.name:
        return False
    try:
        return not declared.version or semver_compare(declared.version, chart.version)
    except CallError:
        return False


def _is_enabled(declared: Dependency, values: Node, path: tuple[str, ...], tags: Node) -> bool:
    """What `tags` and `condition` say; the first condition that is true or false wins over tags."""
    said = [
        value.value
        for tag in declared.tags
        if isinstance(tags, MapNode) and isinstance(value := tags.entries.get(tag), Scalar)
    ]
    enabled = True in said or False not in said
    for condition in filter(None, declared.condition.strip().split(",")):
        value = entry(values, *path, *condition.split("."))
        if isinstance(value, Scalar) and value.value.__class__ is bool:
            return bool(value.value)
    return enabled


def _import(made: Family) -> None:
    """Copy what `import-values` names from the subcharts, those further down first."""
    for child in made.children:
        _import(child)
    wanted = [one for one in made.chart.dependencies if one.imports]
    if not wanted:
        return
    values = merged(list(made.layers()))
    enabled = {child.name for child in made.children}
    copies = [
        copy
        for declared in reversed(wanted)
        if declared.called in enabled
        for item in reversed(declared.imports)
        if (copy := _imported(values, declared.called, item)) is not None
    ]
    made.defaults = [*copies, *made.defaults]


def _imported(values: Node, name: str, item: Node) -> Node | None:
    """A layer for the parent: one part of the values of a subchart."""
    if isinstance(item, Scalar):
        child, parent = f"exports.{item.text}", "."
    else:
        child, parent = word(item, "child"), word(item, "parent")
    table = entry(values, name, *child.split("."))
    if not isinstance(table, MapNode):
        return None
    return table if parent in ("", ".") else under(tuple(parent.split(".")), table)


def computed(made: Family, given: list[Node]) -> Node:
    """The values that the templates of a chart see, with those of its subcharts below their names."""
    present = [layer for layer in given if isinstance(layer, MapNode)]
    over = combine(present, POLICY) if present else MapNode({})
    assert isinstance(over, MapNode)
    own = _own(made)
    for child in made.children:
        if child.name not in own.entries and is_null(over.entries.get(child.name)):
            raise _no_mapping(child, over.entries[child.name])
    layers = [layer for layer in (*made.layers(), *present) if isinstance(layer, MapNode)]
    values = _coalesced(made, over, _whole(made), keeps=False)
    return _ordered(values, combine(layers, POLICY)) if layers else values


def _ordered(node: Node, model: Node | None) -> Node:
    """A map with its keys in the order that a merge of all layers has."""
    if not isinstance(node, MapNode) or not isinstance(model, MapNode):
        return node
    keys = dict.fromkeys([*(key for key in model.entries if key in node.entries), *node.entries])
    entries = {key: _ordered(node.entries[key], model.entries.get(key)) for key in keys}
    return MapNode(entries, node.source, node.at, parts=node.parts)


def _no_mapping(child: Family, found: Node) -> PlaitError:
    why = f"`{format_path((child.name,))}` must be a mapping: a subchart has this name"
    return CHART_VALUES.error(Label(found.origin), why=why)


def _whole(made: Family) -> MapNode:
    """The default values of a chart: where it names subcharts, with theirs below their names, nulls and all."""
    own = _own(made)
    enabled = {child.name for child in made.children}
    if not any(one.called in enabled for one in made.chart.dependencies):
        return own
    return _coalesced(made, MapNode({}, own.source, own.at), own, keeps=True)


def _own(made: Family) -> MapNode:
    layers = [layer for layer in made.defaults if isinstance(layer, MapNode)]
    own = combine(layers, POLICY) if layers else MapNode({})
    assert isinstance(own, MapNode)
    return own


def _coalesced(made: Family, over: MapNode, own: MapNode, keeps: bool) -> MapNode:
    """Values over the defaults of their chart, and then, chart by chart, over those of its subcharts.

    A null goes, together with what it is over, unless it `keeps`.
    """
    entries = dict(_tables(over, own, keeps, {child.name for child in made.children}).entries)
    for child in made.children:
        inner = entries.get(child.name, MapNode({}, over.source, over.at))
        if not isinstance(inner, MapNode):
            raise _no_mapping(child, inner)
        inner = _with_globals(inner, entries.get(GLOBAL))
        entries[child.name] = _coalesced(child, inner, _whole(child), keeps)
    return MapNode(entries, over.source, over.at, parts=(own, over))


def _tables(high: MapNode, low: MapNode, keeps: bool, subcharts: Collection[Key] = ()) -> MapNode:
    """A map over another, key by key; a null goes, together with what it is over, unless it `keeps` or is in the values
    of one of the `subcharts`."""
    entries = dict(high.entries)
    for key, below in low.entries.items():
        above = entries.get(key)
        if above is None:
            entries[key] = below
        elif is_null(above) and not keeps:
            del entries[key]
        elif isinstance(above, MapNode) and isinstance(below, MapNode):
            entries[key] = _tables(above, below, keeps or key in subcharts)
    return MapNode(entries, high.source, high.at, parts=(low, high))


def _with_globals(inner: MapNode, shared: Node | None) -> MapNode:
    """The values of a subchart with `global` of its parent above its own, but for a single value over a map."""
    own = inner.entries.get(GLOBAL, MapNode({}, inner.source, inner.at))
    if not isinstance(own, MapNode) or not isinstance(shared, MapNode | None):
        return inner
    entries = dict(own.entries)
    parts: tuple[Node, ...] = (own,) if shared is None else (own, shared)
    for key, value in shared.entries.items() if shared is not None else ():
        mine = entries.get(key)
        if isinstance(value, MapNode) and isinstance(mine, MapNode):
            entries[key] = _tables(value, mine, keeps=True)
        elif mine is None or not (isinstance(value, MapNode) or isinstance(mine, MapNode)):
            entries[key] = value
        else:
            parts = ()  # it is no merge of them: the lower one stays
    made = MapNode(entries, own.source, own.at, parts=parts)
    return MapNode({**inner.entries, GLOBAL: made}, inner.source, inner.at, parts=inner.parts)


def shared_layers(made: Family, layers: Iterable[Node]) -> list[Node]:
    """What all `global` together are merged from, lowest first: those of subcharts are below those of their parents."""
    below = [layer for child in made.children for layer in _defaults(child)]
    return [node for layer in (*below, *layers) if (node := entry(layer, GLOBAL)) is not None]


def _defaults(made: Family) -> Iterator[Node]:
    """The default values of a chart and of those in it, the innermost first."""
    for child in made.children:
        yield from _defaults(child)
    yield from made.defaults


# Merging as helm does


def merged(layers: Collection[Node]) -> Node:
    """Layers merged, lowest first: maps deeply, everything else replaced. A null removes what is below it, unless a
    higher layer has a value there."""
    present = [layer for layer in layers if isinstance(layer, MapNode)]
    return without_nulls(combine(present, POLICY), present) if present else MapNode({})


def without_nulls(node: Node, layers: Collection[Node]) -> Node:
    """The merged tree without keys whose winner is null and which a lower layer has."""
    if not isinstance(node, MapNode):
        return node
    entries: dict[Key, Node] = {}
    changed = False
    for key, child in node.entries.items():
        below = [layer.entries[key] for layer in layers if isinstance(layer, MapNode) and key in layer.entries]
        if isinstance(child, Scalar) and child.value is None and len(below) > 1:
            changed = True
            continue
        made = without_nulls(child, below) if isinstance(child, MapNode) and len(below) > 1 else child
        changed = changed or made is not child
        entries[key] = made
    return MapNode(entries, node.source, node.at, node.tag, node.live, parts=node.parts) if changed else node


def named(node: Node | None, key: str) -> list[str]:
    """The texts of a field that is a list."""
    return [item.text for item in items_of(node, key) if isinstance(item, Scalar)]
