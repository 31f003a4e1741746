"""`plait functions`: what can be used, from the declarations themselves."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, PRINTING, Argument, Command
from plait.apps.cli.console import OK, Console
from plait.report.catalog import BAD_OPTION
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.fronts.notations import function_listings as function_table

    tables = function_table()
    if args.notation and args.notation not in tables:
        hint = did_you_mean(args.notation, tables) or f"available: {', '.join(tables)}"
        raise BAD_OPTION.error(why=f"unknown notation `{args.notation}`", hint=hint)
    chosen = {args.notation: tables[args.notation]} if args.notation else tables
    listed = {name: rows() for name, rows in chosen.items()}
    if args.format == "json":
        from plait.report.data import json_text

        console.print(json_text(listed))
        return OK
    for name, rows in listed.items():
        console.print(f"{name}\n")
        for row in rows:
            console.print(f"  {row['signature']}\n      {row['about']}\n      for example: {row['example']}\n")
    return OK


COMMAND = Command(
    "functions",
    "List the functions that can be used, with an example of each.",
    ("plait functions", "plait functions tags --format json"),
    run,
    (Argument("NOTATION", "only those of one notation", "?"),),
    (AS_TEXT,),
    common=PRINTING,
)
