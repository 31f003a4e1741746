"""Which files a Compose project has: by the names that Compose looks for, or as COMPOSE_FILE says."""

from __future__ import annotations

import os

from plait.core.source import YAML_ENDINGS
from plait.fronts.compose.told import env_files, files, variables_told
from plait.fronts.signs import COMPOSE_FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.fronts.project import Project


def project_files(project: Project, folder: str, given: Iterable[str] = ()) -> list[str]:
    """The Compose files of a folder, from there: COMPOSE_FILE, else the first of the usual names with its override.
    `given` are the env files that the user names."""
    own = [project.admit(name) for name in given]
    named = files(variables_told(project, own or env_files(project, [folder])))
    if named:
        return named
    door = project.door
    first = next((name for name in COMPOSE_FILES if door.is_file(os.path.join(folder, name))), "")
    stem = first.rpartition(".")[0]
    over = [f"{stem}.override{ending}" for ending in (*reversed(YAML_ENDINGS),)]
    found = next((name for name in over if first and door.is_file(os.path.join(folder, name))), "")
    return [name for name in (first, found) if name]
