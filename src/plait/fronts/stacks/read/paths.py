"""Which files an import path means: with or without an extension, one file or all that a pattern matches."""

from __future__ import annotations

import os

from plait.fronts.project import Project
from plait.fronts.stacks.ground.globs import is_pattern, matching_files

EXTENSIONS = (".yaml", ".yml", ".yaml.tmpl", ".yml.tmpl")


def files_named(project: Project, base: str, path: str) -> list[str]:
    """The files that an import path means, seen from a folder, in order."""
    if is_pattern(path):
        found = matching_files(project, base, path, without_extension)
        return [name for name in found if name.endswith(EXTENSIONS)]
    one = file_named(project, os.path.normpath(os.path.join(base, path)))
    return [one] if one else []


def file_named(project: Project, full: str) -> str | None:
    """The file that a path without, or with, an extension means."""
    extensions = (".tmpl", "") if full.endswith(EXTENSIONS) else (*EXTENSIONS, "")
    return next((full + extension for extension in extensions if project.door.is_file(full + extension)), None)


def is_relative(path: str) -> bool:
    """Whether a path means the folder of the file that it is written in."""
    return path.split("/", 1)[0] in (".", "..")


def without_extension(path: str) -> str:
    for extension in reversed(EXTENSIONS):
        if path.endswith(extension):
            return path[: -len(extension)]
    return path
