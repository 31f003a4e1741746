"""`plait regenerate`: files that any tool generates, generated again, keeping what others changed in them."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option, always, unless_trying
from plait.apps.cli.console import Console
from plait.apps.cli.create import KEEPING, answered, finish
from plait.apps.cli.opening import workspace_of
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    def work() -> int:
        workspace = workspace_of(args)
        if args.fresh is None:
            workspace.project.present(args.file)
            raise BAD_OPTION.error(
                why="--fresh is missing", hint="give the new output of the tool: --fresh FILE or --fresh FOLDER"
            )
        patterns = workspace.patterns
        return finish(lambda: patterns.regenerate(args.file, args.fresh, args.base or "", args), args, console)

    return answered(args, console, work)


COMMAND = Command(
    "regenerate",
    "Update a file with the new output of a tool. Changes that others made to it are kept.",
    (
        "plait regenerate --base old/values.yaml --fresh new/values.yaml values.yaml",
        "plait regenerate --fresh new/ --base old/ deploy/ --dry-run",
    ),
    run,
    (Argument("FILE", "the file, or the folder, that people work with"),),
    (
        Option("--fresh", "what is generated now: a file, or a folder", metavar="NEW", group="Sides"),
        Option("--base", "what was generated last; without it, whatever differs is kept", metavar="OLD", group="Sides"),
        Option("--record", "the file that keeps decisions for later runs", metavar="FILE", group="Sides"),
        *KEEPING,
    ),
    "plait create --help, plait help patterns",
    writes=unless_trying,
    asks_git=always,
)
