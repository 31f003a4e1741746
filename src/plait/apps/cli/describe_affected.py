"""`plait describe affected`: the components that a change touches."""

from __future__ import annotations

from plait.apps.cli.command import WRITING, Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, EVALUATING, answer, stacks_of, truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    ref = args.base or args.ref or args.sha or "HEAD"
    rows = stacks.affected(ref, truth(args.include_dependents, False), args.reveal)
    return answer(args, console, stacks, stacks.affected_text(rows, args.format, args.query or ""))


COMMAND = Command(
    "describe affected",
    "Show the components whose values or code differ from a revision, and why: from what their evaluation read.",
    (
        "plait describe affected --base origin/main",
        "plait describe affected --base v1.2 --format table",
        "plait describe affected --base origin/main --format matrix",
    ),
    run,
    (),
    (
        Option("--base", "the revision to compare with (a branch, a tag, a commit)", metavar="REF"),
        Option("--ref", "the same", metavar="REF"),
        Option("--sha", "the same", metavar="REF"),
        Option("--include-dependents", "also the components that refer to each", switch=True),
        Option(
            "-f --format",
            "json, yaml, table or matrix (for continuous integration)",
            choices=("json", "yaml", "table", "matrix"),
            default="json",
            group="Output",
        ),
        Option("-q --query", "print only what a yq expression finds", metavar="YQ", group="Output"),
        Option("--file", "write to a file, atomically", metavar="FILE", group="Output"),
        *WRITING,
        *EVALUATING,
        *CONFIG,
    ),
    "docs/outside.md",
)
