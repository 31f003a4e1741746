"""`plait stack unset`: remove a value of a component, in the manifest that has it or above it with `!unset`."""

from __future__ import annotations

from plait.apps.cli.command import Command, unless_trying
from plait.apps.cli.stack_edit import ARGUMENTS, OPTIONS, edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.console import Console
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    return edit(args, console, None)


COMMAND = Command(
    "stack unset",
    "Remove a value of a component: delete it where it is written, or write `!unset` in a higher layer.",
    (
        "plait stack unset web -s ue1-prod vars.size",
        "plait stack unset web -s ue1-prod vars.size --at where-defined --dry-run",
        "plait stack unset web -s ue1-prod vars.size --at component",
    ),
    run,
    ARGUMENTS,
    OPTIONS,
    "plait stack set --help, plait help stacks",
    writes=unless_trying,
)
