"""`plait layers`: what each layer contributes to the result."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, LAYERING, SPIFF, Argument, Command, when_large
from plait.apps.cli.console import FAILED, OK, Console
from plait.apps.cli.opening import layered, opened, workspace_of
from plait.core.diagnostic import Fault
from plait.core.unknown import mistakes_in
from plait.core.visible import one_line
from plait.report.unknown import not_known_here, unknown_data, unknown_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.core.node import Node
    from plait.fronts.front import Target
    from plait.fronts.origins import Share
    from plait.report.unknown import UnknownValue

HEADINGS = ("layer", "values", "in the result", "overridden", "removes")


def run(args: Namespace, console: Console) -> int:
    from plait.fronts.origins import shares
    from plait.survey.survey import target_shares

    workspace = workspace_of(args)
    target = opened(args)
    if target is not None:
        made, found = _results(target), target_shares(target)
    else:
        bundle = layered(args, workspace)
        made, found = [member.tree.with_failures() for member in bundle.members], shares(bundle)
    unknown = [value for node in made for value in unknown_in(node)]
    if args.format == "json":
        from plait.report.data import json_text

        console.print(json_text([_with_unknown(share, unknown) for share in found]))
    else:
        _print(found, console)
    wrong = [finding for node in made for finding in mistakes_in(node)]
    console.report([*wrong, *not_known_here(unknown)])
    return FAILED if wrong else OK


def _results(target: Target) -> list[Node]:
    """The documents of a target, with what could not be computed in its place."""
    return [found for _, found in target.results() if not isinstance(found, Fault)]


def _with_unknown(share: Share, unknown: list[UnknownValue]) -> dict[str, object]:
    """A layer as data, with the values that it writes and that are not known here."""
    own = [value for value in unknown if value.value.origin.file == share.name]
    return {**_data(share), **({"unknown": unknown_data(own)} if own else {})}


def _print(found: list[Share], console: Console) -> None:
    rows = [HEADINGS, *(tuple(one_line(str(cell)) for cell in _data(share).values()) for share in found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    for row in rows:
        numbers = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        console.print("    ".join([row[0].ljust(widths[0]), *numbers]).rstrip() + "\n")


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
