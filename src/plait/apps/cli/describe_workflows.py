"""`plait describe workflows`: the workflows of a repository."""

from __future__ import annotations

from plait.apps.cli.command import Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, FORM, answer, shape_of, stacks_of, to_console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    return answer(args, console, stacks, [stacks.describe_workflows(args.output, shape_of(args, stacks))])


COMMAND = Command(
    "describe workflows",
    "Show the workflows that the files below `workflows.base_path` define.",
    ("plait describe workflows", "plait describe workflows -o all --format json"),
    run,
    (),
    (
        Option(
            "-o --output",
            "each workflow with its file, the names by file, or everything",
            choices=("list", "map", "all"),
            default="list",
        ),
        *FORM,
        *CONFIG,
    ),
    "plait list workflows --help, plait help stacks",
    kept=to_console,
)
