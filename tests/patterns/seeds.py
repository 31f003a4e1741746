"""Histories by their seeds: each in a folder of its own, one after the other, and which of them break the law."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch


class Broken(AssertionError):
    """The law does not hold."""


@contextmanager
def own_folder() -> Iterator[Path]:
    """A folder for one history. It is about what is written; that it survives a crash is tested elsewhere."""
    root = "/dev/shm" if os.path.isdir("/dev/shm") else None
    somebody = patch.dict(os.environ, GIT_AUTHOR_NAME="Somebody")
    with tempfile.TemporaryDirectory(dir=root) as name, somebody, patch("os.fsync", lambda handle: None):
        yield Path(name)


def run_seeds(about: str, run_history: Callable[[int], None]) -> int:
    """What the command line of a module of histories does; 1 if one is broken."""
    parser = argparse.ArgumentParser(description=f"Run random {about} and report those that break the law.")
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--all", action="store_true", help="go on after the first that breaks the law")
    args = parser.parse_args()
    broken = 0
    for seed in range(args.first, args.first + args.count):
        try:
            run_history(seed)
        except Broken as error:
            broken += 1
            print(error, file=sys.stderr)
            if not args.all:
                return 1
    print(f"{args.count} {about}, {broken} broken")
    return 1 if broken else 0
