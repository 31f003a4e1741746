"""`plait stack get`: a value of a component, evaluated, or as one of its manifests has it."""

from __future__ import annotations

from plait.apps.cli.command import Command, Option
from plait.apps.cli.console import FAILED, OK, Console
from plait.apps.cli.stack_edit import ARGUMENTS, component_value
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, stacks_of
from plait.core.node import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.yaml.printing import as_text

    stacks = stacks_of(args)
    value = component_value(args, stacks)
    node = value.written(args.at) if args.at else value.evaluated()
    plain = isinstance(node, Scalar) and isinstance(node.value, str) and args.format == "yaml"
    text = node.text if plain and isinstance(node, Scalar) and not node.secret else ""
    console.print((text or as_text(node, args.format, args.reveal)).rstrip("\n") + "\n")
    wrong = stacks.wrong()
    console.report([*wrong, *stacks.warnings()])
    return FAILED if wrong else OK


COMMAND = Command(
    "stack get",
    "Print a value of a component, evaluated. With --at, print what is written at one place.",
    (
        "plait stack get web -s ue1-prod vars.size",
        "plait stack get web -s ue1-prod vars.limits --format json",
        "plait stack get web -s ue1-prod vars.size --at stacks/catalog/app.yaml",
    ),
    run,
    ARGUMENTS,
    (
        STACK,
        Option(
            "--at", "print what is written at this place: a file, FILE:LINE, a layer or where-defined", metavar="PLACE"
        ),
        *EVALUATING,
        *CONFIG,
    ),
    "plait stack set --help, plait explain component --help, plait help stacks",
)
