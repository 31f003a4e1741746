"""`python -m tests.model`: plait beside the models, on random inputs, for a while.

    python -m tests.model --seconds 600
    python -m tests.model references --seconds 60 --seed 7

Properties take turns. A difference is printed at once, as it was drawn, and then made small, which takes up to some
minutes; it ends the run with 1, and the seed that is printed finds it again.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
import traceback

from hypothesis import HealthCheck, Phase, seed, settings

from tests.model.properties import PROPERTIES

TURN = 40
"""Examples of one property before the next has its turn."""
LOOKING = settings(
    max_examples=TURN,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),
)
MEMORY = 4 << 30
"""Bytes that making a difference small may take: it has been printed before."""
SHRINKING = settings(LOOKING, phases=(Phase.generate, Phase.shrink))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("properties", nargs="*", choices=[*PROPERTIES, []], default=[])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--smaller", action="store_true", help="make a difference small before it is printed")
    args = parser.parse_args()
    if args.smaller:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    names = args.properties or list(PROPERTIES)
    counts = dict.fromkeys(names, 0)
    how = SHRINKING if args.smaller else LOOKING
    properties = {name: how(PROPERTIES[name]) for name in names}
    number, ends = args.seed, time.monotonic() + args.seconds
    while time.monotonic() < ends:
        name = names[number % len(names)]
        try:
            seed(number)(properties[name])()
        except Exception:
            traceback.print_exc()
            print(f"found by: python -m tests.model {name!r} --seed {number} --seconds 1", flush=True)
            return 1 if args.smaller else smaller(name, number)
        counts[name] += TURN
        number += 1
    print(", ".join(f"{name} {count}" for name, count in counts.items()) + ": no difference")
    return 0


def smaller(name: str, number: int) -> int:
    """Find a difference once more, in a process of its own, and make it small."""
    words = [sys.executable, "-m", "tests.model", name, "--seed", str(number), "--seconds", "1", "--smaller"]
    return subprocess.run(words).returncode


if __name__ == "__main__":
    sys.exit(main())
