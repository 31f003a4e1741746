"""`plait blame component`: all sections of a component, each line with the place that its value comes from."""

from __future__ import annotations

from plait.apps.cli.blame import OPTIONS
from plait.apps.cli.command import AS_TEXT, Argument, Command
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, stack_name, stacks_of, to_console
from plait.core.diagnostic import NotKnown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.apps.cli.blaming import print_blames
    from plait.apps.cli.explanation import nothing_known

    stacks = stacks_of(args)
    try:
        tree = stacks.tree(args.component, stack_name(args))
    except NotKnown as error:
        return nothing_known(error, args, console, f" of `{args.component}` in `{stack_name(args)}`")
    sections = stacks.written_sections(tree)
    return print_blames(
        {"": args.run.open_workspace.blame(tree, args.path or "", args.reveal, sections, partial=True)}, args, console
    )


COMMAND = Command(
    "blame component",
    "Print the sections of a component, each line with the place that its value comes from.",
    (
        "plait blame component vpc -s plat-ue1-prod",
        "plait blame component vpc -s plat-ue1-prod --path settings --gone",
    ),
    run,
    (Argument("COMPONENT", "the component"),),
    (STACK, *OPTIONS, *EVALUATING, *CONFIG, AS_TEXT),
    "plait help stacks, plait explain component --help",
    kept=to_console,
)
