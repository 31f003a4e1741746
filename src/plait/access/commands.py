"""Running a command for its output.

One that takes too long or prints too much is stopped, with everything it started.
"""

from __future__ import annotations

from plait.core.scope import CommandFailed, NoCommand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


MOST_OUTPUT = 16_000_000
MOST_WORDS = 4_000
"""Bytes of standard output, and of what is kept of standard error."""


def printed(
    command: str | list[str],
    seconds: float,
    folder: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """The standard output of a command as text; a single text is run by the shell. Raises `CommandFailed`."""
    import os
    import signal
    import subprocess  # heavy, and rarely needed

    argv = ["/bin/sh", "-c", command] if isinstance(command, str) else command
    try:
        process = subprocess.Popen(
            argv,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except FileNotFoundError as trouble:
        raise NoCommand(trouble.strerror or str(trouble)) from None
    except (OSError, ValueError) as trouble:
        raise CommandFailed(getattr(trouble, "strerror", None) or str(trouble)) from None
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        try:
            output, errors = _read(process.stdout.fileno(), process.stderr.fileno(), seconds)
            status = process.wait()
        except CommandFailed:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
    if status:
        raise CommandFailed(f"it ended with exit status {status}", errors.decode(errors="replace").strip())
    try:
        return output.decode()
    except UnicodeDecodeError:
        raise CommandFailed("what it printed is not text") from None


def _ready(handles: list[int], seconds: float) -> list[int]:
    """The handles that can be read now, or within some time.

    Unlike `select`, it knows no highest number of a handle.
    """
    import select

    poll = select.poll()
    for handle in handles:
        poll.register(handle, select.POLLIN | select.POLLHUP)
    return [handle for handle, _ in poll.poll(seconds * 1000)]


def _read(out: int, err: int, seconds: float) -> tuple[bytes, bytes]:
    """Everything until the output is closed; of standard error the beginning, as far as it has come."""
    import os
    from time import monotonic

    end = monotonic() + seconds
    pieces: dict[int, list[bytes]] = {out: [], err: []}
    sizes = {out: 0, err: 0}
    waiting = [out, err]
    while out in waiting:
        ready = _ready(waiting, max(0.0, end - monotonic()))
        if not ready:
            raise CommandFailed(f"it took longer than {seconds:.0f} seconds")
        for handle in ready:
            piece = os.read(handle, 65536)
            if not piece:
                waiting.remove(handle)
            if handle == out or sizes[err] < MOST_WORDS:
                pieces[handle].append(piece)
            sizes[handle] += len(piece)
        if sizes[out] > MOST_OUTPUT:
            raise CommandFailed(f"it printed more than {MOST_OUTPUT:,} bytes")
    while err in waiting and _ready([err], 0):
        piece = os.read(err, 65536)
        pieces[err].append(piece)
        if not piece:
            break
    return b"".join(pieces[out]), b"".join(pieces[err])[:MOST_WORDS]
