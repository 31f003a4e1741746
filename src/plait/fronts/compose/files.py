"""Which files a Compose project has: by the names that Compose looks for, or as COMPOSE_FILE says."""

from __future__ import annotations

import os

from plait.core.source import YAML_ENDINGS
from plait.fronts.compose.variables import ENV, ComposeVariables
from plait.fronts.signs import COMPOSE_FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.project import Project


def project_files(project: Project, folder: str) -> list[str]:
    """The Compose files of a folder, from there: COMPOSE_FILE, else the first of the usual names with its override."""
    named = project.door.environment("COMPOSE_FILE") or _of_env_file(project, folder)
    if named:
        return [name for name in named.split(":") if name]
    door = project.door
    first = next((name for name in COMPOSE_FILES if door.is_file(os.path.join(folder, name))), "")
    stem = first.rpartition(".")[0]
    over = [f"{stem}.override{ending}" for ending in (*reversed(YAML_ENDINGS),)]
    found = next((name for name in over if first and door.is_file(os.path.join(folder, name))), "")
    return [name for name in (first, found) if name]


def _of_env_file(project: Project, folder: str) -> str:
    own = ComposeVariables(project, outside=False).with_files([os.path.join(folder, ENV)])
    return own.values.get("COMPOSE_FILE", "")
