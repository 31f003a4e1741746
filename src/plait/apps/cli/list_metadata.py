"""`plait list metadata`."""

from __future__ import annotations

from plait.apps.cli.lists import values_command

COMMAND = values_command("metadata", "metadata", "The metadata of a component in every stack.")
