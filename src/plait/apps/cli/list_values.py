"""`plait list values`."""

from __future__ import annotations

from plait.apps.cli.lists import values_command

COMMAND = values_command("values", "", "All sections of a component in every stack.")
