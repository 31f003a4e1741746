"""`plait list metadata`: by stack, or as rows if columns, a filter or an order are asked for."""

from __future__ import annotations

from plait.apps.cli.command import Command
from plait.apps.cli.console import Console
from plait.apps.cli.lists import TABLE, run_rows, run_values, values_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace

ROWS = ("columns", "sort", "filter")
VALUES = values_command("metadata", "metadata", "The metadata of a component in every stack.")


def run(args: Namespace, console: Console) -> int:
    if any(getattr(args, name) for name in ROWS):
        return run_rows("metadata", args, console)
    return run_values("metadata", args, console)


COMMAND = Command(
    VALUES.name,
    VALUES.summary,
    (*VALUES.examples, "plait list metadata --columns component,stack,locked --filter '.locked'"),
    run,
    VALUES.arguments,
    (*VALUES.options, *(option for option in TABLE if option.name in ROWS)),
    VALUES.more,
    kept=VALUES.kept,
)
