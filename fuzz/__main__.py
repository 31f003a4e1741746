"""`python -m fuzz`: look for inputs that break something, for a while.

    python -m fuzz --seconds 600
    python -m fuzz reader cache --seconds 60 --seed 7

Targets take turns. What is found is made small, printed, and ends the run with 1; the seed that is printed finds it
again.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback

from hypothesis import HealthCheck, Phase, seed, settings

from fuzz.targets import TARGETS

TURN = 40
"""Examples of one target before the next has its turn."""


HOW = settings(
    max_examples=TURN,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], default=[])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    names = args.targets or list(TARGETS)
    counts = dict.fromkeys(names, 0)
    number, ends = args.seed, time.monotonic() + args.seconds
    targets = {name: HOW(TARGETS[name]) for name in names}
    while time.monotonic() < ends:
        name = names[number % len(names)]
        try:
            seed(number)(targets[name])()
        except Exception:
            traceback.print_exc()
            print(f"found by: python -m fuzz {name} --seed {number} --seconds 1")
            return 1
        counts[name] += TURN
        number += 1
    print(", ".join(f"{name} {count}" for name, count in counts.items()) + ": nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
