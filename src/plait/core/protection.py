"""Values that plait.yaml protects: those that a person must review, and those that `plait tidy` leaves as they are."""

from __future__ import annotations

from plait.core.path import Path, parse_path, path_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.glob import Glob


def glob(text: str) -> Glob:
    from plait.core.glob import Glob  # few settings have patterns

    return Glob(text)


class Protection:
    """Values that must not change: those whose path matches, in the targets whose name matches."""

    __slots__ = ("path", "target", "text")

    def __init__(self, text: str) -> None:
        """`[stack=GLOB: ]PATH`; raises ValueError, PathError or GlobError."""
        scope, colon, path = text.rpartition(": ")
        target = scope.partition("=")[2] if colon else ""
        if colon and not target:
            raise ValueError("write `stack=GLOB: PATH`, `target=GLOB: PATH` or just a path")
        self.text = text
        self.target = glob(target) if target else None
        self.path: Path = parse_path(path.strip(), pattern=True)

    def covers(self, target: str, path: Path, place: Path) -> bool:
        """Whether it protects a value: by its path, or by its path with positions instead of the keys of items."""
        if self.target is not None and not self.target.matches(target):
            return False
        ways = (path,) if path == place else (path, place)
        return any(path_matches(self.path, way[:depth]) for way in ways for depth in range(1, len(way) + 1))


class Guards:
    """The section `review` of plait.yaml: a protected value that changes, or a cause that changes more values than
    `widest`, is reported first and makes the exit status 1."""

    __slots__ = ("protect", "widest")

    def __init__(self) -> None:
        self.protect: list[Protection] = []
        self.widest = 0
