"""`plait describe config`: the effective atmos.yaml."""

from __future__ import annotations

from plait.apps.cli.command import Command
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, FORM, shape_of, stacks_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    console.print(stacks.describe_config(shape_of(args, stacks)))
    return 0


COMMAND = Command(
    "describe config",
    "Show the effective configuration: flags over environment over files over defaults.",
    ("plait describe config", "plait describe config --query .stacks"),
    run,
    (),
    (*FORM, *CONFIG),
    "docs/fronts/stacks.md",
)
