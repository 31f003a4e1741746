"""`plait list dependencies`."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option
from plait.apps.cli.lists import CHOICE, TABLE, run_rows
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, to_console

KINDS = {"forward": "dependencies", "reverse": "dependencies reverse", "both": "dependencies both"}

COMMAND = Command(
    "list dependencies",
    "The declared dependencies of each component, in one direction or in both.",
    (
        "plait list dependencies",
        "plait list dependencies app -s plat-ue1-prod --direction forward --format tree",
        "plait list dependencies vpc --direction reverse",
    ),
    lambda args, console: run_rows(KINDS[args.direction], args, console),
    (Argument("COMPONENT", "only those of this component", "?"),),
    (
        STACK,
        Option(
            "-d --direction",
            "what a component depends on, what depends on it, or both",
            choices=("forward", "reverse", "both"),
            default="both",
        ),
        *CHOICE,
        *TABLE,
        *EVALUATING,
        *CONFIG,
    ),
    "plait describe dependents --help, plait help stacks",
    kept=to_console,
)
