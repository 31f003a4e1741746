"""What makes two runs the same question."""

from __future__ import annotations

import os
import sys

from plait.access.environment import variables
from plait.access.trace import digest_of, stamp_now

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = 3
"""The version of what is kept: another number makes everything that was kept useless."""
OWN = ("PLAIT_", "ATMOS_", "XDG_", "PYTHON", "LC_")
NAMES = ("HOME", "TZ", "LANG", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM")
"""Variables that may change what plait does, whatever the files say."""
ZONE = "/etc/localtime"


def question_of(version: str, words: list[str], terminals: tuple[int, ...]) -> bytes:
    """A digest of everything that is known before a run begins and that its answer may depend on."""
    own = sorted((name, value) for name, value in variables().items() if name in NAMES or name.startswith(OWN))
    facts = (
        FORMAT,
        version,
        sys.version,
        _code(),
        words,
        os.getcwd(),
        terminals,
        own,
        stamp_now(ZONE),
        sys.stdout.encoding if sys.stdout is not None else "",
    )
    return digest_of(repr(facts).encode("utf-8", "surrogatepass"))


def _code() -> list[tuple[str, int, int]]:
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
