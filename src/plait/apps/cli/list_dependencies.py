"""`plait list dependencies`."""

from __future__ import annotations

from plait.apps.cli.lists import CHOICE, rows_command

COMMAND = rows_command(
    "dependencies",
    "The declared dependencies of each component.",
    ("plait list dependencies", "plait list dependencies app -s plat-ue1-prod --format tree"),
    *CHOICE,
    component="only those of this component",
)
