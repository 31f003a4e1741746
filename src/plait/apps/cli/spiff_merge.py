"""`plait spiff merge`: a template filled from stubs."""

from __future__ import annotations

from plait.apps.cli.command import DIALECT, Argument, Command, Option, when_large
from plait.apps.cli.console import FAILED, OK, Console
from plait.apps.cli.opening import form_of, workspace_of
from plait.core.diagnostic import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.yaml.printing import stream_pieces

    workspace = workspace_of(args)
    form = form_of(args)
    features = [*args.features, *(["interpolation"] if args.interpolation else [])]
    try:
        options = workspace.spiff.options(
            args.dialect or "", features, args.tag, args.preserve_escapes, args.preserve_temporary
        )
        nodes, warnings = workspace.spiff.merge(
            [args.template, *args.stub],
            given=args.define,
            bindings=args.bindings,
            strict=args.strict,
            options=options,
            path=args.path or "",
            select=tuple(args.select),
            evaluate=args.evaluate or "",
            split=args.split,
            partial=args.partial,
            state=args.state or "",
        )
    except Fault as error:
        report = workspace.spiff.unresolved(error)
        if report is None or form == "json":
            raise
        console.say(report)
        if args.explain_errors or console.err.isatty():
            console.say("")
            console.report(error.diagnostics)
        else:
            console.say("(--explain-errors shows the place of each error and how to fix it)")
        return FAILED
    console.report(warnings)
    console.print_all(stream_pieces(nodes, form, args.reveal, options.dialect.successor, workspace.meter))
    return OK


COMMAND = Command(
    "spiff merge",
    "Fill a template from stubs, as spiff does: the template's structure stays, stubs on the right win.",
    (
        "plait spiff merge template.yml stub.yml",
        "plait spiff merge template.yml near.yml far.yml --explain-errors",
        "cat stub.yml | plait spiff merge template.yml - -D env=prod --path jobs --json",
        "plait spiff merge template.yml stub.yml --dialect spiff++ --features control",
    ),
    run,
    (
        Argument("TEMPLATE", "the document whose structure stays; - is standard input"),
        Argument("STUB", "where its values come from; each is resolved with those on its right", "*"),
    ),
    (
        Option(
            "-D --define",
            "a value that is visible to every document",
            metavar="NAME=VALUE",
            many=True,
            group="Merging",
        ),
        Option(
            "--bindings",
            "a YAML file with values that are visible to every document",
            metavar="FILE",
            many=True,
            group="Merging",
        ),
        *DIALECT,
        Option("--interpolation", "the same as --features interpolation", group="Merging"),
        Option(
            "--tag",
            "a tag with the content of a file, for every document",
            metavar="NAME:FILE",
            many=True,
            group="Merging",
        ),
        Option(
            "--state",
            "read this file as the last stub, and write the nodes marked &state to it",
            metavar="FILE",
            group="Merging",
        ),
        Option("--strict", "duplicate keys are errors, not warnings", group="Merging"),
        Option(
            "--explain-errors", "after spiff's report, show each error with its place and how to fix it", group="Output"
        ),
        Option("--partial", "print what cannot be resolved as it is written", group="Output"),
        Option("--evaluate", "print the value of an expression on the result", metavar="EXPRESSION", group="Output"),
        Option("--preserve-escapes", "leave ((! and <<! as they are", group="Output"),
        Option("--preserve-temporary", "keep nodes marked &temporary", group="Output"),
        Option("--path", "print only this path", metavar="PATH", group="Output"),
        Option("--select", "print only this path; may be repeated", metavar="PATH", many=True, group="Output"),
        Option("--split", "print the items of a list as documents", group="Output"),
        Option("--json", "the same as --format json", group="Output"),
    ),
    "plait help spiff, plait explain --help",
    kept=lambda args: not args.state and when_large("template", "stub")(args),
    writes=lambda args: bool(args.state),
)
