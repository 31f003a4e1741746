"""`plait cache clear`: delete everything that is kept between runs."""

from __future__ import annotations

from plait.apps.cli.command import PRINTING, Command
from plait.apps.cli.console import OK, Console
from plait.core.visible import counted
from plait.keeping.folder import cache_folder, clear

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace

MEGABYTE = 1_000_000


def run(args: Namespace, console: Console) -> int:
    count, size = clear()
    console.say(f"{counted(count, 'file')} ({size / MEGABYTE:.1f} MB) deleted from {cache_folder()}")
    return OK


COMMAND = Command(
    "cache clear",
    "Delete everything that is kept between runs. The next runs compute it again.",
    ("plait cache clear",),
    run,
    common=PRINTING,
)
