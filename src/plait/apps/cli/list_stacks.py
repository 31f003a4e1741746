"""`plait list stacks`."""

from __future__ import annotations

from plait.apps.cli.command import Option
from plait.apps.cli.lists import LABELS, PROVENANCE, RELATED, rows_command

COMMAND = rows_command(
    "stacks",
    "The names of all stacks. Evaluates only what the names depend on.",
    ("plait list stacks", "plait list stacks vpc", "plait list stacks -s 'plat-*' --format json"),
    Option("-c --of --component", "only stacks with this component", metavar="NAME"),
    *LABELS,
    *RELATED,
    PROVENANCE,
    component="only stacks with this component",
)
