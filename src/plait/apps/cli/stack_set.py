"""`plait stack set`: give a value of a component another value, in the manifest that should have it."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option, unless_trying
from plait.apps.cli.stack_edit import ARGUMENTS, OPTIONS, edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.console import Console
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.fronts.typed_values import typed_value

    return edit(args, console, typed_value(args.value, args.string, args.path))


COMMAND = Command(
    "stack set",
    "Set a value of a component. Without --at, show every place where it can be written and what each would change.",
    (
        "plait stack set web -s ue1-prod vars.size 3",
        "plait stack set web -s ue1-prod vars.size 3 --at narrowest --dry-run",
        "plait stack set web -s ue1-prod vars.size 3 --at stacks/catalog/app.yaml",
    ),
    run,
    (*ARGUMENTS, Argument("VALUE", "the new value, as YAML")),
    (Option("--string", "take the value as text, not as YAML"), *OPTIONS),
    "plait stack get --help, plait explain component --help, plait help stacks",
    writes=unless_trying,
)
