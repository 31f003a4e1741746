"""`plait spiff merge`: a template filled from stubs."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option
from plait.apps.cli.console import FAILED, OK, Console, workspace_of
from plait.core.diagnostic import PlaitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.workspace import as_text, unresolved_text

    workspace = workspace_of(args)
    form = args.format = "json" if args.json else args.format
    try:
        node, warnings = workspace.spiff([args.template, *args.stub], given=args.define, path=args.path or "")
    except PlaitError as error:
        told = unresolved_text(error)
        if told is None or form == "json":
            raise
        console.say(told)
        if args.explain_errors or console.err.isatty():
            console.say("")
            console.report(error.diagnostics)
        else:
            console.say("(--explain-errors tells where each is, and what to do)")
        return FAILED
    console.report(warnings)
    console.print(as_text(node, form, args.reveal, sort_keys=True))
    return OK


COMMAND = Command(
    "spiff merge",
    "Fill a template from stubs, as spiff does: the template's structure stays, stubs on the right win.",
    (
        "plait spiff merge template.yml stub.yml",
        "plait spiff merge template.yml near.yml far.yml --explain-errors",
        "cat stub.yml | plait spiff merge template.yml - -D env=prod --path jobs --json",
    ),
    run,
    (
        Argument("TEMPLATE", "the document whose structure stays; - is standard input"),
        Argument("STUB", "where its values come from; each is resolved with those on its right", "*"),
    ),
    (
        Option(
            "-D --define",
            "a value that every document sees around it",
            metavar="NAME=VALUE",
            many=True,
            group="Merging",
        ),
        Option(
            "--explain-errors", "after spiff's report, tell each error with its place and what to do", group="Output"
        ),
        Option("--path", "print only this", metavar="PATH", group="Output"),
        Option("--json", "the same as --format json", group="Output"),
    ),
    "docs/fronts/spiff.md, plait explain --help",
    writes=True,
)
