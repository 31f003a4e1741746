"""`plait validate schema`: files of any kind against the schemas that atmos.yaml names for them."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.describe_affected import REVISION
from plait.apps.cli.stacks import CONFIG, stacks_of, truth, words
from plait.apps.cli.validate_stacks import report_findings
from plait.core.visible import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    affected = truth(args.affected, False)
    since = (args.base or args.ref or args.sha or "") if affected else None
    found, compared = stacks.validate_schemas(args.name or "", words(args.exclude), since)
    if compared:
        console.say(compared)
    documents = f"✓ {counted(found.checked, 'document')} checked"
    nothing = "nothing was checked: no entry of `schemas` in atmos.yaml matches a file"
    return report_findings(found.findings, args.format, console, documents if found.checked else nothing)


COMMAND = Command(
    "validate schema",
    "Check files against the JSON Schemas that `schemas` in atmos.yaml names for them (`schema` and `matches`).",
    ("plait validate schema", "plait validate schema vendor"),
    run,
    (Argument("NAME", "only this entry of `schemas`", "?"),),
    (
        Option("--affected", "only files that differ from a revision", switch=True),
        *REVISION,
        Option("--exclude", "not the files that these patterns match", metavar="GLOB,...", many=True),
        *CONFIG,
    ),
    "plait validate config --help, plait help stacks",
    asks_git=lambda args: truth(args.affected, False),
)
