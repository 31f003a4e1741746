"""`plait lint`: likely mistakes in a set of layers, for people, for programs and for code review."""

from __future__ import annotations

from plait.apps.cli.command import JOBS, LAYERING, SPIFF, Argument, Command, Option, when_large
from plait.apps.cli.console import FAILED, OK, UNSURE, Console
from plait.apps.cli.namespace import CommandRun, Namespace, Operands
from plait.apps.cli.opening import READ_AS_LAYERS, layered, merge_options_of, opened, workspace_of
from plait.apps.cli.targets import NOTHING
from plait.core.diagnostic import Fault
from plait.core.meter import Overrun
from plait.report.catalog import UNCHECKED_CODES
from plait.report.unknown import not_known_here, unknown_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.diagnostic import Diagnostic
    from plait.fronts.front import Target
    from plait.fronts.lint import ResourceSchemas
    from plait.report.unknown import UnknownValue
    from plait.workspace import Workspace

FAIL_ON = {"warning": ("warning", "error"), "error": ("error",)}


def run(args: Namespace, console: Console) -> int:
    unknown: list[UnknownValue] = []
    if args.layer or args.target:
        workspace = workspace_of(args)
        found = findings(args, workspace, unknown, _schemas(args, workspace))
    else:
        of_targets = of_all_targets(args, unknown)
        if of_targets is None:
            console.say(NOTHING)
            console.print("" if args.format == "text" else FORMS[args.format]([], [], console))
            return OK
        found = of_targets
    console.print(FORMS[args.format](found, unknown, console))
    console.report(not_known_here(unknown), "json" if args.format == "json" else "yaml")
    not_applied = {one.code for one in found} & UNCHECKED_CODES
    if any(one.severity in FAIL_ON[args.fail_on] for one in found if one.code not in not_applied):
        return FAILED
    return UNSURE if not_applied else OK


def of_all_targets(args: Namespace, unknown: list[UnknownValue]) -> list[Diagnostic] | None:
    """Return what lint finds in all targets, or None if there are no targets. Values that are not known are added to
    `unknown`."""
    from plait.access.workers import not_fine
    from plait.fronts.catalog import check_stacks

    workspace = workspace_of(args, with_operands=False)
    targets = list(workspace.targets())
    if not targets:
        check_stacks(workspace.world())
        return None
    each = [(target.name, _asking_about(target, args)) for target in targets]
    schemas = _schemas(args, workspace)

    def looked_at(own: tuple[str, Namespace], unknown: list[UnknownValue]) -> list[Diagnostic]:
        workspace.meter.next_part()
        return findings(own[1], workspace, unknown, schemas)

    def is_fine(own: tuple[str, Namespace]) -> bool:
        here: list[UnknownValue] = []
        return not looked_at(own, here) and not here

    found: list[Diagnostic] = []
    project = workspace.project
    for own in project.each(
        not_fine(is_fine, each, project.jobs, project.guard, project.trace), len(each), "linting targets"
    ):
        try:
            found += looked_at(own, unknown)
        except Overrun as overrun:  # what was found until now is printed, and the run ends
            note = f"while the target `{own[0]}` was looked at; those after it were not"
            found += [one.also_noting(note) for one in overrun.diagnostics]
            break
    return list(dict.fromkeys(found))


def _asking_about(target: Target, args: Namespace) -> Namespace:
    """Return the words of the command line for a run of their own whose operands are one target."""
    run = CommandRun(args.run.console)
    is_read_as_layers = target.kind in READ_AS_LAYERS and not target.declaration.parameters
    run.operands = Operands(target.files, profile="") if is_read_as_layers else Operands([], target)
    return Namespace(vars(args), run)


def _schemas(args: Namespace, workspace: Workspace) -> ResourceSchemas | None:
    """The schemas of the folder that the user names, for all targets."""
    if not args.schemas:
        return None
    from plait.fronts.lint import ResourceSchemas

    return ResourceSchemas(workspace.project, args.schemas)


def findings(
    args: Namespace, workspace: Workspace, unknown: list[UnknownValue], schemas: ResourceSchemas | None
) -> list[Diagnostic]:
    """What lint finds; where the layers cannot be merged, the errors that stop it, in the same form. Values of a
    target that are not known are added to `unknown`; of layers alone, nothing is computed."""
    target = opened(args)
    if target is not None:
        found = workspace.linted(target, select=args.select, ignore=args.ignore, schemas=schemas)
        unknown += target.unknown
        return found
    try:
        bundle = layered(args, workspace)
    except Fault as error:
        if any(label.origin.source.given for one in error.diagnostics for label in one.labels):
            raise
        return list(error.diagnostics)
    options = merge_options_of(args, workspace)
    choice = {"select": args.select, "ignore": args.ignore}
    return workspace.lint(bundle, options, templates=args.templates, schemas=schemas, **choice)


def _text(diagnostics: list[Diagnostic], unknown: list[UnknownValue], console: Console) -> str:
    from plait.report.render import render

    return render(diagnostics, console.paint(console.out)) or "nothing found\n"


def _json(diagnostics: list[Diagnostic], unknown: list[UnknownValue], console: Console) -> str:
    from plait.report.render import checked_data

    return _dumped({**checked_data(diagnostics), **({"unknown": unknown_data(unknown)} if unknown else {})})


def _github(diagnostics: list[Diagnostic], unknown: list[UnknownValue], console: Console) -> str:
    """Workflow commands: GitHub shows them at the lines of a change."""
    from plait.report.render import in_order

    return "".join(_command(one) for one in in_order(diagnostics))


def _command(one: Diagnostic) -> str:
    place = ""
    if one.labels:
        origin = one.labels[-1].origin
        place = f"file={_property(origin.file)},line={origin.line},col={origin.column},"
    message = "\n".join(filter(None, (one.message, one.hint)))
    return f"::{one.severity} {place}title={one.code}::{_escaped(message)}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _sarif(diagnostics: list[Diagnostic], unknown: list[UnknownValue], console: Console) -> str:
    """SARIF 2.1.0, which code scanners and editors read."""
    from plait.report.catalog import CATALOG
    from plait.report.render import in_order
    from plait.version import __version__

    rules = [
        {"id": code, "shortDescription": {"text": CATALOG[code].about}}
        for code in sorted({one.code for one in diagnostics})
    ]
    driver = {"name": "plait", "version": __version__, "rules": rules}
    results = [_result(one) for one in in_order(diagnostics)]
    return _dumped(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{"tool": {"driver": driver}, "results": results}],
        }
    )


def _result(one: Diagnostic) -> dict[str, object]:
    message = "\n".join(filter(None, (one.message, one.hint)))
    locations = [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": label.origin.file},
                "region": {"startLine": label.origin.line, "startColumn": label.origin.column},
            }
        }
        for label in reversed(one.labels)
    ]
    level = "error" if one.severity == "error" else "warning"
    main, *related = locations or [{}]
    return {
        "ruleId": one.code,
        "level": level,
        "message": {"text": message},
        "locations": [main] if main else [],
        **({"relatedLocations": related} if related else {}),
    }


def _dumped(data: object) -> str:
    from plait.report.data import json_text

    return json_text(data)


FORMS: dict[str, Callable[[list[Diagnostic], list[UnknownValue], Console], str]] = {
    "text": _text,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
}

COMMAND = Command(
    "lint",
    "Find likely mistakes in a set of layers: lists replaced by accident, misspelt keys, secrets, YAML 1.1 pitfalls.",
    (
        "plait lint base.yaml prod.yaml",
        "plait lint",
        "plait lint values.yaml values-prod.yaml --profile helm --templates charts/shop/templates",
        "plait lint deploy.yaml patch.yaml --profile kubernetes --schemas schemas/v1.32-standalone",
        "plait lint base.yaml prod.yaml --select PL2301,PL2306 --format github",
        "plait lint base.yaml prod.yaml --ignore PL2303 --fail-on error",
    ),
    run,
    (Argument("LAYER", "YAML files, lowest first; - is standard input; without any: every target", "*"),),
    (
        *LAYERING,
        *SPIFF,
        JOBS,
        Option("--select", "only these codes, or beginnings of codes", metavar="CODE", many=True, group="Findings"),
        Option("--ignore", "all but these codes", metavar="CODE", many=True, group="Findings"),
        Option(
            "--fail-on",
            "the exit status is 1 for findings of this severity (default: warning)",
            choices=tuple(FAIL_ON),
            default="warning",
            group="Findings",
        ),
        Option("--templates", "Helm templates that read the result", metavar="FOLDER", default="", group="Findings"),
        Option("--schemas", "JSON Schemas of resources, by kind", metavar="FOLDER", default="", group="Findings"),
        Option("--format", "output format", choices=tuple(FORMS), default="text", group="Output"),
    ),
    "plait help reference/lint",
    kept=when_large("layer"),
    publishes=lambda args: args.format in ("sarif", "github"),
)
