"""Which files are stacks: those that the configuration includes and does not exclude."""

from __future__ import annotations

import os

from plait.fronts.project import Project
from plait.fronts.stacks.ground.globs import matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.config.config import Config

SUFFIXES = (".yaml", ".yml")


def stack_files(project: Project, config: Config) -> list[str]:
    """The paths of all top-level manifests, sorted by name; `.yaml` before `.yml` of the same stem."""
    included = [matcher(pattern) for pattern in config.texts("stacks", "included_paths")]
    excluded = [matcher(pattern) for pattern in config.texts("stacks", "excluded_paths")]
    found: dict[str, str] = {}
    for path in all_files(project, config.stacks_path):
        stem = path[: path.rindex(".")]
        names = (path, stem)
        wanted = any(rule.match(name) for rule in included for name in names)
        if wanted and not any(rule.match(name) for rule in excluded for name in names):
            known = found.get(stem)
            if known is None or known.endswith(".yml"):
                found[stem] = path
    return [os.path.join(config.stacks_path, found[stem]) for stem in sorted(found)]


def all_files(project: Project, folder: str) -> list[str]:
    """Every YAML file below the stacks folder that is not a template, as a path from it."""
    return [path for path in project.files_below(folder) if path.endswith(SUFFIXES)]
