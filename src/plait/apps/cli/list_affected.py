"""`plait list affected`: the components that a change touches, as rows."""

from __future__ import annotations

from plait.apps.cli.command import Command, always
from plait.apps.cli.console import Console
from plait.apps.cli.describe_affected import COMPARING, compared
from plait.apps.cli.lists import TABLE, asked
from plait.apps.cli.stacks import CONFIG, EVALUATING, answer, stack_name, stacks_of, to_console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    text = stacks.rows_text("affected", compared(args, stacks, console), asked(args, console, stacks))
    return answer(args, console, stacks, [text], listing=True, stack=stack_name(args))


COMMAND = Command(
    "list affected",
    "The components whose values or code differ from a revision, as rows.",
    (
        "plait list affected --base origin/main",
        "plait list affected --base origin/main --format tree",
        "plait list affected --base v1.2 --filter '.affected == \"component\"' --format csv",
    ),
    run,
    (),
    (*COMPARING, *TABLE, *EVALUATING, *CONFIG),
    "plait help outside",
    kept=to_console,
    asks_git=always,
)
