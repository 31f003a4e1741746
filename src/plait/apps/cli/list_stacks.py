"""`plait list stacks`."""

from __future__ import annotations

from plait.apps.cli.lists import rows_command

COMMAND = rows_command(
    "stacks",
    "The names of all stacks. Evaluates only what the names depend on.",
    ("plait list stacks", "plait list stacks vpc", "plait list stacks -s 'plat-*' --format json"),
    component="only stacks with this component",
)
