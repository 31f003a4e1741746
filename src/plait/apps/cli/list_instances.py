"""`plait list instances`."""

from __future__ import annotations

from plait.apps.cli.command import Option
from plait.apps.cli.lists import CHOICE, PROVENANCE, RELATED, rows_command

COMMAND = rows_command(
    "instances",
    "Every component of every stack.",
    (
        "plait list instances",
        "plait list instances -s 'plat-*-prod' --columns component --columns 'Where={{ .stack }}'",
    ),
    *CHOICE,
    *RELATED,
    PROVENANCE,
    Option("-o --output-file", "with --format matrix, also append it to this file", metavar="FILE", group="Output"),
    Option("--upload", "accepted, with a warning", switch=True, undone="nothing is uploaded"),
)
