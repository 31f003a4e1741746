"""The program, as a shell runs it: `plait`, or `python -m plait`.

It ends at once. Taking a large tree apart, value by value, takes longer than some questions about it, and the system does it anyway.
"""

from __future__ import annotations

import atexit
import os
import sys

from plait.apps.cli import main


def run() -> None:
    """Run one command and end the process with its exit status."""
    try:
        status = main()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        status = 0  # nobody listens any more
    except OSError as trouble:
        sys.stderr.write(f"plait: standard output cannot be written: {trouble.strerror}\n")
        status = 1
    os._exit(status)


if __name__ == "__main__":
    run()
