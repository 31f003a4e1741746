"""Which code of plait made an answer."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def code() -> list[tuple[str, int, int]]:
    """The stamps of plait's own modules, unless they were installed: there the version says enough."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return [] if "site-packages" in home else sorted(_modules(home))


def _modules(folder: str) -> Iterator[tuple[str, int, int]]:
    folders = [folder]
    for at in folders:  # grows while it is walked
        with os.scandir(at) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".so", ".json")):
                    info = entry.stat()
                    yield entry.path, info.st_mtime_ns, info.st_size
                elif "." not in entry.name and entry.name != "__pycache__":
                    folders.append(entry.path)
