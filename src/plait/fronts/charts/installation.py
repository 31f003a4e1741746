"""One installation of a chart: with which values it is rendered, under which name, and what comes out."""

from __future__ import annotations

from functools import cached_property

from plait.core.diagnostic import Fault, Label
from plait.core.find import word
from plait.core.glob import Glob, GlobError
from plait.core.node import Mapping
from plait.core.source import Origin, Source
from plait.fronts.charts.chart import ChartReader, reading
from plait.fronts.charts.manifests import RenderedResource, in_order, split
from plait.fronts.charts.objects import Release, capabilities
from plait.fronts.charts.rendering import NO_VALUE, ChartRendering, members
from plait.fronts.charts.schema import check_values
from plait.fronts.charts.values import check_whole, computed, family
from plait.fronts.inline import UNFILLED, with_unknown
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.sprig.versions import semver_compare
from plait.report.catalog import BAD_OPTION, CHART_MANIFEST, CHART_VALUES
from plait.report.near import did_you_mean
from plait.yaml.build import build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.node import Node
    from plait.fronts.charts.chart import Chart
    from plait.fronts.charts.objects import GoStruct
    from plait.fronts.charts.rendering import ChartTemplate
    from plait.fronts.charts.values import Family
    from plait.fronts.project import Project
    from plait.notations.gotemplate.host import Host
    from plait.notations.gotemplate.ropes import WrittenPiece

NOTES = "NOTES.txt"


class ReleaseOptions:
    """What helm's flags say of an installation."""

    __slots__ = (
        "api_versions", "include_crds", "is_upgrade", "kube_version", "namespace", "no_hooks", "release", "show_only",
        "skip_tests",
    )  # fmt: skip

    def __init__(
        self,
        release: str = "",
        namespace: str = "default",
        kube_version: str = "",
        api_versions: Iterable[str] = (),
        include_crds: bool = False,
        skip_tests: bool = False,
        no_hooks: bool = False,
        is_upgrade: bool = False,
        show_only: Iterable[str] = (),
    ) -> None:
        self.release = release
        self.namespace = namespace
        self.kube_version = kube_version
        self.api_versions = tuple(api_versions)
        self.include_crds = include_crds
        self.skip_tests = skip_tests
        self.no_hooks = no_hooks
        self.is_upgrade = is_upgrade
        self.show_only = tuple(show_only)
        """Templates, by their paths from the folder of the chart or of a subchart in it; all where there are none."""


class Installation:
    """A chart with the layers of values that the user adds. Everything is worked out when it is asked for, once."""

    def __init__(
        self,
        project: Project,
        path: str,
        given: list[Node],
        options: ReleaseOptions | None = None,
        host: Host | None = None,
        partly: bool = False,
    ) -> None:
        """`partly`: subcharts that are not there may be left out."""
        self.project = project
        self._partly = partly
        self._host = host
        """What templates ask for time and chance; the process itself where None."""
        self.path = path
        self.given = given
        """The layers above the chart's own values, lowest first."""
        self.options = options or ReleaseOptions()

    @cached_property
    def chart(self) -> Chart:
        return ChartReader(self.project).chart(self.path)

    @cached_property
    def family(self) -> Family:
        return family(self.chart, self.given)

    @cached_property
    def values(self) -> Node:
        """The values that templates see."""
        values = computed(self.family, self.given)
        check_values(self.family, values, self.project.meter)
        return values

    @cached_property
    def layers(self) -> list[Node]:
        """What the values are merged from, lowest first."""
        return [*self.family.layers(), *self.given]

    def _release(self) -> Release:
        options = self.options
        return Release(options.release or self.chart.name, options.namespace, options.is_upgrade)

    def _capabilities(self) -> GoStruct:
        try:
            found = capabilities(self.options.kube_version, self.options.api_versions)
        except CallError:
            why = f"invalid version of Kubernetes: `{self.options.kube_version}`"
            raise BAD_OPTION.error(why=why, hint="write --kube-version 1.32") from None
        wanted = word(self.chart.metadata, "kubeVersion")
        version = found.fields["KubeVersion"].text
        if wanted and not _fits(wanted, version):
            node = self.chart.metadata.entries["kubeVersion"]
            why = f"the chart needs Kubernetes {wanted} and is rendered for {version}"
            raise CHART_VALUES.error(Label(node.origin), why=why, hint="--kube-version chooses another one")
        return found

    def _members(self, traced: bool = False) -> list[ChartTemplate]:
        return members(self.family, self.values, self._release(), self._capabilities(), traced)

    @cached_property
    def manifests(self) -> list[RenderedResource]:
        """The resources in the order in which helm installs them, hooks after them."""
        if not self._partly:
            check_whole(self.family)
        templates = self._members()
        self.project.meter.feed(sum(len(one.source.text) for one in templates))  # read once, rendered for each target
        rendering = ChartRendering(templates, self.project.meter, self._host)
        rendered = sorted(rendering.texts(), key=lambda pair: pair[0].name)
        wrong = [*rendering.wrong]
        found: list[RenderedResource] = []
        for one, source in rendered:
            try:
                found += self._in(one.name, source) if not one.name.endswith(NOTES) else ()
            except Fault as error:
                wrong += error.diagnostics
        if wrong:
            raise Fault(*dict.fromkeys(wrong))
        kept = [one for one in in_order(found) if not self._is_left_out(one)]
        return self._shown([*self._definitions(), *kept])

    def _shown(self, manifests: list[RenderedResource]) -> list[RenderedResource]:
        """Those of the templates that the user wants to see; a template that renders nothing is a mistake of theirs."""
        shown: list[RenderedResource] = []
        for pattern in self.options.show_only:
            glob = _template_glob(pattern)
            found = [one for one in manifests if glob.matches(one.written_by.partition("/")[2])]
            if not found:
                names = sorted({one.written_by.partition("/")[2] for one in manifests})
                why = f"no template `{pattern}` renders a resource"
                raise BAD_OPTION.error(why=why, hint=did_you_mean(pattern, names) or f"available: {', '.join(names)}")
            shown += [one for one in found if one not in shown]
        return shown if self.options.show_only else manifests

    def _is_left_out(self, manifest: RenderedResource) -> bool:
        if manifest.is_hook and self.options.no_hooks:
            return True
        return manifest.is_test and self.options.skip_tests

    def _definitions(self) -> Iterator[RenderedResource]:
        """The custom resource definitions, which are no templates."""
        if self.options.include_crds:
            yield from self._definitions_of(self.family)

    def _definitions_of(self, one: Family) -> Iterator[RenderedResource]:
        chart = one.chart
        for name in chart.files:
            if name.startswith("crds/") and name.lower().endswith((".yaml", ".yml", ".json")):
                yield from self._in(f"{one.path}/{name}", chart.folder.source(name))
        for child in one.children:
            yield from self._definitions_of(child)

    def _in(self, name: str, source: Source) -> Iterator[RenderedResource]:
        """The documents of a rendered text."""
        for piece in split(source.text):
            row = source.text.count("\n", 0, piece.at)
            rows = source.line_map or range(source.text.count("\n") + 1)
            text = f"{piece.text}\n"  # as helm prints it: a block of text at the end has a last line
            part = Source(source.name, text, written=source.written or source, line_map=rows[row:])
            yield RenderedResource(name, piece.text, piece.at, self._document(part))

    def _document(self, source: Source) -> Node | None:
        """The document of a text; None where it has only comments."""
        try:
            programs = self.project.parsed(source)
            node = build(programs[0], source, reading()) if programs else None
        except Fault as error:
            why = error.diagnostics[0].message.removeprefix("invalid YAML: ")
            raise CHART_MANIFEST.error(*error.diagnostics[0].labels, name=source.name, why=why) from None
        if not isinstance(node, Mapping) or not node.entries:
            return None
        return with_unknown(node) if UNFILLED in source.text else node

    @cached_property
    def sources(self) -> dict[str, Source]:
        """The texts of all templates, by what helm calls them."""
        return {one.name: one.source for one in self._members()}

    @cached_property
    def pieces(self) -> dict[str, list[WrittenPiece]]:
        """What each template wrote, in pieces that know where they come from."""
        return {name: [piece for piece in written if piece.text != NO_VALUE] for name, written in self._traced.items()}

    @cached_property
    def _traced(self) -> dict[str, list[WrittenPiece]]:
        rendering = ChartRendering(self._members(traced=True), self.project.meter)
        return {one.name: written for one, written in rendering.pieces()}

    def holes(self) -> Iterator[Origin]:
        """The places of templates that wrote nothing because nothing sets what they read."""
        pieces = [piece for written in self._traced.values() for piece in written if piece.text == NO_VALUE]
        yield from {(piece.program.name, piece.at): self.place(piece) for piece in pieces}.values()

    def place(self, piece: WrittenPiece) -> Origin:
        """The place of a template that wrote a piece."""
        return Origin(self.sources[piece.program.name], piece.at)


def _template_glob(pattern: str) -> Glob:
    try:
        return Glob(pattern)
    except GlobError as trouble:
        raise BAD_OPTION.error(why=f"cannot read the pattern `{pattern}`: {trouble}") from None


def _fits(constraint: str, version: str) -> bool:
    try:
        return semver_compare(constraint, version)
    except CallError:
        return False
