"""`plait layers`: what each layer contributes to the result."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, LAYERING, SPIFF, Argument, Command, when_large
from plait.apps.cli.console import OK, Console, layered, opened, workspace_of
from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.workspace import Share

HEADINGS = ("layer", "values", "in the result", "overridden", "removes")


def run(args: Namespace, console: Console) -> int:
    workspace = workspace_of(args)
    target = opened(args)
    found = workspace.target_shares(target) if target is not None else workspace.shares(layered(args, workspace))
    if args.format == "json":
        from plait.report.data import json_text

        console.print(json_text([_data(share) for share in found]))
        return OK
    rows = [HEADINGS, *(tuple(one_line(str(cell)) for cell in _data(share).values()) for share in found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    for row in rows:
        numbers = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        console.print("    ".join([row[0].ljust(widths[0]), *numbers]).rstrip() + "\n")
    return OK


def _data(share: Share) -> dict[str, object]:
    return {
        "layer": share.name,
        "values": share.gives,
        "in_result": share.wins,
        "overridden": share.overridden,
        "removes": share.removes,
    }


COMMAND = Command(
    "layers",
    "Show what each layer contributes: how many values it gives, and how many of them are in the result.",
    ("plait layers base.yaml prod.yaml", "plait layers values.yaml values-prod.yaml --profile helm --format json"),
    run,
    (Argument("LAYER", "YAML files, lowest first; - is standard input", "*"),),
    (*LAYERING, *SPIFF, AS_TEXT),
    "plait why-not --help, plait help layers",
    kept=when_large("layer"),
)
