"""`plait lsp`: the language server."""

from __future__ import annotations

import sys

from plait.apps.cli.command import Command, Option, always
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import workspace_of
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.apps.cli.namespace import Namespace
    from plait.workspace import Workspace


def run(args: Namespace, console: Console) -> int:
    port = args.tcp
    if port is not None and not 0 < port < 65536:
        raise BAD_OPTION.error(why=f"--tcp takes a port from 1 to 65535, not {port}")
    from plait.apps.lsp.server import make, serve

    if port is None:  # a port is opened later
        args.run.confine()
    args.run.stop_timer()  # each question of an editor has limits of its own
    serve(make(lambda folder: _opened(args, folder), lambda folders: _held_to(args, folders)), port)
    console.out = sys.stdout = sys.stderr  # the server has closed standard output
    return OK


def _opened(args: Namespace, folder: str) -> Workspace:
    """A workspace in a folder. The first one is closed at the end of the run; others come and go, and are not kept."""
    first = args.run.workspace
    made = workspace_of(args, folder, remembers=True)
    args.run.workspace = first or made
    return made


def _held_to(args: Namespace, folders: list[str]) -> Callable[[str], bool]:
    """Let the kernel hold this process to the folders that the editor opened first."""
    if not args.run.is_own_process:
        return lambda folder: True
    from plait.apps.cli.confine import narrowed

    return narrowed(args, folders)


COMMAND = Command(
    "lsp",
    "Run the language server for editors, on standard input and output.",
    ("plait lsp", "plait lsp --tcp 7658"),
    run,
    (),
    (Option("--tcp", "listen on a local port for one connection instead", metavar="PORT", number=True),),
    more="plait help editors",
    asks_git=always,
    roams=True,
    later=True,
)
