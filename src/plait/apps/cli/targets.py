"""`plait targets`: what can be merged, reviewed and verified by name."""

from __future__ import annotations

from plait.apps.cli.command import Command, Option
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import workspace_of
from plait.report.columns import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.fronts.catalog import check_stacks, listed

    workspace = workspace_of(args)
    rows = listed(workspace.world())
    if not rows:
        check_stacks(workspace.world())
    if args.format == "json":
        from plait.report.data import json_text

        console.print(json_text(rows))
        return OK
    targets = [row for row in rows if "ambiguous" not in row]
    if args.format == "names":
        console.print("".join(f"{row['name']}\n" for row in targets))
        return OK
    lines = columns((str(row["name"]), str(row["kind"]), _files(row)) for row in targets)
    console.print_all([f"{line}\n" for line in lines])
    for row in rows:
        if "ambiguous" in row:
            console.say(f"not a target: {_files(row)}: {row['ambiguous']}")
    if not rows:
        console.say(NOTHING)
    return OK


NOTHING = (
    "no targets were found: no plait.yaml with `targets`, atmos.yaml, chart, kustomization, Compose file, Argo CD or "
    "Flux manifest, helmfile, Ansible inventory or Hydra configuration\nplait help targets says how to declare one"
)


def _files(row: dict[str, Any]) -> str:
    """The files of a target, and the line of another file that declares it."""
    names = " ".join(row["files"])
    declared = row["from"]
    return f"{names}    ({declared})" if declared and not declared.startswith("plait.yaml:") else names


COMMAND = Command(
    "targets",
    "List the targets: those that plait.yaml declares, or what charts, kustomizations and manifests say; and stacks.",
    ("plait targets", "plait targets --format json"),
    run,
    (),
    (
        Option(
            "--format",
            "output format",
            choices=("text", "json", "names"),
            default="text",
            group="Output",
        ),
    ),
    more="plait help targets",
)
