"""`plait trust`: let a folder's files do more than compute. Recorded with the user, never in the folder."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, Argument, Command, Option, unless_trying
from plait.apps.cli.console import OK, Console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.fronts.trust import forget_trust, read_trust, record_trust

    if args.list:
        entries = read_trust()
        if args.format == "json":
            from plait.report.data import json_text

            console.print(json_text(entries))
        else:
            for folder, words in entries.items():
                console.print(f"{folder}  {', '.join(words)}\n")
    elif args.remove:
        gone = forget_trust(args.folder or ".")
        console.say(f"{gone} is no longer trusted" if gone else "it was not trusted")
    else:
        folder, words = record_trust(args.folder or ".", args.allow or ["exec"])
        console.say(f"{folder} may now: {', '.join(words)}")
    return OK


COMMAND = Command(
    "trust",
    "Allow this folder's files to run commands (or what --allow names).",
    ("plait trust", "plait trust --allow exec,network infra/", "plait trust --list", "plait trust --remove"),
    run,
    (Argument("FOLDER", "the folder; default: the current one", "?"),),
    (
        Option("--list", "show what is trusted"),
        Option("--remove", "stop trusting it"),
        AS_TEXT,
    ),
    writes=unless_trying,
)
