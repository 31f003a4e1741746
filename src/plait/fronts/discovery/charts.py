"""Charts, and the environments that the names of their values files suggest."""

from __future__ import annotations

import os
import re

from plait.core.find import items_of, word
from plait.core.source import YAML_ENDINGS
from plait.fronts.discovery.found import FoundTarget, TargetQuestion
from plait.fronts.signs import CHART

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.discovery.repository import RepositoryFiles

BESIDE = re.compile(r"values[-._](.+)\.ya?ml\Z")
LOCAL = "file://"
SEVERAL = "several files have the values of this environment: say which are used, and in which order, in plait.yaml"


def is_environments(folder: str) -> bool:
    """Whether a folder is called as those that hold a file, or a folder, for each environment."""
    return folder.startswith("env") or folder == "values"


def charts_by_name(repository: RepositoryFiles, claimed: set[str]) -> Iterator[FoundTarget | TargetQuestion]:
    """A target for each environment of each chart that no manifest names; one for a chart without any. An environment
    with two files is a question."""
    charts = applications(repository)
    for folder in charts:
        if folder in claimed:
            continue
        name = chart_name(repository, folder)
        environments: dict[str, dict[str, None]] = {}
        for environment, file in _environments(repository, folder, charts):
            environments.setdefault(environment, {})[file] = None
        for environment, files in sorted(environments.items()):
            if len(files) == 1:
                yield FoundTarget("chart", f"{name}-{environment}", [folder or ".", *files])
            else:
                yield TargetQuestion("chart", f"{name}-{environment}", [folder or ".", *files], SEVERAL)
        if not environments:
            yield FoundTarget("chart", name, [folder or "."])


def chart_name(repository: RepositoryFiles, folder: str) -> str:
    """What a chart is called: as its folder is, or, at the root, as it says."""
    return os.path.basename(folder) or word(repository.document(CHART), "name") or "chart"


def applications(repository: RepositoryFiles) -> list[str]:
    """The charts that are installed themselves: no libraries, and no parts of other charts."""
    parts = {part for folder in repository.charts for part in _parts(repository, folder)}
    return [
        folder
        for folder in repository.charts
        if folder not in parts
        and not _is_vendored(folder, repository.charts)
        and word(repository.document(_file(folder, CHART)), "type") != "library"
    ]


def _is_vendored(folder: str, charts: list[str]) -> bool:
    """Whether a chart is inside of another one: in its `charts`, or in a folder that is never looked into."""
    return any(folder != other and folder.startswith(f"{other}/" if other else "") for other in charts)


def _parts(repository: RepositoryFiles, folder: str) -> Iterator[str]:
    """The charts that a chart depends on by their place."""
    chart = repository.document(_file(folder, CHART))
    requirements = repository.document(_file(folder, "requirements.yaml"))
    for item in [*items_of(chart, "dependencies"), *items_of(requirements, "dependencies")]:
        place = word(item, "repository")
        if place.startswith(LOCAL):
            yield repository.path(folder, place[len(LOCAL) :])


def _file(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _environments(repository: RepositoryFiles, folder: str, charts: list[str]) -> Iterator[tuple[str, str]]:
    """The environments of a chart, each with its file of values."""
    for name in repository.inside(folder):
        match = BESIDE.match(name)
        if match is not None:
            yield match.group(1), _file(folder, name)
    for inner in filter(is_environments, repository.within(folder)):
        yield from _plain(repository, _file(folder, inner))
    holder = os.path.dirname(folder)
    for outer in dict.fromkeys((holder, os.path.dirname(holder))) if folder else ():
        alone = sum(one.startswith(f"{outer}/" if outer else "") for one in charts) == 1
        for inner in filter(is_environments, repository.within(outer)):
            place = _file(outer, inner)
            if place in charts:
                continue
            yield from _of_chart(repository, place, os.path.basename(folder))
            if alone:
                yield from _plain(repository, place)


def _plain(repository: RepositoryFiles, place: str) -> Iterator[tuple[str, str]]:
    """`ENV.yaml`, `values-ENV.yaml` and `ENV/values.yaml` of a folder of environments."""
    for name in repository.below(place):
        folder, _, file = name.rpartition("/")
        stem, suffix = os.path.splitext(file)
        if suffix not in YAML_ENDINGS or "/" in folder:
            continue
        match = BESIDE.match(file)
        if folder:
            if stem == "values":
                yield folder, f"{place}/{name}"
        elif match is not None:
            yield match.group(1), f"{place}/{name}"
        elif stem != "values":
            yield stem, f"{place}/{name}"


def _of_chart(repository: RepositoryFiles, place: str, chart: str) -> Iterator[tuple[str, str]]:
    """`ENV/CHART.yaml`, `ENV/CHART/values.yaml`, `CHART/ENV.yaml` and `CHART-ENV.yaml` of a folder of environments."""
    for name in repository.below(place):
        stem, suffix = os.path.splitext(name)
        if suffix not in YAML_ENDINGS:
            continue
        parts = stem.split("/")
        if (len(parts) == 2 and parts[1] == chart) or (len(parts) == 3 and parts[1:] == [chart, "values"]):
            yield parts[0], f"{place}/{name}"
        elif len(parts) == 2 and parts[0] == chart and parts[1] != "values":
            yield parts[1], f"{place}/{name}"
        elif len(parts) == 1 and stem.startswith(f"{chart}-"):
            yield stem[len(chart) + 1 :], f"{place}/{name}"
