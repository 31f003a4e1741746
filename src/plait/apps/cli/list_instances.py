"""`plait list instances`."""

from __future__ import annotations

from plait.apps.cli.lists import CHOICE, rows_command

COMMAND = rows_command(
    "instances",
    "Every component of every stack.",
    (
        "plait list instances",
        "plait list instances -s 'plat-*-prod' --columns component --columns 'Where={{ .stack }}'",
    ),
    *CHOICE,
)
