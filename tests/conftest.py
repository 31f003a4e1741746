"""Properties draw the same examples in every run of the suite, so that a red run is a change, not luck.

`PLAIT_RANDOM=1 make test` draws others: the way to look for what nobody thought of.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("suite", derandomize=not os.environ.get("PLAIT_RANDOM"), deadline=None)
settings.load_profile("suite")
