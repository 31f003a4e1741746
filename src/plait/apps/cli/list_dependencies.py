"""`plait list dependencies`."""

from __future__ import annotations

from plait.apps.cli.lists import CHOICE, rows_command

COMMAND = rows_command(
    "dependencies",
    "The components that each component declares to depend on.",
    ("plait list dependencies", "plait list dependencies app -s plat-ue1-prod --format tree"),
    *CHOICE,
    component="only those of this component",
)
