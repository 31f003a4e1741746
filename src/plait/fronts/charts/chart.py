"""A chart as it lies on the disk: what Chart.yaml says, its templates, files and values, and the charts inside it."""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.find import items_of, word
from plait.core.node import MapNode, Node, Scalar
from plait.fronts.charts.folder import DiskFolder, unpacked
from plait.fronts.charts.ignored import kept, rules
from plait.fronts.sops import opened
from plait.report.catalog import BAD_CHART
from plait.yaml.build import Reading, build
from plait.yaml.readers import READERS, go_json_key
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import PlaitError
    from plait.core.source import Source
    from plait.fronts.charts.folder import Folder
    from plait.fronts.project import Project
    from plait.yaml.program import Program

CHART, VALUES, SCHEMA, IGNORE = "Chart.yaml", "values.yaml", "values.schema.json", ".helmignore"
REQUIREMENTS = "requirements.yaml"
"""The dependencies of a chart of version 1."""
DECLARES = frozenset((CHART, SCHEMA, REQUIREMENTS, "Chart.lock"))
"""The files that say what a chart is; none of them has values."""
NOT_FILES = frozenset((CHART, VALUES, SCHEMA, "Chart.lock"))
READER = READERS["go-yaml-2"]
YAML = READER.schema


def reading() -> Reading:
    """YAML as helm reads it: keys are texts, and of two equal keys the later one counts."""
    return Reading(schema=YAML, keys=go_json_key, duplicates="last")


class Dependency:
    """What Chart.yaml says of one subchart."""

    __slots__ = ("alias", "condition", "imports", "name", "node", "tags", "version")

    def __init__(self, node: MapNode) -> None:
        self.node = node
        self.name = word(node, "name")
        self.version = word(node, "version")
        self.alias = word(node, "alias")
        self.condition = word(node, "condition")
        self.tags = [item.text for item in items_of(node, "tags") if isinstance(item, Scalar)]
        self.imports = list(items_of(node, "import-values"))

    @property
    def called(self) -> str:
        """The name that its values are under."""
        return self.alias or self.name

    @property
    def reads(self) -> Iterator[tuple[str, ...]]:
        """The paths of values that decide whether it takes part, and those that its parent takes from it."""
        yield from (tuple(path.strip().split(".")) for path in self.condition.split(",") if path.strip())
        yield from (("tags", tag) for tag in self.tags)
        for one in self.imports:
            child = word(one, "child") if isinstance(one, MapNode) else f"exports.{word(one)}"
            yield (self.called, *child.split("."))


class Chart:
    """A chart and the charts inside it. `name` is its own name, or the alias that its parent gives it."""

    __slots__ = ("dependencies", "files", "folder", "inner", "metadata", "name", "own", "templates", "values")

    def __init__(
        self,
        folder: Folder,
        metadata: MapNode,
        own: list[str],
        templates: dict[str, Source],
        values: MapNode | None,
        inner: list[Chart],
        dependencies: list[Dependency],
    ) -> None:
        self.folder = folder
        self.metadata = metadata
        self.name = word(metadata, "name")
        self.own = own
        """Its files, by their paths from its folder, without those of its subcharts."""
        self.templates = templates
        """By the same paths."""
        self.files = [name for name in own if name not in NOT_FILES and name not in templates]
        """What `.Files` has."""
        self.values = values
        self.inner = inner
        """All charts in `charts/`."""
        self.dependencies = dependencies

    @property
    def version(self) -> str:
        return word(self.metadata, "version")

    @property
    def is_library(self) -> bool:
        """Whether it only has definitions for others."""
        return word(self.metadata, "type").lower() == "library"

    def called(self, name: str) -> Chart:
        """The same chart under an alias."""
        other = Chart(self.folder, self.metadata, self.own, self.templates, self.values, self.inner, self.dependencies)
        other.name = name
        return other


class ChartReader:
    """Reads charts of a project, each file once."""

    __slots__ = ("project",)

    def __init__(self, project: Project) -> None:
        self.project = project

    def chart(self, path: str) -> Chart:
        """The chart in a folder, or in a packed file."""
        if path.endswith(".tgz") and self.project.door.is_file(path):
            withheld = self.project.door.is_uncommitted(path)
            return self._read(unpacked(self.project.bytes(path), path, self.project.budgets.size, withheld))
        return self._read(DiskFolder(self.project, path))

    def values(self, name: str) -> MapNode | None:
        """A file of values; None where it is empty. What SOPS encrypted is decrypted where that is allowed."""
        values = self._mapping(self.project.source(name))
        if values is None:
            return None
        clear = opened(self.project, name, [values])[0]
        return clear if isinstance(clear, MapNode) else None

    def _read(self, folder: Folder) -> Chart:
        names = folder.names()
        if CHART not in names:
            raise BAD_CHART.error(name=folder.path, why=f"it has no {CHART}")
        names = list(kept(names, rules(folder.source(IGNORE).text if IGNORE in names else "")))
        own = [name for name in names if not name.startswith("charts/")]
        metadata = self._mapping(folder.source(CHART))
        if metadata is None:
            raise BAD_CHART.error(Label.at(folder.source(CHART), 0), name=folder.path, why=f"{CHART} must be a mapping")
        check(metadata, folder.path)
        templates = {name: folder.source(name) for name in own if name.startswith("templates/")}
        values = self._mapping(folder.source(VALUES)) if VALUES in own else None
        requirements = self._mapping(folder.source(REQUIREMENTS)) if REQUIREMENTS in own else None
        declared = [*items_of(metadata, "dependencies"), *items_of(requirements, "dependencies")]
        dependencies = [Dependency(node) for node in declared if isinstance(node, MapNode)]
        inner = [self._read(one) for one in self._inner(folder, names)]
        return Chart(folder, metadata, own, templates, values, inner, dependencies)

    def _inner(self, folder: Folder, names: list[str]) -> Iterator[Folder]:
        """The charts in `charts/`: folders and packed ones."""
        steps = dict.fromkeys(name.split("/")[1] for name in names if name.startswith("charts/"))
        for step in steps:
            if step.startswith(("_", ".")):
                continue
            path = f"charts/{step}"
            if path not in names:
                yield folder.inner(path)
            elif step.endswith(".tgz"):
                name, size = f"{folder.path}/{path}", self.project.budgets.size
                yield unpacked(folder.bytes(path), name, size, folder.is_withheld(path))

    def _programs(self, source: Source) -> list[Program]:
        """The documents of a file, also of one that only helm's reader accepts."""
        try:
            return self.project.parsed(source)
        except Fault:
            source.loose = True
            return scan(source, self.project.budgets.depth)

    def _mapping(self, source: Source) -> MapNode | None:
        """The first document of a file, if it is a map."""
        how = reading()
        for program in self._programs(source):
            node = build(program, source, how)
            return node if isinstance(node, MapNode) else None
        return None


def check(metadata: MapNode, name: str) -> None:
    """That Chart.yaml has what every chart must have."""
    for key in ("apiVersion", "name", "version"):
        if not word(metadata, key):
            if key == "apiVersion":
                continue  # the oldest charts have none
            raise _bad(metadata, name, f"{CHART} has no `{key}`")


def _bad(node: Node, name: str, why: str) -> PlaitError:
    return BAD_CHART.error(Label(node.origin), name=name, why=why)
