"""`plait patterns check`: try a pattern with sample inputs in every environment."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command
from plait.apps.cli.console import OK, Console
from plait.apps.cli.create import FORM, SEARCH, answered
from plait.apps.cli.opening import workspace_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    def work() -> int:
        from plait.yaml.printing import data_text

        patterns = workspace_of(args).patterns
        tried = patterns.check(patterns.pattern(args.pattern, args.patterns))
        if args.format != "text":
            console.print(data_text(tried, args.format))
            return OK
        for item in tried:
            console.print(f"{item['inputs'] or 'as it is'}: resources {item['resources']}, files {item['files']}\n")
        return OK

    return answered(args, console, work)


COMMAND = Command(
    "patterns check",
    "Try a pattern with sample inputs, in every environment.",
    ("plait patterns check my-service",),
    run,
    (Argument("PATTERN", "its name"),),
    (SEARCH, FORM),
    "plait help patterns",
)
