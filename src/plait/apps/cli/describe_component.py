"""`plait describe component`: one component of one stack, evaluated."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import (
    CONFIG,
    EVALUATING,
    FORM,
    STACK,
    answer,
    shape_of,
    stack_name,
    stacks_of,
    to_console,
    truth,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    provenance = truth(args.provenance) if args.provenance is not None else None
    text = stacks.describe_component(args.component, stack_name(args), shape_of(args, stacks), provenance)
    return answer(args, console, stacks, [text])


COMMAND = Command(
    "describe component",
    "Show a component of a stack: its sections merged, its templates rendered, its functions evaluated.",
    (
        "plait describe component vpc -s plat-ue1-prod",
        "plait describe component vpc -s plat-ue1-prod --format json --query .vars.cidr",
        "plait describe component . -s plat-ue1-prod --provenance=false",
    ),
    run,
    (Argument("COMPONENT", "the component, or the folder of its code"),),
    (
        STACK,
        Option("--provenance", "a comment on every line that says where it comes from", switch=True, group="Output"),
        *FORM,
        *EVALUATING,
        *CONFIG,
    ),
    "plait help stacks",
    kept=to_console,
)
