"""What places of a file mean by the structure of its kind: what a key defines, what a value names.

A front whose files name things of their own (components, inputs, other files) says so here, and the editor knows
where a name is defined, who uses it and what can be typed. `fronts/catalog.py` has the table.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path

IMPORT, FILE, FOLDER = "import", "file", "folder"
COMPONENT, LOCAL, INPUT = "component", "local", "input"


class FileStructure:
    """The structure of a kind of file: of one in which no place has a meaning of its own."""

    def defines(self, path: Path) -> tuple[str, str, str] | None:
        """What a key defines: what it is, its name, and for a component its type; None for a plain value."""
        return None

    def names(self, path: Path) -> tuple[str, str] | None:
        """What a text at a path names: what that is, and for a component its type; None for a plain value."""
        return None

    def scopes(self, path: Path) -> list[Path]:
        """Where the locals are that a text can read, the nearest first."""
        return []


class SettingsStructure(FileStructure):
    """The structure of a plait.yaml."""

    def names(self, path: Path) -> tuple[str, str] | None:
        return (FILE, "") if path[:1] == ("targets",) and len(path) > 2 and path[2] in OF_FILES else None


OF_FILES = ("layers", "template", "stubs", "document", "files")
"""The keys of a target that name files."""
