"""`plait list settings`."""

from __future__ import annotations

from plait.apps.cli.lists import values_command

COMMAND = values_command("settings", "settings", "The settings of a component in every stack.")
