"""The names of all commands, as their reference page has them, which is made from their declarations."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "commands.md"
COMMANDS = re.findall(r"^### plait ([\w -]+)$", PAGE.read_text(encoding="utf-8"), re.M)
assert len(COMMANDS) > 60
