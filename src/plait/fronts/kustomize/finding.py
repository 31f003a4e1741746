"""Folders that are targets by themselves: those with a kustomization that no other one includes."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.fronts.front import Declaration
from plait.fronts.kustomize.kustomization import NAMES, KustomizeFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.front import World

CHART = "Chart.yaml"
NOT_IN_CHARTS = ("templates", "ci", "tests", "crds")
"""Folders of a chart whose files are for the chart alone."""


def kustomizations_of(world: World) -> Iterator[Declaration]:
    """The kustomizations of a folder that are deployed."""
    root = world.tree
    below = world.project.door.below(root, hidden=False)
    charts = [os.path.dirname(name) for name in below if os.path.basename(name) == CHART]
    folders = list(dict.fromkeys(os.path.dirname(name) for name in below if os.path.basename(name) in NAMES))
    folders = [folder for folder in folders if not _is_in_chart(folder, charts)]
    shown = os.path.relpath(root)
    files = KustomizeFiles(world.project, world.opened.setdefault("kustomize documents", {}))
    included: set[str] = set()
    deployed: list[str] = []
    for folder in folders:
        try:
            one = files.kustomization(os.path.normpath(os.path.join(shown, folder)))
            named = one.texts("resources", "bases", "components")
        except Fault:  # it is told where somebody asks for the target
            deployed.append(folder)
            continue
        included.update(os.path.normpath(os.path.join(folder, item.text)) for item in named)
        deployed += [folder] if not one.is_component else []
    wanted = [folder for folder in deployed if os.path.normpath(folder or ".") not in included]
    for folder, name in zip(wanted, short_names(wanted), strict=True):
        path = os.path.normpath(folder or ".")
        yield Declaration("kustomization", name, root, [path], None, {"kustomization": path})


def _is_in_chart(folder: str, charts: list[str]) -> bool:
    inner = tuple(os.path.join(chart, name) for chart in charts for name in NOT_IN_CHARTS)
    return any(folder == name or folder.startswith(f"{name}/") for name in inner)


def short_names(folders: list[str]) -> list[str]:
    """A name for each folder: its last step, or as many more as tell it from the others."""
    steps = [folder.split("/") if folder else ["kustomization"] for folder in folders]
    found: list[str] = []
    for one in steps:
        for count in range(1, len(one) + 1):
            name = one[-count:]
            if sum(other[-count:] == name for other in steps) == 1 or count == len(one):
                found.append("/".join(name))
                break
    return found
