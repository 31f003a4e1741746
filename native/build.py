"""Build `plait._native` where a C compiler and Python's headers are there; say which of the two readers is in use.

python native/build.py            build into src/plait, for this interpreter
python native/build.py --require  end with 1 where that is not possible
python native/build.py --flags="-fsanitize=address -g" --into DIR
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = (
    "module.c",
    "scan.c",
    "build.c",
    "emit.c",
    "words.c",
    "texts.c",
    "merge.c",
    "compare.c",
    "steps.c",
    "references.c",
    "split.c",
    "spans.c",
    "origins.c",
    "limits.c",
    "arenas.c",
)
WARNINGS = ("-Wall", "-Wextra", "-Wno-missing-field-initializers")


def target(into: Path) -> Path:
    return into / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"


def command(into: Path, flags: list[str]) -> list[str]:
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[:1]
    link = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
    include = [f"-I{sysconfig.get_path('include')}"]
    files = [str(HERE / name) for name in SOURCES]
    return [
        *compiler,
        "-O2",
        "-fPIC",
        "-fvisibility=hidden",
        *WARNINGS,
        *flags,
        *include,
        *link,
        *files,
        "-o",
        str(target(into)),
    ]


def build(into: Path, flags: list[str] | None = None) -> str:
    """Build it; the reason why not, or an empty text."""
    try:
        done = subprocess.run(command(into, flags or []), capture_output=True, text=True, check=False)
    except OSError as trouble:
        return f"no C compiler ({trouble.strerror})"
    if done.returncode:
        return next((line for line in done.stderr.splitlines() if "error" in line), "the compiler failed")
    return ""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--into", type=Path, default=HERE.parent / "src" / "plait")
    parser.add_argument("--flags", default="")
    parser.add_argument("--require", action="store_true")
    args = parser.parse_args()
    trouble = build(args.into, shlex.split(args.flags))
    print(f"reader: Python ({trouble})" if trouble else f"reader: native ({target(args.into).name})")
    return 1 if trouble and args.require else 0


if __name__ == "__main__":
    sys.exit(main())
