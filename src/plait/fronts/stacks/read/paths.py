"""Which files an import path means: with or without an extension, one file or all that a pattern matches."""

from __future__ import annotations

import os

from plait.fronts.project import Project
from plait.fronts.stacks.ground.globs import is_pattern, matching

EXTENSIONS = (".yaml", ".yml", ".yaml.tmpl", ".yml.tmpl")


def files_named(project: Project, base: str, path: str) -> list[str]:
    """The files that an import path means, seen from a folder, in order."""
    if is_pattern(path):
        return _matching(project, base, path)
    found = file_named(os.path.normpath(os.path.join(base, path)))
    return [found] if found else []


def file_named(full: str) -> str | None:
    """The file that a path without, or with, an extension means."""
    extensions = (".tmpl", "") if full.endswith(EXTENSIONS) else (*EXTENSIONS, "")
    return next((full + extension for extension in extensions if os.path.isfile(full + extension)), None)


def _matching(project: Project, base: str, pattern: str) -> list[str]:
    full = os.path.normpath(os.path.join(base, pattern))
    folder = os.path.commonpath([full.split("*")[0].rpartition("/")[0] or "/", full])
    pattern = os.path.relpath(full, folder).replace(os.sep, "/")
    patterns = [pattern] if pattern.endswith(EXTENSIONS) else [pattern + extension for extension in EXTENSIONS]
    return [
        os.path.join(folder, path)
        for path in sorted({path for one in patterns for path in matching(project, folder, one)})
        if path.endswith(EXTENSIONS)
    ]


def is_relative(path: str) -> bool:
    """Whether a path means the folder of the file that it is written in."""
    return path.split("/", 1)[0] in (".", "..")


def without_extension(path: str) -> str:
    for extension in reversed(EXTENSIONS):
        if path.endswith(extension):
            return path[: -len(extension)]
    return path
