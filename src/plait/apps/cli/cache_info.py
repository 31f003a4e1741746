"""`plait cache info`: what is kept between runs, where, and how much it may become."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, PRINTING, Command
from plait.apps.cli.console import OK, Console
from plait.keeping.folder import FOLDER_LIMIT, cache_folder, contents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace

MEGABYTE = 1_000_000
HINT = "A command with --why-computed tells what it took from there, or the input that made it compute again.\n"


def run(args: Namespace, console: Console) -> int:
    found = contents()
    if args.format == "json":
        from plait.report.data import json_text

        data = {
            "folder": cache_folder(),
            "limit": FOLDER_LIMIT,
            "contents": {kind: {"files": count, "bytes": size} for kind, (count, size) in found.items()},
        }
        console.print(json_text(data))
        return OK
    console.print(f"{cache_folder()}\n")
    for kind, (count, size) in found.items():
        console.print(
            f"  {kind.ljust(12)}  {count:>6} {'file ' if count == 1 else 'files'}  {size / MEGABYTE:>9.1f} MB\n"
        )
    total = sum(size for _, size in found.values())
    console.print(f"  together      {total / MEGABYTE:>18.1f} MB of at most {FOLDER_LIMIT // MEGABYTE} MB\n")
    console.print(HINT)
    return OK


COMMAND = Command(
    "cache info",
    "Show what is kept between runs: parsed files and answers, and how much space they take.",
    ("plait cache info", "plait cache info --format json"),
    run,
    options=(AS_TEXT,),
    common=PRINTING,
)
