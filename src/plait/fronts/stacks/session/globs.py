"""Path patterns as Atmos reads them: one matcher for imports, included and excluded paths, and imports of the
configuration."""

from __future__ import annotations

import os

from plait.core.glob import Glob, GlobError, is_pattern, literal_prefix
from plait.core.slashes import clean
from plait.report.catalog import BAD_CONFIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.project import Project

__all__ = ["PathPattern", "is_pattern", "matching_files", "stem", "why_not"]

EVERYTHING = "**/*"
ANYWHERE = "**/"


class PathPattern:
    """One pattern for whole paths. The usual ones (`orgs/**/*`, `**/_defaults.yaml`) are compared as texts."""

    __slots__ = ("_end", "_glob", "_start")

    def __init__(self, pattern: str) -> None:
        head, tail = literal_prefix(pattern), pattern
        tail = pattern[len(head) + 1 :] if head else pattern
        self._start: str | None = None
        self._end: str | None = None
        self._glob: Glob | None = None
        if tail == EVERYTHING:
            self._start = f"{head}/" if head else ""
        elif not head and tail.startswith(ANYWHERE) and not is_pattern(tail[len(ANYWHERE) :]):
            self._end = "/" + tail[len(ANYWHERE) :]
        else:
            try:
                self._glob = Glob(pattern)
            except GlobError as trouble:
                hint = "a pattern may contain `*`, `**`, `?`, `[abc]` and `{a,b}`; `\\` escapes a character"
                raise BAD_CONFIG.error(why=f"invalid path pattern `{pattern}`: {trouble}", hint=hint) from None

    def match(self, path: str) -> bool:
        if self._glob is not None:
            return self._glob.matches(path)
        if self._end is not None:
            return f"/{path}".endswith(self._end)
        return path.startswith(self._start or "") and path != self._start


def why_not(paths: list[str], included: list[PathPattern], excluded: list[PathPattern]) -> dict[str, str]:
    """For each path, why it is not wanted; empty where it is."""
    reasons: dict[str, str] = {}
    for path in paths:
        if any(rule.match(path) for rule in excluded):
            reasons[path] = "is excluded"
        elif any(rule.match(path) for rule in included):
            reasons[path] = ""
        else:
            reasons[path] = "is not among the included paths"
    return reasons


def stem(path: str) -> str:
    """A path without its extension."""
    return path[: path.rindex(".")]


def has_extension(path: str) -> bool:
    """Whether the last part of a path, or of a pattern, has an extension."""
    return "." in path.rpartition("/")[2]


def seen_from(folder: str, pattern: str) -> str:
    """A pattern as paths from a folder are compared with it: Atmos makes `a/b` of `./a//x/../b` first, and takes `..`
    for the name before it, whatever that matches."""
    full = clean(f"{folder}/{pattern}" if not pattern.startswith("/") else pattern)
    return full[len(folder) + 1 :] if full.startswith(f"{folder}/") else clean(pattern)


def matching_files(project: Project, base: str, pattern: str) -> list[str]:
    """The files that a pattern means from a folder, sorted."""
    pattern = seen_from(base, pattern)
    fixed = literal_prefix(pattern)
    start = os.path.normpath(os.path.join(base, fixed))
    rule = PathPattern(pattern[len(fixed) :].lstrip("/"))
    return sorted(os.path.join(start, path) for path in project.door.below(start) if rule.match(path))
