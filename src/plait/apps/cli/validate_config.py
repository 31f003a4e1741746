"""`plait validate config`: the effective configuration, checked."""

from __future__ import annotations

from plait.apps.cli.command import Command
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, stacks_of
from plait.apps.cli.validate_stacks import report_findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    return report_findings(stacks_of(args).validate_config(), args.format, console, "✓ The configuration is valid")


COMMAND = Command(
    "validate config",
    "Check atmos.yaml and the files that it imports: the kinds of values, and keys that look like typos.",
    ("plait validate config", "plait validate config --config-path envs/dev"),
    run,
    (),
    CONFIG,
    "plait describe config --help, plait help stacks",
)
