"""How many examples a property draws: few in the suite, and as many as one likes with `make laws EXAMPLES=1000`."""

from __future__ import annotations

import os


def examples(few: int) -> int:
    """The number that the suite draws, or the one that was asked for; never fewer than the suite does."""
    return max(few, int(os.environ.get("PLAIT_EXAMPLES", "0")))


def every(nth: int) -> int:
    """Of many steps of one run that are tried one by one, the suite tries every n-th; `make laws` tries all."""
    return 1 if "PLAIT_EXAMPLES" in os.environ else nth
