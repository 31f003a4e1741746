"""A plugin for pytest: the suite as it is where no optional package is installed. `pytest -p tests.bare` loads it."""

from __future__ import annotations

import sys

EXTRAS = ("jsonschema_rs",)
for name in EXTRAS:
    sys.modules[name] = None  # type: ignore[assignment]
