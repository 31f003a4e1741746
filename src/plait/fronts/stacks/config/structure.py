"""What places of a manifest mean: components, locals, and the values that name them."""

from __future__ import annotations

from plait.fronts.stacks.config.sections import TYPES
from plait.fronts.structure import COMPONENT, FOLDER, IMPORT, LOCAL, FileStructure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path

BASES = (
    ("metadata", "inherits"),
    ("metadata", "inherits", "*"),
    ("component",),
    ("dependencies", "components", "*", "component"),
    ("dependencies", "components", "*", "name"),
)
"""Where a component names another one."""


class ManifestStructure(FileStructure):
    """The structure of a stack manifest."""

    def defines(self, path: Path) -> tuple[str, str, str] | None:
        if len(path) == 3 and path[0] == "components":
            return COMPONENT, str(path[2]), str(path[1])
        return (LOCAL, str(path[-1]), "") if len(local_path(path)) == 2 else None

    def names(self, path: Path) -> tuple[str, str] | None:
        if path[:1] == ("import",) and (len(path) == 2 or path[2:] == ("path",)):
            return IMPORT, ""
        if path[:1] != ("components",) or len(path) < 4:
            return None
        type, rest = str(path[1]), tuple("*" if isinstance(step, int) else step for step in path[3:])
        if rest in BASES:
            return COMPONENT, type
        if rest == ("metadata", "component"):
            return FOLDER, type
        return (COMPONENT, "") if rest[:2] == ("settings", "depends_on") and rest[-1:] == ("component",) else None

    def scopes(self, path: Path) -> list[Path]:
        scopes: list[Path] = []
        if path[:1] == ("components",) and len(path) > 2:
            scopes += [(*path[:3], "locals"), (path[1], "locals")]
        elif path[:1] and path[0] in TYPES:
            scopes.append((path[0], "locals"))
        return [*scopes, ("locals",)]


def local_path(path: Path) -> Path:
    """A path of a manifest from `locals` on, where it is that of a local or of a part of one; else empty."""
    depth = {"locals": 0, "components": 3}.get(str(path[0]), 1 if path[0] in TYPES else len(path)) if path else 0
    return path[depth:] if len(path) > depth + 1 and path[depth] == "locals" else ()
