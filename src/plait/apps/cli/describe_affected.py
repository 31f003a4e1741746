"""`plait describe affected`: the components that a change touches."""

from __future__ import annotations

from plait.access.outputs import append_outputs
from plait.apps.cli.command import WRITING, Command, Option, always
from plait.apps.cli.console import Console
from plait.apps.cli.opening import setting
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, answer, stack_name, stacks_of, to_console, truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.fronts.questions import StackQuestions

    Row = dict[str, object]

REVISION = (
    Option("--base", "the revision to compare with (a branch, a tag, a commit)", metavar="REF"),
    Option("--ref", "the same: a reference, as in refs/heads/main", metavar="REF"),
    Option("--sha", "the same: a commit", metavar="SHA"),
)
LOCAL = "nothing is cloned: the revision is read from this repository; fetch it first"
UNDONE = (
    ("--upload", "", "nothing is uploaded"),
    ("--ssh-key", "FILE", LOCAL),
    ("--ssh-key-password", "TEXT", LOCAL),
    ("--clone-target-ref", "", LOCAL),
    (
        "--include-spacelift-admin-stacks",
        "",
        "a stack of Spacelift is listed only if it is affected itself",
    ),
)
"""Flags that ask for something that plait does not do: the flag, its value, and what is not done."""
COMPARING = (
    STACK,
    *REVISION,
    Option("--repo-path", "compare with this folder, a clone that has the other revision", metavar="DIR"),
    Option("--include-dependents", "also what depends on each, and what depends on that", switch=True),
    Option("--include-settings", "also the settings of each component", switch=True),
    Option("--exclude-locked", "leave out components that are locked", switch=True),
    *(
        Option(flag, "accepted, with a warning", metavar=metavar, switch=not metavar, undone=why)
        for flag, metavar, why in UNDONE
    ),
    Option("--verbose", "print what was compared, and how many values were computed", switch=True),
)


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    rows = compared(args, stacks, console)
    text = stacks.lists.affected(rows, args.format, args.query or "")
    outputs = setting(args, "GITHUB_OUTPUT")
    if outputs and args.format == "matrix":
        args.run.open_workspace.project.trace.unfollowed.add("a file of outputs")
        append_outputs(outputs, {"matrix": text.strip(), "affected_count": str(len(rows))})
    return answer(args, console, stacks, [text], listing=True, stack=stack_name(args))


def compared(args: Namespace, stacks: StackQuestions, console: Console) -> list[Row]:
    """The rows of the comparison that the options describe."""
    comparison = stacks.affected(
        args.base or args.ref or args.sha or "",
        folder=args.repo_path or "",
        stack=stack_name(args),
        dependents=truth(args.include_dependents, False),
        settings=truth(args.include_settings, False),
        locked=not truth(args.exclude_locked, False),
        reveal=args.reveal,
    )
    if truth(args.verbose, False):
        for line in comparison.account:
            console.say(line)
    return comparison.rows


COMMAND = Command(
    "describe affected",
    "Show the components whose values or code differ from a revision, and why.",
    (
        "plait describe affected --base origin/main",
        "plait describe affected --base v1.2 --format table",
        "plait describe affected --base origin/main --format matrix",
    ),
    run,
    (),
    (
        *COMPARING,
        Option(
            "-f --format",
            "output format; matrix is for continuous integration",
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
    "plait help outside",
    kept=to_console,
    asks_git=always,
)
