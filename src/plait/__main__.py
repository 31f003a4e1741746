"""The program, as a shell runs it: `plait`, or `python -m plait`.

It ends the process without freeing memory first: freeing a large tree value by value can take longer than the command
itself.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

NO_WINDOWS = "plait does not run on Windows itself: install it and run it in WSL, the Windows Subsystem for Linux"
NO_MEMORY = "plait: there is not enough memory to start this command"
NO_LOCK = "can't allocate lock"
USAGE, BUG = 2, 70
"""The exit statuses of wrong usage, and of a bug of ours, as `sysexits.h` has it."""


def run() -> None:
    """Run one command and end the process with its exit status."""
    if sys.platform == "win32":
        os._exit(_ended(NO_WINDOWS, USAGE))
    gc.disable()  # loading a command makes no garbage; see `apps/cli/run.py`
    try:
        from plait.access.modules import find_own_modules  # which Windows could not import

        find_own_modules("plait")
        from plait.access.process import limit_memory, mend_streams
        from plait.apps.cli import main

        mend_streams()
        limit_memory()
        status = main(own=True)
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        status = 0  # no process reads the output any more
    except OSError as trouble:
        status = _ended(f"plait: standard output cannot be written: {trouble.strerror}", 1)
    except BaseException as error:  # the last net: no traceback reaches a user
        status = _ended(NO_MEMORY, 1) if _is_out_of_memory(error) else _bug(error)
    os._exit(status)


def _is_out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out; while importing a module, Python reports that with other errors."""
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and str(error) == NO_LOCK)


def _bug(error: BaseException) -> int:
    """One line about a bug in plait, and a report that the user can send."""
    error.__context__ = None
    sys.setrecursionlimit(sys.getrecursionlimit() + 200)
    from plait.access.process import bug_report
    from plait.version import __version__

    command = " ".join(word for word in sys.argv[1:3] if word.isalpha())
    what, report = bug_report(error, command, __version__)
    more = f"; {report} describes it without any of your data" if report else ""
    return _ended(f"plait: this is a bug in plait ({what}); please report it{more}", BUG)


def _ended(text: str, status: int) -> int:
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except OSError:
        pass
    return status


if __name__ == "__main__":
    run()
