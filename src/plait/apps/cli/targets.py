"""`plait targets`: what can be merged, reviewed and verified by name."""

from __future__ import annotations

from plait.apps.cli.command import Command, Option
from plait.apps.cli.console import OK, Console, workspace_of
from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    rows = workspace_of(args).target_rows()
    if args.format == "json":
        from plait.report.data import json_text

        data = [{"name": name, "kind": kind, "files": files} for name, kind, files in rows]
        console.print(json_text(data))
        return OK
    if args.format == "names":
        console.print("".join(f"{name}\n" for name, _, _ in rows))
        return OK
    wide, kinds = (max((len(row[column]) for row in rows), default=0) for column in (0, 1))
    for name, kind, files in rows:
        console.print(one_line(f"{name.ljust(wide)}    {kind.ljust(kinds)}    {' '.join(files)}".rstrip()) + "\n")
    if not rows:
        console.say("no targets are declared; add `targets` to plait.yaml")
    return OK


COMMAND = Command(
    "targets",
    "List the targets: those that plait.yaml declares, and the stacks of a repository with an atmos.yaml.",
    ("plait targets", "plait targets --format json"),
    run,
    (),
    (
        Option(
            "--format",
            "output format",
            choices=("text", "json", "names"),
            default="text",
            group="Output",
        ),
    ),
    more="plait help targets",
)
