"""`plait review`: what a change does to the results, with the lines that cause each difference."""

from __future__ import annotations

from plait.apps.cli.command import JOBS, Argument, Command, Option, always
from plait.apps.cli.console import BUG, FAILED, OK, UNSURE, Console
from plait.apps.cli.opening import workspace_of
from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.review.review import Look, Review

SHOWN = 5
WAYS = 50
"""Of how many changed values a comment on a pull request says what they came through."""
FORMATS = ("text", "markdown", "json", "sarif", "github", "html")


def run(args: Namespace, console: Console) -> int:
    workspace = workspace_of(args)
    ways = WAYS if args.format == "markdown" else 0
    report = workspace.review(args.base, args.other, args.target, args.proofs, ways, _look(args.format))
    if report.incomplete:
        console.say(f"plait: this is a bug in plait: the review does not account for all changes of {_some(report)}")
        return BUG
    for note in report.notes:
        console.note(f"{note}")
    console.print(rendered(report, args, console))
    return FAILED if report.failed else UNSURE if report.unsure else OK


def _look(form: str) -> Look | None:
    """What each file contributes to a target, for a form that shows it."""
    if form != "html":
        return None
    from plait.survey.survey import target_shares

    return target_shares


def _some(report: Review) -> str:
    names = [f"`{one_line(name)}`" for name in report.incomplete[:SHOWN]]
    more = len(report.incomplete) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def rendered(report: object, args: Namespace, console: Console) -> str:
    from importlib import import_module

    if args.format in ("json", "sarif", "github"):
        data = import_module("plait.apps.reviews.data")
        return str(getattr(data, f"render_{args.format}")(report, args.reveal))
    form = import_module(f"plait.apps.reviews.{args.format}")
    if args.format == "text":
        return str(form.render(report, console.paint(console.out), args.reveal, args.full))
    return str(form.render(report, args.reveal))


COMMAND = Command(
    "review",
    "Show what a change does to the results, and which changed lines cause each difference.",
    (
        "plait review",
        "plait review main",
        "plait review v1.2..v1.3 --format markdown",
        "plait review old-folder new-folder",
    ),
    run,
    (
        Argument("BASE", "a revision, A..B, or a folder; default: where this branch left the main branch", "?"),
        Argument("OTHER", "with a folder: the folder to compare with it", "?"),
    ),
    (
        Option("--target", "only these targets or stacks", metavar="NAME", many=True),
        Option("--full", "show every value and every target", group="Output"),
        JOBS,
        Option("--proofs", "maximum number of evaluations used for proofs", metavar="N", number=True, default=2000),
        Option("--format", "output format", choices=FORMATS, default="text", group="Output"),
    ),
    "plait help review",
    kept=always,
    publishes=always,
    asks_git=always,
)
