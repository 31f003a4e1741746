"""`plait patterns new`: a folder with a small pattern that works, to begin with."""

from __future__ import annotations

from plait.apps.cli.command import WRITING, Argument, Command, Option, unless_trying
from plait.apps.cli.console import OK, Console
from plait.apps.cli.create import FORM, answered
from plait.apps.cli.opening import workspace_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    def work() -> int:
        for name in workspace_of(args).patterns.new(args.name, args.into):
            console.print(f"{name}\n")
        console.say(f"try it: plait create {args.name} --patterns {args.into} --name hello --dry-run")
        return OK

    return answered(args, console, work)


COMMAND = Command(
    "patterns new",
    "Start a pattern: a folder with a small working example.",
    ("plait patterns new my-service",),
    run,
    (Argument("NAME", "small letters, digits and dashes"),),
    (Option("--into", "the folder of patterns", metavar="DIR", default="patterns"), FORM, *WRITING),
    "plait patterns check NAME",
    writes=unless_trying,
)
