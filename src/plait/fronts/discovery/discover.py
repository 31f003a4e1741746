"""Everything that a repository deploys: what manifests declare first, then what names suggest.

A chart that a manifest names has the targets that manifests declare, and no others. The same files are one target.
"""

from __future__ import annotations

import os
from functools import cached_property

from plait.fronts.deployed import ARGO, marks_in
from plait.fronts.discovery.ansible import hosts_of
from plait.fronts.discovery.argo import applications_of
from plait.fronts.discovery.charts import charts_by_name
from plait.fronts.discovery.compose import compose_projects
from plait.fronts.discovery.found import FoundTarget, TargetQuestion
from plait.fronts.discovery.helmfile import releases_of
from plait.fronts.discovery.hydra import configurations_of
from plait.fronts.discovery.kustomize import FluxManifests, Kustomizations, kustomizations_by_name
from plait.fronts.discovery.repository import RepositoryFiles
from plait.fronts.front import Declaration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from plait.fronts.front import Changes, World


class Discovery:
    """What was found in a repository: targets, and questions."""

    def __init__(self, repository: RepositoryFiles) -> None:
        self.repository = repository
        self.questions: list[TargetQuestion] = []
        self._found: dict[tuple[object, ...], FoundTarget] = {}
        self._claimed: set[str] = set()
        """Charts that a manifest names."""
        self._look()

    def _look(self) -> None:
        repository = self.repository
        kustomizations = Kustomizations(repository)
        for file in repository.mentioning(ARGO):
            self._claim(applications_of(repository, file))
        self._claim(releases_of(repository))
        flux = FluxManifests(kustomizations)
        for target in flux.builds():
            self._add(target)
        for target in kustomizations_by_name(kustomizations):
            self._add(target)
        built = [target for target in self._found.values() if target.kind == "kustomization"]
        self._claim(flux.releases(built))
        for one in (*charts_by_name(repository, self._claimed), *compose_projects(repository)):
            if isinstance(one, TargetQuestion):
                self.questions.append(one)
            else:
                self._add(one)
        for target in (*hosts_of(repository), *configurations_of(repository)):
            self._add(target)

    def holds(self, changes: Changes) -> bool:
        """Whether the same is found where some files have other texts."""
        for file, (before, after) in changes.texts.items():
            if before is None or after is None or self.repository.consulted(file):
                return False
            if any(marks_in(text.encode("utf-8", "replace")) for text in (before, after)):
                return False
        return True

    def _claim(self, rows: Iterator[tuple[FoundTarget, str]]) -> None:
        for target, folder in rows:
            self._add(target)
            if target.kind == "chart":
                self._claimed.add(folder)

    def _add(self, target: FoundTarget) -> None:
        key = ("kustomization", target.files[0]) if target.kind == "kustomization" else target.key
        self._found.setdefault(key, target)

    @cached_property
    def targets(self) -> dict[str, FoundTarget]:
        """The targets, each by a name of its own."""
        seen: dict[str, int] = {}
        for target in self._found.values():
            seen[target.name] = seen.get(target.name, 0) + 1
        taken = {name for name, count in seen.items() if count == 1}
        found: dict[str, FoundTarget] = {}
        for target in self._found.values():
            name = target.name if target.name in taken else _longer(target, taken | found.keys())
            found[name] = target
        return found


def _longer(target: FoundTarget, taken: Collection[str]) -> str:
    """A name that no other target has: with the folders on the way."""
    folder = os.path.dirname(target.files[0]) if target.kind in ("chart", "kustomization") else target.files[0]
    name = target.name
    for part in reversed(folder.split("/")):
        if name not in taken and name != target.name:
            break
        name = f"{part}-{name}" if part else name
    number = 2
    unique = name
    while unique in taken:
        unique, number = f"{name}-{number}", number + 1
    return unique


def discovered(world: World) -> Discovery:
    """What was found in the repository of a world: looked for once, and not again where a change cannot matter."""
    known = world.opened.get("discovery")
    if isinstance(known, Discovery):
        return known
    beside = world.beside.opened.get("discovery") if world.beside is not None else None
    found = beside if isinstance(beside, Discovery) and world.changes is not None else None
    if found is None or world.changes is None:
        found = world.project.answer("discovery", lambda: Discovery(RepositoryFiles(world.project))).answer
    elif not found.holds(world.changes):
        files = RepositoryFiles(world.project, found.repository, world.changes.texts)
        found = world.project.answer("discovery", lambda: Discovery(files)).answer
    world.opened["discovery"] = found
    return found


def declarations(world: World) -> Iterator[Declaration]:
    """The targets of a repository that declares none itself."""
    root = world.project.root
    for name, one in discovered(world).targets.items():
        folder = one.files[0] if one.kind in ("chart", "kustomization") else ""
        files = one.files[1:] if one.kind == "chart" else one.files
        parameters = {**_parameters(one, root), one.kind: folder}
        yield Declaration(one.kind, name, root, files, one.node, parameters, named=one.named)


def _parameters(one: FoundTarget, root: str) -> dict[str, object]:
    node = one.node
    by = [os.path.relpath(node.origin.file, root)] if node is not None else []
    return {
        "release": one.release,
        "inline": one.inline,
        "told": [*by, *one.told],
        "profile": one.profile,
        "packages": one.packages,
    }
