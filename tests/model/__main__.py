"""`python -m tests.model`: plait beside the models, on random inputs, for a while.

    python -m tests.model --seconds 600
    python -m tests.model references --seconds 60 --seed 7

Properties take turns. A difference is made small and printed, and ends the run with 1; the seed that is printed finds
it again.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback

from hypothesis import HealthCheck, Phase, seed, settings

from tests.model.properties import PROPERTIES

TURN = 40
"""Examples of one property before the next has its turn."""
HOW = settings(
    max_examples=TURN,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("properties", nargs="*", choices=[*PROPERTIES, []], default=[])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    names = args.properties or list(PROPERTIES)
    counts = dict.fromkeys(names, 0)
    properties = {name: HOW(PROPERTIES[name]) for name in names}
    number, ends = args.seed, time.monotonic() + args.seconds
    while time.monotonic() < ends:
        name = names[number % len(names)]
        try:
            seed(number)(properties[name])()
        except Exception:
            traceback.print_exc()
            print(f"found by: python -m tests.model {name!r} --seed {number} --seconds 1")
            return 1
        counts[name] += TURN
        number += 1
    print(", ".join(f"{name} {count}" for name, count in counts.items()) + ": no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
