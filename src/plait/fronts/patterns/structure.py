"""What places of a pattern.yaml mean: its inputs."""

from __future__ import annotations

from plait.fronts.structure import INPUT, FileStructure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path


class PatternStructure(FileStructure):
    """The structure of a pattern.yaml."""

    def defines(self, path: Path) -> tuple[str, str, str] | None:
        return (INPUT, str(path[1]), "") if len(path) == 2 and path[0] == "inputs" else None
