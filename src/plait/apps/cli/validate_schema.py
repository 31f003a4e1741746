"""`plait validate schema`: files of any kind against the schemas that atmos.yaml names for them."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, stacks_of
from plait.apps.cli.validate_stacks import report_findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    found = stacks_of(args).validate_schemas(args.name or "")
    documents = f"{found.checked} document{'' if found.checked == 1 else 's'}"
    return report_findings(found.findings, console, f"{documents} checked")


COMMAND = Command(
    "validate schema",
    "Check files against the JSON Schemas that `schemas` in atmos.yaml names for them (`schema` and `matches`).",
    ("plait validate schema", "plait validate schema vendor"),
    run,
    (Argument("NAME", "only this entry of `schemas`", "?"),),
    CONFIG,
    "plait validate config --help, plait help stacks",
)
