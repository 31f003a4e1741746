"""`plait validate component`: one component against the schemas of its `settings.validation`."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, stack_name, stacks_of
from plait.apps.cli.validate_stacks import report_findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


NO_POLICIES = "it is for policies in Rego (OPA), which are not checked"


def run(args: Namespace, console: Console) -> int:
    stack = stack_name(args)
    found = stacks_of(args).validate_component(args.component, stack, args.schema_path or "", args.schema_type or "")
    schemas = f"{found.checked} schema{'' if found.checked == 1 else 's'} checked"
    return report_findings(found.findings, console, f"`{args.component}` in `{stack}`: {schemas}")


COMMAND = Command(
    "validate component",
    "Check a component against the JSON Schemas that its `settings.validation` names. Policies in "
    "Rego (OPA) are not supported.",
    (
        "plait validate component vpc -s plat-ue1-prod",
        "plait validate component vpc -s plat-ue1-prod --schema-path vpc/schema.json",
    ),
    run,
    (Argument("COMPONENT", "the component"),),
    (
        STACK,
        Option("--schema-path", "check against this schema instead", metavar="FILE"),
        Option("--schema-type", "what kind of schema it is", choices=("jsonschema", "opa")),
        Option("--module-paths", "accepted, with a warning", metavar="DIR,...", many=True, undone=NO_POLICIES),
        Option("--timeout", "accepted, with a warning", metavar="SECONDS", undone=NO_POLICIES),
        *EVALUATING,
        *CONFIG,
    ),
    "plait validate stacks --help, plait help stacks",
)
