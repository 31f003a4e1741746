"""Which files are stacks: those that the configuration includes and does not exclude."""

from __future__ import annotations

import os

from plait.core.diagnostic import PlaitError, placed
from plait.fronts.project import Project
from plait.fronts.stacks.config.config import labels_at
from plait.fronts.stacks.ground.globs import PathPattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.config.config import Config

SUFFIXES = (".yaml", ".yml")


def stack_files(project: Project, config: Config) -> list[str]:
    """The paths of all top-level manifests, sorted by name; `.yaml` before `.yml` of the same stem."""
    included = path_patterns(config, "included_paths")
    excluded = path_patterns(config, "excluded_paths")
    by_stem: dict[str, str] = {}
    for path in all_files(project, config.stacks_path):
        stem = path[: path.rindex(".")]
        names = (path, stem)
        wanted = any(rule.match(name) for rule in included for name in names)
        if wanted and not any(rule.match(name) for rule in excluded for name in names):
            known = by_stem.get(stem)
            if known is None or known.endswith(".yml"):
                by_stem[stem] = path
    return [os.path.join(config.stacks_path, by_stem[stem]) for stem in sorted(by_stem)]


def why_no_stack(project: Project, config: Config) -> dict[str, str]:
    """For each YAML file below the stacks folder, the reason why it is not a stack; for the error about a repository
    without stacks."""
    included, excluded = path_patterns(config, "included_paths"), path_patterns(config, "excluded_paths")
    reasons: dict[str, str] = {}
    for path in all_files(project, config.stacks_path):
        names = (path, path[: path.rindex(".")])
        if any(rule.match(name) for rule in excluded for name in names):
            reasons[path] = "is excluded"
        elif any(rule.match(name) for rule in included for name in names):
            reasons[path] = "has no components"
        else:
            reasons[path] = "is not among the included paths"
    return reasons


def path_patterns(config: Config, key: str) -> list[PathPattern]:
    """The patterns of a key of `stacks`."""
    try:
        return [PathPattern(pattern) for pattern in config.texts("stacks", key)]
    except PlaitError as error:
        (label,) = labels_at(config.tree, ("stacks", key))  # there is a default, if nothing else
        raise placed(error, label) from None


def all_files(project: Project, folder: str) -> list[str]:
    """Every YAML file below the stacks folder that is not a template, as a path from it."""
    return [path for path in project.door.below(folder) if path.endswith(SUFFIXES)]
