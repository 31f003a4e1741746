"""`plait list workflows`: the workflows of a repository, as rows."""

from __future__ import annotations

from plait.apps.cli.command import Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.lists import TABLE, asked
from plait.apps.cli.stacks import CONFIG, answer, stacks_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    rows = stacks.workflow_rows(args.of_file or "")
    return answer(args, console, stacks, [stacks.rows_text("workflows", rows, asked(args, console, stacks))])


COMMAND = Command(
    "list workflows",
    "The workflows that the files below `workflows.base_path` define, as rows.",
    ("plait list workflows", "plait list workflows -f networking.yaml --format csv"),
    run,
    (),
    (
        Option("-f --of-file --file", "only workflows of this file", metavar="FILE"),
        Option("--format", TABLE[0].help, choices=TABLE[0].choices, group="Output"),
        *TABLE[1:],
        *CONFIG,
    ),
    "plait describe workflows --help, plait help stacks",
)
