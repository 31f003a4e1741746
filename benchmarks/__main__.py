"""`python -m benchmarks [NAME...]`: every benchmark, or those named. Exits with 1 where a limit is broken."""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path

MODULES = (
    "loom",
    "peers",
    "programs",
    "values",
    "editing",
    "editor",
    "keystroke",
    "spiff",
    "gotemplate",
    "charts",
    "kustomize",
    "stacks",
    "large",
    "many",
    "waits",
    "answers",
    "kept",
    "review",
    "memory",
    "tidy",
    "outside",
    "unfurl",
    "patterns",
    "explorer",
)


def main(names: list[str]) -> int:
    broken: list[str] = []

    def report(name: str, value: float, limit: float | None = None, **counters: object) -> None:
        verdict = "" if limit is None else ("ok" if value <= limit else "OVER")
        if verdict == "OVER":
            broken.append(name)
        said = "  ".join(f"{key}={counter}" for key, counter in counters.items())
        bound = "" if limit is None else f"<= {limit:g}"
        print(f"{name:58} {value:9.3f}  {bound:9} {verdict:5} {said}".rstrip(), flush=True)

    for module in MODULES:
        if (not names or module in names) and (Path(__file__).parent / f"{module}.py").exists():
            print(f"# {module}", flush=True)
            try:
                importlib.import_module(f"benchmarks.{module}").run(report)
            except Exception:  # the others are measured all the same
                traceback.print_exc()
                broken.append(f"{module} (it failed)")
    if broken:
        print(f"over the limit, or failed: {', '.join(broken)}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
