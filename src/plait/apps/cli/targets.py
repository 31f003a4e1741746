"""`plait targets`: what can be merged, reviewed and verified by name."""

from __future__ import annotations

from plait.apps.cli.command import Command
from plait.apps.cli.console import OK, Console, workspace_of
from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def run(args: Namespace, console: Console) -> int:
    found = workspace_of(args).targets().known.values()
    if args.format == "json":
        import json

        rows = [{"name": target.name, "kind": target.kind, "files": target.files} for target in found]
        console.print(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
        return OK
    width = max((len(target.name) for target in found), default=0)
    for target in found:
        console.print(f"{one_line(target.name).ljust(width)}    {target.kind}    {one_line(' '.join(target.files))}\n")
    if not found:
        console.say("no targets are declared; add `targets` to plait.yaml")
    return OK


COMMAND = Command(
    "targets",
    "List the targets that plait.yaml declares.",
    ("plait targets", "plait targets --format json"),
    run,
    more="docs/targets.md",
)
