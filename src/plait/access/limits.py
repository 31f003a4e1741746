"""The kernel's limits on this process, by the native functions where they were built: see `kernel`."""

from __future__ import annotations

from plait.access.environment import variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait._native import limit_calls, limit_files
else:
    try:
        if variable("PLAIT_NATIVE") == "0":
            raise ImportError
        from plait._native import limit_calls, limit_files
    except ImportError:
        from plait.access.kernel import limit_calls, limit_files


def limit(reads: list[str], writes: list[str], runs: tuple[str, ...] = ()) -> None:
    """From now on, open only what is below some paths, execute only what is below `runs`, and connect to nothing, as
    far as the kernel can."""
    limit_calls(bool(runs), False)
    limit_files(reads, writes, [*runs])


def limit_more(reads: list[str], writes: list[str]) -> None:
    """From now on, open only what is below these paths as well, in this thread and those that it starts."""
    limit_files(reads, writes, [])
