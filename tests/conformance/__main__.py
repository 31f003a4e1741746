"""`python -m tests.conformance [--cases DIR] [--only KIND] [--json FILE]`"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.conformance.runner import SHARED, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance")
    parser.add_argument("--cases", type=Path, default=SHARED, help="a folder of cases")
    parser.add_argument("--only", help="a kind (spiff/merge), or all of a folder (spiff)")
    parser.add_argument("--json", type=Path, help="write the outcome as data")
    args = parser.parse_args()
    outcomes = run(args.cases, args.only)
    for kind, outcome in outcomes.items():
        print(f"{kind:20} {outcome.passed:6} {len(outcome.failures):6} {len(outcome.skips):6}")
    for kind, outcome in outcomes.items():
        for failure in outcome.failures:
            print(f"  {kind} {failure['id']}: {failure['why'].splitlines()[0] if failure['why'] else ''}")
    if args.json:
        data = {"kinds": {kind: outcome.as_data() for kind, outcome in outcomes.items()}}
        args.json.write_text(json.dumps(data, indent=2, default=str), encoding="utf-8")
    failed = sum(len(outcome.failures) for outcome in outcomes.values())
    skipped = sum(len(outcome.skips) for outcome in outcomes.values())
    print(f"{sum(outcome.passed for outcome in outcomes.values())} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
