"""`plait describe config`: the effective atmos.yaml, and the files it is made of."""

from __future__ import annotations

from plait.apps.cli.command import Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, REST_OF_FORM, printed, stacks_of, to_console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    shape = stacks.shape(args.format or "json", args.query or "", args.reveal)
    if args.sources:
        text = stacks.config_sources(shape, table=not args.format and not args.query)
    else:
        text = stacks.describe_config(shape)
    return printed(args, console, [text])


COMMAND = Command(
    "describe config",
    "Show the effective configuration: flags over environment over files over defaults.",
    ("plait describe config", "plait describe config --query .stacks", "plait describe config --sources"),
    run,
    (),
    (
        Option("--sources", "the files it is made of, in order, and why others were not read", group="Output"),
        Option("-f --format", "output format (default: json)", choices=("json", "yaml"), group="Output"),
        *REST_OF_FORM,
        *CONFIG,
    ),
    "plait help stacks",
    kept=to_console,
)
