"""`plait describe dependents`: the components that depend on one."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import (
    CONFIG,
    EVALUATING,
    JSON_FORM,
    STACK,
    answer,
    shape_of,
    stack_name,
    stacks_of,
    to_console,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    text = stacks.describe_dependents(args.component, stack_name(args), shape_of(args, stacks))
    return answer(args, console, stacks, [text], listing=True)


COMMAND = Command(
    "describe dependents",
    "Show the components that declare a dependency on a component of a stack.",
    ("plait describe dependents vpc -s plat-ue1-prod",),
    run,
    (Argument("COMPONENT", "the component"),),
    (STACK, *JSON_FORM, *EVALUATING, *CONFIG),
    "plait help stacks",
    kept=to_console,
)
