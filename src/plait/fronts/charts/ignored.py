"""`.helmignore`: which files of a folder do not belong to the chart.

One pattern a line: `*.bak` is about names, `/a` and `a/b` about paths, `x/` about folders only, `!x` takes back. Unlike
in git, the last rule does not win: what any rule ignores is ignored, and a rule that takes back ignores all that it
does not match.
"""

from __future__ import annotations

from plait.core.glob import Glob

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ALWAYS = "templates/.?*"
"""Hidden files among the templates are never read."""


class IgnoreRule:
    """One line of `.helmignore`."""

    __slots__ = ("_glob", "folders_only", "takes_back", "whole")

    def __init__(self, line: str) -> None:
        self.takes_back = line.startswith("!")
        pattern = line.removeprefix("!")
        self.folders_only = pattern.endswith("/")
        pattern = pattern.removesuffix("/")
        self.whole = "/" in pattern
        """Whether it is about the path and not about the name alone."""
        self._glob = Glob(pattern.removeprefix("/").replace("{", "\\{"))

    def matches(self, path: str) -> bool:
        return self._glob.matches(path if self.whole else path.rpartition("/")[2])


def rules(text: str) -> list[IgnoreRule]:
    """The rules of a file."""
    lines = (line.strip() for line in text.splitlines())
    written = [line for line in lines if line and not line.startswith("#") and "**" not in line]
    return [IgnoreRule(line) for line in (*written, ALWAYS)]


def _ignores(rules: Iterable[IgnoreRule], path: str, is_folder: bool) -> bool:
    for rule in rules:
        if rule.takes_back:
            if rule.folders_only and not is_folder:
                return True
            if not rule.matches(path):
                return True
        elif (is_folder or not rule.folders_only) and rule.matches(path):
            return True
    return False


def kept(paths: Iterable[str], rules: list[IgnoreRule]) -> Iterator[str]:
    """The files that belong to the chart: those that no rule ignores, nor a folder that they are in."""
    folders: dict[str, bool] = {"": False}
    for path in paths:
        steps = path.split("/")[:-1]
        above = ""
        for step in steps:
            inner = f"{above}/{step}" if above else step
            if inner not in folders:
                folders[inner] = folders[above] or _ignores(rules, inner, True)
            above = inner
        if not folders[above] and not _ignores(rules, path, False):
            yield path
