"""Which files are stacks: those that the configuration includes and does not exclude."""

from __future__ import annotations

import os

from plait.core.diagnostic import PlaitError, placed
from plait.core.source import YAML_ENDINGS
from plait.fronts.project import Project
from plait.fronts.stacks.config.config import labels_at
from plait.fronts.stacks.session.globs import EVERYTHING, PathPattern, has_extension, seen_from, stem, why_not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.fronts.stacks.config.config import Config


def stack_files(project: Project, config: Config) -> list[str]:
    """The paths of all top-level manifests, sorted by name; `.yaml` before `.yml` of the same stem."""
    by_stem: dict[str, str] = {}
    for path, reason in _reasons(project, config).items():
        if not reason:
            name = stem(path)
            known = by_stem.get(name)
            if known is None or known.endswith(".yml"):
                by_stem[name] = path
    return [os.path.join(config.stacks_path, by_stem[name]) for name in sorted(by_stem)]


def why_no_stack(project: Project, config: Config) -> dict[str, str]:
    """For each YAML file below the stacks folder, the reason why it is not a stack; for the error about a repository
    without stacks."""
    return {path: reason or "has no components" for path, reason in _reasons(project, config).items()}


def _reasons(project: Project, config: Config) -> dict[str, str]:
    """For each YAML file below the stacks folder, why it is not included; empty where it is."""
    included = path_patterns(config, "included_paths", _with_endings)
    excluded = path_patterns(config, "excluded_paths")
    return why_not(all_files(project, config.stacks_path), included, excluded)


def _with_endings(pattern: str) -> str:
    """A pattern of files to include: one without an extension means files with one of those of YAML."""
    return pattern if has_extension(pattern) or pattern.endswith(EVERYTHING) else pattern + ".{yaml,yml}"


def path_patterns(config: Config, key: str, meaning: Callable[[str], str] = str) -> list[PathPattern]:
    """The patterns of a key of `stacks`; `meaning` says what each of them means as a pattern of whole paths."""
    try:
        texts = [seen_from(config.stacks_path, text) for text in config.texts("stacks", key)]
        patterns = [(PathPattern(text), text) for text in texts]
    except PlaitError as error:
        (label,) = labels_at(config.tree, ("stacks", key))  # there is a default, if nothing else
        raise placed(error, label) from None
    return [rule if meaning(text) == text else PathPattern(meaning(text)) for rule, text in patterns]


def all_files(project: Project, folder: str) -> list[str]:
    """Every YAML file below the stacks folder that is not a template, as a path from it."""
    return [path for path in project.door.below(folder) if path.endswith(YAML_ENDINGS)]
