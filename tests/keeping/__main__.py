"""Random histories for as long as one likes: `python -m tests.keeping --seconds 600 --of stacks --first 1000`.

They are counted by what they ask, because 5,000 histories that all ask the same prove little.
"""

from __future__ import annotations

import argparse
import faulthandler
import sys
import time
from collections import Counter

from tests.keeping.histories import Broken, History, kind_of, run_history
from tests.keeping.test_documents_law import DocumentHistory, DocumentReviewHistory
from tests.keeping.test_law import AffectedHistory, EntriesHistory, MixedHistory, ReviewHistory, StackHistory
from tests.keeping.test_living_law import LivingHistory

HANGS = 300
"""The seconds after which a history is ended, with the place that it hangs at."""
KINDS: dict[str, type[History]] = {
    "stacks": StackHistory,
    "mixed": MixedHistory,
    "affected": AffectedHistory,
    "entries": EntriesHistory,
    "reviews": ReviewHistory,
    "documents": DocumentHistory,
    "document reviews": DocumentReviewHistory,
    "living": LivingHistory,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--first", type=int, default=time.time_ns() % 10**9, help="the number of the first history")
    parser.add_argument("--of", choices=KINDS, action="append", help="all kinds, if none is named")
    args = parser.parse_args()
    counts = {name: Counter[str]() for name in args.of or KINDS}
    end, number, failed = time.monotonic() + args.seconds, args.first, 0
    while time.monotonic() < end:
        for name, count in counts.items():
            faulthandler.dump_traceback_later(HANGS, exit=True)
            print(f"{name} {number}", end="\r", flush=True)
            try:
                asked = run_history(KINDS[name], number).asked
            except Broken as broken:
                failed += 1
                print(broken, flush=True)
            else:
                count["histories"] += 1
                count["questions"] += len(asked)
                count.update({kind_of(words) for words in asked})
        number += 1
    for name, count in counts.items():
        told = ", ".join(f"{kind} {number}" for kind, number in sorted(count.items()))
        print(f"{name} {args.first} to {number - 1}: {told}; failed {failed}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
