"""One installation of a chart: with which values it is rendered, under which name, and what comes out."""

from __future__ import annotations

from functools import cached_property

from plait.access.sinks import REPORT
from plait.core.diagnostic import Fault, Label
from plait.core.find import word
from plait.core.glob import Glob, GlobError
from plait.core.node import MapNode
from plait.core.source import DATA_ENDINGS, LinesFrom, Origin, Source
from plait.fronts.charts.chart import ChartReader, reading
from plait.fronts.charts.failures import explained
from plait.fronts.charts.manifests import RenderedResource, in_order, split
from plait.fronts.charts.objects import Release, capabilities
from plait.fronts.charts.rendering import NO_VALUE, ChartRendering, ChartTrail, members, secrecy
from plait.fronts.charts.schema import check_values
from plait.fronts.charts.secrets import ChartSecrets, SecretParts
from plait.fronts.charts.values import check_whole, computed, family
from plait.fronts.inline import UNFILLED, with_unknown
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.sprig.versions import semver_compare
from plait.report.catalog import BAD_CHART, BAD_OPTION, CHART_MANIFEST, CHART_VALUES
from plait.report.near import did_you_mean
from plait.yaml.build import build
from plait.yaml.files import check_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.meter import Meter
    from plait.core.node import Node
    from plait.fronts.charts.chart import Chart
    from plait.fronts.charts.objects import GoStruct
    from plait.fronts.charts.rendering import ChartTemplate
    from plait.fronts.charts.values import Family
    from plait.fronts.project import Project
    from plait.notations.gotemplate.host import Host
    from plait.notations.gotemplate.ropes import CallSite, WrittenPiece

NOTES = "NOTES.txt"
HAS_SECRETS = "its text is not shown, because it is made of sensitive values"


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
        return family(self.chart, self.given, self.project.meter)

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
        version = found.values["KubeVersion"].go_string()
        if wanted and not _fits(wanted, version):
            node = self.chart.metadata.entries["kubeVersion"]
            why = f"the chart needs Kubernetes {wanted} and is rendered for {version}"
            raise CHART_VALUES.error(Label(node.origin), why=why, hint="--kube-version chooses another one")
        return found

    def _members(self, trail: ChartTrail | None = None) -> list[ChartTemplate]:
        return members(self.family, self.values, self._release(), self._capabilities(), trail)

    @cached_property
    def secrets(self) -> ChartSecrets:
        return ChartSecrets(self.family, self.values, self.project.guard.sink == REPORT)

    def _rendered(self) -> tuple[list[tuple[ChartTemplate, Source]], list[Diagnostic]]:
        """What the templates write, and the errors of those that failed."""
        templates = self._members()
        self.project.meter.feed(sum(len(one.source.text) for one in templates))  # read once, rendered for each target
        if not self.secrets:
            rendering = ChartRendering(templates, self.project.meter, self._host)
            texts = [*rendering.texts()]
            return texts, rendering.wrong and (self._traced.wrong or rendering.wrong)  # traced, they name values
        traced = self._traced
        return [(one, traced.text(one)) for one in templates if one.name in traced.written], traced.wrong

    @cached_property
    def manifests(self) -> list[RenderedResource]:
        """The resources in the order in which helm installs them, hooks after them."""
        if not self._partly:
            check_whole(self.family)
        if self.chart.is_library:
            place = Label(self.chart.metadata.entries["type"].origin)
            why = "a library has definitions for other charts, and nothing to install"
            raise BAD_CHART.error(place, name=self.path, why=why, hint="render a chart that depends on it")
        rendered, wrong = self._rendered()
        rendered.sort(key=lambda pair: pair[0].name)
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
            if name.startswith("crds/") and name.lower().endswith(DATA_ENDINGS):
                yield from self._in(f"{one.path}/{name}", chart.folder.source(name))
        for child in one.children:
            yield from self._definitions_of(child)

    def _in(self, name: str, source: Source) -> Iterator[RenderedResource]:
        """The documents of a rendered text."""
        for piece in split(source.text):
            row = source.text.count("\n", 0, piece.at)
            lines = source.line_map if source.written is not None else range(source.text.count("\n") + 1)
            text = f"{piece.text}\n"  # as helm prints it: a block of text at the end has a last line
            part = Source(source.name, text, written=source.written or source, line_map=LinesFrom(lines, row))
            part.loose = True
            yield RenderedResource(name, piece.text, piece.at, self._document(part, name, piece.at))

    def _document(self, source: Source, name: str, at: int) -> Node | None:
        """The document of a text, which begins at a place of what a template wrote; None where it has only comments."""
        secret = self._traced.secret_parts(name) if self.secrets and name in self._traced.written else None
        try:
            check_characters(source)
            programs = self.project.parsed(source)
            node = build(programs[0], source, reading()) if programs else None
        except Fault as error:
            why = error.diagnostics[0].message.removeprefix("invalid YAML: ") if not secret else HAS_SECRETS
            raise CHART_MANIFEST.error(*error.diagnostics[0].labels, name=source.name, why=why) from None
        if not isinstance(node, MapNode) or not node.entries:
            return None
        node = with_unknown(node) if UNFILLED in source.text else node
        return secret.concealed(node, source, at) if secret else node

    @cached_property
    def sources(self) -> dict[str, Source]:
        """The texts of all templates, by what helm calls them."""
        return {one.name: one.source for one in self._members()}

    @cached_property
    def pieces(self) -> dict[str, list[WrittenPiece]]:
        """What each template wrote, in pieces that know where they come from."""
        return self._traced.written

    @cached_property
    def _traced(self) -> TracedRendering:
        trail = ChartTrail(self.secrets.of_file if self.secrets else None)
        return TracedRendering(self._members(trail), self.project.meter, self._host, trail, self.secrets, self.values)

    def holes(self) -> Iterator[Origin]:
        """The places of templates that wrote nothing because nothing sets what they read."""
        pieces = self._traced.holes
        yield from {(piece.program.name, piece.at): self.place(piece) for piece in pieces}.values()

    def place(self, piece: WrittenPiece) -> Origin:
        """The place of a template that wrote a piece."""
        return Origin(self.sources[piece.program.name], piece.at)


class TracedRendering:
    """A rendering in pieces that know where they come from."""

    def __init__(
        self, files: list[ChartTemplate], meter: Meter, host: Host | None, trail: ChartTrail, secrets: ChartSecrets,
        values: Node,
    ) -> None:  # fmt: skip
        rendering = ChartRendering(files, meter, host)
        self.holes: list[WrittenPiece] = []
        """Pieces of templates that wrote nothing because nothing sets what they read."""
        self.written: dict[str, list[WrittenPiece]] = {}
        """What each template wrote, by what helm calls it."""
        for one, pieces in rendering.pieces(trail):
            self.written[one.name] = [piece for piece in pieces if piece.text != NO_VALUE]
            self.holes += [piece for piece in pieces if piece.text == NO_VALUE]
        self.wrong = [explained(found, error, files, values) for found, error in rendering.failed]
        self._secrets = secrets
        self._lost = any(map(secrecy, trail.reader.loose))

    def secret_parts(self, name: str) -> SecretParts:
        """Where the text of a template is made of secrets."""
        return SecretParts(self._secrets, self.written[name], self._lost)

    def text(self, one: ChartTemplate) -> Source:
        """What a template wrote, with the line that wrote each line."""
        pieces = self.written[one.name]
        rows: list[int] = []
        begins = True
        for piece in pieces:
            row = _row(one, piece)
            for line in piece.text.splitlines(keepends=True):
                rows += [row] if begins else []
                begins = line.endswith("\n")
                row += piece.is_literal and begins
        text = "".join(piece.text for piece in pieces)
        return Source(one.source.name, text, written=one.source, line_map=[*rows, rows[-1] if rows else 0])


def _row(one: ChartTemplate, piece: WrittenPiece) -> int:
    """The line of a template, from 0, that wrote a piece, or that called what did."""
    site: WrittenPiece | CallSite | None = piece
    at = 0
    while site is not None:
        at = site.at if site.program.name == one.name else at
        site = site.by
    return one.source.text.count("\n", 0, at)


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
