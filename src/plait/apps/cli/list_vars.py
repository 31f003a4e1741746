"""`plait list vars`."""

from __future__ import annotations

from plait.apps.cli.lists import values_command

COMMAND = values_command("vars", "vars", "The vars of a component in every stack.")
