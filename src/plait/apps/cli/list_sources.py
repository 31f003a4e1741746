"""`plait list sources`."""

from __future__ import annotations

from plait.apps.cli.lists import CHOICE, rows_command

COMMAND = rows_command(
    "sources",
    "The components whose code comes from elsewhere: those with a `source`.",
    ("plait list sources", "plait list sources --format csv --columns component,stack,version"),
    *CHOICE,
    component="only those of this component",
)
