"""`plait validate component`: one component against the schemas of its `settings.validation`."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, stack_name, stacks_of, words
from plait.apps.cli.validate_stacks import report_findings
from plait.core.visible import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stack = stack_name(args)
    found = stacks_of(args).validate_component(
        args.component,
        stack,
        path=args.schema_path or "",
        kind=args.schema_type or "",
        modules=words(args.module_paths),
        timeout=args.timeout or "",
    )
    schemas = f"✓ `{args.component}` in `{stack}`: {counted(found.checked, 'schema')} checked"
    nothing = f"nothing was checked: `{args.component}` in `{stack}` names no schema in `settings.validation`"
    return report_findings(found.findings, args.format, console, schemas if found.checked else nothing)


COMMAND = Command(
    "validate component",
    "Check a component against the JSON Schemas and policies that its `settings.validation` names. The program "
    "`opa` evaluates policies in Rego, with `--allow exec`.",
    (
        "plait validate component vpc -s plat-ue1-prod",
        "plait validate component vpc -s plat-ue1-prod --schema-path vpc/schema.json",
        "plait validate component vpc -s plat-ue1-prod --allow exec --module-paths catalog --timeout 15",
    ),
    run,
    (Argument("COMPONENT", "the component"),),
    (
        STACK,
        Option("--schema-path", "check against this schema instead", metavar="FILE"),
        Option("--schema-type", "what kind of schema it is", choices=("jsonschema", "opa")),
        Option("--module-paths", "more files or folders with policies", metavar="PATH,...", many=True),
        Option("--timeout", "how long a policy may take (default: 20)", metavar="SECONDS"),
        *EVALUATING,
        *CONFIG,
    ),
    "plait validate stacks --help, plait help stacks",
)
