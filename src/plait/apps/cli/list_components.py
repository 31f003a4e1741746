"""`plait list components`."""

from __future__ import annotations

from plait.apps.cli.lists import ABSTRACT, CHOICE, RELATED, rows_command

COMMAND = rows_command(
    "components",
    "The components of all stacks, and in how many stacks each one is.",
    ("plait list components", "plait list components --type all --format csv"),
    *CHOICE,
    ABSTRACT,
    *RELATED,
)
