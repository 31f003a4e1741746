"""`plait verify`: the proof that your files give the same result under plait."""

from __future__ import annotations

from plait.apps.cli.command import JOBS, Command, Option, always
from plait.apps.cli.console import FAILED, OK, UNSURE, Console
from plait.apps.cli.opening import workspace_of
from plait.apps.cli.stacks import EVALUATING, truth, words
from plait.report.catalog import BAD_OPTION
from plait.review.verify import changes_since, earlier
from plait.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.review.verify import Verification

FORMATS = ("text", "markdown", "json", "html")


def run(args: Namespace, console: Console) -> int:
    if len([given for given in (args.against, args.command, args.tools) if given]) != 1:
        raise BAD_OPTION.error(
            why="verify needs saved outputs, a command, or the tools themselves",
            hint="--against FOLDER, or --command 'spiff merge {template} {stubs}', or --tools",
        )
    workspace = workspace_of(args)
    evaluation = evaluation_of(args)
    found = workspace.verify(args.against, args.command, args.target, evaluation, args.tools)
    options: dict[str, object] = {"against": args.against, "command": args.command, **evaluation}
    data = found.data(__version__, options, args.reveal)
    console.print(rendered(found, data, args))
    if args.report:
        changes = changes_since(earlier(workspace.project, args.report), data)
        for line in changes or ["nothing changed"]:
            console.say(f"since {args.report}: {line}")
    return OK if found.equal else UNSURE if found.unsure else FAILED


def evaluation_of(args: Namespace) -> dict[str, object]:
    """How stacks are evaluated, as far as an option says it."""
    given: dict[str, object] = {
        "templates": None if args.process_templates is None else truth(args.process_templates),
        "functions": None if args.process_functions is None else truth(args.process_functions),
        "skip": words(args.skip),
        "error_mode": args.error_mode,
    }
    return {name: value for name, value in given.items() if value not in (None, [])}


def rendered(proved: Verification, data: dict[str, object], args: Namespace) -> str:
    if args.format == "json":
        from plait.report.data import json_text

        return json_text(data)
    from plait.apps.reviews import verification

    return str(getattr(verification, args.format)(proved, data, args.reveal))


COMMAND = Command(
    "verify",
    "Compare what plait gives for each target with the outputs of the tool you come from.",
    (
        "plait verify --against saved-outputs/",
        "plait verify --against stacks.json --format markdown",
        "plait verify --command 'spiff merge {template} {stubs}' --allow exec",
        "plait verify --tools --allow exec",
        "plait verify --against saved-outputs/ --report last.json",
    ),
    run,
    (),
    (
        Option("--against", "saved outputs: FOLDER/TARGET.yaml, or one file", metavar="PLACE"),
        Option(
            "--command",
            "run the old tool; {layers}, {template}, {stubs}, {document}: the files; for stacks, run once",
            metavar="LINE",
        ),
        Option("--tools", "run the tool of each target: helm, kustomize or kubectl, docker compose"),
        Option("--target", "only these targets or stacks", metavar="NAME", many=True),
        *EVALUATING,
        JOBS,
        Option("--report", "an earlier report (JSON): also show what changed since", metavar="FILE"),
        Option("--format", "output format", choices=FORMATS, default="text", group="Output"),
    ),
    "plait help migrate",
    publishes=always,
)
