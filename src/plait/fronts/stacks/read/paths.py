"""The file that an import path means: with or without an extension, from the folder of stacks or of the file itself."""

from __future__ import annotations

from plait.core.source import TEMPLATE_ENDINGS
from plait.fronts.project import Project


def file_named(project: Project, full: str) -> str | None:
    """The file that a path without, or with, an extension means."""
    extensions = (".tmpl", "") if full.endswith(TEMPLATE_ENDINGS) else (*TEMPLATE_ENDINGS, "")
    return next((full + extension for extension in extensions if project.door.is_file(full + extension)), None)


def is_relative(path: str) -> bool:
    """Whether a path means the folder of the file that it is written in."""
    return path.split("/", 1)[0] in (".", "..")
