"""`plait describe locals`: the locals of a stack, or those that a component can read."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, EVALUATING, FORM, STACK, answer, shape_of, stack_name, stacks_of, to_console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    text = stacks.describe_locals(args.component or "", stack_name(args), shape_of(args, stacks), args.view)
    return answer(args, console, stacks, [text])


COMMAND = Command(
    "describe locals",
    "Show the locals of a stack's manifest, or those that are visible to a component, each with its file and line.",
    (
        "plait describe locals -s plat-ue1-prod",
        "plait describe locals vpc -s plat-ue1-prod --format json",
        "plait describe locals -s deploy/prod --view manifest",
    ),
    run,
    (Argument("COMPONENT", "a component", "?"),),
    (
        STACK,
        Option(
            "--view",
            "by scope with file and line, or as a manifest",
            choices=("scopes", "manifest"),
            default="scopes",
            group="Output",
        ),
        *FORM,
        *EVALUATING,
        *CONFIG,
    ),
    "plait help stacks",
    kept=to_console,
)
