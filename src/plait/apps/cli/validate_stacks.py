"""`plait validate stacks`: every manifest read, checked against its schema, and put together."""

from __future__ import annotations

from plait.apps.cli.command import JOBS, Command, Option
from plait.apps.cli.console import FAILED, OK, UNSURE, Console
from plait.apps.cli.describe_affected import REVISION
from plait.apps.cli.stacks import CONFIG, stacks_of, to_console, truth
from plait.core.visible import counted, harmless, one_line, visible
from plait.report.catalog import UNCHECKED_CODES, VALUES_UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.core.diagnostic import Diagnostic


PARTLY = "no errors in what could be checked"


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    if not truth(args.affected, False):
        return report_findings(stacks.validate(), args.format, console, "✓ All stacks validated successfully")
    found, compared = stacks.validate_affected(args.base or args.ref or args.sha or "")
    console.say(compared)
    return report_findings(found, args.format, console, "✓ All affected stacks validated successfully")


def report_findings(diagnostics: list[Diagnostic], form: str, console: Console, success: str) -> int:
    """Print findings and the outcome, as text or as data, and return the exit status. `success` is what the text says
    where everything was checked and nothing is wrong."""
    errors = sum(finding.severity == "error" for finding in diagnostics)
    not_applied = [finding for finding in diagnostics if finding.code in UNCHECKED_CODES]
    status = FAILED if errors else UNSURE if not_applied else OK
    if form == "json":
        from plait.report.data import json_text
        from plait.report.render import checked_data

        console.print(json_text(checked_data(diagnostics)))
        return status
    for finding in diagnostics:
        origin = finding.labels[0].origin if finding.labels else None
        place = f"{origin}: " if origin is not None else ""
        console.say(f"- {place}{finding.severity} {finding.code}: {visible(finding.message)}")
        others = [f"{label.origin}: {label.text}".removesuffix(": ") for label in finding.labels[1:]]
        for line in (*others, *finding.notes, *finding.hint.splitlines()):
            console.say(f"    {harmless(one_line(line))}")
    if errors:
        console.say(f"{errors} error{'s' if errors != 1 else ''}")
    elif not_applied:
        console.say(f"not checked: {counted(len(not_applied), 'schema')}; {PARTLY}")
    elif any(finding.code == VALUES_UNKNOWN.code for finding in diagnostics):
        console.say(PARTLY)
    else:
        console.say(success)
    return status


COMMAND = Command(
    "validate stacks",
    "Check every manifest: YAML, imports, locals, schema, inheritance, and that no stack has a component twice.",
    (
        "plait validate stacks",
        "plait validate stacks --affected --base origin/main",
        "plait validate stacks --schemas-atmos-manifest schema.json",
    ),
    run,
    (),
    (
        Option("--affected", "only what a change since a revision can reach", switch=True),
        *REVISION,
        *CONFIG,
        JOBS,
    ),
    "plait help stacks",
    kept=to_console,
    asks_git=lambda args: truth(args.affected, False),
)
