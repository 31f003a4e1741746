"""`plait patterns list`: the patterns that can be found, and where each comes from."""

from __future__ import annotations

from plait.apps.cli.command import Command
from plait.apps.cli.console import OK, Console
from plait.apps.cli.create import FORM, SEARCH, answered
from plait.apps.cli.opening import workspace_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    def work() -> int:
        from plait.yaml.printing import data_text

        found = workspace_of(args).patterns.known(args.patterns)
        if args.format != "text":
            console.print(data_text(found, args.format))
            return OK
        width = max((len(str(item["name"])) for item in found), default=0)
        for item in found:
            console.print(f"{str(item['name']).ljust(width)}  {item['version']}  {item['description']}\n")
        return OK

    return answered(args, console, work)


COMMAND = Command(
    "patterns list",
    "List the patterns that can be found.",
    ("plait patterns list", "plait patterns list --format json"),
    run,
    (),
    (SEARCH, FORM),
    "plait patterns describe PATTERN",
)
