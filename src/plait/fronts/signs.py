"""What the names of files say about the tool that reads them: in which folder what makes which rules fit.

Only names are looked at, in the folder of the lowest layer, on the disk or at the revision that it is read from. A
plait.yaml in that folder or above it that names a profile is stronger than all of them.
"""

from __future__ import annotations

import os

from plait.core.source import YAML_ENDINGS
from plait.fronts.revisions import folder_names, revision_source, split_revision
from plait.fronts.setting import NONE
from plait.fronts.settings import SETTINGS, ProjectSettings
from plait.report.catalog import BAD_OPTION
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from plait.fronts.project import Project

    Present = Callable[[str], bool]
    """Whether a file of this name, from the working folder, is there."""
    Look = Callable[[str, Present], str]
    """What makes rules fit the layer of a path; empty where they do not."""

CHART = "Chart.yaml"
PATTERN = "pattern.yaml"
KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
COMPOSE_FILES = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
"""The names under which Compose looks for its file, in its order."""
VARIABLES = ("group_vars", "host_vars")
INVENTORIES = (
    *("hosts", "hosts.yml", "hosts.yaml", "hosts.ini", "inventory", "inventory.yml", "inventory.yaml"),
    *("inventory.ini", "ansible.cfg"),
)


def _values(path: str, present: Present) -> str:
    folder, name = os.path.split(path)
    is_values = "values" in name.lower() and name.endswith(YAML_ENDINGS)
    return f"{CHART} is beside {name}" if is_values and present(os.path.join(folder, CHART)) else ""


def _resource(path: str, present: Present) -> str:
    folder, name = os.path.split(path)
    if name in KUSTOMIZATIONS:
        return ""
    beside = next((one for one in KUSTOMIZATIONS if present(os.path.join(folder, one))), "")
    return f"{beside} is beside {name}" if beside else ""


def is_compose_file(name: str) -> bool:
    """Whether a file has a name that Compose files have: compose.yaml, docker-compose.prod.yml and
    docker-compose-prod.yml; compose-prod.yaml may be anything."""
    base = os.path.basename(name)
    return base.startswith(("compose.", "docker-compose.", "docker-compose-")) and base.endswith(YAML_ENDINGS)


def _compose(path: str, present: Present) -> str:
    return f"{os.path.basename(path)} has the name of a Compose file" if is_compose_file(path) else ""


def _variables(path: str, present: Present) -> str:
    folder = os.path.dirname(path)
    while folder and os.path.basename(folder) not in VARIABLES:
        above = os.path.dirname(folder)
        folder = above if above != folder else ""
    beside = os.path.dirname(folder)
    found = next((one for one in INVENTORIES if folder and present(os.path.join(beside, one))), "")
    return f"{os.path.basename(folder)} is beside {found}" if found else ""


class ProfileSign:
    """A profile, the tool whose rules it has, and what makes it fit."""

    __slots__ = ("look", "profile", "tool")

    def __init__(self, profile: str, tool: str, look: Look) -> None:
        self.profile = profile
        self.tool = tool
        self.look = look


SIGNS = (
    ProfileSign("helm", "helm", _values),
    ProfileSign("kubernetes", "kubectl", _resource),
    ProfileSign("compose", "docker compose", _compose),
    ProfileSign("ansible", "ansible", _variables),
)
"""Every profile that names of files can ask for."""


class Recognised:
    """A profile that fits layers, and what to tell people about it; nothing where settings name the profile."""

    __slots__ = ("is_set", "profile", "tool", "why")

    def __init__(self, profile: str, tool: str = "", why: str = "") -> None:
        self.profile = profile
        self.tool = tool
        self.why = why
        self.is_set = not why

    @property
    def note(self) -> str:
        return f"merging as {self.tool} does: {self.why} (--profile {NONE} to turn it off)"


def fitting(project: Project, lowest: str) -> Iterator[Recognised]:
    """The profiles that fit a layer; only the one that settings in its folder or above it name, where they do."""
    if lowest == "-":
        return
    revision, path = split_revision(project, lowest)
    present = _at_revision(project, revision) if revision else project.door.is_file
    named = (_set_at_revision(project, revision, path, present) if revision else _set_near(project, lowest)).profile
    if named:
        yield Recognised(named)
        return
    for sign in SIGNS:
        why = sign.look(path or lowest, present)
        if why:
            yield Recognised(sign.profile, sign.tool, why)


def _at_revision(project: Project, revision: str) -> Present:
    known: dict[str, frozenset[str]] = {}

    def present(path: str) -> bool:
        folder, name = os.path.split(path)
        if folder not in known:
            known[folder] = folder_names(project, revision, folder)
        return name in known[folder]

    return present


def _set_near(project: Project, path: str) -> ProjectSettings:
    """The settings that would count if plait ran in the folder of a file."""
    _, home, _ = project.trace.surroundings(os.path.dirname(path) or ".")
    return project.settings if home == project.home else project.settings_in(home)


def _set_at_revision(project: Project, revision: str, path: str, present: Present) -> ProjectSettings:
    """The same at a revision, up to the working folder."""
    while path:
        path = os.path.dirname(path.rstrip("/"))
        name = os.path.join(path, SETTINGS)
        source = revision_source(project, f"{revision}:{name}") if present(name) else None
        if source is not None:
            from plait.yaml.load import load  # revisions are named in few commands

            return ProjectSettings.read(load(source, Reading()), project.door, path)
    return project.settings


def recognised(project: Project, layers: Collection[str]) -> Recognised | None:
    """The one profile that fits layers, by the lowest; None where none does. Where several do, the user must choose."""
    found = list(fitting(project, next(iter(layers))))
    if not any(one.is_set for one in found):
        check_mixed(layers)
    if len(found) > 1:
        why = " and ".join(one.why for one in found)
        names = " or ".join(f"--profile {one.profile}" for one in found)
        hint = f"choose how to merge: {names}, or --profile {NONE} for plait's own rules"
        raise BAD_OPTION.error(why=f"several tools may read these layers: {why}", hint=hint)
    return found[0] if found else None


def check_mixed(layers: Collection[str]) -> None:
    """Reject a kustomization among other layers: it says how resources are built, and is none itself."""
    files = [layer for layer in layers if os.path.basename(layer.rpartition(":")[2]) in KUSTOMIZATIONS]
    if files and len(files) < len(layers):
        folder = os.path.dirname(files[0]) or "."
        hint = f"plait render {folder} builds it; --profile {NONE} merges it as any other file"
        raise BAD_OPTION.error(why=f"`{files[0]}` is a kustomization, not a layer of the others", hint=hint)


FOLDERS = {
    CHART: "chart",
    **dict.fromkeys(KUSTOMIZATIONS, "kustomization"),
    **dict.fromkeys(COMPOSE_FILES, "compose"),
}
"""Files that make a folder a target by itself, with its kind."""


def folder_kind(project: Project, path: str) -> str:
    """The kind of target that a folder is by itself; empty where it is none. A chart may also be packed."""
    if path.endswith(".tgz"):
        return "chart"
    door = project.door
    if not path or not door.is_folder(project.admit(path)):
        return ""
    return next((kind for name, kind in FOLDERS.items() if door.is_file(os.path.join(path, name))), "")


def file_kind(project: Project, path: str) -> str:
    """The kind of target that a file is by its name; empty where it is none."""
    return "compose" if is_compose_file(path) and project.door.is_file(project.admit(path)) else ""
